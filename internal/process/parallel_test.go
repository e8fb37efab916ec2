package process

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// TestParallel: all is done, never by more than the workers; the first error ends it.
func TestParallel(t *testing.T) {
	var done, now, most atomic.Int32
	err := Parallel(context.Background(), 3, 50, func(context.Context, int) error {
		for n := now.Add(1); ; {
			if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		done.Add(1)
		now.Add(-1)
		return nil
	})
	if err != nil || done.Load() != 50 || most.Load() > 3 {
		t.Errorf("%v: %d done, %d at a time", err, done.Load(), most.Load())
	}
	bad := errors.New("bad")
	done.Store(0)
	err = Parallel(context.Background(), 1, 50, func(_ context.Context, i int) error {
		if done.Add(1); i == 4 {
			return bad
		}
		return nil
	})
	if !errors.Is(err, bad) || done.Load() != 5 {
		t.Errorf("%v after %d", err, done.Load())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Parallel(ctx, 2, 5, func(context.Context, int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before: %v", err)
	}
}
