package draw

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// This file draws trees: layer by layer, children under their parents from left
// to right, as Reingold and Tilford ("Tidier Drawings of Trees", IEEE TSE 1981)
// want them, but subtrees are only put side by side, not nested into each other:
// in text a column saved is worth less than a shape that does not jump.

// sideways are the names that people give to links which do not lead to children.
var sideways = []string{"next", "nxt", "prev", "previous", "prv", "succ", "pred", "parent", "up", "father", "link", "back", "forward", "head", "tail", "p"}

// childFields lists the fields of a node that lead to its children: links to its
// own type, by their names, also inside of a struct or union; nil when it is no node of a tree.
func childFields(n *heap.NodeInfo) map[string]bool {
	if n.Type == nil || !n.Type.IsAggregate() {
		return nil
	}
	out := map[string]bool{}
	add := func(field string, t *ctype.Type) {
		base, _, _ := strings.Cut(field[strings.LastIndexByte(field, '.')+1:], "[")
		if slices.Contains(sideways, strings.ToLower(base)) {
			return
		}
		if t != nil && t.IsScalar() && t.Elem != nil && t.Elem == n.Type || t != nil && t.Elem != nil && t.Elem.IsAggregate() && n.Type.Tag != "" && t.Elem.Tag == n.Type.Tag {
			out[field] = true
		}
	}
	for _, c := range n.Cells {
		add(c.Field, c.Type)
	}
	for _, u := range unions(n.Type, "", nil) { // the links of a leaf that are not in use count, too
		for _, m := range u {
			for _, l := range m.links {
				add(l.name, l.typ)
			}
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// branch is a node of a tree that is drawn, with its children.
type branch struct {
	n     *heap.NodeInfo
	lines []string
	kids  []*branch
	side  []int // of the children: -1 left, 0 middle, 1 right
	width int
	at    int // column of its middle
}

// forest is the trees among the nodes to draw.
type forest struct {
	g     *heap.Graph
	o     Options
	near  map[int]bool
	up    map[int]int // the parent of a node, by number
	met   map[int]bool
	vars  map[int][]string
	shown map[string]bool
}

// trees draws the trees of a graph and takes their nodes out of near.
func trees(b *strings.Builder, g *heap.Graph, o Options, near map[int]bool, shown map[string]bool) {
	f := &forest{g: g, o: o, near: near, up: map[int]int{}, met: map[int]bool{}, vars: map[int][]string{}, shown: shown}
	for _, v := range g.Vars {
		if len(v.Cells) == 1 && v.Cells[0].Field == "" {
			c := v.Cells[0]
			if c.Value.Whole() {
				f.vars[c.Value.Node] = append(f.vars[c.Value.Node], mark(v.Name, o.Changed[c.Key], o))
			}
		}
	}
	var roots []*branch
	for _, n := range f.starts() {
		if f.met[n.Seq] {
			continue
		}
		f.met[n.Seq] = true
		if r := f.grow(n); len(r.kids) > 0 {
			roots = append(roots, r)
		} else {
			delete(f.met, n.Seq)
		}
	}
	for _, r := range roots {
		f.draw(b, r)
	}
	for seq := range f.met {
		delete(near, seq)
	}
	for seq := range f.met {
		for _, v := range g.Vars {
			if len(v.Cells) == 1 && v.Cells[0].Value.Whole() && v.Cells[0].Value.Node == seq && v.Cells[0].Field == "" {
				shown[v.Name] = true
			}
		}
	}
}

// starts lists the nodes of trees, those first that nothing leads down to.
func (f *forest) starts() []*heap.NodeInfo {
	var top, rest []*heap.NodeInfo
	down := map[int]bool{}
	nodes := among(f.g, f.near)
	for _, n := range nodes {
		kids := childFields(n)
		for _, c := range n.Cells {
			if v := c.Value; kids[c.Field] && v.Kind == heap.ToNode && v.Node != n.Seq {
				down[v.Node] = true
			}
		}
	}
	for _, n := range nodes {
		switch {
		case childFields(n) == nil:
		case down[n.Seq]:
			rest = append(rest, n)
		default:
			top = append(top, n)
		}
	}
	return append(top, rest...)
}

// grow makes the branch of a node, with the children that were not met yet. Other members are lines of the node.
func (f *forest) grow(n *heap.NodeInfo) *branch {
	r := &branch{n: n}
	kids := childFields(n)
	title := n.Name()
	if !n.Live {
		title += "†"
	}
	if vs := f.vars[n.Seq]; len(vs) > 0 {
		title = strings.Join(vs, ",") + "→" + title
	}
	r.lines = append([]string{title}, noted(n)...)
	order := 0
	total := len(kids)
	down := map[ctype.Word]bool{} // addresses of the links to children that are drawn
	var own []heap.Cell
	for _, c := range cellsInUse(n.Cells, n.Type) {
		v := c.Value
		changed := f.o.Changed[c.Key]
		if kids[c.Field] {
			order++
			m := f.g.Typed(v.Node)
			if v.Whole() && m != nil && f.near[v.Node] && childFields(m) != nil && !f.met[v.Node] && !f.o.Dotted[c.Key] {
				f.met[v.Node] = true
				f.up[v.Node] = n.Seq
				k := f.grow(m)
				if i := strings.IndexByte(c.Field, '['); i >= 0 {
					k.lines[0] = c.Field[i:] + " " + k.lines[0]
				}
				if changed {
					k.lines[0] = mark(k.lines[0], true, f.o)
				}
				r.kids = append(r.kids, k)
				down[c.Addr] = true
				side := 0
				if total == 2 {
					side = 2*order - 3
				}
				r.side = append(r.side, side)
				continue
			}
			if v.Kind == heap.Null && !changed {
				continue
			}
		} else if up, ok := f.up[n.Seq]; ok && v.Whole() && v.Node == up && !changed {
			continue // it leads back up, as it should
		} else if !ok && v.Kind == heap.Null && !changed && c.Type.Elem != nil {
			continue
		}
		text := f.o.short(v)
		if f.o.Dotted[c.Key] {
			text = strings.Replace(text, "→", "⇢", 1)
		}
		c.Value.Text = text
		own = append(own, c)
	}
	own = slices.DeleteFunc(own, func(c heap.Cell) bool { // the same link in another member of a union
		return c.Value.Kind == heap.ToNode && down[c.Addr]
	})
	own, left := brief(own, f.o, maxTreeLines)
	for _, c := range own {
		r.lines = append(r.lines, c.Field+" "+mark(c.Value.Text, f.o.Changed[c.Key], f.o))
	}
	if left > 0 {
		r.lines = append(r.lines, fmt.Sprintf("… %d more", left))
	}
	return r
}

// maxTreeLines is how many lines a node of a tree has at most, besides its name.
const maxTreeLines = 8

// gap is the number of columns between two subtrees.
const gap = 2

// measure gives a branch its width and the columns of its middle and of its
// children, relative to its left edge.
func (r *branch) measure() {
	own := 0
	for _, l := range r.lines {
		own = max(own, visible(l))
	}
	if len(r.kids) == 0 {
		r.width, r.at = own, own/2
		return
	}
	w := 0
	for i, k := range r.kids {
		k.measure()
		if i > 0 {
			w += gap
		}
		w += k.width
	}
	// The only child of a node stands to its left or right.
	first, last := r.kids[0].at, w-r.kids[len(r.kids)-1].width+r.kids[len(r.kids)-1].at
	mid := (first + last) / 2
	if len(r.kids) == 1 && r.side[0] != 0 {
		mid = r.kids[0].at - 3*r.side[0]
	}
	left := min(0, mid-own/2)
	right := max(w, mid-own/2+own)
	r.width, r.at = right-left, mid-left
}

// canvas is text with columns.
type canvas struct{ rows []map[int]string }

func (c *canvas) put(row, col int, s string) {
	for len(c.rows) <= row {
		c.rows = append(c.rows, map[int]string{})
	}
	c.rows[row][col] = s
}

func (c *canvas) write(b *strings.Builder) {
	for _, r := range c.rows {
		var cols []int
		for k := range r {
			cols = append(cols, k)
		}
		sort.Ints(cols)
		pos := 0
		for _, k := range cols {
			if k > pos {
				b.WriteString(strings.Repeat(" ", k-pos))
				pos = k
			}
			b.WriteString(r[k])
			pos += visible(r[k])
		}
		b.WriteByte('\n')
	}
}

// draw writes a tree; subtrees that do not fit are counted.
func (f *forest) draw(b *strings.Builder, root *branch) {
	root.measure()
	for depth := 12; root.width > f.o.Width-1 && depth > 1; depth-- {
		prune(root, depth)
		root.measure()
	}
	var c canvas
	type placed struct {
		r   *branch
		col int // of its left edge
	}
	level := []placed{{root, 1}}
	row := 0
	for len(level) > 0 {
		height := 0
		for _, p := range level {
			height = max(height, len(p.r.lines))
		}
		var next []placed
		for _, p := range level {
			mid := p.col + p.r.at
			for i, l := range p.r.lines {
				c.put(row+i, max(mid-visible(l)/2, 1), l)
			}
			if len(p.r.kids) == 0 {
				continue
			}
			for i := len(p.r.lines); i < height; i++ {
				c.put(row+i, mid, "│")
			}
			var left int
			if len(p.r.kids) == 1 && p.r.side[0] != 0 { // as measured
				left = mid + 3*p.r.side[0] - p.r.kids[0].at
			} else {
				w := 0
				for i, k := range p.r.kids {
					if i > 0 {
						w += gap
					}
					w += k.width
				}
				first, last := p.r.kids[0].at, w-p.r.kids[len(p.r.kids)-1].width+p.r.kids[len(p.r.kids)-1].at
				left = mid - (first+last)/2
			}
			var at []int
			for _, k := range p.r.kids {
				next = append(next, placed{k, left})
				at = append(at, left+k.at)
				left += k.width + gap
			}
			connect(&c, row+height, mid, at)
		}
		level, row = next, row+height+1
	}
	c.write(b)
}

// connect draws the lines from a node to its children.
func connect(c *canvas, row, mid int, at []int) {
	lo, hi := min(mid, at[0]), max(mid, at[len(at)-1])
	for x := lo; x <= hi; x++ {
		kid := slices.Contains(at, x)
		s := "─"
		switch {
		case x == mid && kid && lo == hi:
			s = "│"
		case x == mid && kid:
			s = "┼"
		case x == mid && lo == x:
			s = "└"
		case x == mid && hi == x:
			s = "┘"
		case x == mid:
			s = "┴"
		case kid && x == lo:
			s = "┌"
		case kid && x == hi:
			s = "┐"
		case kid:
			s = "┬"
		}
		c.put(row, x, s)
	}
}

// prune cuts a tree below a depth; what is cut off is counted.
func prune(r *branch, depth int) {
	if depth > 1 {
		for _, k := range r.kids {
			prune(k, depth-1)
		}
		return
	}
	n := 0
	for _, k := range r.kids {
		n += k.size()
	}
	if n > 0 {
		r.kids, r.side = nil, nil
		r.lines = append(r.lines, fmt.Sprintf("… %d more", n))
	}
}

func (r *branch) size() int {
	n := 1
	for _, k := range r.kids {
		n += k.size()
	}
	return n
}
