package ir

import (
	"fmt"
	"strings"
)

var opNames = [...]string{"nop", "move", "suspect", "hole", "bin", "un", "bool", "conv", "load", "store", "loadbits", "storebits", "copy", "zero",
	"local", "global", "func", "ptradd", "ptrsub", "alloca", "va_start", "va_arg", "end", "wide", "wideun", "wideconv", "widebool", "label", "call", "bound", "no value", "jump", "branch", "switch", "ret", "unreachable", "opaque", "goto"}

func (op Op) String() string { return opNames[op] }

// String prints a function for people.
func (f *Func) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", f.Type.Decl(f.Name))
	for i, bl := range f.Blocks {
		fmt.Fprintf(&b, " b%d:\n", i)
		for j := range bl.Instrs {
			fmt.Fprintf(&b, "  %s\n", bl.Instrs[j].String())
		}
	}
	return b.String()
}

func (in *Instr) String() string {
	s := ""
	if in.Dst != NoReg {
		s = fmt.Sprintf("r%d = ", in.Dst)
	}
	s += in.Op.String()
	if in.Op == Bin || in.Op == Un || in.Op == WideBin || in.Op == WideUn {
		s += " " + in.BinOp.String()
	}
	for _, r := range []Reg{in.A, in.B} {
		if r != NoReg {
			s += fmt.Sprintf(" r%d", r)
		}
	}
	if in.Imm != 0 {
		s += fmt.Sprintf(" #%d", in.Imm)
	}
	if in.T != nil {
		s += " " + in.T.String()
	}
	if in.CallX != nil {
		s += fmt.Sprintf(" f%d%v", in.CallX.Func, in.CallX.Args)
	}
	switch in.Op {
	case Jump:
		s += fmt.Sprintf(" b%d", in.Target)
	case Branch:
		s += fmt.Sprintf(" b%d b%d", in.Target, in.Else)
	}
	return fmt.Sprintf("%-40s ; %d", s, in.Stmt)
}
