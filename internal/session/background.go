package session

import (
	"cmp"
	"context"
	"sync"
	"time"

	"gulo/internal/budget"
	"gulo/internal/process"
	"gulo/internal/spec"
	"gulo/internal/trust"
)

// This file is repair for somebody who waits at a terminal. What meets the asserted pictures is offered soon. That it is
// held against whole calls, generated inputs and edits of the text goes on meanwhile, on a copy of all that the search
// reads: the program that runs is not touched. Repair shows what comes of it. Any other command ends it first, unless
// it only reads, so that nothing is changed under a search.

// Repair looks so long for what meets the pictures, and then so long for the rest before it shows that.
const (
	quickLimit = 500 * time.Millisecond
	usualSoon  = 500 * time.Millisecond
)

// chase is a search that goes on while the user reads.
type chase struct {
	own  *Session // what it reads and finds
	v    *verdicts
	err  error
	segs []*spec.Segment

	cancel context.CancelFunc
	done   chan struct{}
	ended  bool // before it had come to its end

	stopped bool // by the user, who was told
}

// over reports whether it has ended.
func (c *chase) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// stopper ends the search in hand when the user asks for it, from another goroutine.
type stopper struct {
	mu   sync.Mutex
	stop context.CancelFunc // nil where nothing is searched
}

func (s *stopper) set(stop context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = stop
}

func (s *stopper) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop()
	}
}

// errStopped is what a search says that was stopped before it found anything.
func errStopped(what string) error {
	return errorf("%s was stopped before it found anything; %s begins anew", what, what)
}

// shadow is a session for a search of its own: it shares only what is not changed.
func (s *Session) shadow() *Session {
	c := &Session{prog: s.prog, tgt: s.tgt, cfg: s.cfg, state: s.state.clone(), img: s.img, graph: s.graph, stops: &stopper{}, lastTexts: s.lastTexts}
	c.cfg.Progress, c.cfg.Background = nil, nil
	return c
}

// adopt takes over what a shadow found.
func (s *Session) adopt(c *Session) {
	s.found, s.asWritten, s.inputs, s.located, s.lastTexts = c.found, c.asWritten, c.inputs, c.located, c.lastTexts
	s.patch, s.retold = c.patch, c.retold
}

// searched searches as tried does. Where that takes long and somebody can be told of the rest, it shows what meets
// the pictures; shown says that it did.
func (s *Session) searched(ctx context.Context, f repairFlags) (v *verdicts, shown bool, err error) {
	if s.cfg.Background == nil || f.noVerify {
		v, err = s.tried(ctx, f)
		return v, false, err
	}
	if c := s.chase; c != nil && c.stopped {
		<-c.done
		s.chase = nil
	}
	c := s.chase
	var quick *Session
	var first *verdicts
	soon := make(<-chan time.Time) // never
	if s.chase = nil; c == nil {
		if !f.wait && f.limit == 0 {
			if quick, first = s.quick(ctx, f); quick != nil {
				soon = time.After(cmp.Or(s.cfg.Soon, usualSoon))
			}
		}
		c = s.chased(ctx, f)
	}
	s.progress("holding repairs against other calls, inputs and edits of the text")
	select {
	case <-c.done:
	case <-soon:
		s.adopt(quick)
		s.offer(c)
		return nil, true, nil
	case <-ctx.Done():
		c.cancel()
		select {
		case <-c.done:
		case <-time.After(windUp): // the next command waits for it
			c.stopped = true
			s.chase = c
		}
		if s.chase != nil || c.err != nil || c.v.a.err != nil || len(c.own.found) == 0 {
			if quick == nil {
				return nil, false, errStopped("repair")
			}
			s.adopt(quick)
			return first, false, nil
		}
	}
	s.adopt(c.own)
	return c.v, false, c.err
}

// windUp is how long a search that was stopped has until the prompt is back without what it found.
const windUp = 50 * time.Millisecond

// quick returns a session with what meets the asserted pictures, found soon; nil for nothing.
func (s *Session) quick(ctx context.Context, f repairFlags) (*Session, *verdicts) {
	q := s.shadow()
	f.noVerify, f.limit, f.until = true, quickLimit, budget.After(ctx, quickLimit)
	ctx, cancel := context.WithTimeout(ctx, s.patient(quickLimit))
	defer cancel()
	s.progress("looking for what meets the asserted pictures")
	v, err := q.tried(ctx, f)
	if err != nil || v.a.err != nil || v.a.cost == 0 || len(q.found) == 0 {
		return nil, nil
	}
	return q, v
}

// chased begins the whole search on a copy.
func (s *Session) chased(ctx context.Context, f repairFlags) *chase {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &chase{own: s.shadow(), segs: s.segs, cancel: cancel, done: make(chan struct{})}
	process.Go(func() {
		defer close(c.done)
		c.v, c.err = c.own.tried(ctx, f)
		c.ended = ctx.Err() != nil
	})
	return c
}

// offer shows the first repair found while the search goes on, and has it told when that has ended.
func (s *Session) offer(c *chase) {
	s.progress("")
	s.chase = c
	s.printf("Repair synthesized...\n")
	s.take(&s.found[0])
	s.printf("%s, and nothing else is known of it yet: it is being held against other calls, generated inputs and edits of the text\n", trust.States(len(s.segs)))
	s.printf("repair waits for the result and shows it; any command that changes something ends the search\n")
	first, tell := s.textOf(&s.found[0]), s.cfg.Background
	process.Go(func() {
		<-c.done
		if text := c.result(first); text != "" {
			tell(text)
		}
	})
}

// result says what a search came to beside the repair that was offered; "" where it was ended.
func (c *chase) result(first string) string {
	switch {
	case c.err != nil || c.ended:
		return ""
	case c.v.a.err != nil:
		return "no repair was found that holds in everything that was tried; repair says why"
	case len(c.own.found) > 0 && c.own.textOf(&c.own.found[0]) == first:
		return "the repair is still the best after all was tried; repair shows what it was held against"
	}
	return "a better repair was found; repair shows it"
}

// reads are the commands that leave a search as it is.
var reads = map[string]bool{"repair": true, "help": true, "diff": true}

// endChase ends a search before a command that could change what it reads; one that has ended is kept until
// something is changed.
func (s *Session) endChase(c *Command) {
	if s.chase == nil || reads[c.Name] || s.chase.over() && !c.undo {
		return
	}
	running := !s.chase.over() && !s.chase.stopped
	s.chase.cancel()
	<-s.chase.done
	s.chase = nil
	if running {
		s.printf("the search for a better repair has been ended; repair begins it anew\n")
	}
}
