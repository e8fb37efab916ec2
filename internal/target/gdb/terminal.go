package gdb

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/process"
	"gulo/internal/screen"
)

// This file is the program's terminal: a pseudo-terminal whose other end gulo has. What the program writes is read
// while it runs, so that it never waits for that. A terminal with a screen is as a terminal window is: it echoes what is
// typed, and its screen is drawn; one without shows nothing that is typed, and ends lines as the program ends them.

// terminal is a pseudo-terminal for the program's input and output.
type terminal struct {
	master, slave *os.File // the slave is kept open so that the master never reports hang-up
	fd            int      // the master's
	to            int      // what is typed is written there: fd, but in a test
	wake          int      // an eventfd: something is to be done
	done          chan struct{}
	name          string
	first         unix.Termios // its settings at the start of every run

	mu     sync.Mutex // of what follows, and of input.given and input.wrote
	text   []byte     // that the program wrote and nobody has asked for
	wrote  time.Time  // when it did last
	total  int        // bytes that it wrote in all
	known  int        // of these, those that draws knew last
	closed bool
	screen *screen.Screen // nil for a terminal without
	in     *input         // gets the screen's answers to the program's questions
}

// mostText bounds the output that is kept until somebody asks for it. A program that writes more waits, as at any terminal.
const mostText = 64 << 20

// usualRows and usualCols are the size of a terminal without a screen: one of 0 rows makes programs that draw on it ask
// the terminal itself, which nobody answers.
const usualRows, usualCols = 24, 80

// openTerminal opens a terminal. s is its screen; nil for none.
func openTerminal(s *screen.Screen, in *input) (t *terminal, err error) {
	t = &terminal{screen: s, in: in, fd: -1, wake: -1, done: make(chan struct{})}
	defer func() {
		if err != nil {
			close(t.done)
			t.close()
			t = nil
		}
	}()
	if t.master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return t, err
	}
	t.fd = int(t.master.Fd())
	t.to = t.fd
	if err = unix.IoctlSetPointerInt(t.fd, unix.TIOCSPTLCK, 0); err != nil {
		return t, err
	}
	n, err := unix.IoctlGetInt(t.fd, unix.TIOCGPTN)
	if err != nil {
		return t, err
	}
	t.name = fmt.Sprintf("/dev/pts/%d", n)
	if t.slave, err = os.OpenFile(t.name, os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return t, err
	}
	tio, err := unix.IoctlGetTermios(int(t.slave.Fd()), unix.TCGETS)
	if err != nil {
		return t, err
	}
	rows, cols := usualRows, usualCols
	if t.first = *tio; s == nil {
		t.first.Lflag &^= unix.ECHO
		t.first.Oflag &^= unix.OPOST
	} else {
		rows, cols = s.Size()
	}
	if err = unix.IoctlSetTermios(int(t.slave.Fd()), unix.TCSETS, &t.first); err != nil {
		return t, err
	}
	if err = t.setSize(rows, cols); err != nil {
		return t, err
	}
	if t.wake, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		return t, err
	}
	if err = unix.SetNonblock(t.fd, true); err != nil {
		return t, err
	}
	process.Go(t.listen)
	return t, nil
}

func (t *terminal) setSize(rows, cols int) error {
	return unix.IoctlSetWinsize(t.fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(cols)})
}

// begin gives the terminal its settings for a new run, and a blank screen.
func (t *terminal) begin() error {
	if _, err := unix.IoctlGetTermios(int(t.slave.Fd()), unix.TCGETS); err != nil { // the end of the run before has hung it up
		s, err := os.OpenFile(t.name, os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			return err
		}
		_ = t.slave.Close()
		t.slave = s
	}
	if err := unix.IoctlSetTermios(int(t.slave.Fd()), unix.TCSETS, &t.first); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read()
	if t.screen != nil {
		t.screen = screen.New(t.screen.Size())
	}
	return nil
}

// listen reads what the program writes, until the terminal is closed.
func (t *terminal) listen() {
	defer close(t.done)
	for {
		t.mu.Lock()
		fds := []unix.PollFd{{Fd: int32(t.wake), Events: unix.POLLIN}, {Fd: int32(t.fd), Events: unix.POLLIN}}
		if len(t.text) >= mostText {
			fds = fds[:1]
		}
		closed := t.closed
		t.mu.Unlock()
		if closed {
			return
		}
		if _, err := unix.Poll(fds, -1); err != nil && err != unix.EINTR {
			return
		}
		t.mu.Lock()
		var n [8]byte
		_, _ = unix.Read(t.wake, n[:])
		t.read()
		t.mu.Unlock()
		if len(fds) > 1 && fds[1].Revents&unix.POLLHUP != 0 { // nobody has the other end: it is opened again for the next run
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func (t *terminal) rouse() { _, _ = unix.Write(t.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0}) }

// read takes what the program has written so far. mu is held.
func (t *terminal) read() {
	buf := make([]byte, 16<<10)
	for len(t.text) < mostText {
		n, err := unix.Read(t.fd, buf)
		if n <= 0 || err != nil {
			return
		}
		t.text, t.wrote, t.total = append(t.text, buf[:n]...), time.Now(), t.total+n
		if t.screen == nil {
			continue
		}
		_, _ = t.screen.Write(buf[:n])
		if a := t.screen.Answer(); len(a) > 0 {
			t.in.answer(t, a)
		}
	}
}

// drain returns what the program has written since the last call.
func (t *terminal) drain() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read()
	out := string(t.text)
	full := len(t.text) >= mostText
	if t.text = nil; full {
		t.rouse()
	}
	return out
}

// quiet is how long the program has written nothing.
func (t *terminal) quiet() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read()
	return time.Since(t.wrote)
}

// draws reports whether the program has written to a screen since the last call. That may be a question, which the screen
// answers as soon as it comes there.
func (t *terminal) draws() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read()
	before := t.known
	t.known = t.total
	return t.screen != nil && t.total != before
}

// modes are the terminal's settings, which programs change; nil where nobody knows.
func (t *terminal) modes() *unix.Termios {
	tio, err := unix.IoctlGetTermios(int(t.slave.Fd()), unix.TCGETS)
	if err != nil {
		return nil
	}
	return tio
}

// raw reports whether the program reads keys, and not lines.
func (t *terminal) raw() bool {
	m := t.modes()
	return m != nil && m.Lflag&unix.ICANON == 0
}

// terminalState is a terminal's state at some time.
type terminalState struct {
	modes  *unix.Termios
	screen *screen.Screen
}

func (t *terminal) save() (s terminalState) {
	if t == nil {
		return s
	}
	s.modes = t.modes()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read()
	if t.screen != nil {
		s.screen = t.screen.Clone()
	}
	return s
}

// restore makes the terminal what it was. A size that has changed since is announced to the program by the system.
func (t *terminal) restore(s terminalState) error {
	if t == nil {
		return nil
	}
	if s.modes != nil {
		if err := unix.IoctlSetTermios(int(t.slave.Fd()), unix.TCSETS, s.modes); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read()
	if s.screen == nil || t.screen == nil {
		return nil
	}
	rows, cols := t.screen.Size()
	t.screen = s.screen.Clone()
	if r, c := t.screen.Size(); r != rows || c != cols {
		return t.setSize(r, c)
	}
	return nil
}

// write gives the terminal some bytes; false where it has no room for them.
func (t *terminal) write(b []byte) bool {
	n, err := unix.Write(t.to, b)
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

// unread reports whether a line is there that the program has not read yet. On a loaded machine a program that waits for
// a line takes a while to read it.
func (t *terminal) unread() bool { return !t.raw() && t.waiting() > 0 }

// discard drops what the program has not read yet.
func (t *terminal) discard() {
	_ = unix.IoctlSetInt(int(t.slave.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}

func (t *terminal) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	if t.wake >= 0 {
		t.rouse()
		<-t.done
		_ = unix.Close(t.wake)
	}
	for _, f := range []*os.File{t.master, t.slave} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// Screen implements target.Screened.
func (t *Target) Screen() *screen.Screen {
	if t.tty == nil || t.tty.screen == nil {
		return nil
	}
	return t.tty.save().screen
}

// Resize implements target.Screened.
func (t *Target) Resize(rows, cols int) error {
	t.tty.mu.Lock()
	defer t.tty.mu.Unlock()
	t.tty.read()
	t.tty.screen.Resize(rows, cols)
	return t.tty.setSize(rows, cols)
}

// Raw implements target.Screened.
func (t *Target) Raw() bool { return t.tty != nil && t.running && t.tty.raw() }
