package session

import (
	"context"

	"gulo/internal/heap"
	"gulo/internal/target"
)

// This file is undo as it is typed. After a crash it first leads to just before the statement that crashed, as if
// the program had halted there: the command that ran into it is executed again up to the statement's last visit.

func (s *Session) undoShow(ctx context.Context) error {
	if again, err := s.undoCrash(ctx); err != nil {
		return err
	} else if again {
		s.printf("back before the statement that crashed; undo again takes back %s\n", s.history[len(s.history)-1].command)
		return s.showAgain()
	}
	if err := s.undo(); err != nil {
		return err
	}
	if !s.started {
		s.printf("the program is not running\n")
		return nil
	}
	s.flushProgram()
	s.reportScreen()
	if s.waiting {
		s.sayWaits()
	} else {
		s.printf("%s", s.where())
	}
	s.picture()
	return nil
}

// Bounds of what is executed again to come to just before a crash.
const (
	deepestCrash = 500   // active functions: a recursion without end is not executed again
	mostVisits   = 1_000 // of the statement
)

// replayable reports whether the command that ended in the crash can be executed again up to the
// statement that crashed.
func (s *Session) replayable(u *undoPoint) bool {
	return u.snap != nil && u.state.started && u.state.stop.Reason != target.Crashed && u.state.stop.Thread == s.stop.Thread &&
		s.stop.Stmt != 0 && s.stop.Depth <= deepestCrash
}

// rerun lets the program run on as a command did that is executed again: with the line, or the keys, that it gave to a program that
// waited for input, where it did that.
func (s *Session) rerun(ctx context.Context, command string) error {
	nothing := func(context.Context) error { return nil }
	if !s.waiting {
		return s.run(ctx, target.Continue, nothing)
	}
	if err := s.giveAgain(command); err != nil {
		return err
	}
	u := *s.suspended // undo may lead here once more
	u.then = nothing
	s.suspended = &u
	return s.goOnReading(ctx)
}

// undoCrash goes back to just before the statement that crashed, where the last command executed others before
// it: it is executed again, up to the last visit of the statement. It says whether that was done; where it was not, the
// program is as it was or where the command began.
func (s *Session) undoCrash(ctx context.Context) (bool, error) {
	n := len(s.history)
	if n == 0 || s.stop.Reason != target.Crashed || s.postMortem() != "" {
		return false, nil
	}
	u, crash, now := &s.history[n-1], s.stop, s.state.clone()
	if !s.replayable(u) {
		return false, nil
	}
	if err := s.back(u.snap, &u.state); err != nil {
		return false, err
	}
	said := s.out.Len()
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limit)
	defer cancel()
	point := s.lastVisit(ctx, u.command, crash)
	kept := s.out.String()[:said]
	s.out.Reset()
	s.out.WriteString(kept)
	_ = s.tgt.Output() // it was written before
	if point == nil {
		return false, nil
	}
	from := &u.state
	if s.cfg.KeepBreaks {
		from = &now
	}
	point.state.breaks, point.state.atEntry, point.state.conds, point.state.watches = from.breaks, from.atEntry, from.conds, from.watches
	return true, s.back(point.snap, &point.state)
}

// lastVisit runs the program until it crashes as it did, and returns the state in which it came to the statement
// last; nil where it does not crash so, or never halted there. It halts at the beginning of the function, too, so that
// what the call did before is recorded.
func (s *Session) lastVisit(ctx context.Context, command string, crash target.Stop) *undoPoint {
	halts := map[int32]bool{crash.Stmt: false} // at the beginning of a function
	if f := s.prog.Stmts[crash.Stmt].Func; f.Name != "main" && !s.recorded(f) {
		if i, ok := s.prog.FuncIndex(f); ok {
			if first := s.prog.First(i).Next; first != 0 && first != crash.Stmt {
				halts[first] = true
			}
		}
	}
	var last *undoPoint
	var was *heap.Image // at the visit before: a processor may come twice to where a statement begins
	if s.stop.Stmt == crash.Stmt && s.stop.Depth == crash.Depth {
		was = s.img
	}
	for range mostVisits {
		s.watches = nil
		for id, begins := range halts {
			s.breaks[id], s.atEntry[id] = true, begins
			delete(s.conds, id)
		}
		if ctx.Err() != nil || s.waiting && s.suspended == nil || s.rerun(ctx, command) != nil {
			return nil
		}
		switch {
		case s.stop.Reason == target.Crashed && s.stop.Stmt == crash.Stmt && s.stop.Depth == crash.Depth:
			return last
		case s.stop.Reason != target.Stepped:
			return nil
		case s.stop.Stmt != crash.Stmt || s.stop.Depth != crash.Depth || s.stop.Inside:
			continue
		}
		im, err := s.capture()
		if err != nil {
			return nil
		}
		if was != nil && im.Equal(was) {
			continue
		}
		was = im
		snap, err := s.tgt.Save()
		if err != nil {
			return nil
		}
		last = &undoPoint{snap: snap, state: s.state.clone()}
	}
	return nil
}
