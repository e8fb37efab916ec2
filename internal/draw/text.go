package draw

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"gulo/internal/heap"
	"gulo/internal/plural"
)

// Options say how a picture looks.
type Options struct {
	Width    int             // columns; 0 for 100
	Color    bool            // mark changes by colour; without it by an asterisk
	Changed  map[string]bool // keys of entities that the last command changed
	Dotted   map[string]bool // keys of untracked entities
	MaxNodes int             // 0: 60 in a text, 2,000 in a Picture
	Around   []int           // numbers of nodes that are drawn in any case, with what is near them
	Depth    int             // links to follow from the variables; 0 for all, or few in large heaps
	Only     []int           // numbers of the nodes to draw around; nil: around the variables
	Focus    bool            // of a crowded heap only what is near Around is drawn, and what changed
	Height   int             // lines of a text; 0 for 40
	Room     int             // of a Picture: lines of all boxes of nodes together; 0 for no bound

	tight bool                   // not all nodes fit
	hand  map[int]map[int64]bool // by node: the offsets that variables lead to
	texts map[int]string         // of nodes that are one text each, and have no box if nodes are many or not all fit
}

const (
	colorOn  = "\x1b[1;33m"
	colorOff = "\x1b[0m"
)

// Text draws a graph for a terminal. Of a crowded heap it draws what is in hand (see inHand), as much as o.Height
// has room for.
func (l *Layout) Text(g *heap.Graph, o Options) string {
	if o.Width == 0 {
		o.Width = 100
	}
	if o.MaxNodes == 0 {
		o.MaxNodes = maxText
	}
	t := &text{all: g, g: inUse(g), o: o}
	t.o.hand = inside(t.g)
	if o.Only != nil || o.Depth > 0 {
		return t.draw(l, linked(t.g, &o))
	}
	hops := -1
	if countTyped(t.g) > foldAbove && o.MaxNodes <= maxText {
		hops, t.o.texts = foldDepth, texts(t.g, o)
	}
	nodes, height := inHand(t.g, t.o, o.MaxNodes, hops), cmp.Or(o.Height, defaultHeight)
	if o.MaxNodes > maxText || t.lines(l, nodes) <= height {
		return t.draw(l, nodes)
	}
	t.o.tight, t.o.texts = true, texts(t.g, o)
	return t.draw(l, t.fitting(l, inHand(t.g, t.o, o.MaxNodes, foldDepth), height))
}

// text is a graph being drawn for a terminal.
type text struct {
	all *heap.Graph
	g   *heap.Graph // without the members of unions that are not in use
	o   Options
}

// leastHeight is how many lines the nodes get in any case. defaultHeight is the height of a picture if that of the
// terminal is not known.
const (
	leastHeight   = 14
	defaultHeight = 40
)

// maxTries is how many nodes are tried after the first one that does not fit.
const maxTries = 8

// fitting returns the nearest of some nodes, as many as fit in height lines, and at least one if there are any.
func (t *text) fitting(l *Layout, nodes []int, height int) []int {
	height = max(height, t.lines(l, nil)+leastHeight)
	k := sort.Search(len(nodes), func(k int) bool { return t.lines(l, nodes[:k+1]) > height })
	k = min(max(k, 1), len(nodes))
	out := slices.Clone(nodes[:k])
	for _, seq := range nodes[min(k+1, len(nodes)):min(k+1+maxTries, len(nodes))] {
		if more := append(slices.Clone(out), seq); t.lines(l, more) <= height {
			out = more
		}
	}
	return out
}

// lines returns how many lines a picture of some nodes takes.
func (t *text) lines(l *Layout, nodes []int) int {
	try := l.Clone()
	return strings.Count(t.draw(&try, nodes), "\n")
}

// draw draws some nodes.
func (t *text) draw(l *Layout, nodes []int) string {
	near := setOf(nodes)
	var b strings.Builder
	shown := map[string]bool{}
	trees(&b, t.all, t.o, near, shown)
	l.Update(t.g, near)
	for _, row := range l.rows(among(t.g, near)) {
		for len(row) > 0 {
			k := fit(row, t.o.Width)
			l.drawRow(&b, t.g, row[:k], t.o, shown)
			row = row[k:]
		}
	}
	if rest := folded(t.g, nodes); rest != "" {
		fmt.Fprintf(&b, " (%s)\n", rest)
	}
	b.WriteString(variables(t.g, t.o, shown))
	if s := unreachable(t.g); s != "" {
		b.WriteString(s)
	}
	return b.String()
}

func countTyped(g *heap.Graph) int {
	n := 0
	for _, x := range g.Nodes {
		if x.Type != nil {
			n++
		}
	}
	return n
}

// maxDrawn bounds the nodes of a picture in a file; more is not looked at, and
// takes minutes to show.
const maxDrawn = 2000

// Folding: of larger heaps only what is in hand is drawn.
const (
	maxText   = 60
	foldAbove = 30
	foldDepth = 3 // links
)

// linked lists the nodes within o.Depth links of o.Only, and those that lead to o.Only. Without o.Only it begins with
// what the variables lead to and what changed.
func linked(g *heap.Graph, o *Options) (out []int) {
	met := map[int]bool{}
	var queue []int
	visit := func(v heap.Value) {
		if v.Kind == heap.ToNode && len(out) < o.MaxNodes && !met[v.Node] && g.Typed(v.Node) != nil {
			met[v.Node] = true
			out, queue = append(out, v.Node), append(queue, v.Node)
		}
	}
	for _, seq := range o.Only {
		visit(heap.Value{Kind: heap.ToNode, Node: seq})
	}
	if o.Only != nil {
		for _, n := range g.Nodes { // what leads there
			for _, c := range n.Cells {
				if c.Value.Kind == heap.ToNode && met[c.Value.Node] && slices.Contains(o.Only, c.Value.Node) {
					visit(heap.Value{Kind: heap.ToNode, Node: n.Seq})
				}
			}
		}
	} else {
		for _, v := range g.Vars {
			for _, c := range v.Cells {
				visit(c.Value)
			}
		}
		for _, seq := range changedNodes(g, o.Changed) {
			visit(heap.Value{Kind: heap.ToNode, Node: seq})
		}
	}
	for level := 1; len(queue) > 0 && (o.Depth == 0 || level < o.Depth); level++ {
		now := queue
		queue = nil
		for _, seq := range now {
			for _, c := range g.Typed(seq).Cells {
				visit(c.Value)
			}
		}
	}
	return out
}

// among returns those nodes of a graph that are to be drawn, in order. Drawing looks at no others, since there may be
// very many.
func among(g *heap.Graph, drawn map[int]bool) []*heap.NodeInfo {
	var out []*heap.NodeInfo
	for seq, on := range drawn {
		if n := g.Typed(seq); on && n != nil {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b *heap.NodeInfo) int { return a.Seq - b.Seq })
	return out
}

// maxLoose bounds the fields shown of a node that nothing leads to. Of a node with more, only those that hold something
// are shown.
const maxLoose = 4

// unreachable lists the nodes that are not drawn: those that nothing leads to, those whose type is only known from
// before, and those whose type no pointer tells.
func unreachable(g *heap.Graph) string {
	lost := map[int]*heap.NodeInfo{}
	for _, n := range g.Lost {
		lost[n.Seq] = n
	}
	return untyped(g, lost, "unreachable", func(n *heap.NodeInfo) bool { return !n.Met }) +
		untyped(g, lost, "not drawn", func(n *heap.NodeInfo) bool { return n.Met && lost[n.Seq] != nil }) +
		untyped(g, lost, "of no known type", func(n *heap.NodeInfo) bool { return n.Met && lost[n.Seq] == nil })
}

func untyped(g *heap.Graph, lost map[int]*heap.NodeInfo, title string, listed func(n *heap.NodeInfo) bool) string {
	var names []string
	list := firstLost(g, lost, listed)
	for i, n := range list {
		if i == 4 && len(list) > 5 {
			names = append(names, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		names = append(names, fmt.Sprintf("%s (%s)", n.Name(), contents(n, lost[n.Seq])))
	}
	if len(names) == 0 {
		return ""
	}
	return " " + title + ": " + strings.Join(names, ", ") + "\n"
}

// box is a node ready to draw: lines of equal width inside the frame.
type box struct {
	n     *heap.NodeInfo
	title string
	lines []line
	inner int
	vars  []string // names of variables that point at it
	loose []bool   // by variable: it is not tracked
}

type line struct {
	label, value string
	right, left  bool // an arrow leaves through that side
	changed      bool
	dotted       bool // not tracked
}

const arrowGap = 3

func boxWidth(n *heap.NodeInfo) int {
	w := utf8.RuneCountInString(n.Name()) + 3
	cells, _ := nodeLines(n, Options{})
	for _, c := range cells {
		w = max(w, utf8.RuneCountInString(c.Field)+utf8.RuneCountInString(shortValue(c.Value))+5)
	}
	return w + 2
}

func fit(row []*heap.NodeInfo, width int) int {
	w, k := 1, 0
	for k < len(row) {
		w += boxWidth(row[k]) + arrowGap
		if w > width && k > 0 {
			break
		}
		k++
	}
	return k
}

// short is shortValue, with the text of the node that a pointer leads to if that has no box.
func (o *Options) short(v heap.Value) string {
	if text := o.texts[v.Node]; text != "" && v.Whole() {
		v.Chars = text
	}
	return shortValue(v)
}

// texts returns the texts of the nodes that are one text each, except those to be drawn in any case and those that the
// last command changed.
func texts(g *heap.Graph, o Options) map[int]string {
	out := map[int]string{}
	for _, n := range g.Nodes {
		if n.Type == nil || !n.Live || len(n.Cells) != 1 || slices.Contains(o.Around, n.Seq) {
			continue
		}
		if c := &n.Cells[0]; c.Type.IsText() && strings.HasPrefix(c.Value.Text, `"`) && !o.Changed[c.Key] {
			out[n.Seq] = c.Value.Text
		}
	}
	return out
}

// maxChars bounds the characters shown of a text that a pointer into a block leads to.
const maxChars = 24

// maxNote bounds the characters shown of a note.
const maxNote = 40

func shortValue(v heap.Value) string {
	switch {
	case v.Kind == heap.Null:
		return "∅"
	case v.Kind == heap.ToNode && v.Chars != "":
		return "→" + v.Text + " " + cutText(v.Chars, maxChars)
	case v.Kind == heap.ToNode && v.Dead:
		return "→" + v.Text + "†"
	case v.Kind == heap.ToNode, v.Kind == heap.ToVar:
		return "→" + v.Text
	case v.Number():
		return v.Text
	case v.Kind == heap.Wild && v.Text == "wild":
		return "→?!"
	case v.Kind == heap.Wild:
		return "→" + v.Text
	}
	return v.Text
}

func (l *Layout) drawRow(b *strings.Builder, g *heap.Graph, row []*heap.NodeInfo, o Options, shown map[string]bool) {
	boxes := make([]*box, len(row))
	for i, n := range row {
		boxes[i] = l.makeBox(n, row, i, o)
	}
	// Two arrows cannot share the gap of a line: the value of the one to the left is written instead. So is that of an
	// arrow that would end below the box it leads to.
	for i := 0; i+1 < len(boxes); i++ {
		left, right := boxes[i], boxes[i+1]
		for k := range left.lines {
			left.lines[k].right = left.lines[k].right && k < len(right.lines)
			if left.lines[k].right && right.lines[k].left {
				right.lines[k].left = false
			}
		}
		for k := range right.lines {
			right.lines[k].left = right.lines[k].left && k < len(left.lines)
		}
	}
	for _, bx := range boxes {
		bx.widen(o)
	}
	for _, v := range g.Vars {
		for _, c := range v.Cells {
			if !c.Value.Whole() || len(v.Cells) > 1 && c.Field[0] != '[' {
				continue
			}
			for _, bx := range boxes {
				if c.Value.Node == bx.n.Seq {
					bx.vars = append(bx.vars, mark(c.Key, o.Changed[c.Key], o))
					bx.loose = append(bx.loose, o.Dotted[c.Key])
					shown[c.Key] = true
				}
			}
		}
	}
	drawLabels(b, boxes)
	drawFrames(b, boxes, o)
}

func (l *Layout) makeBox(n *heap.NodeInfo, row []*heap.NodeInfo, i int, o Options) *box {
	bx := &box{n: n, title: n.Name()}
	if !n.Live {
		bx.title += " freed"
	}
	bx.inner = utf8.RuneCountInString(bx.title) + 2
	for _, x := range n.Notes {
		bx.lines = append(bx.lines, line{label: x.Label, value: cutText(x.Text, maxNote)})
	}
	cells, left := nodeLines(n, o)
	for _, c := range cells {
		ln := line{label: c.Field, value: o.short(c.Value), changed: o.Changed[c.Key], dotted: o.Dotted[c.Key]}
		if ln.dotted {
			ln.value = strings.Replace(ln.value, "→", "⇢", 1)
		}
		if v := c.Value; v.Whole() && !v.Dead {
			ln.right = i+1 < len(row) && row[i+1].Seq == v.Node && l.at[v.Node].Col == l.at[n.Seq].Col+2
			ln.left = i > 0 && row[i-1].Seq == v.Node && l.at[v.Node].Col == l.at[n.Seq].Col-2
		}
		bx.lines = append(bx.lines, ln)
	}
	if left > 0 {
		bx.lines = append(bx.lines, line{label: fmt.Sprintf("… %d more", left)})
	}
	return bx
}

// widen makes room for the lines.
func (bx *box) widen(o Options) {
	for _, ln := range bx.lines {
		w := utf8.RuneCountInString(ln.label) + visible(ln.value) + 3
		if ln.right || ln.left {
			w = utf8.RuneCountInString(ln.label) + 5
		}
		if ln.changed && !o.Color {
			w++
		}
		bx.inner = max(bx.inner, w)
	}
}

func mark(s string, changed bool, o Options) string {
	switch {
	case !changed:
		return s
	case o.Color:
		return colorOn + s + colorOff
	}
	return s + "*"
}

var uncolored = strings.NewReplacer(colorOn, "", colorOff, "")

// visible returns the width of s on the screen.
func visible(s string) int {
	return utf8.RuneCountInString(uncolored.Replace(s))
}

// drawLabels writes the names of the variables over the boxes they point at.
func drawLabels(b *strings.Builder, boxes []*box) {
	any := false
	for _, bx := range boxes {
		any = any || len(bx.vars) > 0
	}
	if !any {
		return
	}
	var names, arrows strings.Builder
	pos, apos, col := 0, 0, 1
	for _, bx := range boxes {
		at := col + 1
		for k, v := range bx.vars {
			at = max(at, pos+1)
			names.WriteString(strings.Repeat(" ", at-pos) + v)
			mid := at + visible(v)/2
			arrow := "↓"
			if bx.loose[k] {
				arrow = "⇣"
			}
			arrows.WriteString(strings.Repeat(" ", max(mid-apos, 0)) + arrow)
			pos = at + visible(v)
			apos = mid + 1
			at = pos + 1
		}
		col += bx.inner + 2 + arrowGap
	}
	b.WriteString(strings.TrimRight(names.String(), " ") + "\n" + strings.TrimRight(arrows.String(), " ") + "\n")
}

func drawFrames(b *strings.Builder, boxes []*box, o Options) {
	height := 0
	for _, bx := range boxes {
		height = max(height, len(bx.lines))
	}
	var out strings.Builder
	emit := func(f func(i int, bx *box)) {
		out.Reset()
		out.WriteByte(' ')
		for i, bx := range boxes {
			f(i, bx)
		}
		b.WriteString(strings.TrimRight(out.String(), " ") + "\n")
	}
	gap := strings.Repeat(" ", arrowGap)
	emit(func(i int, bx *box) {
		out.WriteString("┌ " + bx.title + " " + strings.Repeat("─", bx.inner-visible(bx.title)-2) + "┐" + gap)
	})
	for k := 0; k <= height; k++ {
		emit(func(i int, bx *box) {
			w := strings.Repeat("─", bx.inner)
			switch {
			case k < len(bx.lines):
				drawLine(&out, boxes, i, k, o)
			case k == len(bx.lines):
				out.WriteString("└" + w + "┘" + gap)
			default:
				out.WriteString(strings.Repeat(" ", bx.inner+2) + gap)
			}
		})
	}
}

func drawLine(out *strings.Builder, boxes []*box, i, k int, o Options) {
	bx := boxes[i]
	ln := bx.lines[k]
	nextLeft := i+1 < len(boxes) && k < len(boxes[i+1].lines) && boxes[i+1].lines[k].left
	label := mark(ln.label, ln.changed && (ln.left || ln.right), o)
	pad := func(n int) string { return strings.Repeat(" ", max(n, 0)) }
	gap := strings.Repeat(" ", arrowGap)
	if nextLeft {
		gap = "◀──"
		if boxes[i+1].lines[k].dotted {
			gap = "◀┄┄"
		}
	}
	switch {
	case ln.right && ln.dotted:
		out.WriteString("│ " + label + pad(bx.inner-visible(label)-4) + " ●┄┼┄┄▶")
	case ln.right:
		out.WriteString("│ " + label + pad(bx.inner-visible(label)-4) + " ●─┼──▶")
	case ln.left && ln.dotted:
		out.WriteString("┼┄● " + label + pad(bx.inner-visible(label)-3) + "│" + gap)
	case ln.left:
		out.WriteString("┼─● " + label + pad(bx.inner-visible(label)-3) + "│" + gap)
	default:
		v := mark(ln.value, ln.changed, o)
		out.WriteString("│ " + ln.label + pad(bx.inner-visible(ln.label)-visible(v)-2) + v + " │" + gap)
	}
}

// told is the text for a variable that no arrow over a box shows.
type told struct {
	text  string
	outer int // how far away it is: 0 for what changed, 1 for the function's own, 2 for static storage, 3 for calling functions
}

// roomTold is how many lines variables have when not all fits, by told.outer. Changed ones have no bound.
var roomTold = [...]int{1: 12, 2: 4, 3: 3}

// variables lists what the arrows over boxes do not show.
func variables(g *heap.Graph, o Options, shown map[string]bool) string {
	var parts []told
	for _, v := range g.Vars {
		if shown[v.Name] && len(v.Cells) == 1 || len(v.Cells) == 0 {
			continue
		}
		outer := 3
		switch {
		case v.Frame == 0:
			outer = 1
		case v.Frame < 0:
			outer = 2
		}
		if slices.ContainsFunc(v.Cells, func(c heap.Cell) bool { return o.Changed[c.Key] }) {
			outer = 0
		}
		if len(v.Cells) == 1 {
			c := v.Cells[0]
			text := o.short(c.Value)
			if o.Dotted[c.Key] {
				text = strings.Replace(text, "→", "⇢", 1)
			}
			if strings.HasPrefix(text, `"`) {
				text = cutText(text, max(o.Width-len(c.Key)-4, maxChars))
			}
			parts = append(parts, told{c.Key + " " + mark(text, o.Changed[c.Key], o), outer})
			continue
		}
		for _, text := range several(v, o, shown) {
			parts = append(parts, told{text, outer})
		}
	}
	if o.tight {
		parts = fewer(parts, o.Width)
	}
	var b strings.Builder
	col := 0
	for _, p := range parts {
		p := broken(p.text, o.Width-2)
		if col > 0 && col+3+visible(p) > o.Width {
			b.WriteByte('\n')
			col = 0
		}
		switch at := strings.LastIndexByte(p, '\n'); {
		case at >= 0:
			b.WriteString(" " + p)
			col = visible(p[at+1:])
		case col == 0:
			b.WriteString(" " + p)
			col = 1 + visible(p)
		default:
			b.WriteString("   " + p)
			col += 3 + visible(p)
		}
	}
	if col > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// fewer leaves out the texts of variables that roomTold has no room for, and says how many.
func fewer(parts []told, width int) []told {
	var out []told
	used, left := [len(roomTold)]int{}, 0 // characters
	for _, p := range parts {
		need := visible(p.text) + 3
		if p.outer > 0 && used[p.outer]+need > roomTold[p.outer]*width {
			left++
			continue
		}
		used[p.outer] += need
		out = append(out, p)
	}
	if left > 0 {
		out = append(out, told{text: "(" + plural.N(left, "more variable") + ")"})
	}
	return out
}

// broken breaks a text that is longer than a line after its commas.
func broken(text string, width int) string {
	if visible(text) <= width {
		return text
	}
	var b strings.Builder
	col := 0
	for i, part := range strings.SplitAfter(text, ", ") {
		if i > 0 && col+visible(strings.TrimRight(part, " ")) > width {
			b.WriteString("\n   ")
			col = 3
		}
		b.WriteString(part)
		col += visible(part)
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// maxParts bounds the elements that are shown of a variable.
const maxParts = 12

// several shows a variable of several parts: a table of pointers by its elements
// that no arrow shows, an array of arrays by its rows, anything else in braces.
func several(v *heap.VarInfo, o Options, shown map[string]bool) []string {
	value := func(c *heap.Cell) string { return mark(o.short(c.Value), o.Changed[c.Key], o) }
	pointers, nulls, rows, all := true, 0, true, len(v.Cells)
	for i := range v.Cells {
		c := &v.Cells[i]
		nulls, all = nulls+int(c.Rest.Blank), all+int(c.Rest.Blank+c.Rest.More)
		pointers = pointers && c.Type != nil && c.Type.Elem != nil && c.Type.IsScalar() && strings.HasPrefix(c.Field, "[")
		rows = rows && strings.Count(c.Field, "[") == 2 && strings.HasPrefix(c.Field, "[") && strings.HasSuffix(c.Field, "]")
		if c.Value.Kind == heap.Null && !o.Changed[c.Key] {
			nulls++
		}
	}
	var out []string
	switch {
	case pointers && nulls+len(shown) > 0 && v.Name != "argv":
		more := 0
		for i := range v.Cells {
			switch c := &v.Cells[i]; {
			case shown[c.Key] || c.Value.Kind == heap.Null && !o.Changed[c.Key]:
			case len(out) >= maxParts && !o.Changed[c.Key]:
				more++
			default:
				out = append(out, c.Key+" "+value(c))
			}
		}
		if more > 0 {
			out = append(out, fmt.Sprintf("%s: … %d more", v.Name, more))
		}
		if nulls > 0 {
			out = append(out, fmt.Sprintf("%s: %d of %d ∅", v.Name, nulls, all))
		}
		return out
	case rows:
		row, name := []string{}, ""
		flush := func() {
			if name != "" {
				out = append(out, name+" "+strings.Join(row, " "))
			}
		}
		for i := range v.Cells {
			c := &v.Cells[i]
			base := c.Key[:strings.LastIndexByte(c.Key, '[')]
			if base != name {
				flush()
				row, name = nil, base
			}
			row = append(row, value(c))
		}
		flush()
		return out
	}
	if elements(v.Cells, o) != nil {
		return structs(v, o)
	}
	own, tables := tables(v)
	if len(own) > 0 {
		out = append(out, braced(v.Name, own, o))
	}
	for _, t := range tables {
		out = append(out, structs(t, o)...)
	}
	return out
}

// braced writes the members of a struct, or the elements of an array, on one line: of many those that brief chooses, as
// many as there is room for.
func braced(name string, own []heap.Cell, o Options) string {
	unseen := unseen(own)
	write := func(room int) string {
		some, left := own, 0
		if room < len(own) {
			some, left = brief(own, o, room+1)
		}
		var fs []string
		for i := range some {
			c := &some[i]
			s := mark(o.short(c.Value), o.Changed[c.Key], o)
			if f := strings.TrimPrefix(c.Field, "."); f != "" && !strings.HasPrefix(f, "[") {
				s = f + " " + s
			}
			fs = append(fs, s)
		}
		if left += unseen; left > 0 {
			fs = append(fs, fmt.Sprintf("… %d more", left))
		}
		return name + " { " + strings.Join(fs, ", ") + " }"
	}
	room := min(len(own), maxParts)
	text := write(room)
	for room > 1 && visible(text) > 2*(o.Width-4) {
		room--
		text = write(room)
	}
	return text
}
