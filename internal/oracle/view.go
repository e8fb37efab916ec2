package oracle

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// View is the memory of a stopped machine as expressions see it. Reading what was
// never written fails.
type View struct {
	p       *lower.Program
	m       *machine.Machine
	call    machine.FrameInfo
	objects map[*cfront.Func]map[*cfront.Var]int
}

// NewView makes a view of a machine; Stopped says where it stands.
func NewView(p *lower.Program, m *machine.Machine) *View {
	return &View{p: p, m: m, objects: map[*cfront.Func]map[*cfront.Var]int{}}
}

// Stopped makes the innermost call the one that names are looked up in.
func (v *View) Stopped() { v.call = v.m.Innermost() }

// Func returns the function that is stopped in.
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
