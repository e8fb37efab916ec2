package heap

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
)

// This file ranks repairs and prunes the search.

// exprDistance is how far an expression is from the original, roughly in
// tokens; a field more, less or changed is nearer than another variable.
func exprDistance(orig, x cfront.Expr) int {
	if orig == nil {
		return tokenDistance("", cfront.Text(x))
	}
	a, ok1 := orig.(*cfront.Assign)
	b, ok2 := x.(*cfront.Assign)
	if ok1 && ok2 && a.HasOp == b.HasOp {
		return operandDistance(a.L, b.L) + operandDistance(a.R, b.R)
	}
	c, ok1 := orig.(*cfront.Binary)
	d, ok2 := x.(*cfront.Binary)
	if ok1 && ok2 {
		n := 0
		if c.Op != d.Op {
			n = 2
		}
		return n + operandDistance(c.X, d.X) + operandDistance(c.Y, d.Y)
	}
	return operandDistance(orig, x)
}

// operandDistance compares two paths: a variable and its selections.
func operandDistance(a, b cfront.Expr) int {
	va, sa, ok1 := splitPath(a)
	vb, sb, ok2 := splitPath(b)
	if !ok1 || !ok2 {
		return 1 + 2*tokenDistance(cfront.Text(a), cfront.Text(b))
	}
	n := 0
	if va != vb {
		n = 3
	}
	return n + 2*len2(sa, sb)
}

// len2 is the edit distance of two lists of selections.
func len2(a, b []string) int { return tokenDistance(strings.Join(a, " "), strings.Join(b, " ")) }

func splitPath(x cfront.Expr) (*cfront.Var, []string, bool) {
	switch y := cfront.Skip(x).(type) {
	case *cfront.Ref:
		return y.Var, nil, true
	case *cfront.Member:
		v, s, ok := splitPath(y.X)
		return v, append(s, y.Field.Name), ok
	case *cfront.Deref:
		v, s, ok := splitPath(y.X)
		return v, append(s, "deref"), ok
	}
	return nil, nil, false
}

// tokenDistance is the edit distance between two pieces of C in tokens.
func tokenDistance(a, b string) int {
	x, y := tokens(a), tokens(b)
	prev := make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur := make([]int, len(y)+1)
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			d := prev[j-1]
			if x[i-1] != y[j-1] {
				d++
			}
			cur[j] = min(d, prev[j]+1, cur[j-1]+1)
		}
		prev = cur
	}
	return prev[len(y)]
}

func tokens(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		c := s[i]
		j := i + 1
		switch {
		case c == ' ' || c == '\t' || c == '\n':
			i++
			continue
		case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9':
			for j < len(s) && (s[j] == '_' || s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z' || s[j] >= '0' && s[j] <= '9') {
				j++
			}
		case j < len(s) && (s[j] == '=' || s[j] == c || c == '-' && s[j] == '>'):
			j++
		}
		out = append(out, s[i:j])
		i = j
	}
	return out
}

// lookahead knows which items of a segment may still write what.
type lookahead struct {
	seg       *spec.Segment
	lastVar   map[ctype.Word]int // address of a variable -> last item that writes it
	lastField map[int64]int      // offset in a node -> last item that writes a field there
	lastAny   int                // last item that may write anything
	visits    map[int32][]int    // positions of each statement
	gapVisits map[int32][]int
	maxVisits int
	isVar     []bool // End cell lies in a variable
	off       []int64
}

func (s *search) lookahead(seg *spec.Segment, im *heap.Image) *lookahead {
	l := &lookahead{seg: seg, lastVar: map[ctype.Word]int{}, lastField: map[int64]int{}, lastAny: -1, visits: map[int32][]int{}, gapVisits: map[int32][]int{}}
	for i := range seg.Items {
		it := &seg.Items[i]
		l.visits[it.Stmt] = append(l.visits[it.Stmt], i)
		for _, g := range it.Gaps {
			l.gapVisits[g] = append(l.gapVisits[g], i)
			if s.p.Base != nil && s.p.Base.Gaps[g] != nil {
				l.writer(i, s.p.Base.Gaps[g].New, it)
			}
		}
		st := s.p.Program.Stmts[it.Stmt]
		switch {
		case it.Concrete != nil:
			l.lastAny = i
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
	for _, v := range l.visits {
		l.maxVisits = max(l.maxVisits, len(v))
	}
	for _, v := range l.gapVisits {
		l.maxVisits = max(l.maxVisits, len(v))
	}
	for j := range seg.End {
		o := im.Find(seg.End[j].Addr)
		node := o == nil || o.Var == nil
		l.isVar = append(l.isVar, !node)
		off := int64(0)
		if node && o != nil {
			off = int64(seg.End[j].Addr - o.Addr)
		}
		l.off = append(l.off, off)
	}
	return l
}

func (l *lookahead) writer(i int, x cfront.Expr, it *spec.Item) {
	var target cfront.Expr
	switch y := x.(type) {
	case *cfront.Assign:
		target = y.L
	case *cfront.IncDec:
		target = y.X
	}
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
	im, need := s.imgs[k], 0
	for j := range l.seg.End {
		c := &l.seg.End[j]
		if im.Holds(c.Addr, c.Type, c.Word) {
			continue
		}
		last, ok := -1, false
		if l.isVar[j] {
			last, ok = l.lastVar[c.Addr]
		} else {
			last, ok = l.lastField[l.off[j]]
		}
		if !ok || last < i {
			need++
		}
	}
	if need == 0 {
		return false
	}
	have := (s.bS + s.bI) * l.maxVisits
	for id, u := range s.units {
		if u.out {
			have += remaining(l.visits[id], i)
		}
	}
	for id, u := range s.slots {
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
		if !replay(p, seg, patch, deferred) {
			return k
		}
	}
	return -1
}

func replay(p *lower.Program, seg *spec.Segment, patch *repair.Patch, deferred map[int32]bool) bool {
	im := seg.Prepare()
	fill := func(gaps []int32) bool {
		for _, g := range gaps {
			if e := patch.Gaps[g]; e != nil {
				if err := e.Run(im); err != nil {
					return false
				}
			}
		}
		return true
	}
	if !fill(seg.Before) {
		return false
	}
	for i := range seg.Items {
		it := &seg.Items[i]
		im.SetVars(it.Vars)
		st := p.Stmts[it.Stmt]
		if it.Concrete != nil {
			it.Concrete.Apply(im)
		} else {
			d, err := repair.Exec(im, st, patch.Stmts[it.Stmt])
			skip := deferred[it.Stmt] && it.Forced
			if !skip && (err != nil || st.Kind == lower.Cond && d != (it.Decision == 1)) {
				return false
			}
		}
		if !fill(it.Gaps) {
			return false
		}
	}
	for _, c := range seg.End {
		if !im.Holds(c.Addr, c.Type, c.Word) {
			return false
		}
	}
	return true
}
