package cfront

import (
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/source"
)

// Volatiles returns the texts, sorted, of the volatile objects that f and the functions it calls access: variables of
// static storage, members, and targets of pointers to volatile. Each access to such an object is observable
// (C17 5.1.2.3p6), and the object may change by itself. A comparison of final values does not cover that.
func Volatiles(f *Func) []string {
	var names []string
	note := func(x Expr) {
		if text := source.OneLine(x.Range().Text()); text != "" && !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	for g := range Callees(f) {
		WalkStmt(g.Body, nil, func(x Expr) {
			Walk(x, func(y Expr) bool {
				if volatileAccess(y) {
					note(y)
				}
				return true
			})
		})
	}
	slices.Sort(names)
	return names
}

func volatileAccess(x Expr) bool {
	switch x := x.(type) {
	case *Ref:
		if x.Var.Storage != Static && x.Var.Func != nil {
			return false
		}
	case *Index:
		if d, ok := x.X.(*Decay); ok {
			return volatileAccess(d.X)
		}
	}
	return qualified(x, ctype.Volatile)
}

// AtomicAccess reports whether an lvalue is an atomic object.
func AtomicAccess(x Expr) bool { return qualified(x, ctype.Atomic) }

// qualified reports whether the type of an lvalue has a qualifier.
func qualified(x Expr, q ctype.Qual) bool {
	switch x := x.(type) {
	case *Ref:
		v := x.Var
		return q == ctype.Volatile && v.Volatile || v.Qual&q != 0 || v.Type.Kind == ctype.Array && v.Type.ElemQual&q != 0
	case *Member:
		if x.Arrow && x.X.Type().ElemQual&q != 0 {
			return true
		}
		return x.Field.Qual&q != 0
	case *Deref:
		return x.X.Type().ElemQual&q != 0
	case *Index:
		if d, ok := x.X.(*Decay); ok {
			return qualified(d.X, q)
		}
		return x.X.Type().ElemQual&q != 0
	}
	return false
}
