// Package oracle judges programs. It runs a function, as a patch leaves it, on generated inputs. It says what goes
// wrong on which input, and on which inputs two patches differ.
package oracle

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/testgen"
)

// Outcome is the result of a run.
type Outcome struct {
	Error string // the error in which it ended; empty for none
	Shape string // what is wrong with the shape of the structures; empty for nothing
	Lost  int    // nodes that nothing points to any more
	Kept  string // name of a predicate that does not hold afterwards; empty for none
	State string // canonical text, equal for isomorphic results
	Text  string // the structures, for people
}

// Bad reports whether something is certainly wrong.
func (o *Outcome) Bad() bool { return o.Error != "" || o.Kept != "" }

// Trials runs a function on inputs.
type Trials struct {
	Prog *lower.Program
	Plan *testgen.Plan
	Keep []*cfront.Func // predicates that must hold afterwards
	N    int            // inputs; 0 means 120
	Seed int64

	Stop  func() bool   // called before every input, returns true to give up; may be nil
	Spend func(n int64) // called with the cost of each run; may be nil
}

// Costs of a run: its start and the check of its result, and each statement.
const (
	trialCost     = 1_000
	statementCost = 15
)

// spend reports the cost of a run.
func (j *Trials) spend(w *eval.World) {
	if j.Spend != nil {
		j.Spend(trialCost + statementCost*int64(w.Steps()))
	}
}

// Tally is the outcome of a patch on all inputs.
type Tally struct {
	Outcomes []Outcome
	Errors   int // runs that ended in an error state
	Broken   int // runs with a wrong shape, or that lost nodes although the example loses none
	Usual    int // nodes that the session's own example loses
	Unkept   int // runs after which a predicate does not hold
	Outside  int // runs that do not count above, see LeaveOut
	Unknown  string
}

// LeaveOut excludes from all tallies the inputs that end in an error in every one of them. The function is not meant
// for such inputs, or they say nothing about the difference. It returns the index of the first one, or -1.
func LeaveOut(vs []*Tally) int {
	first := -1
	if len(vs) == 0 {
		return first
	}
	for i := range vs[0].Outcomes {
		all := true
		for _, v := range vs {
			all = all && i < len(v.Outcomes) && v.Outcomes[i].Error != ""
		}
		if !all {
			continue
		}
		if first < 0 {
			first = i
		}
		for _, v := range vs {
			v.Errors--
			v.Outside++
		}
	}
	return first
}

// Better reports whether v is better than w: fewer errors and violated predicates or, if equal, fewer broken shapes.
func (v *Tally) Better(w *Tally) bool {
	a, b := v.Errors+v.Unkept, w.Errors+w.Unkept
	if a != b {
		return a < b
	}
	return v.Broken < w.Broken
}

func (j *Trials) inputs() []*testgen.Input {
	if j.N == 0 {
		j.N = 120
	}
	return j.Plan.Inputs(j.N, j.Seed+1)
}

// Inputs describes the inputs.
func (j *Trials) Inputs() []string {
	var out []string
	for _, in := range j.inputs() {
		out = append(out, in.Text)
	}
	return out
}

// Run runs the function with a patch on every input. What the patch does in the session's own example is right by
// definition. So if that run loses nodes or leaves another shape, other runs are not broken for doing the same; Outcome
// still counts the lost nodes.
func (j *Trials) Run(patch *repair.Patch) *Tally {
	v := &Tally{}
	usual, err := j.run(j.Plan.Example(), patch)
	if err != nil {
		v.Unknown = err.Error()
		return v
	}
	v.Usual = usual.Lost
	for _, in := range j.inputs() {
		if j.Stop != nil && j.Stop() {
			v.Unknown = "the search was stopped"
			return v
		}
		o, err := j.run(in, patch)
		if err != nil {
			v.Unknown = err.Error()
			return v
		}
		if usual.Shape == o.Shape {
			o.Shape = ""
		}
		v.Outcomes = append(v.Outcomes, o)
		switch {
		case o.Error != "":
			v.Errors++
		case o.Kept != "":
			v.Unkept++
		case o.Shape != "" || o.Lost > 0 && usual.Lost == 0:
			v.Broken++
		}
	}
	return v
}

// run runs one input. An error means that the run cannot be judged.
func (j *Trials) run(in *testgen.Input, patch *repair.Patch) (Outcome, error) {
	w := &eval.World{Heap: in.Mem, Quiet: true}
	patch.Patched(j.Prog, w)
	var o Outcome
	result, err := w.Run(j.Plan.Func, in.Args)
	j.spend(w)
	if err != nil {
		if errors.Is(err, eval.ErrSupport) {
			return o, err
		}
		o.Error = err.Error()
		if at := w.At(); at != nil {
			p := at.Range().Position()
			if p.Line > 0 {
				o.Error += fmt.Sprintf(" at %s:%d", p.File, p.Line)
			}
		}
		return o, nil
	}
	j.shape(&o, in, result)
	for _, f := range j.Keep {
		args, ok := keepArgs(f, in, j.Plan.Func, result)
		if !ok {
			continue
		}
		w := &eval.World{Heap: in.Mem, Quiet: true}
		t, err := w.Run(f, args)
		j.spend(w)
		if err != nil && errors.Is(err, eval.ErrSupport) {
			return o, err
		}
		if err != nil || t == 0 {
			o.Kept = f.Name
			break
		}
	}
	return o, nil
}

// keepArgs chooses the argument of a predicate: none, the function's result, or the function's first argument of the
// same type. It returns false if none fits.
func keepArgs(f *cfront.Func, in *testgen.Input, subject *cfront.Func, result ctype.Word) ([]ctype.Word, bool) {
	switch {
	case len(f.Params) == 0:
		return nil, true
	case len(f.Params) > 1:
		return nil, false
	case subject.Result != nil && ctype.Same(subject.Result.Type, f.Params[0].Type):
		return []ctype.Word{result}, true
	}
	for i, p := range subject.Params {
		if ctype.Same(p.Type, f.Params[0].Type) {
			return []ctype.Word{in.Args[i]}, true
		}
	}
	return nil, false
}

// Fits reports whether a predicate can be called after a run of a function, see keepArgs.
func Fits(f, subject *cfront.Func) bool {
	if f.Body == nil || f.Type.Result == nil || !f.Type.Result.IsInteger() {
		return false
	}
	if len(f.Params) == 0 || len(f.Params) == 1 && subject.Result != nil && ctype.Same(subject.Result.Type, f.Params[0].Type) {
		return true
	}
	for _, p := range subject.Params {
		if len(f.Params) == 1 && ctype.Same(p.Type, f.Params[0].Type) {
			return true
		}
	}
	return false
}

// start is a value from which the result's structures are reached.
type start struct {
	name string
	word ctype.Word
	typ  *ctype.Type
}

// starts lists the globals, those variables of callers whose address is taken, the pointer arguments and the result, by
// name.
func (j *Trials) starts(in *testgen.Input, result ctype.Word) []start {
	var out []start
	for _, o := range in.Mem.All() {
		outer := o.Kind == heap.Local && o.Var != nil && o.Frame > 0 && o.Var.Exposed()
		if o.Var == nil || o.Kind != heap.Global && !outer {
			continue
		}
		out = append(out, j.fields(in, o.Var.Name, o.Addr, o.TypeOf())...)
	}
	for i, p := range j.Plan.Func.Params {
		if p.Type.Kind == ctype.Pointer {
			out = append(out, start{p.Name, in.Args[i], p.Type})
		}
	}
	if r := j.Plan.Func.Result; r != nil {
		out = append(out, start{"result", result, r.Type})
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].name < out[b].name })
	return out
}

func (j *Trials) fields(in *testgen.Input, name string, a ctype.Word, t *ctype.Type) []start {
	if t.IsScalar() {
		w, _ := in.Mem.Image.Load(a, t)
		return []start{{name, w, t}}
	}
	var out []start
	if t.IsAggregate() && !t.Private() { // what a lock holds is nobody's result
		for _, f := range t.Fields {
			if f.BitLen == 0 {
				out = append(out, j.fields(in, name+"."+f.Name, a+ctype.Word(f.Offset), f.Type)...)
			}
		}
	}
	return out
}

// walker numbers nodes in the order in which they are reached.
type walker struct {
	in    *testgen.Input
	names map[ctype.Word]int
	types map[ctype.Word]*ctype.Type
	order []ctype.Word
	b     strings.Builder
}

func (w *walker) value(v ctype.Word, t *ctype.Type) {
	if t.Kind != ctype.Pointer || v == 0 {
		fmt.Fprintf(&w.b, "%d", int64(v))
		return
	}
	o := w.in.Mem.Find(v)
	switch {
	case o == nil || o.Kind == heap.Node && !o.Live:
		w.b.WriteString("dangling")
	case o.Kind == heap.Static:
		fmt.Fprintf(&w.b, "%s", w.in.Mem.Symbol(v, t).Text)
	case o.Kind != heap.Node:
		fmt.Fprintf(&w.b, "&%s+%d", o.Var.Name, v-o.Addr)
	default:
		n, ok := w.names[o.Addr]
		if !ok {
			n = len(w.order) + 1
			w.names[o.Addr] = n
			w.types[o.Addr] = t.Elem
			w.order = append(w.order, o.Addr)
		}
		fmt.Fprintf(&w.b, "#%d", n)
		if v != o.Addr {
			fmt.Fprintf(&w.b, "+%d", v-o.Addr)
		}
	}
}

// shape records the canonical state, the lost nodes, and what is wrong with the shape.
func (j *Trials) shape(o *Outcome, in *testgen.Input, result ctype.Word) {
	w := &walker{in: in, names: map[ctype.Word]int{}, types: map[ctype.Word]*ctype.Type{}}
	starts := j.starts(in, result)
	for _, s := range starts {
		fmt.Fprintf(&w.b, "%s=", s.name)
		w.value(s.word, s.typ)
		w.b.WriteByte(' ')
	}
	for i := 0; i < len(w.order) && i < 2000; i++ {
		t := w.types[w.order[i]]
		fmt.Fprintf(&w.b, "#%d{", i+1)
		if t.IsAggregate() {
			for _, f := range t.Fields {
				a := w.order[i] + ctype.Word(f.Offset)
				if !f.Type.IsScalar() || f.BitLen > 0 {
					continue
				}
				x, ok := in.Mem.Load(a, f.Type)
				if !ok {
					w.b.WriteString("? ")
					if o.Shape == "" {
						o.Shape = f.Name + " of a node is never written"
					}
					continue
				}
				w.value(x, f.Type)
				w.b.WriteByte(' ')
			}
		}
		w.b.WriteByte('}')
	}
	o.State = w.b.String()
	o.Text = j.text(w, starts)
	for _, ob := range in.Mem.All() {
		if _, met := w.names[ob.Addr]; ob.Kind == heap.Node && ob.Live && !met && len(ob.Data) > 0 {
			o.Lost++
		}
	}
	if o.Shape == "" {
		o.Shape = j.invariants(w)
	}
}

// text writes, for people, the structures that the starts lead to.
func (j *Trials) text(w *walker, starts []start) string {
	load := func(n ctype.Word, f *ctype.Field) ctype.Word {
		v, _ := w.in.Mem.Image.Load(n+ctype.Word(f.Offset), f.Type)
		return v
	}
	var out []string
	args := map[string]bool{}
	for _, p := range j.Plan.Func.Params {
		args[p.Name] = true
	}
	// If nothing else leads to a structure, the arguments show what the function did.
	given := true
	for _, s := range starts {
		given = given && (args[s.name] || s.typ.Kind != ctype.Pointer)
	}
	for _, s := range starts {
		if !s.typ.IsInteger() && s.typ.Kind != ctype.Pointer || args[s.name] && (!given || s.typ.Kind != ctype.Pointer) {
			continue
		}
		if s.typ.IsInteger() {
			out = append(out, fmt.Sprintf("%s = %d", s.name, int64(s.word)))
			continue
		}
		for _, sh := range j.Plan.Shapes() {
			if !ctype.Same(s.typ.Elem, sh.Type) {
				continue
			}
			out = append(out, s.name+": "+structure(w, sh, s.word, load))
		}
	}
	return strings.Join(out, "; ")
}

func structure(w *walker, s *testgen.Shape, n ctype.Word, load func(ctype.Word, *ctype.Field) ctype.Word) string {
	label := func(n ctype.Word) string {
		if o := w.in.Mem.Find(n); o == nil || !o.Live {
			return "freed"
		}
		var parts []string
		for i := range s.Fields {
			parts = append(parts, fmt.Sprint(int64(load(n, &s.Fields[i].Field))))
		}
		if len(parts) == 0 {
			return fmt.Sprintf("#%d", w.names[n])
		}
		return strings.Join(parts, ",")
	}
	seen := map[ctype.Word]bool{}
	if s.Kind == testgen.Tree {
		var walk func(n ctype.Word) string
		walk = func(n ctype.Word) string {
			switch l, r := ctype.Word(0), ctype.Word(0); {
			case n == 0:
				return "."
			case seen[n]:
				return "..."
			default:
				seen[n] = true
				if l, r = load(n, s.Left), load(n, s.Right); l == 0 && r == 0 {
					return label(n)
				}
				return fmt.Sprintf("(%s %s %s)", walk(l), label(n), walk(r))
			}
		}
		return walk(n)
	}
	var parts []string
	for ; n != 0; n = load(n, s.Next) {
		if seen[n] {
			parts = append(parts, "...")
			break
		}
		seen[n] = true
		parts = append(parts, label(n))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// invariants checks that the nodes are still linked as they were on entry, and says what is wrong.
func (j *Trials) invariants(w *walker) string {
	load := func(n ctype.Word, f *ctype.Field) ctype.Word {
		v, _ := w.in.Mem.Image.Load(n+ctype.Word(f.Offset), f.Type)
		return v
	}
	for _, s := range j.Plan.Shapes() {
		parents := map[ctype.Word]int{}
		for _, n := range w.order {
			if !ctype.Same(w.types[n], s.Type) {
				continue
			}
			switch s.Kind {
			case testgen.Tree:
				for _, f := range []*ctype.Field{s.Left, s.Right} {
					c := load(n, f)
					if c == 0 {
						continue
					}
					if parents[c]++; parents[c] > 1 {
						return "a node of the tree has two parents"
					}
					if s.Parent != nil && load(c, s.Parent) != n {
						return "a " + s.Parent.Name + " link is wrong"
					}
				}
			default:
				m := load(n, s.Next)
				if m == 0 {
					if s.Circular {
						return "the list is not circular any more"
					}
					continue
				}
				if parents[m]++; parents[m] > 1 {
					return "two nodes have the same " + s.Next.Name
				}
				if s.Prev != nil && load(m, s.Prev) != n {
					return s.Prev.Name + " does not undo " + s.Next.Name
				}
			}
		}
		if msg := j.cycles(w, s, load); msg != "" {
			return msg
		}
	}
	return ""
}

func (j *Trials) cycles(w *walker, s *testgen.Shape, load func(ctype.Word, *ctype.Field) ctype.Word) string {
	for _, n := range w.order {
		if !ctype.Same(w.types[n], s.Type) {
			continue
		}
		if s.Kind == testgen.Tree {
			if !treeOrder(n, s, load, -1<<62, 1<<62, 0) {
				return "the tree is not a search tree any more"
			}
			continue
		}
		if s.Circular {
			continue
		}
		seen := map[ctype.Word]bool{}
		for m := n; m != 0; m = load(m, s.Next) {
			if seen[m] {
				return "the list runs in a circle"
			}
			seen[m] = true
			next := load(m, s.Next)
			if s.Order == testgen.Rising && s.Key != nil && next != 0 && int64(load(m, s.Key)) > int64(load(next, s.Key)) {
				return "the list is not sorted any more"
			}
		}
	}
	return ""
}

func treeOrder(n ctype.Word, s *testgen.Shape, load func(ctype.Word, *ctype.Field) ctype.Word, lo, hi int64, depth int) bool {
	if n == 0 {
		return true
	}
	if depth > 200 {
		return false
	}
	k := int64(0)
	if s.Key != nil && s.Order == testgen.Rising {
		if k = int64(load(n, s.Key)); k < lo || k > hi {
			return false
		}
		return treeOrder(load(n, s.Left), s, load, lo, k, depth+1) && treeOrder(load(n, s.Right), s, load, k, hi, depth+1)
	}
	return treeOrder(load(n, s.Left), s, load, lo, hi, depth+1) && treeOrder(load(n, s.Right), s, load, lo, hi, depth+1)
}

// Differing compares two tallies. n counts the inputs on which neither run ends in an error and the results differ,
// mended those on which only the second run does, and spoilt those on which only the first run does.
func Differing(a, b *Tally) (n, mended, spoilt int) {
	for i := range a.Outcomes {
		if i >= len(b.Outcomes) {
			break
		}
		switch x, y := &a.Outcomes[i], &b.Outcomes[i]; {
		case x.Error == "" && y.Error != "":
			mended++
		case x.Error != "" && y.Error == "":
			spoilt++
		case x.Error == "" && x.State != y.State:
			n++
		}
	}
	return n, mended, spoilt
}

// Differ returns the index of the first input on which two tallies differ, or -1.
func Differ(a, b *Tally) int {
	for i := range a.Outcomes {
		if i >= len(b.Outcomes) {
			return i
		}
		x, y := &a.Outcomes[i], &b.Outcomes[i]
		if (x.Error == "") != (y.Error == "") || x.Error == "" && x.State != y.State {
			return i
		}
	}
	return -1
}
