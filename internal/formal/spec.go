package formal

import (
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file finds out what is executed and what is compared.

func written(f *cfront.Func) bool {
	return f.Body != nil && f.Range.Valid() && !strings.HasPrefix(f.Range.File.Name, "@gulo/")
}

// calls reports whether a function calls one by name.
func calls(f *cfront.Func, name string) bool {
	found := false
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.FuncRef); ok && r.Func.Name == name && r.Func.Body == nil {
				found = true
			}
			return true
		})
	})
	return found
}

func (t *task) findEntry(free bool) error {
	name := t.req.Entry
	if name == "" {
		name = t.file.Entry
	}
	if name != "" {
		if t.entry = t.tree.Func(name); t.entry == nil {
			return usage("no function %s in %s", name, t.req.Files[0])
		}
	} else if err := t.guessEntry(); err != nil {
		return err
	}
	t.own = cfront.Callees(t.entry)
	if t.ref != nil {
		if t.refEntry = t.ref.Tree.Func(t.entry.Name); t.refEntry == nil {
			return usage("no function %s in %s", t.entry.Name, t.req.Reference[0])
		}
		return sameSignature(t.refEntry, t.entry)
	}
	asserts := false
	for f := range t.own {
		asserts = asserts || calls(f, "assert")
	}
	if !asserts && !free {
		return usage("%s: there is no assert in %s nor in what it calls; say what is right with assert, or give --reference", t.entry.Range.Position(), t.entry.Name)
	}
	return nil
}

// guessEntry takes main when it asks for input, else the one function that leads to
// all that matters: the assertions, or what differs from the reference.
func (t *task) guessEntry() error {
	if m := t.tree.Func("main"); m != nil {
		for f := range cfront.Callees(m) {
			if calls(f, "input") {
				t.entry = m
				return nil
			}
		}
	}
	matters := func(f *cfront.Func) bool { return calls(f, "assert") }
	what := "asserts"
	if t.ref != nil {
		what = "differs from the reference's"
		matters = func(f *cfront.Func) bool {
			g := t.ref.Tree.Func(f.Name)
			return g == nil || strings.Join(strings.Fields(f.Whole.Text()), " ") != strings.Join(strings.Fields(g.Whole.Text()), " ")
		}
	}
	var all, list []*cfront.Func
	for _, f := range t.tree.Funcs {
		if written(f) && f.Name != "main" && matters(f) {
			all = append(all, f)
		}
	}
	for _, f := range t.tree.Funcs {
		if !written(f) || f.Name == "main" || t.ref != nil && t.ref.Tree.Func(f.Name) == nil {
			continue
		}
		in, covers := cfront.Callees(f), len(all) > 0
		for _, g := range all {
			covers = covers && in[g]
		}
		if covers {
			list = append(list, f)
		}
	}
	// The outermost: what is around it belongs to the specification too.
	sort.SliceStable(list, func(i, j int) bool { return len(cfront.Callees(list[i])) > len(cfront.Callees(list[j])) })
	if len(list) == 0 {
		return usage("no function of %s %s; name one with --entry", t.req.Files[0], what)
	}
	t.entry = list[0]
	return nil
}

func sameSignature(ref, f *cfront.Func) error {
	switch {
	case len(f.Params) != len(ref.Params):
		return usage("%s: %s takes %d arguments, in the reference %d", f.Range.Position(), f.Name, len(f.Params), len(ref.Params))
	case !alike(f.Type.Result, ref.Type.Result):
		return usage("%s: %s returns %s, in the reference %s", f.Range.Position(), f.Name, f.Type.Result, ref.Type.Result)
	}
	for i := range f.Params {
		if !alike(f.Params[i].Type, ref.Params[i].Type) {
			return usage("%s: argument %d of %s is %s, in the reference %s", f.Range.Position(), i+1, f.Name, f.Params[i].Type, ref.Params[i].Type)
		}
	}
	return nil
}

func alike(a, b *ctype.Type) bool {
	if a.Kind == ctype.Pointer && b.Kind == ctype.Pointer {
		return a.Elem.Kind == ctype.Struct && b.Elem.Kind == ctype.Struct || alike(a.Elem, b.Elem)
	}
	return ctype.Same(a, b)
}

// output is a variable with static storage that is compared with the reference's.
type output struct {
	own, ref *cfront.Var
	cells    []scalar
}

// scalar is a part of a variable.
type scalar struct {
	off int64
	typ *ctype.Type
}

// scalars lists the integers of a type.
func scalars(t *ctype.Type, off int64) (out []scalar) {
	switch {
	case t.IsInteger():
		return []scalar{{off, t}}
	case t.Kind == ctype.Array:
		for i := int64(0); i < t.Len; i++ {
			out = append(out, scalars(t.Elem, off+i*t.Elem.Size)...)
		}
	case t.Kind == ctype.Struct:
		for _, f := range t.Fields {
			if f.BitLen == 0 {
				out = append(out, scalars(f.Type, off+f.Offset)...)
			}
		}
	}
	return out
}

// findOutputs lists the variables that either program may change.
func (t *task) findOutputs() error {
	if t.ref == nil {
		return nil
	}
	changed := func(fs map[*cfront.Func]bool) map[string]bool {
		out := map[string]bool{}
		for f := range fs {
			cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
				cfront.Walk(x, func(y cfront.Expr) bool {
					var l cfront.Expr
					switch z := y.(type) {
					case *cfront.Assign:
						l = z.L
					case *cfront.IncDec:
						l = z.X
					}
					if l != nil {
						cfront.Walk(l, func(z cfront.Expr) bool {
							if r, ok := z.(*cfront.Ref); ok && r.Var.Func == nil {
								out[r.Var.Name] = true
							}
							return true
						})
					}
					return true
				})
			})
		}
		return out
	}
	a, b := changed(t.own), changed(cfront.Callees(t.refEntry))
	for _, v := range t.tree.Globals {
		if v.Func != nil || !a[v.Name] && !b[v.Name] {
			continue
		}
		for _, w := range t.ref.Tree.Globals {
			if w.Func == nil && w.Name == v.Name && alike(v.Type, w.Type) {
				t.outputs = append(t.outputs, output{v, w, scalars(v.Type, 0)})
			}
		}
	}
	return nil
}

// same returns the condition under which two ends are the same for the caller.
func (t *task) same(e *symbolic.Engine, o *symbolic.Outcome, re *symbolic.Engine, q *symbolic.Outcome) *smt.Term {
	ts := t.terms
	same := ts.True
	if o.Result != nil && q.Result != nil && t.entry.Type.Result.IsInteger() {
		w := uint8(8 * t.entry.Type.Result.Size)
		same = ts.Eq(ts.Extract(o.Result, 0, w), ts.Extract(q.Result, 0, w))
	}
	equal := func(a, ad, b, bd *smt.Term) {
		// What the reference never writes does not count.
		same = ts.And(same, ts.Implies(bd, ts.And(ad, ts.Eq(a, b))))
	}
	for _, out := range t.outputs {
		for _, c := range out.cells {
			a, ad, ok1 := e.Read(o.State, out.own, c.off, c.typ)
			b, bd, ok2 := re.Read(q.State, out.ref, c.off, c.typ)
			if ok1 && ok2 {
				equal(a, ad, b, bd)
			}
		}
	}
	for _, in := range t.inputs.list {
		if in.block == nil {
			continue
		}
		for i := range in.terms {
			a, ad, ok1 := e.ReadBlock(o.State, in.block[e], int64(i)*in.typ.Size, in.typ)
			b, bd, ok2 := re.ReadBlock(q.State, in.block[re], int64(i)*in.typ.Size, in.typ)
			if ok1 && ok2 {
				equal(a, ad, b, bd)
			}
		}
	}
	return same
}
