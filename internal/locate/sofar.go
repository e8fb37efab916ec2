package locate

import (
	"context"
	"maps"
	"slices"

	"gulo/internal/job"
)

// This file tells who waits what the methods have said while others are still asked.

// notYet is why a method is left out of what was said so far.
const notYet = "the search ended before it had an answer"

// Watch is Locate. told gets what the methods have said, whenever one more has spoken; nobody changes that afterwards.
func Watch(ctx context.Context, req *job.Job, told func(*Combined)) (*Combined, error) {
	return locate(ctx, req, told)
}

// tell tells what was said so far.
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
