package contract

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file writes old(...) for C that is executed, not reasoned about: every value taken from entry is computed and
// saved before the call.

// Room is a function that the C of Concrete calls: it returns the number of bytes from an address to the end of its
// block.
const Room = "gulo_room"

// Concrete writes a contract as C for calls that are executed, so that old(...) may reach everything that pointers lead
// to before the call. In implies(P, Q) what Q takes from entry is computed only if P holds. A null pointer on the way
// gives the value 0; other conditions on the pointer are expected to exclude it. Therefore the C is no proof: a repair
// found with it must be checked against the contract itself.
func (c *Contract) Concrete(length func(p *cfront.Var) int) (string, error) {
	return c.written(&cWriter{length: length, concrete: true})
}

// mostKept bounds the values that are saved for one variable of a range.
const mostKept = 256

// onEntry reports whether a term's value can be computed before the call: nothing in it depends on the state after the
// call.
func (w *cWriter) onEntry(x cfront.Expr) bool {
	ok := nameable(x.Type()) && x.Type().IsScalar()
	var walk func(x cfront.Expr)
	walk = func(x cfront.Expr) {
		if x == nil {
			return
		}
		cfront.Walk(x, func(y cfront.Expr) bool {
			r, isRef := y.(*cfront.Ref)
			if !isRef {
				return ok
			}
			if r.Var == w.c.Result {
				ok = false
			}
			if t := w.termOf(r); t != nil {
				if t.Kind == Now || t.Kind == Permutation {
					ok = false
				}
				for _, z := range []cfront.Expr{t.Lo, t.Hi, t.X, t.Y} {
					walk(z)
				}
			}
			return ok
		})
	}
	walk(x)
	return ok
}

// keep saves a value before the call, and returns the C expression that reads it.
func (w *cWriter) keep(x cfront.Expr) string {
	var over []*Term // the ranges whose variables x mentions, directly or in the bounds of such ranges
	for i := len(w.ranges) - 1; i >= 0; i-- {
		t := w.ranges[i]
		if w.mentions(x, t.Var) || slices.ContainsFunc(over, func(o *Term) bool { return w.mentions(o.Lo, t.Var) || w.mentions(o.Hi, t.Var) }) {
			over = slices.Insert(over, 0, t)
		}
	}
	for _, t := range over {
		if !w.onEntry(t.Lo) || !w.onEntry(t.Hi) {
			w.fail("old(...) within a range that ends where the call decides")
			return "0"
		}
	}
	w.n++
	name := fmt.Sprintf("gulo_was%d", w.n)
	var bound []string
	loops, indent, place := "", "    ", ""
	most := mostKept
	if len(over) > 1 {
		most = 32
	}
	if len(over) > 2 {
		w.fail("old(...) within three ranges")
		return "0"
	}
	for _, t := range over {
		var lo, hi string
		w.entering(slices.Clone(bound), func() { lo, hi = w.expr(t.Lo), w.expr(t.Hi) })
		v := t.Var.Name
		loops += fmt.Sprintf("%sfor (int %s = (%s); %[2]s < (%[4]s); %[2]s++)\n%[1]s    if (%[2]s >= 0 && %[2]s < %[5]d)\n", indent, v, lo, hi, most)
		indent += "        "
		bound = append(bound, v)
		place += fmt.Sprintf("[%s]", v)
	}
	var value string
	w.entering(bound, func() {
		var guards []string
		for _, g := range w.given {
			if w.stable(g) && !slices.ContainsFunc(w.ranges, func(t *Term) bool { return w.mentions(g, t.Var) && !slices.Contains(over, t) }) {
				guards = append(guards, "("+w.expr(g)+")")
			}
		}
		guards = append(append(guards, w.guards(x)...), "1")
		value = fmt.Sprintf("(%s) ? (%s) : 0", strings.Join(guards, " && "), w.expr(x))
	})
	dims := strings.Repeat(fmt.Sprintf("[%d]", most), len(over))
	declare := "static " + x.Type().Decl(name+dims) + ";\n"
	compute := loops + indent + name + place + " = " + value + ";\n"
	if len(over) == 0 {
		w.saved = append(w.saved, saved{declare, compute})
		return name
	}
	declare += fmt.Sprintf("static char gulo_set%s%s;\n", name, dims)
	compute = loops + indent + "gulo_set" + name + place + " = 1, " + name + place + " = " + value + ";\n"
	w.saved = append(w.saved, saved{declare, compute})
	// A value that was not saved makes the condition fail.
	inside := make([]string, len(bound))
	for i, v := range bound {
		inside[i] = fmt.Sprintf("%s >= 0 && %[1]s < %[2]d", v, most)
	}
	return fmt.Sprintf("(assert(%s && gulo_set%s%s), %[2]s%[3]s)", strings.Join(inside, " && "), name, place)
}

// stable reports whether an expression has the same value before and after the call: everything in it is on entry,
// constant, a parameter or the variable of a range.
func (w *cWriter) stable(x cfront.Expr) bool {
	ok := true
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch z := y.(type) {
		case *cfront.Ref:
			if t := w.termOf(z); t != nil {
				ok = ok && t.Kind == Old && w.onEntry(t.X)
			} else {
				ok = ok && z.Var != w.c.Result && (z.Var.Storage == cfront.Param || slices.Contains(w.bound, z.Var.Name))
			}
		case *cfront.Const, *cfront.Binary, *cfront.Unary, *cfront.Logical, *cfront.LogicalNot, *cfront.Cond, *cfront.Cast:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// mentions reports whether an expression contains a variable, also within terms.
func (w *cWriter) mentions(x cfront.Expr, v *cfront.Var) (yes bool) {
	if x == nil {
		return false
	}
	cfront.Walk(x, func(y cfront.Expr) bool {
		r, ok := y.(*cfront.Ref)
		if !ok {
			return !yes
		}
		if r.Var == v {
			yes = true
		}
		if t := w.termOf(r); t != nil {
			for _, z := range []cfront.Expr{t.Lo, t.Hi, t.X, t.Y} {
				yes = yes || w.mentions(z, v)
			}
		}
		return !yes
	})
	return yes
}

// guards returns the conditions under which an expression can be computed: that the pointers which it always
// dereferences are not null, in the order in which it does so.
func (w *cWriter) guards(x cfront.Expr) (out []string) {
	through := func(p cfront.Expr) {
		out = append(out, w.guards(p)...)
		if q := cfront.Skip(p); q.Type().Kind == ctype.Pointer {
			if _, isArray := p.(*cfront.Decay); !isArray {
				out = append(out, "("+w.expr(p)+") != 0")
			}
		}
	}
	switch y := cfront.Skip(x).(type) {
	case *cfront.Deref:
		through(y.X)
	case *cfront.Index:
		through(y.X)
		out = append(out, w.guards(y.I)...)
	case *cfront.Member:
		if y.Arrow {
			through(y.X)
		} else {
			out = append(out, w.guards(y.X)...)
		}
	case *cfront.Decay:
		out = append(out, w.guards(y.X)...)
	case *cfront.Cast:
		out = append(out, w.guards(y.X)...)
	case *cfront.LogicalNot:
		out = append(out, w.guards(y.X)...)
	case *cfront.Unary:
		out = append(out, w.guards(y.X)...)
	case *cfront.Binary:
		out = append(append(out, w.guards(y.X)...), w.guards(y.Y)...)
	case *cfront.Logical:
		out = append(out, w.guards(y.X)...)
	case *cfront.Cond:
		out = append(out, w.guards(y.C)...)
	}
	return out
}
