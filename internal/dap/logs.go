package dap

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// This file handles log points: breakpoints that print a message and let the program go on.

// place returns the key of a line of a file; for line 0, what the keys of all its lines begin with.
func place(path string, line int) string {
	if line == 0 {
		return path + ":"
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// atLog returns the message of the log point that the program has stopped at.
func (a *adapter) atLog() (string, bool) {
	v := a.state()
	if v.State != "stopped" || v.Place == nil || !a.halted() {
		return "", false
	}
	text, ok := a.logs[place(source(v.Place.File).Path, v.Place.Line)]
	return text, ok
}

// past executes a command that moves the program. At each log point on the way it prints the message and goes on with
// the command more. The command has done its work when at most frames functions are active: a log point in a call that
// is stepped over is left by finishing that call.
func (a *adapter) past(ctx context.Context, line, more string, frames int) (string, error) {
	text, err := a.exec(ctx, line)
	if line == "undo" {
		return text, err // nothing is passed
	}
	said, logged := text, false
	for err == nil && ctx.Err() == nil {
		message, at := a.atLog()
		if at {
			a.say("console", a.logged(message)+"\n")
			logged = true
		}
		inside := logged && a.state().State == "stopped" && !a.halted() && !strings.Contains(said, " changed from ") && more != "continue"
		if len(a.state().Frames) <= frames || !at && !inside {
			break
		}
		said, err = a.exec(ctx, more)
		text += said
	}
	return text, err
}

// braced matches an expression in a message.
var braced = regexp.MustCompile(`\{([^{}]+)\}`)

// logged returns a message with the values of its expressions.
func (a *adapter) logged(message string) string {
	return braced.ReplaceAllStringFunc(message, func(m string) string {
		v, err := a.evaluated(m[1 : len(m)-1])
		if err != nil {
			return "{" + err.Error() + "}"
		}
		return v.Value
	})
}
