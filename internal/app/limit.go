package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gulo/internal/job"
	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/report"
)

// This file enforces --limit whatever an engine is busy with: reading a very long expression, writing its formula,
// waiting for a compiler.

// lateError says that an engine did not finish in time.
type lateError struct{ limit time.Duration }

func (e *lateError) Error() string { return fmt.Sprintf("the time limit of %v is up", e.limit) }

// overrun is the time that an engine may take beyond its limit, for example to check the last candidate.
func overrun(limit time.Duration) time.Duration { return limit/10 + 5*time.Second }

// within waits for work, but not much longer than its limit, and not after a signal: then the process is about to end,
// with all that the engine has started.
func within[T any](ctx context.Context, limit time.Duration, work func() (T, error)) (T, error) {
	type answer struct {
		t   T
		err error
	}
	done := make(chan answer, 1)
	process.Go(func() {
		t, err := work()
		done <- answer{t, err}
	})
	late := time.NewTimer(limit + overrun(limit))
	defer late.Stop()
	var none T
	select {
	case a := <-done:
		if ctx.Err() == nil { // after a signal, what the engine returns is not its answer
			return a.t, a.err
		}
	case <-ctx.Done():
	case <-late.C:
		return none, &lateError{limit}
	}
	return none, context.Cause(ctx)
}

// lateReport is the answer of fix when the time is up: the best candidate so far.
func lateReport(j *job.Job) *report.Report {
	if rep := j.Best.Report(report.TimeLimit); rep != nil {
		return rep
	}
	return &report.Report{Result: report.Unknown, Cause: report.TimeLimit, Entry: j.Entry, Repairs: []report.Repair{}}
}

// fixWithin repairs by all engines. After a signal it answers with the best candidate so far, if there is one; run
// reports the signal.
func (s *streams) fixWithin(ctx context.Context, j *job.Job) (*pipeline.Answer, error) {
	j.Best = report.NewSoFar(ctx)
	j.Best.Offered = s.offered
	a, err := within(ctx, j.Guarded(), func() (*pipeline.Answer, error) { return pipeline.Fix(ctx, j) })
	var sig process.Signal
	switch {
	case errors.As(err, new(*lateError)):
		return &pipeline.Answer{Report: lateReport(j)}, nil
	case errors.As(err, &sig):
		if rep := j.Best.Report(report.Stopped); rep != nil {
			return &pipeline.Answer{Report: rep}, nil
		}
	}
	return a, err
}
