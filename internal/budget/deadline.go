package budget

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// This file is contexts that end at a time of a search.

// ends are the contexts that end when a search has done so much.
type ends struct {
	mu   sync.Mutex
	list map[*ending]bool
	next atomic.Int64 // after so many steps the first of them ends
}

type ending struct {
	at     int64
	cancel context.CancelFunc
}

type untilKey struct{}

// WithDeadline is a context that ends at a time of the search, or when the guard is over. Work that is counted on the
// same clock ends it, at once; work that goes on beside asks Left. Where there is no search it ends by the time of day.
func WithDeadline(ctx context.Context, until time.Time) (context.Context, context.CancelFunc) {
	c := clockOf(ctx)
	if c == nil {
		return context.WithDeadline(ctx, until)
	}
	if before, ok := ctx.Value(untilKey{}).(time.Time); ok {
		until = Earlier(until, before)
	}
	ctx, cancel := context.WithDeadline(context.WithValue(ctx, untilKey{}, until), c.guard)
	e := &ending{at: int64(until.Sub(c.begin) / (time.Second / PerSecond)), cancel: cancel}
	c.ends.add(e)
	c.ended() // perhaps at once
	return ctx, func() {
		c.ends.remove(e)
		cancel()
	}
}

// Left is how long it nominally is to the deadline of a context of a search; there is none otherwise.
func Left(ctx context.Context) (d time.Duration, ok bool) {
	until, ok := ctx.Value(untilKey{}).(time.Time)
	if !ok || clockOf(ctx) == nil {
		return 0, false
	}
	return Until(ctx, until), true
}

func (e *ends) add(x *ending) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.list == nil {
		e.list = map[*ending]bool{}
	}
	e.list[x] = true
	e.first()
}

func (e *ends) remove(x *ending) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.list, x)
	e.first()
}

// first notes when the next one ends.
func (e *ends) first() {
	next := int64(math.MaxInt64)
	for x := range e.list {
		next = min(next, x.at)
	}
	e.next.Store(next)
}

// ended ends the contexts whose time is over.
func (c *Clock) ended() {
	now := c.spent.Load()
	if now <= c.ends.next.Load() {
		return
	}
	c.ends.mu.Lock()
	defer c.ends.mu.Unlock()
	for x := range c.ends.list {
		if now > x.at {
			x.cancel()
			delete(c.ends.list, x)
		}
	}
	c.ends.first()
}

// Guarded bounds a part of a search, of so long a time, by the time of day as well: by its share and half of that of what is left
// until the guard. It is for work that may take the machine much longer than is counted, so that something is left for
// the parts behind it. whole is the time at which the search ends.
func Guarded(ctx context.Context, part time.Duration, whole time.Time) (context.Context, context.CancelFunc) {
	c := clockOf(ctx)
	left := Until(ctx, whole)
	if c == nil || 3*part >= 2*left {
		return context.WithCancel(ctx)
	}
	share := 1.5 * float64(part) / float64(left)
	return context.WithTimeout(ctx, time.Duration(share*float64(time.Until(c.guard))))
}
