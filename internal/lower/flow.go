package lower

import (
	"slices"

	"gulo/internal/ir"
)

// This file answers where control can go from a statement: what a debugger
// that forces, skips or patches statements needs.

// Edge is one way from the end of a statement to the next stop.
type Edge struct {
	Decision  int8    // Cond: 1 true, 0 false; otherwise -1
	Gaps      []int32 // gaps crossed, in order
	Next      int32   // statement; 0 when the function's code ends
	Block, At int32   // where it is entered
	Middle    bool    // it is entered at a later part of it, not at its beginning (Stmt.Macro)
}

// Edges returns the ways out of a statement, in the order of its code. Calls
// in the statement are stepped over.
func (p *Program) Edges(s *Stmt) []Edge {
	i, _ := p.FuncIndex(s.Func)
	f := p.IR.Funcs[i]
	if s.Kind == Cond && !s.Macro {
		return []Edge{p.flow(f, s, 1, s.True, 0), p.flow(f, s, 0, s.False, 0)}
	}
	var out []Edge
	seen := map[int32]bool{}
	var walk func(block, at int32, gaps []int32)
	walk = func(block, at int32, gaps []int32) {
		b := f.Blocks[block]
		for i := int(at); i < len(b.Instrs); i++ {
			in := &b.Instrs[i]
			first := block == s.Block && i == int(s.At)
			if !first {
				gaps = gapsAt(b, i, gaps)
			}
			if (in.Start || in.Again) && !first && (p.Stmts[in.Stmt].Stop && in.Stmt != s.ID) {
				out = append(out, Edge{Decision: -1, Gaps: gaps, Next: in.Stmt, Block: block, At: int32(i), Middle: in.Again})
				return
			}
		}
		b.Succs(func(t int32) {
			if !seen[t] {
				seen[t] = true
				walk(t, 0, append([]int32(nil), gaps...))
			}
		})
	}
	walk(s.Block, s.At, nil)
	return out
}

func gapsAt(b *ir.Block, i int, gaps []int32) []int32 {
	for _, g := range b.Gaps {
		if g.At == i {
			gaps = append(gaps, g.ID)
		}
	}
	return gaps
}

// flow follows the only way from a place to the next stop. A later part of the
// statement from is no stop: all that one macro expands to is one statement.
func (p *Program) flow(f *ir.Func, from *Stmt, decision int8, block, at int32) Edge {
	e := Edge{Decision: decision}
	for steps := 0; steps < 10000; steps++ {
		b := f.Blocks[block]
		for i := int(at); i < len(b.Instrs); i++ {
			e.Gaps = gapsAt(b, i, e.Gaps)
			in := &b.Instrs[i]
			if (in.Start || in.Again && (from == nil || in.Stmt != from.ID)) && p.Stmts[in.Stmt].Stop {
				e.Next, e.Block, e.At, e.Middle = in.Stmt, block, int32(i), in.Again
				return e
			}
		}
		last := &b.Instrs[len(b.Instrs)-1]
		if last.Op != ir.Jump {
			return e
		}
		block, at = last.Target, 0
	}
	return e // an endless loop without a statement
}

// First returns the first statement of a function that a debugger stops at,
// with the gaps before it.
func (p *Program) First(fn int32) Edge {
	return p.flow(p.IR.Funcs[fn], nil, -1, 0, 0)
}

// ReturnsTwice lists the functions of setjmp.h and ucontext.h that return once more when longjmp or setcontext is called.
var ReturnsTwice = []string{"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "__builtin_setjmp", "__sigsetjmp_cancel", "getcontext", "swapcontext"}

// Jumps reports whether the program declares one of ReturnsTwice. Only then can a call be left by
// longjmp for a statement of the program.
func (p *Program) Jumps() bool {
	return slices.ContainsFunc(p.IR.Funcs, func(f *ir.Func) bool { return slices.Contains(ReturnsTwice, f.Name) })
}
