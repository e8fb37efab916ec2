package budget

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// This file is the time of a search. It goes by what the search has done, as long as that nominally takes, and not by
// what the machine did besides: what the stages of a search may take ends at the same place on a busy machine.

// Clock is the time of a search, or of a part that goes on beside the rest of it. Nobody's Clock (nil) is the time of day.
// It may be used by several goroutines.
type Clock struct {
	begin time.Time
	guard time.Time // of the whole: from then on everything is over
	spent atomic.Int64
	ends  ends
}

type clockKey struct{}

// Begin gives a search its own time, with a guard of the time of day after limit. Within a search nothing changes.
func Begin(ctx context.Context, limit time.Duration) context.Context {
	if clockOf(ctx) != nil {
		return ctx
	}
	now := time.Now()
	return context.WithValue(ctx, clockKey{}, &Clock{begin: now, guard: now.Add(limit)})
}

// Beside is for work that goes on beside the rest of a search: it has the same time now, and spends its own. Who waits
// for it, by an Event or Join, has its time afterwards if that is later.
func Beside(ctx context.Context) context.Context {
	c := clockOf(ctx)
	if c == nil {
		return ctx
	}
	d := &Clock{begin: c.begin, guard: c.guard}
	d.spent.Store(c.spent.Load())
	return context.WithValue(ctx, clockKey{}, d)
}

func clockOf(ctx context.Context) *Clock {
	c, _ := ctx.Value(clockKey{}).(*Clock)
	return c
}

// guarded reports whether the guard is over.
func (c *Clock) guarded() bool { return c != nil && time.Now().After(c.guard) }

// Now is the time of the search that a context is of.
func Now(ctx context.Context) time.Time {
	c := clockOf(ctx)
	if c == nil {
		return time.Now()
	}
	return c.begin.Add(time.Duration(c.spent.Load()) * (time.Second / PerSecond))
}

// Until is how long it is to a time of the search: no time when the guard is over.
func Until(ctx context.Context, t time.Time) time.Duration {
	d := t.Sub(Now(ctx))
	if clockOf(ctx).guarded() {
		return min(d, 0)
	}
	return d
}

// Since is how long ago a time of the search was.
func Since(ctx context.Context, t time.Time) time.Duration { return Now(ctx).Sub(t) }

// After is a time of the search from now.
func After(ctx context.Context, d time.Duration) time.Time { return Now(ctx).Add(d) }

// Part is the time at which a part of what is left is over, one of n.
func Part(ctx context.Context, until time.Time, n int) time.Time {
	return After(ctx, Until(ctx, until)/time.Duration(n))
}

// Earlier is the first of two times.
func Earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Over reports whether a time of the search is over; when the guard is, all are.
func Over(ctx context.Context, until time.Time) bool {
	return Now(ctx).After(until) || clockOf(ctx).guarded()
}

// Stopped reports whether a search has to end at once: by the time of day the guard is over or, where work has no time
// of its own, what is said.
func Stopped(ctx context.Context, until time.Time) bool {
	if c := clockOf(ctx); c != nil {
		return c.guarded()
	}
	return time.Now().After(until)
}

// Guard is how long a program that a search runs may take by the time of day: until the guard, and what is run at the
// last moment a second. Work without a time of its own says it.
func Guard(ctx context.Context, said time.Duration) time.Duration {
	if c := clockOf(ctx); c != nil {
		return max(time.Until(c.guard), min(said, time.Second))
	}
	return said
}

// Deadline is the time of day by which work has to end that counts its own steps, where the search has time for it until
// a time of its own: the guard.
func Deadline(ctx context.Context, until time.Time) time.Time {
	if c := clockOf(ctx); c != nil && Until(ctx, until) > 0 {
		return c.guard
	}
	return until
}

// Counted reports whether somebody counts work.
func Counted(ctx context.Context) bool { return clockOf(ctx) != nil }

// Spend counts work.
func Spend(ctx context.Context, steps int64) {
	if c := clockOf(ctx); c != nil {
		c.spent.Add(steps)
		c.ended()
	}
}

// Join makes it as late as it is beside.
func Join(ctx, beside context.Context) { Meet(ctx, Now(beside)) }

// Meet makes it no earlier than a time.
func Meet(ctx context.Context, t time.Time) { clockOf(ctx).meet(t) }

// meet makes it no earlier than a time.
func (c *Clock) meet(t time.Time) {
	if c == nil {
		return
	}
	n := Of(t.Sub(c.begin))
	for {
		if was := c.spent.Load(); was >= n || c.spent.CompareAndSwap(was, n) {
			c.ended()
			return
		}
	}
}

// Event is something that happens once, in work that goes on beside.
type Event struct {
	beside context.Context
	once   sync.Once
	done   chan struct{}
	at     time.Time
}

// NewEvent is one that has not happened, of the work that a context is of.
func NewEvent(beside context.Context) *Event {
	return &Event{beside: beside, done: make(chan struct{})}
}

// Happens says that it has happened, now or before.
func (e *Event) Happens() {
	e.once.Do(func() {
		e.at = Now(e.beside)
		close(e.done)
	})
}

// Wait waits for it, however long it takes.
func (e *Event) Wait(ctx context.Context) {
	<-e.done
	clockOf(ctx).meet(e.at)
}

// Await waits for it, but no longer than until a time, and reports whether it has happened by then. It is as late
// afterwards, however fast each of the two goes on.
func (e *Event) Await(ctx context.Context, until time.Time) bool {
	c := clockOf(ctx)
	if c == nil {
		return e.awaitByDay(until)
	}
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-e.done:
			if e.at.After(until) {
				c.meet(until)
				return false
			}
			c.meet(e.at)
			return true
		case <-ctx.Done():
			return false
		case <-look.C:
		}
		if Over(e.beside, until) { // what comes is later
			c.meet(until)
			return false
		}
	}
}

func (e *Event) awaitByDay(until time.Time) bool {
	wait := time.NewTimer(time.Until(until))
	defer wait.Stop()
	select {
	case <-e.done:
		return true
	case <-wait.C:
	}
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}
