package budget

import (
	"context"
	"testing"
	"time"
)

func TestSteps(t *testing.T) {
	if n := Of(time.Second); n != PerSecond {
		t.Errorf("a second is %d steps, want %d", n, PerSecond)
	}
	if n := Of(1500 * time.Microsecond); n != PerSecond*15/10_000 {
		t.Errorf("1.5 ms are %d steps", n)
	}
	s, n := For(time.Millisecond), 0
	for ; !s.Over(); n++ {
		s.Spend(Run)
	}
	if want := PerSecond / 1000 / Run; n != want {
		t.Errorf("%d runs in a millisecond, want %d", n, want)
	}
	if none := (Steps{}); !none.Over() {
		t.Error("something is left of nothing")
	}
}

// TestClock: a search's time goes by its work, and what goes on beside comes in the order of the work, whichever of the two
// the machine did first.
func TestClock(t *testing.T) {
	ctx := Begin(context.Background(), time.Hour)
	if Begin(ctx, time.Second) != ctx {
		t.Error("a search within a search has a time of its own")
	}
	begin := Now(ctx)
	Spend(ctx, Of(time.Second))
	if d := Since(ctx, begin); d != time.Second {
		t.Errorf("a second's work took %v", d)
	}
	if until := Part(ctx, begin.Add(3*time.Second), 2); until.Sub(begin) != 2*time.Second {
		t.Errorf("half of what is left ends after %v", until.Sub(begin))
	}
	for _, x := range []struct {
		work, until time.Duration
		first       bool // the work beside is done before anybody waits for it
		done        bool
		then        time.Duration
	}{
		{work: time.Second, until: 2 * time.Second, first: true, done: true, then: 2 * time.Second},
		{work: time.Second, until: 2 * time.Second, done: true, then: 2 * time.Second},
		{work: 3 * time.Second, until: 2 * time.Second, first: true, then: 3 * time.Second},
		{work: 3 * time.Second, until: 2 * time.Second, then: 3 * time.Second},
		{work: 0, until: 0, done: true, then: time.Second},
	} {
		own := Beside(ctx)
		beside := Beside(own)
		e := NewEvent(beside)
		work := func() {
			Spend(beside, Of(x.work))
			e.Happens()
			Spend(beside, Of(time.Minute)) // of other work
		}
		if x.first {
			work()
		} else {
			go work()
		}
		if done := e.Await(own, After(own, x.until)); done != x.done || Since(own, begin) != x.then {
			t.Errorf("%+v: %v, and it is %v", x, done, Since(own, begin))
		}
	}
}

// TestDeadline: a context ends when so much was done, in the order of the work, and those that are made of it do.
func TestDeadline(t *testing.T) {
	ctx := Begin(context.Background(), time.Hour)
	begin := Now(ctx)
	long, free := WithDeadline(ctx, begin.Add(4*time.Second))
	defer free()
	short, stop := WithDeadline(long, begin.Add(2*time.Second))
	defer stop()
	capped, free := WithDeadline(long, begin.Add(time.Hour))
	defer free()
	within, cancel := context.WithCancel(short)
	defer cancel()
	if at, ok := short.Deadline(); !ok || time.Until(at) < 50*time.Minute {
		t.Errorf("by the time of day it ends at %v, %v", at, ok)
	}
	if d, ok := Left(capped); !ok || d != 4*time.Second {
		t.Errorf("%v are left in a part of 4 s, %v", d, ok)
	}
	if _, ok := Left(ctx); ok {
		t.Error("a search has a deadline that it was not given")
	}
	beside := Beside(short)
	Spend(beside, Of(3*time.Second))
	if d, _ := Left(beside); d != -time.Second || short.Err() != nil {
		t.Errorf("beside %v are left, and what it goes on beside of: %v", d, short.Err())
	}
	Spend(ctx, Of(2*time.Second))
	if short.Err() != nil {
		t.Error("it ended before its time was over")
	}
	Spend(ctx, 1)
	if short.Err() == nil || within.Err() == nil || long.Err() != nil || ctx.Err() != nil {
		t.Errorf("after 2 s: %v, %v; the others: %v, %v", short.Err(), within.Err(), long.Err(), ctx.Err())
	}
	Spend(beside, Of(2*time.Second))
	Join(ctx, beside)
	if long.Err() == nil || capped.Err() == nil || ctx.Err() != nil {
		t.Errorf("after 5 s: %v, %v; the search itself: %v", long.Err(), capped.Err(), ctx.Err())
	}
	if late, free := WithDeadline(ctx, begin.Add(time.Second)); late.Err() == nil {
		t.Error("a deadline that is over is not")
		free()
	}
	day, free := WithDeadline(context.Background(), time.Now().Add(time.Hour))
	defer free()
	if at, ok := day.Deadline(); !ok || time.Until(at) > time.Hour {
		t.Errorf("without a search it ends at %v", at)
	}
}

// TestGuarded: a part has its share of the time until the guard and half as much again, and no guard of its own where that is all.
func TestGuarded(t *testing.T) {
	ctx := Begin(context.Background(), time.Hour)
	whole := After(ctx, time.Minute)
	for _, x := range []struct{ part, least, most time.Duration }{
		{20 * time.Second, 29 * time.Minute, 30 * time.Minute},
		{8 * time.Second, 11 * time.Minute, 12 * time.Minute},
	} {
		part, free := Guarded(ctx, x.part, whole)
		at, ok := part.Deadline()
		if d := time.Until(at); !ok || d < x.least || d > x.most {
			t.Errorf("%v of a minute may take %v", x.part, d)
		}
		free()
	}
	for _, ctx := range []context.Context{ctx, context.Background()} {
		part, free := Guarded(ctx, 40*time.Second, After(ctx, time.Minute))
		if _, ok := part.Deadline(); ok {
			t.Error("most of the time has a guard of its own")
		}
		free()
	}
}

// TestGuard: when the guard is over everything is, what begins then, too.
func TestGuard(t *testing.T) {
	ctx := Begin(context.Background(), 0)
	if later := After(context.Background(), time.Hour); !Over(ctx, later) || !Stopped(ctx, later) {
		t.Error("the guard is over, and the search goes on")
	}
	if part, free := WithDeadline(ctx, After(ctx, time.Hour)); part.Err() == nil {
		t.Error("a part of a search goes on after the guard")
		free()
	}
	if late := After(ctx, time.Hour); !Over(ctx, late) || Until(ctx, late) > 0 {
		t.Error("what begins after the guard has time")
	}
	if e := NewEvent(ctx); e.Await(ctx, time.Now().Add(time.Hour)) {
		t.Error("something has happened that did not")
	}
}
