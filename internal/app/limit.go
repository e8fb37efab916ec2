package app

import (
	"fmt"
	"time"

	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/report"
)

// This file holds a command to its --limit, whatever an engine is busy with: reading a
// very long expression, writing its formula, a compiler that takes minutes.

// lateError says that an engine did not come to an end in time.
type lateError struct{ limit time.Duration }

func (e *lateError) Error() string { return fmt.Sprintf("the time limit of %v is up", e.limit) }

// overrun is what an engine may take beyond its limit, as to check what it found last.
func overrun(limit time.Duration) time.Duration { return limit/10 + 5*time.Second }

// within waits for an engine, but not much longer than its limit. Then the process is
// about to end, and with it all that the engine has started.
func within[T any](limit time.Duration, work func() (T, error)) (T, error) {
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
	select {
	case a := <-done:
		return a.t, a.err
	case <-late.C:
		var none T
		return none, &lateError{limit}
	}
}

// lateReport is the answer of fix when the time is up in the middle of something.
func lateReport(entry string) *report.Report {
	return &report.Report{Result: report.Unknown, Cause: report.TimeLimit, Entry: entry, Repairs: []report.Repair{}}
}

// fixWithin repairs by all engines.
func fixWithin(limit time.Duration, entry string, work func() (*pipeline.Answer, error)) (*pipeline.Answer, error) {
	a, err := within(limit, work)
	if _, late := err.(*lateError); late {
		return &pipeline.Answer{Report: lateReport(entry)}, nil
	}
	return a, err
}
