// Package fault injects faults into programs: ⟨x,y⟩ of Wolverine2 (Verma and Roy, "Debug-Localize-Repair", Formal
// Methods in System Design 58, 2021, section 7.1). In x places a variable or field in a statement or guard is replaced
// by another of fitting type, and y statements are deleted. Beyond the paper there are wrong constants and operators,
// swapped neighbouring statements, and dropped null checks.
//
// A fault is a patch of the right program whose text compiles. The caller has to find out whether it can be
// distinguished from the right program.
package fault

import (
	"fmt"
	"math/rand"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/patch"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
)

// Kind is the kind of a fault.
type Kind string

// The kinds; the first three are the paper's.
const (
	Variable  Kind = "variable"
	Field     Kind = "field"
	Deletion  Kind = "deletion"
	Constant  Kind = "constant"
	Operator  Kind = "operator"
	Swap      Kind = "swap"
	NullCheck Kind = "null-check"
)

// Paper are the paper's kinds of mutations, Beyond our own.
var (
	Paper  = []Kind{Variable, Field}
	Beyond = []Kind{Constant, Operator, Swap, NullCheck}
)

// Mutation is one fault.
type Mutation struct {
	Kind  Kind
	Stmt  int32 // in the right program
	Edits []*repair.Edit
	Line  int // in the right program
	Text  string
}

// Fault is a faulty variant.
type Fault struct {
	Mutations []Mutation
	Patch     *repair.Patch
}

// Source returns the faulty text of the file that the fault is in.
func (f *Fault) Source(p *lower.Program) (file, text string, err error) {
	texts, err := patch.Rewrite(p, f.Patch)
	if err != nil {
		return "", "", err
	}
	var names []string
	for n := range texts {
		names = append(names, n)
	}
	sort.Strings(names)
	if len(names) != 1 {
		return "", "", fmt.Errorf("a fault in %s", plural.N(len(names), "file"))
	}
	return names[0], texts[names[0]], nil
}

// Injector draws faults in some functions of a program.
type Injector struct {
	p         *lower.Program
	byStmt    map[int32][]Mutation
	stmts     []int32
	deletable []Mutation
}

// New prepares an injector for some functions and kinds of mutations.
func New(p *lower.Program, funcs []*cfront.Func, kinds []Kind) *Injector {
	in := &Injector{p: p, byStmt: map[int32][]Mutation{}}
	want := map[Kind]bool{}
	for _, k := range kinds {
		want[k] = true
	}
	inside := map[*cfront.Func]bool{}
	for _, f := range funcs {
		// Library functions that gulo writes in C are left out.
		inside[f] = f.Range.Valid() && f.Range.File.Name[0] != '@'
	}
	sp := space.New(space.Config{Program: p})
	var prev *lower.Stmt
	for _, s := range p.Stmts {
		if s == nil || !inside[s.Func] || !s.Stop || prints(s) {
			continue
		}
		u := sp.Unit(s.ID)
		if u.Locked {
			prev = nil
			continue
		}
		e := &enumeration{s: s, want: want, vars: sp.Variables(s)}
		e.expression(u.Original())
		if want[Swap] && prev != nil && neighbours(prev, s) {
			e.out = append(e.out, Mutation{Swap, s.ID, []*repair.Edit{{Stmt: prev.ID, New: s.X}, {Stmt: s.ID, New: prev.X}}, 0, ""})
		}
		for _, m := range e.out {
			m.Line = s.Range.Position().Line
			m.Text = text(p, m.Edits)
			in.byStmt[s.ID] = append(in.byStmt[s.ID], m)
		}
		if len(e.out) > 0 {
			in.stmts = append(in.stmts, s.ID)
		}
		if s.Kind == lower.Expr {
			m := Mutation{Deletion, s.ID, []*repair.Edit{{Stmt: s.ID, Delete: true}}, s.Range.Position().Line, ""}
			m.Text = text(p, m.Edits)
			in.deletable = append(in.deletable, m)
		}
		prev = s
	}
	return in
}

func text(p *lower.Program, edits []*repair.Edit) string {
	t := ""
	for i, e := range edits {
		if i > 0 {
			t += "; "
		}
		t += e.Describe(p)
	}
	return t
}

// prints reports whether a statement calls a library function other than those that allocate, compare or compute: its
// effect is not in the heap.
func prints(s *lower.Stmt) bool {
	found := false
	visit := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.FuncRef); ok && r.Func.Body == nil {
				switch r.Func.Name {
				case "malloc", "calloc", "realloc", "free", "strcmp", "abs":
				default:
					found = true
				}
			}
			return true
		})
	}
	for _, x := range s.Exprs() {
		visit(x)
	}
	return found
}

// neighbours reports whether two statements follow each other in one block.
func neighbours(a, b *lower.Stmt) bool {
	return a.Kind == lower.Expr && b.Kind == lower.Expr && a.Func == b.Func && a.EndBlock == b.Block && a.EndAt == b.At
}

// Possible returns how many mutations there are, and how many deletions.
func (in *Injector) Possible() (mutations, deletions int) {
	for _, ms := range in.byStmt {
		mutations += len(ms)
	}
	return mutations, len(in.deletable)
}

// All lists all single faults.
func (in *Injector) All() []*Fault {
	var out []*Fault
	for _, id := range in.stmts {
		for _, m := range in.byStmt[id] {
			out = append(out, combine(m))
		}
	}
	for _, m := range in.deletable {
		out = append(out, combine(m))
	}
	return out
}

func combine(ms ...Mutation) *Fault {
	f := &Fault{Patch: repair.NewPatch(), Mutations: ms}
	for _, m := range ms {
		f.Patch = f.Patch.Merge(repair.NewPatch(m.Edits...))
	}
	return f
}

// Draw draws a fault of x mutations and y deletions, at different statements; nil if the functions are too small for
// it.
func (in *Injector) Draw(rnd *rand.Rand, x, y int) *Fault {
	for try := 0; try < 50; try++ {
		used := map[int32]bool{}
		var ms []Mutation
		take := func(m Mutation) bool {
			for _, e := range m.Edits {
				if used[e.Stmt] {
					return false
				}
			}
			for _, e := range m.Edits {
				used[e.Stmt] = true
			}
			ms = append(ms, m)
			return true
		}
		ok := true
		for i := 0; i < x && ok; i++ {
			if ok = len(in.stmts) > 0; ok {
				list := in.byStmt[in.stmts[rnd.Intn(len(in.stmts))]]
				ok = take(list[rnd.Intn(len(list))])
			}
		}
		for i := 0; i < y && ok; i++ {
			ok = len(in.deletable) > 0 && take(in.deletable[rnd.Intn(len(in.deletable))])
		}
		if ok {
			return combine(ms...)
		}
	}
	return nil
}

// enumeration lists the mutations of one statement.
type enumeration struct {
	s    *lower.Stmt
	want map[Kind]bool
	vars []*cfront.Var
	root cfront.Expr
	out  []Mutation
}

func (e *enumeration) add(k Kind, old, new cfront.Expr) {
	if new == nil || !e.want[k] {
		return
	}
	x := cfront.Replace(e.root, old, new)
	if cfront.Text(x) == cfront.Text(e.root) {
		return
	}
	e.out = append(e.out, Mutation{Kind: k, Stmt: e.s.ID, Edits: []*repair.Edit{{Stmt: e.s.ID, New: x}}})
}

func (e *enumeration) expression(root cfront.Expr) {
	e.root = root
	cfront.Walk(root, func(x cfront.Expr) bool {
		switch x := x.(type) {
		case *cfront.Ref:
			for _, v := range e.vars {
				if v != x.Var && ctype.Same(v.Type, x.Var.Type) {
					e.add(Variable, x, cfront.NewRef(v))
				}
			}
		case *cfront.Member:
			e.fields(x)
		case *cfront.Const:
			if x.Type().IsInteger() && x.Editable() {
				e.add(Constant, x, cfront.NewConst(x.Type(), ctype.Wrap(x.Type(), x.Value+1)))
				e.add(Constant, x, cfront.NewConst(x.Type(), ctype.Wrap(x.Type(), x.Value-1)))
			}
		case *cfront.Binary:
			for _, op := range space.SameKind(x.Op, x.X.Type()) {
				if x.X.Type().Kind != ctype.Pointer || op == ctype.Eq || op == ctype.Ne {
					e.add(Operator, x, cfront.WithOp(x, func(b *cfront.Binary, _ *cfront.Assign) { b.Op = op }))
				}
			}
		case *cfront.IncDec:
			e.add(Operator, x, cfront.WithOp(x, nil))
		case *cfront.Logical:
			e.checks(x)
		}
		return true
	})
}

// fields replaces a field by other fields of the same type.
func (e *enumeration) fields(x *cfront.Member) {
	t := x.X.Type()
	if x.Arrow {
		t = t.Elem
	}
	for _, f := range t.Fields {
		if f.Name != "" && f.Name != x.Field.Name && f.BitLen == 0 && ctype.Same(f.Type, x.Field.Type) {
			e.add(Field, x, cfront.NewMember(x.X, f))
		}
	}
	// p->f becomes p, and p->f->g becomes p->g: one step too few.
	if x.Arrow && ctype.Same(x.X.Type(), x.Type()) {
		e.add(Field, x, x.X)
	}
}

// checks drops null comparisons from conjunctions and disjunctions, and swaps && and
//
// .
func (e *enumeration) checks(x *cfront.Logical) {
	e.add(Operator, x, cfront.NewLogical(!x.And, x.X, x.Y))
	if nullCheck(x.X) {
		e.add(NullCheck, x, x.Y)
	}
	if nullCheck(x.Y) {
		e.add(NullCheck, x, x.X)
	}
}

func nullCheck(x cfront.Expr) bool {
	b, ok := cfront.Skip(x).(*cfront.Binary)
	return ok && (cfront.IsNull(b.Y) || cfront.IsNull(b.X))
}
