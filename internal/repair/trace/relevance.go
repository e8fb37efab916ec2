package trace

import (
	"math/bits"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
)

// This file computes which edits can be the last in a segment. Up to the next edit, the rest of the segment runs as
// written. A backward pass over this run computes, for every memory cell and moment, which goals a change of the cell
// could reach; a goal is something that is wrong at the end. The last edit must reach all goals. The last but one must
// reach some of them; otherwise it changes none, and the last edit alone must reach all. This is a dynamic backward
// slice (Korel and Laski 1988) for several criteria at once, extended by what another address could do: a store that
// goes elsewhere reaches a goal only by the word that it stores, unless the same change also reaches that word. An edit
// of a place that is visited several times acts several times. Therefore only what follows the last repeated visit of a
// segment is considered.

// goals is a set of goals, as bits, with two marks.
type goals uint64

const (
	maxGoals = 62
	written  = goals(1) << 62 // the cell is overwritten later
	read     = goals(1) << 63 // the cell is read before it is overwritten
	marks    = written | read
)

// granule is four bytes of memory, or the liveness of a node.
type granule ctype.Word

const alive = granule(1) << 63

func granules(a ctype.Word, size int64) (from, to granule) {
	return granule(a >> 2), granule((a + ctype.Word(max(size, 1)) - 1) >> 2)
}

// relevance is what is known about the rest of a segment's run. A nil relevance knows nothing and excludes nothing.
type relevance struct {
	l     *lookahead
	left  int   // edits left; with three, edits that reach no goal are left to the thorough search
	from  int   // first item of the run
	stop  int   // item that fails, or the number of items
	all   goals // all goals
	index map[granule]int
	after [][]goals    // by item (offset by one: 0 is before the first) and granule: goals that changing it reaches
	gone  []goals      // by item: goals that skipping it may reach
	conds []goals      // by item: the goal that its decision is, if it is wrong
	reach []goals      // by item: goals that any cell may reach after it
	cover [][]goals    // by item: for each possible single edit from there on, the goals that it may reach
	size  []int8       // by granule: size of what is stored there; 0 for the liveness of nodes and if unknown
	open  []bool       // by granule: it can be accessed through a pointer
	want  []ctype.Word // by granule: the asserted word, if it is wrong
	parts []bool       // by granule: it belongs to a bit-field, so that a store of its bytes does not store want
}

// event is what one item of the run reads and writes.
type event struct {
	reads  []heap.Access
	base   []heap.Access // those reads from which the address of the store is computed
	values []heap.Access // the others
	writes []heap.Access
	dies   []ctype.Word  // nodes that are freed
	lost   []heap.Access // their contents
	calls  bool
	word   ctype.Word // the word stored, if single
	single bool       // it does exactly one store
}

// state is what the backward pass knows about a granule at one moment.
type state struct {
	own         goals  // the goal that it is, if its present content stays to the end and is wrong
	via         goals  // goals reached by reads of it, and the marks
	base, value uint64 // events whose address, and whose word, it reaches
}

// relate analyses the rest of the segment if one to three edits are left. The position is after item i, before the gaps
// that are still open there.
func (s *search) relate(k, i int, open []int32) {
	s.rel = nil
	if s.left < 1 || s.left > 3 || s.left == 3 && s.thorough {
		return
	}
	l := s.later[k]
	if !l.plain || i+1 < l.once || !s.settled(l, i, open) {
		return
	}
	s.rel = s.analyze(k, i)
	s.rel.left = s.left
}

// dead reports whether no edit from item i on can be the last one.
func (r *relevance) dead(i int) bool {
	return r != nil && r.left == 1 && i < len(r.cover) && !r.alone(i-1, r.all)
}

// settled reports whether no place that has an edit is visited again.
func (s *search) settled(l *lookahead, i int, open []int32) bool {
	for id, u := range s.units {
		if v := l.visits[id]; (u.out || u.gout) && len(v) > 0 && v[len(v)-1] > i {
			return false
		}
	}
	for id, u := range s.slotUnits {
		if v := l.gapVisits[id]; u.out && (slices.Contains(open, id) || len(v) > 0 && v[len(v)-1] > i) {
			return false
		}
	}
	return true
}

// analyze executes the rest of a segment after item i and slices it.
func (s *search) analyze(k, i int) *relevance {
	t, l := s.traces[k], s.later[k]
	items := l.seg.Items
	r := &relevance{l: l, from: i + 1, stop: len(items), index: map[granule]int{}}
	mark := t.Im.Mark()
	events := make([]event, 0, len(items)-r.from)
	wrong := make([]bool, len(items))
	for j := r.from; j < len(items); j++ {
		ev, ok, agrees := s.watch(t, j)
		events = append(events, ev)
		wrong[j] = !agrees
		if !ok {
			r.stop = j
			break
		}
	}
	last := make([]state, 0, 2*len(l.seg.End))
	cell := func(g granule, size int64) int {
		n, ok := r.index[g]
		if !ok {
			n = len(r.index)
			r.index[g] = n
			r.want, r.parts = append(r.want, 0), append(r.parts, false)
			o := t.Im.Find(ctype.Word(g&^alive) << 2)
			last, r.size, r.open = append(last, state{}), append(r.size, int8(size)), append(r.open, o == nil || o.Var == nil || o.Var.AddrTaken || !o.Var.Type.IsScalar())
		}
		if r.size[n] != int8(size) {
			r.size[n] = 0
		}
		return n
	}
	n := 0
	goal := func() goals {
		g := goals(1) << min(n, maxGoals-1)
		n++
		r.all |= g
		return g
	}
	if r.stop == len(items) {
		s.goals(t, cell, goal, func(c int, g goals, w ctype.Word, part bool) {
			last[c].own |= g
			r.want[c] = w
			r.parts[c] = r.parts[c] || part
		})
	}
	t.Im.Rollback(mark)
	for _, ev := range events {
		for _, list := range [][]heap.Access{ev.reads, ev.writes} {
			for _, a := range list {
				for g, to := granules(a.Addr, a.Size); g <= to; g++ {
					cell(g, a.Size)
				}
			}
		}
		for _, a := range ev.dies {
			cell(granule(a>>2)|alive, 0)
		}
	}
	cells := len(r.index)
	slab := make([]goals, (len(items)+1)*cells)
	r.after = make([][]goals, len(items)+1)
	for j := range r.after {
		r.after[j] = slab[j*cells : (j+1)*cells]
	}
	per := make([]goals, 3*len(items)+1)
	r.gone, r.conds, r.reach = per[:len(items)], per[len(items):2*len(items)], per[2*len(items):]
	r.slice(events, wrong, last, goal)
	return r
}

// goals lists what is wrong at the end.
func (s *search) goals(t *repair.Trace, cell func(granule, int64) int, goal func() goals, set func(int, goals, ctype.Word, bool)) {
	for j := range t.Seg.End {
		c := &t.Seg.End[j]
		if t.Im.Holds(c.Addr, c.Type, c.Word) {
			continue
		}
		m := goal()
		for g, to := granules(c.Addr, c.Type.Size); g <= to; g++ {
			set(cell(g, c.Type.Size), m, c.Word&mask(c.Type.Size), c.Type.Place > 0)
		}
	}
	for _, a := range t.Seg.Freed {
		if o := t.Im.Find(a); o == nil || o.Live {
			set(cell(granule(a>>2)|alive, 0), goal(), 0, false)
		}
	}
}

// watch executes an item as written and records what it reads and writes.
func (s *search) watch(t *repair.Trace, j int) (ev event, ok, agrees bool) {
	it := &t.Seg.Items[j]
	st := s.p.Program.Stmts[it.Stmt]
	var reads []heap.Access
	mark := t.Im.Mark()
	base := s.base(t, j, st)
	t.Im.Watch(&reads)
	d, err := t.Exec(j, t.Edit(j))
	t.Im.Watch(nil)
	ev.reads = reads
	addrs, sizes := t.Im.Stored(mark)
	for n, a := range addrs {
		ev.writes = append(ev.writes, heap.Access{Addr: a, Size: int64(sizes[n])})
	}
	for _, a := range t.Im.Died(mark) {
		ev.dies = append(ev.dies, a)
		ev.lost = append(ev.lost, heap.Access{Addr: a, Size: int64(len(t.Im.Find(a).Data))})
	}
	ev.single = base != nil && len(ev.writes) == 1 && t.Im.Mark() == mark+1
	if ev.base, ev.values = ev.reads, ev.reads; ev.single {
		ev.base, ev.values = base, without(ev.reads, base)
		w := ev.writes[0]
		ev.word, _ = t.Im.Load(w.Addr, wordType(w.Size))
	}
	ev.calls = it.Concrete == nil && statementCalls(st)
	decides := st.Kind == lower.Cond && it.Kind == spec.Whole && it.Concrete == nil
	if decides {
		skip := s.deferred[it.Stmt] && it.Forced
		return ev, true, skip || err == nil && (it.Decision < 0 || d == (it.Decision == 1))
	}
	return ev, err == nil || it.Concrete != nil, true
}

// without returns a list minus the members of another, as a multiset.
func without(list, less []heap.Access) []heap.Access {
	out := append([]heap.Access(nil), list...)
	for _, a := range less {
		if n := slices.Index(out, a); n >= 0 {
			out = slices.Delete(out, n, n+1)
		}
	}
	return out
}

// base returns the reads from which a statement computes the address that it writes to; nil if these may be all its
// reads.
func (s *search) base(t *repair.Trace, j int, st *lower.Stmt) []heap.Access {
	it := &t.Seg.Items[j]
	if it.Kind != spec.Whole || it.Concrete != nil {
		return nil
	}
	reads := []heap.Access{}
	x := st.X
	if e := t.Edit(j); e != nil {
		if e.Guard != nil {
			return nil
		}
		if e.New != nil && st.Kind != lower.Decl && st.Kind != lower.Return {
			x = e.New
		}
	}
	if st.Kind == lower.Decl || st.Kind == lower.Return || st.Kind == lower.Cond {
		return reads
	}
	a, ok := x.(*cfront.Assign)
	if !ok || a.HasOp || !cfront.Pure(a.L) {
		return nil
	}
	w := t.At(j)
	t.Im.Watch(&reads)
	_, err := eval.Addr(w, a.L)
	t.Im.Watch(nil)
	if err != nil {
		return nil
	}
	return reads
}

// slice is the backward pass.
func (r *relevance) slice(events []event, wrong []bool, last []state, goal func() goals) {
	now := make([]state, len(r.index))
	copy(now, last)
	full := make([]goals, len(events))
	for n := len(events) - 1; n >= 0; n-- {
		j, ev := r.from+n, &events[n]
		for c := range now {
			r.after[j+1][c] = now[c].own | now[c].via
			r.reach[j+1] |= r.after[j+1][c]
		}
		from := state{}
		r.each(ev.writes, func(c int) { from.merge(&now[c], full) })
		for _, a := range ev.dies {
			from.merge(&now[r.index[granule(a>>2)|alive]], full)
			r.each(ev.lost, func(c int) { from.merge(&now[c], full) })
		}
		switch {
		case j == r.stop:
			from.via |= goal()
		case wrong[j]:
			r.conds[j] = goal()
			from.via |= r.conds[j]
		default:
			for _, a := range ev.writes {
				if a.Size >= 4 && a.Addr&3 == 0 {
					r.each([]heap.Access{a}, func(c int) { now[c] = state{via: written} })
				}
			}
		}
		from.via &^= marks
		r.gone[j] = from.via
		full[n] = r.elsewhere(now, ev, false)
		same := full[n]
		if ev.single && n < 64 {
			same = r.elsewhere(now, ev, true)
		}
		bit := uint64(1) << min(n, 63)
		if len(ev.writes)+len(ev.dies) > 0 || ev.calls { // free(NULL) could have freed something
			r.each(ev.base, func(c int) { now[c].merge(&state{via: same, base: bit}, full) })
			r.each(ev.values, func(c int) { now[c].merge(&state{value: bit}, full) })
		}
		from.via |= read
		r.each(ev.reads, func(c int) { now[c].merge(&from, full) })
	}
	for c := range now {
		r.after[r.from][c] = now[c].own | now[c].via
		r.reach[r.from] |= r.after[r.from][c]
	}
	r.covers(events)
}

func (r *relevance) each(list []heap.Access, f func(c int)) {
	for _, a := range list {
		for g, to := granules(a.Addr, a.Size); g <= to; g++ {
			if c, ok := r.index[g]; ok {
				f(c)
			}
		}
	}
}

// merge adds what another granule reaches. If both the address and the word of an event are reached, its store may
// reach any goal.
func (s *state) merge(o *state, full []goals) {
	s.via |= o.own | o.via
	s.base |= o.base
	s.value |= o.value
	for both := s.base & s.value; both != 0; both &= both - 1 {
		s.via |= full[bits.TrailingZeros64(both)]
	}
}

// serves reports whether an edit that reaches the goals m at item i or after it can be the next edit; m may have the
// mark of a cell that is read later.
func (r *relevance) serves(i int, m goals) bool {
	if r == nil || r.all&^m == 0 {
		return true
	}
	switch {
	case r.left == 1:
		return false
	case r.left == 3:
		return r.all&m != 0
	case m&read == 0: // the rest of the run stays as it is
		return r.alone(i, r.all&^m)
	}
	return r.all&m != 0 || r.alone(i, r.all)
}

// elsewhere returns the goals that an event's store could reach at another address; with same, only by the word that it
// stores now.
func (r *relevance) elsewhere(now []state, ev *event, same bool) goals {
	size := int8(0)
	for _, w := range ev.writes {
		if size != 0 && size != int8(w.Size) {
			size = -1
		}
		if size == 0 {
			size = int8(w.Size)
		}
	}
	m := goals(0)
	for c := range now {
		if !r.open[c] || size > 0 && len(ev.dies) == 0 && r.size[c] != 0 && r.size[c] != size && !r.parts[c] {
			continue
		}
		m |= now[c].via
		if !same || r.want[c] == ev.word || r.parts[c] {
			m |= now[c].own
		}
	}
	return m &^ marks
}

// covers computes, for every moment, the goals that single edits from there on may reach.
func (r *relevance) covers(events []event) {
	r.cover = make([][]goals, len(r.after))
	var list []goals
	add := func(m goals) {
		m &^= marks
		for _, o := range list {
			if m&^o == 0 {
				return
			}
		}
		list = append(list[:len(list):len(list)], m)
	}
	for n := len(events) - 1; n >= 0; n-- {
		j := r.from + n
		add(r.gone[j])
		for _, g := range r.after[j+1] {
			add(r.gone[j] | g)
		}
		r.cover[j+1] = list
	}
	for _, g := range r.after[r.from] {
		add(g)
	}
	r.cover[r.from] = list
}

// alone reports whether a single edit after item i, or in its place, may reach the goals m.
func (r *relevance) alone(i int, m goals) bool {
	for _, c := range r.cover[i+1] {
		if m&^c == 0 {
			return true
		}
	}
	return false
}

// condition reports whether changing the condition of item i can be the next edit.
func (r *relevance) condition(i int) bool { return r == nil || r.serves(i, r.conds[i]) }

// statement reports whether replacing the statement of item i can be the next edit.
func (r *relevance) statement(i int) bool { return r == nil || r.serves(i, r.gone[i]|r.reach[i+1]) }

// removable reports whether skipping item i can be the next edit.
func (r *relevance) removable(i int) bool { return r == nil || r.serves(i, r.gone[i]) }

// gap reports whether an insertion after item i can be the next edit.
func (r *relevance) gap(i int) bool { return r == nil || r.serves(i, r.reach[i+1]) }

// filter selects the effects of interest at one place.
type filter struct {
	rel  *relevance
	at   int    // item
	gap  bool   // the place is a gap after it
	keep bool   // the original's effect is of interest, too
	skip bool   // the original's effect is not of interest for an edit
	orig effect // the original's store, if it does exactly one
}

// base returns the goals that an edit at the place reaches whatever it stores.
func (f *filter) base() goals {
	if f.gap {
		return 0
	}
	return f.rel.gone[f.at]
}

// cells returns the goals that a store may reach.
func (f *filter) cells(a ctype.Word, size int64) goals {
	m := f.base()
	for g, to := granules(a, size); g <= to; g++ {
		m |= f.rel.cell(f.at, g)
	}
	return m
}

// possible reports whether anything here can be the next edit.
func (f *filter) possible() bool {
	return f.rel == nil || f.rel.serves(f.at, f.base()|f.rel.reach[f.at+1])
}

// target reports whether a store to an address is of interest.
func (f *filter) target(a ctype.Word, size int64) bool {
	return f.rel == nil || f.keep && a == f.orig.addr || f.rel.serves(f.at, f.cells(a, size))
}

func (f *filter) wants(e effect) bool { return f.keep && e == f.orig || f.effect(e) }

// effect reports whether a store can be the next edit.
func (f *filter) effect(e effect) bool {
	if f.rel == nil {
		return true
	}
	m := f.cells(e.addr, e.size)
	if !f.rel.serves(f.at, m) {
		return false
	}
	if f.rel.left > 1 || m&written != 0 || m&read != 0 && f.rel.isOpen(e.addr) {
		return true
	}
	// The stored word remains to the end: nothing overwrites it, and nothing reads it that might then store to the
	// cell.
	l := f.rel.l
	n, ok := l.end[e.addr]
	return !ok || l.seg.End[n].Type.Size != e.size || l.seg.End[n].Word&mask(e.size) == e.word
}

// isOpen reports whether an address can be reached through a pointer.
func (r *relevance) isOpen(a ctype.Word) bool {
	n, ok := r.index[granule(a>>2)]
	return !ok || r.open[n]
}

// journal reports whether the changes in an image since a mark can be the next edit.
func (f *filter) journal(im *heap.Image, mark int) bool {
	if f.rel == nil {
		return true
	}
	m := f.base()
	addrs, sizes := im.Stored(mark)
	for i, a := range addrs {
		m |= f.cells(a, int64(sizes[i]))
	}
	for _, a := range im.Died(mark) {
		m |= f.rel.cell(f.at, granule(a>>2)|alive)
	}
	return f.rel.serves(f.at, m)
}

// cell returns the goals that a change of a granule after item i may reach.
func (r *relevance) cell(i int, g granule) goals {
	if n, ok := r.index[g]; ok {
		return r.after[i+1][n]
	}
	return 0
}
