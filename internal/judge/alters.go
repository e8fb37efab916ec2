package judge

import (
	"context"
	"fmt"
	"slices"

	"gulo/internal/budget"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/source"
)

// This file asks whether a repair of a memory error changes what is printed behind it.

// Alters says on which of the cases a repaired program prints something else than the program would if its error
// did no harm (cases.Set.Would). It is empty if there is none. Nobody says that what would be printed is right.
func (t *Judge) Alters(ctx context.Context, repaired *lower.Program) (string, error) {
	if len(t.Would) == 0 || repaired == nil {
		return "", nil
	}
	run, err := oracle.NewRunner(oracle.Runs(repaired, nil, 0))
	if err != nil {
		return "", err
	}
	all := t.Given.Cases
	if t.Held != nil {
		all = slices.Concat(all, t.Held.Cases)
	}
	for _, c := range all {
		would, ok := t.Would[c]
		if !ok {
			continue
		}
		r, err := run.Run(&oracle.Case{Name: c.Name, Args: c.Args, Stdin: c.Stdin}, nil)
		if err != nil {
			return "", err
		}
		budget.Spend(ctx, budget.Run+r.Steps)
		if r.Fault == nil && source.Judged(r.Output) != source.Judged(would) {
			return fmt.Sprintf("on %s it prints %q; if the error did no harm, the program would print %q", c.Name, source.Excerpt(r.Output), source.Excerpt(would)), nil
		}
	}
	return "", nil
}
