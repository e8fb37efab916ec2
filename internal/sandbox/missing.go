package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"gulo/internal/sandbox/launch"
)

// This file is about what could not be done: programs that were not begun, and protections
// that they began without.

// StartError says that a program was not begun. It says nothing about the program.
type StartError struct {
	Stage launch.Stage // of the helper's work, or one of ours
	Err   error
}

// stages says in words what fails at a stage, and what to do.
var stages = map[launch.Stage]struct{ what, hint string }{
	launch.ReadOrder:   {"its order cannot be read", "report it: this is a bug in gulo"},
	launch.Mounts:      {"mounts cannot be made private", ""},
	launch.Scratch:     {"no scratch folder can be mounted", ""},
	launch.Enter:       {"its folder cannot be entered", "set TMPDIR to a folder that all users may enter"},
	launch.SetLimits:   {"its limits on time, memory and files cannot be set", "run gulo where setrlimit is allowed; without limits a program could take all of the machine"},
	launch.ChangeUser:  {"it cannot become a user of its own", ""},
	addresses:          {"it needs more address space than this process may give it", "raise the limit (ulimit -v); programs with sanitizers reserve terabytes and use little"},
	launch.ParentDeath: {"it cannot be tied to gulo's life", "run gulo where prctl is allowed"},
	launch.Privileges:  {"privileges cannot be given up", "run gulo where prctl and capset are allowed"},
	launch.Network:     {"the network cannot be closed", "run gulo where user namespaces or seccomp filters are allowed"},
	launch.Files:       {"files cannot be made read-only", ""},
	launch.Execute:     {"the system does not execute it", "set TMPDIR to a folder with space whose file system is not mounted noexec"},
	namespaces:         {"no namespaces can be made", ""},
	begin:              {"no process can be made", "raise the limit on processes (ulimit -u), or end some"},
	notBegun:           {"the helper ended before the program began", "try again when the machine has more memory or less to do"},
}

// Stages that the helper knows nothing of.
const (
	begin      launch.Stage = "begin"
	addresses  launch.Stage = "addresses"
	namespaces launch.Stage = "namespaces"
	notBegun   launch.Stage = "helper"
)

func (e *StartError) what() string { return stages[e.Stage].what }

func (e *StartError) Error() string {
	s := fmt.Sprintf("a program could not be started in the sandbox: %s: %v", e.what(), e.Err)
	if hint := stages[e.Stage].hint; hint != "" {
		s += "; " + hint
	}
	return s
}

func (e *StartError) Unwrap() error { return e.Err }

// Outside says that this is the system's fault and not the user's.
func (e *StartError) Outside() bool { return true }

// read reads what a helper has told; nil: the program began.
func read(words []byte, ended *os.ProcessState) error {
	began := false
	for line := range strings.Lines(string(words)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		n, _ := strconv.Atoi(f[2])
		switch launch.Word(f[0]) {
		case launch.Begins:
			began = true
		case launch.Failed:
			return &StartError{launch.Stage(f[1]), syscall.Errno(n)}
		case launch.Lacks:
			note(func(m *missing) { m.files = true })
		}
	}
	if began {
		return nil
	}
	why := errors.New("no reason is known")
	if ended != nil {
		if ws, ok := ended.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			why = errors.New(unix.SignalName(ws.Signal()))
		}
	}
	return &StartError{notBegun, why}
}

// missing is what programs ran without in this process.
type missing struct {
	why                             string
	processes, size, network, files bool
	broken                          *StartError
}

var lacking struct {
	sync.Mutex
	missing
}

func note(f func(*missing)) {
	lacking.Lock()
	defer lacking.Unlock()
	f(&lacking.missing)
}

// lacks notes what a program that has run with protection p did without.
func (p protection) lacks(m *missing) {
	m.processes = m.processes || !p.spaces && !p.become
	m.size = m.size || !p.mounts
	m.network = m.network || p.open
}

// failed keeps the last error of a program that was not begun, whatever becomes of it.
func failed(err error) error {
	var s *StartError
	if errors.As(err, &s) {
		note(func(m *missing) { m.broken = s })
	}
	return err
}

// Broken returns the error of the last program that was not begun; nil: all were. What was
// concluded without its run is not to be relied on.
func Broken() *StartError {
	lacking.Lock()
	defer lacking.Unlock()
	return lacking.broken
}

// Missing says in words what protection programs ran without in this process; empty: none is
// missing.
func Missing() string {
	lacking.Lock()
	defer lacking.Unlock()
	var list []string
	for _, x := range []struct {
		is   bool
		what string
	}{
		{lacking.network, "they can use the network"},
		{lacking.files, "they can write wherever you can"},
		{lacking.processes, "they can signal your other processes"},
		{lacking.size, "the size of each file that they write is limited, the sum is not"},
	} {
		if x.is {
			list = append(list, x.what)
		}
	}
	if len(list) == 0 {
		return ""
	}
	why := lacking.why
	if why == "" {
		why = stages[launch.Files].what
	}
	return fmt.Sprintf("programs run with less protection than usual (%s): %s", why, strings.Join(list, "; "))
}
