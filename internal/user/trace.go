package user

import (
	"context"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
)

// This file records what a run shows, statement by statement.

// Event is a stop of a run: the statement that comes next, and the picture before it.
type Event struct {
	Stmt *lower.Stmt
	Picture
}

// Call is a call of a function in a recorded run.
type Call struct {
	Func   *cfront.Func
	Number int      // 1 for the first call of the function in the run
	Events []*Event // its own, without those of the functions that it calls
	Inner  []inner
}

// inner is a call that an event of another call makes.
type inner struct {
	after int // index of the event
	call  *Call
}

// End is how a recorded run ended.
type End int

// The ends.
const (
	Over    End = iota // it was over
	Crashed            // it crashed, or the machine cannot go on
	Cut                // it was longer, or its calls were deeper, than what is recorded
)

// Trace is a recorded run.
type Trace struct {
	Prog *lower.Program
	Main *Call
	Len  int // statements
	End  End
}

// deepest bounds the active functions of a run that is recorded, since the picture shows all of them at every stop.
const deepest = 64

// Record steps through a program in a session, and returns the calls and events of the run. The run begins with the command
// start: with start itself, or with another input as in start < FILE. most bounds the statements, deepest the nested calls; the trace of a longer or deeper run ends with Cut. The trace
// also ends where the program waits for input. Record fails if a command of the session fails or ctx ends.
func Record(ctx context.Context, p *lower.Program, s *session.Session, start string, most int) (*Trace, error) {
	t := &Trace{Prog: p}
	var stack []*Call
	calls := map[*cfront.Func]int{}
	for n := 0; ; n++ {
		command := "step"
		if n == 0 {
			command = start
		}
		if _, _, err := s.Exec(ctx, command); err != nil {
			return nil, err
		}
		at := s.At()
		switch {
		case at == 0 || s.Waits():
			if s.Crashed() != 0 {
				t.End = Crashed
			}
			return t, ctx.Err()
		case n >= most || s.Depth() > deepest:
			t.End = Cut
			return t, ctx.Err()
		}
		st := p.Stmts[at]
		for len(stack) > s.Depth() || len(stack) > 0 && left(stack[len(stack)-1], st, s.Depth() == len(stack)) {
			stack = stack[:len(stack)-1]
		}
		for len(stack) < s.Depth() {
			calls[st.Func]++
			c := &Call{Func: st.Func, Number: calls[st.Func]}
			if len(stack) == 0 {
				t.Main = c
			} else {
				by := stack[len(stack)-1]
				by.Inner = append(by.Inner, inner{len(by.Events) - 1, c})
			}
			stack = append(stack, c)
		}
		t.Len++
		top := stack[len(stack)-1]
		top.Events = append(top.Events, &Event{st, Shown(s)})
	}
}

// left reports whether a call is over if next is the next statement; same says that this is at the call's depth.
func left(c *Call, next *lower.Stmt, same bool) bool {
	return same && (c.Func != next.Func || len(c.Events) > 0 && c.Events[len(c.Events)-1].Stmt.Kind == lower.End)
}
