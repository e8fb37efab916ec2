//go:build llvm19

package main

import (
	"strings"

	"tinygo.org/x/go-llvm"
)

// This file has calls of library functions through pointers checked as direct calls are. Where the address of
// such a function is taken, that of a wrapper stands for it: a function that calls it and is instrumented. Its
// sites are that of the call through the pointer, which the caller names just before (gulo_calling in inline.c).
// Called by code without instrumentation, it does what the function does and nothing else.

// taken makes the wrappers of a module.
func (x *module) taken() (out []llvm.Value) {
	for f := x.m.FirstFunction(); !f.IsNil(); f = llvm.NextFunction(f) {
		if !ofLibrary(f) || !x.fromLibrary(f.Name()) || !addressTaken(f) {
			continue
		}
		target := x.listForm(f)
		if target.IsNil() {
			continue
		}
		w := x.standIn(f)
		x.wrapper(w, f, target)
		out = append(out, w)
	}
	return out
}

// listForm returns the function that a wrapper calls: f, or the one that takes the variable arguments as a list;
// nil where there is none.
func (x *module) listForm(f llvm.Value) llvm.Value {
	t := f.GlobalValueType()
	if !t.IsFunctionVarArg() {
		return f
	}
	name := "v" + f.Name()
	if std, rest, ok := strings.Cut(f.Name(), "_scanf"); ok {
		name = std + "_vscanf" + rest
	}
	for _, kind := range []string{"fscanf", "sscanf"} {
		if std, ok := strings.CutSuffix(f.Name(), "_"+kind); ok {
			name = std + "_v" + kind
		}
	}
	if _, ok := models[name]; !ok {
		return llvm.Value{}
	}
	if v := x.m.NamedFunction(name); !v.IsNil() {
		return v
	}
	return llvm.AddFunction(x.m, name, llvm.FunctionType(t.ReturnType(), append(t.ParamTypes(), x.ptr), false))
}

// standIn declares a function and puts its address where that of f was used. All files of a program share it, so
// that equal pointers stay equal.
func (x *module) standIn(f llvm.Value) llvm.Value {
	var direct []llvm.Value
	for u := f.FirstUse(); !u.IsNil(); u = u.NextUse() {
		if c := u.User(); !c.IsACallInst().IsNil() && callee(c) == f {
			direct = append(direct, c)
		}
	}
	w := llvm.AddFunction(x.m, "gulo."+f.Name(), f.GlobalValueType())
	w.SetLinkage(llvm.LinkOnceODRLinkage)
	f.ReplaceAllUsesWith(w)
	for _, c := range direct {
		c.SetOperand(c.OperandsCount()-1, f)
	}
	return w
}

// wrapper writes the body of w, which stands for f and calls target.
func (x *module) wrapper(w, f, target llvm.Value) {
	entry, plain, checked := llvm.AddBasicBlock(w, "entry"), llvm.AddBasicBlock(w, "plain"), llvm.AddBasicBlock(w, "checked")
	x.b.SetInsertPointAtEnd(entry)
	args := w.Params()
	if target != f {
		args = append(args, x.b.CreateAlloca(llvm.ArrayType(x.i64, 3), "list"))
	}
	site := x.b.CreateCall(x.types["gulo_called"], x.funcs["gulo_called"], []llvm.Value{w}, "")
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
		if r.Type() == x.void {
			x.b.CreateRetVoid()
		} else {
			x.b.CreateRet(r)
		}
	}
	x.wrappers[w] = wrapped{site, plain}
}

// wrapped is what the instrumentation of a wrapper has to know of it.
type wrapped struct {
	site  llvm.Value      // of the call through the pointer
	plain llvm.BasicBlock // for callers without instrumentation
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
