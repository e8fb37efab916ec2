package natural

import (
	"hash/fnv"
	"io"
	"slices"
	"sort"
	"strings"

	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
)

// This file searches for several edits. Patches that bring the runs closer to what is wanted are extended, the closest
// ones first.

// node is a patch that may be extended, or a set of edits of one place, on top of a patch, that have not been told
// apart yet.
type node struct {
	patch    *repair.Patch
	overlays []*lower.Overlay
	dist     int
	score    int
	depth    int
	late     int  // patches with the same behaviour before it, those at other places counted a quarter
	done     bool // taken from the agenda

	base *node // for a set: the patch that it extends
	set  set   // the set

	behaviour uint64 // hash of its behaviour on the sample
	focus     int    // index of the first case that it does not meet
	outcome   string // outcome of that case
}

func (n *node) touches(p *place) bool {
	if p.unit.Gap != nil {
		return n.patch.Gaps[p.unit.ID] != nil
	}
	return n.patch.Stmts[p.unit.ID] != nil
}

// Bounds of the best-first search.
const (
	rootParts     = 1200 // sets of single edits that are kept to be extended
	innerParts    = 150  // the same, for later expansions
	reps          = 6    // members of each set that are tried
	failingSample = 8    // failing cases that scores are computed from
	passingSample = 4
	distCost      = 4  // for each token that differs
	alike         = 40 // patches with one behaviour on the sample that are queued
	alikeAtPlace  = 6  // the same, with the last edit at one place
	lateCost      = 8  // for each unit of node.late
	depthCost     = 20 // one more edit counts as much as two wrong values per case
)

// sampled returns the cases that scores are computed from: failing ones of all sizes, and some that the program meets.
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

// measure computes the score of a node's patch: the average number of wrong values per case, plus its cost. Cases that
// the program met before count three times.
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
	n.score, n.behaviour = total/max(len(s.sample), 1)+cost(n), h.Sum64()
	return nil
}

// cost returns the part of a node's score that its size adds.
func cost(n *node) int { return depthCost*n.depth + distCost*n.dist }

// complete runs the cases until one is not met, and records that case and its outcome.
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

// bestFirst searches for single edits, then for patches of several. When all promising patches are extended, it starts
// again from a longer failing case, which tells more edits apart.
func (s *search) bestFirst(res *Result) error {
	s.sample = s.sampled()
	root := &node{patch: repair.NewPatch()}
	q := newAgenda()
	s.alike, s.seen = map[conduct]int{}, map[string]bool{}
	for round, focus := range []int{0, s.failing / 4, s.failing / 2} {
		if round > 0 && focus == root.focus {
			continue
		}
		if err := s.look(s.workers[0], root, focus); err != nil {
			return err
		}
		if done, err := s.step(root, false, q, res); done || err != nil {
			return err
		}
		if round == 0 {
			if done, err := s.step(root, true, q, res); done || err != nil {
				return err
			}
			if done, err := s.moves(root, res); done || err != nil {
				return err
			}
		}
		if done, err := s.drain(q, res, false); done || err != nil {
			return err
		}
	}
	_, err := s.drain(q, res, true)
	return err
}

// look records the outcome of a case that the node does not meet.
func (s *search) look(w *worker, n *node, focus int) error {
	c := s.cases[focus]
	r, err := w.run.Run(c, n.overlays)
	if err == nil {
		n.focus, n.outcome = focus, outcome(r, r.Closeness(c.Want))
	}
	return err
}

// drain extends queued patches until one leads to a repair, or, unless deep is set, until only patches of several edits
// are left.
func (s *search) drain(q *agenda, res *Result, deep bool) (bool, error) {
	for !s.over() && (deep || q.score.any()) {
		n := q.next()
		if n == nil {
			break
		}
		if n.base != nil {
			if err := s.measureAll(q, append(q.more(seedsAtOnce), n)); err != nil {
				return false, err
			}
			continue
		}
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

// step expands a node: a repair ends the search, partial ones are queued.
func (s *search) step(n *node, rich bool, q *agenda, res *Result) (bool, error) {
	parts, done, err := s.mend(n, rich, res)
	if !done && err == nil && n.depth+1 < s.p.MaxEdits {
		s.enqueue(n, parts, q)
	}
	return done, err
}

// mend looks for one edit on top of a node that makes it meet all cases.
func (s *search) mend(n *node, rich bool, res *Result) (parts []partial, done bool, err error) {
	good, parts, err := s.expand(n, rich)
	if err != nil {
		return nil, false, err
	}
	rs, err := s.repairs(n, good)
	if len(rs) > 0 && err == nil {
		res.Repairs = rs
	}
	return parts, len(rs) > 0, err
}

// enqueue queues the most promising partial sets, by the outcome of one case.
func (s *search) enqueue(n *node, parts []partial, q *agenda) {
	limit := innerParts
	if n.depth == 0 {
		limit = rootParts
	}
	for i := range parts {
		p := &parts[i]
		if ms := p.set.members(); len(ms) > 0 {
			p.dist = ms[0].dist
		}
		p.score = 10*min(p.close, 40) + distCost*p.dist
	}
	sort.SliceStable(parts, func(i, j int) bool {
		if parts[i].score != parts[j].score {
			return parts[i].score < parts[j].score
		}
		return parts[i].seq < parts[j].seq
	})
	for _, p := range diverse(parts, limit) {
		m := &node{base: n, set: p.set, dist: n.dist + p.dist, depth: n.depth + 1}
		m.score = 10*min(p.close, 40) + cost(m)
		q.add(m)
	}
}

// seedsAtOnce is the number of sets whose members are told apart together.
const seedsAtOnce = 15

// conduct is the behaviour of patches on the sample and the place of their last edit; place 0 stands for all places.
type conduct struct {
	behaviour uint64
	place     int32
}

// measureAll scores members of sets and queues them, except those that behave like many others before.
func (s *search) measureAll(q *agenda, seeds []*node) error {
	found := make([][]*node, len(seeds))
	err := s.each(len(seeds), func(w *worker, i int) error {
		n := seeds[i].base
		ms, err := s.representatives(w, n, seeds[i].set)
		if err != nil {
			return err
		}
		for _, x := range ms {
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
	for i, ms := range found {
		for _, m := range ms {
			at := conduct{m.behaviour, seeds[i].set.p.number()}
			all := conduct{m.behaviour, 0}
			text := strings.Join(Describe(s.p.Prog, m.patch), "\n")
			if s.seen[text] || s.alike[at] >= alikeAtPlace || s.alike[all] >= alike {
				continue
			}
			s.seen[text] = true
			m.late = s.alike[at] + s.alike[all]/4
			m.score += lateCost * m.late
			s.alike[at]++
			s.alike[all]++
			q.add(m)
		}
	}
	return err
}

// representatives returns the members of a set that are tried: the nearest ones, and the nearest ones that break
// nothing.
func (s *search) representatives(w *worker, n *node, t set) ([]member, error) {
	u, err := s.careful(w, n, t)
	if err != nil {
		return nil, err
	}
	out := u.members()
	out = out[:min(len(out), reps)]
	if u.size() == t.size() {
		return out, nil
	}
	ms := t.members()
	for _, m := range ms[:min(len(ms), reps)] {
		if !slices.ContainsFunc(out, func(x member) bool { return x.edit == m.edit }) {
			out = append(out, m)
		}
	}
	return out, nil
}

// careful narrows a set with conditions to the members that break none of the sampled cases that the program meets, if
// there are any.
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

// diverse keeps the partial sets with the best scores, but only a few of each place and outcome.
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

// moves tries to move each statement to each gap of its function.
func (s *search) moves(root *node, res *Result) (bool, error) {
	var patches []*repair.Patch
	for _, p := range s.listed(false) {
		st := p.unit.Stmt
		if st == nil || st.Kind != lower.Expr {
			continue
		}
		for _, g := range s.listed(false) {
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
