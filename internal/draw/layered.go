package draw

import (
	"sort"

	"gulo/internal/heap"
)

// This file places trees in the layout: layer by layer as text does, with children from left to right under their
// parents. A tree is placed as a whole when it is drawn for the first time, in rows of its own. A node that is linked
// in later goes under its parent, as near as there is room. The program's changes of a tree move no placed node; for
// the user's see Mend.

// twig is a node of a tree that has no place yet.
type twig struct {
	n     *heap.NodeInfo
	kids  []*twig
	side  []int // of the kids: -1 left, 1 right, 0 neither
	off   int   // left edge, from the parent's left edge, in half columns
	at    int   // left edge of the node itself, from off
	width int
}

// links lists the children of a node, with the side on which each is.
func links(n *heap.NodeInfo) (to []int, side []int) {
	kids := childFields(n)
	order := 0
	for _, c := range n.Cells {
		if !kids[c.Field] {
			continue
		}
		order++
		if v := c.Value; v.Whole() && v.Node != n.Seq {
			s := 0
			if len(kids) == 2 {
				s = 2*order - 3
			}
			to, side = append(to, v.Node), append(side, s)
		}
	}
	return to, side
}

// layered places the trees among the nodes that have no place, and the nodes that were
// linked into trees that have one.
func (l *Layout) layered(todo []*heap.NodeInfo, shown map[int]*heap.NodeInfo) []*heap.NodeInfo {
	open := map[int]bool{}
	for _, n := range todo {
		open[n.Seq] = childFields(n) != nil
	}
	l.under(shown, open)
	down := map[int]bool{}
	for _, n := range todo {
		if open[n.Seq] {
			to, _ := links(n)
			for _, k := range to {
				down[k] = true
			}
		}
	}
	sort.SliceStable(todo, func(i, j int) bool { return !down[todo[i].Seq] && down[todo[j].Seq] })
	for _, n := range todo {
		if !open[n.Seq] {
			continue
		}
		open[n.Seq] = false
		if t := grow(n, shown, open); len(t.kids) > 0 {
			t.measure()
			l.plant(t)
		} else {
			open[n.Seq] = true
		}
	}
	return l.unplaced(todo)
}

// under places nodes below placed nodes that they are children of.
func (l *Layout) under(shown map[int]*heap.NodeInfo, open map[int]bool) {
	var queue []int
	for seq := range shown {
		if _, ok := l.at[seq]; ok {
			queue = append(queue, seq)
		}
	}
	sort.Ints(queue)
	for len(queue) > 0 {
		n := shown[queue[0]]
		queue = queue[1:]
		to, side := links(n)
		for i, k := range to {
			if !open[k] || shown[k] == nil {
				continue
			}
			p := l.at[n.Seq]
			s := side[i]
			if s == 0 {
				s = 1
			}
			l.put(shown[k], l.near(Spot{p.Row + 1, p.Col + side[i]}, s, shown[k]))
			open[k] = false
			queue = append(queue, k)
		}
	}
}

// near returns the free place nearest to p, on the given side if possible, or in a row farther down.
func (l *Layout) near(p Spot, side int, n *heap.NodeInfo) Spot {
	for ; ; p.Row++ {
		if !l.fits(p.Row, n) {
			continue
		}
		for d := range 24 {
			for _, s := range []int{side, -side} {
				if q := (Spot{p.Row, p.Col + s*d}); !l.taken(q) {
					return q
				}
			}
		}
	}
}

func grow(n *heap.NodeInfo, shown map[int]*heap.NodeInfo, open map[int]bool) *twig {
	t := &twig{n: n}
	to, side := links(n)
	for i, k := range to {
		if open[k] && shown[k] != nil {
			open[k] = false
			t.kids, t.side = append(t.kids, grow(shown[k], shown, open)), append(t.side, side[i])
		}
	}
	return t
}

// widest is how wide a tree may be, in half columns, before its subtrees are put closer together. Where there is room
// they stand side by side, so that nodes that are linked in later find a place.
const widest = 16

// measure gives a twig its width and the places of its kids; in half columns, of which a
// node takes two.
func (t *twig) measure() {
	t.apart()
	if t.width > widest {
		t.pack()
	}
}

// apart puts subtrees side by side.
func (t *twig) apart() {
	t.width = 2
	if len(t.kids) == 0 {
		return
	}
	w := 0
	for _, k := range t.kids {
		k.apart()
		k.off = w
		w += k.width
	}
	first, last := t.kids[0], t.kids[len(t.kids)-1]
	t.at = (first.off + first.at + last.off + last.at) / 2
	if len(t.kids) == 1 {
		t.at = first.at - t.side[0]
	}
	if t.at < 0 {
		for _, k := range t.kids {
			k.off -= t.at
		}
		w -= t.at
		t.at = 0
	}
	t.width = max(w, t.at+2)
}

// span is how far a subtree reaches in a row, from the left edge of the subtree.
type span struct{ from, to int }

// pack puts each subtree as near to those on its left as their outlines allow, as Reingold and Tilford do. It returns
// the outline of the twig, row by row.
func (t *twig) pack() []span {
	var out []span // of the kids so far, whose left edge may be left of the first one's
	left := 0
	for _, k := range t.kids {
		own := k.pack()
		k.off = 0
		for i := range min(len(own), len(out)) {
			if d := out[i].to - own[i].from; i == 0 || d > k.off {
				k.off = d
			}
		}
		left = min(left, k.off)
		for i, s := range own {
			if s.from, s.to = s.from+k.off, s.to+k.off; i == len(out) {
				out = append(out, s)
			} else {
				out[i].to = s.to
			}
		}
	}
	t.at = 0
	if n := len(t.kids); n > 0 {
		first, last := t.kids[0], t.kids[n-1]
		if t.at = (first.off + first.at + last.off + last.at) / 2; n == 1 {
			t.at = first.at - t.side[0]
		}
	}
	left = min(left, t.at)
	t.at -= left
	t.width = t.at + 2
	for _, k := range t.kids {
		k.off -= left
	}
	for i := range out {
		out[i].from, out[i].to = out[i].from-left, out[i].to-left
		t.width = max(t.width, out[i].to)
	}
	return append([]span{{t.at, t.at + 2}}, out...)
}

// plant places a tree in new rows.
func (l *Layout) plant(t *twig) {
	t.off = 0
	t.levels(l.nextRow(), func(n *heap.NodeInfo, p Spot) bool {
		l.put(n, p)
		return true
	})
}

// levels gives the nodes of a measured tree their places, row by row, until one is refused.
func (t *twig) levels(row int, place func(n *heap.NodeInfo, p Spot) bool) {
	for level := []*twig{t}; len(level) > 0; row++ {
		var next []*twig
		for _, x := range level {
			if !place(x.n, Spot{row, x.off + x.at}) {
				return
			}
			for _, k := range x.kids {
				k.off += x.off
				next = append(next, k)
			}
		}
		level = next
	}
}
