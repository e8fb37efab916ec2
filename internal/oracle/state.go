package oracle

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/plural"
	"gulo/internal/testgen"
)

// This file defines states that belong to no program: a graph of typed objects that a function can reach. A state taken
// from one program can be built in another whose types have the same members. States are compared up to isomorphism.

// Value is a scalar of a state.
type Value struct {
	Object int // 1 and up: a pointer into that object
	Off    int64
	Word   ctype.Word // if Object is 0: a number
	Unset  bool       // never written
	Gone   bool       // a pointer to memory that was freed or never existed
	Name   string     // a pointer to this function or variable
	Byte   int        // only this byte of a pointer, from 1; 0: all of it
	Whole  bool       // the content of Object, not a pointer to it: a struct passed by value
}

// Cell is a scalar of an object with its path, as in "next" or "[2].pos.x".
type Cell struct {
	Path  string
	Value Value
}

// Object is a block of memory.
type Object struct {
	Type  *ctype.Type // of one element
	Count int64
	Heap  bool
	Cells []Cell
	Typed bool // Type is the object's own, whatever the types of pointers to it

	Node int         // of a state taken from a picture: number of the node there; 0: not known
	Var  *cfront.Var // and, if it is a variable of a calling function, that variable
}

// State is the memory that a function is entered with, or leaves.
type State struct {
	Globals map[string][]Cell
	Args    []Value
	Objects []Object // Value.Object k is Objects[k-1]
	Text    string   // for people
}

// memory is what a state can be taken from.
type memory interface {
	// load reads a scalar; known is false when it was never written.
	load(a ctype.Word, t *ctype.Type) (w ctype.Word, live, known bool)
	// block returns the live block around an address.
	block(a ctype.Word) (base ctype.Word, size int64, isHeap, ok bool)
	// name returns the variable or function at an address.
	name(a ctype.Word) string
}

// scalar is a scalar inside a type.
type scalar struct {
	path string
	off  int64
	typ  *ctype.Type
}

// maxElements bounds how many elements of an array are looked at.
const maxElements = 64

// addressType is the type of integers that hold addresses. States keep what such an address points to.
var addressType = ctype.PointerTo(ctype.VoidT)

// scalars lists the scalars of a type. Wide ones are split into words, and bit-fields are as they lie in memory. Unions
// are left out.
func scalars(t *ctype.Type, path string, off int64, out []scalar) []scalar {
	switch {
	case t.IsScalar():
		return append(out, scalar{path, off, t})
	case t.Kind == ctype.Int128:
		return append(out, scalar{path + ".low", off, ctype.ULongT}, scalar{path + ".high", off + 8, ctype.ULongT})
	case t.Kind == ctype.LongDouble:
		return append(out, scalar{path + ".significand", off, ctype.ULongT}, scalar{path + ".exponent", off + 8, ctype.UShortT})
	case t.Kind == ctype.Complex:
		return scalars(t.Elem, path+".imag", off+t.Elem.Size, scalars(t.Elem, path+".real", off, out))
	case t.Kind == ctype.Vector:
		return scalars(ctype.ArrayOf(t.Elem, t.Len), path, off, out)
	case t.Kind == ctype.Array:
		for i := int64(0); i < min(t.Len, maxElements); i++ {
			out = scalars(t.Elem, fmt.Sprintf("%s[%d]", path, i), off+i*t.Elem.Size, out)
		}
	case t.Kind == ctype.Struct:
		for _, f := range t.Fields {
			p := f.Name
			if path != "" && f.Name != "" {
				p = path + "." + f.Name
			} else if f.Name == "" {
				p = path
			}
			if f.BitLen > 0 {
				if bits, at, ok := f.Stored(); ok && f.Name != "" {
					out = append(out, scalar{p, off + at, bits})
				}
				continue
			}
			of := f.Type
			if f.Address {
				of = addressType
			}
			out = scalars(of, p, off+f.Offset, out)
		}
	}
	return out
}

// Paths lists the paths of a type's scalars, as in the cells of states. Bit-fields and unions are left out.
func Paths(t *ctype.Type) []string {
	var out []string
	for _, s := range scalars(t, "", 0, nil) {
		if s.typ.Place == 0 {
			out = append(out, s.path)
		}
	}
	return out
}

// Offsets lists the offsets of the scalars that Paths lists.
func Offsets(t *ctype.Type) []int64 {
	var out []int64
	for _, s := range scalars(t, "", 0, nil) {
		if s.typ.Place == 0 {
			out = append(out, s.off)
		}
	}
	return out
}

// taker takes a state from memory.
type taker struct {
	mem   memory
	ids   map[ctype.Word]int
	todo  []ctype.Word // addresses of the objects; 0 for those that are already taken
	state *State
	types map[ctype.Word]*ctype.Type // types of objects, where known, by address: a pointer into the middle does not tell
}

// maxObjects bounds a state. Pointers to further objects are Gone.
const maxObjects = 3000

func (k *taker) value(a ctype.Word, t *ctype.Type) Value {
	w, live, known := k.mem.load(a, t)
	switch {
	case !live:
		return Value{Gone: true}
	case !known:
		return Value{Unset: true}
	}
	if v, ok := k.byteOf(a, t); ok {
		return v
	}
	return k.word(w, t)
}

// byteOf takes a byte that is part of a pointer, as in a byte array from which nodes are allocated. The address itself
// differs from run to run.
func (k *taker) byteOf(a ctype.Word, t *ctype.Type) (Value, bool) {
	if t.Kind != ctype.Int || t.Size != 1 {
		return Value{}, false
	}
	w, live, known := k.mem.load(a&^7, ctype.ULongT)
	if !live || !known || w < 4096 || w%8 != 0 {
		return Value{}, false
	}
	if _, _, _, ok := k.mem.block(w); !ok {
		return Value{}, false
	}
	v := k.word(w, ctype.PointerTo(ctype.UCharT))
	v.Byte = int(a&7) + 1
	return v, !v.Gone
}

// whole takes a struct passed by value, whose address in mem is a.
func (k *taker) whole(mem memory, a ctype.Word, t *ctype.Type) Value {
	k.state.Objects = append(k.state.Objects, Object{Type: t, Typed: true, Count: 1})
	id := len(k.state.Objects)
	k.todo = append(k.todo, 0)
	var cells []Cell
	for _, s := range scalars(t, "", 0, nil) {
		w, live, known := mem.load(a+ctype.Word(s.off), s.typ)
		v := Value{Gone: !live, Unset: live && !known}
		if live && known {
			v = k.word(w, s.typ)
		}
		cells = append(cells, Cell{s.path, v})
	}
	k.state.Objects[id-1].Cells = cells
	return Value{Object: id, Whole: true}
}

func (k *taker) word(w ctype.Word, t *ctype.Type) Value {
	if t.Kind != ctype.Pointer || w < 4096 { // small words are no pointers, whatever their type
		return Value{Word: w}
	}
	base, size, isHeap, ok := k.mem.block(w)
	if n := k.mem.name(w); n != "" {
		if !ok {
			return Value{Name: n}
		}
		return Value{Name: n, Off: int64(w - base)}
	}
	if !ok || len(k.state.Objects) >= maxObjects {
		return Value{Gone: true}
	}
	id, met := k.ids[base]
	if !met {
		o := Object{Heap: isHeap, Count: 1, Type: t.Elem}
		if own := k.types[base]; own != nil {
			o.Type, o.Typed = own, true
		}
		if long := heap.Lengthened(o.Type, min(size, o.Type.Size+maxElements)); long != nil {
			o.Type = long
		}
		if s := o.Type.Size; o.Type.Kind != ctype.Void && s > 0 && size >= s {
			o.Count = min(size/s, maxElements)
		} else {
			o.Type, o.Count = ctype.UCharT, min(size, maxElements)
		}
		k.state.Objects = append(k.state.Objects, o)
		id = len(k.state.Objects)
		k.ids[base] = id
		k.todo = append(k.todo, base)
	}
	return Value{Object: id, Off: int64(w - base)}
}

// rest takes the content of the objects that were reached, and of those that they lead to.
func (k *taker) rest() {
	for i := 0; i < len(k.todo); i++ {
		if k.todo[i] == 0 {
			continue
		}
		o := &k.state.Objects[i]
		typ, count := o.Type, o.Count
		var cells []Cell
		for e := int64(0); e < count; e++ {
			path := ""
			if count > 1 {
				path = fmt.Sprintf("[%d]", e)
			}
			for _, s := range scalars(typ, path, e*typ.Size, nil) {
				cells = append(cells, Cell{s.path, k.value(k.todo[i]+ctype.Word(s.off), s.typ)})
			}
		}
		k.state.Objects[i].Cells = cells
	}
}

func newTaker(m memory) *taker {
	return &taker{mem: m, ids: map[ctype.Word]int{}, state: &State{Globals: map[string][]Cell{}}}
}

func (k *taker) global(name string, a ctype.Word, t *ctype.Type) {
	k.state.Globals[name] = k.cells(a, t)
}

// cells takes the scalars of type t at an address.
func (k *taker) cells(a ctype.Word, t *ctype.Type) []Cell {
	var cells []Cell
	for _, s := range scalars(t, "", 0, nil) {
		cells = append(cells, Cell{s.path, k.value(a+ctype.Word(s.off), s.typ)})
	}
	return cells
}

// imageMemory takes states from the images that package testgen makes.
type imageMemory struct{ im *testgen.Memory }

func (m imageMemory) load(a ctype.Word, t *ctype.Type) (ctype.Word, bool, bool) {
	w, ok := m.im.Image.Load(a, t)
	return w, ok, m.im.Known(a, t.Size)
}

func (m imageMemory) block(a ctype.Word) (ctype.Word, int64, bool, bool) {
	o := m.im.Find(a)
	if o == nil || o.Kind == heap.Node && !o.Live {
		return 0, 0, false, false
	}
	return o.Addr, int64(len(o.Data)), o.Kind == heap.Node, true
}

func (m imageMemory) name(a ctype.Word) string {
	if o := m.im.Find(a); o != nil && o.Kind == heap.Global && o.Addr == a {
		return o.Var.Name
	}
	return ""
}

// Taken converts a generated input to a state.
func Taken(in *testgen.Input, f *cfront.Func) *State {
	k := newTaker(imageMemory{in.Mem})
	for _, o := range in.Mem.All() {
		if o.Kind == heap.Global && o.Var.Func == nil {
			k.global(o.Var.Name, o.Addr, o.Var.Type)
		}
	}
	for i, p := range f.Params {
		if a, ok := in.Mem.VarAddr(p); ok && p.Type.InMemory() {
			k.state.Args = append(k.state.Args, k.whole(k.mem, a, p.Type))
			continue
		}
		k.state.Args = append(k.state.Args, k.word(in.Args[i], p.Type))
	}
	k.rest()
	k.state.Text = in.Text
	return k.state
}

// Mismatch says why a state cannot be built in a program.
type Mismatch struct{ Reason string }

func (e *Mismatch) Error() string { return e.Reason }

// build makes the state in an idle machine and enters f with it. It returns a Mismatch if the program has other types.
func (s *State) build(m *machine.Machine, p *lower.Program, f *cfront.Func) (*layout, error) {
	n := len(s.Objects)
	b := &stateBuilder{s: s, m: m, p: p, layout: layout{addrs: make([]ctype.Word, n), types: make([]*ctype.Type, n), count: make([]int64, n), index: map[uint32]int{}}}
	for _, v := range p.Tree.Globals {
		cells, ok := s.Globals[nameOf(v)]
		i, known := p.GlobalIndex(v)
		if !ok || !known || v.Const { // a constant keeps the program's own value
			continue
		}
		if err := b.fill(m.GlobalAddr(i), v.Type, 1, cells, nameOf(v)); err != nil {
			return nil, err
		}
	}
	if len(f.Params) != len(s.Args) {
		return nil, &Mismatch{fmt.Sprintf("%s takes %s and should take %d", f.Name, plural.N(len(f.Params), "argument"), len(s.Args))}
	}
	var args []ctype.Word
	for i, v := range f.Params {
		w, err := b.word(s.Args[i], v.Type, v.Name)
		if err != nil {
			return nil, err
		}
		args = append(args, w)
	}
	i, ok := p.FuncIndex(f)
	if !ok {
		return nil, &Mismatch{f.Name + " has no code"}
	}
	b.layout.seq = len(m.HeapBlocks())
	if r := f.Type.Result; r.InMemory() { // the result goes where the first argument says
		b.layout.result = m.Allocate(r.Size)
		args = append([]ctype.Word{b.layout.result}, args...)
	}
	return &b.layout, m.Enter(i, args)
}

type stateBuilder struct {
	s *State
	m *machine.Machine
	p *lower.Program
	layout
}

func (b *stateBuilder) word(v Value, t *ctype.Type, what string) (ctype.Word, error) {
	if n := v.Byte; n > 0 {
		v.Byte = 0
		w, err := b.word(v, ctype.PointerTo(ctype.VoidT), what)
		return w >> (8 * (n - 1)) & 0xff, err
	}
	switch {
	case v.Name != "":
		for _, g := range b.p.Tree.Globals {
			if i, ok := b.p.GlobalIndex(g); ok && g.Name == v.Name {
				return b.m.GlobalAddr(i) + ctype.Word(v.Off), nil
			}
		}
		for i := range b.p.IR.Globals {
			if o := &b.p.IR.Globals[i]; o.ReadOnly && o.Name == v.Name {
				return b.m.GlobalAddr(int32(i)) + ctype.Word(v.Off), nil
			}
		}
		if f := b.p.Tree.Func(v.Name); f != nil {
			if i, ok := b.p.FuncIndex(f); ok {
				return b.m.FuncAddr(i), nil
			}
		}
		if w, ok := b.m.Stream(v.Name); ok {
			return w, nil
		}
		return 0, &Mismatch{fmt.Sprintf("%s points to %s, which the other program does not have", what, v.Name)}
	case v.Object == 0:
		return v.Word, nil
	case v.Whole && t.InMemory(): // the machine takes the address of the struct
		t = ctype.PointerTo(t)
	case v.Whole || t.Kind != ctype.Pointer:
		return 0, &Mismatch{fmt.Sprintf("%s is no pointer in one of the programs", what)}
	}
	k := v.Object - 1
	if b.addrs[k] == 0 {
		o := &b.s.Objects[k]
		elem := t.Elem
		if elem.Kind == ctype.Void || elem.Size == 0 || o.Typed && !v.Whole {
			elem = o.Type
		} else if elem.String() != o.Type.String() && !o.has(elem) { // it was taken by a pointer of another type
			elem = o.Type
		}
		size := elem.Size * o.Count
		if o.Heap {
			w, f := b.m.Malloc(size, false)
			if f != nil {
				return 0, f
			}
			b.addrs[k] = w
		} else {
			b.addrs[k] = b.m.Allocate(size)
		}
		id, _ := ctype.SplitPointer(b.addrs[k])
		b.types[k], b.count[k], b.index[id] = elem, o.Count, k
		if err := b.fill(b.addrs[k], elem, o.Count, o.Cells, "what "+what+" points to"); err != nil {
			return 0, err
		}
	}
	return b.addrs[k] + ctype.Word(v.Off), nil
}

// has reports whether the object's cells fit elements of a type.
func (o *Object) has(elem *ctype.Type) bool {
	paths := scalars(elem, "", 0, nil)
	if o.Count > 1 {
		paths = scalars(elem, "[0]", 0, nil)
	}
	for _, s := range paths {
		if !slices.ContainsFunc(o.Cells, func(c Cell) bool { return c.Path == s.path }) {
			return false
		}
	}
	return true
}

func (b *stateBuilder) fill(a ctype.Word, t *ctype.Type, count int64, cells []Cell, what string) error {
	byPath := make(map[string]Value, len(cells))
	for _, c := range cells {
		byPath[c.Path] = c.Value
	}
	buf := make([]byte, 8)
	for e := int64(0); e < count; e++ {
		path := ""
		if count > 1 {
			path = fmt.Sprintf("[%d]", e)
		}
		for _, s := range scalars(t, path, e*t.Size, nil) {
			v, ok := byPath[s.path]
			switch {
			case !ok:
				return &Mismatch{fmt.Sprintf("%s has %s in one program only", what, s.path)}
			case v.Unset:
				b.m.Forget(a+ctype.Word(s.off), s.typ.Size)
				continue
			case v.Gone:
				continue
			}
			w, err := b.word(v, s.typ, s.path)
			if err != nil {
				return err
			}
			if s.typ.Place > 0 && !b.m.Read(a+ctype.Word(s.off), buf[:s.typ.Size]) { // the bits beside it stay
				return &Mismatch{fmt.Sprintf("%s of %s cannot be read", s.path, what)}
			}
			ctype.Store(s.typ, buf, w)
			if !b.m.Write(a+ctype.Word(s.off), buf[:s.typ.Size]) {
				return &Mismatch{fmt.Sprintf("%s of %s cannot be set", s.path, what)}
			}
		}
	}
	return nil
}

// text writes the state from its roots, so that isomorphic states have the same text. Objects are numbered in the order
// in which they are reached.
func (s *State) text(result []Cell, names []string, args []int) string {
	p := &statePrinter{s: s, num: make([]int, len(s.Objects))}
	for _, n := range names {
		p.b.WriteString(n)
		p.b.WriteByte('=')
		p.cells(s.Globals[n])
		p.b.WriteByte('\n')
	}
	for _, i := range args {
		fmt.Fprintf(&p.b, "argument %d=", i+1)
		p.value(s.Args[i])
		p.b.WriteByte('\n')
	}
	if result != nil {
		p.b.WriteString("result=")
		p.cells(result)
		p.b.WriteByte('\n')
	}
	for i := 0; i < len(p.order); i++ {
		fmt.Fprintf(&p.b, "#%d: ", i+1)
		p.cells(s.Objects[p.order[i]].Cells)
		p.b.WriteByte('\n')
	}
	return p.b.String()
}

// ended removes, if texts is set, the content of character blocks after the first zero.
func (s *State) ended(texts bool) *State {
	if !texts {
		return s
	}
	for i := range s.Objects {
		o := &s.Objects[i]
		if o.Type != ctype.CharT && o.Type != ctype.PlainUCharT {
			continue
		}
		for k, c := range o.Cells {
			if v := c.Value; v.Object == 0 && v.Name == "" && !v.Unset && !v.Gone && v.Word == 0 {
				o.Cells = o.Cells[:k+1]
				break
			}
		}
	}
	return s
}

type statePrinter struct {
	s     *State
	b     strings.Builder
	num   []int
	order []int
}

func (p *statePrinter) cells(cs []Cell) {
	if len(cs) == 1 && cs[0].Path == "" {
		p.value(cs[0].Value)
		return
	}
	sorted := append([]Cell(nil), cs...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Path < sorted[j].Path })
	for i, c := range sorted {
		if i > 0 {
			p.b.WriteByte(' ')
		}
		p.b.WriteString(c.Path)
		p.b.WriteByte(':')
		p.value(c.Value)
	}
}

func (p *statePrinter) value(v Value) {
	if v.Byte > 0 {
		fmt.Fprintf(&p.b, "byte %d of ", v.Byte)
	}
	switch {
	case v.Gone:
		p.b.WriteString("freed")
	case v.Unset:
		p.b.WriteByte('?')
	case v.Name != "":
		p.b.WriteString("&" + v.Name)
		if v.Off != 0 {
			fmt.Fprintf(&p.b, "+%d", v.Off)
		}
	case v.Object > 0:
		k := v.Object - 1
		if p.num[k] == 0 {
			p.order = append(p.order, k)
			p.num[k] = len(p.order)
		}
		fmt.Fprintf(&p.b, "#%d", p.num[k])
		if v.Off != 0 {
			fmt.Fprintf(&p.b, "+%d", v.Off)
		}
	default:
		fmt.Fprintf(&p.b, "%d", int64(v.Word))
	}
}

// Scalars lists the scalars of a type: their paths as in the cells of states, their offsets and their types. Bit-fields
// have the types that Field.Stored returns; unions are left out.
func Scalars(t *ctype.Type) (paths []string, offsets []int64, types []*ctype.Type) {
	for _, s := range scalars(t, "", 0, nil) {
		paths, offsets, types = append(paths, s.path), append(offsets, s.off), append(types, s.typ)
	}
	return paths, offsets, types
}
