package session

import (
	"context"
	"fmt"

	"gulo/internal/target"
)

// This file handles programs that read. When one waits for input, the command that let it run is not over: the program
// can be looked at in the middle of a call, and the command goes on to its goal when it gets a line.

// unfinished is a command in which the program waits for input.
type unfinished struct {
	g       goal
	leaving int // as in Session
	then    func(ctx context.Context) error
	drop    func() // undoes what the command has set up, if it is given up; nil for nothing
}

// between are the commands that need the program between two statements, besides those that let it run.
var between = map[string]bool{"change": true, "spec": true, "repair": true, "choose": true, "unpatch": true, "skip": true, "goto": true, "thread": true, "when": true}

// reach runs until a goal is reached, and then calls then. If the program waits for input it shows that, and the
// command input continues.
func (s *Session) reach(ctx context.Context, g *goal, then func(context.Context) error) error {
	if err := s.advance(ctx, g); err != nil {
		return err
	}
	if s.waiting {
		s.suspended = &unfinished{g: *g, leaving: s.leaving, then: then}
		return s.show()
	}
	return then(ctx)
}

// let resumes the program, and calls land with where it stops; if it waits for input, after that has come. whole leaves
// out functions that are only recorded.
func (s *Session) let(ctx context.Context, mode target.Mode, whole bool, land func(target.Stop, error) error) error {
	o := s.observing(mode)
	stop, err := s.tgt.Resume(ctx, mode, s.stopsAt(whole))
	s.observe(o, stop)
	if err != nil || stop.Reason != target.NeedInput {
		return land(stop, err)
	}
	s.landing = func(ctx context.Context) error { return s.let(ctx, target.Wait, whole, land) }
	return s.arrived(stop, nil)
}

// input gives the program a line and lets it go on if it waits for it.
func (s *Session) input(ctx context.Context, args string) error {
	switch {
	case !s.started:
		return errorf("the program is not running; use start")
	case s.postMortem() != "" || s.stop.Reason == target.Exited || s.stop.Reason == target.Crashed:
		return s.running()
	case s.readsElsewhere():
		return errElsewhere
	}
	s.give(args)
	if !s.waiting {
		return nil
	}
	return s.goOnReading(ctx)
}

// readsElsewhere reports whether the program reads a terminal that is not the session's.
func (s *inferior) readsElsewhere() bool {
	t, ok := s.tgt.(interface{ OwnTerminal() bool })
	return ok && t.OwnTerminal()
}

var errElsewhere = &Error{Text: "the program reads from the terminal that it runs on; type it there"}

// give makes a line what the program reads next, or ends its input.
func (s *inferior) give(line string) {
	if line == "--end" || line == "--eof" {
		s.tgt.EndInput()
		return
	}
	if t := s.screened(); t != nil && t.Raw() { // the Enter key sends \r
		s.tgt.Input(line + "\r")
	} else {
		s.tgt.Input(line + "\n")
	}
	s.typed += line + "\n"
}

// goOnReading resumes the command that was interrupted because the program waited for input.
func (s *Session) goOnReading(ctx context.Context) error {
	u := s.suspended
	s.waiting, s.suspended = false, nil
	if u == nil {
		return errorf("gulo no longer knows which command was running; use undo")
	}
	s.leaving = u.leaving
	defer func() { s.leaving = 0 }()
	g := u.g
	err := s.reach(ctx, &g, u.then)
	if s.suspended != nil {
		s.suspended.drop = u.drop
	} else if u.drop != nil && err != nil {
		u.drop()
	}
	return err
}

// abandon gives up the command in which the program waits for input, since another run begins or an older state is
// restored.
func (s *Session) abandon() {
	if s.suspended != nil && s.suspended.drop != nil {
		s.suspended.drop()
	}
}

// Waits reports whether the program waits for input: then a line that is no command goes to it.
func (s *Session) Waits() bool { return s.waiting }

// sayWaits says where the program waits for input, and once how to give it some.
func (s *Session) sayWaits() {
	at := ""
	if st := s.stmt(); st != nil {
		p := st.Range.Position()
		at = fmt.Sprintf(" at %s:%d: %s", p.File, p.Line, Show(st))
	}
	s.printf("the program waits for input%s\n", at)
	s.howToGive()
}
