package oracle

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// View is the memory of a stopped machine in which expressions are evaluated. Reading uninitialized memory fails.
type View struct {
	p       *lower.Program
	m       *machine.Machine
	call    machine.FrameInfo
	objects map[*cfront.Func]map[*cfront.Var]int
}

// NewView returns a view of a machine. Stopped must be called whenever the machine has stopped.
func NewView(p *lower.Program, m *machine.Machine) *View {
	return &View{p: p, m: m, objects: map[*cfront.Func]map[*cfront.Var]int{}}
}

// Stopped makes the innermost call the one in which names are looked up.
func (v *View) Stopped() { v.call = v.m.Innermost() }

// Func returns the function in which the machine is stopped.
func (v *View) Func() *cfront.Func {
	f, _ := v.call.Func.Decl.(*cfront.Func)
	return f
}

// Load implements eval.Memory.
func (v *View) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) { return v.m.Peek(a, t) }

// Store implements eval.Memory; expressions are evaluated without effects.
func (v *View) Store(ctype.Word, *ctype.Type, ctype.Word) bool { return false }

// VarAddr implements eval.Memory.
func (v *View) VarAddr(x *cfront.Var) (ctype.Word, bool) {
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
