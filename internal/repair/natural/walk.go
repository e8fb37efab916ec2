package natural

import (
	"sort"

	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file executes a case with all edits of a set at once. At every visit of the place the members are grouped by
// their effect, and the run continues once for each group.

// worker explores sets on a machine of its own.
type worker struct {
	s     *search
	run   *oracle.Runner
	view  *oracle.View
	c     *oracle.Case
	runs  int // in the current case
	total int
	out   func(set, *oracle.Run)
}

// maxRuns bounds the number of behaviours of one set in one case.
const maxRuns = 4_000

// What a visit of the place costs, and evaluating a member's expression at a visit, in steps. A search of 2.5 million
// visits with 11 million expressions took 15 s of processor time, 1 s of it for the instructions of its runs.
const (
	perVisit      = 200
	perExpression = 40
)

// explore runs a case with the members of a set on top of base edits and
// reports every behaviour with the members that show it.
func (w *worker) explore(c *oracle.Case, base []*lower.Overlay, s set, out func(set, *oracle.Run)) error {
	w.c, w.out, w.runs = c, out, 0
	if s.kind == whole {
		o := s.p.code[s.whole]
		if o == nil {
			return nil
		}
		w.total++
		r, err := w.run.Run(c, append(base[:len(base):len(base)], o))
		if err == nil {
			out(s, r)
		}
		return err
	}
	if err := w.run.Begin(c, base); err != nil {
		return err
	}
	defer w.run.End()
	if w.view == nil {
		w.view = oracle.NewView(w.s.p.Prog, w.run.M)
	}
	if g := s.p.unit.Gap; g != nil {
		w.run.M.Mark(s.p.fn, g.In, g.At, s.p.number())
	}
	w.walk(s, false)
	return nil
}

// walk continues the run until the place is visited or the run ends. With skip the machine stands at the place and
// passes it once.
func (w *worker) walk(s set, skip bool) {
	at, stopped := s.p.number(), false
	f := w.run.RunUntil(w.c, func(stmt int32, _ bool) bool {
		if stmt != at || skip {
			skip = false
			return false
		}
		stopped = true
		return true
	})
	if !stopped {
		w.runs++
		w.total++
		if !s.acted && (s.kind == insert || s.kind == give) {
			return // nothing was inserted in this run: it is no edit here
		}
		w.out(s, w.run.Finish(w.c, f))
		return
	}
	w.view.Stopped()
	w.run.Spend(perVisit + int64(len(s.conds)+len(s.l)+len(s.r))*perExpression)
	bs := w.branches(s)
	if len(bs) == 0 || w.runs > maxRuns || w.s.stopped() {
		return
	}
	if len(bs) == 1 {
		w.take(bs[0])
		return
	}
	here := w.run.Save(w.c)
	for i, b := range bs {
		if i > 0 {
			w.run.Restore(here)
		}
		w.take(b)
	}
}

// branch is what some members of a set do at a visit.
type branch struct {
	s     set
	pass  bool // the statement is executed unchanged, or nothing is inserted
	yes   bool // for conditions: the outcome
	addr  ctype.Word
	word  ctype.Word
	size  int64
	gives bool // the function returns word
}

func (w *worker) take(b branch) {
	m := w.run.M
	u := b.s.p.unit
	switch {
	case b.pass:
		if u.Gap != nil {
			m.SkipMark()
			w.walk(b.s, false)
			return
		}
		w.walk(b.s, true)
		return
	case b.s.kind == condition:
		to := u.Stmt.False
		if b.yes {
			to = u.Stmt.True
		}
		m.GotoBlock(to, 0)
	case b.s.kind == guard:
		m.GotoBlock(u.Stmt.EndBlock, u.Stmt.EndAt)
	case b.gives:
		m.GotoBlock(1, 0)
		m.SetResult(b.word)
	default:
		var buf [8]byte
		for i := range buf {
			buf[i] = byte(b.word >> (8 * i))
		}
		if !m.Write(b.addr, buf[:b.size]) {
			return
		}
		if u.Gap != nil {
			m.SkipMark()
		} else {
			m.GotoBlock(u.Stmt.EndBlock, u.Stmt.EndAt)
		}
	}
	w.walk(b.s, false)
}

// branches groups the members of a set by their effect at the current visit.
func (w *worker) branches(s set) []branch {
	u := s.p.unit
	var out []branch
	yes, no := s.conds, []int32(nil)
	if s.conds != nil {
		yes, no = w.split(&s)
	}
	switch s.kind {
	case condition:
		for _, side := range []struct {
			conds []int32
			yes   bool
		}{{yes, true}, {no, false}} {
			if len(side.conds) > 0 {
				t := s
				t.conds = side.conds
				out = append(out, branch{s: t, yes: side.yes})
			}
		}
		return out
	case guard:
		if len(yes) > 0 {
			t := s
			t.conds = yes
			out = append(out, branch{s: t, pass: true})
		}
		if len(no) > 0 {
			t := s
			t.conds = no
			out = append(out, branch{s: t})
		}
		return out
	}
	if len(no) > 0 {
		t := s
		t.conds = no
		out = append(out, branch{s: t, pass: true})
	}
	if s.conds != nil && len(yes) == 0 {
		return out
	}
	s.conds, s.acted = yes, true
	if s.kind == give {
		return append(out, w.given(s)...)
	}
	if u.Stmt != nil && u.Stmt.Kind == lower.Return {
		return append(out, w.given(s)...)
	}
	return append(out, w.stores(s)...)
}

// split splits the conditions of a set into those that hold and those that do not. Conditions that cannot be evaluated
// are dropped.
func (w *worker) split(s *set) (yes, no []int32) {
	for _, c := range s.conds {
		t, err := eval.Truth(w.view, s.p.unit.Conds[c])
		switch {
		case err != nil:
		case t:
			yes = append(yes, c)
		default:
			no = append(no, c)
		}
	}
	return yes, no
}

// same is a group of paths with one address or value.
type same struct {
	w       ctype.Word
	members []int32
}

func groups(at map[ctype.Word]int, list []same, w ctype.Word, k int32) []same {
	i, ok := at[w]
	if !ok {
		i = len(list)
		at[w] = i
		list = append(list, same{w: w})
	}
	list[i].members = append(list[i].members, k)
	return list
}

// values groups the right sides of a set by value, converted to a type.
func (w *worker) values(s *set, t *ctype.Type) []same {
	at := map[ctype.Word]int{}
	var out []same
	for _, r := range s.r {
		x := s.p.unit.Rhs[r]
		v, err := eval.Value(w.view, x)
		if err != nil {
			continue
		}
		if !ctype.Same(x.Type(), t) {
			v, _ = ctype.Convert(x.Type(), t, v)
		}
		out = groups(at, out, v, r)
	}
	return out
}

// given returns the branches of a return, one for each value.
func (w *worker) given(s set) []branch {
	t := w.view.Func().Type.Result
	if t.Kind == ctype.Void {
		return []branch{{s: s, gives: true}}
	}
	var out []branch
	for _, v := range w.values(&s, t) {
		n := s
		n.r = v.members
		out = append(out, branch{s: n, gives: true, word: v.w})
	}
	return out
}

// stores returns the branches of an assignment, one for each address and value.
func (w *worker) stores(s set) []branch {
	u := s.p.unit
	if len(s.l) == 0 {
		return nil
	}
	t := u.Lhs[s.l[0]].Type()
	at := map[ctype.Word]int{}
	var addrs []same
	for _, l := range s.l {
		a, err := eval.Addr(w.view, u.Lhs[l])
		if err == nil && w.run.M.Writable(a, t.Size) {
			addrs = groups(at, addrs, a, l)
		}
	}
	if len(addrs) == 0 {
		return nil
	}
	vals := w.values(&s, t)
	out := make([]branch, 0, len(addrs)*len(vals))
	for _, a := range addrs {
		for _, v := range vals {
			n := s
			n.l, n.r = a.members, v.members
			out = append(out, branch{s: n, addr: a.w, word: v.w, size: t.Size})
		}
	}
	return out
}

// bySize sorts cases by the length of their runs: short ones tell most at the least cost.
func bySize(cs []*oracle.Case) {
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].Want.Steps < cs[j].Want.Steps })
}
