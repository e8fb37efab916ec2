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

// This file limits the time of searches: repair, locate and hint. The limits count what a search does (package budget),
// so that the result does not depend on the load of the machine. The clock is only a guard.

const (
	// usualGuard is how long a search may take without --limit. The limits of its parts nominally add up to about as
	// much.
	usualGuard = 2 * time.Minute

	// usualPatience is the factor by which a search may exceed its nominal time by the clock if nobody waits for it.
	usualPatience = 10
)

// patient returns how long by the clock something may take that nominally takes d.
func (s *inferior) patient(d time.Duration) time.Duration {
	return time.Duration(cmp.Or(s.cfg.Patience, usualPatience)) * d
}

// searching returns a context that Interrupt cancels until done is called. Its time is counted in what the search does
// (package budget), unless somebody waits and has set a limit, which goes by the clock. limit 0 means the usual one.
func (s *searcher) searching(ctx context.Context, limit time.Duration) (c context.Context, done func()) {
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

// inHand makes ctx the context of the search in hand until done is called.
func (s *searcher) inHand(ctx context.Context) (done func()) {
	before := s.hunting
	s.hunting = ctx
	return func() { s.hunting = before }
}

// stopped reports whether the search in hand has been ended from outside.
func (s *inferior) stopped() bool { return s.hunting != nil && s.hunting.Err() != nil }

// spend counts steps of the search in hand.
func (s *inferior) spend(steps int64) {
	if s.hunting != nil {
		budget.Spend(s.hunting, steps)
	}
}

// runner returns a runner for a suite, which counts its steps for the search in hand.
func (s *inferior) runner(suite *oracle.Suite) (*oracle.Runner, error) {
	r, err := oracle.NewRunner(suite)
	if err == nil {
		r.Spend = s.spend
	}
	return r, err
}

// misses returns the first segment that a patch does not meet; -1 for none.
func (s *inferior) misses(segs []*spec.Segment, p *repair.Patch) int {
	n := 0
	for _, seg := range segs {
		n += len(seg.Items)
	}
	s.spend(int64(len(segs))*segmentCost + int64(n)*itemCost)
	return trace.Replay(s.prog, segs, p)
}

// enumerate solves p within the time that is left for the whole search.
func (s *inferior) enumerate(ctx context.Context, f repairFlags, p *trace.Problem) *trace.Result {
	q := *p
	q.Limit = f.within(ctx, p.Limit)
	return trace.Solve(ctx, &q)
}

// The cost of replaying a segment, and of each of its statements.
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

// share gives a stage one of so many parts of the remaining time, so that later stages have some. Without --limit every
// stage has a limit of its own.
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
