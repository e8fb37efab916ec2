package app

import (
	"io"
	"os"
	"time"

	"gulo/internal/process"

	"golang.org/x/sys/unix"
)

// This file decides what standard input of a session is for: its commands, or the program.

// pipeWait is how long a session waits for a pipe to deliver something: a silent pipe must not keep it from starting.
const pipeWait = 300 * time.Millisecond

// data reads standard input for the program, if it is a file or a pipe with something in it; else it returns nil.
func (s *streams) data() ([]byte, error) {
	if f, ok := s.in.(*os.File); ok {
		st, err := f.Stat()
		if err != nil || isTerminal(f) || !st.Mode().IsRegular() && !speaks(f) {
			return nil, nil
		}
	}
	text, err := io.ReadAll(s.in)
	if len(text) == 0 {
		text = nil // the command input of a script supplies the program's input
	}
	return text, err
}

// speaks reports whether there is something to read within pipeWait.
func speaks(f *os.File) bool {
	p := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(p, int(pipeWait.Milliseconds()))
	return err == nil && n > 0
}

// ownTerminal replaces standard input by the terminal from which the command was called, so that commands can be typed
// there. It returns false if there is no such terminal.
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

// toProgram passes a text, as a file, to give, which makes it the standard input of every start of the program.
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
