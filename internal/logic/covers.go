package logic

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/plural"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file computes what an answer covers: which inputs and outputs, which initial state, how far loops are followed,
// and what is left out.

// Covers says what an answer is about.
type Covers struct {
	Inputs  []CoveredInput `json:"inputs"`            // arguments, storage and results of input()
	Outputs []string       `json:"outputs"`           // what is compared, or checked by assertions
	Initial []string       `json:"initial,omitempty"` // storage of which only the initial value was considered
	Fixed   []string       `json:"fixed,omitempty"`   // storage that nothing changes and that has its declared value
	Apart   []string       `json:"apart,omitempty"`   // pointers that were taken not to overlap
	Null    []string       `json:"null,omitempty"`    // pointers for which NULL was considered, too
	Never   []string       `json:"never,omitempty"`   // assertions that no input reaches
	Rounds  int            `json:"rounds,omitempty"`  // rounds up to which loops were followed; 0: all
	Taken   []string       `json:"taken,omitempty"`   // library functions that may return any number in their range
	Reads   string         `json:"reads,omitempty"`   // what was assumed about standard input
	// A condition on inputs: a precondition, or that the reference accepts them.
	Within string   `json:"within,omitempty"`
	Left   []string `json:"not_covered,omitempty"`
}

// CoveredInput is an input with its range.
type CoveredInput struct {
	Name string `json:"name"`
	Min  *int64 `json:"min,omitempty"`
	Max  *int64 `json:"max,omitempty"`
	Len  int    `json:"len,omitempty"` // of an array
}

// String says what a proof covers: "all x in 0..9, limit; result and printed text".
func (c *Covers) String() string {
	var b strings.Builder
	var names []string
	for _, in := range c.Inputs {
		n := in.Name
		if in.Len > 0 {
			n += fmt.Sprintf("[%d]", in.Len)
		}
		switch {
		case in.Min != nil && in.Max != nil && *in.Min == *in.Max:
			n += fmt.Sprintf(" = %d", *in.Min)
		case in.Min != nil && in.Max != nil:
			n += fmt.Sprintf(" in %d..%d", *in.Min, *in.Max)
		case in.Min != nil:
			n += fmt.Sprintf(" >= %d", *in.Min)
		case in.Max != nil:
			n += fmt.Sprintf(" <= %d", *in.Max)
		}
		names = append(names, n)
	}
	if len(names) > 0 {
		b.WriteString("all " + strings.Join(names, ", "))
	}
	if len(c.Taken) > 0 {
		if len(names) > 0 {
			b.WriteString(" and ")
		}
		b.WriteString(enumerated(words(c.Taken)))
	}
	if b.Len() == 0 {
		b.WriteString("the only run, there is no input")
	}
	if c.Reads != "" {
		b.WriteString(", where " + c.Reads)
	}
	if c.Within != "" {
		b.WriteString(" " + c.Within)
	}
	list := func(before string, names []string, after string) {
		if len(names) > 0 {
			b.WriteString("; " + before + enumerated(names) + after)
		}
	}
	list("checked: ", c.Outputs, "")
	list("only from the initial value of ", c.Initial, "")
	list("with ", c.Fixed, " as declared")
	list("where ", c.Apart, " do not overlap")
	list("also where ", c.Null, "")
	list("no input comes to ", c.Never, "")
	if c.Rounds > 0 {
		fmt.Fprintf(&b, "; loops up to %s", plural.N(c.Rounds, "round"))
	}
	list("not compared: ", c.Left, "")
	return b.String()
}

// words describes the numbers and characters that streams give a program.
func words(streams []string) (out []string) {
	var numbers []string
	for _, s := range streams {
		switch s {
		case symbolic.StdinNumbers:
			out = append(out, "every number that scanf may read")
		case symbolic.StdinChars:
			out = append(out, "every character that getchar may return")
		default:
			numbers = append(numbers, s)
		}
	}
	if len(numbers) > 0 {
		out = append([]string{"every number that " + enumerated(numbers) + " may return"}, out...)
	}
	return out
}

func enumerated(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}

// mentions returns the symbols on which the outcomes of runs depend: their conditions, results, output, and what they
// leave.
func (t *task) mentions(runs ...*run) map[string]bool {
	var list []*smt.Term
	add := func(x *smt.Term) {
		if x != nil && x.Op != smt.OpConst {
			list = append(list, x)
		}
	}
	for _, r := range runs {
		if r == nil {
			continue
		}
		for _, o := range r.outs {
			add(o.Cond)
			if o.Kind != symbolic.Passed {
				continue
			}
			if t.entry.Type.Result.IsScalar() || o.Exited {
				add(o.Result)
			}
			for _, p := range o.State.Printed() {
				add(p.When)
				add(p.Byte)
				add(p.Number)
			}
			for _, x := range t.left(r, &o) {
				add(x)
			}
		}
	}
	out := map[string]bool{}
	for _, v := range smt.Vars(list...) {
		out[v.Name] = true
	}
	return out
}

// left lists the terms that an outcome leaves in storage, arrays and the result, except those that are unchanged
// inputs.
func (t *task) left(r *run, o *symbolic.Outcome) (out []*smt.Term) {
	if t.entry.Name == "main" {
		return nil
	}
	e := r.engine
	for _, in := range t.inputs.list {
		switch {
		case in.store != nil:
			v := in.store.in(e.Prog.Tree)
			if v == nil {
				continue
			}
			for k, c := range in.store.cells {
				if x, _, ok := e.Read(o.State, v, c.off, c.typ); ok && x != in.terms[k].Term && x != t.terms.Narrow(in.terms[k].Term) {
					out = append(out, x)
				}
			}
		case in.block != nil:
			for k := range in.terms {
				if x, _, ok := e.ReadBlock(o.State, in.block[e], int64(k)*in.typ.Size, in.typ); ok && x != in.terms[k].Term && x != t.terms.Narrow(in.terms[k].Term) {
					out = append(out, x)
				}
			}
		}
	}
	if t.entry.Type.Result.IsAggregate() {
		parts(t.entry.Type.Result, 0, "", func(s scalar) {
			if x, _, ok := e.Result(o.State, s.off, s.typ); ok {
				out = append(out, x)
			}
		})
	}
	return out
}

// unknowable returns an error if what a run does depends on a value that is not computed.
func (t *task) unknowable(r *run, entry *cfront.Func) error {
	for n := range t.mentions(r) {
		if strings.HasPrefix(n, symbolic.Unknowable) {
			return &symbolic.Unsupported{Pos: entry.Range.Position(), What: fmt.Sprintf("what %s does depends on %s, which is not computed on symbols", entry.Name, strings.TrimRight(strings.TrimPrefix(n, symbolic.Unknowable), " 0123456789"))}
		}
	}
	return nil
}

// untouched reports whether a part of a variable has its initial value.
func (c *comparison) untouched(e *symbolic.Engine, v *cfront.Var, p scalar, x *smt.Term) bool {
	y, _, ok := e.Read(e.Start(), v, p.off, p.typ)
	return ok && x == y
}

// coverage computes what an answer about a run covers. left is what could not be compared.
func (t *task) coverage(r *run, left map[string]bool) *Covers {
	c := &Covers{Inputs: []CoveredInput{}, Outputs: []string{}}
	compared := left
	left = map[string]bool{}
	for n := range compared {
		left[n] = true
	}
	matters := t.mentions(r, t.refRun)
	said := map[string]job.Input{}
	for _, l := range t.file.Inputs {
		said[l.Name] = l
	}
	t.coveredInputs(c, matters, said, r)
	t.coveredOutputs(c, r)
	initial, fixed := map[string]bool{}, map[string]bool{}
	for _, q := range []*run{r, t.refRun} {
		if q == nil {
			continue
		}
		for n := range q.engine.FromStart {
			initial[n] = true
		}
	}
	for _, s := range t.storage {
		if s.used && s.constant && !s.either().Const && s.either().Storage == cfront.Global {
			fixed[s.name] = true
		}
		if !s.used || t.ref == nil || s.constant || s.own != nil && s.ref != nil || t.entry.Name == "main" {
			continue
		}
		if v := s.either(); v.Storage == cfront.Static && !initial[s.name] {
			continue // it is invisible outside, and its initial value does not matter
		}
		where := "the program"
		if s.own == nil {
			where = "the reference"
		}
		left[fmt.Sprintf("%s, which only %s has", s.name, where)] = true
	}
	for _, s := range t.storage {
		if initial[s.name] && t.ref != nil && s.assigned && t.entry.Name != "main" && s.own != nil && s.ref != nil {
			left["other values of "+s.name+" than at the start"] = true
		}
	}
	c.Initial, c.Fixed = sortedNames(initial), sortedNames(fixed)
	for n := range t.startsDiffer(matters) {
		left[n] = true
	}
	c.Left = sortedNames(left)
	switch {
	case t.of != nil:
		c.Within = fmt.Sprintf("that meet the precondition of %s", t.of.Name)
	case t.refFails:
		c.Within = fmt.Sprintf("that the reference's %s accepts", t.entry.Name)
	}
	if t.file.Pre != "" {
		c.Within = strings.TrimSpace(fmt.Sprintf("with %s %s", t.file.Pre, c.Within))
	}
	return c
}

func (t *task) coveredInputs(c *Covers, matters map[string]bool, said map[string]job.Input, r *run) {
	var pointers []string
	for _, in := range t.inputs.list {
		l := said[in.name]
		x := CoveredInput{Name: in.name, Min: l.Min, Max: l.Max}
		switch {
		case in.store != nil:
			some := false
			for _, s := range in.terms {
				some = some || matters[s.Name]
			}
			if !some {
				continue
			}
			if in.store.either().Volatile {
				x.Name += " (which stays the same during a call)"
			}
		case in.array || in.shape != nil:
			pointers = append(pointers, in.name)
			if x.Len = len(in.terms); in.shape != nil {
				x.Len, x.Name = 0, fmt.Sprintf("%s of up to %s", in.name, plural.N(len(in.shape.nodes), "node"))
			}
		case in.terms[0].Bounded() && l.Min == nil && l.Max == nil:
			lo, hi := in.terms[0].Lo, in.terms[0].Hi
			x.Min, x.Max = &lo, &hi
		}
		c.Inputs = append(c.Inputs, x)
	}
	for _, s := range r.engine.Inputs {
		if s.Stream == symbolic.InputStream {
			c.Inputs = append(c.Inputs, CoveredInput{Name: s.Name})
		} else if s.Stream != symbolic.StdinReads && (matters[s.Name] || !symbolic.IsClock(s.Stream)) && !slices.Contains(c.Taken, s.Stream) {
			c.Taken = append(c.Taken, s.Stream)
		}
	}
	if len(pointers) > 1 {
		c.Apart = pointers
	}
	switch e := r.engine; {
	case e.Reads() == symbolic.StdinNumbers && e.AllThere():
		c.Reads = "all that scanf reads are numbers that are there"
	case e.Reads() == symbolic.StdinNumbers:
		c.Reads = "all that scanf reads are numbers, up to the end of the input"
	}
}

// coveredOutputs lists what is compared with the reference, or that assertions are checked.
func (t *task) coveredOutputs(c *Covers, r *run) {
	if t.ref == nil {
		c.Outputs = append(c.Outputs, "assertions and errors")
		return
	}
	if t.entry.Name == "main" {
		c.Outputs = append(c.Outputs, "exit status")
	} else if t.entry.Type.Result.Kind != 0 && t.entry.Type.Result.String() != "void" {
		c.Outputs = append(c.Outputs, "result")
	}
	prints, exits := false, false
	changes := map[string]bool{}
	for _, q := range []*run{r, t.refRun} {
		for _, o := range q.outs {
			if o.Kind != symbolic.Passed {
				continue
			}
			prints = prints || len(o.State.Printed()) > 0
			exits = exits || o.Exited
			for _, s := range t.storage {
				if v := s.in(q.engine.Prog.Tree); v != nil && !s.constant && t.entry.Name != "main" && t.writes(q, &o, s, v) {
					changes[s.name] = true
				}
			}
		}
	}
	for _, in := range t.inputs.list {
		if in.block != nil {
			changes[in.name] = true
		}
	}
	c.Outputs = append(c.Outputs, sortedNames(changes)...)
	if prints {
		c.Outputs = append(c.Outputs, "printed text")
	}
	if exits && t.entry.Name != "main" {
		c.Outputs = append(c.Outputs, "exit status")
	}
}

// writes reports whether a run may change a variable.
func (t *task) writes(r *run, o *symbolic.Outcome, s *storage, v *cfront.Var) bool {
	e := r.engine
	st, _, err := t.start(e, r.entry)
	if err != nil {
		return false
	}
	for _, list := range [][]scalar{s.cells, s.rest} {
		for _, p := range list {
			x, _, ok1 := e.Read(o.State, v, p.off, p.typ)
			y, _, ok2 := e.Read(st, v, p.off, p.typ)
			if ok1 && ok2 && x != y {
				return true
			}
		}
	}
	return false
}

// startsDiffer lists the inputs in static storage that the two programs declare with different initial values. A proof
// assumes the same values in both.
func (t *task) startsDiffer(matters map[string]bool) map[string]bool {
	out := map[string]bool{}
	if t.ref == nil || t.entry.Name == "main" || t.refRun == nil {
		return out
	}
	own, ref := symbolic.New(t.prog, t.terms, symbolic.Options{}), t.refRun.engine
	a, b := own.Start(), ref.Start()
	for _, in := range t.inputs.list {
		if in.store == nil || in.store.own == nil || in.store.ref == nil {
			continue
		}
		for k, c := range in.store.cells {
			x, _, ok1 := own.Read(a, in.store.own, c.off, c.typ)
			y, _, ok2 := ref.Read(b, in.store.ref, c.off, c.typ)
			if ok1 && ok2 && x != y && matters[in.terms[k].Name] {
				out[fmt.Sprintf("the initial value of %s%s, %s here and %s in the reference", in.name, c.path, x, y)] = true
			}
		}
	}
	return out
}
