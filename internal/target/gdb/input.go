package gdb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"gulo/internal/target"
)

// This file is the program's standard input. It is a file, or the terminal: what is typed is handed on by lines, as
// the program asks for them. A program that asks for more than there is, is stopped in the middle of the call, so
// that gdb listens; the system makes the call again when it goes on.
//
// What was read is taken back with the memory. The file is one that gulo has open, too: the program inherits it
// from gdb, and both have the same position.

// inputFD is the file's number in gdb, which inherits it.
const inputFD = 3

// input is what the program reads.
type input struct {
	text *os.File // what a file has that it reads from
	file bool     // it reads from there, and not from the terminal

	given []byte // typed so far
	wrote int    // bytes of it that the terminal was given
	ended bool   // nothing comes after it
	fresh bool   // given something since it was looked at last
	used  bool   // by a run
}

// readState is how far the program has read.
type readState struct {
	offset int64 // in the file
	given  []byte
	read   int // bytes of it
	ended  bool
}

// mostWaiting bounds what the terminal is given in advance: the system keeps 4096 bytes.
const mostWaiting = 2048

// from makes a file's content what the program reads from its next start on.
func (in *input) from(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := in.text.Truncate(0); err != nil {
		return err
	}
	if _, err := in.text.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(in.text, f); err != nil {
		return err
	}
	in.file = true
	return nil
}

// begin makes the program read from the beginning.
func (in *input) begin(t *terminal) error {
	if in.file {
		_, err := in.text.Seek(0, io.SeekStart)
		return err
	}
	if in.used && t != nil { // what was typed was for the run before
		t.discard()
		in.given, in.wrote, in.ended = nil, 0, false
	}
	in.used = true
	return nil
}

// more hands on what was typed, and at the end that it ended; false where the program has it all.
func (in *input) more(t *terminal) bool {
	if in.file || t == nil {
		return false
	}
	any := in.hand(t)
	if !any && in.ended && in.wrote == len(in.given) {
		any = t.write([]byte("\x04"))
	}
	in.fresh = in.fresh || any
	return any
}

// pending reports whether more would hand something on.
func (in *input) pending() bool { return !in.file && (in.ended || in.wrote < len(in.given)) }

// hand gives the terminal lines that it has room for.
func (in *input) hand(t *terminal) (any bool) {
	for in.wrote < len(in.given) {
		n := bytes.IndexByte(in.given[in.wrote:], '\n') + 1
		if n == 0 {
			n = len(in.given) - in.wrote
		}
		n = min(n, mostWaiting)
		if t.waiting()+n > mostWaiting || !t.write(in.given[in.wrote:in.wrote+n]) {
			break
		}
		in.wrote += n
		any = true
	}
	return any
}

func (in *input) save(t *terminal) readState {
	s := readState{given: in.given[:len(in.given):len(in.given)], ended: in.ended}
	if in.file {
		s.offset, _ = in.text.Seek(0, io.SeekCurrent)
	} else if t != nil {
		s.read = in.wrote - min(t.waiting(), in.wrote)
	}
	return s
}

// restore makes the program read on from where it was.
func (in *input) restore(t *terminal, s readState) error {
	if in.file {
		_, err := in.text.Seek(s.offset, io.SeekStart)
		return err
	}
	in.given, in.ended = s.given, s.ended
	if t != nil {
		t.discard()
		in.wrote = s.read
		in.hand(t)
	}
	return nil
}

// CheckTerminal says why a program cannot be given a terminal (Config.Terminal); nil where it can.
func CheckTerminal(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS); err != nil {
		return fmt.Errorf("%s is no terminal", name)
	}
	return nil
}

// Output implements target.Target.
func (t *Target) Output() string {
	if t.tty == nil {
		return ""
	}
	return t.tty.drain()
}

// Input implements target.Target.
func (t *Target) Input(text string) {
	if t.tty == nil {
		return // its terminal is its own
	}
	t.input.given = append(t.input.given, text...)
	if t.running {
		t.input.fresh = t.input.hand(t.tty)
	}
}

// EndInput implements target.Target.
func (t *Target) EndInput() { t.input.ended = true }

// errNeedInput makes await return while the program waits for input.
var errNeedInput = errors.New("the program waits for input")

// pause stops the program where it waits for input.
func (t *Target) pause(ctx context.Context) (target.Stop, error) {
	if err := unix.Tgkill(t.pid, t.pid, unix.SIGSTOP); err != nil {
		return target.Stop{}, fmt.Errorf("cannot stop the program while it waits for input: %w", err)
	}
	rec, err := t.await(context.WithoutCancel(ctx))
	for errors.Is(err, errNeedInput) { // it has not stopped yet
		rec, err = t.await(context.WithoutCancel(ctx))
	}
	if err != nil {
		return target.Stop{}, err
	}
	if rec.str("reason") != "signal-received" || rec.str("signal-name") != "SIGSTOP" {
		t.threads.nudges++ // something else stopped it first; the signal is still to come
		return t.arrive(ctx, rec)
	}
	other, err := t.stopped(ctx, rec)
	if err != nil {
		return target.Stop{}, err
	}
	if other != 0 {
		t.threads.cur = other
	}
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	s, err := t.standing()
	s.Reason, s.Inside = target.NeedInput, true
	return s, err
}

// goOnReading goes on with the resume that was interrupted because the program waits for input.
func (t *Target) goOnReading(ctx context.Context, breaks map[int32]bool) (target.Stop, error) {
	if breaks != nil {
		t.resume.breaks = breaks
		if err := t.setBreaks(ctx, breaks); err != nil {
			return target.Stop{}, err
		}
	}
	cmd := "-exec-continue"
	if id, _ := t.info.at(t.pc); t.resume.mode != target.Continue {
		cmd = t.goOn(id != 0 && t.info.function(t.pc) != nil, t.depth())
	}
	return t.exec(ctx, cmd)
}

// write gives the terminal some bytes; false where it has no room for them.
func (t *terminal) write(b []byte) bool {
	n, err := unix.Write(int(t.master.Fd()), b)
	return err == nil && n == len(b)
}

// waiting is how many bytes the program has not read yet.
func (t *terminal) waiting() int {
	n, err := unix.IoctlGetInt(int(t.slave.Fd()), unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return n
}

// discard drops what the program has not read yet.
func (t *terminal) discard() {
	_ = unix.IoctlSetInt(int(t.slave.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}

// waitsForInput reports whether the process sleeps in read(0).
func waitsForInput(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
	if err != nil {
		return false
	}
	if f := strings.Fields(string(b)); len(f) < 2 || f[0] != "0" || f[1] != "0x0" {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // one that gdb has stopped may wait, too
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err == nil && strings.HasPrefix(rest, "S")
}
