package trace

import (
	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
)

// This file prunes the search.

// lookahead knows which items of a segment may still write which cells.
type lookahead struct {
	seg       *spec.Segment
	lastVar   map[ctype.Word]int // last item that writes a variable, by its address
	lastField map[field]int      // last item that writes a field through a pointer
	lastAny   int                // last item that may write anything
	visits    map[int32][]int    // items that visit each statement
	gapVisits map[int32][]int
	maxVisits int
	end       map[ctype.Word]int // index of an asserted cell, by address
	apart     []bool             // by segment: the two segments visit no common place
	once      int                // from this item on no place is visited twice
	plain     bool               // every node is made by the trace: see relate
	need      int                // number of edits without which this segment alone cannot end as asserted
	isVar     []bool             // the asserted cell is in a variable
	exposed   []bool             // the asserted cell is in a variable whose address is taken
	off       []int64            // offset of the cell in its variable or node
	size      []int64            // size of that variable or node
}

// field is a struct member that is written through a pointer to the struct.
type field struct {
	off, bytes int64 // bytes is 0 for a bit-field, whose cell has another type
	size       int64 // size of the struct
}

// mayBe reports whether an asserted cell may be that member. If the cell's node is one such struct, the offset decides.
// Otherwise the pointer may lead to an element of an array, or to a struct inside a larger one, so that the member may
// be any cell of the same size.
func (l *lookahead) mayBe(j int, f field) bool {
	if l.size[j] == f.size {
		return l.off[j] == f.off
	}
	return f.bytes == 0 || l.seg.End[j].Type.Size == f.bytes
}

func (s *search) lookahead(seg *spec.Segment, im *heap.Image) *lookahead {
	l := &lookahead{seg: seg, lastVar: map[ctype.Word]int{}, lastField: map[field]int{}, lastAny: -1, visits: map[int32][]int{}, gapVisits: map[int32][]int{}, end: map[ctype.Word]int{}, plain: len(seg.Fresh) == 0}
	for i := range seg.Items {
		it := &seg.Items[i]
		l.visits[it.Stmt] = append(l.visits[it.Stmt], i)
		for _, g := range it.Gaps {
			l.gapVisits[g] = append(l.gapVisits[g], i)
			if s.p.Base != nil && s.p.Base.Gaps[g] != nil {
				l.plain = false
				l.writer(i, s.p.Base.Gaps[g].New, it)
			}
		}
		st := s.p.Program.Stmts[it.Stmt]
		switch {
		case it.Kind == spec.Leave:
		case it.Concrete != nil || it.Kind == spec.Whole && statementCalls(st):
			l.lastAny = i
		case it.Kind == spec.Enter:
			for _, p := range it.Frame.Func.Params {
				l.lastVar[it.Frame.Vars[p]] = i
			}
		case st.Kind == lower.Return:
			l.lastVar[it.Vars[st.Func.Result]] = i
		case st.Kind == lower.Decl:
			l.lastVar[it.Vars[st.Decl.Var]] = i
		case st.Kind != lower.Cond:
			x := st.X
			if s.p.Base != nil {
				if e := s.p.Base.Stmts[it.Stmt]; e != nil && e.New != nil {
					x = e.New
				}
			}
			l.writer(i, x, it)
		}
	}
	for _, visits := range []map[int32][]int{l.visits, l.gapVisits} {
		for _, v := range visits {
			l.maxVisits = max(l.maxVisits, len(v))
			if n := len(v); n > 1 {
				l.once = max(l.once, v[n-2]+1)
			}
		}
	}
	for j := range seg.End {
		if seg.End[j].Type.Place == 0 { // a store to the bytes of a bit-field also stores its neighbours
			l.end[seg.End[j].Addr] = j
		}
		o := im.Find(seg.End[j].Addr)
		node := o == nil || o.Var == nil
		l.isVar = append(l.isVar, !node)
		l.exposed = append(l.exposed, !node && o.Var.AddrTaken)
		off, size := int64(0), int64(0)
		if o != nil {
			off, size = int64(seg.End[j].Addr-o.Addr), int64(len(o.Data))
		}
		l.off, l.size = append(l.off, off), append(l.size, size)
	}
	return l
}

// apartFrom reports whether two segments visit no common place.
func (l *lookahead) apartFrom(m *lookahead) bool {
	for id := range l.visits {
		if len(m.visits[id]) > 0 {
			return false
		}
	}
	for id := range l.gapVisits {
		if len(m.gapVisits[id]) > 0 {
			return false
		}
	}
	return true
}

// statementCalls reports whether a statement calls functions, whose effects then count as its own.
func statementCalls(st *lower.Stmt) bool {
	if st.Decl != nil {
		for _, in := range st.Decl.Init {
			if cfront.HasCall(in.X) {
				return true
			}
		}
	}
	return st.X != nil && cfront.HasCall(st.X)
}

func (l *lookahead) writer(i int, x cfront.Expr, it *spec.Item) {
	target := cfront.Stored(x)
	switch y := target.(type) {
	case *cfront.Ref:
		l.lastVar[it.Vars[y.Var]] = i
	case *cfront.Member:
		if y.Arrow {
			f := field{off: y.Field.Offset, bytes: y.Field.Type.Size, size: y.X.Type().Elem.Size}
			if y.Field.BitLen > 0 {
				f.bytes = 0
			}
			l.lastField[f] = i
			return
		}
		l.lastAny = i
	default:
		l.lastAny = i
	}
}

// hopeless reports whether more cells are wrong than the remaining edits can change, apart from those that remaining
// original statements can write.
func (s *search) hopeless(k, i int) bool {
	l := s.later[k]
	if l.lastAny >= i {
		return false
	}
	im, need := s.traces[k].Im, 0
	for j := range l.seg.End {
		c := &l.seg.End[j]
		if im.Holds(c.Addr, c.Type, c.Word) {
			continue
		}
		var last int
		var ok bool
		last, ok = l.lastVar[c.Addr]
		for f, at := range l.lastField {
			if (!l.isVar[j] || l.exposed[j]) && l.mayBe(j, f) {
				last, ok = max(last, at), true
			}
		}
		if !ok || last < i {
			need++
		}
	}
	if need == 0 {
		return false
	}
	have := s.left * l.maxVisits
	for id, u := range s.units {
		if u.out {
			have += remaining(l.visits[id], i)
		}
	}
	for id, u := range s.slotUnits {
		if u.out {
			have += remaining(l.gapVisits[id], i-1) // gaps after the item just executed may still be filled
		}
	}
	return need > have
}

func remaining(pos []int, i int) int {
	n := 0
	for k := len(pos) - 1; k >= 0 && pos[k] >= i; k-- {
		n++
	}
	return n
}

// Replay executes the segments with a patch and returns the first segment that does not end as asserted, or -1 if all
// do. It shares nothing with the search except the meaning of a statement.
func Replay(p *lower.Program, segs []*spec.Segment, patch *repair.Patch) int {
	deferred := Deferred(p, segs)
	for k, seg := range segs {
		if !repair.NewTrace(p, seg, patch).Run(deferred) {
			return k
		}
	}
	return -1
}

// Deferred returns the loop conditions that were forced true and whose loop the trace never leaves.
func Deferred(p *lower.Program, segs []*spec.Segment) map[int32]bool {
	forced, left := map[int32]bool{}, map[int32]bool{}
	for _, seg := range segs {
		for i := range seg.Items {
			it := &seg.Items[i]
			s := p.Stmts[it.Stmt]
			if s.Kind != lower.Cond || !s.Loop {
				continue
			}
			if it.Forced && it.Decision == 1 {
				forced[it.Stmt] = true
			}
			if it.Decision == 0 {
				left[it.Stmt] = true
			}
		}
	}
	for id := range left {
		delete(forced, id)
	}
	return forced
}

// over reports whether a limit of the whole search is reached.
func (s *search) over() bool {
	return budget.Over(s.ctx, s.deadline) || s.ctx.Err() != nil || s.p.MaxNodes > 0 && s.nodes >= s.p.MaxNodes
}

// lacking returns how many edits a segment needs in addition to those at places that it visits.
func (s *search) lacking(l *lookahead) int {
	n := l.need
	if n == 0 {
		return 0
	}
	for id, u := range s.units {
		if (u.out || u.gout) && len(l.visits[id]) > 0 {
			n--
		}
	}
	for id, u := range s.slotUnits {
		if u.out && len(l.gapVisits[id]) > 0 {
			n--
		}
	}
	return max(n, 0)
}
