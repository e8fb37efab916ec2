package budget

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// This file defines the time of a search. It advances with the steps that the search does, by their nominal time, and
// not with what the machine does besides. So the stages of a search end at the same place on a busy machine.

// Clock is the time of a search, or of a part that runs beside the rest of it. A nil Clock is the time of day. Several
// goroutines may use a Clock.
type Clock struct {
	begin time.Time
	guard time.Time // time of day after which everything is over, for the whole search
	spent atomic.Int64
	ends  ends
}

type clockKey struct{}

// Begin gives a search its own time, with a guard at the time of day limit from now. Within a search it changes
// nothing.
func Begin(ctx context.Context, limit time.Duration) context.Context {
	if clockOf(ctx) != nil {
		return ctx
	}
	now := time.Now()
	return context.WithValue(ctx, clockKey{}, &Clock{begin: now, guard: now.Add(limit)})
}

// Beside returns a context for work that runs beside the rest of a search. Its time begins at the present time of the
// search, and then advances with its own steps only. If others wait for it, by an Event or Join, their time advances to
// its time if that is later.
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

// guarded reports whether the guard has passed.
func (c *Clock) guarded() bool { return c != nil && time.Now().After(c.guard) }

// Now returns the present time of the search that a context belongs to, or the time of day if there is none.
func Now(ctx context.Context) time.Time {
	c := clockOf(ctx)
	if c == nil {
		return time.Now()
	}
	return c.begin.Add(time.Duration(c.spent.Load()) * (time.Second / PerSecond))
}

// Until returns how long it is until a time of the search. It is never positive once the guard has passed.
func Until(ctx context.Context, t time.Time) time.Duration {
	d := t.Sub(Now(ctx))
	if clockOf(ctx).guarded() {
		return min(d, 0)
	}
	return d
}

// Since returns how long ago a time of the search was.
func Since(ctx context.Context, t time.Time) time.Duration { return Now(ctx).Sub(t) }

// After returns the time of the search that is d from now.
func After(ctx context.Context, d time.Duration) time.Time { return Now(ctx).Add(d) }

// Part returns the time at which the first of n equal parts of the time left is over.
func Part(ctx context.Context, until time.Time, n int) time.Time {
	return After(ctx, Until(ctx, until)/time.Duration(n))
}

// Earlier returns the earlier of two times.
func Earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Over reports whether a time of the search has passed. It is true for every time once the guard has passed.
func Over(ctx context.Context, until time.Time) bool {
	return Now(ctx).After(until) || clockOf(ctx).guarded()
}

// Stopped reports whether work has to end at once: in a search, whether the guard has passed; elsewhere, whether the
// time of day is after until.
func Stopped(ctx context.Context, until time.Time) bool {
	if c := clockOf(ctx); c != nil {
		return c.guarded()
	}
	return time.Now().After(until)
}

// Guard returns how long a program that a search runs may take by the time of day. That is the time until the guard,
// but at least one second, or said if that is less. Outside a search it is said.
func Guard(ctx context.Context, said time.Duration) time.Duration {
	if c := clockOf(ctx); c != nil {
		return max(time.Until(c.guard), min(said, time.Second))
	}
	return said
}

// Deadline returns the time of day by which work has to end that counts its own steps. That is the guard in a search
// whose time until has not come yet; otherwise it is until.
func Deadline(ctx context.Context, until time.Time) time.Time {
	if c := clockOf(ctx); c != nil && Until(ctx, until) > 0 {
		return c.guard
	}
	return until
}

// Counted reports whether work is counted, as it is in a search.
func Counted(ctx context.Context) bool { return clockOf(ctx) != nil }

// Spend counts steps of work.
func Spend(ctx context.Context, steps int64) {
	if c := clockOf(ctx); c != nil {
		c.spent.Add(steps)
		c.ended()
	}
}

// Join advances the time of ctx to that of beside, if that is later.
func Join(ctx, beside context.Context) { Meet(ctx, Now(beside)) }

// Meet advances the time of ctx to t, if that is later.
func Meet(ctx context.Context, t time.Time) { clockOf(ctx).meet(t) }

// meet advances the time to t, if that is later.
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

// Event happens once, in work that runs beside the rest.
type Event struct {
	beside context.Context
	once   sync.Once
	done   chan struct{}
	at     time.Time
}

// NewEvent returns an event of the work that a context belongs to. It has not happened yet.
func NewEvent(beside context.Context) *Event {
	return &Event{beside: beside, done: make(chan struct{})}
}

// Happens records that the event has happened. Only the first call has an effect.
func (e *Event) Happens() {
	e.once.Do(func() {
		e.at = Now(e.beside)
		close(e.done)
	})
}

// Wait waits for the event, however long it takes. The time of ctx advances to that of the event.
func (e *Event) Wait(ctx context.Context) {
	<-e.done
	clockOf(ctx).meet(e.at)
}

// Await waits for the event, at most until a time of the search, and reports whether it happened by then. The time of
// ctx advances to that of the event, or to until. So the result does not depend on how fast the two really run. Await
// also returns false if ctx ends.
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
		if Over(e.beside, until) { // the event can only be later
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
