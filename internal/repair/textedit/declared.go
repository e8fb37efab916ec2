package textedit

import (
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists initial values for variables without one. In the text the value becomes part of the declaration; a
// schema stores it right after the declaration.

// Costs of an initial value: costUnset where the text reads the variable before it stores to it, costMaybe elsewhere.
const (
	costUnset = 2
	costMaybe = 5
)

// uninitialized lists initial values for the variables that a block declares without one.
func (s *Space) uninitialized(b *cfront.Block, p place) {
	if b.Implicit {
		return
	}
	for _, st := range b.List {
		d, ok := st.(*cfront.Decl)
		if !ok || len(d.Init) > 0 || d.Var.Storage != cfront.Local || d.Var.VLALen != nil || d.Var.Name == "" {
			continue
		}
		v := d.Var
		f, end := v.Range.File, declaratorEnd(v.Range)
		if end < 0 || v.Range.Text() != v.Name {
			continue
		}
		stop := strings.IndexByte(string(f.Text[end:]), ';')
		if stop < 0 {
			continue
		}
		at := end + stop + 1
		cost := costMaybe
		if readFirst(p.fn, v) {
			cost = costUnset
		}
		for i, x := range initials(v) {
			s.add(Gap, p.fn, f, at, at, x.store, &Edit{What: "no initial value", Cost: cost + i, Changes: []Change{{f, end, end, " = " + x.text}}})
		}
	}
}

// Unset lists initial values for uninitialized variables of functions, the likeliest first.
func Unset(c Config, funcs []*cfront.Func) []*Edit {
	s := New(c)
	var out []*Edit
	for _, fn := range funcs {
		if fn.Body == nil || InMacro(fn.Body) {
			continue
		}
		cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
			if b, ok := st.(*cfront.Block); ok {
				s.uninitialized(b, place{fn: fn})
			}
		}, nil)
	}
	for _, st := range s.Sites {
		out = append(out, st.Edits...)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Cost < out[j].Cost })
	return out
}

type initialValue struct{ text, store string }

// initials returns the values that people initialize a variable of v's type with.
func initials(v *cfront.Var) []initialValue {
	of := func(values ...string) (out []initialValue) {
		for _, x := range values {
			out = append(out, initialValue{x, v.Name + " = " + x + ";"})
		}
		return out
	}
	switch t := v.Type; {
	case v.Qual&ctype.Const != 0:
		return nil
	case t.IsInteger():
		return of("0", "1")
	case t.Kind == ctype.Float:
		return of("0", "1")
	case t.Kind == ctype.Pointer:
		return of("NULL")
	case t.Kind == ctype.Array && t.Elem.IsScalar():
		return []initialValue{{"{0}", "__builtin_memset(" + v.Name + ", 0, sizeof " + v.Name + ");"}}
	}
	return nil
}

// declaratorEnd returns the offset where the declarator of a variable ends; -1 if anything but array dimensions follows
// its name.
func declaratorEnd(r source.Range) int {
	if !r.Valid() {
		return -1
	}
	depth, end := 0, r.End
	for i := r.End; i < len(r.File.Text); i++ {
		switch c := r.File.Text[i]; {
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				end = i + 1
			}
		case depth > 0 || c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c == ',' || c == ';':
			return end
		default:
			return -1
		}
	}
	return -1
}

// readFirst reports whether the first use of a variable, in the order of the text, reads it.
func readFirst(fn *cfront.Func, v *cfront.Var) bool {
	first, stored := -1, -1
	least := func(at *int, n int) {
		if *at < 0 || n < *at {
			*at = n
		}
	}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Ref:
				if y.Var == v {
					least(&first, y.Range().Start)
				}
			case *cfront.Assign:
				if r, ok := y.L.(*cfront.Ref); ok && r.Var == v && !y.HasOp {
					least(&stored, r.Range().Start)
				}
			case *cfront.Addr:
				if r, ok := y.X.(*cfront.Ref); ok && r.Var == v {
					least(&stored, r.Range().Start)
				}
			case *cfront.Decay: // a function that gets an array may fill it
				if r, ok := y.X.(*cfront.Ref); ok && r.Var == v {
					least(&stored, r.Range().Start)
				}
			}
			return true
		})
	})
	return first >= 0 && (stored < 0 || first < stored)
}
