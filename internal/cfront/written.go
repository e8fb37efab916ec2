package cfront

import (
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file finds which members of unions a program writes: in the whole program, and in each function. A union may be
// written without naming a member if the address of a member is taken or if a cast gives it another type. Nothing is
// known about such a union.

// UnionMember is a member of a union on the path to the object that an expression or initializer names.
type UnionMember struct {
	Union *ctype.Type
	Index int   // in Union.Fields
	Off   int64 // offset of the union in the struct or union where the path begins
}

// Unions lists the union members on the path from x.X to the member that x names, outermost first.
func (x *Member) Unions() []UnionMember {
	t := x.X.Type()
	if x.Arrow {
		t = t.Elem
	}
	out, _ := namedUnions(t, x.Field.Name, 0, nil)
	return out
}

// namedUnions finds a member of t, also in unnamed members. It appends the unions on the path to way; off is the offset
// of t.
func namedUnions(t *ctype.Type, name string, off int64, way []UnionMember) (out []UnionMember, found bool) {
	for i := range t.Fields {
		f := &t.Fields[i]
		in := way
		if t.Kind == ctype.Union && len(t.Fields) > 1 {
			in = append(slices.Clip(way), UnionMember{t, i, off})
		}
		if f.Name == name {
			return in, true
		}
		if f.Name == "" && f.Type.IsAggregate() {
			if out, found = namedUnions(f.Type, name, off+f.Offset, in); found {
				return out, true
			}
		}
	}
	return nil, false
}

// UnionsIn lists the union members on the path from an object of type t to the part that an initializer initializes. ok
// is false if the offset and type of the initializer do not determine the path.
func (in *Init) UnionsIn(t *ctype.Type) (out []UnionMember, ok bool) {
	off := int64(0)
	for {
		for t.Kind == ctype.Array && t.Elem.Size > 0 && !ctype.Same(t, in.Type) {
			off += (in.Offset - off) / t.Elem.Size * t.Elem.Size
			t = t.Elem
		}
		if !t.IsAggregate() || ctype.Same(t, in.Type) && off == in.Offset {
			return out, true
		}
		found := -1
		for i := range t.Fields {
			if !in.mayBeIn(t.Fields[i].Type, off+t.Fields[i].Offset) {
				continue
			}
			if found >= 0 {
				return out, false
			}
			found = i
		}
		if found < 0 {
			return out, false
		}
		if t.Kind == ctype.Union && len(t.Fields) > 1 {
			out = append(out, UnionMember{t, found, off})
		}
		f := &t.Fields[found]
		off, t = off+f.Offset, f.Type
	}
}

// mayBeIn reports whether in may initialize an object of type t at offset off, or a part of it.
func (in *Init) mayBeIn(t *ctype.Type, off int64) bool {
	switch {
	case in.Offset < off || in.Offset >= off+max(t.Size, 1):
		return false
	case ctype.Same(t, in.Type):
		return in.Offset == off || in.Field != nil
	case t.Kind == ctype.Array && t.Elem.Size > 0:
		return in.mayBeIn(t.Elem, off+(in.Offset-off)/t.Elem.Size*t.Elem.Size)
	}
	return t.IsAggregate() && slices.ContainsFunc(t.Fields, func(f ctype.Field) bool { return in.mayBeIn(f.Type, off+f.Offset) })
}

// UnionWrites says what a program writes to unions.
type UnionWrites struct {
	sole    map[*ctype.Type]int   // index of the only member that is written by name; -1 for several
	exposed map[*ctype.Type]bool  // unions that may be written without naming a member
	funcs   map[*Func]*funcWrites // writes of each function
	carried map[*ctype.Type]bool  // unions that pointers converted to void * point to
	raw     bool                  // scalars may be written through converted void pointers
	blind   bool                  // some code could not be read
}

type funcWrites struct {
	f      *Func
	fresh  map[*Var]bool        // see freshPointers
	unions map[*ctype.Type]bool // unions that f writes by name or as part of a struct, other than in objects that isFresh
	any    bool                 // f may write anything: it calls through a pointer or has inline assembly
}

// Sole returns the index of the only member of a union that the program ever writes. It returns -1 if there are several
// or none, or if the union is Exposed.
func (w *UnionWrites) Sole(union *ctype.Type) int {
	if i, ok := w.sole[union]; ok && !w.Exposed(union) {
		return i
	}
	return -1
}

// Exposed reports whether a union may be written without naming a member.
func (w *UnionWrites) Exposed(union *ctype.Type) bool {
	return w.blind || w.exposed[union] || w.raw && w.carried[union]
}

// Keeps reports whether a call of f leaves all existing unions of a type unchanged.
func (w *UnionWrites) Keeps(f *Func, union *ctype.Type) bool {
	if w.Exposed(union) {
		return false
	}
	for g := range Callees(f) {
		if x := w.funcs[g]; x == nil || x.any || x.unions[union] {
			return false
		}
	}
	return f.Body != nil
}

// KeepsIn is Keeps for the functions that an expression calls.
func (w *UnionWrites) KeepsIn(x Expr, union *ctype.Type) bool {
	kept := !w.Exposed(union)
	Walk(x, func(e Expr) bool {
		k, ok := e.(*Call)
		if !ok || !kept {
			return kept
		}
		switch r, named := Skip(k.Fun).(*FuncRef); {
		case !named:
			kept = false
		case r.Func.Body != nil:
			kept = w.Keeps(r.Func, union)
		case !readers[r.Func.Name]:
			for _, a := range k.Args {
				unionsOf(pointee(beneath(a)), func(u *ctype.Type) { kept = kept && u != union })
			}
		}
		return kept
	})
	return kept
}

func pointee(t *ctype.Type) *ctype.Type {
	if t.Kind == ctype.Pointer {
		return t.Elem
	}
	return t
}

// readers are library functions that only read the targets of their arguments and return no pointer to them.
var readers = wordSet("printf fprintf puts fputs perror fflush strlen strcmp strncmp strcasecmp strncasecmp memcmp strdup strndup " +
	"atoi atol atof fwrite fopen fclose __assert_fail free exit")

// movers move or zero whole objects; fillers write a text to the target of their first argument.
var (
	movers  = wordSet("realloc qsort bsearch memset memcpy memmove")
	fillers = wordSet("strcpy strncpy strcat strncat sprintf snprintf fgets")
)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// writtenUnions collects the writes to unions in a program.
func writtenUnions(p *Program) *UnionWrites {
	w := &UnionWrites{sole: map[*ctype.Type]int{}, exposed: map[*ctype.Type]bool{}, funcs: map[*Func]*funcWrites{}, carried: map[*ctype.Type]bool{}}
	if !slices.ContainsFunc(p.Structs, func(t *ctype.Type) bool { return t.Kind == ctype.Union && len(t.Fields) > 1 }) {
		return w
	}
	w.blind = len(p.Opaque) > 0
	for _, v := range p.Globals {
		w.init(nil, v.Type, v.Init)
	}
	for _, f := range p.Funcs {
		fw := &funcWrites{f: f, fresh: freshPointers(f), unions: map[*ctype.Type]bool{}}
		w.funcs[f] = fw
		done := map[Expr]bool{}
		WalkStmt(f.Body, func(s Stmt) {
			switch s := s.(type) {
			case *Asm:
				fw.any, w.raw = true, true
			case *Decl:
				w.init(fw, s.Var.Type, s.Init)
			case *Return:
				if s.X != nil {
					w.whole(fw, s.X.Type())
				}
			}
		}, func(x Expr) {
			Walk(x, func(e Expr) bool {
				w.expr(fw, e, done)
				return true
			})
		})
	}
	return w
}

func (w *UnionWrites) init(fw *funcWrites, t *ctype.Type, list []Init) {
	for i := range list {
		in, ok := list[i].UnionsIn(t)
		if !ok {
			unionsOf(t, func(u *ctype.Type) { w.exposed[u] = true })
		}
		w.named(fw, in)
		w.whole(fw, list[i].Type)
	}
}

// named notes that union members are written by name, in function fw if not nil.
func (w *UnionWrites) named(fw *funcWrites, list []UnionMember) {
	for _, m := range list {
		if i, ok := w.sole[m.Union]; ok && i != m.Index {
			w.sole[m.Union] = -1
		} else if !ok {
			w.sole[m.Union] = m.Index
		}
		if fw != nil {
			fw.unions[m.Union] = true
		}
	}
}

// freshPointers returns the local variables of a function that are only ever assigned results of malloc or calloc.
func freshPointers(f *Func) map[*Var]bool {
	made, other := map[*Var]bool{}, map[*Var]bool{}
	given := func(v *Var, x Expr) {
		for {
			c, ok := x.(*Cast)
			if !ok {
				break
			}
			x = c.X
		}
		if k, ok := x.(*Call); ok {
			if r, ok := Skip(k.Fun).(*FuncRef); ok && r.Func.Body == nil && (r.Func.Name == "malloc" || r.Func.Name == "calloc") {
				made[v] = true
				return
			}
		}
		other[v] = true
	}
	WalkStmt(f.Body, func(s Stmt) {
		if d, ok := s.(*Decl); ok {
			for _, in := range d.Init {
				given(d.Var, in.X)
			}
		}
	}, func(x Expr) {
		Walk(x, func(e Expr) bool {
			switch e := e.(type) {
			case *Assign:
				if r, ok := e.L.(*Ref); ok {
					given(r.Var, e.R)
				}
			case *IncDec:
				if r, ok := e.X.(*Ref); ok {
					other[r.Var] = true
				}
			}
			return true
		})
	})
	for v := range made {
		if other[v] || v.AddrTaken || v.Storage != Local {
			delete(made, v)
		}
	}
	return made
}

// isFresh reports whether an lvalue is in the target of a fresh pointer, or in a local variable of the function whose
// address is not taken.
func (fw *funcWrites) isFresh(x Expr) bool {
	for {
		switch y := x.(type) {
		case *Member:
			if r, ok := y.X.(*Ref); ok && y.Arrow {
				return fw.fresh[r.Var]
			}
			if y.Arrow {
				return false
			}
			x = y.X
		case *Ref:
			return y.Var.Func == fw.f && y.Var.Storage <= Param && !y.Var.AddrTaken
		default:
			return false
		}
	}
}

// whole notes that function fw, if not nil, writes all unions in an object of type t.
func (w *UnionWrites) whole(fw *funcWrites, t *ctype.Type) {
	if fw != nil {
		unionsOf(t, func(u *ctype.Type) { fw.unions[u] = true })
	}
}

// unionsOf calls f for the unions in a type.
func unionsOf(t *ctype.Type, f func(u *ctype.Type)) {
	for t.Kind == ctype.Array {
		t = t.Elem
	}
	if !t.IsAggregate() {
		return
	}
	if t.Kind == ctype.Union && len(t.Fields) > 1 {
		f(t)
	}
	for i := range t.Fields {
		unionsOf(t.Fields[i].Type, f)
	}
}

// OnWay lists the union members on the path to an lvalue, outermost first. The path begins at a variable or at the
// target of a pointer.
func OnWay(x Expr) (out []UnionMember) {
	for {
		switch y := x.(type) {
		case *Member:
			out = append(y.Unions(), out...)
			if y.Arrow {
				return out
			}
			x = y.X
		case *Index:
			d, ok := y.X.(*Decay)
			if !ok {
				return out
			}
			x = d.X
		case *Part:
			x = y.X
		default:
			return out
		}
	}
}

// expr notes the writes of an expression. done has pointers that do not expose unions: operands of an index, and
// arguments of functions that do not keep them.
func (w *UnionWrites) expr(fw *funcWrites, x Expr, done map[Expr]bool) {
	switch x := x.(type) {
	case *Assign:
		if fw.isFresh(x.L) {
			fw = nil
		}
		w.named(fw, OnWay(x.L))
		w.whole(fw, x.L.Type())
	case *IncDec:
		if fw.isFresh(x.X) {
			fw = nil
		}
		w.named(fw, OnWay(x.X))
	case *Compound:
		w.init(fw, x.Var.Type, x.Init)
	case *Index:
		done[x.X] = true
	case *Decay:
		if !done[x] {
			w.expose(x.X)
		}
	case *Addr:
		if !done[x] {
			w.expose(x.X)
		}
	case *Cast:
		w.cast(x, done)
	case *Call:
		w.call(fw, x, done)
	}
}

func (w *UnionWrites) expose(x Expr) {
	for _, m := range OnWay(x) {
		w.exposed[m.Union] = true
	}
}

// cast notes the unions that a pointer cast exposes or carries behind a void *.
func (w *UnionWrites) cast(x *Cast, done map[Expr]bool) {
	from, to := x.X.Type(), x.Type()
	if done[x] || from.Kind != ctype.Pointer {
		return
	}
	switch {
	case to.Kind != ctype.Pointer:
		if to.IsInteger() && to.Size == 8 {
			unionsOf(from.Elem, func(u *ctype.Type) { w.exposed[u] = true })
		}
	case ctype.Same(from.Elem, to.Elem):
	case to.Elem.Kind == ctype.Void:
		unionsOf(from.Elem, func(u *ctype.Type) { w.carried[u] = true })
	case from.Elem.Kind == ctype.Void:
		w.raw = w.raw || to.Elem.IsScalar()
	default:
		unionsOf(from.Elem, func(u *ctype.Type) { w.exposed[u] = true })
		unionsOf(to.Elem, func(u *ctype.Type) { w.exposed[u] = true })
	}
}

// call notes what a call does to unions through its pointer arguments.
func (w *UnionWrites) call(fw *funcWrites, x *Call, done map[Expr]bool) {
	r, ok := Skip(x.Fun).(*FuncRef)
	if !ok {
		fw.any = true
		return
	}
	borrowed := func(a Expr) {
		for done[a] = true; ; done[a] = true {
			c, ok := a.(*Cast)
			if !ok {
				return
			}
			a = c.X
		}
	}
	switch name := r.Func.Name; {
	case r.Func.Body != nil:
	case readers[name], movesWhole(x, name):
		for _, a := range x.Args {
			borrowed(a)
			if t := beneath(a); t.Kind == ctype.Pointer && !readers[name] {
				w.whole(fw, t.Elem)
			}
		}
	default:
		if fillers[name] && len(x.Args) > 0 {
			if d, ok := x.Args[0].(*Decay); ok {
				w.named(fw, OnWay(d.X))
				done[d] = true
			}
		}
		for _, a := range x.Args {
			if t := beneath(a); t.Kind == ctype.Pointer && !done[a] {
				unionsOf(t.Elem, func(u *ctype.Type) { w.exposed[u] = true })
				w.raw = w.raw || t.Elem.Kind == ctype.Void
			}
		}
	}
}

// movesWhole reports whether a call moves or zeroes whole objects of a known type.
func movesWhole(x *Call, name string) bool {
	if name == "memcpy" || name == "memmove" {
		return len(x.Args) == 3 && ctype.Same(beneath(x.Args[0]), beneath(x.Args[1])) && beneath(x.Args[0]).Kind == ctype.Pointer && beneath(x.Args[0]).Elem.Kind != ctype.Void
	}
	return movers[name]
}

// beneath returns the type of an expression without its outer casts.
func beneath(x Expr) *ctype.Type {
	for {
		c, ok := x.(*Cast)
		if !ok {
			return x.Type()
		}
		x = c.X
	}
}
