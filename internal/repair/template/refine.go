package template

import (
	"context"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/sat"
	"gulo/internal/smt"
)

// This file finds values for the parameters of templates.

const (
	small        = 8   // M of section III-G
	begin        = 12  // number of inputs that the first values must meet
	maxTemplates = 400 // combinations of templates that are tried
)

// templates tries templates in order; for several components it tries combinations.
func (s *search) templates(ctx context.Context) error {
	lists := make([][]Template, len(s.p.Components))
	for i, c := range s.p.Components {
		lists[i] = Templates(c, s.p.Tree, s.opt.Only, s.opt.Own)
		if len(lists[i]) == 0 {
			return nil
		}
	}
	pick := make([]Template, len(lists))
	n := 0
	most := 0
	for _, l := range lists {
		most += len(l) - 1
	}
	for sum := 0; sum <= most; sum++ {
		var walk func(i, left int) (bool, error)
		walk = func(i, left int) (bool, error) {
			if i == len(lists)-1 {
				if left >= len(lists[i]) {
					return true, nil
				}
				pick[i] = lists[i][left]
				if n++; n > maxTemplates {
					s.out.Why = "the limit of combinations of templates"
					return false, nil
				}
				return !s.done(ctx), s.refine(ctx, pick)
			}
			for k := 0; k <= left && k < len(lists[i]); k++ {
				pick[i] = lists[i][k]
				if more, err := walk(i+1, left-k); err != nil || !more {
					return more, err
				}
			}
			return true, nil
		}
		if more, err := walk(0, sum); err != nil || !more {
			return err
		}
	}
	return nil
}

// refine is the loop of Fig. 3 for one combination of templates.
func (s *search) refine(ctx context.Context, pick []Template) error {
	ts := s.p.Engine.Terms
	xs := make([]cfront.Expr, len(pick))
	var params []Param
	names := map[*cfront.Var]*smt.Term{}
	for i, t := range pick {
		xs[i] = t.X
		for _, p := range t.Params {
			params = append(params, p)
			names[p.Var] = ts.Var(fmt.Sprintf("%s of %d", p.Var.Name, i), 32)
			s.params[p.Var] = ts.Extend(names[p.Var], true, 64)
		}
	}
	if !s.set(xs) {
		return nil
	}
	s.fill.Reset()
	good := s.whole()
	isInput := map[string]bool{}
	for _, i := range s.p.Inputs {
		isInput[i.Name] = true
	}
	// on returns the condition on the parameters for one input.
	on := func(in smt.Model) *smt.Term {
		return ts.Substitute(good, func(v *smt.Term) *smt.Term {
			if !isInput[v.Name] {
				return nil
			}
			return ts.Value(in[v.Name], v.Width)
		})
	}
	asserted := 0
	soft := s.soft(params, names)
	for round := 0; round < s.opt.Iterations; round++ {
		for ; asserted < len(s.tests) && asserted < begin+round; asserted++ {
			t := on(s.tests[asserted])
			if t == ts.False {
				return nil
			}
			s.fill.Assert(t)
		}
		if s.done(ctx) {
			return nil
		}
		s.out.Tried++
		m, ok, err := s.numbers(ctx, soft)
		if err != nil || !ok {
			return err
		}
		next, different := s.instance(pick, names, m)
		s.fill.Assert(different)
		if !s.set(next) {
			return nil
		}
		before := len(s.tests)
		if !s.meetsAll() {
			// It fails an input that was not asserted yet.
			s.fill.Assert(on(s.tests[s.order[0]]))
			continue
		}
		if err := s.judge(ctx, next, "template: "+pick[0].Name, costWhole+len(params)); err != nil {
			return err
		}
		if len(s.tests) > before {
			s.fill.Assert(on(s.tests[before]))
		}
	}
	return nil
}

// soft returns the constraints for simple candidates (ρ1 of section III-G): terms vanish, and numbers are small. Beyond
// the paper, numbers are positive.
func (s *search) soft(params []Param, names map[*cfront.Var]*smt.Term) []*smt.Term {
	if s.opt.Plain {
		return nil
	}
	ts := s.p.Engine.Terms
	var neutral, near, positive []*smt.Term
	for _, p := range params {
		k := names[p.Var]
		positive = append(positive, ts.Less(ts.Const(0, 32), k, true, true))
		neutral = append(neutral, ts.Eq(k, ts.Const(uint64(p.Neutral), 32)))
		near = append(near, ts.And(ts.Less(ts.Const(^uint64(small)+1, 32), k, true, true), ts.Less(k, ts.Const(small, 32), true, true)))
	}
	return append(append(neutral, near...), positive...)
}

// numbers finds parameter values that meet all asserted inputs (Eq. 5). It drops one soft constraint of each core, so
// that it keeps a maximal set of them, while the paper asks for a largest one.
func (s *search) numbers(ctx context.Context, soft []*smt.Term) (smt.Model, bool, error) {
	keep := append([]*smt.Term(nil), soft...)
	for {
		r, core, err := s.fill.Check(ctx, keep...)
		switch {
		case err != nil:
			return nil, false, err
		case r == sat.Satisfiable:
			m := smt.Model{}
			for k, v := range s.fill.Model() {
				m[k] = v
			}
			return m, true, nil
		case r == sat.Unknown:
			s.out.Why = "the solver does not know (" + s.fill.Cause + ")"
			return nil, false, nil
		case len(core) == 0:
			return nil, false, nil
		}
		drop := core[len(core)-1]
		for _, c := range core { // constraints for small numbers are dropped last
			if last(soft, c) < last(soft, drop) {
				drop = c
			}
		}
		next := keep[:0:0]
		for _, k := range keep {
			if k != drop {
				next = append(next, k)
			}
		}
		keep = next
	}
}

func last(list []*smt.Term, t *smt.Term) int {
	for i := range list {
		if list[i] == t {
			return i
		}
	}
	return -1
}

// instance returns the templates with numbers; different excludes these numbers.
func (s *search) instance(pick []Template, names map[*cfront.Var]*smt.Term, m smt.Model) (xs []cfront.Expr, different *smt.Term) {
	ts := s.p.Engine.Terms
	different = ts.False
	for _, t := range pick {
		k := make([]int64, len(t.Params))
		for i, p := range t.Params {
			n := names[p.Var]
			k[i] = int64(int32(m[n.Name]))
			different = ts.Or(different, ts.Not(ts.Eq(n, ts.Const(m[n.Name], 32))))
		}
		xs = append(xs, t.Build(k))
	}
	return xs, different
}
