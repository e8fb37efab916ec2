package logic

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/symbolic"
)

// This file finds the storage that outlives a call: global variables, and static variables of files and functions.
// Those of the program and the reference are paired by name and function. What either program may read before it writes
// it is an input, and what it leaves there is an output.

// storage is a variable with static storage.
type storage struct {
	name     string      // f::n if it is local to f
	nth      int         // index among the variables of this name
	own, ref *cfront.Var // nil: that program has none
	used     bool        // the entry of either program leads to a function that mentions it
	constant bool        // nothing changes it, so it has its declared value
	assigned bool        // something in either program may change it
	cells    []scalar    // parts for which symbols are made, if it is an input
	rest     []scalar    // pointers and floating-point numbers, for which none are made
	symbolic bool        // it is an input
}

// either returns the variable in one of the programs.
func (s *storage) either() *cfront.Var {
	if s.own != nil {
		return s.own
	}
	return s.ref
}

// scalar is a scalar part of a variable.
type scalar struct {
	off  int64
	typ  *ctype.Type
	path string // such as [2].x
}

// Bounds of the storage that becomes symbols. Larger variables keep their initial values.
const (
	mostCells    = 512 // of one variable
	mostAllCells = 4000
)

// scalars lists the integers of a type. Unions and bit-fields are represented by their bytes.
func scalars(t *ctype.Type, off int64) (out []scalar) {
	parts(t, off, "", func(s scalar) {
		if s.typ.IsInteger() {
			out = append(out, s)
		}
	})
	return out
}

// others lists the pointers and floating-point numbers of a type.
func others(t *ctype.Type) (out []scalar) {
	parts(t, 0, "", func(s scalar) {
		if !s.typ.IsInteger() {
			out = append(out, s)
		}
	})
	return out
}

// mostParts bounds the elements of an array that are looked at.
const mostParts = 1 << 16

func parts(t *ctype.Type, off int64, path string, f func(scalar)) {
	bytes := func(from, to int64, path string) {
		for at := from; at < to; at++ {
			f(scalar{at, ctype.UCharT, fmt.Sprintf("%s byte %d", path, at-off)})
		}
	}
	switch {
	case t.IsScalar():
		f(scalar{off, t, path})
	case t.Kind == ctype.Array:
		for i := int64(0); i < min(t.Len, mostParts); i++ {
			parts(t.Elem, off+i*t.Elem.Size, fmt.Sprintf("%s[%d]", path, i), f)
		}
	case t.Kind == ctype.Union:
		bytes(off, off+t.Size, path)
	case t.Kind == ctype.Struct:
		end := off // end of the bit-field bytes that were visited
		for _, m := range t.Fields {
			switch {
			case m.BitLen > 0:
				first := off + m.Offset + int64(m.BitOff)/8
				last := off + m.Offset + int64(m.BitOff+m.BitLen+7)/8
				bytes(max(first, end), last, path)
				end = max(end, last)
			case m.Name == "":
				parts(m.Type, off+m.Offset, path, f)
			default:
				parts(m.Type, off+m.Offset, path+"."+m.Name, f)
			}
		}
	}
}

// reach lists the functions with bodies that a function leads to, also through pointers in initializers, and the
// variables with static storage that these mention.
func reach(entry *cfront.Func) (funcs map[*cfront.Func]bool, vars map[*cfront.Var]bool) {
	funcs, vars = map[*cfront.Func]bool{}, map[*cfront.Var]bool{}
	var function func(*cfront.Func)
	var look func(cfront.Expr)
	look = func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch z := y.(type) {
			case *cfront.FuncRef:
				function(z.Func)
			case *cfront.Ref:
				if v := z.Var; outlives(v) && !vars[v] {
					vars[v] = true
					for _, in := range v.Init {
						look(in.X)
					}
				}
			}
			return true
		})
	}
	function = func(f *cfront.Func) {
		for f.Alias != nil {
			f = f.Alias
		}
		if !funcs[f] && f.Body != nil {
			funcs[f] = true
			cfront.WalkStmt(f.Body, nil, look)
		}
	}
	function(entry)
	return funcs, vars
}

func outlives(v *cfront.Var) bool { return v.Storage == cfront.Global || v.Storage == cfront.Static }

// changed lists the variables that a program may change: those that are assigned, and those whose address is taken.
func changed(tree *cfront.Program) map[*cfront.Var]bool {
	out := map[*cfront.Var]bool{}
	mark := func(x cfront.Expr) {
		if v := rootOf(x); v != nil {
			out[v] = true
		}
	}
	var look func(x cfront.Expr)
	look = func(x cfront.Expr) {
		switch y := x.(type) {
		case *cfront.Assign:
			mark(y.L)
		case *cfront.IncDec:
			mark(y.X)
		case *cfront.Addr:
			mark(y.X)
		case *cfront.Index:
			if d, ok := y.X.(*cfront.Decay); ok { // an element is read, the array's address is not taken
				cfront.Children(d, look)
				look(y.I)
				return
			}
		case *cfront.Deref:
			if d, ok := y.X.(*cfront.Decay); ok {
				cfront.Children(d, look)
				return
			}
		case *cfront.Decay:
			mark(y.X)
		}
		cfront.Children(x, look)
	}
	for _, f := range tree.Funcs {
		if f.Body != nil {
			cfront.WalkStmt(f.Body, nil, look)
		}
	}
	for _, v := range tree.Globals {
		for _, in := range v.Init {
			look(in.X)
		}
	}
	return out
}

// rootOf returns the variable that a left side is a part of. It is nil if the left side is reached through a pointer.
func rootOf(x cfront.Expr) *cfront.Var {
	for {
		switch y := x.(type) {
		case *cfront.Ref:
			return y.Var
		case *cfront.Member:
			if y.Arrow {
				return nil
			}
			x = y.X
		case *cfront.Index:
			d, ok := y.X.(*cfront.Decay)
			if !ok {
				return nil
			}
			x = d.X
		case *cfront.Deref:
			d, ok := y.X.(*cfront.Decay)
			if !ok {
				return nil
			}
			x = d.X
		case *cfront.Cast:
			x = y.X
		default:
			return nil
		}
	}
}

// variables lists a program's variables with static storage, by name.
func variables(tree *cfront.Program) map[string][]*cfront.Var {
	out := map[string][]*cfront.Var{}
	for _, v := range tree.Globals {
		if v.Name != "__func__" && !generated(v) {
			out[symbolic.VariableName(v)] = append(out[symbolic.VariableName(v)], v)
		}
	}
	return out
}

// generated reports whether a variable belongs to the library or to gulo.
func generated(v *cfront.Var) bool {
	return !v.Range.Valid() || len(v.Range.File.Name) > 0 && v.Range.File.Name[0] == '@'
}

// findStorage lists and pairs the static storage of both programs.
func (t *task) findStorage() {
	var refVars map[string][]*cfront.Var
	used := map[*cfront.Var]bool{}
	_, vs := reach(t.entry)
	for v := range vs {
		used[v] = true
	}
	change := changed(t.tree)
	if t.ref != nil {
		refVars = variables(t.ref.Tree)
		_, vs := reach(t.refEntry)
		for v := range vs {
			used[v] = true
		}
		for v := range changed(t.ref.Tree) {
			change[v] = true
		}
	}
	counts := map[string]int{}
	add := func(own, ref *cfront.Var, name string) {
		s := &storage{name: name, nth: counts[name], own: own, ref: ref}
		counts[name]++
		for _, v := range []*cfront.Var{own, ref} {
			if v != nil {
				s.used = s.used || used[v]
				s.assigned = s.assigned || change[v]
			}
		}
		s.constant = !s.assigned
		for _, v := range []*cfront.Var{own, ref} {
			if v != nil && !v.Const && v.Storage == cfront.Global && (v.Type.Kind != ctype.Array || len(v.Init) == 0) {
				s.constant = false // another file may set it
			}
		}
		s.cells, s.rest = scalars(s.either().Type, 0), others(s.either().Type)
		t.storage = append(t.storage, s)
	}
	for _, v := range t.tree.Globals {
		if v.Name == "__func__" || generated(v) {
			continue
		}
		name := symbolic.VariableName(v)
		var w *cfront.Var
		if list := refVars[name]; len(list) > 0 && similar(v.Type, list[0].Type) {
			w, refVars[name] = list[0], list[1:]
		}
		add(v, w, name)
	}
	if t.ref == nil {
		return
	}
	for _, w := range t.ref.Tree.Globals {
		for _, left := range refVars[symbolic.VariableName(w)] {
			if left == w && !generated(w) {
				add(nil, w, symbolic.VariableName(w))
			}
		}
	}
}

// in returns the variable in a tree: of the task's program, of the reference, or of a patched program.
func (s *storage) in(tree *cfront.Program) *cfront.Var {
	n := 0
	for _, v := range tree.Globals {
		if v == s.own || v == s.ref {
			return v
		}
		if symbolic.VariableName(v) != s.name {
			continue
		}
		if n == s.nth {
			return v
		}
		n++
	}
	return nil
}

// similar reports whether types of two programs have the same layout.
func similar(a, b *ctype.Type) bool {
	if a.Size != b.Size || a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case ctype.Struct, ctype.Union:
		if len(a.Fields) != len(b.Fields) {
			return false
		}
		for i := range a.Fields {
			x, y := &a.Fields[i], &b.Fields[i]
			if x.Name != y.Name || x.Offset != y.Offset || x.BitLen != y.BitLen || x.BitOff != y.BitOff || !similar(x.Type, y.Type) {
				return false
			}
		}
		return true
	case ctype.Array:
		return a.Len == b.Len && similar(a.Elem, b.Elem)
	case ctype.Pointer:
		return alike(a, b)
	}
	return ctype.Same(a, b)
}
