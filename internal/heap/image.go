// Package heap is the picture of a program's memory: named nodes, their
// fields, the variables that point at them.
//
// An Image is a copy of the memory that a program can reach at one moment, by
// address; expressions can be evaluated in it and it can be changed and rolled
// back. A Graph is an Image in symbolic form, the memory graph of Wolverine2
// ("Debug-Localize-Repair", section 3): heap blocks are nodes n1, n2, ... in
// order of allocation, a name is never used again, scalars stay concrete.
//
// Images of one run share addresses, so their states compare word by word;
// graphs compare by names and so across engines.
//
// A session takes an image after every step. Its images are a Film: what a step did not touch
// is the same Object in both. A Grapher makes their graphs: it takes the nodes of unchanged
// objects from the graph before. NewGraph makes the same graph without one before.
// Who owns what: the target its copy of the program's memory and what it knows to have changed
// (target.Camera), a Film the objects, a Grapher the nodes. An image belongs to whoever asked
// for it; stores into it copy.
package heap

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/plural"
)

// ObjectKind says what an object is.
type ObjectKind uint8

const (
	Node ObjectKind = iota // heap block
	Global
	Local
	Static  // memory without a name: a string literal, an argument of the program, a compound literal
	Library // a variable of the C library that the program names: stdout, environ; no picture shows it
)

// Object is one piece of memory.
type Object struct {
	Addr  ctype.Word
	Data  []byte
	Undef []bool // bytes never written; nil when all are known
	Seq   int    // Node: its number
	Var   *cfront.Var
	Frame int         // Local: 0 is innermost
	Type  *ctype.Type // Static: what it holds, as far as a typed pointer tells; nil for characters; see TypeOf

	Members []Member // known last written members of the unions in it; the list is not changed

	// The small fields are together to save room: there may be very many objects.
	Kind     ObjectKind
	Live     bool // Node: not freed
	Round    bool // Node: the program may have asked for less than Data has, up to what glibc's malloc adds
	ReadOnly bool // Static: a string literal
	Filled   bool // unwritten bytes hold Fill; Undef marks only whole cells of four of them
	taken    bool // Node: handed out by Malloc
	shared   bool // other images have it, too
}

// End returns the address after the object.
func (o *Object) End() ctype.Word { return o.Addr + ctype.Word(len(o.Data)) }

// TypeOf returns Type if it is set, as for an array of variable length, and otherwise the declared type
// of the variable.
func (o *Object) TypeOf() *ctype.Type {
	if o.Type != nil {
		return o.Type
	}
	return o.Var.Type
}

// FrameInfo names an active function.
type FrameInfo struct {
	Func *cfront.Func
	Stmt int32
	ID   uint64

	Thread int // the thread that it is active in; 0 is the one that is stepped, whose frames come first
}

// Large is a variable, or a heap block that lives, of which an image has no copy.
type Large struct {
	Addr ctype.Word
	Size int64
	Name string // of a variable
	Seq  int    // of a block
}

// Span is the addresses from From up to, and without, To.
type Span struct{ From, To ctype.Word }

func (l *Large) String() string {
	if l.Name != "" {
		return l.Name
	}
	return plural.N(l.Size, "byte")
}

// Image is memory at one moment. The zero Image is empty.
type Image struct {
	Frames []FrameInfo
	FuncOf func(ctype.Word) string // names a function's address, or an open stream's
	Large  []Large                 // what is not in the image because of its size
	Stack  []Span                  // stack memory of the thread that is stepped, also where there is no variable with a name

	// LiteralOf tells where the program has a string literal; nil when nobody
	// knows.
	LiteralOf func(*cfront.String) (ctype.Word, bool)

	// Structs are the program's. A node that only pointers to its members lead to (a list whose
	// links are in the middle of what they link) is taken for the only one of them that is as
	// large and has such members there, if there is just one.
	Structs []*ctype.Type
	Casts   [][2]*ctype.Type    // of pointers to them, see cfront.Program
	Choices []cfront.Choice     // members of unions in them, see cfront.Program
	Tags    []ctype.Word        // tags of pointers that the program keeps in numbers, see cfront.Program
	Unions  *cfront.UnionWrites // what the program writes to unions; nil where nobody knows

	Views Views // what the user says that blocks are

	Supply []ctype.Word // nodes, not live yet, that Malloc hands out in this order

	Temps map[*cfront.Var]ctype.Word // variables that edits add; see repair.TempAddr

	film      *Film // nil for none; the next three are known then
	number    int   // in the film
	nodes     nodeTable
	alive     int       // nodes that are live
	variables []*Object // those of Objects that are
	lent      bool      // list has the objects, and is the film's
	list      *objects
	flat      []*Object // the objects by address; of a list that is lent, once somebody asked for all

	vars    map[*cfront.Var]ctype.Word // globals and innermost frame
	last    *Object
	journal []change
	watch   *[]Access
}

// Access is some bytes that were read.
type Access struct {
	Addr ctype.Word
	Size int64
}

type change struct {
	o    *Object
	off  int32
	n    int8 // bytes stored, or one of the marks below
	old  ctype.Word
	undf uint8 // of the bytes stored, a bit for each that was never written; lived: 1 when it lived
}

// What else a change can be.
const (
	lived   = -1 // liveness changed
	pushed  = -2 // the object was added
	removed = -3 // the object was removed
	handed  = -4 // Malloc handed the node out
)

// Add puts an object into an image under construction; call Sort after the last.
func (im *Image) Add(o *Object) {
	im.leave()
	im.flat = append(im.flat, o)
}

// leave makes the list of objects the image's own: it is about to be changed.
func (im *Image) leave() {
	if im.lent {
		im.flat, im.list, im.lent = im.list.flat(), nil, false
	}
	im.film, im.nodes, im.variables = nil, nil, nil
}

// own returns an object as it may be changed: a copy, if other images have it.
func (im *Image) own(o *Object) *Object {
	if !o.shared {
		return o
	}
	c := *o
	c.Data, c.Undef, c.shared = slices.Clone(o.Data), slices.Clone(o.Undef), false
	if im.lent {
		if l := im.list.replaced(o, &c); l != nil {
			im.list, im.flat, im.film, im.nodes, im.variables = l, nil, nil, nil, nil
			im.last = &c
			return &c
		}
	}
	im.leave()
	i, _ := slices.BinarySearchFunc(im.flat, o, func(x, y *Object) int {
		switch {
		case before(x, y):
			return -1
		case before(y, x):
			return 1
		}
		return 0
	})
	for ; i < len(im.flat); i++ {
		if im.flat[i] == o {
			im.flat[i] = &c
			break
		}
	}
	im.last = &c
	return &c
}

// Keep leaves out the objects that keep does not accept. What VarAddr knows stays.
func (im *Image) Keep(keep func(o *Object) bool) {
	im.leave()
	im.flat = slices.DeleteFunc(slices.Clone(im.flat), func(o *Object) bool { return !keep(o) })
}

// Sort finishes construction.
func (im *Image) Sort() {
	im.leave()
	if less := func(i, j int) bool { return before(im.flat[i], im.flat[j]) }; !sort.SliceIsSorted(im.flat, less) {
		sort.Slice(im.flat, less)
	}
	im.setVars()
}

func (im *Image) setVars() {
	im.vars = map[*cfront.Var]ctype.Word{}
	for _, o := range im.named() {
		if o.Kind == Global || o.Kind == Library || o.Kind == Local && o.Frame == 0 {
			im.vars[o.Var] = o.Addr
		}
	}
}

// Node returns the node with a number, in an image of a film; nil for none.
func (im *Image) Node(seq int) *Object { return im.nodes.at(seq) }

// Clone copies an image.
func (im *Image) Clone() *Image {
	c := &Image{Frames: im.Frames, FuncOf: im.FuncOf, Large: im.Large, Stack: im.Stack, LiteralOf: im.LiteralOf, Structs: im.Structs, Casts: im.Casts, Choices: im.Choices, Unions: im.Unions, Tags: im.Tags, Views: im.Views, vars: im.vars}
	all := im.All()
	c.flat = make([]*Object, len(all))
	objs := make([]Object, len(all))
	total := 0
	for _, o := range all {
		total += len(o.Data)
	}
	buf := make([]byte, 0, total)
	for i, o := range all {
		objs[i] = *o
		objs[i].shared = false
		objs[i].Members = im.membersOf(o)
		n := len(buf)
		buf = append(buf, o.Data...)
		objs[i].Data = buf[n:len(buf):len(buf)]
		if o.Undef != nil {
			objs[i].Undef = append([]bool(nil), o.Undef...)
		}
		c.flat[i] = &objs[i]
	}
	return c
}

// Find returns the object around an address, nil for none.
func (im *Image) Find(a ctype.Word) *Object {
	if o := im.last; o != nil && a >= o.Addr && a < o.End() {
		return o
	}
	o := im.below(a)
	if o == nil {
		return nil
	}
	if a >= o.End() && !(a == o.Addr && len(o.Data) == 0) {
		return nil
	}
	im.last = o
	return o
}

// Room implements eval.Bounded.
func (im *Image) Room(a ctype.Word) (ctype.Word, bool) {
	o := im.Find(a)
	if o == nil {
		return 0, false
	}
	return o.End() - a, true
}

// below returns the last object that begins at an address or below it; nil for none.
func (im *Image) below(a ctype.Word) *Object {
	if im.lent {
		return im.list.below(a)
	}
	lo, hi := 0, len(im.flat)
	for lo < hi {
		mid := (lo + hi) / 2
		if im.flat[mid].Addr <= a {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return nil
	}
	return im.flat[lo-1]
}

// Watch appends to a list what is read from now on; nil stops it.
func (im *Image) Watch(list *[]Access) { im.watch = list }

// Load implements eval.Memory. Freed nodes cannot be read.
func (im *Image) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	if im.watch != nil {
		*im.watch = append(*im.watch, Access{a, t.Size})
	}
	o := im.Find(a)
	if o == nil || a+ctype.Word(t.Size) > o.End() || o.Kind == Node && !o.Live {
		return 0, false
	}
	return ctype.Load(t, o.Data[a-o.Addr:]), true
}

// Fill is what engines that cannot tell which bytes were written put into fresh memory.
const Fill = 0xFE

// Known reports whether a value of n bytes at a was written as a whole. Where only Fill tells, one
// that is Fill is taken for unwritten (see docs/decisions/0020).
func (im *Image) Known(a ctype.Word, n int64) bool {
	o := im.Find(a)
	if o == nil {
		return false
	}
	from := int(a - o.Addr)
	to := min(from+int(n), len(o.Data))
	for i := from; i < to && i < len(o.Undef); i++ {
		if o.Undef[i] {
			return false
		}
	}
	return !o.Filled || !filled(o.Data[from:to])
}

// Forget marks bytes as never written. Rollback does not undo that.
func (im *Image) Forget(a ctype.Word, n int64) {
	o := im.Find(a)
	if o == nil {
		return
	}
	o = im.own(o)
	if len(o.Undef) < len(o.Data) {
		o.Undef = append(o.Undef, make([]bool, len(o.Data)-len(o.Undef))...)
	}
	from := int(a - o.Addr)
	for i := from; i < min(from+int(n), len(o.Data)); i++ {
		o.Undef[i] = true
	}
}

// filled reports whether a value is taken for Fill: one of fewer than four bytes if all of them
// are Fill, a larger one if three of some four bytes are, as they are in few numbers.
func filled(data []byte) bool {
	const cell, most = 4, 3
	count := func(b []byte) (n int) {
		for _, c := range b {
			if c == Fill {
				n++
			}
		}
		return n
	}
	if len(data) < cell {
		return len(data) > 0 && count(data) == len(data)
	}
	for ; len(data) >= cell; data = data[cell:] {
		if count(data[:cell]) >= most {
			return true
		}
	}
	return false
}

// Store implements eval.Memory and remembers what was there.
func (im *Image) Store(a ctype.Word, t *ctype.Type, w ctype.Word) bool {
	o := im.Find(a)
	if o == nil || a+ctype.Word(t.Size) > o.End() || o.Kind == Node && !o.Live || o.ReadOnly {
		return false
	}
	o = im.own(o)
	off := a - o.Addr
	c := change{o: o, off: int32(off), n: int8(t.Size)}
	for i := int(t.Size) - 1; i >= 0; i-- {
		c.old = c.old<<8 | ctype.Word(o.Data[int(off)+i])
	}
	if o.Undef != nil {
		for i := 0; i < int(t.Size); i++ {
			if o.Undef[int(off)+i] {
				c.undf |= 1 << i
			}
			o.Undef[int(off)+i] = false
		}
	}
	im.journal = append(im.journal, c)
	ctype.Store(t, o.Data[off:], w)
	return true
}

// Holds reports whether a scalar was written and is w.
func (im *Image) Holds(a ctype.Word, t *ctype.Type, w ctype.Word) bool {
	v, ok := im.Load(a, t)
	return ok && v == w && im.Known(a, t.Size)
}

// SetLive marks a node allocated or freed, with rollback.
func (im *Image) SetLive(o *Object, live bool) {
	if o.Live != live {
		o = im.own(o)
		c := change{o: o, n: lived}
		if o.Live {
			c.undf = 1
		}
		im.journal = append(im.journal, c)
		o.Live = live
	}
}

// Malloc implements eval.Heap: it hands out the next node of the supply.
func (im *Image) Malloc(size int64, zero bool) (ctype.Word, error) {
	for _, a := range im.Supply {
		o := im.Find(a)
		if o == nil || o.taken || o.Live || int64(len(o.Data)) != size {
			continue
		}
		o = im.own(o)
		im.journal = append(im.journal, change{o: o, n: handed})
		o.taken = true
		im.SetLive(o, true)
		if zero {
			for i := range o.Data {
				im.Store(a+ctype.Word(i), ctype.UCharT, 0)
			}
		}
		return a, nil
	}
	return 0, eval.ErrAlloc
}

// Free implements eval.Heap.
func (im *Image) Free(a ctype.Word) error {
	o := im.Find(a)
	if o == nil || o.Kind != Node || o.Addr != a || !o.Live {
		return eval.ErrAccess
	}
	im.SetLive(o, false)
	return nil
}

// Push adds an object, with rollback.
func (im *Image) Push(o *Object) {
	im.insert(o)
	im.journal = append(im.journal, change{o: o, n: pushed})
}

// Remove takes an object away, with rollback.
func (im *Image) Remove(a ctype.Word) {
	if o := im.Find(a); o != nil && o.Addr == a {
		im.drop(o)
		im.journal = append(im.journal, change{o: o, n: removed})
	}
}

func (im *Image) insert(o *Object) {
	im.leave()
	i := sort.Search(len(im.flat), func(i int) bool { return im.flat[i].Addr > o.Addr })
	im.flat = append(im.flat, nil)
	copy(im.flat[i+1:], im.flat[i:])
	im.flat[i] = o
	im.last = nil
}

func (im *Image) drop(o *Object) {
	im.leave()
	for i, p := range im.flat {
		if p == o {
			im.flat = append(im.flat[:i], im.flat[i+1:]...)
			break
		}
	}
	im.last = nil
}

// Vars returns the addresses of the variables that VarAddr knows.
func (im *Image) Vars() map[*cfront.Var]ctype.Word { return im.vars }

// SetVars changes which variables VarAddr knows: those of another frame.
func (im *Image) SetVars(vars map[*cfront.Var]ctype.Word) { im.vars = vars }

// VarAddr implements eval.Memory.
func (im *Image) VarAddr(v *cfront.Var) (ctype.Word, bool) {
	a, ok := im.vars[v]
	if !ok && im.Temps != nil {
		a, ok = im.Temps[v]
	}
	return a, ok
}

// Literal implements eval.Literals. A literal that nothing points to yet is
// added to the image.
func (im *Image) Literal(s *cfront.String) (ctype.Word, bool) {
	if im.LiteralOf == nil {
		return 0, false
	}
	a, ok := im.LiteralOf(s)
	if ok && im.Find(a) == nil {
		im.Push(&Object{Addr: a, Kind: Static, Live: true, Data: append([]byte(nil), s.Bytes...), ReadOnly: true})
	}
	return a, ok
}

// Mark returns a point to roll back to.
func (im *Image) Mark() int { return len(im.journal) }

// Stored lists where words were stored since a mark.
func (im *Image) Stored(mark int) (addrs []ctype.Word, sizes []int) {
	for _, c := range im.journal[mark:] {
		if c.n > 0 {
			addrs = append(addrs, c.o.Addr+ctype.Word(c.off))
			sizes = append(sizes, int(c.n))
		}
	}
	return addrs, sizes
}

// Died lists the nodes freed since a mark.
func (im *Image) Died(mark int) []ctype.Word {
	var out []ctype.Word
	for _, c := range im.journal[mark:] {
		if c.n == lived && c.undf == 1 {
			out = append(out, c.o.Addr)
		}
	}
	return out
}

// Equal reports whether two images have the same objects with the same contents.
func (im *Image) Equal(o *Image) bool {
	return slices.EqualFunc(im.All(), o.All(), func(a, b *Object) bool {
		return a.Addr == b.Addr && a.Live == b.Live && bytes.Equal(a.Data, b.Data) && sameMarks(a.Undef, b.Undef)
	})
}

// sameMarks compares which bytes were never written; nil marks none.
func sameMarks(a, b []bool) bool {
	if a == nil || b == nil {
		return !slices.Contains(a, true) && !slices.Contains(b, true)
	}
	return slices.Equal(a, b)
}

// Since describes what was stored since a mark: equal strings, equal effects.
func (im *Image) Since(mark int) string {
	var b []byte
	for _, c := range im.journal[mark:] {
		if c.n < 0 {
			if c.n == lived {
				b = binary.LittleEndian.AppendUint64(append(b, 'L'), c.o.Addr)
			}
			continue
		}
		b = binary.LittleEndian.AppendUint64(b, c.o.Addr+ctype.Word(c.off))
		b = append(b, c.o.Data[c.off:int(c.off)+int(c.n)]...)
	}
	return string(b)
}

// Rollback undoes the changes since a mark.
func (im *Image) Rollback(mark int) {
	for i := len(im.journal) - 1; i >= mark; i-- {
		c := &im.journal[i]
		switch c.n {
		case lived:
			c.o.Live = c.undf == 1
		case pushed:
			im.drop(c.o)
		case removed:
			im.insert(c.o)
		case handed:
			c.o.taken = false
		}
		if c.n < 0 {
			continue
		}
		for k := 0; k < int(c.n); k++ {
			c.o.Data[int(c.off)+k] = byte(c.old >> (8 * k))
			if c.undf>>k&1 == 1 {
				c.o.Undef[int(c.off)+k] = true
			}
		}
	}
	im.journal = im.journal[:mark]
}
