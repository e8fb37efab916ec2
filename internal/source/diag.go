package source

import (
	"fmt"
	"strings"
)

// Diagnostic is one complaint about the user's input.
type Diagnostic struct {
	Pos     Position
	Message string // lower case, no period
	Note    string // what to do about it; may be empty
	Raw     bool   // Message is another tool's text and is printed as it is
}

func (d Diagnostic) String() string {
	if d.Raw {
		return d.Message
	}
	s := d.Pos.String() + ": error: " + d.Message
	if d.Note != "" {
		s += "\n  note: " + d.Note
	}
	return s
}

// Error is a list of diagnostics. It is the error for bad input (exit code 2).
type Error struct {
	List []Diagnostic
}

// Errorf returns an Error with one diagnostic.
func Errorf(pos Position, format string, args ...any) *Error {
	return &Error{[]Diagnostic{{Pos: pos, Message: fmt.Sprintf(format, args...)}}}
}

func (e *Error) Error() string {
	var b strings.Builder
	for i, d := range e.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.String())
	}
	return b.String()
}
