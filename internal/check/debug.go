package check

import (
	"context"
	"slices"

	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/rules/calculus"
)

// This file finds the moment of an error, at which a session can be opened.

// Moment is a point of a run: the n-th time that a statement is reached.
type Moment struct {
	Stmt  int32
	Times int
}

// Watcher makes the debugger for the rules of a request, for a program on the machine.
func Watcher(r *Request, p *lower.Program) (*calculus.Debugger, error) {
	x, err := with(r, p)
	if err != nil {
		return nil, err
	}
	return x.debugger(r)
}

// FirstError runs a program on the machine until a rule fires, or until an error that no rule is about. It returns the
// report and the moment of the error; the moment is nil if there is no error.
func FirstError(ctx context.Context, r *Request, p *lower.Program) (*Result, *Moment, error) {
	if q, err := lower.Lower(p.Tree, lower.Options{Memory: true, Scopes: true, Bounds: !slices.Contains(r.Off, arrayBounds)}); err == nil && len(q.Stmts) == len(p.Stmts) {
		p = q // the same statements, lowered as for gulo check
	}
	x, err := with(r, p)
	if err != nil {
		return nil, nil, err
	}
	d, err := x.debugger(r)
	if err != nil {
		return nil, nil, err
	}
	m, err := x.machine(r, d, true)
	if err != nil {
		return nil, nil, err
	}
	times := map[int32]int{}
	fault := m.RunUntil(func(id int32, lib bool) bool {
		if !lib && p.Stmts[id].Stop {
			times[id]++
		}
		return ctx.Err() != nil || r.MaxSteps > 0 && m.Steps() > r.MaxSteps
	})
	m.FlushOutput()
	at := int32(0)
	if len(d.Findings) > 0 {
		at = d.Findings[0].Stmt // report changes a finding's statement to the one that is shown
	}
	rep := x.report(d)
	if fault != nil && len(d.Findings) == 0 {
		switch fault.Kind {
		case machine.LimitFault, machine.Unsupported, machine.Interrupted:
		default: // no rule is about the error, but a session can be opened there
			at = fault.Stmt
		}
		if fault.Kind == machine.ArrayBounds {
			rep.Findings = append(rep.Findings, x.ofArray(m, fault))
		} else {
			rep.Stopped, rep.Missed = fault.Error(), true
		}
	}
	if times[at] == 0 {
		return rep, nil, ctx.Err()
	}
	return rep, &Moment{at, times[at]}, nil
}
