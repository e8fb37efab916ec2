package logic

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/source"
)

// This file decides which functions of two programs mean the same, because their trees are equal after macro expansion,
// including the types, the variables and the initial values that they use. Comparing texts would not do: a macro may
// have another value in each program.

// digest writes what a function means. Functions that it calls are written as names only.
func digest(f *cfront.Func) string {
	d := &digester{seen: map[met]int{}}
	for _, p := range f.Params {
		d.value(reflect.ValueOf(p))
	}
	d.value(reflect.ValueOf(f.Type))
	d.value(reflect.ValueOf(f.Entry))
	d.value(reflect.ValueOf(f.Body))
	return d.out.String()
}

// digester writes trees. A node that was written before is written as a number, so that cycles end.
type digester struct {
	out  strings.Builder
	seen map[met]int
}

// met identifies a node. The type is needed as a struct and its first field have the same address.
type met struct {
	typ reflect.Type
	at  uintptr
}

// layout lists fields that say how and where a tree is written, not what it means.
var layout = map[string]bool{"Spell": true, "spelt": true, "macro": true, "AddrTaken": true, "declared": true}

var (
	rangeType = reflect.TypeOf(source.Range{})
	varType   = reflect.TypeOf(cfront.Var{})
)

func (d *digester) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		d.out.WriteByte('-')
	case reflect.Interface:
		d.value(v.Elem())
	case reflect.Pointer:
		switch {
		case v.IsNil():
			d.out.WriteByte('-')
			return
		case v.Type() == reflect.TypeOf((*cfront.Func)(nil)):
			for !v.Elem().FieldByName("Alias").IsNil() { // the function whose body is called
				v = v.Elem().FieldByName("Alias")
			}
			fmt.Fprintf(&d.out, "&%s ", v.Elem().FieldByName("Name").String())
			return
		}
		k := met{v.Type(), v.Pointer()}
		if n, ok := d.seen[k]; ok {
			fmt.Fprintf(&d.out, "#%d ", n)
			return
		}
		d.seen[k] = len(d.seen)
		d.value(v.Elem())
	case reflect.Struct:
		if v.Type() == rangeType {
			return
		}
		d.out.WriteString(v.Type().Name() + "{")
		local := v.Type() == varType && cfront.Storage(v.FieldByName("Storage").Uint()) <= cfront.Param
		for i := range v.NumField() {
			if n := v.Type().Field(i).Name; !layout[n] && !(local && n == "Name") {
				d.value(v.Field(i))
			}
		}
		d.out.WriteByte('}')
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(&d.out, "[%d ", v.Len())
		for i := range v.Len() {
			d.value(v.Index(i))
		}
		d.out.WriteByte(']')
	case reflect.String:
		fmt.Fprintf(&d.out, "%q ", v.String())
	case reflect.Bool:
		fmt.Fprintf(&d.out, "%v ", v.Bool())
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(&d.out, "%x ", v.Float())
	default:
		switch {
		case v.CanInt():
			fmt.Fprintf(&d.out, "%d ", v.Int())
		case v.CanUint():
			fmt.Fprintf(&d.out, "%d ", v.Uint())
		default: // no tree has such a kind; if one did, no two digests would be equal
			fmt.Fprintf(&d.out, "?%p%d ", d, d.out.Len())
		}
	}
}

// roots returns the functions with which a program starts and ends. For a library these are all functions.
func roots(p *lower.Program) (out []*cfront.Func) {
	if m := p.Tree.Func("main"); m != nil && m.Body != nil {
		out = append(out, m)
		for _, h := range slices.Concat(p.Tree.Constructors, p.Tree.Destructors) {
			out = append(out, h.Func)
		}
		return out
	}
	for _, f := range p.Tree.Funcs {
		if written(f) {
			out = append(out, f)
		}
	}
	return out
}

// reachable returns the functions that a program can reach, by name.
func reachable(p *lower.Program) map[string]*cfront.Func {
	out := map[string]*cfront.Func{}
	for _, r := range roots(p) {
		fs, _ := reach(r)
		for f := range fs {
			out[f.Name] = f
		}
	}
	return out
}

// pointed lists the functions that are mentioned elsewhere than in direct calls, so that it is unknown who calls them.
func pointed(fs map[string]*cfront.Func) map[string]bool {
	out := map[string]bool{}
	var look func(x cfront.Expr)
	look = func(x cfront.Expr) {
		switch y := x.(type) {
		case *cfront.Call:
			if _, direct := y.Fun.(*cfront.FuncRef); direct {
				for _, a := range y.Args {
					look(a)
				}
				return
			}
		case *cfront.FuncRef:
			out[y.Func.Name] = true
		}
		cfront.Children(x, look)
	}
	seen := map[*cfront.Var]bool{}
	for _, f := range fs {
		cfront.WalkStmt(f.Body, nil, look)
		_, vars := reach(f)
		for v := range vars {
			if !seen[v] {
				seen[v] = true
				for _, in := range v.Init {
					look(in.X)
				}
			}
		}
	}
	return out
}

// callersOf lists the names of other functions that mention a function.
func callersOf(fs map[string]*cfront.Func, name string) (out []string) {
	for n, f := range fs {
		found := false
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				r, ok := y.(*cfront.FuncRef)
				found = found || ok && r.Func.Name == name
				return true
			})
		})
		if found && n != name {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}
