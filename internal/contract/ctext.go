package contract

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file writes contracts as C: functions that compute the conditions, and one that calls the contract's function
// and asserts them. An engine that executes C symbolically can thus prove a contract.

// Names of the functions in the C: Keeps calls the contract's function if Met, the precondition, holds, and asserts
// Kept, the postcondition.
const (
	Keeps = "gulo_keeps"
	Met   = "gulo_met"
	Kept  = "gulo_kept"
)

// C writes a contract as C. length returns the number of elements of an array that is passed to the function, because
// the elements that old(...) and permutation(...) need are copied. The error names what cannot be written as C.
func (c *Contract) C(length func(p *cfront.Var) int) (string, error) {
	return c.written(&cWriter{length: length})
}

func (c *Contract) written(w *cWriter) (string, error) {
	w.c, w.byName, w.olds = c, map[string]*Term{}, map[string]bool{}
	for v, t := range c.Terms {
		w.byName[v.Name] = t
	}
	for _, p := range c.Func.Params {
		if p.Name == "" || !nameable(p.Type) {
			return "", fmt.Errorf("the contract of %s cannot be written as C: a parameter is a %s", c.Func.Name, p.Type)
		}
		w.params = append(w.params, p.Name)
		w.declared = append(w.declared, p.Type.Decl(p.Name))
	}
	w.globals = c.globals()
	pre := w.all(c.Pre)
	if c.Result != nil {
		w.params = append(w.params, "result")
		w.declared = append(w.declared, c.Result.Type.Decl("result"))
	}
	post := w.all(c.Post)
	if w.err != nil {
		return "", w.err
	}
	return w.program(pre, post), nil
}

// globals lists the program's variables that the conditions name.
func (c *Contract) globals() (out []*cfront.Var) {
	seen := map[*cfront.Var]bool{}
	note := func(x cfront.Expr) {
		if x == nil {
			return
		}
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok && r.Var.Func == nil && r.Var.Range.Valid() && !seen[r.Var] && (r.Var.Storage == cfront.Global || r.Var.Storage == cfront.Static) {
				seen[r.Var] = true
				out = append(out, r.Var)
			}
			return true
		})
	}
	for _, list := range [][]Clause{c.Pre, c.Post} {
		for _, cl := range list {
			note(cl.X)
		}
	}
	for _, t := range c.Terms {
		for _, x := range []cfront.Expr{t.Lo, t.Hi, t.X, t.Y} {
			note(x)
		}
	}
	return out
}

type cWriter struct {
	c                *Contract
	byName           map[string]*Term
	helpers          strings.Builder
	params, declared []string // parameters of every helper
	bound            []string
	globals          []*cfront.Var
	olds             map[string]bool // variables whose values on entry are saved
	old              int
	n                int
	ranges           []*Term // ranges of the bound variables
	saved            []saved
	length           func(p *cfront.Var) int
	concrete, early  bool          // concrete: see Concrete; early: the text is computed before the call
	given            []cfront.Expr // conditions under which the text is computed at all
	err              error
}

// saved is a value saved before the call: its declaration, and the statements that compute it.
type saved struct{ declare, compute string }

// nameable reports whether a type can be written in a declaration.
func nameable(t *ctype.Type) bool {
	for t.Kind == ctype.Pointer {
		t = t.Elem
	}
	return t.IsScalar() || t.Kind == ctype.Struct && t.Tag+t.Typedef != "" || t.Kind == ctype.Void
}

// signature returns the parameters of helpers; args returns the arguments of their calls.
func (w *cWriter) signature() string {
	list := append([]string(nil), w.declared...)
	for _, b := range w.bound {
		list = append(list, "int "+b)
	}
	if len(list) == 0 {
		return "void"
	}
	return strings.Join(list, ", ")
}

func (w *cWriter) args() string {
	return strings.Join(append(append([]string(nil), w.params...), w.bound...), ", ")
}

func (w *cWriter) all(list []Clause) string {
	parts := []string{"1"}
	for _, cl := range list {
		parts = append(parts, "("+w.expr(cl.X)+")")
	}
	return strings.Join(parts, " && ")
}

// expr writes an expression; terms become calls of helpers.
func (w *cWriter) expr(x cfront.Expr) string {
	if w.old > 0 {
		x = w.was(x)
	}
	var terms []string // inserted last, so that their text is not searched for terms again
	text := placeholder.ReplaceAllStringFunc(cfront.Text(x), func(s string) string {
		t := w.byName[s]
		if t == nil {
			return s
		}
		terms = append(terms, w.term(t))
		return fmt.Sprintf("$%d$", len(terms)-1)
	})
	for i, t := range terms {
		text = strings.Replace(text, fmt.Sprintf("$%d$", i), t, 1)
	}
	return text
}

// was returns x, such as the argument of old(...), with the value that it had before the call: global variables and
// what parameters point to are read from saved copies. A parameter itself is read as it is. w.olds records the
// variables to be saved. w.err is set if x takes an address or reads something that cannot be saved.
func (w *cWriter) was(x cfront.Expr) cfront.Expr {
	kept := map[*cfront.Ref]bool{} // references that read saved values
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch z := y.(type) {
		case *cfront.Index:
			w.through(z.X, kept, !constant(z.I))
		case *cfront.Deref:
			w.through(z.X, kept, false)
		case *cfront.Member:
			if z.Arrow {
				w.through(z.X, kept, false)
			}
		case *cfront.Addr:
			w.fail("&%s within old(...)", cfront.Text(z.X))
		case *cfront.Ref:
			if w.global(z.Var) {
				kept[z] = true
			}
		}
		return true
	})
	for r := range kept {
		t := r.Type()
		if t.Kind == ctype.Array {
			t = t.Elem
		}
		if w.olds[r.Var.Name] = true; !w.concrete && w.global(r.Var) && (!nameable(t) || t.Kind == ctype.Void || r.Type().Kind == ctype.Array && !t.IsScalar()) {
			w.fail("old(...) of %s", r.Var.Name)
		}
		v := *r.Var
		v.Name = "gulo_old_" + v.Name
		x = cfront.Replace(x, r, cfront.NewRef(&v))
	}
	return x
}

func constant(x cfront.Expr) bool {
	c, ok := cfront.Skip(x).(*cfront.Const)
	return ok && c.Value == 0
}

// through records what a pointer within old(...) leads to: an array or a struct to be saved. It fails if that cannot be
// saved.
func (w *cWriter) through(p cfront.Expr, kept map[*cfront.Ref]bool, many bool) {
	base := cfront.Skip(p)
	if b, ok := base.(*cfront.Binary); ok && b.X.Type().Kind == ctype.Pointer {
		base, many = cfront.Skip(b.X), true
	}
	for { // an array within a saved struct
		m, ok := base.(*cfront.Member)
		if !ok || m.Arrow || m.Type().Kind != ctype.Array {
			break
		}
		base = cfront.Skip(m.X)
		if r, ok := base.(*cfront.Ref); ok && w.global(r.Var) {
			return
		}
	}
	r, ok := base.(*cfront.Ref)
	switch {
	case !ok:
	case w.global(r.Var) && r.Type().Kind == ctype.Array:
		return // the use of the variable itself is recorded
	case r.Var.Storage == cfront.Param && r.Type().Kind == ctype.Pointer:
		switch e := r.Type().Elem; {
		case e.IsInteger(), e.Kind == ctype.Struct && !many:
			kept[r] = true
			return
		}
	}
	w.fail("old(...) of what %s leads to", cfront.Text(p))
}

// global reports whether a variable is a global that the conditions name.
func (w *cWriter) global(v *cfront.Var) bool {
	for _, g := range w.globals {
		if g == v {
			return true
		}
	}
	return false
}

func (w *cWriter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("the contract of %s cannot be written as C: "+format, append([]any{w.c.Func.Name}, args...)...)
	}
}

// array writes an expression that is indexed as an array.
func (w *cWriter) array(x cfront.Expr) string {
	if w.old == 0 {
		return w.expr(x)
	}
	kept := map[*cfront.Ref]bool{}
	w.through(x, kept, true)
	for r := range kept {
		w.olds[r.Var.Name] = true
		v := *r.Var
		v.Name = "gulo_old_" + v.Name
		x = cfront.Replace(x, r, cfront.NewRef(&v))
	}
	if len(kept) > 0 {
		old := w.old
		w.old = 0
		defer func() { w.old = old }()
	}
	return w.expr(x)
}

// helper writes a helper function with a body, and returns a call of it.
func (w *cWriter) helper(result, body string) string {
	w.n++
	fmt.Fprintf(&w.helpers, "static %s gulo_term%d(%s)\n{\n%s}\n", result, w.n, w.signature(), body)
	return fmt.Sprintf("gulo_term%d(%s)", w.n, w.args())
}

func (w *cWriter) term(t *Term) string {
	switch t.Kind {
	case Implies:
		x := w.expr(t.X)
		w.given = append(w.given, t.X)
		y := w.expr(t.Y)
		w.given = w.given[:len(w.given)-1]
		return fmt.Sprintf("(!(%s) || (%s))", x, y)
	case Old:
		if w.early {
			return "(" + w.expr(t.X) + ")"
		}
		if w.concrete && w.old == 0 && w.onEntry(t.X) {
			return w.keep(t.X)
		}
		w.old++
		defer func() { w.old-- }()
		return "(" + w.expr(t.X) + ")"
	case Now:
		old := w.old
		w.old = 0
		defer func() { w.old = old }()
		return "(" + w.expr(t.X) + ")"
	case Forall, Exists, Sum, Count:
		return w.over(t)
	case Sorted:
		if t.Lo == nil {
			return w.list(t, "    for (; gulo_p != 0 && gulo_p->%[1]s != 0; gulo_p = gulo_p->%[1]s)\n        if (gulo_p->%[2]s > gulo_p->%[1]s->%[2]s)\n            return 0;\n    return 1;\n")
		}
		return w.helper("int", fmt.Sprintf("    for (int gulo_k = (%s) + 1; gulo_k < (%s); gulo_k++)\n        if ((%[3]s)[gulo_k - 1] > (%[3]s)[gulo_k])\n            return 0;\n    return 1;\n", w.expr(t.Lo), w.expr(t.Hi), w.array(t.X)))
	case Permutation:
		now := w.expr(t.X)
		w.old++
		was := w.array(t.X)
		w.old--
		return w.helper("int", fmt.Sprintf(`    for (int gulo_k = (%[1]s); gulo_k < (%[2]s); gulo_k++) {
        int gulo_n = 0;
        for (int gulo_j = (%[1]s); gulo_j < (%[2]s); gulo_j++)
            gulo_n += ((%[3]s)[gulo_j] == (%[3]s)[gulo_k]) - ((%[4]s)[gulo_j] == (%[3]s)[gulo_k]);
        if (gulo_n != 0)
            return 0;
    }
    return 1;
`, w.expr(t.Lo), w.expr(t.Hi), now, was))
	case Acyclic:
		return w.list(t, fmt.Sprintf("    int gulo_n = 0;\n    for (; gulo_p != 0; gulo_p = gulo_p->%%[1]s)\n        if (++gulo_n > %d)\n            return 0;\n    return 1;\n", longest))
	case Length:
		return w.list(t, "    int gulo_n = 0;\n    for (; gulo_p != 0; gulo_p = gulo_p->%[1]s)\n        gulo_n++;\n    return gulo_n;\n")
	}
	return w.list(t, "    for (; gulo_p != 0; gulo_p = gulo_p->%[1]s)\n        if (gulo_p->%[2]s == gulo_v)\n            return 1;\n    return 0;\n")
}

// longest is the length up to which a list counts as one without a cycle.
const longest = 64

// list writes a helper that walks a list from gulo_p. In body, %[1]s is the field with the next pointer, %[2]s the
// field with a node's number, and gulo_v is the value that contains(...) looks for.
func (w *cWriter) list(t *Term, body string) string {
	if w.old > 0 {
		return w.before(t, body)
	}
	next, key := Links(t.X.Type().Elem)
	if key == nil {
		key = &ctype.Field{}
	}
	head := fmt.Sprintf("    %s = %s;\n", t.X.Type().Decl("gulo_p"), w.expr(t.X))
	if t.Y != nil {
		head = fmt.Sprintf("    %s = %s;\n", ctype.LongT.Decl("gulo_v"), w.expr(t.Y)) + head
	}
	if !strings.Contains(body, "%[2]s") {
		return w.helper("int", head+fmt.Sprintf(body, next.Name))
	}
	return w.helper("int", head+fmt.Sprintf(body, next.Name, key.Name))
}

// before writes a term about a list on entry: it is computed before the call and saved.
func (w *cWriter) before(t *Term, body string) string {
	if t.Y != nil && !w.steady(t.Y) {
		w.fail("old(...) of a list, with %s", cfront.Text(t.Y))
		return "0"
	}
	if w.ranged(t.X) {
		w.fail("old(...) of a list within a range")
		return "0"
	}
	var call string
	w.entering(nil, func() { call = w.list(t, body) })
	name := fmt.Sprintf("gulo_was%d", w.n)
	w.saved = append(w.saved, saved{"static int " + name + ";\n", "    " + name + " = " + call + ";\n"})
	return name
}

// entering calls write for text that is computed before the call: there is no result, and of range variables only
// bound.
func (w *cWriter) entering(bound []string, write func()) {
	kept := *w
	n := len(w.c.Func.Params)
	w.old, w.bound, w.params, w.declared, w.early = 0, bound, w.params[:n:n], w.declared[:n:n], true
	write()
	w.old, w.bound, w.params, w.declared, w.early = kept.old, kept.bound, kept.params, kept.declared, kept.early
}

// steady reports whether an expression has the same value before and after the call, because it consists of constants
// and parameters.
func (w *cWriter) steady(x cfront.Expr) bool {
	if t := w.termOf(x); t != nil {
		return (t.Kind == Now || t.Kind == Old) && w.steady(t.X)
	}
	ok := true
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch z := y.(type) {
		case *cfront.Ref:
			if t := w.termOf(z); t != nil {
				ok = ok && w.steady(z)
			} else {
				ok = ok && slices.Contains(w.c.Func.Params, z.Var)
			}
		case *cfront.Const, *cfront.Binary, *cfront.Unary, *cfront.Cast:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// ranged reports whether an expression mentions the variable of a range.
func (w *cWriter) ranged(x cfront.Expr) (yes bool) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		if r, ok := y.(*cfront.Ref); ok {
			t := w.termOf(r)
			yes = yes || slices.Contains(w.bound, r.Var.Name) || t != nil && (t.Kind != Old && t.Kind != Now || w.ranged(t.X))
		}
		return !yes
	})
	return yes
}

// termOf returns the term that an expression stands for; nil if it is none.
func (w *cWriter) termOf(x cfront.Expr) *Term {
	if r, ok := cfront.Skip(x).(*cfront.Ref); ok {
		return w.c.Terms[r.Var]
	}
	return nil
}

func (w *cWriter) over(t *Term) string {
	lo, hi := w.expr(t.Lo), w.expr(t.Hi)
	w.bound, w.ranges = append(w.bound, t.Var.Name), append(w.ranges, t)
	x := w.expr(t.X)
	w.bound, w.ranges = w.bound[:len(w.bound)-1], w.ranges[:len(w.ranges)-1]
	head := fmt.Sprintf("    for (int %[1]s = (%[2]s); %[1]s < (%[3]s); %[1]s++)\n", t.Var.Name, lo, hi)
	switch t.Kind {
	case Forall:
		return w.helper("int", head+"        if (!("+x+"))\n            return 0;\n    return 1;\n")
	case Exists:
		return w.helper("int", head+"        if ("+x+")\n            return 1;\n    return 0;\n")
	case Sum:
		return w.helper("long", "    long gulo_s = 0;\n"+head+"        gulo_s += "+x+";\n    return gulo_s;\n")
	}
	return w.helper("int", "    int gulo_s = 0;\n"+head+"        gulo_s += ("+x+") != 0;\n    return gulo_s;\n")
}

// program writes the whole C text.
func (w *cWriter) program(pre, post string) string {
	c := w.c
	var b, saves strings.Builder
	b.WriteString("#include <assert.h>\n")
	if w.concrete {
		b.WriteString("unsigned long " + Room + "(const volatile void *);\n")
	}
	save := func(name string, t *ctype.Type, n int) {
		if n == 0 {
			fmt.Fprintf(&b, "static %s;\n", t.Decl("gulo_old_"+name))
			fmt.Fprintf(&saves, "    gulo_old_%s = %s;\n", name, name)
			return
		}
		fmt.Fprintf(&b, "static %s[%d];\n", t.Decl("gulo_old_"+name), n)
		if w.concrete { // the array passed may be shorter
			fmt.Fprintf(&saves, "    for (unsigned long gulo_k = 0; gulo_k < %d && gulo_k < %[3]s(%[2]s) / sizeof *%[2]s; gulo_k++)\n        gulo_old_%[2]s[gulo_k] = %[2]s[gulo_k];\n", n, name, Room)
			return
		}
		fmt.Fprintf(&saves, "    for (int gulo_k = 0; gulo_k < %d; gulo_k++)\n        gulo_old_%[2]s[gulo_k] = %[2]s[gulo_k];\n", n, name)
	}
	for _, p := range c.Func.Params {
		switch {
		case !w.olds[p.Name]:
		case p.Type.Elem.Kind == ctype.Struct:
			fmt.Fprintf(&b, "static %s[1];\n", p.Type.Elem.Decl("gulo_old_"+p.Name))
			fmt.Fprintf(&saves, "    if (%[1]s != 0)\n        gulo_old_%[1]s[0] = *%[1]s;\n", p.Name)
		default:
			save(p.Name, p.Type.Elem, w.length(p))
		}
	}
	for _, g := range w.globals {
		switch {
		case !w.olds[g.Name]:
		case w.concrete:
			fmt.Fprintf(&b, "static __typeof__(%s) gulo_old_%[1]s;\n", g.Name)
			fmt.Fprintf(&saves, "    __builtin_memcpy((void *)&gulo_old_%[1]s, (const void *)&%[1]s, sizeof %[1]s);\n", g.Name)
		case g.Type.Kind == ctype.Array:
			save(g.Name, g.Type.Elem, int(g.Type.Len))
		default:
			save(g.Name, g.Type, 0)
		}
	}
	for _, v := range w.saved {
		b.WriteString(v.declare)
	}
	b.WriteString(w.helpers.String())
	own := w.declared[:len(c.Func.Params)]
	params := strings.Join(own, ", ")
	if params == "" {
		params = "void"
	}
	names := strings.Join(w.params[:len(c.Func.Params)], ", ")
	fmt.Fprintf(&b, "static int %s(%s)\n{\n    return %s;\n}\n", Met, params, pre)
	fmt.Fprintf(&b, "static int %s(%s)\n{\n    return %s;\n}\n", Kept, w.signature(), post)
	head, back, give := "void "+Keeps, "return;", ""
	call := fmt.Sprintf("%s(%s)", c.Func.Name, names)
	if c.Result != nil {
		head, back, give = c.Result.Type.Decl(Keeps), "return 0;", "    return result;\n"
		call = c.Result.Type.Decl("result") + " = " + call
	}
	var before strings.Builder // computed only if the precondition holds, which often says that a list has an end
	for _, v := range w.saved {
		before.WriteString(v.compute)
	}
	fmt.Fprintf(&b, "%s(%s)\n{\n%s    if (!%s(%s))\n        %s\n%s    %s;\n    assert(%s(%s));\n%s}\n", head, params, saves.String(), Met, names, back, before.String(), call, Kept, w.args(), give)
	return b.String()
}
