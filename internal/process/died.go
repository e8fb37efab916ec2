package process

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// This file tells a tool that refuses its input from one that somebody ended.

// DiedError says that a tool was ended from outside: killed, or out of memory. What it
// would have answered nobody knows.
type DiedError struct{ Tool, How string }

func (e *DiedError) Error() string {
	return fmt.Sprintf("%s was ended in the middle (%s)", e.Tool, e.How)
}

// Outside says that this is the system's fault.
func (e *DiedError) Outside() bool { return true }

// gcc's drivers say so of the programs that they start.
var deaths = [][]byte{
	[]byte("Killed signal terminated program"), []byte("Terminated signal terminated program"), []byte("internal compiler error: Killed"),
	[]byte("virtual memory exhausted"), []byte("Cannot allocate memory"), []byte("ld terminated with signal 9"),
}

// Died returns a *DiedError when the error of a tool's run, and what it said, show that it
// was ended from outside; nil otherwise.
func Died(tool string, err error, said []byte) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return nil
	}
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return &DiedError{tool, unix.SignalName(ws.Signal())}
	}
	for _, d := range deaths {
		if at := bytes.Index(said, d); at >= 0 {
			line, _, _ := bytes.Cut(said[at:], []byte("\n"))
			return &DiedError{tool, string(line)}
		}
	}
	return nil
}
