// Package modify makes modifications that remove an evidence (He and Gupta, "Automated Debugging Using Path-Based
// Weakest Preconditions", FASE 2004, sections 2.6 and 3): from the differences between the predicates that hold and
// those that would have to hold. Differences are computed on expressions, where the paper compares strings. A
// modification is written as an expression over variables that have the required values on the trace.
package modify

import (
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/locate/evidence"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
)

// Modification is an edit with the evidence that suggests it.
type Modification struct {
	Edit     *repair.Edit
	Why      string
	Distance int
}

// maker collects modifications for one trace.
type maker struct {
	p    *lower.Program
	sp   *space.Space
	t    *evidence.Trace
	out  []Modification
	seen map[string]bool
	why  string
}

// Modifications lists the edits that may remove the evidences of a trace, in the order of the evidences, and for each
// evidence the small changes first. free says which statements may change; nil: all.
func Modifications(p *lower.Program, t *evidence.Trace, free func(*lower.Stmt) bool) []Modification {
	m := &maker{p: p, t: t, seen: map[string]bool{}, sp: space.New(space.Config{Program: p, Numbers: true})}
	for _, s := range t.AllStates() {
		es := s.Evidences()
		for _, e := range es[:min(len(es), 40)] {
			m.why = s.Explain(e)
			begin := len(m.out)
			m.remove(s, e)
			part := m.out[begin:]
			sort.SliceStable(part, func(i, j int) bool { return part[i].Distance < part[j].Distance })
		}
	}
	// Beyond the paper: a late step of the trace may have led it astray although no predicate on places shows it, such
	// as an argument, an index, or a condition in a call that has returned.
	m.why = "no evidence speaks of it, but the trace goes through it"
	seen := map[*lower.Stmt]bool{}
	for i := len(t.Inst) - 1; i >= 0; i-- {
		if in := &t.Inst[i]; in.Stmt != nil && !seen[in.Stmt] {
			seen[in.Stmt] = true
			m.change(in, nil)
		}
	}
	var out []Modification
	for _, x := range m.out {
		if free == nil || free(p.Stmts[x.Edit.Stmt]) {
			out = append(out, x)
		}
	}
	return out
}

func (m *maker) add(s *lower.Stmt, x cfront.Expr) {
	if x == nil || s == nil || space.WritesConstant(x) {
		return
	}
	u := m.sp.Unit(s.ID)
	if u.Locked || cfront.Text(x) == cfront.Text(u.Original()) {
		return
	}
	e := &repair.Edit{Stmt: s.ID, New: x}
	k := e.Describe(m.p)
	if m.seen[k] {
		return
	}
	m.seen[k] = true
	m.out = append(m.out, Modification{e, m.why, space.Distance(u.Original(), x)})
}

// remove makes the modifications for one evidence.
func (m *maker) remove(s *evidence.States, e evidence.Evidence) {
	delta := differences(e)
	if e.Q.From >= 0 && e.Q.From < len(m.t.Inst) && m.t.Faulty { // the error state
		m.change(&m.t.Inst[e.Q.From], delta)
		m.into(m.t.Inst[e.Q.From].Stmt)
	}
	if e.Loop != nil { // the loop must run more or fewer rounds: its condition, and what that depends on
		m.change(e.Loop, delta)
		for i := len(m.t.Inst) - 1; i >= 0; i-- {
			if in := &m.t.Inst[i]; in.Loc != nil && in.X != nil && names(e.Loop.Cond, in.Loc.Var) {
				m.change(in, delta)
			}
		}
		m.into(e.Loop.Stmt)
		return
	}
	if e.P != nil && e.P.From >= 0 && e.P.From < len(m.t.Inst) {
		m.change(&m.t.Inst[e.P.From], delta)
	}
	if e.Atom < 0 {
		return
	}
	for _, i := range m.t.Slice(s.Conj[e.Atom], 1) {
		in := &m.t.Inst[i-1]
		m.solve(in, s.R[i+1][e.Atom])
		m.change(in, delta)
	}
	if e.Kind == evidence.Implicit {
		// The trace must assume something about the places of the predicate.
		for _, near := range []bool{true, false} {
			for i := len(m.t.Inst); i >= 1; i-- {
				if in := &m.t.Inst[i-1]; in.Loc == nil && shares(in, e.Q) == near {
					m.change(in, delta)
				}
			}
		}
	}
	// Another left side can bring an assignment into the slice.
	for i := len(m.t.Inst); i >= e.Point; i-- {
		m.left(&m.t.Inst[i-1], delta)
	}
}

// shares reports whether a branch and a predicate name a common place.
func shares(in *evidence.Inst, q *evidence.Pred) bool {
	at := map[ctype.Word]bool{}
	q.Places(func(l *evidence.Loc) { at[l.Addr] = true })
	found := false
	for _, c := range in.Branch {
		for _, p := range c {
			p.Places(func(l *evidence.Loc) { found = found || at[l.Addr] })
		}
	}
	return found
}

// into makes assignments of the trace assign to a variable that a statement reads, which may lack a value or an update.
func (m *maker) into(s *lower.Stmt) {
	var vars []*cfront.Var
	seen := map[*cfront.Var]bool{}
	visit := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok && r.Var.Type.IsScalar() && !seen[r.Var] {
				seen[r.Var] = true
				vars = append(vars, r.Var)
			}
			return true
		})
	}
	if s.X != nil {
		visit(s.X)
	}
	for i := len(m.t.Inst) - 1; i >= 0; i-- {
		in := &m.t.Inst[i]
		if in.Loc == nil || in.Stmt == nil || in.Stmt.Kind != lower.Expr && in.Stmt.Kind != lower.Post {
			continue
		}
		for _, v := range vars {
			x := cfront.NewRef(v)
			switch a := in.Stmt.X.(type) {
			case *cfront.Assign:
				if ctype.Same(v.Type, a.L.Type()) {
					m.add(in.Stmt, cfront.Replace(a, a.L, x))
				}
			case *cfront.IncDec:
				if ctype.Same(v.Type, a.X.Type()) {
					m.add(in.Stmt, cfront.Replace(a, a.X, x))
				}
			}
		}
	}
}

// differences returns the places of both predicates of an evidence, each once.
func differences(e evidence.Evidence) []*evidence.Loc {
	var out []*evidence.Loc
	seen := map[ctype.Word]bool{}
	add := func(p *evidence.Pred) {
		if p == nil {
			return
		}
		p.Places(func(l *evidence.Loc) {
			if !seen[l.Addr] {
				seen[l.Addr] = true
				out = append(out, l)
			}
		})
	}
	add(e.Q)
	add(e.P)
	return out
}

func names(x cfront.Expr, v *cfront.Var) bool {
	found := false
	if x != nil && v != nil {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok && r.Var == v {
				found = true
			}
			return !found
		})
	}
	return found
}

// change adds the small changes of a statement: constants and operators, then operands that the differences name, then
// the rest of its neighbourhood.
func (m *maker) change(in *evidence.Inst, delta []*evidence.Loc) {
	s := in.Stmt
	if s == nil {
		return
	}
	u := m.sp.Unit(s.ID)
	if u.Locked {
		return
	}
	root := u.Original()
	cfront.Walk(root, func(y cfront.Expr) bool {
		if c, neg := constant(y); c != nil && c.Type().IsArith() {
			for _, x := range nearby(c, neg) {
				if y == root || s.Kind != lower.Decl && cfront.Skip(root) == y {
					m.add(s, x)
				} else {
					m.add(s, cfront.Replace(root, y, x))
				}
			}
			return false
		}
		if l, ok := y.(*cfront.Logical); ok {
			for _, x := range []cfront.Expr{cfront.NewLogical(!l.And, l.X, l.Y), l.X, l.Y} {
				m.add(s, cfront.Replace(root, l, x))
			}
		}
		if b, ok := y.(*cfront.Binary); ok && b.Op.IsCompare() && b.X.Type().Kind != ctype.Pointer {
			for _, op := range space.SameKind(b.Op, b.X.Type()) {
				m.add(s, cfront.Replace(root, b, cfront.WithOp(b, func(z *cfront.Binary, _ *cfront.Assign) { z.Op = op })))
			}
		}
		return true
	})
	for _, l := range delta {
		for _, x := range m.lift(in, l) {
			cfront.Walk(root, func(y cfront.Expr) bool {
				switch y.(type) {
				case *cfront.Ref, *cfront.Index, *cfront.Const:
					if y != root && (y.Type().IsInteger() && x.Type().IsInteger() || y.Type().Kind == ctype.Float && x.Type().Kind == ctype.Float) {
						m.add(s, cfront.Replace(root, y, x))
					} else if y == root && s.Kind != lower.Cond {
						m.add(s, x)
					}
				}
				return true
			})
		}
	}
	for _, x := range u.Neighbours() {
		m.add(s, x)
	}
}

// nearby returns a constant minus one, plus one, 0 and 1.
func nearby(c *cfront.Const, neg bool) []cfront.Expr {
	var out []cfront.Expr
	t := c.Type()
	if t.Kind == ctype.Float {
		n := ctype.FloatOf(t, c.Value)
		if neg {
			n = -n
		}
		for _, k := range []float64{n - 1, n + 1, 0, 1} {
			out = append(out, cfront.NewConst(t, ctype.OfFloat(t, k)))
		}
		return out
	}
	n := int64(c.Value)
	if neg {
		n = -n
	}
	for _, k := range []int64{n - 1, n + 1, 0, 1} {
		out = append(out, cfront.NewConst(t, ctype.Wrap(t, ctype.Word(k))))
	}
	return out
}

// constant returns the constant that an expression is, and whether a minus stands before it; nil if it is none.
func constant(x cfront.Expr) (c *cfront.Const, neg bool) {
	if u, ok := x.(*cfront.Unary); ok && u.Op == ctype.Neg {
		c, _ = cfront.Skip(u.X).(*cfront.Const)
		return c, true
	}
	c, _ = x.(*cfront.Const)
	return c, false
}

// lift returns expressions for a place of the trace at a statement: a variable's name, or an array element whose index
// has the right value there.
func (m *maker) lift(in *evidence.Inst, l *evidence.Loc) []cfront.Expr {
	if l.Var != nil {
		if _, ok := in.Scope[l.Var]; ok {
			return []cfront.Expr{cfront.NewRef(l.Var)}
		}
		return nil
	}
	if l.Index == nil {
		return nil
	}
	base := m.array(in, l.Name)
	if base == nil {
		return nil
	}
	var out []cfront.Expr
	for _, i := range m.number(in, l.At, 1) {
		if x := cfront.NewIndex(base, i); x != nil {
			out = append(out, x)
		}
	}
	return out
}

// array returns the array or pointer of a given name at a statement; nil if there is none.
func (m *maker) array(in *evidence.Inst, name string) cfront.Expr {
	f := in.Stmt.Func
	for _, list := range [][]*cfront.Var{f.Params, f.Locals, m.p.Tree.Globals} {
		for _, v := range list {
			if v.Name == name && (v.Type.Kind == ctype.Pointer || v.Type.Kind == ctype.Array) && (v.Func == nil || v.Func == f) {
				return cfront.NewRef(v)
			}
		}
	}
	return nil
}

// number returns expressions for a number at a statement: variables with that value, variables plus or minus up to
// reach, and the number itself.
func (m *maker) number(in *evidence.Inst, n, reach int64) []cfront.Expr {
	var out []cfront.Expr
	var vars []*cfront.Var
	for v := range in.Scope {
		if v.Type.IsInteger() {
			vars = append(vars, v)
		}
	}
	sort.Slice(vars, func(i, j int) bool { return vars[i].Name < vars[j].Name })
	for d := int64(0); d <= reach; d++ {
		for _, v := range vars {
			k := in.Scope[v]
			one := cfront.NewConst(ctype.IntT, ctype.Word(d))
			switch {
			case d == 0 && k == n:
				out = append(out, cfront.NewRef(v))
			case d > 0 && k+d == n:
				out = append(out, cfront.NewBinary(ctype.Add, cfront.NewRef(v), one))
			case d > 0 && k-d == n:
				out = append(out, cfront.NewBinary(ctype.Sub, cfront.NewRef(v), one))
			}
		}
	}
	return append(out, cfront.NewConst(ctype.IntT, ctype.Word(n)))
}

// solve makes an assignment assign a value that turns a later predicate into 0=0 (section 3, step 2).
func (m *maker) solve(in *evidence.Inst, q *evidence.Pred) {
	if in.Loc == nil || in.X == nil {
		return
	}
	e, ok := q.Solved(in.Loc)
	if !ok {
		return
	}
	for _, x := range m.write(in, e) {
		m.assign(in, x)
	}
}

// assign replaces the right side of the statement's assignment.
func (m *maker) assign(in *evidence.Inst, x cfront.Expr) {
	switch in.Stmt.Kind {
	case lower.Decl, lower.Return:
		m.add(in.Stmt, x)
		return
	case lower.Expr, lower.Post:
		if a, ok := in.Stmt.X.(*cfront.Assign); ok {
			m.add(in.Stmt, cfront.NewAssign(a.L, x))
		} else if _, ok := in.Stmt.X.(*cfront.IncDec); ok && in.L != nil {
			m.add(in.Stmt, cfront.NewAssign(in.L, x))
		}
	}
}

const mostWritten = 40

// pointer returns expressions for a sum that a pointer must be: another pointer, or null. Any other number would be an
// address of this run.
func (m *maker) pointer(in *evidence.Inst, e *evidence.Exp) []cfront.Expr {
	switch {
	case e.K != 0 || len(e.M) > 1:
		return nil
	case len(e.M) == 0:
		return []cfront.Expr{cfront.NewConst(in.Loc.Type, 0)}
	}
	if mono := e.M[0]; len(mono.F) == 1 && mono.F[0].Loc != nil && mono.C == 1 {
		return m.lift(in, mono.F[0].Loc)
	}
	return nil
}

// write returns expressions of the source for a sum.
func (m *maker) write(in *evidence.Inst, e *evidence.Exp) []cfront.Expr {
	if t := in.Loc.Type; t != nil && t.Kind == ctype.Pointer {
		return m.pointer(in, e)
	}
	list := []cfront.Expr{nil}
	for _, mono := range e.M {
		if len(mono.F) != 1 || mono.F[0].Loc == nil || mono.C != 1 && mono.C != -1 {
			return nil
		}
		var next []cfront.Expr
		for _, x := range m.lift(in, mono.F[0].Loc) {
			for _, before := range list {
				switch {
				case len(next) >= mostWritten:
				case before == nil && mono.C == 1:
					next = append(next, x)
				case before == nil:
					next = append(next, cfront.NewUnary(ctype.Neg, x))
				case mono.C == 1:
					next = append(next, cfront.NewBinary(ctype.Add, before, x))
				default:
					next = append(next, cfront.NewBinary(ctype.Sub, before, x))
				}
			}
		}
		list = next
	}
	if e.K == 0 && len(e.M) > 0 {
		return list
	}
	if t := in.Loc.Type; t != nil && t.Kind == ctype.Float {
		if len(e.M) > 0 { // a trace has no sums of reals
			return nil
		}
		return []cfront.Expr{cfront.NewConst(t, evidence.Real(t, e.K))}
	}
	var out []cfront.Expr
	for _, before := range list {
		if before == nil {
			out = append(out, m.number(in, e.K, 1)...)
			continue
		}
		if e.K > 0 {
			out = append(out, cfront.NewBinary(ctype.Add, before, cfront.NewConst(ctype.IntT, ctype.Word(e.K))))
		} else {
			out = append(out, cfront.NewBinary(ctype.Sub, before, cfront.NewConst(ctype.IntT, ctype.Word(-e.K))))
		}
	}
	return out
}

// left replaces the left side of an assignment by a variable or an element that the differences name.
func (m *maker) left(in *evidence.Inst, delta []*evidence.Loc) {
	if in.Loc == nil || in.Stmt == nil || in.Stmt.Kind != lower.Expr {
		return
	}
	a, ok := in.Stmt.X.(*cfront.Assign)
	if !ok {
		return
	}
	for _, l := range delta {
		for _, x := range m.lift(in, l) {
			if ctype.Same(x.Type(), a.L.Type()) && !a.HasOp {
				m.add(in.Stmt, cfront.NewAssign(x, a.R))
			} else if ctype.Same(x.Type(), a.L.Type()) {
				m.add(in.Stmt, cfront.Replace(a, a.L, x))
			}
		}
	}
}
