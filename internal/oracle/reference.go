package oracle

import (
	"context"
	"fmt"
	"math/rand"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/target"
	"gulo/internal/target/sim"
	"gulo/internal/testgen"
)

// This file makes suites from a reference implementation: inputs of the shapes with which the entry is called, and the
// reference's results.

// maxEntries bounds the calls of the entry that are examined for an example.
const maxEntries = 12

// Entered runs a program with edits on the machine and returns the state at a call of f. Of the first calls it chooses
// the one with the largest structures. It returns nil if f is not called.
func Entered(ctx context.Context, p *lower.Program, f *cfront.Func, in Start, edits ...*lower.Overlay) (*heap.Image, error) {
	t := sim.New(p, sim.Config{Name: "program", Args: in.Args, Env: in.Env, MaxSteps: 2_000_000, Edits: edits})
	defer t.Close()
	i, ok := p.FuncIndex(f)
	if !ok || p.IR.Main < 0 {
		return nil, nil
	}
	t.Input(in.Stdin)
	t.EndInput()
	stop, err := t.Start(ctx)
	if err != nil {
		return nil, err
	}
	first := p.First(i).Next
	breaks := map[int32]bool{first: true}
	var best *heap.Image
	most, looks := -1, int64(0)
	defer func() { in.spend(budget.Run + t.Steps() + looks*budget.Image) }()
	for n := 0; n < maxEntries; n++ {
		if n > 0 || stop.Stmt != first {
			if stop, err = t.Resume(ctx, target.Continue, breaks); err != nil {
				return best, nil
			}
		}
		if stop.Stmt != first || stop.Reason != target.Breakpoint && stop.Reason != target.Stepped {
			break
		}
		im, err := target.Capture(t)
		if err != nil {
			return best, err
		}
		im.SetTypes(p.Tree)
		looks++
		if k := len(testgen.Infer(im, f).Shapes())*1000 + liveNodes(im); k > most {
			best, most = im, k
		}
	}
	return best, nil
}

// FuncsCalled runs a program on the machine, as Entered does, and returns which of some functions are called.
func FuncsCalled(ctx context.Context, p *lower.Program, funcs []*cfront.Func, in Start) (map[*cfront.Func]bool, error) {
	first := map[int32]*cfront.Func{}
	breaks := map[int32]bool{}
	for _, f := range funcs {
		if i, ok := p.FuncIndex(f); ok {
			at := p.First(i).Next
			first[at], breaks[at] = f, true
		}
	}
	called := map[*cfront.Func]bool{}
	if len(breaks) == 0 || p.IR.Main < 0 {
		return called, nil
	}
	t := sim.New(p, sim.Config{Name: "program", Args: in.Args, Env: in.Env, MaxSteps: 2_000_000})
	defer t.Close()
	defer func() { in.spend(budget.Run + t.Steps()) }()
	t.Input(in.Stdin)
	t.EndInput()
	stop, err := t.Start(ctx)
	if err != nil {
		return nil, err
	}
	for {
		if f := first[stop.Stmt]; f != nil && (stop.Reason == target.Breakpoint || stop.Reason == target.Stepped) {
			called[f] = true
			delete(breaks, stop.Stmt)
		} else if len(called) > 0 || stop.Reason != target.Stepped {
			return called, nil
		}
		if len(breaks) == 0 {
			return called, nil
		}
		if stop, err = t.Resume(ctx, target.Continue, breaks); err != nil {
			return called, nil
		}
	}
}

// Crashed runs a program from main and returns its memory where it crashes, or nil if it does not.
func Crashed(ctx context.Context, p *lower.Program, in Start) (*heap.Image, error) {
	t := sim.New(p, sim.Config{Name: "program", Args: in.Args, Env: in.Env, MaxSteps: maxSteps})
	defer t.Close()
	t.Input(in.Stdin)
	t.EndInput()
	if _, err := t.Start(ctx); err != nil {
		return nil, err
	}
	stop, err := t.Resume(ctx, target.Continue, nil)
	if err != nil || stop.Reason != target.Crashed {
		return nil, err
	}
	im, err := target.Capture(t)
	if err != nil {
		return nil, err
	}
	im.SetTypes(p.Tree)
	return im, nil
}

func liveNodes(im *heap.Image) int {
	n := 0
	for _, o := range im.All() {
		if o.Kind == heap.Node && o.Live {
			n++
		}
	}
	return n
}

// Inputs makes up to n different states to call f in, small ones first, from an example. why says what prevents it if
// there are fewer than two.
func Inputs(im *heap.Image, f *cfront.Func, n int, seed int64) (states []*State, why string) {
	plan := testgen.Infer(im, f)
	seen := map[string]bool{}
	add := func(s *State) {
		if k := s.Identity(); !seen[k] {
			seen[k] = true
			states = append(states, s)
		}
	}
	rnd := rand.New(rand.NewSource(seed))
	near := NumeralsOf(f)
	plan.Near = near.near
	ins := plan.Inputs(n, seed)
	if len(ins) == 0 {
		ins = []*testgen.Input{plan.Example()}
		for len(ins) < n && len(f.Params) > 0 {
			ins = append(ins, plan.Example())
		}
	}
	for k, in := range ins {
		s := Taken(in, f)
		s.vary(f, k, len(plan.Shapes()) == 0, near, rnd)
		add(s)
	}
	if len(states) < 2 {
		why = plan.Why
	}
	return states, why
}

// Shifted returns states like those given, in which every value of a node is less by a number. Negative values occur
// then, and the order of values is the same. In every second state the integer arguments are less, too.
func Shifted(im *heap.Image, f *cfront.Func, states []*State, by int64) []*State {
	values := map[*ctype.Type]map[string]bool{}
	for _, sh := range testgen.Infer(im, f).Shapes() {
		for _, d := range sh.Fields {
			if d.What == testgen.Value {
				if values[sh.Type] == nil {
					values[sh.Type] = map[string]bool{}
				}
				values[sh.Type][d.Field.Name] = true
			}
		}
	}
	if len(values) == 0 {
		return nil
	}
	less := func(v *Value, t *ctype.Type) { v.Word = ctype.Wrap(t, v.Word-ctype.Word(by)) }
	var out []*State
	for n, s := range states {
		c := &State{Globals: s.Globals, Args: append([]Value(nil), s.Args...), Objects: append([]Object(nil), s.Objects...), Text: fmt.Sprintf("%s, values less %d", s.Text, by)}
		for i := range c.Objects {
			o := &c.Objects[i]
			o.Cells = append([]Cell(nil), o.Cells...)
			for t, names := range values {
				for k := range o.Cells {
					if ctype.Same(o.Type, t) && o.Count == 1 && names[o.Cells[k].Path] {
						less(&o.Cells[k].Value, fieldType(t, o.Cells[k].Path))
					}
				}
			}
		}
		if n%2 == 0 {
			for i, p := range f.Params {
				if p.Type.IsInteger() {
					less(&c.Args[i], p.Type)
					c.Text = fmt.Sprintf("%s, values and arguments less %d", s.Text, by)
				}
			}
		}
		out = append(out, c)
	}
	return out
}

func fieldType(t *ctype.Type, name string) *ctype.Type {
	for _, f := range t.Fields {
		if f.Name == name {
			return f.Type
		}
	}
	return t
}

// Every makes every state of up to so many nodes to call f in: all heaps of the example's shape, where values matter
// only by their order. If there are more than limit, it returns nil.
func Every(im *heap.Image, f *cfront.Func, nodes, limit int) []*State {
	ins, complete := testgen.Infer(im, f).All(nodes, 8*limit)
	if !complete {
		return nil
	}
	var states []*State
	seen := map[string]bool{}
	for _, in := range ins {
		s := Taken(in, f)
		if k := s.Identity(); !seen[k] {
			seen[k] = true
			if states = append(states, s); len(states) > limit {
				return nil
			}
		}
	}
	return states
}

// Identity returns a text that is equal for isomorphic states only.
func (s *State) Identity() string {
	var names []string
	for n := range s.Globals {
		names = append(names, n)
	}
	sortStrings(names)
	return s.text(nil, names, indices(len(s.Args)))
}

// vary gives other values to arrays of numbers that are followed by their length and, if numbers is set, to numbers by
// themselves.
func (s *State) vary(f *cfront.Func, k int, numbers bool, near *Numerals, rnd *rand.Rand) {
	var others []int64
	for i, p := range f.Params {
		if p.Type.Kind != ctype.Pointer || !p.Type.Elem.IsInteger() || s.Args[i].Object == 0 || i+1 >= len(f.Params) || !f.Params[i+1].Type.IsInteger() {
			if numbers && k > 0 && p.Type.IsInteger() && (i == 0 || s.Args[i-1].Object == 0) {
				v := near.pick(others, rnd)
				others = append(others, v)
				s.Args[i].Word = ctype.Wrap(p.Type, ctype.Word(v))
			}
			continue
		}
		if k == 0 {
			continue
		}
		o := &s.Objects[s.Args[i].Object-1]
		n := min(k*7/40, 7)
		if k > 40 {
			n = rnd.Intn(13)
		}
		o.Count, o.Cells, o.Type = int64(n), nil, p.Type.Elem
		var vals []string
		for e := 0; e < n; e++ {
			v := int64(rnd.Intn(20))
			if k%2 == 1 {
				v = near.pick(others, rnd)
			}
			others = append(others, v)
			path := fmt.Sprintf("[%d]", e)
			if n == 1 {
				path = ""
			}
			o.Cells = append(o.Cells, Cell{path, Value{Word: ctype.Wrap(p.Type.Elem, ctype.Word(v))}})
			vals = append(vals, fmt.Sprint(v))
		}
		s.Args[i+1].Word = ctype.Word(n)
		s.Text = strings.TrimPrefix(s.Text+fmt.Sprintf("; %s = {%s}", p.Name, strings.Join(vals, ", ")), "; ")
	}
}

// Reference is an implementation that is right by definition.
type Reference struct {
	Prog  *lower.Program
	Entry *cfront.Func
	Texts bool // in blocks of characters only the part before the first zero counts
}

// Suite makes a suite for another program from calls in the given states: the reference's results say what is right.
// dropped counts the states in which the reference itself fails. It is a Mismatch if the signatures differ.
func (ref *Reference) Suite(p *lower.Program, states []*State) (s *Suite, dropped int, err error) {
	f := p.Tree.Func(ref.Entry.Name)
	if err := sameSignature(ref.Entry, f); err != nil {
		return nil, 0, err
	}
	s = &Suite{Prog: p, Entry: f}
	own := &Suite{Prog: ref.Prog, Entry: ref.Entry}
	for _, v := range ref.Prog.Tree.Globals {
		if w := globalOf(p, nameOf(v)); v.Range.Valid() && !strings.HasPrefix(v.Range.File.Name, "@gulo/") && w != nil && !(v.Const && w.Const) && (v.Func == nil || alike(v.Type, w.Type)) {
			s.Globals = append(s.Globals, nameOf(v))
		}
	}
	sortStrings(s.Globals)
	for i, a := range ref.Entry.Params {
		if a.Type.InMemory() || a.Type.Kind == ctype.Pointer && !ctype.Same(a.Type, ref.Entry.Type.Result) {
			s.Args = append(s.Args, i)
		}
	}
	s.Errno = namesErrno(f) || namesErrno(ref.Entry)
	s.Stderr = true
	s.Texts = ref.Texts
	own.Globals, own.Args, own.Errno, own.Stderr, own.Texts = s.Globals, s.Args, s.Errno, true, s.Texts
	r, err := NewRunner(own)
	if err != nil {
		return nil, 0, err
	}
	for _, st := range states {
		c := &Case{Name: st.Text, State: st}
		run, err := r.Run(c, nil)
		if err != nil {
			return nil, 0, err
		}
		if run.Fault != nil {
			dropped++
			continue
		}
		c.Want = run
		s.Cases = append(s.Cases, c)
	}
	return s, dropped, nil
}

// namesErrno reports whether a function, or one that it calls, uses errno. Otherwise what the library leaves in errno
// does not matter.
func namesErrno(f *cfront.Func) (yes bool) {
	for g := range cfront.Callees(f) {
		cfront.WalkStmt(g.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				r, ok := y.(*cfront.FuncRef)
				yes = yes || ok && r.Func.Name == "__errno_location"
				return true
			})
		})
	}
	return yes
}

func globalOf(p *lower.Program, name string) *cfront.Var {
	for _, v := range p.Tree.Globals {
		if nameOf(v) == name {
			return v
		}
	}
	return nil
}

// sameSignature returns an error that says how the signatures of two functions differ, or nil.
func sameSignature(ref, f *cfront.Func) error {
	switch {
	case f == nil:
		return &Mismatch{fmt.Sprintf("the program has no function %s, which the reference has", ref.Name)}
	case len(f.Params) != len(ref.Params):
		return &Mismatch{fmt.Sprintf("%s: %s takes %s, in the reference %d", f.Range.Position(), f.Name, plural.N(len(f.Params), "argument"), len(ref.Params))}
	case !alike(f.Type.Result, ref.Type.Result):
		return &Mismatch{fmt.Sprintf("%s: %s returns %s, in the reference %s", f.Range.Position(), f.Name, f.Type.Result, ref.Type.Result)}
	}
	for i := range f.Params {
		if !alike(f.Params[i].Type, ref.Params[i].Type) {
			return &Mismatch{fmt.Sprintf("%s: argument %d of %s is %s, in the reference %s", f.Range.Position(), i+1, f.Name, f.Params[i].Type, ref.Params[i].Type)}
		}
	}
	return nil
}

// alike compares types of two programs. Pointers to structs are alike here: the structs are compared when states are
// built.
func alike(a, b *ctype.Type) bool {
	if a.Kind == ctype.Pointer && b.Kind == ctype.Pointer {
		x, y := a.Elem, b.Elem
		if x.Kind == ctype.Struct && y.Kind == ctype.Struct {
			return true // their fields are compared when states are built
		}
		return alike(x, y)
	}
	return ctype.Same(a, b)
}
