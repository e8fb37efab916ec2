package session

import (
	"context"

	"gulo/internal/heap"
	"gulo/internal/target"
)

// This file has the command undo. After a crash, undo first leads to just before the statement that crashed, as if the
// program had halted there: the command that crashed is executed again, up to the last visit of that statement.

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

// Bounds of the execution that leads to just before a crash.
const (
	deepestCrash = 500   // active functions: a recursion without end is not executed again
	mostVisits   = 1_000 // visits of the statement
)

// replayable reports whether the command that ended in the crash can be executed again up to the
// statement that crashed.
func (s *inferior) replayable(u *undoPoint) bool {
	return u.snap != nil && u.state.started && u.state.stop.Reason != target.Crashed && u.state.stop.Thread == s.stop.Thread &&
		s.stop.Stmt != 0 && s.stop.Depth <= deepestCrash
}

// rerun lets the program run on while a command is executed again. If the program waits for input, rerun gives it the
// line or the keys that the command gave it.
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

// undoCrash goes back to just before the statement that crashed, if the last command executed other statements before
// it. It executes that command again up to the last visit of the statement, and reports whether this worked. If not,
// the program is as it was, or as it was before the command.
func (s *Session) undoCrash(ctx context.Context) (bool, error) {
	n := len(s.history)
	if n == 0 || s.stop.Reason != target.Crashed || s.postMortem() != "" {
		return false, nil
	}
	u, crash, now := &s.history[n-1], s.stop, s.state()
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
	_ = s.tgt.Output() // it was shown the first time
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

// lastVisit runs the program until it crashes in the same place, and returns the state at the last visit of the
// statement before; nil if it does not crash there, or never halted there. It also halts at the beginning of the
// function, so that the call is recorded from there.
func (s *Session) lastVisit(ctx context.Context, command string, crash target.Stop) *undoPoint {
	halts := map[int32]bool{crash.Stmt: false} // true: the statement is the beginning of a function
	if f := s.prog.Stmts[crash.Stmt].Func; f.Name != "main" && !s.recorded(f) {
		if i, ok := s.prog.FuncIndex(f); ok {
			if first := s.prog.First(i).Next; first != 0 && first != crash.Stmt {
				halts[first] = true
			}
		}
	}
	var last *undoPoint
	var was *heap.Image // the image at the last visit: one execution may pass the beginning of a statement twice
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
		last = &undoPoint{snap: snap, state: s.state()}
	}
	return nil
}
