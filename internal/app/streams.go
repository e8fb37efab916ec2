package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"gulo/internal/process"

	"golang.org/x/term"
)

// This file holds the input and outputs of a command, and decides how it ends when they go away.

// streams are the files a command talks to.
type streams struct {
	in       io.Reader
	out, err io.Writer
	line     *progressLine // progress on a terminal during a long command; nil: none is shown
	guessed  string        // advice if a program that was built before does not compile again; "": its flags are known
	offered  func()        // called when fix finds a candidate; may be nil
}

// output is standard output or error. The first failed write ends the command, even if the writer ignores the error.
type output struct {
	w    io.Writer
	name string
	end  context.CancelCauseFunc

	mu     sync.Mutex
	failed *outputError
}

// outputError says that the output of a command cannot be written.
type outputError struct {
	name string
	err  error
}

func (e *outputError) Error() string { return fmt.Sprintf("cannot write to %s: %v", e.name, e.err) }
func (e *outputError) Unwrap() error { return e.err }

func (o *output) Write(p []byte) (int, error) {
	process.HoldIfEnding()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed != nil {
		return 0, o.failed
	}
	n, err := o.w.Write(p)
	if err == nil {
		return n, nil
	}
	var sys syscall.Errno
	if errors.As(err, &sys) {
		err = sys
	}
	o.failed = &outputError{o.name, err}
	o.end(o.failed)
	return n, o.failed
}

// patience is how many bytes a program may print in vain before it is ended.
const patience = 1 << 20

// lossy is standard output for a program that is run. The program sees failed writes, such as on a full disk, and may
// handle them. If it goes on printing, it is ended.
type lossy struct {
	o    *output
	lost int
}

func programOutput(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return &lossy{o: o}
	}
	return w
}

func (l *lossy) Write(p []byte) (int, error) {
	if l.lost < patience {
		process.HoldIfEnding()
		n, err := l.o.w.Write(p)
		if err == nil || !errors.Is(err, syscall.EPIPE) {
			l.lost += len(p) - n
			return n, err
		}
	}
	return l.o.Write(p)
}

// failure returns why the output could not be written; nil if it could.
func (o *output) failure() *outputError {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}

// own returns the file behind an output, for a program that is to write to it directly.
func own(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.w
	}
	return w
}

// ended reports what ended a command from outside, with its exit code: a signal, or output that cannot be written. A
// closed pipe ends it without a message, as it ends programs that ignore SIGPIPE.
func (s *streams) ended(ctx context.Context) (code int, text string, yes bool) {
	var sig process.Signal
	if errors.As(context.Cause(ctx), &sig) {
		return sig.Code(), sig.Error(), true
	}
	for _, w := range []io.Writer{s.out, s.err} {
		o, _ := w.(*output)
		if o == nil || o.failure() == nil {
			continue
		}
		if errors.Is(o.failure(), syscall.EPIPE) {
			return 128 + int(syscall.SIGPIPE), "", true
		}
		return exitOutside, o.failure().Error(), true
	}
	return 0, "", false
}

func isTerminal(v any) bool {
	if o, ok := v.(*output); ok {
		v = o.w
	}
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
