//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file replaces calls of library functions that the runtime does itself: the allocator, and functions that the
// runtime has to do in order to know what is written where.

// replacement is the function of the runtime that stands for one of the library's,
// and what it is given: arguments, which are numbered from 1, their meta words
// (m1), the site (s), NULL or 0 (-), the size of a page (p).
type replacement struct{ name, args string }

var replacements = map[string]replacement{
	"malloc": {"gulo_malloc", "1 s"}, "calloc": {"gulo_calloc", "1 2 s"}, "free": {"gulo_free", "1 m1 s"},
	"realloc": {"gulo_realloc", "1 2 m1 s"}, "reallocarray": {"gulo_reallocarray", "1 2 3 m1 s"},
	"aligned_alloc": {"gulo_aligned", "1 2 s"}, "memalign": {"gulo_aligned", "1 2 s"}, "valloc": {"gulo_aligned", "p 1 s"},
	"pvalloc": {"gulo_pvalloc", "p 1 s"}, "malloc_usable_size": {"gulo_usable", "1 m1 s"},
	"posix_memalign": {"gulo_posix_memalign", "1 2 3 m1 s"},
	"pthread_create": {"gulo_thread", "1 2 3 4 m1 m4 s"},
	"qsort":          {"gulo_qsort", "1 2 3 4 m1 s"}, "bsearch": {"gulo_bsearch", "1 2 3 4 5 m1 m2 s"},
	"readv": {"gulo_readv", "1 2 3 m2 s"}, "preadv": {"gulo_preadv", "1 2 3 4 m2 s"}, "preadv64": {"gulo_preadv", "1 2 3 4 m2 s"}, "recvmsg": {"gulo_recvmsg", "1 2 3 m2 s"},
	"gets": {"gulo_gets", "1 m1 s"}, "strtok": {"gulo_token", "1 2 - m1 m2 - s"}, "strtok_r": {"gulo_token", "1 2 3 m1 m2 m3 s"}, "strsep": {"gulo_next_field", "1 2 m1 m2 s"},
}

// replace replaces a call of the library by one of the runtime. It returns false if the runtime has none of that
// name, or if the call has too few arguments.
func (f *function) replace(i llvm.Value, name string) bool {
	r, ok := replacements[plain(name)]
	if !ok {
		return false
	}
	types := f.types[r.name].ParamTypes()
	var args []llvm.Value
	for k, a := range strings.Fields(r.args) {
		v := llvm.ConstNull(types[k])
		switch n := int(a[len(a)-1] - '1'); {
		case a == "s":
			v = f.from(i, 0, name)
		case a == "p":
			v = f.c64(4096)
		case a == "-":
		case n >= i.OperandsCount()-1: // fewer arguments than there should be
			return false
		case a[0] == 'm':
			v = f.metaAt(i.Operand(n), i)
		default:
			v = i.Operand(n)
		}
		args = append(args, v)
	}
	f.b.SetInsertPointBefore(i)
	c := f.call(i, r.name, args...)
	if f.c.Meta && isPointer(c) {
		f.b.SetInsertPointBefore(after(c))
		f.metas[c] = f.call(c, "gulo_get_result", c)
	}
	f.standsFor(c, i)
	return true
}

// standsFor puts the result of c where that of i was used, and removes i.
func (f *function) standsFor(c, i llvm.Value) {
	if i.Type() != f.void {
		f.b.SetInsertPointBefore(i)
		i.ReplaceAllUsesWith(f.converted(c, i.Type()))
	}
	delete(f.metas, i)
	i.EraseFromParentAsInstruction()
}

// converted converts a value to another type. It is needed where a program declares a library function otherwise than
// it is: with a narrower number, or with a number where the library has a pointer.
func (x *module) converted(v llvm.Value, t llvm.Type) llvm.Value {
	from, to := v.Type().TypeKind(), t.TypeKind()
	switch {
	case v.Type() == t:
		return v
	case from == llvm.IntegerTypeKind && to == llvm.IntegerTypeKind && v.Type().IntTypeWidth() < t.IntTypeWidth():
		return x.b.CreateSExt(v, t, "")
	case from == llvm.IntegerTypeKind && to == llvm.IntegerTypeKind:
		return x.b.CreateTrunc(v, t, "")
	case from == llvm.IntegerTypeKind && to == llvm.PointerTypeKind:
		return x.b.CreateIntToPtr(x.converted(v, x.i64), t, "")
	case from == llvm.PointerTypeKind && to == llvm.IntegerTypeKind:
		return x.b.CreatePtrToInt(v, t, "")
	}
	return llvm.Undef(t)
}
