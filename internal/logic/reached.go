package logic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/sat"
	"gulo/internal/symbolic"
)

// This file examines what an answer is worth: whether any input reaches an assertion, and whether the proof leaves out
// calls with pointers that a caller may make.

// asserts lists the statements that contain an assertion.
func (t *task) asserts(r *run) (out []*lower.Stmt) {
	for _, s := range r.engine.Prog.Stmts {
		if s == nil || s.X == nil {
			continue
		}
		found := false
		cfront.Walk(s.X, func(x cfront.Expr) bool {
			c, ok := x.(*cfront.Call)
			if !ok {
				return true
			}
			f, ok := c.Fun.(*cfront.FuncRef)
			found = found || ok && f.Func.Name == "assert"
			return true
		})
		if found {
			out = append(out, s)
		}
	}
	return out
}

// reached notes the assertions that no input is known to reach. It returns an error if no input meets the precondition
// of a contract, since everything would be proved then.
func (t *task) reached(ctx context.Context, r *run, c *Covers) error {
	if t.ref != nil {
		return nil
	}
	if t.of != nil {
		return t.met(ctx, r, c)
	}
	list := t.asserts(r)
	if len(list) == 0 {
		c.Outputs = []string{"errors (nothing is asserted)"}
		return nil
	}
	for _, s := range list {
		if some, err := t.comes(ctx, r, s); some || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		c.Never = append(c.Never, "the assertion in "+t.prog.Tree.At(s.Range.Position()))
	}
	if len(c.Never) == len(list) {
		c.Never = []string{"any assertion"}
	}
	return nil
}

// comes reports whether an input may reach a statement.
func (t *task) comes(ctx context.Context, r *run, s *lower.Stmt) (bool, error) {
	here := r.engine.Reached[s.ID]
	if here == nil {
		return false, nil
	}
	t.ask.Reset()
	t.ask.Assert(t.inputs.assume)
	ans, _, err := t.ask.Check(ctx, here)
	return ans != sat.Unsatisfiable, err
}

// met returns an error if no input meets the contract's precondition. If the run is incomplete, it only notes that none
// of those that were followed does.
func (t *task) met(ctx context.Context, r *run, c *Covers) error {
	if t.before == "" {
		return nil
	}
	for _, s := range r.engine.Prog.Stmts {
		if s == nil || s.Func != r.entry || !slices.ContainsFunc(s.Exprs(), t.callsIt) {
			continue
		}
		if some, err := t.comes(ctx, r, s); some || err != nil {
			return err
		}
	}
	if !r.complete {
		c.Never = []string{"a call of " + t.of.Name + " that meets the precondition"}
		return nil
	}
	within := ""
	if t.guessed {
		within = fmt.Sprintf(", with numbers from -%d to %d,", usualNumber, usualNumber)
	}
	return job.Usage("%s: no call of %s among those that are looked at%s meets the precondition; --inputs FILE says which are", t.before, t.of.Name, within)
}

// callsIt reports whether an expression calls the contract's function.
func (t *task) callsIt(x cfront.Expr) (found bool) {
	cfront.Walk(x, func(x cfront.Expr) bool {
		if c, ok := x.(*cfront.Call); ok {
			f, ok := c.Fun.(*cfront.FuncRef)
			found = found || ok && f.Func.Name == t.of.Name
		}
		return true
	})
	return found
}

// pointerGaps lists the calls with pointers that a proof leaves out although a caller may make them: with NULL, unless
// that was compared as well or the reference does not accept it; and with overlapping arrays, if one of them is
// written.
func (t *task) pointerGaps(ctx context.Context, r *run, c *Covers) (out []string, err error) {
	var arrays []*input
	var names []string
	written := false
	for _, in := range t.inputs.list {
		if in.array && in.param >= 0 {
			arrays, names = append(arrays, in), append(names, in.name)
			written = written || t.writesArray(r, in) || t.writesArray(t.refRun, in)
		}
	}
	if len(arrays) > mostNull {
		out = append(out, "calls in which "+enumerated(names)+" are NULL")
	} else {
		for set := 1; set < 1<<len(arrays); set++ {
			null := map[int]bool{}
			var which []string
			for k, in := range arrays {
				if set>>k&1 == 1 {
					null[in.param] = true
					which = append(which, in.name)
				}
			}
			what, err := t.withNull(ctx, null)
			if err != nil {
				return nil, err
			}
			be := " is"
			if len(which) > 1 {
				be = " are"
			}
			switch what {
			case nullHolds:
				c.Null = append(c.Null, enumerated(which)+be+" NULL")
			case nullUnknown:
				out = append(out, "calls in which "+enumerated(which)+be+" NULL")
			case nullDiffers:
				out = append(out, "calls in which "+enumerated(which)+be+" NULL, on which it does something else than the reference")
			}
		}
	}
	if len(arrays) > 1 && written {
		out = append(out, "calls in which "+enumerated(names)+" overlap")
	}
	return out, nil
}

// mostNull bounds the parameters for which all combinations of NULL are tried.
const mostNull = 3

// nullAnswer is what is known about calls with NULL.
type nullAnswer int

const (
	nullNever   nullAnswer = iota // the reference accepts no such call
	nullHolds                     // no call fails
	nullDiffers                   // some call differs
	nullUnknown
)

// withNull executes the programs once more with some parameters NULL. Without a reference the answer is unknown if the
// program fails on some such calls and not on others.
func (t *task) withNull(ctx context.Context, null map[int]bool) (nullAnswer, error) {
	inputs := *t.inputs
	inputs.assume = t.ranges
	with := *t
	with.inputs, with.null, with.refRun, with.bound, with.notes = &inputs, null, nil, t.bound, nil
	until, cancel := budget.WithDeadline(ctx, t.share(ctx, nullShare))
	defer cancel()
	unknown := func(err error) (nullAnswer, error) {
		var un *symbolic.Unsupported
		if errors.As(err, &un) && strings.Contains(un.What, "ends in an error on every input") {
			return nullNever, nil
		}
		return nullUnknown, ctx.Err()
	}
	if err := with.reference(until); err != nil {
		return unknown(err)
	}
	r, err := with.execute(until, with.prog, with.entry, nil, with.far())
	if err != nil {
		return unknown(err)
	}
	left := false
	r.note = func(string) { left = true }
	_, fail, err := with.correct(until, r)
	if err != nil {
		return unknown(err)
	}
	t.ask.Reset()
	t.ask.Assert(inputs.assume)
	ans, _, err := t.ask.Check(until, fail)
	switch {
	case err != nil || ans == sat.Unknown:
		return nullUnknown, ctx.Err()
	case ans == sat.Satisfiable && t.ref != nil:
		return nullDiffers, nil
	case ans == sat.Satisfiable:
		ans, _, err := t.ask.Check(until, r.passed)
		if err == nil && ans == sat.Unsatisfiable {
			return nullNever, nil
		}
		return nullUnknown, ctx.Err()
	case left || !with.complete(r):
		return nullUnknown, nil
	}
	return nullHolds, nil
}

// nullShare is the part of the time left that calls with NULL may take.
const nullShare = 4

// writesArray reports whether a run may change an array that is an argument.
func (t *task) writesArray(r *run, in *input) bool {
	if r == nil {
		return false
	}
	for _, o := range r.outs {
		if o.Kind != symbolic.Passed {
			continue
		}
		for k := range in.terms {
			x, _, ok := r.engine.ReadBlock(o.State, in.block[r.engine], int64(k)*in.typ.Size, in.typ)
			if !ok || x != in.terms[k].Term && x != t.terms.Narrow(in.terms[k].Term) {
				return true
			}
		}
	}
	return false
}
