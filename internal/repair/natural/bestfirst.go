package natural

import (
	"container/heap"
	"sort"

	"gulo/internal/lower"
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

	focus  int    // the first case that it does not meet
	passes []bool // by case
	state  string // what it does on the focus case
	output string
	ended  bool
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
	maxParts  = 150 // partial sets of one expansion that are scored
	maxSample = 14  // cases that scores are taken from
	depthCost = 3   // an edit more counts as much as this many wrong values
)

// measure fills in what a node's patch does. score: wrong values per case, with
// cases that the program met and the patch does not counted more.
func (s *search) measure(w *worker, n *node) error {
	n.passes = make([]bool, len(s.cases))
	n.focus = -1
	total, seen := 0, 0
	for i, c := range s.cases {
		sampled := seen < maxSample || n.focus < 0
		if i >= s.failing && seen < maxSample+4 {
			sampled = true
		}
		if !sampled && n.depth > 0 {
			continue
		}
		r, err := w.run.Run(c, n.overlays)
		if err != nil {
			return err
		}
		d := r.Closeness(c.Want)
		n.passes[i] = d == 0
		if d > 0 && n.focus < 0 {
			n.focus, n.state, n.output, n.ended = i, r.State, r.Output, r.Fault == nil
		}
		weight := 10
		if i >= s.failing {
			weight = 30
		}
		total += weight * min(d, 40)
		seen++
	}
	n.score = total/max(seen, 1) + depthCost*n.depth
	return nil
}

// complete runs the cases that measure left out.
func (s *search) complete(w *worker, n *node) error {
	for i, c := range s.cases {
		if n.passes[i] {
			continue
		}
		r, err := w.run.Run(c, n.overlays)
		if err != nil {
			return err
		}
		n.passes[i] = r.Meets(c.Want)
	}
	return nil
}

// bestFirst searches single edits, then patches of more.
func (s *search) bestFirst(res *Result) error {
	root := &node{patch: repair.NewPatch()}
	if err := s.measure(s.workers[0], root); err != nil {
		return err
	}
	if root.focus < 0 {
		return nil
	}
	q := &queue{}
	for _, rich := range []bool{false, true} {
		if done, err := s.step(root, rich, q, res); done || err != nil {
			return err
		}
	}
	if done, err := s.moves(root, res); done || err != nil {
		return err
	}
	for q.Len() > 0 && !s.over() {
		n := heap.Pop(q).(*node)
		if n.focus < 0 {
			continue
		}
		res.Bases++
		if err := s.complete(s.workers[0], n); err != nil {
			return err
		}
		if done, err := s.step(n, false, q, res); done || err != nil {
			return err
		}
	}
	return nil
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
	parts = diverse(parts)
	nodes := make([]*node, len(parts))
	err := s.each(len(parts), func(w *worker, i int) error {
		ms := parts[i].set.members()
		if len(ms) == 0 {
			return nil
		}
		e := ms[0].edit
		m := &node{patch: n.patch.Merge(repair.NewPatch(&e)), dist: n.dist + ms[0].dist, depth: n.depth + 1}
		var err error
		if m.overlays, err = s.overlays(m.patch); err != nil {
			return nil
		}
		if err := s.measure(w, m); err != nil {
			return err
		}
		nodes[i] = m
		return nil
	})
	for _, m := range nodes {
		if m != nil && m.focus >= 0 {
			heap.Push(q, m)
		}
	}
	return err
}

// diverse keeps the nearest partial sets, but no more than a few of one place.
func diverse(parts []partial) []partial {
	count := map[*place]int{}
	var out []partial
	for _, p := range parts {
		if count[p.set.p] >= 8 || p.set.kind == whole && count[p.set.p] >= 4 {
			continue
		}
		count[p.set.p]++
		if out = append(out, p); len(out) >= maxParts {
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
