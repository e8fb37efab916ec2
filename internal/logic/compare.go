package logic

import (
	"fmt"
	"sort"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/smt"
	"gulo/internal/source"
	"gulo/internal/symbolic"
)

// This file compares what the program leaves with what the reference leaves: the result, static storage, arrays,
// printed text and the exit status.

// end is one outcome of one of the programs.
type end struct {
	e *symbolic.Engine
	o *symbolic.Outcome
}

// comparison compares an outcome of the program with one of the reference.
type comparison struct {
	*task
	a, b end
	note func(string) // called with what cannot be compared; may be nil
}

func (c *comparison) unknown(format string, args ...any) {
	if c.note != nil {
		c.note(fmt.Sprintf(format, args...))
	}
}

// same returns the condition under which two outcomes are the same for the caller. What cannot be compared counts as
// the same, and is noted.
func (t *task) same(a, b end, note func(string)) *smt.Term {
	ts := t.terms
	c := &comparison{t, a, b, note}
	same := ts.True
	for stream := 1; stream <= 2; stream++ {
		name := [...]string{1: "printed text", 2: "text on standard error"}[stream]
		s, why := symbolic.SameText(ts, a.o.State.Printed(), b.o.State.Printed(), stream)
		if why != "" {
			c.unknown("%s (%s)", name, why)
			s = ts.True
		}
		same = ts.And(same, s)
	}
	isMain := t.entry.Name == "main"
	if isMain || a.o.Exited || b.o.Exited {
		if !isMain && a.o.Exited != b.o.Exited {
			return ts.False
		}
		if a.o.Result != nil && b.o.Result != nil {
			same = ts.And(same, ts.Eq(ts.Extract(a.o.Result, 0, 8), ts.Extract(b.o.Result, 0, 8)))
		}
		return same // the memory of a program that has ended cannot be observed
	}
	same = ts.And(same, c.results())
	if t.aloud {
		return same
	}
	for _, s := range t.storage {
		if s.own == nil || s.ref == nil || s.constant {
			continue
		}
		same = ts.And(same, c.variable(s))
	}
	for _, in := range t.inputs.list {
		if in.block == nil {
			continue
		}
		for i := range in.terms {
			x, xd, ok1 := a.e.ReadBlock(a.o.State, in.block[a.e], int64(i)*in.typ.Size, in.typ)
			y, yd, ok2 := b.e.ReadBlock(b.o.State, in.block[b.e], int64(i)*in.typ.Size, in.typ)
			if ok1 && ok2 {
				same = ts.And(same, c.equal(x, xd, y, yd))
			}
		}
	}
	return same
}

// equal returns the condition that x is as it should be: written and equal to y, wherever the reference writes y.
func (c *comparison) equal(x, xd, y, yd *smt.Term) *smt.Term {
	ts := c.terms
	return ts.Implies(yd, ts.And(xd, ts.Eq(x, y)))
}

// results compares the results of the entries.
func (c *comparison) results() *smt.Term {
	ts := c.terms
	x, y := c.a.o.Result, c.b.o.Result
	switch t := c.entry.Type.Result; {
	case t.IsAggregate():
		same := ts.True
		parts(t, 0, "", func(s scalar) {
			v, vd, ok1 := c.a.e.Result(c.a.o.State, s.off, s.typ)
			w, wd, ok2 := c.b.e.Result(c.b.o.State, s.off, s.typ)
			switch {
			case !ok1 || !ok2:
			case s.typ.Kind == ctype.Pointer:
				same = ts.And(same, ts.Implies(wd, ts.And(vd, c.pointers(v, w, "the result"+s.path))))
			default:
				same = ts.And(same, c.equal(v, vd, w, wd))
			}
		})
		return same
	case x == nil || y == nil || t.Kind == ctype.Void:
		return ts.True
	case t.Kind == ctype.Pointer:
		return c.pointers(x, y, "the result")
	default:
		w := uint8(8 * t.Size)
		return ts.Eq(ts.Extract(x, 0, w), ts.Extract(y, 0, w))
	}
}

// variable compares the final values of a variable with static storage.
func (c *comparison) variable(s *storage) *smt.Term {
	ts := c.terms
	own, ref := s.in(c.a.e.Prog.Tree), s.in(c.b.e.Prog.Tree)
	if own == nil || ref == nil {
		return ts.True
	}
	same := ts.True
	for _, p := range s.cells {
		x, xd, ok1 := c.a.e.Read(c.a.o.State, own, p.off, p.typ)
		y, yd, ok2 := c.b.e.Read(c.b.o.State, ref, p.off, p.typ)
		if ok1 && ok2 && x != y {
			same = ts.And(same, c.equal(x, xd, y, yd))
		}
	}
	for _, p := range s.rest {
		x, _, ok1 := c.a.e.Read(c.a.o.State, own, p.off, p.typ)
		y, _, ok2 := c.b.e.Read(c.b.o.State, ref, p.off, p.typ)
		switch {
		case !ok1 || !ok2:
		case c.untouched(c.a.e, own, p, x) && c.untouched(c.b.e, ref, p, y):
		case p.typ.Kind == ctype.Pointer:
			same = ts.And(same, c.pointers(x, y, s.name+p.path))
		default:
			same = ts.And(same, ts.Eq(x, y))
		}
	}
	return same
}

// pointers compares pointers of both programs. They are equal if they point to the same offset of the same variable,
// text, function or input array.
func (c *comparison) pointers(x, y *smt.Term, what string) *smt.Term {
	ts := c.terms
	list, err1 := c.a.e.PointsTo(c.a.o.State, x)
	other, err2 := c.b.e.PointsTo(c.b.o.State, y)
	if err1 != nil || err2 != nil {
		c.unknown("what %s leads to", what)
		return ts.True
	}
	name := func(e *symbolic.Engine, p symbolic.Pointee) string {
		for _, in := range c.inputs.list {
			if b, ok := in.block[e]; ok && b == p.Block {
				return "array " + in.name
			}
		}
		return p.Key
	}
	same := ts.False
	for _, p := range list {
		for _, q := range other {
			both := ts.And(p.Cond, q.Cond)
			if both == ts.False {
				continue
			}
			k, l := name(c.a.e, p), name(c.b.e, q)
			sort1, _, _ := strings.Cut(k, " ")
			sort2, _, _ := strings.Cut(l, " ")
			switch {
			case k != "" && k == l:
				same = ts.Or(same, ts.And(both, ts.Eq(p.Off, q.Off)))
			case sort1 == "NULL" || sort2 == "NULL" || sort1 == sort2 && sort1 != "":
			default:
				c.unknown("what %s leads to", what)
				same = ts.Or(same, both)
			}
		}
	}
	return same
}

// textDiffers says in words how printed texts differ for given values of terms. same is true if the texts are equal,
// whatever pieces they consist of.
func textDiffers(a, b end, value func(*smt.Term) uint64) (words string, same bool) {
	for stream := 1; stream <= 2; stream++ {
		x, ok1 := symbolic.TextOf(a.o.State.Printed(), stream, value)
		y, ok2 := symbolic.TextOf(b.o.State.Printed(), stream, value)
		if ok1 && ok2 && x != y {
			on := ""
			if stream == 2 {
				on = " on standard error"
			}
			got, right := source.Excerpts(x, y)
			return fmt.Sprintf("it prints %q%s, the reference %q", got, on, right), false
		}
	}
	return "", true
}

// ends returns the outcomes of both programs on an input. ok is false if one has none.
func (t *task) ends(r *run, lazy *smt.Lazy) (a, b end, ok bool) {
	find := func(r *run) *symbolic.Outcome {
		for i := range r.outs {
			if o := &r.outs[i]; lazy.Value(o.Cond) == 1 {
				return o
			}
		}
		return nil
	}
	if t.refRun == nil {
		return a, b, false
	}
	a, b = end{r.engine, find(r)}, end{t.refRun.engine, find(t.refRun)}
	return a, b, a.o != nil && b.o != nil
}

// certain reports whether the program really differs on an input on which the formula says so. The formula knows
// printed texts only by their pieces, so the texts themselves are compared here.
func (t *task) certain(r *run, in smt.Model) bool {
	lazy := &smt.Lazy{}
	lazy.Use(in)
	a, b, ok := t.ends(r, lazy)
	if !ok || a.o.Kind != symbolic.Passed || b.o.Kind != symbolic.Passed || len(a.o.State.Printed())+len(b.o.State.Printed()) == 0 {
		return true
	}
	if _, same := textDiffers(a, b, lazy.Value); !same {
		return true
	}
	quiet := func(x end) end {
		o := *x.o
		o.State = o.State.Unprinted()
		return end{x.e, &o}
	}
	return lazy.Value(t.same(quiet(a), quiet(b), nil)) != 1
}

// differs says in words how two outcomes differ.
func (t *task) differs(a, b end, lazy *smt.Lazy) string {
	if a.o.Exited != b.o.Exited && t.entry.Name != "main" {
		if a.o.Exited {
			return fmt.Sprintf("it calls exit(%d), the reference returns", int32(lazy.Value(a.o.Result)))
		}
		return fmt.Sprintf("it returns, the reference calls exit(%d)", int32(lazy.Value(b.o.Result)))
	}
	if a.o.Result != nil && b.o.Result != nil && (t.entry.Type.Result.IsInteger() || a.o.Exited) && lazy.Value(a.o.Result) != lazy.Value(b.o.Result) {
		verb := "returns"
		if a.o.Exited {
			verb = "exits with"
		}
		return fmt.Sprintf("%s %s %d, the reference %d", t.entry.Name, verb, int64(lazy.Value(a.o.Result)), int64(lazy.Value(b.o.Result)))
	}
	if words, same := textDiffers(a, b, lazy.Value); !same {
		return words
	}
	one := &comparison{t, a, b, nil}
	if lazy.Value(one.results()) == 0 {
		return "it returns another value than the reference"
	}
	for _, s := range t.storage {
		own, ref := s.in(a.e.Prog.Tree), s.in(b.e.Prog.Tree)
		if own == nil || ref == nil || s.constant {
			continue
		}
		for _, p := range s.cells {
			x, _, ok1 := a.e.Read(a.o.State, own, p.off, p.typ)
			y, _, ok2 := b.e.Read(b.o.State, ref, p.off, p.typ)
			if ok1 && ok2 && lazy.Value(x) != lazy.Value(y) {
				return fmt.Sprintf("%s is %d, the reference's %d", s.name+p.path, int64(lazy.Value(a.e.Wide(x, p.typ))), int64(lazy.Value(b.e.Wide(y, p.typ))))
			}
		}
		if lazy.Value(one.variable(s)) == 0 {
			return fmt.Sprintf("%s is another than the reference's", s.name)
		}
	}
	for _, in := range t.inputs.list {
		if in.block == nil {
			continue
		}
		for i := range in.terms {
			x, _, _ := a.e.ReadBlock(a.o.State, in.block[a.e], int64(i)*in.typ.Size, in.typ)
			y, _, _ := b.e.ReadBlock(b.o.State, in.block[b.e], int64(i)*in.typ.Size, in.typ)
			if x != nil && y != nil && lazy.Value(x) != lazy.Value(y) {
				return fmt.Sprintf("%s[%d] is %d, the reference's %d", in.name, i, int64(lazy.Value(a.e.Wide(x, in.typ))), int64(lazy.Value(b.e.Wide(y, in.typ))))
			}
		}
	}
	return "it differs from the reference"
}

// sortedNames returns the members of a set in ascending order.
func sortedNames(m map[string]bool) []string {
	var out []string
	for n := range m {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
