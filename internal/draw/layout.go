// Package draw lays out memory graphs and draws them as terminal text, SVG and
// Graphviz DOT.
//
// The layout is sticky: while the session lasts, a placed node stays where it is, so that a picture differs from the
// one before only where the program changed it. Rows may move down when one above them grows, and Mend moves the nodes
// of a tree that the user has changed by hand. Layout places new nodes beside the node that they point to, or that
// points to them.
package draw

import (
	"sort"
	"strings"

	"gulo/internal/heap"
)

// Spot is where a node begins in the grid, in rows and half columns; it takes two of
// these.
type Spot struct{ Row, Col int }

// Layout remembers where nodes are. The zero Layout is empty and ready.
type Layout struct {
	at   map[int]Spot // by node number
	by   map[Spot]int
	band map[int]*band // by row

	left  int  // left edge of the nodes beside the variables, in units of the picture
	begun bool // left is set
}

// band is the room of a row, in lines. Once the row below has its own, it only grows if a node in it does.
type band struct{ top, lines int }

// gapLines is the room between two rows, in lines.
const gapLines = 3

// maxLines bounds the lines shown of a node.
const maxLines = 16

// lines returns how many lines a node takes.
func lines(n *heap.NodeInfo) int { return linesWith(n, Options{}) }

func linesWith(n *heap.NodeInfo, o Options) int {
	cells, blank := full(n.Cells, "", o)
	return min(len(cells)+len(n.Notes)+len(blank)+min(unseen(n.Cells), 1), maxLines) + 1
}

// fits reports whether a row has room for a node, or can still get it.
func (l *Layout) fits(row int, n *heap.NodeInfo) bool {
	b := l.band[row]
	return b == nil || l.band[row+1] == nil || lines(n) <= b.lines
}

// grow makes a row higher, for a node that has more lines than before, such as a hash table with one more bucket in
// use. What stands in the rows below moves down.
func (l *Layout) grow(row, lines int) {
	b := l.band[row]
	more := lines - b.lines
	if more <= 0 {
		return
	}
	b.lines += more
	for row++; l.band[row] != nil; row++ {
		l.band[row].top += more
	}
}

// room gives a row the lines that a node needs, unless the row below is placed already.
func (l *Layout) room(row int, n *heap.NodeInfo) {
	for r := 0; r <= row; r++ {
		if l.band[r] != nil {
			continue
		}
		top := 0
		if b := l.band[r-1]; b != nil {
			top = b.top + b.lines + gapLines
		}
		l.band[r] = &band{top: top, lines: 1}
	}
	if l.band[row+1] == nil {
		l.band[row].lines = max(l.band[row].lines, lines(n))
	}
}

// Update places the nodes of a graph that are to be drawn and have no place yet.
func (l *Layout) Update(g *heap.Graph, drawn map[int]bool) {
	if len(l.at) == 0 {
		l.at, l.by, l.band = map[int]Spot{}, map[Spot]int{}, map[int]*band{}
	}
	shown := map[int]*heap.NodeInfo{}
	var todo []*heap.NodeInfo
	nodes := among(g, drawn)
	for _, n := range nodes {
		shown[n.Seq] = n
		if p, ok := l.at[n.Seq]; !ok {
			todo = append(todo, n)
		} else {
			l.grow(p.Row, lines(n)) // more may be known of it than before
		}
	}
	preds := map[int][]int{}
	for _, n := range nodes {
		for _, c := range n.Cells {
			if v := c.Value; v.Kind == heap.ToNode && v.Node != n.Seq && drawn[v.Node] {
				preds[v.Node] = append(preds[v.Node], n.Seq)
			}
		}
	}
	todo = l.layered(todo, shown)
	order := slots(g)
	for len(todo) > 0 {
		sort.Slice(todo, func(i, j int) bool {
			if a, b := order[todo[i].Seq], order[todo[j].Seq]; a != b && (a > 0 && b > 0 || a > 0 != (b > 0)) {
				return b == 0 || a > 0 && a < b
			}
			return todo[i].Seq < todo[j].Seq
		})
		rest := todo[:0]
		placed := false
		for _, n := range todo {
			if l.beside(n, preds[n.Seq]) {
				placed = true
			} else {
				rest = append(rest, n)
			}
		}
		todo = rest
		if !placed && len(todo) > 0 {
			seq := start(todo, preds)
			l.put(shown[seq], l.alone(shown[seq], g))
			todo = l.unplaced(todo)
		}
	}
}

// slots numbers, from 1, the nodes that the elements of arrays in nodes lead to, such as the buckets of a hash table.
// Placed in this order their chains stand below each other as the elements do, and no arrow crosses another.
func slots(g *heap.Graph) map[int]int {
	out := map[int]int{}
	for _, n := range g.Nodes {
		for _, c := range n.Cells {
			if v := c.Value; v.Kind == heap.ToNode && strings.HasSuffix(c.Field, "]") && out[v.Node] == 0 {
				out[v.Node] = len(out) + 1
			}
		}
	}
	return out
}

// start picks the node that a new row begins with: one that nothing points to, if there is one.
func start(todo []*heap.NodeInfo, preds map[int][]int) int {
	for _, n := range todo {
		if len(preds[n.Seq]) == 0 {
			return n.Seq
		}
	}
	return todo[0].Seq
}

func (l *Layout) unplaced(todo []*heap.NodeInfo) []*heap.NodeInfo {
	var out []*heap.NodeInfo
	for _, n := range todo {
		if _, ok := l.at[n.Seq]; !ok {
			out = append(out, n)
		}
	}
	return out
}

// maxRow bounds the nodes without links in a row.
const maxRow = 8

// alone returns the place of a node without links to placed ones: at the end of the last row if the last node there is
// of the same type, else in a row of its own.
func (l *Layout) alone(n *heap.NodeInfo, g *heap.Graph) Spot {
	row := l.nextRow() - 1
	last, same := -1, false
	for p, seq := range l.by {
		if p.Row != row || last >= 0 && l.at[last].Col > p.Col {
			continue
		}
		last = seq
	}
	if m := g.Typed(last); m != nil {
		same = m.Type == n.Type
	}
	if row < 0 || !same || l.at[last].Col >= 2*maxRow || !l.fits(row, n) {
		return Spot{row + 1, 0}
	}
	return Spot{row, l.at[last].Col + 2}
}

func (l *Layout) nextRow() int {
	r := 0
	for p := range l.by {
		r = max(r, p.Row+1)
	}
	return r
}

// taken reports whether a node would stand where another does.
func (l *Layout) taken(p Spot) bool {
	for d := -1; d <= 1; d++ {
		if _, ok := l.by[Spot{p.Row, p.Col + d}]; ok {
			return true
		}
	}
	return false
}

func (l *Layout) put(n *heap.NodeInfo, p Spot) {
	l.at[n.Seq] = p
	l.by[p] = n.Seq
	l.room(p.Row, n)
}

// beside places a node left of a placed node that it points to, or right of a
// placed node that points to it; below when that cell is taken.
func (l *Layout) beside(n *heap.NodeInfo, preds []int) bool {
	for _, c := range n.Cells {
		v := c.Value
		if p, ok := l.at[v.Node]; ok && v.Kind == heap.ToNode && v.Node != n.Seq {
			q := Spot{p.Row, p.Col - 2}
			if !l.taken(q) && l.fits(q.Row, n) {
				l.put(n, q)
				return true
			}
		}
	}
	sort.Ints(preds)
	for _, s := range preds {
		p, ok := l.at[s]
		if !ok {
			continue
		}
		for row := p.Row; ; row++ {
			q := Spot{row, p.Col + 2}
			if !l.taken(q) && l.fits(row, n) {
				l.put(n, q)
				return true
			}
		}
	}
	return false
}

// rows groups those of the nodes that have a place by row, each row ordered by column.
func (l *Layout) rows(nodes []*heap.NodeInfo) [][]*heap.NodeInfo {
	byRow := map[int][]*heap.NodeInfo{}
	for _, n := range nodes {
		if p, ok := l.at[n.Seq]; ok {
			byRow[p.Row] = append(byRow[p.Row], n)
		}
	}
	var keys []int
	for r := range byRow {
		keys = append(keys, r)
	}
	sort.Ints(keys)
	var out [][]*heap.NodeInfo
	for _, r := range keys {
		row := byRow[r]
		sort.Slice(row, func(i, j int) bool { return l.at[row[i].Seq].Col < l.at[row[j].Seq].Col })
		out = append(out, row)
	}
	return out
}
