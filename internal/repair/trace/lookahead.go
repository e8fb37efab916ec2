package trace

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
)

// This file prunes the search.

// lookahead knows which items of a segment may still write what.
type lookahead struct {
	seg       *spec.Segment
	lastVar   map[ctype.Word]int // address of a variable -> last item that writes it
	lastField map[int64]int      // offset in a node -> last item that writes a field there
	lastAny   int                // last item that may write anything
	visits    map[int32][]int    // positions of each statement
	gapVisits map[int32][]int
	maxVisits int
	end       map[ctype.Word]int // address of an asserted cell -> its number
	apart     []bool             // by segment: no place is visited in both
	once      int                // from this item on no place is visited twice
	plain     bool               // every node has its maker: see relate
	need      int                // edits without which the segment by itself does not end as asserted
	isVar     []bool             // End cell lies in a variable
	exposed   []bool             // in one whose address is taken
	off       []int64
}

func (s *search) lookahead(seg *spec.Segment, im *heap.Image) *lookahead {
	l := &lookahead{seg: seg, lastVar: map[ctype.Word]int{}, lastField: map[int64]int{}, lastAny: -1, visits: map[int32][]int{}, gapVisits: map[int32][]int{}, end: map[ctype.Word]int{}, plain: len(seg.Fresh) == 0}
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
		if seg.End[j].Type.Place == 0 { // a store to the bytes of a bit-field says more than it does
			l.end[seg.End[j].Addr] = j
		}
		o := im.Find(seg.End[j].Addr)
		node := o == nil || o.Var == nil
		l.isVar = append(l.isVar, !node)
		l.exposed = append(l.exposed, !node && o.Var.AddrTaken)
		off := int64(0)
		if o != nil {
			off = int64(seg.End[j].Addr - o.Addr)
		}
		l.off = append(l.off, off)
	}
	return l
}

// apartFrom reports whether no place is visited in two segments.
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

// statementCalls reports whether a statement calls functions, whose effects are
// then its own.
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
			l.lastField[y.Field.Offset] = i
			return
		}
		l.lastAny = i
	default:
		l.lastAny = i
	}
}

// hopeless reports whether more entities are wrong that no remaining original
// statement can write than the budget can still change.
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
		if f, hit := l.lastField[l.off[j]]; hit && (!l.isVar[j] || l.exposed[j]) {
			last, ok = max(last, f), true
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
			have += remaining(l.gapVisits[id], i-1) // the gaps after the item just done may be open
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

// Replay executes the segments with a patch and returns the first segment that
// does not end as asserted, -1 when all do. It shares nothing with the search
// but the meaning of a statement.
func Replay(p *lower.Program, segs []*spec.Segment, patch *repair.Patch) int {
	deferred := Deferred(p, segs)
	for k, seg := range segs {
		if !repair.NewTrace(p, seg, patch).Run(deferred) {
			return k
		}
	}
	return -1
}
