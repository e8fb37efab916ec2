package schema

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists edits of declarations whose variables live or are seen elsewhere than is meant: an
// array that is returned dies with its function, and a declaration in an inner block hides the
// variable that is to be stored to.

const costHidden = 1 // nobody means either

// kept makes an array static that its function returns.
func (d *declaration) kept() []*Edit {
	if strings.HasPrefix(string(d.file.Text[d.at:]), "static") {
		return nil
	}
	for _, v := range d.vars {
		if v.Type.Kind == ctype.Array && v.VLALen == nil && returnedBy(d.fn, v) {
			return []*Edit{{What: "what is returned dies with the function", Cost: costHidden, Func: d.fn, Changes: []Change{{d.file, d.at, d.at, "static "}}}}
		}
	}
	return nil
}

// returnedBy reports whether a function returns a variable's address.
func returnedBy(fn *cfront.Func, v *cfront.Var) bool {
	found := false
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		r, ok := st.(*cfront.Return)
		if !ok || r.X == nil {
			return
		}
		found = found || refers(r.X, v)
	}, nil)
	return found
}

// hidden makes a declaration with a value an assignment, where a variable of its name and type is
// seen there already.
func (d *declaration) hidden(s *space) []*Edit {
	v := d.vars[0]
	end := v.Range.End
	if len(d.vars) > 1 || !v.Type.IsScalar() || v.Storage == cfront.Static || !strings.HasPrefix(strings.TrimLeft(string(d.file.Text[end:]), " \t"), "=") {
		return nil
	}
	for _, w := range visible(s.tree, d.fn, d.file, d.at) {
		if w != v && w.Name == v.Name && sameType(w.Type, v.Type) && w.Qual&ctype.Const == 0 {
			return []*Edit{{What: "it hides a variable of its name", Cost: costHidden, Func: d.fn, Changes: []Change{{d.file, d.at, v.Range.Start, ""}}}}
		}
	}
	return nil
}
