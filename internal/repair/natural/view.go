package natural

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// view is the memory of a stopped machine as expressions see it. Reading what
// was never written fails: an edit that does so is none.
type view struct {
	p       *lower.Program
	m       *machine.Machine
	call    machine.FrameInfo
	objects map[*cfront.Func]map[*cfront.Var]int
}

func newView(p *lower.Program, m *machine.Machine) *view {
	return &view{p: p, m: m, objects: map[*cfront.Func]map[*cfront.Var]int{}}
}

// stopped makes the innermost call the one that names are looked up in.
func (v *view) stopped() { v.call = v.m.Innermost() }

// Load implements eval.Memory.
func (v *view) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	return v.m.Peek(a, t)
}

// Store implements eval.Memory; candidates are evaluated without effects.
func (v *view) Store(a ctype.Word, t *ctype.Type, w ctype.Word) bool { return false }

// VarAddr implements eval.Memory.
func (v *view) VarAddr(x *cfront.Var) (ctype.Word, bool) {
	if x.Storage == cfront.Global || x.Storage == cfront.Static {
		if i, ok := v.p.GlobalIndex(x); ok {
			return v.m.GlobalAddr(i), true
		}
		return 0, false
	}
	f, _ := v.call.Func.Decl.(*cfront.Func)
	vars := v.objects[f]
	if vars == nil {
		vars = map[*cfront.Var]int{}
		for i, o := range v.call.Func.Objects {
			if w, ok := o.Var.(*cfront.Var); ok {
				vars[w] = i
			}
		}
		v.objects[f] = vars
	}
	i, ok := vars[x]
	if !ok {
		return 0, false
	}
	return v.m.ObjectAddr(v.call, i), true
}
