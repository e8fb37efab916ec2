package budget

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// This file makes contexts that end at a time of a search.

// ends holds the contexts that end when a search has done a number of steps.
type ends struct {
	mu   sync.Mutex
	list map[*ending]bool
	next atomic.Int64 // the number of steps after which the first of them ends
}

type ending struct {
	at     int64
	cancel context.CancelFunc
}

type untilKey struct{}

// WithDeadline returns a context that ends at a time of the search, or when the guard has passed. Work counted on the
// same clock ends it at once; work that runs beside has to ask Left. Outside a search it ends by the time of day.
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
	c.ended() // the time may be over already
	return ctx, func() {
		c.ends.remove(e)
		cancel()
	}
}

// Left returns the nominal time until the deadline that WithDeadline gave a context in a search. ok is false without
// one.
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

// first stores in next when the first context ends.
func (e *ends) first() {
	next := int64(math.MaxInt64)
	for x := range e.list {
		next = min(next, x.at)
	}
	e.next.Store(next)
}

// ended ends the contexts whose time has passed.
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

// Guarded limits a part of a search by the time of day, too. part is its nominal time, and whole the time at which the
// search ends. The part gets 1.5 times its share of the time of day that is left until the guard. If that is all of it,
// or outside a search, there is no such limit. Guarded is for work that may take much longer than its steps say, so
// that time is left for the parts that follow.
func Guarded(ctx context.Context, part time.Duration, whole time.Time) (context.Context, context.CancelFunc) {
	c := clockOf(ctx)
	left := Until(ctx, whole)
	if c == nil || 3*part >= 2*left {
		return context.WithCancel(ctx)
	}
	share := 1.5 * float64(part) / float64(left)
	return context.WithTimeout(ctx, time.Duration(share*float64(time.Until(c.guard))))
}
