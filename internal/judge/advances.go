package judge

import (
	"context"
	"fmt"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/check"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/report"
)

// This file judges one step of a stepwise repair, in which a program with several memory errors is repaired one error
// at a time.

// Fires reports whether a memory rule fires when the program with changed texts runs case c. It is true, too, if the
// machine cannot load the changed program.
func (t *Judge) Fires(ctx context.Context, texts map[string]string, c *oracle.Case) (bool, error) {
	p, err := t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return true, err
	}
	watch, err := check.Watched(p, t.Job.Files[0])
	if err != nil {
		return false, err
	}
	rep, err := watch(c.Args, c.Stdin)
	return err == nil && t.fire(rep.Findings), err
}

// fire reports whether the list has a finding of a memory rule that the job asks about. A leak counts only if the job
// asks for memory safety (Job.Memory): tests say nothing about leaked blocks.
func (t *Judge) fire(list []check.Finding) bool {
	return slices.ContainsFunc(list, func(f check.Finding) bool { return t.Job.Memory || f.Rule != string(cases.Lost) })
}

// Advances judges a step: texts should fix the memory error of the case asked, but need not fix the whole program.
// Every case that the program meets now must still be met, with no memory rule firing, and the run of asked must do all
// that it did before its error. ok is false if one of these does not hold.
func (t *Judge) Advances(ctx context.Context, texts map[string]string, asked *oracle.Case) (out report.Repair, ok bool, err error) {
	if out.Changes = report.Changes(t.Prog, texts); !report.Keeps(out.Changes, t.Job.Lock) || !t.Job.MeetsAlso(texts) {
		return out, false, nil
	}
	p, err := t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return out, false, err
	}
	if ok, err := t.Compiles(ctx, texts); !ok || err != nil {
		return out, false, err
	}
	watch, err := check.Watched(p, t.Job.Files[0])
	if err != nil {
		return out, false, err
	}
	was, err := oracle.NewRunner(&oracle.Suite{Prog: t.Prog})
	if err != nil {
		return out, false, err
	}
	now, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		return out, false, err
	}
	if r, err := now.Run(asked, nil); err != nil {
		return out, false, err
	} else if asked.Want.Any || !r.Meets(asked.Want) { // if Want is met, the run is known to be complete
		if less, err := t.doesLess(p, asked); less || err != nil {
			return out, false, err
		}
	}
	kept := 0
	for _, s := range []*oracle.Suite{t.Given, t.Held} {
		if s == nil {
			continue
		}
		for _, c := range s.Cases {
			if r, err := was.Run(c, nil); err != nil || !r.Meets(c.Want) {
				if err != nil {
					return out, false, err
				}
				continue
			}
			if r, err := now.Run(c, nil); err != nil || !r.Meets(c.Want) {
				return out, false, err
			}
			if rep, err := watch(c.Args, c.Stdin); err != nil || t.fire(rep.Findings) {
				return out, false, err
			}
			kept++
		}
	}
	if out.Diff, err = patch.DiffTexts(t.Prog, texts); err != nil {
		return out, false, err
	}
	out.Evidence = t.facts()
	out.Evidence.Text = fmt.Sprintf("with this repair the error is gone, and the program still does what it did right on %s", plural.N(kept, "run"))
	return out, true, nil
}
