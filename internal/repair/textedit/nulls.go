package textedit

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file replaces NULL by a pointer: the rest of a list, its old end, the node found.

// costNull is the cost of a pointer that the function names; any other link costs one more.
const costNull = costPath

// costNoObject is the cost of NULL where there is no object to read a pointer from.
const costNoObject = costGuard

// null lists pointers in place of NULL where it is stored, returned or passed, and NULL in place of a pointer that is read
// from an object which may be missing: p ? p->next : NULL.
func (s *Space) null(x cfront.Expr, fn *cfront.Func) {
	if m, ok := x.(*cfront.Member); ok && m.Arrow && m.Type().Kind == ctype.Pointer && within(m.X, m) && path(cfront.Skip(m.X)) && !cfront.HasCall(m.X) && !impure(m.X) {
		t := m.X.Range().Text() + " ? " + x.Range().Text() + " : NULL"
		s.replaced(x, fn, costNoObject, "nothing where there is no object", t, t)
		return
	}
	if x == nil || !writtenNull(x) || x.Type().Kind != ctype.Pointer {
		return
	}
	r, t := x.Range(), x.Type()
	put := func(cost int, text string) {
		s.replaced(x, fn, cost, "a pointer for null", text, text)
	}
	vars := Visible(s.tree, fn, r.File, r.Start)
	named := map[string]bool{}
	for _, o := range s.things(fn, vars) {
		if s.fits(o.typ, t) {
			named[o.text] = true
			put(costNull, o.text)
		}
	}
	for _, v := range vars { // links that the function does not name
		if v.Type.Kind != ctype.Pointer || !v.Type.Elem.IsAggregate() || v.Func == nil {
			continue
		}
		for _, f := range v.Type.Elem.Fields {
			if text := v.Name + "->" + f.Name; f.Name != "" && s.fits(f.Type, t) && !named[text] {
				put(costNull+1, text)
			}
		}
	}
}
