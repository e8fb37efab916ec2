package proof

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/spec"
)

// This file executes functions that a statement calls and that are not under repair. Each of their statements has the
// guard that control reaches it; loops are unrolled.

// inlined is one activation of such a function.
type inlined struct {
	v   *evaluator
	f   *cfront.Func
	ret *mixer

	bad   []int // guards under which an error happens
	flow  []loopFlow
	steps *int
}

// loopFlow collects the guards under which the current iteration of a loop was left.
type loopFlow struct{ broken, continued []int }

// Limits on inlining.
const (
	maxDepth  = 20
	maxUnroll = 40
	maxInline = 3000 // statements executed in one call
	locals    = ctype.Word(0xFFE8) << 48
)

func (v *evaluator) inline(g int, f *cfront.Func, args []value) (value, int, error) {
	e := v.e
	if len(args) != len(f.Params) {
		return value{}, 0, unsupported("a call of %s", f.Name)
	}
	if e.depth++; e.depth > maxDepth {
		e.depth--
		return value{}, 0, unsupported("calls that are nested too deeply")
	}
	defer func() { e.depth-- }()
	steps := 0
	in := &inlined{v: &evaluator{s: v.s, e: e}, f: f, ret: e.mixer(), steps: &steps}
	im := v.s.im
	outer := im.Vars()
	vars := map[*cfront.Var]ctype.Word{}
	for x, a := range outer {
		if x.Func == nil || x.Storage == cfront.Static {
			vars[x] = a
		}
	}
	for _, list := range [][]*cfront.Var{f.Params, f.Locals} {
		for _, x := range list {
			if x.VLALen != nil || !x.Type.IsScalar() {
				return value{}, 0, unsupported("the locals of %s", f.Name)
			}
			a := locals + e.scratch
			e.scratch += 16
			im.Push(&heap.Object{Addr: a, Kind: heap.Local, Live: true, Var: x, Data: make([]byte, x.Type.Size), Undef: spec.Unknown(int(x.Type.Size))})
			vars[x] = a
		}
	}
	for i, x := range f.Params {
		if err := v.s.set(e.yes, vars[x], x.Type, args[i]); err != nil {
			return value{}, 0, err
		}
	}
	im.SetVars(vars)
	defer im.SetVars(outer)
	if _, err := in.exec(f.Body, g); err != nil {
		return value{}, 0, err
	}
	w, err := in.ret.value()
	if len(w.alts) == 0 && w.term == "" {
		w = e.single(0)
	}
	return w, -e.any(in.bad), err
}

// check records an error that happens under the guard g unless ok holds.
func (in *inlined) check(g, ok int) { in.bad = append(in.bad, in.v.e.and(g, -ok)) }

// exec executes a statement under the guard g. It returns the guard under which control continues after it.
func (in *inlined) exec(s cfront.Stmt, g int) (int, error) {
	e := in.v.e
	if g == e.no() {
		return g, nil
	}
	if *in.steps++; *in.steps > maxInline {
		return 0, unsupported("a function called runs for too long")
	}
	switch s := s.(type) {
	case *cfront.Empty:
		return g, nil
	case *cfront.ExprStmt:
		_, ok, err := in.v.value(g, s.X)
		in.check(g, ok)
		return g, err
	case *cfront.Decl:
		if s.Cleanup != nil {
			return 0, unsupported("a variable with the attribute cleanup")
		}
		return g, in.decl(s, g)
	case *cfront.Block:
		var err error
		for _, t := range s.List {
			if g, err = in.exec(t, g); err != nil {
				return g, err
			}
		}
		return g, nil
	case *cfront.If:
		t, ok, err := in.v.truth(g, s.Cond)
		if err != nil {
			return 0, err
		}
		in.check(g, ok)
		a, err := in.exec(s.Then, e.and(g, t))
		if err != nil {
			return 0, err
		}
		b := e.and(g, -t)
		if s.Else != nil {
			if b, err = in.exec(s.Else, b); err != nil {
				return 0, err
			}
		}
		return e.or(a, b), nil
	case *cfront.While:
		return in.loop(s.Cond, nil, s.Body, s.Do, g)
	case *cfront.For:
		if s.Init != nil {
			if _, err := in.exec(s.Init, g); err != nil {
				return 0, err
			}
		}
		return in.loop(s.Cond, s.Post, s.Body, false, g)
	case *cfront.Jump:
		if n := len(in.flow); n > 0 && s.Kind != cfront.Goto {
			list := &in.flow[n-1].broken
			if s.Kind == cfront.Continue {
				list = &in.flow[n-1].continued
			}
			*list = append(*list, g)
			return e.no(), nil
		}
	case *cfront.Return:
		if s.X == nil {
			return e.no(), nil
		}
		w, ok, err := in.v.value(g, s.X)
		if err != nil {
			return 0, err
		}
		in.check(g, ok)
		in.ret.add(g, w)
		return e.no(), nil
	}
	return 0, unsupported("a statement of %s", in.f.Name)
}

func (in *inlined) decl(s *cfront.Decl, g int) error {
	for _, i := range s.Init {
		w, ok, err := in.v.value(g, i.X)
		if err != nil {
			return err
		}
		in.check(g, ok)
		a, _ := in.v.s.im.VarAddr(s.Var)
		if err := in.v.s.set(g, a, s.Var.Type, w); err != nil {
			return err
		}
	}
	return nil
}

func (in *inlined) loop(cond, post cfront.Expr, body cfront.Stmt, do bool, g int) (int, error) {
	e := in.v.e
	var out []int
	for n := 0; g != e.no(); n++ {
		if n > maxUnroll {
			return 0, unsupported("a loop of %s runs for too long", in.f.Name)
		}
		if cond != nil && !(do && n == 0) {
			t, ok, err := in.v.truth(g, cond)
			if err != nil {
				return 0, err
			}
			in.check(g, ok)
			out = append(out, e.and(g, -t))
			g = e.and(g, t)
		}
		in.flow = append(in.flow, loopFlow{})
		next, err := in.exec(body, g)
		fl := in.flow[len(in.flow)-1]
		in.flow = in.flow[:len(in.flow)-1]
		if err != nil {
			return 0, err
		}
		out = append(out, fl.broken...)
		g = e.any(append(fl.continued, next))
		if post != nil {
			_, ok, err := in.v.value(g, post)
			if err != nil {
				return 0, err
			}
			in.check(g, ok)
		}
	}
	return e.any(out), nil
}
