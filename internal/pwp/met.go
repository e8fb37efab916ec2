package pwp

import (
	"context"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/oracle"
)

// This file uses the calls of the contract's function that the program makes in whole runs. A state that a run reaches
// is one that the function may be called in. Invented states often are not, if the function works on the program's
// variables or on structs whose members belong together.

// make makes the tests. If a run is given, it takes calls from that run and from runs made from it. If there are none
// that meet the precondition, or calls are easily generated (plain), calls are generated. If that is not possible and
// no run is given, it takes calls from runs without arguments.
func (t *task) make(ctx context.Context, g *cases.Values) error {
	inHand := len(t.req.Args) > 0 || t.req.Stdin != ""
	if inHand {
		if err := t.met(ctx); err != nil {
			return err
		}
		if len(t.tests) > 0 && !t.plain() {
			return nil
		}
	}
	bad, tests, held := t.bad, t.tests, t.held
	t.bad, t.tests, t.held, t.asMet = 0, nil, nil, false
	if err := t.generate(g); err != nil {
		return err
	}
	if len(tests) > 0 { // calls of runs come first
		t.tests = bounded(slices.Concat(tests[:bad], t.tests[:t.bad]), slices.Concat(tests[bad:], t.tests[t.bad:]))
		t.bad += bad
		t.held = append(t.held, held...)
		return nil
	}
	if len(t.tests) == 0 && !inHand {
		if err := t.met(ctx); err != nil {
			return err
		}
	}
	if len(t.tests) == 0 && t.out == 0 {
		return job.Usage("no run that was tried calls %s, and its arguments cannot be made up; give the run that shows the failure (ARG, --stdin), or calls with --tests FILE", t.ct.Func.Name)
	}
	return nil
}

// plain reports whether the function works only on numbers, arrays of numbers and lists, and uses no non-constant
// static storage. Then calls can be generated without knowing the program.
func (t *task) plain() bool {
	for _, p := range t.ct.Func.Params {
		v := p.Type
		if v.Kind == ctype.Pointer && (v.Elem.IsArith() || len(cases.Links(v.Elem)) == 1) {
			continue
		}
		if !v.IsArith() {
			return false
		}
	}
	for f := range cfront.Callees(t.ct.Func) {
		free := true
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.Ref); ok && !r.Var.Const && (r.Var.Storage == cfront.Global || r.Var.Storage == cfront.Static) {
					free = false
				}
				return free
			})
		})
		if !free {
			return false
		}
	}
	return true
}

// met makes tests of the calls in runs. From a run it takes the calls up to the first that breaks the contract: later
// ones may be consequences of the error. A made-up run that breaks the contract in another way than the given run does
// is cut off there, since nobody says whether it is a valid input.
func (t *task) met(ctx context.Context) error {
	var err error
	if t.inputs, err = cases.RunsLike(ctx, t.prog, t.req); err != nil {
		return err
	}
	runs, err := cases.CallsOfRuns(ctx, t.prog, t.ct.Func, t.inputs)
	if err != nil || len(runs) == 0 {
		return err
	}
	about := map[string]bool{}
	var wrong, good []*oracle.Case
	for i, states := range runs {
		for _, s := range states {
			c := &oracle.Case{Name: s.Text, State: s, Want: &oracle.Run{Any: true, Steps: metSteps}}
			k, err := t.hold(c, nil)
			if err != nil {
				return err
			}
			if k.Outside {
				t.out++
				continue
			}
			if k.Passed() {
				c.Want.Steps = k.Steps
				good = append(good, c)
				continue
			}
			if how := breaks(k); i == 0 {
				about[how] = true
			} else if len(about) > 0 && !about[how] {
				break
			}
			wrong = append(wrong, c)
			break
		}
	}
	if len(wrong)+len(good) == 0 {
		return nil
	}
	t.asMet = true
	t.tests, t.bad = bounded(wrong, good), len(wrong)
	t.held = append(t.held, t.choose()...)
	t.notes = append(t.notes, t.ct.Func.Name+cases.AsMetNote)
	return nil
}

// metSteps bounds the steps of one call of a run.
const metSteps = 20_000

// breaks describes how a call breaks its contract, as a key.
func breaks(k *oracle.Kept) string {
	if k.Violation != nil {
		return k.Violation.Clause.Text + "\x00" + k.Violation.What
	}
	return string(k.Fault.Kind)
}
