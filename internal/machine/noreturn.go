package machine

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/source"
)

// This file finds functions that end without a value which their callers use: what such a call gives is whatever
// stands in a register, natively one thing and here another (C11 6.9.1p12).

// EndsWithoutValue returns the fault of a function that ends at a place without the value that a line uses.
func EndsWithoutValue(at source.Position, function string, line int) *Fault {
	return &Fault{Kind: MissingReturn, Pos: at, Message: fmt.Sprintf("%s ends without a value, which line %d uses", function, line)}
}

// noValue is executed before a function returns without a value. It is a fault if the program itself has called the
// function and uses the result. Calls by the library do not count: pthread_join, say, need not ask for a result.
func (m *control) noValue(x *inst) *Fault {
	n := len(m.frames)
	if n < 2 {
		return nil
	}
	from, at := m.frames[n-2].fn, m.frames[n-1].retPC-1
	if at < 0 || at >= len(from.code) || from.code[at].does() != oCall {
		return nil
	}
	info := from.code[at].in.CallX
	if info.Dropped || info.Func >= 0 && m.prog.IR.Funcs[info.Func].Blocks == nil {
		return nil
	}
	fn, where := m.fn.name, m.position(from.code[at].stmt)
	f := m.fault(MissingReturn, 0, "%s", EndsWithoutValue(source.Position{}, fn, where.Line).Message)
	if x.imm == 1 {
		for _, st := range m.prog.Stmts {
			if st != nil && st.Kind == lower.End && st.Func == m.fn.ir.Decl.(*cfront.Func) {
				f.Stmt, f.Pos = st.ID, st.Range.Position()
			}
		}
	}
	return f
}
