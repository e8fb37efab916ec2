package logic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/plural"
	"gulo/internal/sat"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file makes the program's inputs: the entry's parameters, and static storage. Results of input() are made during
// execution.

// input is one input: a scalar, an array, a variable or a structure.
type input struct {
	name   string
	typ    *ctype.Type // of an element
	terms  []symbolic.Input
	array  bool
	param  int      // index of the parameter; -1 for a variable
	store  *storage // the variable with static storage; nil for a parameter
	zero   bool     // an array that is only written, and starts as zero
	ended  bool     // a text whose last character is assumed to be 0
	length bool     // a number that is assumed to be at most the length of the array before it
	block  map[*symbolic.Engine]uint32
	shape  *structure // a list or tree; nil for others
}

type inputs struct {
	list   []*input
	assume *smt.Term
	// assumption for native runs, which includes inputs on which the reference was not followed to its end; nil: assume
	wide  *smt.Term
	terms *smt.Terms
}

// Default lengths of arrays.
const (
	arrayLen  = 5
	stringLen = 7
)

// lengthOf returns the number of elements of an array: the given one, or a default if that is 0.
func lengthOf(said int, elem *ctype.Type) int {
	switch {
	case said > 0:
		return said
	case elem.Size == 1:
		return stringLen
	}
	return arrayLen
}

func (t *task) makeInputs(ctx context.Context) (*inputs, error) {
	file := t.file
	said := map[string]job.Input{}
	for _, l := range file.Inputs {
		said[l.Name] = l
	}
	in := &inputs{assume: t.terms.True, terms: t.terms}
	if t.entry.Name != "main" {
		for i, p := range t.entry.Params {
			if err := t.parameter(in, i, p, said); err != nil {
				return nil, err
			}
			delete(said, p.Name)
		}
	}
	t.storageInputs(in, said)
	var left []string
	for n := range said {
		left = append(left, n)
	}
	if sort.Strings(left); len(left) > 0 {
		return nil, job.Usage("%s: %s is no parameter of %s and no global variable", t.req.Inputs, left[0], t.entry.Name)
	}
	t.defaults(in, file)
	return in, t.precondition(ctx, in, file.Pre)
}

func (t *task) parameter(in *inputs, i int, p *cfront.Var, said map[string]job.Input) error {
	l := said[p.Name]
	name := p.Name
	if name == "" {
		name = fmt.Sprintf("argument%d", i+1)
	}
	at := p
	if t.of != nil {
		at = t.of.Params[i]
	}
	switch {
	case p.Type.IsInteger():
		in.scalar(name, p.Type, l).param = i
	case p.Type.Kind == ctype.Pointer && p.Type.Elem.IsInteger():
		n := lengthOf(l.Len, p.Type.Elem)
		a := &input{name: name, typ: p.Type.Elem, array: true, param: i, zero: l.Output, block: map[*symbolic.Engine]uint32{}}
		for k := range n {
			s := symbolic.Input{Name: fmt.Sprintf("%s[%d]", name, k), Type: a.typ}
			if s.Term = in.terms.Var(s.Name, uint8(8*a.typ.Size)); l.Output {
				s.Term = in.terms.Const(0, uint8(8*a.typ.Size))
			}
			in.bound(&s, l)
			a.terms = append(a.terms, s)
		}
		in.list = append(in.list, a)
	case p.Type.Kind == ctype.Pointer && p.Type.Elem.Kind == ctype.Struct && in.structureInput(name, p.Type.Elem, l):
		in.list[len(in.list)-1].param = i
		if t.ref != nil {
			return &symbolic.Unsupported{Pos: at.Range.Position(), What: fmt.Sprintf("what %s leads to is not compared with the reference's on symbols", name)}
		}
	default:
		return &symbolic.Unsupported{Pos: at.Range.Position(), What: fmt.Sprintf("parameter %s is a %s, which is not made as a symbol", p.Name, p.Type)}
	}
	return nil
}

func (in *inputs) scalar(name string, t *ctype.Type, l job.Input) *input {
	s := symbolic.Input{Name: name, Type: t, Term: in.terms.Var(name, uint8(8*t.Size))}
	in.bound(&s, l)
	x := &input{name: name, typ: t, terms: []symbolic.Input{s}, param: -1}
	in.list = append(in.list, x)
	return x
}

// bound restricts an input to its range.
func (in *inputs) bound(s *symbolic.Input, l job.Input) {
	ts := in.terms
	if s.Term.Op != smt.OpVar {
		return
	}
	w := s.Term.Width
	if s.Type.Kind == ctype.Bool {
		in.assume = ts.And(in.assume, ts.Less(s.Term, ts.Const(1, w), false, true))
	}
	if l, in.assume = fitting(l, s.Type, ts, in.assume); in.assume == ts.False {
		return
	}
	if l.Min != nil {
		in.assume = ts.And(in.assume, ts.Less(ts.Const(uint64(*l.Min), w), s.Term, s.Type.Signed, true))
	}
	if l.Max != nil {
		in.assume = ts.And(in.assume, ts.Less(s.Term, ts.Const(uint64(*l.Max), w), s.Type.Signed, true))
	}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	if l.Min != nil && (s.Type.Signed || *l.Min >= 0) {
		lo = *l.Min
	}
	if l.Max != nil && (s.Type.Signed || l.Min != nil) {
		hi = *l.Max
	}
	if s.Type.Signed || l.Min != nil && l.Max != nil && *l.Max <= math.MaxInt64>>(64-w) {
		ts.Bound(s.Term, lo, hi)
	}
	if l.Min != nil && l.Max != nil && *l.Min < *l.Max && *l.Max-*l.Min < math.MaxInt32 {
		s.Lo, s.Hi = *l.Min, *l.Max
	}
}

// fitting removes bounds that every number of a type meets. If no number of the type meets them, the returned
// assumption is false.
func fitting(l job.Input, t *ctype.Type, ts *smt.Terms, assume *smt.Term) (job.Input, *smt.Term) {
	lo, hi := int64(0), int64(math.MaxInt64)
	if t.Signed {
		lo, hi = math.MinInt64>>(64-8*t.Size), math.MaxInt64>>(64-8*t.Size)
	} else if t.Size < 8 {
		hi = 1<<(8*t.Size) - 1
	}
	if l.Min != nil && *l.Min > hi || l.Max != nil && *l.Max < lo {
		return l, ts.False
	}
	if l.Min != nil && *l.Min < lo {
		l.Min = nil
	}
	if l.Max != nil && *l.Max > hi {
		l.Max = nil
	}
	return l, assume
}

// possible returns an error if no input meets the assumptions, as everything would be proved then.
func (t *task) possible(ctx context.Context) error {
	if len(t.file.Inputs) == 0 && t.file.Pre == "" {
		return nil
	}
	ans, _, err := t.ask.Check(ctx, t.inputs.assume)
	if err == nil && ans == sat.Unsatisfiable {
		return job.Usage("%s: no input of %s is as it is said to be", cmp.Or(t.req.Inputs, t.req.Contract), t.called())
	}
	return err
}

// defaults bounds numbers that follow an array by its length, and ends texts with a zero.
func (t *task) defaults(in *inputs, file *job.Inputs) {
	ts := t.terms
	said := map[string]bool{}
	for _, l := range file.Inputs {
		said[l.Name] = l.Bounded()
	}
	if file.Pre != "" {
		return
	}
	for k, a := range in.list {
		if !a.array || a.param < 0 {
			continue
		}
		if a.typ.Size == 1 {
			last := a.terms[len(a.terms)-1].Term
			if last.Op == smt.OpVar && !said[a.name] {
				in.assume = ts.And(in.assume, ts.Eq(last, ts.Const(0, 8)))
				a.ended = true
			}
		}
		if k+1 < len(in.list) && !in.list[k+1].array && !said[in.list[k+1].name] && in.list[k+1].param == a.param+1 {
			n := &in.list[k+1].terms[0]
			in.assume = ts.And(in.assume, ts.And(ts.Less(ts.Const(0, n.Term.Width), n.Term, n.Type.Signed, true),
				ts.Less(n.Term, ts.Const(uint64(len(a.terms)), n.Term.Width), n.Type.Signed, true)))
			ts.Bound(n.Term, 0, int64(len(a.terms)))
			n.Lo, n.Hi = 0, int64(len(a.terms))
			in.list[k+1].length = true
			t.notes = append(t.notes, fmt.Sprintf("%s is at most %d, the length that %s is given", n.Name, len(a.terms), a.name))
		}
	}
}

// readGlobals lists the global variables that are inputs: those in said, and those that the entry reads and does not
// write, but another function writes.
func (t *task) readGlobals(said map[string]job.Input) []*cfront.Var {
	reads, writes, others := map[*cfront.Var]bool{}, map[*cfront.Var]bool{}, map[*cfront.Var]bool{}
	for _, f := range t.tree.Funcs {
		if !written(f) {
			continue
		}
		w := others
		if t.own[f] {
			w = writes
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch z := y.(type) {
				case *cfront.Assign:
					if r, ok := cfront.Skip(z.L).(*cfront.Ref); ok {
						w[r.Var] = true
					}
				case *cfront.Call:
					for _, a := range z.Args { // scanf and its like
						if p, ok := cfront.Skip(a).(*cfront.Addr); ok {
							if r, ok := p.X.(*cfront.Ref); ok {
								w[r.Var] = true
							}
						}
					}
				case *cfront.Ref:
					if t.own[f] {
						reads[z.Var] = true
					}
				}
				return true
			})
		})
	}
	var out []*cfront.Var
	for _, v := range t.tree.Globals {
		_, asked := said[v.Name]
		free := t.entry.Name != "main" && reads[v] && !writes[v] && others[v]
		if v.Func == nil && len(scalars(v.Type, 0)) > 0 && (asked || free) {
			out = append(out, v)
		}
	}
	return out
}

// storageInputs makes inputs of static storage. With a reference that is all storage that both programs have and
// something may change: the programs are compared for any initial values. Without one, assertions are checked for the
// initial values, except for variables that other functions set and the entry only reads.
func (t *task) storageInputs(in *inputs, said map[string]job.Input) {
	read := map[*cfront.Var]bool{}
	for _, v := range t.readGlobals(said) {
		read[v] = true
	}
	all := 0
	for _, s := range t.storage {
		_, asked := said[s.name]
		asked = asked && s.own != nil && s.own.Func == nil && len(s.cells) > 0
		free := t.ref != nil && t.entry.Name != "main" && s.own != nil && s.ref != nil && !s.constant
		if s.own != nil {
			free = free || t.ref == nil && read[s.own]
		}
		if n := len(s.cells); !asked && (!free || n == 0 || n > mostCells || all+n > mostAllCells) {
			continue
		}
		all += len(s.cells)
		s.symbolic = true
		t.storageInput(in, s, said[s.name])
		if asked {
			delete(said, s.name)
		}
	}
}

func (t *task) storageInput(in *inputs, s *storage, l job.Input) {
	g := &input{name: s.name, typ: s.cells[0].typ, param: -1, store: s}
	for _, c := range s.cells {
		x := symbolic.Input{Name: s.name + c.path, Type: c.typ, Term: in.terms.Var(s.name+c.path, uint8(8*c.typ.Size))}
		in.bound(&x, l)
		g.terms = append(g.terms, x)
	}
	in.list = append(in.list, g)
}

// precondition adds a condition on the inputs, given as C text.
func (t *task) precondition(ctx context.Context, in *inputs, text string) error {
	if text == "" {
		return nil
	}
	byVar := map[*cfront.Var]*smt.Term{}
	x, err := cfront.ParseExpr(text, func(name string) *cfront.Var {
		for _, i := range in.list {
			if i.name == name && !i.array && len(i.terms) == 1 {
				for v := range byVar {
					if v.Name == name {
						return v
					}
				}
				v := &cfront.Var{Name: name, Type: i.typ, Storage: cfront.Param}
				byVar[v] = t.terms.Extend(i.terms[0].Term, i.typ.Signed && i.typ.Kind == ctype.Int, 64)
				return v
			}
		}
		return nil
	})
	if err != nil {
		return job.Usage("%s: pre: %v", t.req.Inputs, err)
	}
	e := symbolic.New(t.prog, t.terms, symbolic.Options{Wrap: true})
	ex := e.Expressions(ctx, e.Start())
	ex.Vars = func(v *cfront.Var) *smt.Term { return byVar[v] }
	c, def, err := ex.Truth(x)
	if err != nil {
		return job.Usage("%s: pre: %v", t.req.Inputs, err)
	}
	in.assume = t.terms.And(in.assume, t.terms.And(def, c))
	return nil
}

// start makes the state before the entry and the arguments of its call.
func (t *task) start(e *symbolic.Engine, entry *cfront.Func) (*symbolic.State, []*smt.Term, error) {
	in := t.inputs
	st := e.Start()
	t.watch(e, st)
	args := make([]*smt.Term, len(entry.Params))
	for _, i := range in.list {
		switch {
		case i.store != nil:
			v := i.store.in(e.Prog.Tree)
			if v == nil {
				continue // the reference does not have it
			}
			for k, c := range i.store.cells {
				e.Write(st, v, c.off, c.typ, in.terms.Narrow(i.terms[k].Term))
			}
		case i.shape != nil:
			args[i.param] = in.build(i, e, st)
		case i.array:
			vals := make([]*smt.Term, len(i.terms))
			for k := range i.terms {
				vals[k] = in.terms.Narrow(i.terms[k].Term)
			}
			i.block[e], args[i.param] = e.NewBlock(st, i.name, i.typ, vals)
		default:
			args[i.param] = e.Wide(in.terms.Narrow(i.terms[0].Term), i.typ)
		}
	}
	for k := range args {
		if args[k] == nil || t.null[k] {
			args[k] = e.Word(0)
		}
	}
	return st, args, nil
}

// watch makes an engine note which initial values of static storage are used that are not symbols.
func (t *task) watch(e *symbolic.Engine, st *symbolic.State) {
	if t.entry.Name == "main" {
		return // a program starts with the initial values
	}
	for _, s := range t.storage {
		v := s.in(e.Prog.Tree)
		if v == nil || s.constant {
			continue
		}
		var cells [][2]int64
		list := s.rest
		if !s.symbolic {
			list = append(append([]scalar(nil), s.cells...), s.rest...)
		}
		for _, c := range list {
			cells = append(cells, [2]int64{c.off, c.typ.Size})
		}
		if len(cells) > 0 {
			e.Watch(st, v, s.name, cells)
		}
	}
}

// symbols lists the symbols of the inputs and, if e is not nil, those that an execution took from streams.
func (in *inputs) symbols(e *symbolic.Engine) (out []symbolic.Input) {
	for _, i := range in.list {
		for _, s := range i.terms {
			if s.Term.Op == smt.OpVar {
				out = append(out, s)
			}
		}
	}
	if e == nil {
		return out
	}
	return append(out, e.Inputs...)
}

// describe writes an input for people.
func describe(list []symbolic.Input, m smt.Model) string {
	var parts, ends []string
	read := 0
	for _, s := range list {
		if s.Stream == symbolic.StdinNumbers || s.Stream == symbolic.StdinChars {
			read = max(read, s.Index+1)
		}
	}
	for _, s := range list {
		there := true
		for _, u := range s.Under {
			there = there && m[u] != 0
		}
		p, link := strings.CutSuffix(s.Name, " != NULL")
		switch {
		case !there:
		case s.Stream == symbolic.StdinReads:
			if n := decimal(s, m); n < int64(read) {
				ends = append(ends, fmt.Sprintf("the input ends after %s", plural.N(n, "read")))
			}
		case link && m[s.Name] == 0:
			parts = append(parts, p+"=NULL")
		case !link:
			parts = append(parts, fmt.Sprintf("%s=%d", s.Name, decimal(s, m)))
		}
	}
	if len(ends) > 0 {
		parts = append(parts, "("+ends[0]+")")
	}
	if len(parts) == 0 {
		return "no input"
	}
	return strings.Join(parts, " ")
}

func decimal(s symbolic.Input, m smt.Model) int64 {
	return int64(ctype.Wrap(s.Type, m[s.Name]))
}
