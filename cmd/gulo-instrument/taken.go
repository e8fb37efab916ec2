//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file makes calls of library functions through pointers checked as direct calls are. Where the address of such
// a function is taken, the address of a wrapper is put instead: a function that calls it and is instrumented. What
// the wrapper reports has the place of the call through the pointer, which the caller names just before (gulo_calling
// in inline.c). Called by code without instrumentation, the wrapper does what the function does and nothing else.
//
// A wrapper also stands for a function that a program declares itself with a name of the library's, as it has to
// declare gets and strdup. Whether that is the library's function or one of the program's own in another file is only
// known when the program runs.

// taken makes the wrappers of a module.
func (x *module) taken() (out []llvm.Value) {
	var list []llvm.Value
	for f := x.m.FirstFunction(); !f.IsNil(); f = llvm.NextFunction(f) {
		switch {
		case !f.IsDeclaration() || f.FirstUse().IsNil():
		case x.ofLibrary(f):
			if x.fromLibrary(f.Name()) && addressTaken(f) {
				list = append(list, f)
			}
		case x.modelled(f.Name()) && x.library[f.Name()] && plainTypes(f):
			list = append(list, f)
		}
	}
	for _, f := range list {
		if target := x.listForm(f); !target.IsNil() {
			x.redeclared[f] = !x.ofLibrary(f)
			out = append(out, x.wrapper(f, target))
		}
	}
	return out
}

// plainTypes reports whether a function can be called with its arguments as they are: their attributes, which say
// how they are passed, are not copied to a wrapper.
func plainTypes(f llvm.Value) bool {
	for k, t := range f.GlobalValueType().ParamTypes() {
		for _, a := range []string{"byval", "sret", "signext", "zeroext"} {
			if !f.GetEnumAttributeAtIndex(k+1, llvm.AttributeKindID(a)).IsNil() {
				return false
			}
		}
		switch t.TypeKind() {
		case llvm.PointerTypeKind, llvm.IntegerTypeKind, llvm.DoubleTypeKind, llvm.FloatTypeKind:
		default:
			return false
		}
	}
	return true
}

// listForm returns the function that a wrapper calls: f, or the one that takes the variable arguments as a list;
// nil where there is none.
func (x *module) listForm(f llvm.Value) llvm.Value {
	t := f.GlobalValueType()
	if !t.IsFunctionVarArg() {
		return f
	}
	name := "v" + plain(f.Name())
	if _, ok := models[name]; !ok {
		return llvm.Value{}
	}
	name = strings.TrimSuffix(f.Name(), plain(f.Name())) + name
	if v := x.m.NamedFunction(name); !v.IsNil() {
		return v
	}
	return llvm.AddFunction(x.m, name, llvm.FunctionType(t.ReturnType(), append(t.ParamTypes(), x.ptr), false))
}

// wrapper declares the wrapper of f, which calls target, and puts its address where that of f was used. All files
// of a program share it, so that equal pointers stay equal.
func (x *module) wrapper(f, target llvm.Value) llvm.Value {
	var direct []llvm.Value
	for u := f.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if c := u.User(); !c.IsACallInst().IsNil() && callee(c) == f {
			direct = append(direct, c)
		}
	}
	w := llvm.AddFunction(x.m, "gulo."+f.Name(), f.GlobalValueType())
	w.SetLinkage(llvm.LinkOnceODRLinkage)
	f.ReplaceAllUsesWith(w)
	if !x.redeclared[f] {
		for _, c := range direct {
			c.SetOperand(c.OperandsCount()-1, f)
		}
	}
	x.wrapperBody(w, f, target)
	return w
}

// wrapped is what the instrumentation of a wrapper has to know of it.
type wrapped struct {
	site  llvm.Value      // of the call through the pointer
	plain llvm.BasicBlock // for callers without instrumentation
}

func (x *module) wrapperBody(w, f, target llvm.Value) {
	entry, plain, checked := llvm.AddBasicBlock(w, "entry"), llvm.AddBasicBlock(w, "plain"), llvm.AddBasicBlock(w, "checked")
	call := func(name string, args ...llvm.Value) llvm.Value {
		return x.b.CreateCall(x.types[name], x.funcs[name], args, "")
	}
	x.b.SetInsertPointAtEnd(entry)
	args := w.Params()
	if target != f {
		args = append(args, x.b.CreateAlloca(llvm.ArrayType(x.i64, 3), "list"))
	}
	var site llvm.Value
	if x.redeclared[f] {
		site = call("gulo_called_library", w, f, x.shared("gulo.whose."+f.Name()))
	} else {
		site = call("gulo_called", w)
	}
	x.b.CreateCondBr(x.b.CreateIsNull(site, ""), plain, checked)
	for _, b := range []llvm.BasicBlock{plain, checked} {
		x.b.SetInsertPointAtEnd(b)
		if target != f {
			x.listCall("llvm.va_start", args[len(args)-1])
		}
		r := x.b.CreateCall(target.GlobalValueType(), target, args, "")
		if target != f {
			x.listCall("llvm.va_end", args[len(args)-1])
		}
		if x.redeclared[f] && b == plain {
			call("gulo_left_through", f, w)
		}
		if r.Type() == x.void {
			x.b.CreateRetVoid()
		} else {
			x.b.CreateRet(r)
		}
	}
	x.wrappers[w] = wrapped{site, plain}
}

// shared makes a variable that all files of a program share.
func (x *module) shared(name string) llvm.Value {
	g := llvm.AddGlobal(x.m, x.i32, name)
	g.SetInitializer(x.c32(0))
	g.SetLinkage(llvm.LinkOnceODRLinkage)
	return g
}

// listCall calls an intrinsic with a list of arguments.
func (x *module) listCall(name string, list llvm.Value) {
	name += ".p0"
	t := llvm.FunctionType(x.void, []llvm.Type{x.ptr}, false)
	f := x.m.NamedFunction(name)
	if f.IsNil() {
		f = llvm.AddFunction(x.m, name, t)
	}
	x.b.CreateCall(t, f, []llvm.Value{list}, "")
}
