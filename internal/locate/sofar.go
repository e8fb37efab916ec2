package locate

import (
	"context"
	"maps"
	"slices"

	"gulo/internal/job"
)

// This file reports results while methods are still running.

// notYet is the reason for methods that had not answered when results were reported.
const notYet = "the search ended before it had an answer"

// Watch does what Locate does. told is called with the results so far whenever a method has answered; they are not
// changed afterwards.
func Watch(ctx context.Context, req *job.Job, told func(*Combined)) (*Combined, error) {
	return locate(ctx, req, told)
}

// tell reports the results so far.
func (o *Combined) tell(req *job.Job) {
	if o.told == nil {
		return
	}
	c := *o
	c.SoFar, c.told, c.set, c.calls = true, nil, nil, nil
	c.Left, c.Lists, c.Took = maps.Clone(o.Left), maps.Clone(o.Lists), maps.Clone(o.Took)
	c.Notes, c.Diagnoses = slices.Clone(o.Notes), slices.Clone(o.Diagnoses)
	for _, m := range Methods {
		c.leave(m.Name, notYet)
	}
	if c.sort(req); len(c.Lists) > 0 {
		o.told(&c)
	}
}
