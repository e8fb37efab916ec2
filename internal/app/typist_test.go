package app

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// typist is somebody at a terminal with gulo.
type typist struct {
	t    *testing.T
	tty  *os.File
	cmd  *exec.Cmd
	more chan struct{} // gulo has written something

	mu   sync.Mutex
	text []byte // what it wrote
	read int    // how far expect has come
}

// atTerminal starts gulo on a pseudo terminal in a folder.
func atTerminal(t *testing.T, dir string, args ...string) *typist {
	t.Helper()
	m, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminal: ", err)
	}
	t.Cleanup(func() { _ = m.Close() })
	if err := unix.IoctlSetPointerInt(int(m.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(m.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(m.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 200}); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TERM=xterm", "NO_COLOR=1", "HOME="+dir, "XDG_STATE_HOME="+dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	y := &typist{t: t, tty: m, cmd: cmd, more: make(chan struct{}, 1)}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := m.Read(buf)
			y.mu.Lock()
			y.text = append(y.text, buf[:n]...)
			y.mu.Unlock()
			select {
			case y.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return y
}

// expect waits until gulo has written one of some texts, after what was expected before, and returns all output up to
// there.
func (y *typist) expect(any ...string) string {
	y.t.Helper()
	guard := time.After(2 * time.Minute)
	for {
		y.mu.Lock()
		for _, s := range any {
			if i := bytes.Index(y.text[y.read:], []byte(s)); i >= 0 {
				out := string(y.text[y.read : y.read+i+len(s)])
				y.read += len(out)
				y.mu.Unlock()
				return out
			}
		}
		rest := string(y.text[y.read:])
		y.mu.Unlock()
		select {
		case <-y.more:
		case <-guard:
			y.t.Fatalf("no %q in\n%s", any, rest)
		}
	}
}

func (y *typist) types(text string) {
	y.t.Helper()
	if _, err := y.tty.WriteString(text); err != nil {
		y.t.Fatal(err)
	}
}

// does types a command at the prompt and returns what is answered.
func (y *typist) does(command string) string {
	y.t.Helper()
	y.types(command + "\r")
	y.expect(command)
	return y.expect("(gulo) ")
}

// TestRepairAtTerminal: repair offers what it has found before the search is over, and the prompt comes back. ^C in a
// repair that waits for the rest leaves the best so far.
func TestRepairAtTerminal(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("../bench/outside/apart/morse_line/faulty.c")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"morse.c": string(text), "line.txt": "... . -\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	y := atTerminal(t, dir, "debug", "--engine", "machine", "morse.c")
	y.expect("(gulo) ")
	for _, line := range []string{"start < line.txt", "break decode", "continue", "break -decode", "next 16", `change code "."`, "spec"} {
		y.does(line)
	}
	if got := y.does("repair"); !strings.Contains(got, "Found a repair:") || !strings.Contains(got, "This is the best so far") {
		t.Errorf("repair:\n%s", got)
	}
	y.types("repair\r")
	y.expect("looking", "holding")
	y.types("\x03")
	if got := y.expect("(gulo) "); !strings.Contains(got, "Found a repair:") || !strings.Contains(got, "the search was stopped") {
		t.Errorf("repair and ^C:\n%s", got)
	}
	if got := y.does("diff"); !strings.Contains(got, "+++ b/morse.c") {
		t.Errorf("diff:\n%s", got)
	}
	y.types("quit\r")
	if err := y.cmd.Wait(); err != nil {
		t.Error(err)
	}
}
