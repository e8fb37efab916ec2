// Package space is the space of edits that repairs are searched in: for every statement, condition and gap of a trace,
// a finite list of candidates. The enumeration of repair/trace and the solvers of repair/proof share it, so that they
// answer the same question.
//
// The space is that of Wolverine2 (assignment, getfield, putfield; guards that compare two variables;
// "Debug-Localize-Repair", section 4), extended by paths of up to two field steps, integers, arithmetic, compound
// conditions, returned values and arguments of calls. Every candidate type-checks.
package space

import (
	"bytes"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
)

// Config says which edits the space has.
type Config struct {
	Program  *lower.Program
	Segments []*spec.Segment
	Base     *repair.Patch        // edits in force
	Free     func(id int32) bool  // statements that may change; nil: all
	FreeGap  func(gap int32) bool // gaps that may be filled; nil: all
	Rich     bool                 // also guards on insertions, and calls of helpers
	Temps    []*cfront.Var        // temporaries that edits may use
	Mallocs  bool                 // also allocations, even if the segments have no fresh nodes
	Frees    bool                 // also calls of free
	Donors   bool                 // also insertions of statements that the function has elsewhere, with other variables
	Numbers  bool                 // also edits for numeric programs: sums into variables, elements of arrays (numbers.go)
}

// Space gives access to the places that a repair may change.
type Space struct {
	Config
	units, slots map[int32]*Unit
	entered      map[int32]bool          // statements with calls that the trace enters
	concrete     map[int32]bool          // statements that some item executes in one step
	called       map[string]*cfront.Func // functions of the program by name, as far as they were asked for
	mallocs      bool                    // the user made fresh nodes, or allocations are asked for
	frees        bool                    // nodes are freed before an assertion, or frees are asked for
}

// New returns the space of edits for a set of segments.
func New(c Config) *Space {
	s := &Space{Config: c, units: map[int32]*Unit{}, slots: map[int32]*Unit{}, entered: map[int32]bool{}, concrete: map[int32]bool{}, called: map[string]*cfront.Func{}}
	s.mallocs, s.frees = c.Mallocs, c.Frees
	for _, seg := range c.Segments {
		s.mallocs = s.mallocs || len(seg.Fresh) > 0
		s.frees = s.frees || len(seg.Freed) > 0
		for i := range seg.Items {
			it := &seg.Items[i]
			if it.Concrete != nil {
				s.concrete[it.Stmt] = true
			}
			if it.Kind == spec.Enter || it.Kind == spec.Finish {
				s.entered[it.Stmt] = true
			}
		}
	}
	return s
}

// Unit is one place that a repair may change.
type Unit struct {
	ID   int32
	Stmt *lower.Stmt // nil for a gap
	Gap  *lower.Gap
	Base *repair.Edit // the edit already in force here; nil for none

	Lhs, Rhs []cfront.Expr
	Classes  []Class
	Pairs    int           // number of assignments in Classes; they are numbered from 0
	Wholes   []cfront.Expr // whole statements; numbered after the assignments
	Conds    []cfront.Expr // for conditions: replacements; else: guards (the first one of a statement is false)
	Locked   bool

	space *Space
	built bool
}

// Unit returns the place of a statement.
func (s *Space) Unit(id int32) *Unit {
	u, ok := s.units[id]
	if ok {
		return u
	}
	st := s.Program.Stmts[id]
	u = &Unit{ID: id, Stmt: st, space: s}
	if s.Base != nil {
		u.Base = s.Base.Stmts[id]
	}
	u.Locked = s.Free != nil && !s.Free(id) || !editable(st) || s.concrete[id]
	s.units[id] = u
	return u
}

// Slot returns the place of a gap.
func (s *Space) Slot(id int32) *Unit {
	u, ok := s.slots[id]
	if ok {
		return u
	}
	u = &Unit{ID: id, Gap: s.Program.Gaps[id], space: s, Locked: s.FreeGap != nil && !s.FreeGap(id)}
	if s.Base != nil {
		u.Base = s.Base.Gaps[id]
	}
	s.slots[id] = u
	return u
}

// editable reports whether a statement's source text may be edited: it is the user's own, and no macro's.
func editable(st *lower.Stmt) bool {
	if st.Macro || st.Jumps() || st.X == nil && st.Decl == nil {
		return false
	}
	switch st.Kind {
	case lower.Cond, lower.Expr, lower.Post:
		return st.X.Editable() && written(st.X)
	case lower.Return:
		return st.X.Editable() && st.Func.Result != nil && written(st.X)
	case lower.Decl:
		return len(st.Decl.Init) == 1 && st.Decl.Init[0].X.Editable() && st.Decl.Var.Type.IsScalar() && written(st.Decl.Init[0].X)
	}
	return false
}

// written reports whether all variables of an expression have names. Where an array's rows have a variable length, the
// front end keeps their size in an unnamed variable: m[i][j] becomes *(m + i * size). Edits of that cannot be written
// in C.
func written(x cfront.Expr) bool {
	ok := true
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, is := y.(*cfront.Ref); is && r.Var.Name == "" {
			ok = false
		}
		return ok
	})
	return ok
}

// Original returns the expression of a statement as the patch in force has it.
func (u *Unit) Original() cfront.Expr {
	if u.Base != nil && u.Base.New != nil {
		return u.Base.New
	}
	if u.Stmt.Kind == lower.Decl {
		return u.Stmt.Decl.Init[0].X
	}
	return u.Stmt.X
}

// fixed returns the only object that a statement may assign to; nil if it may assign to any.
func (u *Unit) fixed() cfront.Expr {
	switch {
	case u.Stmt == nil:
		return nil
	case u.Stmt.Kind == lower.Decl:
		return cfront.NewRef(u.Stmt.Decl.Var)
	case u.Stmt.Kind == lower.Return:
		return cfront.NewRef(u.Stmt.Func.Result)
	}
	return nil
}

// Candidate returns the k-th candidate of a statement: an assignment or, after all assignments, a whole statement. For
// declarations and returns it is only the new value.
func (u *Unit) Candidate(k int) cfront.Expr {
	if k >= u.Pairs {
		return u.Wholes[k-u.Pairs]
	}
	l, r := u.Pair(k)
	x := cfront.NewAssign(l, r)
	if u.fixed() != nil {
		return x.(*cfront.Assign).R
	}
	return x
}

// Build makes the candidates of a place, once.
func (u *Unit) Build() {
	if u.built {
		return
	}
	u.built = true
	defer func() {
		unwritten := func(x cfront.Expr) bool { return !cfront.Writable(x) }
		u.Wholes, u.Conds = slices.DeleteFunc(u.Wholes, unwritten), slices.DeleteFunc(u.Conds, unwritten)
	}()
	s := u.space
	if u.Gap != nil {
		file, off := repair.GapOffset(u.Gap)
		sc := s.scopeAt(u.Gap.Func, file, off, u.Gap.Block)
		u.assignments(sc, nil, u.Gap.Func)
		u.Wholes = append(u.Wholes, s.calls(sc, nil, u.Gap.Func)...)
		if s.Donors {
			u.Wholes = append(u.Wholes, s.donors(sc, u.Gap.Func)...)
		}
		if s.Numbers {
			u.Wholes = append(u.Wholes, accumulations(sc, u.Gap.Func)...)
		}
		if s.Rich {
			u.Conds = atoms(sc, u.Gap.Func)
		}
		return
	}
	st := u.Stmt
	sc := s.scopeAt(st.Func, st.Range.File, st.Range.Start, nil)
	switch {
	case s.entered[u.ID]:
		u.Wholes = s.mutants(sc, u.Original(), true)
	case st.Kind == lower.Cond:
		u.Conds = conditions(sc, st.Func, u.Original())
		if cfront.HasCall(u.Original()) {
			u.Conds = append(u.Conds, s.mutants(sc, u.Original(), false)...)
		} else if s.Numbers {
			u.Conds = append(u.Conds, s.neighbours(sc, u.Original(), false)...)
		}
		u.Conds = distinct(u.Conds)
	case st.Kind == lower.Decl || st.Kind == lower.Return:
		u.assignments(sc, u.fixed(), st.Func)
		u.Wholes = append(s.mutants(sc, u.Original(), false), s.calls(sc, u.fixed(), st.Func)...)
	default:
		u.assignments(sc, nil, st.Func)
		u.Wholes = append(s.mutants(sc, u.Original(), false), s.calls(sc, nil, st.Func)...)
		u.Conds = append([]cfront.Expr{cfront.NewConst(ctype.IntT, 0)}, atoms(sc, st.Func)...)
		if s.Donors {
			u.Conds = append(u.Conds, donorConditions(sc, s.Program, st.Func)...)
		}
	}
}

// distinct removes expressions whose text occurred before.
func distinct(list []cfront.Expr) []cfront.Expr {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(x cfront.Expr) bool {
		text := cfront.Text(x)
		old := seen[text]
		seen[text] = true
		return old
	})
}

// calls returns statements that allocate or free, if the space has such edits, and with Rich statements that call the
// program's helpers.
func (s *Space) calls(sc *scope, fixedL cfront.Expr, f *cfront.Func) []cfront.Expr {
	var out []cfront.Expr
	lhs := writable(sc.paths(1))
	if fixedL != nil {
		lhs = []cfront.Expr{fixedL}
	}
	add := func(l, r cfront.Expr) {
		if len(out) >= maxWholes {
			return
		}
		x := cfront.NewAssign(l, r)
		if fixedL != nil {
			x = x.(*cfront.Assign).R
		}
		out = append(out, x)
	}
	if malloc := s.malloc(); s.mallocs && malloc != nil {
		for _, l := range lhs {
			if t := l.Type(); t.Kind == ctype.Pointer && t.Elem.IsAggregate() {
				add(l, cfront.NewCall(malloc, []cfront.Expr{cfront.NewSizeof(t.Elem)}))
			}
		}
	}
	if s.frees && fixedL == nil {
		for _, x := range sc.paths(1) {
			if t := x.Type(); t.Kind == ctype.Pointer && t.Elem.IsAggregate() {
				out = append(out, cfront.NewCall(s.free(), []cfront.Expr{x}))
			}
		}
	}
	if !s.Rich {
		return out
	}
	for _, h := range s.Program.Tree.Funcs {
		r := h.Type.Result
		if h == f || h.Name == "main" || r == nil || !r.IsScalar() || len(h.Params) == 0 || len(h.Params) > 2 || !h.Range.Valid() || h.Range.File.Name[0] == '@' || !sc.declares(h) {
			continue
		}
		for _, args := range s.argumentLists(sc, h) {
			for _, l := range lhs {
				if ctype.Same(l.Type(), r) {
					add(l, cfront.NewCall(h, args))
				}
			}
		}
	}
	return out
}

// argumentLists returns lists of variables and fields that fit a function's parameters.
func (s *Space) argumentLists(sc *scope, h *cfront.Func) [][]cfront.Expr {
	lists := [][]cfront.Expr{nil}
	for _, p := range h.Params {
		var next [][]cfront.Expr
		for _, x := range sc.paths(1) {
			if !ctype.Same(x.Type(), p.Type) {
				continue
			}
			for _, l := range lists {
				next = append(next, append(append([]cfront.Expr(nil), l...), x))
			}
		}
		lists = next
	}
	most := 60
	if s.Numbers {
		most = 200
	}
	if len(lists) > most {
		lists = lists[:most]
	}
	return lists
}

// malloc returns the C library's malloc if the program can call it; else nil.
func (s *Space) malloc() *cfront.Func {
	if f := s.function("malloc"); f != nil {
		return f
	}
	for _, file := range s.Program.Tree.Files {
		if bytes.Contains(file.Text, []byte("<stdlib.h>")) {
			void := &ctype.Type{Kind: ctype.Void, Size: 1, Align: 1}
			t := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: ctype.PointerTo(void), Params: []*ctype.Type{ctype.ULongT}}
			return &cfront.Func{Name: "malloc", Type: t}
		}
	}
	return nil
}

// free returns the C library's free.
func (s *Space) free() *cfront.Func {
	if f := s.function("free"); f != nil {
		return f
	}
	void := &ctype.Type{Kind: ctype.Void, Size: 1, Align: 1}
	t := &ctype.Type{Kind: ctype.Func, Size: 1, Align: 1, Result: void, Params: []*ctype.Type{ctype.PointerTo(void)}}
	return &cfront.Func{Name: "free", Type: t}
}

// function returns the function of a given name that the program calls; nil if there is none.
func (s *Space) function(name string) *cfront.Func {
	found, ok := s.called[name]
	if ok {
		return found
	}
	defer func() { s.called[name] = found }()
	for _, f := range s.Program.Tree.Funcs {
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.FuncRef); ok && r.Func.Name == name {
					found = r.Func
				}
				return found == nil
			})
		})
		if found != nil {
			break
		}
	}
	return found
}

// Hardened returns the variants of an edit with a null check: one for each pointer that the edit dereferences.
func Hardened(e *repair.Edit) []*repair.Edit {
	if e.New == nil || e.Guard != nil || e.Delete {
		return nil
	}
	var out []*repair.Edit
	seen := map[string]bool{}
	cfront.Walk(e.New, func(x cfront.Expr) bool {
		m, ok := x.(*cfront.Member)
		if !ok || !m.Arrow || seen[cfront.Text(m.X)] {
			return true
		}
		seen[cfront.Text(m.X)] = true
		if g := cfront.NewBinary(ctype.Ne, m.X, cfront.NewConst(m.X.Type(), 0)); g != nil {
			h := *e
			h.Guard = g
			out = append(out, &h)
		}
		return true
	})
	return out
}
