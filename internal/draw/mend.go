package draw

import (
	"maps"
	"slices"

	"gulo/internal/heap"
)

// This file moves nodes of a tree after the user has changed a link by hand. A node with another parent would stay
// where it was drawn, with arrows across the others. As little as possible moves: the smallest subtree around the link
// that makes the tree free of crossings when it is placed anew. Its root stays where it is.

// Clone returns a copy of a layout.
func (l *Layout) Clone() Layout {
	c := Layout{at: maps.Clone(l.at), by: maps.Clone(l.by), band: map[int]*band{}, left: l.left, begun: l.begun}
	for r, b := range l.band {
		b := *b
		c.band[r] = &b
	}
	return c
}

// Mend moves nodes of a tree in which the user has made from lead to to, if the link would cross others. It reports
// whether anything has moved.
func (l *Layout) Mend(g *heap.Graph, from, to int) bool {
	m := &mender{l: l, nodes: map[int]*heap.NodeInfo{}, from: from, to: to}
	for _, n := range slices.Concat(g.Nodes, g.Lost) {
		if _, placed := l.at[n.Seq]; n.Type != nil && (placed || n.Seq == to) {
			m.nodes[n.Seq] = n
		}
	}
	if _, placed := l.at[from]; !placed || m.nodes[from] == nil || m.nodes[to] == nil {
		return false // nothing was linked in
	}
	if down, _ := links(m.nodes[from]); !slices.Contains(down, to) {
		return false
	}
	path := m.path()
	root := path[len(path)-1]
	if m.straight(root) {
		return false
	}
	tree := m.grow(root).seqs(nil)
	for _, top := range path {
		kept := l.Clone()
		if m.replace(top, tree) && m.straight(root) {
			return true
		}
		*l = kept
	}
	for _, seq := range tree {
		l.drop(seq)
	}
	t := m.grow(root)
	t.measure()
	l.plant(t)
	return true
}

// drop takes a node's place away.
func (l *Layout) drop(seq int) {
	if p, ok := l.at[seq]; ok {
		delete(l.at, seq)
		delete(l.by, p)
	}
}

// mender moves the nodes of a tree.
type mender struct {
	l        *Layout
	nodes    map[int]*heap.NodeInfo // that have a place, and the one that the new link leads to
	from, to int                    // the new link
}

// path returns the node that the link is in, its parent, and so on up to the root of the tree.
func (m *mender) path() []int {
	parents := map[int]int{}
	for _, seq := range slices.Sorted(maps.Keys(m.nodes)) {
		down, _ := links(m.nodes[seq])
		for _, k := range down {
			if p, ok := parents[k]; !ok || m.l.at[p].Row >= m.l.at[k].Row { // rather one that stands above it
				parents[k] = seq
			}
		}
	}
	path := []int{m.from}
	for p, ok := parents[m.from]; ok && !slices.Contains(path, p); p, ok = parents[p] {
		path = append(path, p)
	}
	if slices.Contains(path, m.to) {
		m.to = 0 // a link to an ancestor makes no child
	}
	return path
}

// grow makes the tree under a node. A node that several lead to is a child of the one that the user made lead to it, or
// else of the first one met.
func (m *mender) grow(seq int) *twig {
	open := map[int]bool{}
	for k := range m.nodes {
		open[k] = true
	}
	if m.nodes[seq] == nil {
		return nil
	}
	var under func(seq int) *twig
	under = func(seq int) *twig {
		open[seq] = false
		t := &twig{n: m.nodes[seq]}
		to, side := links(t.n)
		for i, k := range to {
			if open[k] && (k != m.to || seq == m.from) {
				t.kids, t.side = append(t.kids, under(k)), append(t.side, side[i])
			}
		}
		return t
	}
	return under(seq)
}

// seqs lists the numbers of the nodes of a tree.
func (t *twig) seqs(out []int) []int {
	if t == nil {
		return out
	}
	out = append(out, t.n.Seq)
	for _, k := range t.kids {
		out = k.seqs(out)
	}
	return out
}

// straight reports whether a tree is drawn without crossings: every child in the row below its parent, and each row
// in the order of the parents.
func (m *mender) straight(root int) bool {
	last := map[int]int{} // the column of the last node of a row
	var ok func(t *twig) bool
	ok = func(t *twig) bool {
		p, placed := m.l.at[t.n.Seq]
		if col, met := last[p.Row]; !placed || met && p.Col <= col {
			return false
		}
		last[p.Row] = p.Col
		for _, k := range t.kids {
			if m.l.at[k.n.Seq].Row != p.Row+1 || !ok(k) {
				return false
			}
		}
		return true
	}
	return ok(m.grow(root))
}

// replace places the tree under top anew; top stays where it is. It returns false if other nodes of the whole tree are
// in the way, or a row has no room. Nodes outside of the tree make room.
func (m *mender) replace(top int, tree []int) bool {
	l, t := m.l, m.grow(top)
	at := l.at[top]
	for _, seq := range t.seqs(nil) {
		l.drop(seq)
	}
	t.measure()
	t.off = at.Col - t.at
	ok := true
	var aside []int
	was := map[int]Spot{}
	t.levels(at.Row, func(n *heap.NodeInfo, p Spot) bool {
		for col := p.Col - 1; col <= p.Col+1; col++ {
			q := Spot{p.Row, col}
			if seq, there := l.by[q]; there {
				if slices.Contains(tree, seq) {
					ok = false
					return false
				}
				aside, was[seq] = append(aside, seq), q
				l.drop(seq)
			}
		}
		if ok = l.fits(p.Row, n); ok {
			l.put(n, p)
		}
		return ok
	})
	for _, seq := range aside {
		if n := m.nodes[seq]; ok && n != nil { // others are not in the graph
			l.put(n, l.near(was[seq], -1, n))
		}
	}
	return ok
}
