package draw

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// This file turns a graph with its layout into boxes and arrows with coordinates, which the SVG file, the browser and
// editors draw. The place of a node's box depends only on its place in the layout.

// Sizes of a picture, in units of an SVG user space (pixels at 100 %).
const (
	LineH  = 20  // a line of a box
	BoxW   = 124 // a node
	colW   = 180 // from one column to the next
	varW   = 140 // the boxes of functions' variables, at least
	varMax = 280 // and at most, where names and values are long
	varGap = 60  // between those boxes and the first column
	charW  = 7.3 // a character
	margin = 20
)

// Picture is a drawing: what it covers, boxes and arrows.
type Picture struct {
	View        [4]int   `json:"view"`  // left, top, width, height
	Nodes       []Box    `json:"nodes"` // by number
	Vars        []Box    `json:"vars"`  // innermost function first, globals last
	Arrows      []Arrow  `json:"arrows"`
	Folded      int      `json:"folded"`         // nodes that are not drawn
	Rest        string   `json:"rest,omitempty"` // how they are described
	Unreachable []string `json:"unreachable"`    // nodes that nothing leads to and that are not drawn

	Lost   []Loss `json:"lost,omitempty"`   // unreachable nodes, drawn or not, that no other unreachable node leads to
	Behind int    `json:"behind,omitempty"` // number of other unreachable nodes

	// Untyped are nodes that something leads to and that are not drawn, since their type is not known.
	Untyped []string `json:"untyped,omitempty"`
}

// Box is a node, or the variables of a function.
type Box struct {
	Name  string   `json:"name"` // n4; main; globals
	Type  string   `json:"type,omitempty"`
	X     int      `json:"x"`
	Y     int      `json:"y"`
	W     int      `json:"w"`
	H     int      `json:"h"`
	Freed bool     `json:"freed,omitempty"`
	Lost  bool     `json:"lost,omitempty"` // nothing leads to it
	Cells []Cell   `json:"cells"`
	Blank []string `json:"blank,omitempty"` // lines below the cells: how many elements of an array are blank
	More  int      `json:"more,omitempty"`  // cells that are not drawn
}

// Cell is a line of a box: an entity with its value.
type Cell struct {
	Key       string `json:"key"`   // as the commands name it: n4->prev
	Label     string `json:"label"` // prev
	Kind      string `json:"kind"`  // unknown, null, node, variable, function, number, wild, file
	Value     string `json:"value"` // as people read it, whole
	Shown     string `json:"shown"` // cut to the width of the box
	Type      string `json:"type"`
	Points    string `json:"points,omitempty"` // of a pointer: the type of the nodes that it may lead to
	Y         int    `json:"y"`                // the line's top
	Changed   bool   `json:"changed,omitempty"`
	Untracked bool   `json:"untracked,omitempty"`
}

// Arrow leads from a cell to a node.
type Arrow struct {
	From      string `json:"from"` // the cell's key
	To        string `json:"to"`   // the node's name
	Path      [8]int `json:"path"` // a cubic curve: start, two control points, end
	Changed   bool   `json:"changed,omitempty"`
	Untracked bool   `json:"untracked,omitempty"`
}

// Picture draws a graph with the sticky layout; the nodes named in o.Around come
// first when there are more than o.MaxNodes (0 for 2,000).
func (l *Layout) Picture(g *heap.Graph, o Options) *Picture {
	if o.MaxNodes == 0 {
		o.MaxNodes = maxDrawn
	}
	g = inUse(g)
	nodes := inHand(g, o, o.MaxNodes, -1)
	if o.Room > 0 {
		nodes = within(g, nodes, o.Room)
	}
	near := setOf(nodes)
	l.Update(g, near)
	for _, n := range among(g, near) {
		l.grow(l.at[n.Seq].Row, linesWith(n, o)) // what the last command made blank is still shown
	}
	d := &drawing{l: l, o: o, p: &Picture{Nodes: []Box{}, Vars: []Box{}, Arrows: []Arrow{}, Unreachable: []string{}}, at: map[string]int{}}
	d.nodes(g, near)
	d.variables(g)
	d.arrows(g)
	d.p.Folded, d.p.Rest = countTyped(g)+g.More-len(near), folded(g, nodes)
	d.frame()
	return d.p
}

// within returns the first nodes whose boxes fit in room lines, at least one if there are any.
func within(g *heap.Graph, nodes []int, room int) []int {
	for i, seq := range nodes {
		if room -= lines(g.Typed(seq)); room < 0 && i > 0 {
			return nodes[:i]
		}
	}
	return nodes
}

// drawing is a picture being made.
type drawing struct {
	l  *Layout
	o  Options
	p  *Picture
	at map[string]int // index of a node's box
}

func (d *drawing) nodes(g *heap.Graph, near map[int]bool) {
	lost := map[int]*heap.NodeInfo{}
	for _, n := range g.Lost {
		lost[n.Seq] = n
	}
	d.p.Lost, d.p.Behind = losses(g, lost)
	for _, n := range g.Nodes {
		gone := n.Type == nil
		if gone && lost[n.Seq] != nil {
			n = lost[n.Seq]
		}
		place, placed := d.l.at[n.Seq]
		if n.Type == nil || !placed || !gone && !near[n.Seq] {
			switch {
			case gone && !n.Met:
				d.p.Unreachable = append(d.p.Unreachable, n.Name())
			case gone:
				d.p.Untyped = append(d.p.Untyped, n.Name())
			}
			continue
		}
		b := d.l.band[place.Row]
		box := Box{
			Name: n.Name(), Type: n.Type.String(), Freed: !n.Live, Lost: gone && !n.Met,
			X: place.Col * colW / 2, Y: b.top * LineH, W: BoxW,
		}
		var cells []heap.Cell
		cells, box.Blank = full(n.Cells, "", d.o)
		box.Blank = append(noted(n), box.Blank...)
		box.More = unseen(n.Cells)
		d.fill(&box, cells, min(b.lines-1, maxLines))
		d.at[box.Name] = len(d.p.Nodes)
		d.p.Nodes = append(d.p.Nodes, box)
	}
}

// noted returns the notes of a node, a line each.
func noted(n *heap.NodeInfo) []string {
	var out []string
	for _, x := range n.Notes {
		out = append(out, strings.TrimSpace(x.Label+" "+x.Text))
	}
	return out
}

// fill puts cells into a box that has room lines below its title. The lines for blank elements and for More count, too.
func (d *drawing) fill(b *Box, cells []heap.Cell, room int) {
	b.Cells = []Cell{}
	room -= len(b.Blank)
	if b.More > 0 && len(cells) == room {
		room--
	}
	cells, left := brief(cells, d.o, room)
	b.More += left
	for i := range cells {
		b.Cells = append(b.Cells, d.cell(&cells[i], b.W, b.Y+(i+1)*LineH))
	}
	for i, line := range b.Blank {
		if name, rest, named := strings.Cut(line, ": "); named && utf8.RuneCountInString(line) > int(float64(b.W-16)/charW) {
			if b.Blank[i] = rest; len(b.Blank) > 1 {
				b.Blank[i] = shorten(name, int(float64(b.W-16)/charW)-utf8.RuneCountInString(rest)-2) + ": " + rest
			}
		}
	}
	n := len(cells) + len(b.Blank) + 1
	if b.More > 0 {
		n++
	}
	b.H = n * LineH
}

var kinds = map[heap.ValueKind]string{
	heap.Unknown: "unknown", heap.Null: "null", heap.ToNode: "node", heap.ToVar: "variable",
	heap.ToFunc: "function", heap.Scalar: "number", heap.Wild: "wild", heap.ToFile: "file", heap.Opaque: "opaque",
}

func (d *drawing) cell(c *heap.Cell, width, y int) Cell {
	out := Cell{
		Key: c.Key, Label: c.Field, Kind: kinds[c.Value.Kind], Value: c.Value.Text, Shown: shortValue(c.Value), Type: c.Type.String(), Y: y,
		Changed: d.o.Changed[c.Key], Untracked: d.o.Dotted[c.Key],
	}
	if out.Label == "" {
		out.Label = c.Key
	}
	if !c.Type.IsScalar() && !c.Type.IsWide() && c.Value.Kind != heap.Opaque {
		out.Kind = "text"
		for k, on := range d.o.Changed {
			out.Changed = out.Changed || on && strings.HasPrefix(k, c.Key+"[")
		}
	} else if c.Type.Elem != nil {
		out.Points = c.Type.Elem.String()
	}
	room := int(float64(width-24) / charW)
	least := 4 // of the value, beside a long label
	if out.Kind == "node" && c.Value.Tag == 0 {
		least = 0 // it is an arrow
	}
	out.Label = shorten(out.Label, room-min(least, utf8.RuneCountInString(out.Shown))-star(out.Changed))
	if least > 0 {
		out.Shown = cutText(out.Shown, max(room-utf8.RuneCountInString(out.Label)-star(out.Changed), least))
	}
	return out
}

// star is the room, in characters, for the star at what changed.
func star(changed bool) int {
	if changed {
		return 2
	}
	return 0
}

// shorten leaves out the middle of a label that is longer than n characters: the ends tell labels apart.
func shorten(label string, n int) string {
	r := []rune(label)
	if len(r) <= n {
		return label
	}
	n = max(n, 3)
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-1-n/2):])
}

// cutText leaves out the end of a text that is longer than n characters.
func cutText(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// varWidth is how wide the boxes of variables are: as wide as the longest line, within bounds.
// They grow to the left, so that nothing moves.
func varWidth(g *heap.Graph, o Options) int {
	chars := 0
	for _, v := range g.Vars {
		cells, blank := variable(v, o)
		for _, line := range blank {
			chars = max(chars, utf8.RuneCountInString(line))
		}
		for _, c := range cells {
			n := utf8.RuneCountInString(cmp.Or(c.Field, c.Key)) + 2
			if c.Value.Kind != heap.ToNode || c.Value.Tag != 0 {
				n += min(utf8.RuneCountInString(shortValue(c.Value)), 16) + 1
			}
			chars = max(chars, n)
		}
	}
	return min(max(varW, 24+int(float64(chars)*charW)), varMax)
}

// maxVarLines bounds what is shown of the variables of a function.
const maxVarLines = 40

// variables puts the variables left of the nodes, a box for every function.
func (d *drawing) variables(g *heap.Graph) {
	w := varWidth(g, d.o)
	var locals, globals []Box
	for i := 0; i < len(g.Vars); {
		j := i
		box := Box{Name: "globals", W: w}
		var cells []heap.Cell
		for ; j < len(g.Vars) && g.Vars[j].Frame == g.Vars[i].Frame; j++ {
			more, blank := variable(g.Vars[j], d.o)
			cells, box.Blank = append(cells, more...), append(box.Blank, blank...)
			box.More += unseen(g.Vars[j].Cells)
		}
		if v := g.Vars[i]; v.Frame >= 0 {
			box.Name = v.Var.Func.Name
			if k := strings.LastIndex(v.Name, "."); v.Frame > 0 && k >= 0 {
				box.Name = v.Name[:k]
			}
		}
		d.fill(&box, cells, maxVarLines)
		if box.Name == "globals" && g.Vars[i].Frame < 0 {
			globals = append(globals, box)
		} else {
			locals = append(locals, box)
		}
		i = j
	}
	all := append(locals, globals...)
	x, y := d.left(all)-varGap-w, 0
	for _, b := range all {
		b.X = x
		for k := range b.Cells {
			b.Cells[k].Y += y - b.Y
		}
		b.Y = y
		y += b.H + LineH
		d.p.Vars = append(d.p.Vars, b)
	}
}

// left returns the left edge of the nodes beside which the variables stand; a tree below them may be wider. It never
// increases, so that the variables never move to the right.
func (d *drawing) left(vars []Box) int {
	bottom := 0
	for _, b := range vars {
		bottom += b.H + LineH
	}
	for _, n := range d.p.Nodes {
		if n.Y < bottom && (!d.l.begun || n.X < d.l.left) {
			d.l.left, d.l.begun = n.X, true
		}
	}
	return d.l.left
}

// arrows draws an arrow for every pointer from a cell that is drawn to a node that
// is; at a side of a node they arrive one below the other.
func (d *drawing) arrows(g *heap.Graph) {
	inlets := map[string]int{}
	r := newRouter(d.p)
	childrenOf := func(name string) map[string]bool {
		n, ok := g.Node(name)
		if !ok {
			return nil
		}
		return childFields(n)
	}
	from := func(b *Box, kids map[string]bool) {
		for i := range b.Cells {
			c := &b.Cells[i]
			h, ok := g.Cell(c.Key)
			if !ok || c.Kind != "node" {
				continue
			}
			to, ok := d.at[fmt.Sprintf("n%d", h.Value.Node)]
			if !ok {
				continue
			}
			a := arrow(b, c, &d.p.Nodes[to], inlets, kids[h.Field])
			if strings.HasSuffix(h.Field, "]") {
				a.fan(i, len(b.Cells))
			}
			if b.Type == "" && c.Y > d.p.Nodes[to].Y+d.p.Nodes[to].H && childrenOf(a.To) != nil {
				a.Path[2], a.Path[3], a.Path[4], a.Path[5] = a.Path[0]+varGap, a.Path[1], a.Path[0]+varGap, a.Path[7] // up first: beside a tree's root there is room
			}
			r.clear(&a, b, c, &d.p.Nodes[to], inlets)
			d.p.Arrows = append(d.p.Arrows, a)
		}
	}
	for i := range d.p.Vars {
		from(&d.p.Vars[i], nil)
	}
	for i := range d.p.Nodes {
		from(&d.p.Nodes[i], childrenOf(d.p.Nodes[i].Name))
	}
}

// arrow draws an arrow from a line of a box to a node; one that leads down to a child
// arrives at its top.
func arrow(b *Box, c *Cell, to *Box, inlets map[string]int, down bool) Arrow {
	a := Arrow{From: c.Key, To: to.Name, Changed: c.Changed, Untracked: c.Untracked}
	if down && to.Y >= b.Y+b.H {
		return a.downTo(b, c, to, inlets)
	}
	x1, x2, side, dir := b.X+b.W, to.X, "l", 1 // out on the right, in on the left
	switch {
	case to.X < b.X:
		x1, x2, side, dir = b.X, to.X+to.W, "r", -1
	case to.X == b.X: // in on the right too
		x2, side = to.X+to.W, "r"
	}
	y1 := c.Y + LineH/2
	k := inlets[side+to.Name]
	inlets[side+to.Name]++
	y2 := to.Y + 6 + k*9%max(to.H-8, 9)
	bend := min(30+abs(x2-x1)/3, 160)
	c1, c2 := x1+dir*bend, x2-dir*bend
	if to.X == b.X {
		c2 = x2 + bend
	}
	cy1, cy2 := y1, y2
	if span := abs(to.X-b.X) / colW; span > 1 { // there may be boxes between: pass above or below them
		y := to.Y - 14*span - 20
		if y1 > to.Y+to.H {
			y = y1 + 8*span
		}
		cy1, cy2 = y, y
	}
	a.Path = [8]int{x1, y1, c1, cy1, c2, cy2, x2, y2}
	return a
}

// fan gives each arrow of an array's elements its own way down: the lower the element, the nearer to its box, so that
// none crosses another.
func (a *Arrow) fan(i, n int) {
	p := &a.Path
	if room := p[6] - p[0]; room > 0 && room < colW && p[7] > p[1] {
		x := p[0] + 8 + (room-24)*(n-i)/(n+1)
		p[2], p[3], p[4], p[5] = x, p[1], x, p[7]
	}
}

// downTo leads an arrow to the top of a node.
func (a Arrow) downTo(b *Box, c *Cell, to *Box, inlets map[string]int) Arrow {
	k := inlets["t"+to.Name]
	inlets["t"+to.Name]++
	x2, y2, y1 := to.X+to.W/2+k%5*12, to.Y, c.Y+LineH/2
	x1, dir := b.X+b.W, 1
	if x2 < b.X+b.W/2 {
		x1, dir = b.X, -1
	}
	bend := max((y2-y1)/2, 24)
	a.Path = [8]int{x1, y1, x1 + dir*min(40, 12+abs(x2-x1)/3), y1, x2, y2 - bend, x2, y2}
	return a
}

// variable returns the lines of a variable: one for each row of an array of arrays, and of other arrays the elements
// that are not blank. blank are lines that count the blank elements.
func variable(v *heap.VarInfo, o Options) (out []heap.Cell, blank []string) {
	rows := len(v.Cells) > 1
	for _, c := range v.Cells {
		rows = rows && strings.Count(c.Field, "[") == 2 && strings.HasPrefix(c.Field, "[") && strings.HasSuffix(c.Field, "]")
	}
	cells := v.Cells
	if !rows {
		cells, blank = full(v.Cells, v.Name, o)
	}
	for _, c := range cells {
		c.Field = ""
		if rows {
			text := shortValue(c.Value)
			c.Key = c.Key[:strings.LastIndexByte(c.Key, '[')]
			if n := len(out); n > 0 && out[n-1].Key == c.Key {
				out[n-1].Value.Text += " " + text
				continue
			}
			c.Value, c.Type = heap.Value{Kind: heap.Scalar, Text: text}, ctype.ArrayOf(c.Type, 1)
		}
		out = append(out, c)
	}
	return out, blank
}

func abs(i int) int { return max(i, -i) }

// frame sets what the picture covers.
func (d *drawing) frame() {
	x1, y1, x2, y2, any := 0, 0, 0, 0, false
	for _, list := range [][]Box{d.p.Nodes, d.p.Vars} {
		for _, b := range list {
			if !any {
				x1, y1, x2, y2, any = b.X, b.Y, b.X+b.W, b.Y+b.H, true
			}
			x1, y1, x2, y2 = min(x1, b.X), min(y1, b.Y), max(x2, b.X+b.W), max(y2, b.Y+b.H)
		}
	}
	for i := range d.p.Arrows {
		for k := 1; k < samples; k++ {
			x, y := point(&d.p.Arrows[i].Path, float64(k)/samples)
			x1, y1, x2, y2 = min(x1, int(x)), min(y1, int(y)), max(x2, int(x)), max(y2, int(y))
		}
	}
	d.p.View = [4]int{x1 - margin, y1 - margin, x2 - x1 + 2*margin, y2 - y1 + 2*margin}
}
