package process

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
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

// deaths are how gcc's driver, collect2 and its compilers end what they say when a program that they started was killed,
// or when they get no memory. The driver's exit code is that of an error then, as for a program that is no C. gcc quotes
// the program's text in its messages, but a quoted line is followed by others: these lines are the last.
var deaths = regexp.MustCompile(`(?:^|\n)\S+: (?:fatal error: ([A-Z][a-z]+ signal terminated program \S+|\S+ terminated with signal \d+ \[\w+\][^\n]*|cannot execute '[^'\n]*': [^\n]*Cannot allocate memory)\ncompilation terminated\.|(out of memory allocating \d+ bytes[^\n]*|(?:virtual )?memory exhausted(?:: Cannot allocate memory)?))\s*$`)

// Died returns a *DiedError when the error of a tool's run, and the end of what it said, show that it
// was ended from outside; nil otherwise.
func Died(tool string, err error, said []byte) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return nil
	}
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return &DiedError{tool, unix.SignalName(ws.Signal())}
	}
	if m := deaths.FindSubmatch(said); m != nil {
		return &DiedError{tool, string(m[1]) + string(m[2])}
	}
	return nil
}
