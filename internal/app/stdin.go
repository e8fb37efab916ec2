package app

import (
	"io"
	"os"
	"time"

	"gulo/internal/process"

	"golang.org/x/sys/unix"
)

// This file is what standard input is for in a session: the commands, or what the program reads.

// pipeWait is how long a pipe may take to say anything: one that nobody writes to must not keep a session from its
// beginning.
const pipeWait = 300 * time.Millisecond

// data reads standard input for the program, where it is a file or a pipe that has something; nil for nothing.
func (s *streams) data() ([]byte, error) {
	if f, ok := s.in.(*os.File); ok {
		st, err := f.Stat()
		if err != nil || isTerminal(f) || !st.Mode().IsRegular() && !speaks(f) {
			return nil, nil
		}
	}
	text, err := io.ReadAll(s.in)
	if len(text) == 0 {
		text = nil // scripts with the command input have no other
	}
	return text, err
}

// speaks reports whether there is something to read.
func speaks(f *os.File) bool {
	p := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(p, int(pipeWait.Milliseconds()))
	return err == nil && n > 0
}

// ownTerminal makes the terminal that the command was called from standard input, which then is a file's or a pipe's
// no longer: commands are typed there. It returns false where there is no such terminal.
func (s *streams) ownTerminal() bool {
	if f, ok := s.in.(*os.File); !ok || f.Fd() != os.Stdin.Fd() || !isTerminal(s.out) {
		return false
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	return unix.Dup3(int(tty.Fd()), int(os.Stdin.Fd()), 0) == nil
}

// toProgram makes a text what the program reads from every start on, to its end.
func toProgram(text []byte, give func(file string) error) error {
	dir, err := process.TempDir("gulo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := dir + "/stdin"
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return err
	}
	return give(name)
}
