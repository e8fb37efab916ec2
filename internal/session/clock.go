package session

import (
	"cmp"
	"context"
	"time"

	"gulo/internal/budget"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/trace"
	"gulo/internal/spec"
)

// This file is the time of a search: repair, locate and hint. It goes by what the search does (package budget), so that
// what is found and said does not depend on what else the machine does. By the clock there is only a guard.

const (
	// usualGuard is how long a search may take without --limit. Each of its parts has a limit of its own; what all of
	// them together nominally may take is about as much.
	usualGuard = 2 * time.Minute

	// usualPatience is how many times as long as nominally a search may take by the clock where nobody waits for it.
	usualPatience = 10
)

// patient is how long by the clock what nominally takes d may take.
func (s *Session) patient(d time.Duration) time.Duration {
	return time.Duration(cmp.Or(s.cfg.Patience, usualPatience)) * d
}

// searching returns a context that Interrupt ends, until done is called. The search has a time of its own, but where
// somebody waits and says how long. limit 0 means the usual one.
func (s *Session) searching(ctx context.Context, limit time.Duration) (c context.Context, done func()) {
	if limit == 0 || s.cfg.Patience != 1 {
		ctx = budget.Begin(ctx, s.patient(cmp.Or(limit, usualGuard)))
	}
	c, cancel := context.WithCancel(ctx)
	s.stops.set(cancel)
	return c, func() {
		s.stops.set(nil)
		cancel()
	}
}

// inHand makes a search the one in hand, until done is called.
func (s *Session) inHand(ctx context.Context) (done func()) {
	before := s.hunting
	s.hunting = ctx
	return func() { s.hunting = before }
}

// stopped reports whether the search in hand has been ended from outside.
func (s *Session) stopped() bool { return s.hunting != nil && s.hunting.Err() != nil }

// spend counts what the search in hand does.
func (s *Session) spend(steps int64) {
	if s.hunting != nil {
		budget.Spend(s.hunting, steps)
	}
}

// runner runs the cases of a suite for the search in hand.
func (s *Session) runner(suite *oracle.Suite) (*oracle.Runner, error) {
	r, err := oracle.NewRunner(suite)
	if err == nil {
		r.Spend = s.spend
	}
	return r, err
}

// misses returns the first segment that a patch does not meet; -1 for none.
func (s *Session) misses(segs []*spec.Segment, p *repair.Patch) int {
	n := 0
	for _, seg := range segs {
		n += len(seg.Items)
	}
	s.spend(int64(len(segs))*segmentCost + int64(n)*itemCost)
	return trace.Replay(s.prog, segs, p)
}

// enumerate searches over segments within the limit of the whole.
func (s *Session) enumerate(ctx context.Context, f repairFlags, p *trace.Problem) *trace.Result {
	q := *p
	q.Limit = f.within(ctx, p.Limit)
	return trace.Solve(ctx, &q)
}

// What it takes to replay a segment: to begin and end it, and a statement.
const (
	segmentCost = 1_000
	itemCost    = 100
)

// within returns the time that a part of the search may take.
func (f *repairFlags) within(ctx context.Context, part time.Duration) time.Duration {
	if f.until.IsZero() {
		return part
	}
	return max(min(part, budget.Until(ctx, f.until)), time.Microsecond)
}

// share gives a stage a part of the time, so that those behind it have some; without a limit
// every stage has its own.
func (f repairFlags) share(ctx context.Context, parts int) repairFlags {
	if !f.until.IsZero() {
		f.until = budget.Part(ctx, f.until, parts)
	}
	return f
}

// over reports whether the limit is over.
func (f *repairFlags) over(ctx context.Context) bool {
	return !f.until.IsZero() && budget.Over(ctx, f.until)
}

// left is the time that a limit leaves; 0 for no limit.
func (f *repairFlags) left(ctx context.Context) time.Duration {
	if f.limit == 0 {
		return 0
	}
	return max(budget.Until(ctx, f.until), time.Microsecond)
}
