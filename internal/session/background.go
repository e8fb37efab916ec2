package session

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"gulo/internal/budget"
	"gulo/internal/process"
	"gulo/internal/repair/trace"
	"gulo/internal/spec"
	"gulo/internal/trust"
)

// This file lets repair and locate return early when somebody waits at a terminal. The first repair that meets all
// assertions and keeps how earlier calls ended is offered at once. The search goes on in a copy of everything it reads,
// so that the running program is not touched, and compares the repair with others on whole calls, generated inputs and
// edits of the text. The command, given again, shows the result. Any other command that may change something ends the
// search first.

const (
	// quickLimit is how long the segments alone are searched before everything is. moreLimit is how long they are
	// searched again, before whole calls and runs are.
	quickLimit = 500 * time.Millisecond
	moreLimit  = 1500 * time.Millisecond

	// usualSoon is how long repair waits for the end of the search before it offers what is found so far.
	usualSoon = 500 * time.Millisecond

	// usualLook is how long locate waits.
	usualLook = 150 * time.Millisecond
)

// chase is a search that goes on in the background.
type chase struct {
	own  *searcher // the copy that the search reads and writes
	v    *verdicts
	err  error
	segs []*spec.Segment

	cancel context.CancelFunc
	done   chan struct{}
	ended  bool // it was cancelled

	stopped bool // the user stopped it and was told so

	single []choice // locate: repairs of a single edit

	mu   sync.Mutex
	best *offer        // the best so far; nil for none
	news chan struct{} // tells repair that there is something to offer; the search waits until it is read, or left is closed
	left chan struct{} // closed when repair no longer waits
}

// offer is a result that can be shown while the search goes on.
type offer struct {
	own   *searcher // the session with the result
	v     *verdicts
	meets bool // the repair meets everything that was compared so far
}

// soFar keeps a result as the best so far, unless that meets everything and this one does not. It wakes repair if this
// one does.
func (c *chase) soFar(s *searcher, v *verdicts) {
	o := &offer{s, v, !v.held.relaxed && !s.found[0].other}
	c.mu.Lock()
	if c.best == nil || o.meets || !c.best.meets {
		c.best = o
	}
	c.mu.Unlock()
	if o.meets {
		select {
		case c.news <- struct{}{}:
		case <-c.left:
		}
	}
}

// offered returns the best so far if it can be offered; nil otherwise.
func (c *chase) offered() *offer {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.best == nil || !c.best.meets {
		return nil
	}
	return c.best
}

// soFar offers the repairs found, which are in order, to a command that waits for the search.
func (h *holding) soFar(s *searcher, a *answer) {
	if s.chasing == nil || a.err != nil || a.cost == 0 || len(h.found) == 0 {
		return
	}
	c, b, held := s.shadow(), *a, *h
	c.found = c.asReturned(c.readably(slices.Clone(h.found)))
	held.found, b.count = c.found, len(c.found)
	s.chasing.soFar(c, &verdicts{a: &b, held: &held})
}

// cameUpon offers repairs that the search has just found and not ordered yet, unless there is an offer already.
func (h *holding) cameUpon(ctx context.Context, s *searcher, a *answer, found ...choice) {
	if s.chasing == nil || a.err != nil || s.chasing.offered() != nil {
		return
	}
	if r := s.runs(ctx); r != nil {
		found = s.fromBeginning(ctx, r, found)
		weigh(found)
	}
	held := holding{found: found, before: h.before, untold: h.untold, equal: h.equal, relaxed: h.relaxed, why: h.why, run: h.run || a.fromStart}
	held.soFar(s, a)
}

// over reports whether the search has ended.
func (c *chase) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// stopper cancels the search in hand; the user asks for it from another goroutine.
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

// errStopped is the error of a search that was stopped before it found anything.
func errStopped(what string) error {
	return errorf("%s was stopped before it found anything; type %s to start it again", what, what)
}

// shadow returns a copy of the session for a search to work in. The two share only what does not change.
func (s *searcher) shadow() *searcher {
	c := &searcher{}
	c.prog, c.tgt, c.cfg, c.img, c.graph, c.stops, c.lastTexts = s.prog, s.tgt, s.cfg, s.img, s.graph, &stopper{}, s.lastTexts
	st := s.layers()
	c.inferiorState, c.drawingState, c.recorderState, c.searcherState = st.inferiorState, st.drawingState, st.recorderState, st.searcherState
	c.cfg.Progress, c.cfg.Background = nil, nil
	return c
}

// adopt takes over the results of a shadow.
func (s *searcher) adopt(c *searcher) {
	s.found, s.asWritten, s.inputs, s.located, s.lastTexts = c.found, c.asWritten, c.inputs, c.located, c.lastTexts
	s.patch, s.retold = c.patch, c.retold
}

// searched runs tried. In a terminal (Config.Background) it may print the best repair so far and return before the
// search has ended; then shown is true and v is nil.
func (s *Session) searched(ctx context.Context, f repairFlags) (v *verdicts, shown bool, err error) {
	if s.cfg.Background == nil || f.noVerify {
		v, err = s.tried(ctx, f)
		return v, false, err
	}
	c := s.chase.waiting()
	var soon <-chan time.Time // never
	if s.chase = nil; c == nil {
		at := !f.wait && f.limit == 0
		if at {
			soon = s.soon(usualSoon)
		}
		c = s.chased(ctx, func(ctx context.Context, c *chase) {
			if at {
				c.quick(ctx, f, quickLimit)
			}
			c.own.chasing = c
			c.v, c.err = c.own.tried(ctx, f)
		})
	}
	defer c.leave()
	s.progress("looking for what meets the asserted pictures")
	for late := false; ; {
		select {
		case <-c.done:
			s.adopt(c.own)
			return c.v, false, c.err
		case <-soon:
			late = true
		case <-c.news:
			s.progress("trying repairs on other calls and inputs, and looking for edits of the text")
		case <-ctx.Done():
			v, err := s.breakOff(c)
			return v, false, err
		}
		if o := c.offered(); late && o != nil {
			s.adopt(o.own)
			s.offer(c, o)
			return nil, true, nil
		}
	}
}

// soon returns a channel that fires when a waiting user is to be shown the best so far.
func (s *inferior) soon(usual time.Duration) <-chan time.Time {
	return time.After(cmp.Or(s.cfg.Soon, usual))
}

// breakOff ends a search that the user has interrupted, and returns its best result so far.
func (s *searcher) breakOff(c *chase) (*verdicts, error) {
	c.leave()
	if !c.wind() {
		s.chase = c
	} else if c.err == nil && c.v.a.err == nil && len(c.own.found) > 0 {
		s.adopt(c.own)
		return c.v, nil
	}
	c.mu.Lock()
	o := c.best
	c.mu.Unlock()
	if o == nil {
		return nil, errStopped("repair")
	}
	s.adopt(o.own)
	return o.v, nil
}

// leave tells the search that repair no longer waits for it.
func (c *chase) leave() {
	select {
	case <-c.left:
	default:
		close(c.left)
	}
}

// wind cancels a search and reports whether it ended within windUp. If not, the next command waits for it.
func (c *chase) wind() bool {
	c.cancel()
	select {
	case <-c.done:
		return true
	case <-time.After(windUp):
		c.stopped = true
		return false
	}
}

// waiting returns c if its result can still be waited for. If the user stopped it, it waits for its end and returns
// nil.
func (c *chase) waiting() *chase {
	if c == nil || !c.stopped {
		return c
	}
	<-c.done
	return nil
}

// windUp is how long a stopped search may take to end before the prompt returns without its result.
const windUp = 50 * time.Millisecond

// quick searches the segments alone, for at most limit, and offers what it finds.
func (c *chase) quick(ctx context.Context, f repairFlags, limit time.Duration) {
	q := c.own.shadow()
	f.noVerify, f.quick, f.limit, f.until = true, true, limit, budget.After(ctx, limit)
	short, cancel := context.WithTimeout(ctx, q.patient(limit))
	defer cancel()
	v, err := q.tried(short, f)
	if err != nil || v.a.err != nil || v.a.cost == 0 || len(q.found) == 0 {
		return
	}
	if r := q.runs(ctx); r != nil {
		q.found = q.fromBeginning(ctx, r, q.found)
		weigh(q.found)
	}
	c.soFar(q, v)
}

// mostWeighed bounds the repairs that fromBeginning weighs and returns.
const mostWeighed = 8

// fromBeginning returns the repairs with which the run from its beginning meets the assertions, weighed. If there are
// none, it returns all of them, marked as changing pictures that were accepted before.
func (s *searcher) fromBeginning(ctx context.Context, r *fromMain, list []choice) []choice {
	if len(trace.Deferred(s.prog, s.segments())) > 0 {
		return list // the user led the run into a loop and it is still there: no run from the beginning comes to the assertions
	}
	var come []choice
	for _, c := range list {
		if c.text != nil { // it was found in that run
			come = append(come, c)
			continue
		}
		if len(come) == mostWeighed || ctx.Err() != nil {
			break
		}
		if s.comes(r.suite, c.patch) {
			come = append(come, s.weighed(r, c))
		}
	}
	if len(come) > 0 {
		return come
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].other = true
	}
	return list
}

// chased starts a search in a copy of the session.
func (s *Session) chased(ctx context.Context, search func(context.Context, *chase)) *chase {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &chase{own: s.shadow(), segs: s.segs, cancel: cancel, done: make(chan struct{}), news: make(chan struct{}), left: make(chan struct{})}
	process.Go(func() {
		defer close(c.done)
		search(ctx, c)
		c.ended = ctx.Err() != nil
	})
	return c
}

// offer shows the best repair so far while the search goes on, and reports to Background when the search has ended.
func (s *searcher) offer(c *chase, o *offer) {
	s.progress("")
	s.chase = c
	s.printf("Found a repair:\n")
	s.take(&s.found[0])
	s.printf("It %s.\n", trust.States(len(s.segs)))
	o.v.held.say(s)
	s.printf("This is the best so far. gulo continues: it tries the repair on other calls and made-up inputs, and looks for a better one.\n")
	s.printf("Type repair to wait for the result; any command that changes something stops the search.\n")
	first, tell := s.textOf(&s.found[0]), s.cfg.Background
	process.Go(func() {
		<-c.done
		if text := c.result(first); text != "" {
			tell(text)
		}
	})
}

// result says how a finished search compares with the offered repair, whose text is first; "" if the search failed or
// was ended.
func (c *chase) result(first string) string {
	switch {
	case c.err != nil || c.ended:
		return ""
	case c.v.a.err != nil:
		return "no repair passes everything that was tried; type repair to see why"
	case len(c.own.found) > 0 && c.own.harmful(&c.own.found[0]):
		return "the best repair found fails on many inputs on which the program as written does not; type repair to see what to do"
	case len(c.own.found) > 0 && c.own.textOf(&c.own.found[0]) == first:
		return "the repair is still the best after everything was tried; type repair to see what it was tried on"
	}
	return "a better repair was found; type repair to see it"
}

// singles returns the repairs of a single edit that meet the assertions. In a terminal it may return before the search
// has ended, with those found so far; then goesOn is true, and Background is told of the end.
func (s *Session) singles(ctx context.Context) (list []choice, goesOn bool) {
	if s.cfg.Background == nil {
		return s.single1(ctx, func([]choice) {}), false
	}
	c := s.looks.waiting()
	var soon <-chan time.Time // never
	if s.looks = nil; c == nil {
		soon = s.soon(usualLook)
		c = s.chased(ctx, func(ctx context.Context, c *chase) {
			c.found(c.own.single1(ctx, c.found))
		})
	}
	select {
	case <-c.done:
		s.lastTexts = c.own.lastTexts
	case <-soon:
		goesOn, s.looks, list = true, c, c.singles()
		process.Go(func() {
			<-c.done
			if !c.ended {
				s.cfg.Background(c.order(list))
			}
		})
		return list, true
	case <-ctx.Done():
		if !c.wind() {
			s.looks = c
		}
	}
	return c.singles(), false
}

func (c *chase) found(list []choice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.single = list
}

func (c *chase) singles() []choice {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.single
}

// order says whether the finished search has changed the order of places that locate showed.
func (c *chase) order(shown []choice) string {
	if slices.EqualFunc(shown, c.singles(), func(a, b choice) bool { return c.own.textOf(&a) == c.own.textOf(&b) }) {
		return "the ranking did not change after all edits of one place were tried; locate shows it"
	}
	return "more edits of one place were found; locate shows the new ranking"
}

// reads are the commands that do not end a background search.
var reads = map[string]bool{"help": true, "diff": true}

// endChase ends the background searches before a command that could change what they read. A search that has already
// ended is kept until a command that undo takes back.
func (s *searcher) endChase(c *Command) {
	for _, x := range []struct {
		of   string
		in   **chase
		what string
	}{{"repair", &s.chase, "a better repair"}, {"locate", &s.looks, "edits of one place"}} {
		if l := *x.in; l != nil && !reads[c.Name] && c.Name != x.of && (!l.over() || c.undo) {
			running := !l.over() && !l.stopped
			l.cancel()
			<-l.done
			*x.in = nil
			if running {
				s.printf("the search for %s was stopped; type %s to start it again\n", x.what, x.of)
			}
		}
	}
}
