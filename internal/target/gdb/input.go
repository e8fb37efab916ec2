package gdb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"gulo/internal/target"
)

// This file is the program's input: its standard input, which may be a file, and its terminal. What is typed is handed on
// by lines, or by keys where they end in none, as the program asks for it. A program that asks for more than there is, is
// stopped in the middle of the call, so that gdb listens; the system makes the call again when it goes on.
//
// What is typed before the program asks is kept back for a moment: one that is about to ask for keys discards what it
// finds in its terminal (TCSAFLUSH).
//
// What was read is taken back with the memory. The file is one that gulo has open, too: the program inherits it
// from gdb, and both have the same position.

// inputFD is the file's number in gdb, which inherits it.
const inputFD = 3

// input is what the program reads.
type input struct {
	text *os.File // a copy of the file that is the program's standard input
	file bool     // the program reads from text, and not from the terminal

	given []byte // typed so far, and what the terminal has answered
	wrote int    // bytes of given that the terminal was given
	ended bool   // nothing comes after given
	fresh bool   // the terminal was given something since await looked last
	kept  int    // ticks for which the program has run since something was kept back
	used  bool   // a run has begun with this input

	roused roused // whose terminal was given something last
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
	if t != nil {
		if err := t.begin(); err != nil {
			return err
		}
	}
	if in.used && t != nil { // what was typed was for the run before
		t.discard()
		t.mu.Lock()
		in.given, in.wrote, in.ended = nil, 0, false
		t.mu.Unlock()
	}
	in.used = true
	if in.file {
		_, err := in.text.Seek(0, io.SeekStart)
		return err
	}
	return nil
}

// more gives the terminal what was typed or, after all of it, the end of input. It returns false if there was nothing to
// give, or no room.
func (in *input) more(t *terminal) bool {
	any := in.hand(t)
	if !any && in.ended && in.wrote == len(in.given) && !t.raw() {
		any = t.write([]byte("\x04"))
	}
	in.fresh = in.fresh || any
	return any
}

// rouses reports whether what the terminal was given last ends a read: a line, a key, or the end of input.
func (in *input) rouses(t *terminal) bool {
	return t.raw() || in.ended && in.wrote == len(in.given) || in.wrote > 0 && in.given[in.wrote-1] == '\n'
}

// pending reports whether more would hand something on.
func (in *input) pending() bool { return !in.file && (in.ended || in.wrote < len(in.given)) }

// hand gives the terminal lines that it has room for.
func (in *input) hand(t *terminal) (any bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
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

// keptTicks is how long something is kept back from a program that does not ask, and may look by itself.
const keptTicks = 15

// offer hands on what was kept back, and there is something, where the program reads keys, or has run for a while without asking. It returns
// whether it did.
func (in *input) offer(t *terminal) (any bool) {
	if in.kept++; in.kept > keptTicks || t.raw() {
		any = in.hand(t)
		in.fresh = any || in.fresh
	}
	return any
}

// answer gives the terminal what it answers to a question of the program's: that is read as if it were typed. The
// terminal's lock is held.
func (in *input) answer(t *terminal, a []byte) {
	if t.write(a) {
		in.given = slices.Insert(slices.Clone(in.given), in.wrote, a...)
		in.wrote += len(a)
	}
}

func (in *input) save(t *terminal) (s readState) {
	if in.file {
		s.offset, _ = in.text.Seek(0, io.SeekCurrent)
	}
	if t == nil {
		return s
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s.given, s.ended = slices.Clip(in.given), in.ended
	s.read = in.wrote - min(t.waiting(), in.wrote)
	return s
}

// restore makes the program read on from where it was.
func (in *input) restore(t *terminal, s readState) error {
	if t != nil {
		t.discard()
		t.mu.Lock()
		in.given, in.ended, in.wrote, in.kept = s.given, s.ended, s.read, 0
		t.mu.Unlock()
		if t.raw() {
			in.hand(t)
		}
	}
	if in.file {
		_, err := in.text.Seek(s.offset, io.SeekStart)
		return err
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
	t.tty.mu.Lock()
	t.input.given, t.input.kept = append(t.input.given, text...), 0
	t.tty.mu.Unlock()
	if t.running && t.tty.raw() {
		before := sleeper(t.pid)
		if t.input.fresh = t.input.hand(t.tty); t.input.fresh {
			t.input.roused = before
		}
	}
}

// OwnTerminal reports whether the program reads a terminal that gulo does not have: nothing can be given to it.
func (t *Target) OwnTerminal() bool { return t.tty == nil }

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
		t.threads.nudged = true // something else stopped it first; the signal is still to come
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
	s.Reason, s.Inside, s.Timed = target.NeedInput, true, t.resume.spell > 0
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
