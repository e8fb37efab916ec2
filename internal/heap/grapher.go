package heap

import (
	"fmt"
	"slices"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes graphs of images. Pointers are followed from the variables, breadth first, until
// there are MaxNodes nodes. In a film, a node of the graph before is used again, with its links, as
// long as it is the same object under the same type and its pointers lead to things of the same
// names.

// NewGraph builds the graph of an image; show tells which variables take part.
func NewGraph(im *Image, show func(o *Object) bool) *Graph {
	return new(Grapher).Graph(im, show)
}

// Grapher makes graphs of the images of a run, one after the other. The zero Grapher is ready.
type Grapher struct {
	// Inner makes nodes of what only inner pointers lead to: a node of which only parts
	// are known has these as fields, at_16 for what stands 16 bytes behind its beginning.
	Inner bool

	// Part says that only parts of each graph are looked at (Graph.Part). The graphs themselves then cannot find the
	// cells of variables by their keys.
	Part bool

	film   *Film
	number int            // of the image that the nodes are of
	nodes  map[int]*entry // heap blocks, by number
	rest   map[*Object]*entry
	vars   map[*cfront.Var]*variable // of static storage
	most   int                       // nodes of a graph; 0 for MaxNodes
	round  int                       // counts graphs
	moved  int                       // the last round in which a name had changed

	todo []*entry // room for a graph's own
	keys []uint64
	size int // nodes of the graph before

	wholes map[sizeOf]within
	longs  map[sizeOf]*ctype.Type // see lengthened
	tags   map[tagged]tag         // of unions in structs
}

// entry is what is known of a node. For each graph, begin sets typ, at, met, holds and tail anew.
type entry struct {
	o *Object
	n *NodeInfo // made of o, as t; nil: none was made
	t *ctype.Type

	spells bool // it has a pointer that is shown with the text to which it leads
	links  []link
	words  []ctype.Word // all pointers in it that are not null

	parts []part      // that made was made of
	tail  part        // see behindHead
	made  *ctype.Type // see assemble

	round int
	typ   *ctype.Type // what it is taken for; nil while nobody knows
	at    int         // its place in the graph's Nodes, -1 for none
	valid int         // the last round in which n was as it should be
	met   bool        // something leads to it

	holds []*ctype.Type // what the tagged pointers lead to that its numbers may be; see holding
	held  []*ctype.Type // holds, when n was made
}

// link is a pointer of a node to another.
type link struct {
	to  *entry
	w   ctype.Word
	off int64
	t   *ctype.Type // what it points to

	oneOf []*ctype.Type // where members of a union say that it points to one of several
	guess bool          // a void * says so, or a tagged number: typed pointers are asked first
	holds []*ctype.Type // what the numbers that it points to lead to
}

// Graph builds the graph of an image; show tells which variables take part.
func (g *Grapher) Graph(im *Image, show func(o *Object) bool) *Graph {
	b := &grapher{im: im, g: &Graph{vars: map[string]*Cell{}}, memo: g, known: !g.Inner}
	if g.Inner || len(im.Structs) > 0 {
		b.parts = map[*entry][]part{}
	}
	moved, ok := im.film.since(g.film, g.number, im.number)
	if g.round++; !ok || im.film == nil || len(g.nodes) > 8*MaxNodes {
		g.nodes, g.rest, g.vars = map[int]*entry{}, map[*Object]*entry{}, map[*cfront.Var]*variable{}
	}
	b.moved, b.todo = moved, g.todo[:0]
	b.g.Nodes = make([]*NodeInfo, 0, g.size+16)
	defer func() { g.todo, g.size = b.todo[:0], len(b.g.Nodes) }()
	g.film, g.number = im.film, im.number
	b.variables(show)
	b.follow()
	b.carve()
	b.others()
	if len(moved) > 0 {
		g.moved = g.round
	}
	if !g.Part {
		b.g.index()
	}
	return b.g
}

func (g *Grapher) limit() int {
	if g.most > 0 {
		return g.most
	}
	return MaxNodes
}

// follow adds the nodes that something leads to, in the order in which they are met.
func (b *grapher) follow() {
	for (b.next < len(b.todo) || b.assemble() || b.guessed()) && len(b.g.Nodes) < b.memo.limit() {
		e := b.todo[b.next]
		b.next++
		b.node(e)
	}
}

// others adds live nodes to which no pointer has told a type, or counts them.
func (b *grapher) others() {
	met := 0
	for _, n := range b.g.Nodes {
		if n.Live && n.Seq > 0 {
			met++
		}
	}
	switch cut := b.next < len(b.todo); {
	case b.im.film == nil || !cut && met < b.im.alive:
		b.search(cut, met)
	case cut:
		b.g.More = b.im.alive - met // whether something leads there is not known
	}
	b.order()
}

// order puts the nodes in the order of their numbers; literals, whose numbers are negative, come
// first. It sorts words that hold the numbers, which is quicker than comparing nodes.
func (b *grapher) order() {
	nodes := b.g.Nodes
	keys := slices.Grow(b.memo.keys[:0], len(nodes))[:len(nodes)]
	b.memo.keys = keys
	sorted := true
	for i, n := range nodes {
		keys[i] = uint64(n.Seq+1<<32)<<24 | uint64(i) // there are fewer nodes in a graph than 1<<24
		sorted = sorted && (i == 0 || keys[i] > keys[i-1])
	}
	if sorted {
		return
	}
	slices.Sort(keys)
	out := make([]*NodeInfo, len(nodes))
	for i, k := range keys {
		out[i] = nodes[k&(1<<24-1)]
	}
	b.g.Nodes = out
}

// search adds the live nodes that are not in the graph yet, in the order of their addresses, and counts
// those for which there is no room.
func (b *grapher) search(cut bool, met int) {
	b.scan()
	met += b.view()
	for o := range b.im.Each {
		if o.Kind != Node || !o.Live {
			continue
		}
		if b.im.film != nil && len(b.g.Nodes) >= 2*b.memo.limit() {
			b.g.More = b.im.alive - met
			return
		}
		e := b.entry(o)
		if e.at >= 0 {
			continue
		}
		if cut || len(b.g.Nodes) >= 2*b.memo.limit() {
			b.g.More++
			continue
		}
		if e.n == nil || e.o != o || e.t != nil || e.n.Met != e.met {
			e.o, e.t, e.links, e.words = o, nil, nil, nil
			e.n = &NodeInfo{Seq: o.Seq, Addr: o.Addr, Size: int64(len(o.Data)), Live: true, Met: e.met}
		}
		b.g.Nodes = append(b.g.Nodes, e.n)
		met++
	}
}

type grapher struct {
	im    *Image
	g     *Graph
	memo  *Grapher
	moved []span // since the graph before, pointers to there may be named otherwise
	todo  []*entry
	next  int // in todo

	parts map[*entry][]part // of nodes that inner pointers lead to; nil when they are not followed
	whole []*entry          // of these, those whose type is not made yet

	guesses []link        // of void *, not followed yet
	generic []*ctype.Type // what the void * that is being read leads to; nil where nobody knows

	tails []*entry // nodes that only pointers to what stands behind a head lead to; see behindHead

	met []*entry // see scan

	known bool // types of nodes in parts are not made, only found among the program's structs

	made   *entry     // the node whose pointers are being read; nil for variables
	at     ctype.Word // where the value is that is being read
	claims *claims    // of the union whose pointers are being read; nil for none
	around around     // the struct whose members are being read
}

// entry returns what is known of an object, for this graph.
func (b *grapher) entry(o *Object) *entry {
	m := b.memo
	var e *entry
	if numbered := o.Kind == Node && o.Seq > 0 && b.im.film != nil; numbered {
		if e = m.nodes[o.Seq]; e == nil {
			e = &entry{}
			m.nodes[o.Seq] = e
		}
	} else if e = m.rest[o]; e == nil {
		e = &entry{}
		m.rest[o] = e
	}
	b.begin(e, o)
	return e
}

// begin makes an entry ready for this graph.
func (b *grapher) begin(e *entry, o *Object) {
	if e.round == b.memo.round {
		return
	}
	e.round, e.typ, e.at, e.tail, e.met, e.holds = b.memo.round, nil, -1, part{}, false, nil
	if e.o != o {
		e.o, e.n, e.links, e.words = o, nil, nil, nil
	}
}

// part is what stands inside of a node.
type part struct {
	off int64
	t   *ctype.Type
}

// inner notes that a typed pointer leads into a node.
func (b *grapher) inner(e *entry, off int64, t *ctype.Type) {
	if b.parts == nil || t.Size == 0 || off+t.Size > int64(len(e.o.Data)) || e.typ != nil {
		return
	}
	if !t.IsAggregate() {
		b.behindHead(e, off, t)
		return
	}
	list := b.parts[e]
	for _, p := range list {
		if off < p.off+p.t.Size && p.off < off+t.Size {
			return // one of two views of the same bytes
		}
	}
	if list == nil {
		b.whole = append(b.whole, e)
	}
	b.parts[e] = append(list, part{off, t})
}

// assemble makes types of the parts of nodes that nothing else tells the type of. It
// reports whether there is more to look at.
func (b *grapher) assemble() bool {
	for _, e := range b.whole {
		if e.typ != nil {
			continue
		}
		list := b.parts[e]
		t := b.whose(int64(len(e.o.Data)), list)
		if t == nil {
			if t = b.headOf(int64(len(e.o.Data)), list[0]); t != nil {
				e.tail = list[0]
			}
		}
		if t == nil && b.known {
			delete(b.parts, e) // another part may tell
			continue
		}
		if t == nil {
			sort.Slice(list, func(i, j int) bool { return list[i].off < list[j].off })
			if e.made == nil || !slices.Equal(e.parts, list) || e.made.Size != int64(len(e.o.Data)) {
				e.parts, e.made = slices.Clone(list), partsOf(int64(len(e.o.Data)), list)
			}
			t = e.made
		}
		e.typ = t
		b.todo = append(b.todo, e)
	}
	b.whole = nil
	for _, e := range b.tails {
		if e.typ == nil {
			e.typ = b.headOf(int64(len(e.o.Data)), e.tail)
			b.todo = append(b.todo, e)
		}
	}
	b.tails = nil
	return b.next < len(b.todo)
}

// sizeOf is a type and how large the block is that it is at the beginning of.
type sizeOf struct {
	t     *ctype.Type
	bytes int64
	round bool
}

// within is what derived has found for a type and a size.
type within struct {
	whole   *ctype.Type // the only one
	several bool
}

// derived returns what a block is taken for that a pointer to a struct t leads to and that is larger than t: the
// only struct of the program that fits the block and begins with a t, or begins with the members of t and is cast
// to it, as people write classes with a base. whole is nil if there is no such struct, or if there are several. A
// struct of nothing but t's does not count: such a block is an array.
func (b *grapher) derived(t *ctype.Type, o *Object) (whole *ctype.Type, several bool) {
	size := int64(len(o.Data))
	if len(b.im.Structs) == 0 || t.Kind != ctype.Struct || t.Size >= size {
		return nil, false
	}
	key := sizeOf{t, size, o.Round}
	if x, ok := b.memo.wholes[key]; ok {
		return x.whole, x.several
	}
	var found within
	for _, s := range b.im.Structs {
		if s.Kind != ctype.Struct || !b.mayBe(s, t, size, o.Round) {
			continue
		}
		if found.whole != nil && !ctype.Same(found.whole, s) {
			found = within{several: true}
			break
		}
		found.whole = s
	}
	if b.memo.wholes == nil {
		b.memo.wholes = map[sizeOf]within{}
	}
	b.memo.wholes[key] = found
	return found.whole, found.several
}

// begins reports whether the first member of a struct is first, or a struct that begins with it.
func begins(t, first *ctype.Type) bool {
	for t.Kind == ctype.Struct && len(t.Fields) > 0 && t.Fields[0].BitLen == 0 && t.Fields[0].Offset == 0 {
		if t = t.Fields[0].Type; t == first || t.Kind == ctype.Struct && ctype.Same(t, first) {
			return true
		}
	}
	return false
}

// tiled reports whether a struct has no members but those of a type.
func tiled(t, part *ctype.Type) bool {
	for i := range t.Fields {
		e := t.Fields[i].Type
		for e.Kind == ctype.Array {
			e = e.Elem
		}
		if !ctype.Same(e, part) && !(e.Kind == ctype.Struct && tiled(e, part)) {
			return false
		}
	}
	return true
}

// partsOf makes a type of the parts of a node.
func partsOf(size int64, list []part) *ctype.Type {
	t := &ctype.Type{Kind: ctype.Struct, Tag: "part", Size: size, Align: 1}
	for _, p := range list {
		t.Fields = append(t.Fields, ctype.Field{Name: fmt.Sprintf("at_%d", p.off), Type: p.t, Offset: p.off})
	}
	return t
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

// reach notes that a typed pointer leads to a node.
func (b *grapher) reach(e *entry, t *ctype.Type) {
	if v := b.im.viewed(e.o); v != nil {
		if e.typ != v {
			e.typ = v
			b.todo = append(b.todo, e)
		}
		return
	}
	if t.Size == 0 || t.Kind == ctype.Void || t.Kind == ctype.Func {
		return
	}
	if s, _ := b.derived(t, e.o); s != nil {
		t = s
	}
	t = b.im.instead(t, e.o)
	if old := e.typ; old != nil && !(old.IsScalar() && t.IsAggregate()) && !begins(t, old) && !b.noText(e.o, old, t) {
		return
	}
	if size := int64(len(e.o.Data)); size < t.Size && t.Size > 1 && !cutShort(t, size) {
		return
	}
	e.typ = t
	b.todo = append(b.todo, e)
}

// noText reports whether what a pointer to characters led to is an array of pointers after all: two members
// of a union may hold the same address.
func (b *grapher) noText(o *Object, old, t *ctype.Type) bool {
	return old.IsScalar() && old.Size == 1 && t.Kind == ctype.Pointer && b.im.HoldsAddress(o.Addr)
}

// meets is told of every pointer that is not null; to is the node that it leads to, nil for none.
func (b *grapher) meets(w ctype.Word, to *Object, t *ctype.Type) {
	if c := (claim{at: b.at, w: w, to: to, types: []*ctype.Type{t}}); t.Kind == ctype.Void && len(b.generic) > 0 && to != nil && (to.Kind == Node || to.Type != nil && to.Type.IsAggregate()) {
		c.types, c.guess = b.generic, true
		b.note(c)
	} else {
		if t.HoldsTagged() {
			c.holds = b.generic
		}
		b.note(c)
	}
}

// leads follows a link. A pointer to the inside of a node does not tell what the node is, unless the offset is so
// small that it can only be a mark in the bits that alignment leaves zero.
func (b *grapher) leads(l *link) {
	b.holding(l)
	t := l.t
	switch {
	case l.guess:
		t = nil
		if l.off == 0 && l.to.typ == nil {
			b.guesses = append(b.guesses, *l)
		}
	case l.oneOf != nil:
		t = b.which(l.to.o, l.off, l.oneOf)
	}
	switch {
	case b.im.viewed(l.to.o) != nil:
		b.reach(l.to, l.t)
	case t == nil:
	case l.off == 0 || t.IsAggregate() && l.off < t.Align:
		b.reach(l.to, t)
	default:
		b.inner(l.to, l.off, t)
	}
	if !l.to.met && l.to.typ == nil {
		b.met = append(b.met, l.to)
	}
	l.to.met = true
}

// again takes the node of the graph before if it is the same in this one.
func (b *grapher) again(e *entry) bool {
	return e.n != nil && !e.spells && e.t == e.typ && e.t.Size <= int64(len(e.o.Data)) && e.n.Viewed == b.im.isView(e.o, e.t) && sameTypes(e.holds, e.held) && b.same(e)
}

// same reports whether the pointers of an entry are named as in the graph before, and follows them then.
func (b *grapher) same(e *entry) bool {
	if b.im.film == nil || b.memo.moved > e.valid {
		return false
	}
	for _, s := range b.moved {
		for _, w := range e.words {
			if w >= s.lo && w <= s.hi {
				return false
			}
		}
	}
	for i := range e.links {
		l := &e.links[i]
		if l.to.round != b.memo.round {
			o := l.to.o
			if o.Kind == Node && o.Seq > 0 {
				o = b.im.Node(o.Seq)
			}
			if o == nil {
				return false
			}
			b.begin(l.to, o)
		}
	}
	for i := range e.links {
		b.leads(&e.links[i])
	}
	return true
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

// node adds the node of an entry.
func (b *grapher) node(e *entry) {
	if !b.again(e) {
		e.t, e.links, e.words = e.typ, e.links[:0], e.words[:0]
		b.made, b.generic, e.held = e, e.holds, e.holds
		e.n = b.make(e.o, e.t)
		b.made, b.generic = nil, nil
		e.spells = spells(e.n.Cells)
	}
	e.valid = b.memo.round
	if e.at >= 0 { // seen under a poorer type
		b.g.Nodes[e.at] = e.n
		return
	}
	e.at = len(b.g.Nodes)
	b.g.Nodes = append(b.g.Nodes, e.n)
}

// make makes a node of an object.
func (b *grapher) make(o *Object, t *ctype.Type) *NodeInfo {
	n := &NodeInfo{Seq: o.Seq, Addr: o.Addr, Size: int64(len(o.Data)), Live: o.Live, Type: t, Viewed: b.im.isView(o, t)}
	t, count := b.elementsOf(o, t)
	if n.Type.Kind == ctype.Array && t == n.Type.Elem {
		n.Type = t
	}
	name := n.Name()
	switch {
	case t.Private():
		b.cellsOf(&n.Cells, "*"+name, "*", o.Addr, t)
	case count > 1 && ctype.ArrayOf(t, count).IsText():
		b.cellsOf(&n.Cells, name, "*", o.Addr, ctype.ArrayOf(t, count))
	case count > 1:
		b.cellsOf(&n.Cells, name, "", o.Addr, ctype.ArrayOf(t, count))
	case t.IsAggregate():
		b.members(&n.Cells, name+"->", "", o.Addr, t)
		if t != n.Type && t.Size < n.Size { // an array at its end is shorter than the block
			b.behind(n, o, t.Size)
		}
	default:
		b.cellsOf(&n.Cells, "*"+name, "*", o.Addr, t)
	}
	return n
}

// elementsOf returns the type and the number of the elements that a block holds which is taken for a t.
func (b *grapher) elementsOf(o *Object, t *ctype.Type) (*ctype.Type, int64) {
	if e, n := b.im.unfold(o, t); n > 0 {
		return e, n
	}
	size := int64(len(o.Data))
	count := size / max(t.Size, 1)
	if long := b.lengthened(t, o); long != nil {
		t, count = long, 1
		if last := &t.Fields[len(t.Fields)-1]; hasPointers(last) {
			if k := b.own(t, last, o, last.Type.Len); k < last.Type.Len {
				t = longer(t, last, last.Offset+8*k)
			}
		}
	}
	if o.Round && t.IsAggregate() {
		count = fewest(t.Size, count, size)
	}
	if count > 1 {
		if _, several := b.derived(t, o); several {
			count = 1 // what follows is no other of these
		}
	}
	return t, count
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
		t, off, ok := f.Stored()
		if !ok || f.Name == "" {
			return
		}
		name := f.Name
		if field != "" {
			name = field + "." + name
		}
		b.cellsOf(out, prefix+f.Name, name, base+ctype.Word(off), t)
		return
	}
	if f.Name == "" {
		b.members(out, prefix, field, base+ctype.Word(f.Offset), f.Type)
		return
	}
	name := f.Name
	if field != "" {
		name = field + "." + name
	}
	b.generic = f.Leads
	b.cellsOf(out, prefix+f.Name, name, base+ctype.Word(f.Offset), f.Type)
	b.generic = nil
	if f.Address {
		b.address(&(*out)[len(*out)-1])
	}
}

// address shows an integer as an address if it is that of something known.
func (b *grapher) address(c *Cell) {
	if c.Value.Kind == Scalar && c.Type.IsInteger() && c.Type.Size == 8 {
		b.at = c.Addr
		c.Value = b.im.address(c.Value, b.meets)
	}
}

// cellsOf flattens an object of type t into cells.
func (b *grapher) cellsOf(out *[]Cell, key, field string, a ctype.Word, t *ctype.Type) {
	switch {
	case t.IsScalar():
		*out = append(*out, Cell{Key: key, Field: field, Addr: a, Type: t, Value: b.value(a, t)})
	case t.IsWide():
		*out = append(*out, Cell{Key: key, Field: field, Addr: a, Type: t, Value: b.im.Wide(a, t)})
	case t.Private():
		*out = append(*out, Cell{Key: key, Field: field, Addr: a, Type: t, Value: b.opaque(a, t)})
	case t.IsAggregate():
		b.members(out, key+".", field, a, t)
	case t.IsText():
		*out = append(*out, Cell{Key: key, Field: field, Addr: a, Type: t, Value: b.text(a, t)})
	case t.Kind == ctype.Array:
		b.elements(out, key, field, a, t)
	}
}

// besidePointer makes members of a union unknown that share bytes with a pointer, or with a number that holds a tagged one, and
// hold none themselves: they would show a part of an address, which differs in every run. A double that holds the tagged pointer
// is made unknown, too, if an integer also holds it.
func besidePointer(cells []Cell) {
	for i := range cells {
		p := &cells[i]
		if p.Type.Kind != ctype.Pointer && p.Value.Tag == 0 || !p.Value.Points() {
			continue
		}
		for k := range cells {
			c := &cells[k]
			if k != i && c.Type.Kind != ctype.Pointer && (c.Value.Tag == 0 || c.Type.Kind == ctype.Float && p.Type.Kind != ctype.Float) && c.Addr < p.Addr+8 && p.Addr < c.Addr+ctype.Word(c.Type.Size) {
				c.Value = Value{Kind: Unknown, Text: "?"}
			}
		}
	}
}

// opaque stands for what only the C library knows the members of, once it has written there.
func (b *grapher) opaque(a ctype.Word, t *ctype.Type) Value {
	for i := range t.Size {
		if b.im.Known(a+ctype.Word(i), 1) {
			return Value{Kind: Opaque, Text: "opaque"}
		}
	}
	return Value{Kind: Unknown, Text: "?"}
}

// HoldsAddress reports whether a pointer to something known stands at an address: its bytes are no
// characters, and are others in every run.
func (im *Image) HoldsAddress(a ctype.Word) bool {
	if a%8 != 0 {
		return false
	}
	w, ok := im.Load(a, ctype.ULongT)
	if !ok || w == 0 || !im.Known(a, 8) {
		return false
	}
	o := im.Find(w)
	return o != nil && (w%8 == 0 || o.Kind == Static && o.Addr == w) // a literal may begin anywhere
}

// text shows an array of characters as a string.
func (b *grapher) text(a ctype.Word, t *ctype.Type) Value {
	size := t.Elem.Size
	var s []ctype.Word
	for i := int64(0); i < min(t.Len, 200); i++ {
		at := a + ctype.Word(i*size)
		w, ok := b.im.Load(at, t.Elem)
		if !ok || w == 0 || !b.im.Known(at, size) || size == 1 && b.im.HoldsAddress(at) {
			break
		}
		s = append(s, w)
	}
	if len(s) == 0 && t.Len > 0 && b.im.Find(a) != nil && (!b.im.Known(a, size) || size == 1 && b.im.HoldsAddress(a)) {
		return Value{Kind: Unknown, Text: "?"}
	}
	return Value{Kind: Scalar, Text: ctype.Quote(s, t.Elem)}
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
	b.at = a
	if v, ok := b.tagged(w, t); ok {
		return v
	}
	return b.im.symbol(w, t, b.meets)
}
