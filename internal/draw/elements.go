package draw

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// This file tells the elements of an array of structs apart. Text and pictures show the same ones: those that hold
// something, with a count of the blank ones.

// element is an element of an array of structs.
type element struct {
	name  string // [3]
	cells []heap.Cell
	blank bool // every member is zero, null, empty, or was never written, and the last command changed none
	rest  heap.Rest
}

// elements returns the elements of an array of structs; nil if the cells are not those of one.
func elements(cells []heap.Cell, o Options) []element {
	if len(cells) == 0 || !strings.HasPrefix(cells[0].Field, "[") || !strings.Contains(cells[0].Field, "].") {
		return nil
	}
	var out []element
	for len(cells) > 0 {
		index, _, _ := strings.Cut(cells[0].Field, "].")
		e := element{name: index + "]", blank: true}
		k := 0
		for k == 0 || k < len(cells) && strings.HasPrefix(cells[k].Field, index+"].") {
			e.blank = e.blank && !holds(&cells[k], o)
			e.rest.Blank, e.rest.More = e.rest.Blank+cells[k].Rest.Blank, e.rest.More+cells[k].Rest.More
			k++
		}
		e.cells, cells = cells[:k], cells[k:]
		out = append(out, e)
	}
	return out
}

// holds reports whether a cell holds anything but zero, or was changed by the last command.
func holds(c *heap.Cell, o Options) bool {
	v := c.Value
	zero := v.Kind == heap.Unknown || v.Kind == heap.Opaque || v.Kind == heap.Null || v.Text == `""` || v.Kind == heap.Scalar && c.Type != nil && (c.Type.IsScalar() || c.Type.IsWide()) && v.Word == 0
	return !zero || o.Changed[c.Key]
}

// manyMembers: of an element with so many members only those that hold something are written.
const manyMembers = 9

// members writes the members of an element, each with its value, as parts of one line.
func (e *element) members(o Options) []string {
	var out []string
	for i := range e.cells {
		c := &e.cells[i]
		if len(e.cells) >= manyMembers && !e.blank && !holds(c, o) {
			continue
		}
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(c.Field, e.name), ".")+" "+mark(o.short(c.Value), o.Changed[c.Key], o))
	}
	return out
}

// full returns the cells without the blank elements of arrays, and a line for each array that counts these. Arrays of
// structs and arrays with many null pointers are meant. before stands before the names of the arrays.
func full(cells []heap.Cell, before string, o Options) (out []heap.Cell, blank []string) {
	if !slices.ContainsFunc(cells, func(c heap.Cell) bool { return strings.IndexByte(c.Field, '[') >= 0 }) {
		return cells, nil
	}
	for len(cells) > 0 {
		name, n := table(cells)
		if n == 0 {
			k := 1
			for ; k < len(cells) && !tabular(&cells[k]); k++ {
			}
			for _, c := range fewNulls(cells[:k], before, o) {
				if c.Key == "" {
					blank = append(blank, c.Field)
				} else {
					out = append(out, c)
				}
			}
			cells = cells[k:]
			continue
		}
		own := slices.Clone(cells[:n])
		for i := range own {
			own[i].Field = own[i].Field[len(name):]
		}
		empty := int64(0)
		for _, e := range elements(own, o) {
			empty += e.rest.Blank
			if e.blank {
				empty++
			} else {
				out = append(out, cells[:len(e.cells)]...)
			}
			cells = cells[len(e.cells):]
		}
		if empty > 0 {
			blank = append(blank, blankLine(before+name, empty))
		}
	}
	return out, blank
}

// tabular reports whether a cell is a member of an element of an array of structs.
func tabular(c *heap.Cell) bool {
	_, inside, _ := strings.Cut(c.Field, "[")
	return strings.Contains(inside, "].")
}

// table returns the name of the array of structs that the first cells belong to, and how many do; 0 for none.
func table(cells []heap.Cell) (name string, n int) {
	if !tabular(&cells[0]) {
		return "", 0
	}
	name, _, _ = strings.Cut(cells[0].Field, "[")
	for n < len(cells) && tabular(&cells[n]) && strings.HasPrefix(cells[n].Field, name+"[") {
		n++
	}
	return name, n
}

// tightLines bounds the lines of a node when not all nodes fit.
const tightLines = 10

// lines returns the bound on the lines of a node in text.
func (o *Options) lines() int {
	if o.tight {
		return tightLines
	}
	return maxLines
}

// nodeLines returns what text shows of a node, a cell for each line, and how many of its members are left out. Elements
// of an array of structs have a line each, and the blank ones are counted, if the block is such an array or a struct
// with more members than there is room for.
func nodeLines(n *heap.NodeInfo, o Options) (out []heap.Cell, left int) {
	left = unseen(n.Cells)
	if all := elements(n.Cells, o); all != nil {
		some, cut := fewElements(n, all, o)
		return rows(n.Name(), "", some, o), left + cut
	}
	some := fewNulls(n.Cells, "", o)
	if len(some) <= o.lines() {
		return some, left
	}
	if strings.HasPrefix(n.Cells[0].Field, "[") {
		return numbers(some, o), left
	}
	own, arrays := tables(&heap.VarInfo{Cells: some})
	out, cut := brief(own, o, o.lines())
	for _, a := range arrays {
		out = append(out, rows(a.Name, strings.TrimPrefix(strings.TrimPrefix(a.Name, n.Name()), "->"), elements(a.Cells, o), o)...)
	}
	return out, left + cut
}

// fewElements leaves out elements of a block that is an array of structs if more of them hold something than there is
// room for. It keeps what changed, then what variables lead to, then the first ones.
func fewElements(n *heap.NodeInfo, all []element, o Options) (some []element, left int) {
	need := func(e *element) int {
		chars := 0
		for _, m := range e.members(o) {
			chars += visible(m) + 2
		}
		return 1 + chars/maxMembers
	}
	rank := func(i int) int {
		size := int64(1)
		if n.Type != nil {
			size = max(n.Type.Size, 1)
		}
		at := int64(i) * size
		switch {
		case all[i].changed(o):
			return 0
		case slices.ContainsFunc(slices.Collect(maps.Keys(o.hand[n.Seq])), func(off int64) bool { return off >= at && off < at+size }):
			return 1
		}
		return 2
	}
	var order []int
	for i := range all {
		if !all[i].blank {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	room := o.lines()
	cut := map[int]bool{}
	for k, i := range order {
		if room -= need(&all[i]); room < 0 && k > 0 {
			cut[i] = true
		}
	}
	for i := range all {
		if !cut[i] {
			some = append(some, all[i])
		}
	}
	return some, len(cut)
}

// inside returns by node the offsets that the variables of a graph lead to.
func inside(g *heap.Graph) map[int]map[int64]bool {
	out := map[int]map[int64]bool{}
	for _, v := range g.Vars {
		for i := range v.Cells {
			if x := v.Cells[i].Value; x.Kind == heap.ToNode && x.Off >= 0 {
				if out[x.Node] == nil {
					out[x.Node] = map[int64]bool{}
				}
				out[x.Node][x.Off] = true
			}
		}
	}
	return out
}

// unseen counts the elements of arrays that have no cells and may hold anything.
func unseen(cells []heap.Cell) int {
	n := int64(0)
	for i := range cells {
		n += cells[i].Rest.More
	}
	return int(n)
}

// fewestNulls is how many null pointers of an array are counted at least instead of drawn.
const fewestNulls = 6

// fewNulls counts the null pointers of an array if they are many, as in the buckets of a hash table; other elements
// have lines of their own. The count is a cell without a key; before stands before the array's name.
func fewNulls(cells []heap.Cell, before string, o Options) []heap.Cell {
	array := func(i int) (name string, ok bool) {
		if i >= len(cells) || cells[i].Type == nil || cells[i].Type.Kind != ctype.Pointer || !strings.HasSuffix(cells[i].Field, "]") {
			return "", false
		}
		at := strings.LastIndexByte(cells[i].Field, '[')
		return cells[i].Field[:at], true
	}
	var out []heap.Cell
	for i := 0; i < len(cells); {
		name, ok := array(i)
		if !ok {
			out = append(out, cells[i])
			i++
			continue
		}
		var own []heap.Cell
		begin, unseen := i, int64(0)
		for ; i < len(cells); i++ {
			if other, ok := array(i); !ok || other != name {
				break
			}
			unseen += cells[i].Rest.Blank
			if holds(&cells[i], o) || cells[i].Value.Kind != heap.Null {
				own = append(own, cells[i])
			}
		}
		if nulls := int64(i-begin-len(own)) + unseen; nulls >= fewestNulls {
			out = append(append(out, own...), heap.Cell{Field: blankLine(before+name, nulls)})
		} else {
			out = append(out, cells[begin:i]...)
		}
	}
	return out
}

// numbers writes a long array of numbers in rows of ten, or of five where these are too wide. Pointers
// keep lines of their own, from which their arrows leave.
func numbers(cells []heap.Cell, o Options) []heap.Cell {
	width := 0
	for i := range cells {
		c := &cells[i]
		if c.Value.Kind != heap.Scalar && c.Value.Kind != heap.Unknown || strings.Count(c.Field, "[") > 1 {
			return cells
		}
		width = max(width, visible(mark(c.Value.Text, o.Changed[c.Key], o)))
	}
	const ten, five = 10, 5
	per := ten
	if per*(width+1) > maxMembers {
		if per = five; per*(width+1) > maxMembers {
			return cells
		}
	}
	var out []heap.Cell
	for at := 0; at < len(cells); at += per {
		row := cells[at:min(at+per, len(cells))]
		var b strings.Builder
		for i := range per {
			if i > 0 {
				b.WriteByte(' ')
			}
			text := ""
			if i < len(row) {
				text = mark(row[i].Value.Text, o.Changed[row[i].Key], o)
			}
			b.WriteString(strings.Repeat(" ", width-visible(text)) + text)
		}
		out = append(out, heap.Cell{Key: row[0].Key + " row", Field: row[0].Field, Value: heap.Value{Kind: heap.Scalar, Text: b.String()}})
	}
	return out
}

// maxMembers is how wide the members of an element may be on one line: a box of such lines fits in 80 columns.
const maxMembers = 62

// rows writes the elements that are not blank and counts the others. Members that do not fit on a line go on below.
func rows(key, label string, all []element, o Options) []heap.Cell {
	var out []heap.Cell
	blank, width := int64(0), 0
	for i := range all {
		e := &all[i]
		blank += e.rest.Blank
		if e.blank {
			blank++
			continue
		}
		field, text := label+e.name, ""
		flush := func() {
			out = append(out, heap.Cell{Key: key + e.name, Field: field, Value: heap.Value{Kind: heap.Scalar, Text: text}})
			width = max(width, visible(text))
			field, text = "", ""
		}
		for _, m := range e.members(o) {
			if text != "" && visible(text)+2+visible(m) > maxMembers {
				flush()
			}
			if text != "" {
				text += "  "
			}
			text += m
		}
		flush()
	}
	for i := range out {
		out[i].Value.Text += strings.Repeat(" ", width-visible(out[i].Value.Text))
	}
	if blank > 0 {
		out = append(out, heap.Cell{Field: blankLine(label, blank)})
	}
	return out
}

// fewRows bounds the elements shown of an array if they do not fit on a line each.
const fewRows = 4

// named returns the cells of an element by the names of its members.
func (e *element) named() []heap.Cell {
	out := slices.Clone(e.cells)
	for i := range out {
		out[i].Field = strings.TrimPrefix(strings.TrimPrefix(out[i].Field, e.name), ".")
	}
	return out
}

// structs shows a variable that is an array of structs: each element that is not blank, and how many are.
func structs(v *heap.VarInfo, o Options) []string {
	var out []string
	blank, more := int64(0), int64(0)
	most := maxParts
	all := elements(v.Cells, o)
	for i := range all {
		blank, more = blank+all[i].rest.Blank, more+all[i].rest.More
		switch e := &all[i]; {
		case e.blank:
			blank++
		case len(out) >= most && !e.changed(o):
			more++
		default:
			line := v.Name + e.name + " { " + strings.Join(e.members(o), ", ") + " }"
			if visible(line) > o.Width-2 {
				line, most = braced(v.Name+e.name, e.named(), o), fewRows
			}
			out = append(out, line)
		}
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("%s: … %d more", v.Name, more))
	}
	if blank > 0 {
		out = append(out, blankLine(v.Name, blank))
	}
	return out
}

// changed reports whether the last command changed a member.
func (e *element) changed(o Options) bool {
	return slices.ContainsFunc(e.cells, func(c heap.Cell) bool { return o.Changed[c.Key] })
}

// tables separates the arrays of structs in a struct: it returns the other cells, and each array as a variable.
func tables(v *heap.VarInfo) (own []heap.Cell, out []*heap.VarInfo) {
	for _, c := range v.Cells {
		at, inside, ok := strings.Cut(c.Field, "[")
		if at == "" || !ok || !strings.Contains(inside, "].") {
			own = append(own, c)
			continue
		}
		name := strings.TrimSuffix(c.Key, c.Field[len(at):])
		if len(out) == 0 || out[len(out)-1].Name != name {
			out = append(out, &heap.VarInfo{Name: name, Var: v.Var, Frame: v.Frame})
		}
		t := out[len(out)-1]
		c.Field = strings.TrimPrefix(c.Field, at)
		t.Cells = append(t.Cells, c)
	}
	return own, out
}

// blankLine says how many elements of an array are blank; name is that of the variable, empty in
// the box of a node.
func blankLine(name string, n int64) string {
	if name != "" {
		name += ": "
	}
	return fmt.Sprintf("%s%d blank", name, n)
}
