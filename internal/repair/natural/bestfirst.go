package natural

import (
	"container/heap"
	"hash/fnv"
	"io"
	"sort"

	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
)

// This file is the search for several edits: patches that bring the runs nearer
// to what is wanted are built upon, the nearest first.

// node is a patch that may be built upon.
type node struct {
	patch    *repair.Patch
	overlays []*lower.Overlay
	dist     int
	score    int
	depth    int

	behaviour uint64 // on the sample: tells patches apart that do not do the same
	focus     int    // the first case that it does not meet
	outcome   string // what becomes of it
}

func (n *node) touches(p *place) bool {
	if p.unit.Gap != nil {
		return n.patch.Gaps[p.unit.ID] != nil
	}
	return n.patch.Stmts[p.unit.ID] != nil
}

type queue []*node

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].score != q[j].score {
		return q[i].score < q[j].score
	}
	return q[i].dist < q[j].dist
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*node)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// Bounds of the best-first search.
const (
	rootParts     = 1200 // partial sets of single edits that are scored
	innerParts    = 150  // and of later expansions
	reps          = 4    // members of each that are tried
	failingSample = 8    // cases that scores are taken from
	passingSample = 4
	depthCost     = 20 // an edit more counts as much as two wrong values a case
)

// sampled lists the cases that scores are taken from: failing ones of all sizes
// and some that the program meets.
func (s *search) sampled() []int {
	var out []int
	spread := func(from, to, n int) {
		for i := 0; i < n && i < to-from; i++ {
			out = append(out, from+i*(to-from)/min(n, to-from))
		}
	}
	spread(0, s.failing, failingSample)
	spread(s.failing, len(s.cases), passingSample)
	return out
}

// measure scores a node's patch: wrong values per case, with cases that the
// program met and the patch does not counted more.
func (s *search) measure(w *worker, n *node) error {
	h := fnv.New64a()
	total := 0
	for _, i := range s.sample {
		c := s.cases[i]
		r, err := w.run.Run(c, n.overlays)
		if err != nil {
			return err
		}
		_, _ = io.WriteString(h, r.State)
		_, _ = io.WriteString(h, r.Output)
		if r.Fault != nil {
			_, _ = io.WriteString(h, string(r.Fault.Kind))
			_, _ = h.Write([]byte{byte(r.Fault.Stmt), byte(r.Fault.Stmt >> 8)})
		}
		d := 10 * min(r.Closeness(c.Want), 40)
		if i >= s.failing {
			d *= 3
		}
		total += d
	}
	n.score, n.behaviour = total/max(len(s.sample), 1)+depthCost*n.depth, h.Sum64()
	return nil
}

// complete runs all cases: which are met, and what becomes of the first that is
// not.
func (s *search) complete(w *worker, n *node) error {
	n.focus = -1
	for i, c := range s.cases {
		r, err := w.run.Run(c, n.overlays)
		if err != nil {
			return err
		}
		if n.focus < 0 && !r.Meets(c.Want) {
			n.focus, n.outcome = i, outcome(r, r.Closeness(c.Want))
			break
		}
	}
	return nil
}

// bestFirst searches single edits, then patches of more. When it has built upon
// everything that looked promising it starts anew from a longer failing case,
// which tells more edits apart.
func (s *search) bestFirst(res *Result) error {
	s.sample = s.sampled()
	root := &node{patch: repair.NewPatch()}
	for round, focus := range []int{0, s.failing / 4, s.failing / 2} {
		if round > 0 && focus == root.focus {
			continue
		}
		if err := s.look(s.workers[0], root, focus); err != nil {
			return err
		}
		q := &queue{}
		s.behaviours = map[uint64]bool{}
		for _, rich := range []bool{false, true} {
			if round > 0 && rich {
				break
			}
			if done, err := s.step(root, rich, q, res); done || err != nil {
				return err
			}
		}
		if round == 0 {
			if done, err := s.moves(root, res); done || err != nil {
				return err
			}
		}
		if done, err := s.drain(q, res); done || err != nil {
			return err
		}
	}
	return nil
}

// look notes what becomes of a case that the node does not meet.
func (s *search) look(w *worker, n *node, focus int) error {
	c := s.cases[focus]
	r, err := w.run.Run(c, n.overlays)
	if err == nil {
		n.focus, n.outcome = focus, outcome(r, r.Closeness(c.Want))
	}
	return err
}

// drain builds upon queued patches until one leads to a repair.
func (s *search) drain(q *queue, res *Result) (bool, error) {
	for q.Len() > 0 && !s.over() {
		n := heap.Pop(q).(*node)
		if err := s.complete(s.workers[0], n); err != nil {
			return false, err
		}
		if n.focus < 0 {
			continue
		}
		res.Bases++
		if done, err := s.step(n, false, q, res); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// step expands a node: repairs end the search, partial ones are queued.
func (s *search) step(n *node, rich bool, q *queue, res *Result) (bool, error) {
	good, parts, err := s.expand(n, rich)
	if err != nil {
		return false, err
	}
	rs, err := s.repairs(n, good)
	if err != nil {
		return false, err
	}
	if len(rs) > 0 {
		res.Repairs = rs
		return true, nil
	}
	if n.depth+1 < s.p.MaxEdits {
		err = s.enqueue(n, parts, q)
	}
	return false, err
}

// enqueue scores the most promising partial sets and queues them.
func (s *search) enqueue(n *node, parts []partial, q *queue) error {
	sort.SliceStable(parts, func(i, j int) bool {
		if parts[i].close != parts[j].close {
			return parts[i].close < parts[j].close
		}
		return parts[i].seq < parts[j].seq
	})
	if n.depth == 0 {
		parts = diverse(parts, rootParts)
	} else {
		parts = diverse(parts, innerParts)
	}
	found := make([][]*node, len(parts))
	err := s.each(len(parts), func(w *worker, i int) error {
		t, err := s.careful(w, n, parts[i].set)
		if err != nil {
			return err
		}
		ms := t.members()
		for _, x := range ms[:min(len(ms), reps)] {
			e := x.edit
			m := &node{patch: n.patch.Merge(repair.NewPatch(&e)), dist: n.dist + x.dist, depth: n.depth + 1}
			if m.overlays, err = s.overlays(m.patch); err != nil {
				continue
			}
			if err := s.measure(w, m); err != nil {
				return err
			}
			found[i] = append(found[i], m)
		}
		return nil
	})
	var nodes []*node
	for _, ms := range found {
		nodes = append(nodes, ms...)
	}
	var kept []*node
	best := map[uint64]int{} // by behaviour: the nearest one
	for _, m := range nodes {
		if s.behaviours[m.behaviour] {
			continue
		}
		if k, ok := best[m.behaviour]; ok {
			if m.dist < kept[k].dist {
				kept[k] = m
			}
			continue
		}
		best[m.behaviour] = len(kept)
		kept = append(kept, m)
	}
	for k := range best {
		s.behaviours[k] = true
	}
	sort.SliceStable(kept, func(i, j int) bool { return queue(kept).Less(i, j) })
	for _, m := range kept {
		heap.Push(q, m)
	}
	return err
}

// careful narrows a set with conditions to the members that break none of the
// sampled cases that the program meets, if there are any.
func (s *search) careful(w *worker, n *node, t set) (set, error) {
	if len(t.conds) <= reps {
		return t, nil
	}
	for _, i := range s.sample {
		if i < s.failing {
			continue
		}
		var kept []set
		c := s.cases[i]
		err := w.explore(c, n.overlays, t, func(u set, r *oracle.Run) {
			if r.Meets(c.Want) {
				kept = append(kept, u)
			}
		})
		if err != nil {
			return t, err
		}
		for _, u := range kept {
			if u.size() > kept[0].size() {
				kept[0] = u
			}
		}
		if len(kept) > 0 {
			t = kept[0]
		}
	}
	return t, nil
}

// diverse keeps the nearest partial sets, but no more than a few of one place
// or with one outcome.
func diverse(parts []partial, limit int) []partial {
	type at struct {
		p   *place
		key string
	}
	count := map[at]int{}
	perPlace := map[*place]int{}
	var out []partial
	for _, p := range parts {
		k := at{p.set.p, p.key}
		if count[k] >= 2 || perPlace[p.set.p] >= limit/12 {
			continue
		}
		count[k]++
		perPlace[p.set.p]++
		if out = append(out, p); len(out) >= limit {
			break
		}
	}
	return out
}

// moves tries statements that change places: with the next one, or with a gap.
func (s *search) moves(root *node, res *Result) (bool, error) {
	var patches []*repair.Patch
	for _, p := range s.places {
		st := p.unit.Stmt
		if st == nil || st.Kind != lower.Expr {
			continue
		}
		for _, g := range s.places {
			if gap := g.unit.Gap; gap != nil && gap.Func == st.Func {
				patches = append(patches, repair.NewPatch(&repair.Edit{Stmt: st.ID, Delete: true}, &repair.Edit{Gap: gap.ID, New: st.X}))
			}
		}
	}
	ok := make([]bool, len(patches))
	err := s.each(len(patches), func(w *worker, i int) error {
		os, err := s.overlays(patches[i])
		if err != nil {
			return nil
		}
		for _, c := range s.cases {
			r, err := w.run.Run(c, os)
			if err != nil {
				return err
			}
			if !r.Meets(c.Want) {
				return nil
			}
		}
		ok[i] = true
		return nil
	})
	for i, p := range patches {
		if ok[i] {
			res.Repairs = append(res.Repairs, Repair{p, 4})
		}
	}
	return len(res.Repairs) > 0, err
}
