package symbolic

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/smt"
)

// This file says where pointers point, in terms that another program's engine can compare.

// Pointee is where a pointer may point.
type Pointee struct {
	Cond  *smt.Term
	Block uint32
	Key   string    // names the block in any program: a variable, a text, a function; empty for other blocks
	Off   *smt.Term // 64 bits
}

// PointsTo lists the places to which a pointer may point. The error is *Unsupported.
func (e *Engine) PointsTo(st *State, p *smt.Term) (out []Pointee, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, ended(r)
		}
	}()
	for _, t := range e.targets(p) {
		out = append(out, Pointee{t.cond, t.obj, e.key(st, t.obj), t.off})
	}
	return out, nil
}

// VariableName returns a variable's name, with that of its function if it is local.
func VariableName(v *cfront.Var) string {
	if v.Func != nil {
		return v.Func.Name + "::" + v.Name
	}
	return v.Name
}

// key returns the Key of a block.
func (e *Engine) key(st *State, id uint32) string {
	if id == 0 {
		return "NULL"
	}
	if i, ok := e.codeOf[id]; ok {
		return "function " + e.Prog.IR.Funcs[i].Name
	}
	for i, b := range e.statics {
		if b != id {
			continue
		}
		g := &e.Prog.IR.Globals[i]
		if v, ok := g.Var.(*cfront.Var); ok && v != nil {
			return "variable " + VariableName(v)
		}
		if g.ReadOnly {
			return fmt.Sprintf("text %q", g.Data)
		}
	}
	return ""
}

// Result returns a scalar of the struct that the entry returned, and the condition under which it was written.
func (e *Engine) Result(st *State, off int64, t *ctype.Type) (w, def *smt.Term, ok bool) {
	return e.ReadBlock(st, e.result, off, t)
}
