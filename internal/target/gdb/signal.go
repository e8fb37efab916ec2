package gdb

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"golang.org/x/sys/unix"

	"gulo/internal/target"
)

// This file is signals that the program has a handler for, or ignores: they are part of its
// work, and no crash.

var maskLine = regexp.MustCompile(`(?m)^Sig(?:Ign|Cgt):\s*([0-9a-f]+)$`)

// handles reports whether the program catches a signal or ignores it.
func (t *Target) handles(name string) bool {
	n := unix.SignalNum(name)
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.pid))
	if n <= 0 || err != nil {
		return false
	}
	for _, m := range maskLine.FindAllStringSubmatch(string(b), -1) {
		if mask, err := strconv.ParseUint(m[1], 16, 64); err == nil && mask>>(n-1)&1 != 0 {
			return true
		}
	}
	return false
}

// harmless are the signals that end no program, whoever sends them: SIGCONT comes when a stopped
// program is to go on.
var harmless = map[string]bool{"SIGCONT": true, "SIGCHLD": true, "SIGURG": true, "SIGWINCH": true}

// stopping are the signals that stop a program until SIGCONT comes. gdb has stopped it anyway when it tells of one; without
// a handler for it, the program goes on as if SIGCONT had come, too.
var stopping = map[string]bool{"SIGSTOP": true, "SIGTSTP": true, "SIGTTIN": true, "SIGTTOU": true}

// deliver goes on with a signal that the program handles, or that does nothing. gdb passes it on with what is resumed.
func (t *Target) deliver(ctx context.Context, name string, other int) (target.Stop, error) {
	if withheld[name] && (!stopping[name] || t.handles(name)) || name == "SIGHUP" && t.forks.entered() {
		if err := t.c.console(ctx, "handle "+name+" pass"); err != nil {
			return target.Stop{}, err
		}
		t.passed = append(t.passed, name)
	}
	return t.goPast(ctx, other)
}

// goPast goes on behind a signal.
func (t *Target) goPast(ctx context.Context, other int) (target.Stop, error) {
	switch {
	case other != 0:
		return t.aside(ctx)
	case t.resume.mode == target.Continue:
		return t.exec(ctx, "-exec-continue")
	}
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	return t.decide(ctx)
}

// withheld are signals that gdb does not pass on: those of a crash, since after going back the program
// must not die of it, and those that would stop the program.
var withheld = map[string]bool{"SIGSEGV": true, "SIGABRT": true, "SIGFPE": true, "SIGBUS": true, "SIGILL": true, "SIGTSTP": true, "SIGTTIN": true, "SIGTTOU": true}

// withholding is the command that makes gdb do so, passing the one for the opposite.
const (
	ofCrashes   = "handle SIGSEGV SIGABRT SIGFPE SIGBUS SIGILL SIGSTOP SIGTSTP SIGTTIN SIGTTOU "
	withholding = ofCrashes + "stop nopass"
	passing     = ofCrashes + "nostop noprint pass"
)

// hungUp reports, once, whether a signal is the SIGHUP that a child gets because the process that was started has ended.
// That process led the session of gulo's terminal. A program that a shell has started does not, and its children get no
// such signal.
func (t *Target) hungUp(name string) bool {
	f := &t.forks
	if name != "SIGHUP" || !f.entered() || f.hungUp || t.doing(f.first) != target.Over {
		return false
	}
	f.hungUp = true
	return true
}

// withhold makes gdb withhold again the signals that deliver has let it pass on.
func (t *Target) withhold(ctx context.Context) error {
	for _, name := range t.passed {
		if err := t.c.console(ctx, "handle "+name+" nopass"); err != nil {
			return err
		}
	}
	t.passed = nil
	return nil
}
