package heap

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// ValueKind classifies a Value.
type ValueKind uint8

const (
	Unknown ValueKind = iota // never written
	Null
	ToNode // points to a node
	ToVar  // points to a variable
	ToFunc
	Scalar // integer or float
	Wild   // a pointer to nothing known
	ToText // points into a string literal or an argument of the program
)

// Value is what an entity holds, in symbolic form. Values are comparable.
type Value struct {
	Kind ValueKind
	Node int    // ToNode
	Off  int64  // ToNode, ToVar: offset in bytes
	Name string // ToVar, ToFunc
	Dead bool   // ToNode: the node is freed
	Word ctype.Word
	Text string // how people read it
}

func (v Value) String() string { return v.Text }

// Cell is one entity: a variable, a field of a node, an element.
type Cell struct {
	Key   string // head, n4->prev, tab[2], n3->pos.x
	Field string // the part after the node or variable; "" for plain variables
	Addr  ctype.Word
	Type  *ctype.Type
	Value Value
}

// NodeInfo is a node of the graph.
type NodeInfo struct {
	Seq   int
	Addr  ctype.Word
	Size  int64
	Live  bool
	Type  *ctype.Type // nil when no typed pointer leads here
	Cells []Cell
}

// Name returns n1, n2, ...
func (n *NodeInfo) Name() string { return nodeName(n.Seq) }

// nodeName names heap blocks n1, n2, ... and compound literals lit1, lit2, ...
func nodeName(seq int) string {
	if seq < 0 {
		return "lit" + strconv.Itoa(-seq)
	}
	return "n" + strconv.Itoa(seq)
}

// VarInfo is a variable of the graph; Cells has one entry for a scalar.
type VarInfo struct {
	Name  string // with the function in front for outer frames: main.list
	Var   *cfront.Var
	Frame int // -1 for globals
	Addr  ctype.Word
	Cells []Cell
}

// Graph is the memory in symbolic form.
type Graph struct {
	Nodes []*NodeInfo // by number; the reachable ones, and live unreachable ones (leaks) with Type nil
	Lost  []*NodeInfo // of the unreachable ones, those that Recall knows
	Vars  []*VarInfo  // globals, then innermost frame, then outer frames
	Apart []*NodeInfo // live nodes that nobody looked for a way to: they are counted in More
	More  int         // blocks that were not looked at because there are over MaxNodes

	cells map[string]*Cell
}

// MaxNodes bounds the nodes of a graph: those nearest to the variables are in it.
const MaxNodes = 20_000

// maxElems bounds how much of an array is shown as cells.
const maxElems = 64

// NewGraph builds the graph of an image; show tells which variables take part.
func NewGraph(im *Image, show func(o *Object) bool) *Graph {
	b := &grapher{known: true}
	if len(im.Structs) > 0 {
		b.parts = map[*Object][]part{}
	}
	return newGraph(im, show, b)
}

// NewInnerGraph is NewGraph with what inner pointers lead to: a node of which only parts
// are known has these as fields, at_16 for what stands 16 bytes behind its beginning.
func NewInnerGraph(im *Image, show func(o *Object) bool) *Graph {
	return newGraph(im, show, &grapher{parts: map[*Object][]part{}})
}

func newGraph(im *Image, show func(o *Object) bool, b *grapher) *Graph {
	b.im, b.g, b.types, b.at = im, &Graph{cells: map[string]*Cell{}}, map[*Object]*ctype.Type{}, map[int]int{}
	var locals []*Object
	for _, o := range im.Objects {
		if o.Kind != Node && o.Var != nil && show(o) {
			locals = append(locals, o)
		}
	}
	sort.SliceStable(locals, func(i, j int) bool { return varLess(locals[i], locals[j]) })
	inner := map[string]int{}
	for _, o := range locals {
		if o.Kind == Global || o.Frame == 0 {
			inner[o.Var.Name]++
		}
	}
	for _, o := range locals {
		v := &VarInfo{Name: o.Var.Name, Var: o.Var, Frame: o.Frame, Addr: o.Addr}
		if o.Kind == Global {
			v.Frame = -1
			if inner[v.Name] > 1 { // hidden by a local, or a static of several files
				v.Name = filepath.Base(o.Var.Range.File.Name) + ":" + v.Name
			}
		}
		if o.Kind == Local && o.Frame > 0 {
			v.Name = b.outerName(o)
		}
		if a := b.arguments(o); a != nil {
			b.cellsOf(&v.Cells, v.Name, "", a.Addr, ctype.ArrayOf(a.Type, int64(len(a.Data))/8-1))
		} else {
			b.cellsOf(&v.Cells, v.Name, "", o.Addr, o.Var.Type)
		}
		if len(v.Cells) == 0 && private(o.Var.Type) {
			continue
		}
		b.g.Vars = append(b.g.Vars, v)
	}
	for (len(b.todo) > 0 || b.assemble()) && len(b.g.Nodes) < MaxNodes {
		o := b.todo[0]
		b.todo = b.todo[1:]
		b.node(o)
	}
	cut := len(b.todo) > 0
	for _, o := range im.Objects {
		if _, ok := b.at[o.Seq]; o.Kind != Node || !o.Live || ok {
			continue
		}
		if cut || len(b.g.Nodes) >= 2*MaxNodes {
			b.g.More++ // whether something leads there is not known
		} else {
			b.g.Nodes = append(b.g.Nodes, &NodeInfo{Seq: o.Seq, Addr: o.Addr, Size: int64(len(o.Data)), Live: true})
		}
	}
	sort.Slice(b.g.Nodes, func(i, j int) bool { return b.g.Nodes[i].Seq < b.g.Nodes[j].Seq })
	for _, n := range b.g.Nodes {
		for i := range n.Cells {
			b.g.cells[n.Cells[i].Key] = &n.Cells[i]
		}
	}
	for _, v := range b.g.Vars {
		for i := range v.Cells {
			b.g.cells[v.Cells[i].Key] = &v.Cells[i]
		}
	}
	return b.g
}

func varLess(a, b *Object) bool {
	if a.Kind != b.Kind {
		return a.Kind == Global
	}
	if a.Frame != b.Frame {
		return a.Frame < b.Frame
	}
	if x, y := a.Var.Storage == cfront.Param, b.Var.Storage == cfront.Param; x != y {
		return x
	}
	return a.Var.Range.Start < b.Var.Range.Start
}

type grapher struct {
	im    *Image
	g     *Graph
	types map[*Object]*ctype.Type // node -> element type
	at    map[int]int             // its place in g.Nodes, by number
	todo  []*Object

	parts map[*Object][]part // of nodes that inner pointers lead to; nil when they are not followed
	whole []*Object          // of these, those whose type is not made yet

	known bool // types of such nodes are not made, only found among the program's structs
}

// part is what stands inside of a node.
type part struct {
	off int64
	t   *ctype.Type
}

// inner notes that a typed pointer leads into a node.
func (b *grapher) inner(o *Object, off int64, t *ctype.Type) {
	if b.parts == nil || !t.IsAggregate() || t.Size == 0 || off+t.Size > int64(len(o.Data)) || b.types[o] != nil {
		return
	}
	for _, p := range b.parts[o] {
		if off < p.off+p.t.Size && p.off < off+t.Size {
			return // one of two views of the same bytes
		}
	}
	if b.parts[o] == nil {
		b.whole = append(b.whole, o)
	}
	b.parts[o] = append(b.parts[o], part{off, t})
}

// assemble makes types of the parts of nodes that nothing else tells the type of. It
// reports whether there is more to look at.
func (b *grapher) assemble() bool {
	for _, o := range b.whole {
		if b.types[o] != nil {
			continue
		}
		list := b.parts[o]
		if t := b.whose(int64(len(o.Data)), list); t != nil {
			b.types[o] = t
			b.todo = append(b.todo, o)
			continue
		}
		if b.known {
			delete(b.parts, o) // another part may tell
			continue
		}
		t := &ctype.Type{Kind: ctype.Struct, Tag: "part", Size: int64(len(o.Data)), Align: 1}
		sort.Slice(list, func(i, j int) bool { return list[i].off < list[j].off })
		for _, p := range list {
			t.Fields = append(t.Fields, ctype.Field{Name: fmt.Sprintf("at_%d", p.off), Type: p.t, Offset: p.off})
		}
		b.types[o] = t
		b.todo = append(b.todo, o)
	}
	b.whole = nil
	return len(b.todo) > 0
}

// whose returns the only struct of a size that has members of the given types at the given
// places; nil when there is none or are several.
func (b *grapher) whose(size int64, list []part) *ctype.Type {
	var found *ctype.Type
	for _, t := range b.im.Structs {
		if t.Kind != ctype.Struct || t.Size != size {
			continue
		}
		fits := true
		for _, p := range list {
			fits = fits && hasMember(t, p.off, p.t)
		}
		if !fits {
			continue
		}
		if found != nil && !ctype.Same(found, t) {
			return nil
		}
		found = t
	}
	return found
}

// hasMember reports whether a struct has a member of a type at an offset.
func hasMember(t *ctype.Type, off int64, m *ctype.Type) bool {
	for i := range t.Fields {
		f := &t.Fields[i]
		in := off - f.Offset
		switch e := f.Type; {
		case f.BitLen > 0 || in < 0 || in >= e.Size:
		case in == 0 && ctype.Same(e, m), e.IsAggregate() && hasMember(e, in, m):
			return true
		case e.Kind == ctype.Array && e.Elem.Size > 0 && e.Elem.IsAggregate():
			if in %= e.Elem.Size; in == 0 && ctype.Same(e.Elem, m) || hasMember(e.Elem, in, m) {
				return true
			}
		}
	}
	return false
}

func (b *grapher) outerName(o *Object) string {
	f := b.im.Frames[o.Frame].Func.Name
	n := 0
	for i := o.Frame - 1; i >= 0; i-- {
		if b.im.Frames[i].Func.Name == f {
			n++
		}
	}
	if n > 0 {
		return fmt.Sprintf("%s#%d.%s", f, n, o.Var.Name)
	}
	return f + "." + o.Var.Name
}

// arguments returns the vector that a parameter of main leads to; nil for other
// variables.
func (b *grapher) arguments(o *Object) *Object {
	t := o.Var.Type
	if o.Kind != Local || o.Var.Storage != cfront.Param || t.Kind != ctype.Pointer || t.Elem.Kind != ctype.Pointer || o.Var.Func == nil || o.Var.Func.Name != "main" {
		return nil
	}
	w, _ := b.im.Load(o.Addr, t)
	if a := b.im.Find(w); a != nil && a.Addr == w && a.Kind == Static && a.Type != nil && a.Type.Kind == ctype.Pointer {
		return a
	}
	return nil
}

// reach notes that a typed pointer leads to a node.
func (b *grapher) reach(o *Object, t *ctype.Type) {
	if t.Size == 0 || t.Kind == ctype.Void || t.Kind == ctype.Func {
		return
	}
	if old, ok := b.types[o]; ok && !(old.IsScalar() && t.IsAggregate()) {
		return
	}
	if int64(len(o.Data)) < t.Size && t.Size > 1 && !cutShort(t, int64(len(o.Data))) {
		return
	}
	b.types[o] = t
	b.todo = append(b.todo, o)
}

// cutShort reports whether a block of size bytes may hold a t whose last member is an
// array that is allocated as long as it is needed.
func cutShort(t *ctype.Type, size int64) bool {
	if t.Kind != ctype.Struct || len(t.Fields) < 2 {
		return false
	}
	last := &t.Fields[len(t.Fields)-1]
	return last.Type.Kind == ctype.Array && last.Offset < size
}

func (b *grapher) node(o *Object) {
	t := b.types[o]
	n := &NodeInfo{Seq: o.Seq, Addr: o.Addr, Size: int64(len(o.Data)), Live: o.Live, Type: t}
	if i, ok := b.at[o.Seq]; ok { // seen under a poorer type
		b.g.Nodes[i] = n
	} else {
		b.at[o.Seq] = len(b.g.Nodes)
		b.g.Nodes = append(b.g.Nodes, n)
	}
	size := int64(len(o.Data))
	count := size / max(t.Size, 1)
	if o.Round && t.IsAggregate() {
		count = fewest(t.Size, count, size)
	}
	name := n.Name()
	switch {
	case count > 1 && t.Kind == ctype.Int && t.Size == 1:
		b.cellsOf(&n.Cells, name, "*", o.Addr, ctype.ArrayOf(t, count))
	case count > 1:
		b.cellsOf(&n.Cells, name, "", o.Addr, ctype.ArrayOf(t, count))
	case t.IsAggregate():
		for i := range t.Fields {
			b.field(&n.Cells, name+"->", "", o.Addr, &t.Fields[i])
		}
	default:
		b.cellsOf(&n.Cells, "*"+name, "*", o.Addr, t)
	}
}

// fewest is the smallest number of elements, at most count, for which glibc's malloc makes a
// block of size bytes; count if it makes none of that size.
func fewest(element, count, size int64) int64 {
	for n := int64(1); n < count; n++ {
		if max(24, (n*element+8+15)/16*16-8) == size {
			return n
		}
	}
	return count
}

func (b *grapher) field(out *[]Cell, prefix, field string, base ctype.Word, f *ctype.Field) {
	if f.BitLen > 0 {
		return
	}
	if f.Name == "" {
		for i := range f.Type.Fields {
			b.field(out, prefix, field, base+ctype.Word(f.Offset), &f.Type.Fields[i])
		}
		return
	}
	name := f.Name
	if field != "" {
		name = field + "." + name
	}
	b.cellsOf(out, prefix+f.Name, name, base+ctype.Word(f.Offset), f.Type)
}

// cellsOf flattens an object of type t into cells.
func (b *grapher) cellsOf(out *[]Cell, key, field string, a ctype.Word, t *ctype.Type) {
	switch {
	case t.IsScalar():
		*out = append(*out, Cell{Key: key, Field: field, Addr: a, Type: t, Value: b.value(a, t)})
	case private(t):
	case t.IsAggregate():
		for i := range t.Fields {
			b.field(out, key+".", field, a, &t.Fields[i])
		}
	case t.Kind == ctype.Array && t.Elem.Kind == ctype.Int && t.Elem.Size == 1:
		*out = append(*out, Cell{Key: key, Field: field, Addr: a, Type: t, Value: b.text(a, t)})
	case t.Kind == ctype.Array:
		for i := int64(0); i < min(t.Len, maxElems); i++ {
			sub := fmt.Sprintf("[%d]", i)
			b.cellsOf(out, key+sub, field+sub, a+ctype.Word(i*t.Elem.Size), t.Elem)
		}
	}
}

// private reports whether only the library knows what a type holds: pthread_mutex_t,
// sem_t and their like, which hold numbers of threads of this run.
func private(t *ctype.Type) bool {
	for i := range t.Fields {
		if !strings.HasPrefix(t.Fields[i].Name, "__") {
			return false
		}
	}
	return t.Kind == ctype.Union && len(t.Fields) > 0
}

// text shows an array of characters as a string.
func (b *grapher) text(a ctype.Word, t *ctype.Type) Value {
	var s []byte
	for i := int64(0); i < min(t.Len, 200); i++ {
		w, ok := b.im.Load(a+ctype.Word(i), ctype.UCharT)
		if !ok || w == 0 || !b.im.Known(a+ctype.Word(i), 1) {
			break
		}
		s = append(s, byte(w))
	}
	return Value{Kind: Scalar, Text: strconv.Quote(string(s))}
}

func (b *grapher) value(a ctype.Word, t *ctype.Type) Value {
	o := b.im.Find(a)
	if o == nil {
		return Value{Kind: Unknown, Text: "?"}
	}
	if !b.im.Known(a, t.Size) || a+ctype.Word(t.Size) > o.End() {
		return Value{Kind: Unknown, Text: "?"}
	}
	w := ctype.Load(t, o.Data[a-o.Addr:])
	return b.im.symbol(w, t, b.reach, b.inner)
}

// Symbol returns the symbolic form of a word of type t.
func (im *Image) Symbol(w ctype.Word, t *ctype.Type) Value {
	return im.symbol(w, t, func(*Object, *ctype.Type) {}, func(*Object, int64, *ctype.Type) {})
}

func (im *Image) symbol(w ctype.Word, t *ctype.Type, reach func(*Object, *ctype.Type), inner func(*Object, int64, *ctype.Type)) Value {
	switch {
	case t.Kind == ctype.Float:
		return Value{Kind: Scalar, Word: w, Text: floatText(ctype.FloatOf(t, w), int(t.Size*8))}
	case t.Kind != ctype.Pointer:
		return Value{Kind: Scalar, Word: w, Text: integerText(w, t)}
	case w == 0:
		return Value{Kind: Null, Text: "null"}
	}
	if t.Elem.Kind == ctype.Func || im.FuncOf != nil && im.Find(w) == nil {
		if im.FuncOf != nil {
			if n := im.FuncOf(w); n != "" {
				return Value{Kind: ToFunc, Name: n, Text: n}
			}
		}
	}
	o := im.Find(w)
	if o == nil {
		return Value{Kind: Wild, Text: "wild"}
	}
	off := int64(w - o.Addr)
	if o.Kind == Static && (o.Type == nil || !o.Type.IsAggregate()) {
		return im.anonymous(w, o)
	}
	if o.Kind == Node || o.Kind == Static {
		v := Value{Kind: ToNode, Node: o.Seq, Off: off, Dead: !o.Live, Text: nodeName(o.Seq)}
		if off != 0 {
			v.Text += fmt.Sprintf("+%d", off)
		}
		if off == 0 { // an inner pointer does not tell what the node is
			reach(o, t.Elem)
		} else {
			inner(o, off, t.Elem)
		}
		return v
	}
	name := "?"
	if o.Var != nil {
		name = o.Var.Name
		if o.Kind == Local && o.Frame > 0 {
			name = im.Frames[o.Frame].Func.Name + "." + name
		}
	}
	v := Value{Kind: ToVar, Name: name, Off: off, Text: "&" + name}
	if off != 0 {
		v.Text += fmt.Sprintf("+%d", off)
	}
	return v
}

// floatText writes a number as people do: with an exponent only where it is very
// large or small.
func floatText(f float64, bits int) string {
	if a := math.Abs(f); a == 0 || a >= 1e-5 && a < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, bits)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// maxText bounds the characters shown of a string.
const maxText = 60

// anonymous shows a pointer to characters as the string there, and one into the
// program's arguments as the element.
func (im *Image) anonymous(w ctype.Word, o *Object) Value {
	off := int64(w - o.Addr)
	if o.Type != nil {
		return Value{Kind: ToVar, Name: "argv", Off: off, Text: fmt.Sprintf("&argv[%d]", off/8)}
	}
	s := o.Data[min(off, int64(len(o.Data))):]
	if i := bytes.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	more := ""
	if len(s) > maxText {
		s, more = s[:maxText], "…"
	}
	return Value{Kind: ToText, Word: w, Text: strconv.Quote(string(s)) + more}
}

func integerText(w ctype.Word, t *ctype.Type) string {
	if t.Kind == ctype.Int && t.Size == 1 && t.Name == "char" && w >= 32 && w < 127 {
		return fmt.Sprintf("'%c'", rune(w))
	}
	if s, ok := map[ctype.Word]string{'\n': `'\n'`, '\t': `'\t'`}[w]; ok && t.Kind == ctype.Int && t.Size == 1 && t.Name == "char" {
		return s
	}
	for _, e := range t.Enums {
		if ctype.Wrap(t, e.Value) == w {
			return e.Name
		}
	}
	if t.Signed {
		return strconv.FormatInt(int64(w), 10)
	}
	return strconv.FormatUint(w, 10)
}

// Cell returns the entity with a key.
func (g *Graph) Cell(key string) (*Cell, bool) {
	c, ok := g.cells[key]
	return c, ok
}

// Keys returns the keys of all entities, sorted.
func (g *Graph) Keys() []string {
	out := make([]string, 0, len(g.cells))
	for k := range g.cells {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Node returns the node with a name.
func (g *Graph) Node(name string) (*NodeInfo, bool) {
	for _, n := range g.Nodes {
		if n.Name() == name {
			return n, true
		}
	}
	for _, n := range g.Apart {
		if n.Name() == name {
			return n, true
		}
	}
	return nil, false
}

// Diff returns the keys whose value differs between two graphs, sorted;
// entities that only one of them has are left out.
func Diff(a, b *Graph) []string {
	var out []string
	for k, c := range a.cells {
		if d, ok := b.cells[k]; ok && c.Value.Text != d.Value.Text {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}

// ParseEntity brings the ways people write an entity to one: n4 -> prev,
// n4.prev and n4->prev are the same; variables may be structs.
func ParseEntity(s string) string {
	s = strings.Join(strings.Fields(s), "")
	if len(s) > 1 && s[0] == 'n' && s[1] >= '0' && s[1] <= '9' {
		i := 1
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if i < len(s) && s[i] == '.' {
			s = s[:i] + "->" + s[i+1:]
		}
	}
	return s
}
