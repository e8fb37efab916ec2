package process

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Parallel does n things, as many as workers at a time, until one fails; it returns the
// first error, or why ctx ended before all were done. A panic is reported.
func Parallel(ctx context.Context, workers, n int, do func(ctx context.Context, i int) error) error {
	g, each := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	for i := 0; i < n && each.Err() == nil; i++ {
		g.Go(func() error {
			defer Recover()
			if err := each.Err(); err != nil {
				return err
			}
			return do(each, i)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}
