package machine

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ir"
	"gulo/internal/lower"
)

// This file is what the machine does not know of the libraries that a program calls.

// Unmodelled is a call of a function that the machine does not model, or models only in part.
type Unmodelled struct {
	Stmt   *lower.Stmt
	Func   string // the function that calls
	Called string
	Reason string
}

// UnmodelledCalls lists the calls of a program at which the machine stops, or may stop.
func UnmodelledCalls(p *lower.Program) []Unmodelled {
	var out []Unmodelled
	for _, f := range p.IR.Funcs {
		decl, ok := f.Decl.(*cfront.Func)
		if !ok || decl.Range.File == nil || strings.HasPrefix(decl.Range.File.Name, "@gulo/") {
			continue
		}
		seen := map[string]bool{}
		stmt := int32(-1)
		for _, b := range f.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if in.Stmt != stmt {
					stmt, seen = in.Stmt, map[string]bool{}
				}
				name, reason := unmodelled(p.IR, f, in)
				if reason == "" || in.Stmt == 0 || seen[name] {
					continue
				}
				seen[name] = true
				out = append(out, Unmodelled{Stmt: p.Stmts[in.Stmt], Func: f.Name, Called: name, Reason: reason})
			}
		}
	}
	return out
}

// unmodelled returns the function that a call has no model for and the reason, which is "" if it has one.
func unmodelled(p *ir.Program, f *ir.Func, in *ir.Instr) (name, reason string) {
	if in.Op != ir.Call || in.CallX == nil || in.CallX.Func < 0 {
		return "", ""
	}
	callee := p.Funcs[in.CallX.Func]
	name = callee.Name
	switch {
	case len(callee.Blocks) > 0:
		return "", ""
	case builtins[name] == nil:
		return name, "the machine has no model of it"
	case name == "fesetround" && len(in.CallX.Args) == 1:
		for _, k := range f.Consts {
			if k.Reg == in.CallX.Args[0] && k.Value == 0 {
				return "", ""
			}
		}
		return name, "the machine rounds to nearest alone"
	}
	return "", ""
}
