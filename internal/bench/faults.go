package bench

import (
	"math/rand"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/repair/space"
	"gulo/internal/repair/trace"
	"gulo/internal/spec"
)

// Fault is a faulty variant of a program, of a class ⟨x,y⟩ of Wolverine2, section 7.1: in x statements or guards a
// variable, field, constant or operator is replaced, and y statements are deleted. A deleted statement is removed from
// the trace; a changed one is a patch that is in force.
type Fault struct {
	Base     *repair.Patch
	Segments []*spec.Segment
	Stmts    map[int32]bool // statements that were changed
	Gaps     map[int32]bool // where statements are missing
}

// Inject makes a random fault that some assertion shows; nil if none was found in the tries allowed.
func Inject(p *Program, segs []*spec.Segment, rnd *rand.Rand, changes, deletions int) *Fault {
	for try := 0; try < 60; try++ {
		f := &Fault{Base: repair.NewPatch(), Segments: segs, Stmts: map[int32]bool{}, Gaps: map[int32]bool{}}
		ok := true
		for i := 0; i < deletions && ok; i++ {
			ok = f.delete(p, rnd)
		}
		sp := space.New(space.Config{Program: p.Prog, Segments: f.Segments})
		for i := 0; i < changes && ok; i++ {
			ok = f.change(p, sp, rnd)
		}
		if ok && trace.Replay(p.Prog, f.Segments, f.Base) >= 0 {
			return f
		}
	}
	return nil
}

// visited lists the statements of the function under repair that the trace executes.
func visited(p *Program, segs []*spec.Segment) []int32 {
	seen := map[int32]bool{}
	for _, s := range segs {
		for i := range s.Items {
			st := p.Prog.Stmts[s.Items[i].Stmt]
			if st.Func.Name == p.Func && st.Kind != lower.End {
				seen[st.ID] = true
			}
		}
	}
	var out []int32
	for id := range seen {
		out = append(out, id)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

func (f *Fault) change(p *Program, sp *space.Space, rnd *rand.Rand) bool {
	ids := visited(p, f.Segments)
	if len(ids) == 0 {
		return false
	}
	id := ids[rnd.Intn(len(ids))]
	if f.Stmts[id] {
		return false
	}
	ns := sp.Unit(id).Neighbours()
	if len(ns) == 0 {
		return false
	}
	f.Base.Stmts[id] = &repair.Edit{Stmt: id, New: ns[rnd.Intn(len(ns))]}
	f.Stmts[id] = true
	return true
}

// delete removes a random statement from the trace.
func (f *Fault) delete(p *Program, rnd *rand.Rand) bool {
	ids := visited(p, f.Segments)
	if len(ids) == 0 {
		return false
	}
	id := ids[rnd.Intn(len(ids))]
	st := p.Prog.Stmts[id]
	if st.Kind != lower.Expr || cfront.HasCall(st.X) {
		return false
	}
	var out []*spec.Segment
	for _, s := range f.Segments {
		c := *s
		c.Items = nil
		c.Before = append([]int32(nil), s.Before...)
		for i := range s.Items {
			it := s.Items[i]
			if it.Stmt != id {
				it.Gaps = append([]int32(nil), it.Gaps...)
				c.Items = append(c.Items, it)
				continue
			}
			last := &c.Before
			if n := len(c.Items); n > 0 {
				last = &c.Items[n-1].Gaps
			}
			for _, g := range it.Gaps {
				f.Gaps[g] = true
				*last = append(*last, g)
			}
		}
		out = append(out, &c)
	}
	f.Segments = out
	return true
}
