package symbolic

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/machine"
	"gulo/internal/plural"
	"gulo/internal/smt"
)

// This file models memory: blocks of cells, as on the machine. A block is copied when it is first written after its
// state was split.

// State is the program at one place, on all ways that meet a condition.
type State struct {
	PC     *smt.Term // the path condition
	mem    []*object // by number
	frames []*frame  // the innermost last
	epoch  int

	printed []*Printed
	streams map[string]taken // copied before it is changed
}

// frame is a call. Its registers belong to the state only if it is the innermost frame.
type frame struct {
	fn      *ir.Func
	index   int32
	regs    []*smt.Term
	objs    []uint32 // its variables
	varargs uint32
}

// object is a block.
type object struct {
	id       uint32
	name     string
	size     int64
	kind     machine.BlockKind
	readOnly bool
	zero     bool      // bytes never written are 0
	live     *smt.Term // condition under which it is live; nil: always
	typ      *ctype.Type
	cells    map[int64]cell
	epoch    int
	watched  bool // start is set in some cells
}

// cell is the value of some bytes.
type cell struct {
	n     int64
	v     *smt.Term
	def   *smt.Term // condition under which it was written; nil: always
	start bool      // it may still be the value that a watched variable had before the call
}

func (e *Engine) clone(s *State) *State {
	c := *s
	c.mem = append([]*object(nil), s.mem...)
	c.frames = append([]*frame(nil), s.frames...)
	if n := len(c.frames); n > 0 {
		f := *c.frames[n-1]
		f.regs = append([]*smt.Term(nil), f.regs...)
		c.frames[n-1] = &f
	}
	e.epoch++
	c.epoch = e.epoch
	e.epoch++
	s.epoch = e.epoch
	return &c
}

func (s *State) top() *frame { return s.frames[len(s.frames)-1] }

func (s *State) object(id uint32) *object {
	if int(id) < len(s.mem) {
		return s.mem[id]
	}
	return nil
}

// writable returns the state's own copy of an object.
func (s *State) writable(o *object) *object {
	if o.epoch == s.epoch {
		return o
	}
	c := *o
	c.cells = make(map[int64]cell, len(o.cells))
	for k, v := range o.cells {
		c.cells[k] = v
	}
	c.epoch = s.epoch
	s.mem[o.id] = &c
	return &c
}

func (e *Engine) newObject(s *State, kind machine.BlockKind, name string, size int64, t *ctype.Type) *object {
	o := &object{id: e.objects, name: name, size: size, kind: kind, typ: t, cells: map[int64]cell{}, epoch: s.epoch}
	e.objects++
	for len(s.mem) <= int(o.id) {
		s.mem = append(s.mem, nil)
	}
	s.mem[o.id] = o
	return o
}

// globals makes the blocks of the variables with static storage, and of the standard streams.
func (e *Engine) globals() {
	st := &State{PC: e.Terms.True, mem: e.initial}
	gs := e.Prog.IR.Globals
	e.statics = make([]uint32, len(gs))
	for i := range gs {
		o := e.newObject(st, machine.Global, gs[i].Name, gs[i].Size, gs[i].Type)
		o.zero, o.readOnly = true, gs[i].ReadOnly
		e.statics[i] = o.id
	}
	for n := range 3 {
		e.streams[e.newObject(st, machine.Global, "a stream", 8, nil).id] = n
	}
	for i := range gs {
		g, o := &gs[i], st.mem[e.statics[i]]
		for off, b := range g.Data {
			if b != 0 {
				o.cells[int64(off)] = cell{n: 1, v: e.Terms.Const(uint64(b), 8)}
			}
		}
		e.typed(o, g.Type, 0)
		for _, r := range g.Relocs {
			w := ctype.Word(r.Addend)
			if r.Func {
				w += ctype.MakePointer(e.function(r.Index), 0)
			} else {
				w += ctype.MakePointer(e.statics[r.Index], 0)
			}
			e.put(o, r.Offset, 8, e.Terms.Const(w, 64), nil)
		}
		e.libraryVariable(st, g)
	}
	e.initial = st.mem
	for len(e.initial) < int(e.objects) {
		e.initial = append(e.initial, nil)
	}
}

// typed joins the bytes of each scalar of a type into one cell.
func (e *Engine) typed(o *object, t *ctype.Type, off int64) {
	switch {
	case t.Kind == ctype.Array:
		for i := int64(0); i < t.Len && i < 1<<16; i++ {
			e.typed(o, t.Elem, off+i*t.Elem.Size)
		}
	case t.Kind == ctype.Struct:
		for _, f := range t.Fields {
			if f.BitLen == 0 {
				e.typed(o, f.Type, off+f.Offset)
			}
		}
	case t.IsScalar() && off+t.Size <= o.size:
		v, def := e.get(o, off, t.Size)
		e.put(o, off, t.Size, v, def)
	}
}

// get reads bytes. def is the condition under which all were written.
func (e *Engine) get(o *object, off, n int64) (v, def *smt.Term) {
	ts := e.Terms
	if c, ok := o.cells[off]; ok && c.n == n {
		return c.v, c.defined(ts)
	}
	def = ts.True
	for i := n - 1; i >= 0; i-- {
		b, d := e.byteAt(o, off+i)
		def = ts.And(def, d)
		if v == nil {
			v = b
		} else {
			v = ts.Concat(v, b)
		}
	}
	return v, def
}

func (c cell) defined(ts *smt.Terms) *smt.Term {
	if c.def == nil {
		return ts.True
	}
	return c.def
}

func (e *Engine) byteAt(o *object, off int64) (v, def *smt.Term) {
	for at := off; at > off-8; at-- {
		if c, ok := o.cells[at]; ok && at+c.n > off {
			return e.Terms.Extract(c.v, uint8(8*(off-at)), 8), c.defined(e.Terms)
		}
	}
	return e.Terms.Const(0, 8), e.Terms.Bool(o.zero)
}

// put writes bytes into a writable object.
func (e *Engine) put(o *object, off, n int64, v, def *smt.Term) {
	if c, ok := o.cells[off]; !ok || c.n != n {
		for at := off - 7; at < off+n; at++ {
			c, ok := o.cells[at]
			if !ok || at+c.n <= off {
				continue
			}
			delete(o.cells, at)
			for i := int64(0); i < c.n; i++ {
				if b := at + i; b < off || b >= off+n {
					o.cells[b] = cell{1, e.Terms.Extract(c.v, uint8(8*i), 8), c.def, c.start}
				}
			}
		}
	}
	if def == e.Terms.True {
		def = nil
	}
	o.cells[off] = cell{n: n, v: v, def: def}
}

// target is a place to which a pointer may point.
type target struct {
	cond *smt.Term
	obj  uint32
	off  *smt.Term // 64 bits
}

const maxTargets = 256

// targets lists the places to which a pointer may point, with conditions that exclude each other.
func (e *Engine) targets(p *smt.Term) []target {
	var out []target
	var walk func(p, cond, off *smt.Term)
	ts := e.Terms
	walk = func(p, cond, off *smt.Term) {
		if cond == ts.False {
			return
		}
		switch {
		case p.Op == smt.OpConst:
			id, d := ctype.SplitPointer(p.K)
			o := ts.Bin(smt.OpAdd, off, ts.Const(uint64(int64(d)), 64))
			for i := range out {
				if out[i].obj == id && out[i].off == o {
					out[i].cond = ts.Or(out[i].cond, cond)
					return
				}
			}
			out = append(out, target{cond, id, o})
		case p.Op == smt.OpIte:
			e.tick() // a formula may have very many ways
			walk(p.B, ts.And(cond, p.A), off)
			walk(p.C, ts.And(cond, ts.Not(p.A)), off)
		case p.Op == smt.OpAdd && e.pointing(p.A):
			walk(p.A, cond, ts.Bin(smt.OpAdd, off, p.B))
		case p.Op == smt.OpAdd && e.pointing(p.B):
			walk(p.B, cond, ts.Bin(smt.OpAdd, off, p.A))
		case p.Op == smt.OpSub && e.pointing(p.A):
			walk(p.A, cond, ts.Bin(smt.OpSub, off, p.B))
		case e.opt.Null:
			out = append(out, target{cond, 0, off})
		default:
			e.unsupported("it is not known where a pointer points to")
		}
		if len(out) > maxTargets {
			e.unsupported("a pointer may point to more than %d places", maxTargets)
		}
	}
	walk(p, ts.True, ts.Const(0, 64))
	return out
}

// pointing reports whether a term contains a block's address.
func (e *Engine) pointing(t *smt.Term) bool {
	switch t.Op {
	case smt.OpConst:
		id, _ := ctype.SplitPointer(t.K)
		return id != 0 && id < e.objects
	case smt.OpIte:
		return e.pointing(t.B) || e.pointing(t.C)
	case smt.OpAdd:
		return e.pointing(t.A) || e.pointing(t.B)
	case smt.OpSub:
		return e.pointing(t.A)
	}
	return false
}

// reach resolves an access of n bytes. It ends the ways on which the access is an error, and returns the remaining
// places; ok is false if there are none.
func (e *Engine) reach(st *State, p *smt.Term, n int64, write bool) (out []target, ok bool) {
	ts := e.Terms
	null, wild, dead, outside, constant := ts.False, ts.False, ts.False, ts.False, ts.False
	kind, name := machine.HeapOverflow, ""
	for _, t := range e.targets(p) {
		o := st.object(t.obj)
		switch {
		case t.obj == 0:
			null = ts.Or(null, t.cond)
			continue
		case o == nil:
			wild = ts.Or(wild, t.cond)
			continue
		}
		if o.live != nil {
			dead = ts.Or(dead, ts.And(t.cond, ts.Not(o.live)))
			t.cond = ts.And(t.cond, o.live)
		}
		in := ts.False
		if o.size >= n {
			in = ts.Less(t.off, ts.Const(uint64(o.size-n), 64), false, true)
		}
		if in != ts.True {
			outside = ts.Or(outside, ts.And(t.cond, ts.Not(in)))
			kind, name = overflow[o.kind], o.name
		}
		if t.cond = ts.And(t.cond, in); t.cond == ts.False {
			continue
		}
		if write && o.readOnly {
			constant = ts.Or(constant, t.cond)
			continue
		}
		out = append(out, t)
	}
	ok = e.fail(st, null, machine.NullDeref, "access through a null pointer") &&
		e.fail(st, wild, machine.WildDeref, "access through a pointer to nothing") &&
		e.fail(st, dead, machine.DanglingDeref, "access to memory that is no more") &&
		e.fail(st, outside, kind, "access of %s outside %s", plural.N(n, "byte"), name) &&
		e.fail(st, constant, machine.ReadOnlyWrite, "write to memory that is read-only")
	return out, ok && len(out) > 0
}

var overflow = map[machine.BlockKind]machine.FaultKind{
	machine.Heap: machine.HeapOverflow, machine.Stack: machine.StackOverflow, machine.Global: machine.GlobalOverflow,
}

const maxPlaces = 4096

// places lists the values that an offset may have for an access of n bytes in an object.
func (e *Engine) places(o *object, off *smt.Term, n int64) []int64 {
	if k, ok := off.IsConst(); ok {
		return []int64{int64(k)}
	}
	stride, rest := linear(off)
	if stride == 0 {
		stride = n
	}
	var out []int64
	for at := ((rest % stride) + stride) % stride; at+n <= o.size; at += stride {
		if len(out) == maxPlaces {
			e.unsupported("%s is larger than the %d elements that an unknown index is followed in", o.name, maxPlaces)
		}
		out = append(out, at)
	}
	return out
}

// linear returns numbers s and k such that an offset is always k plus a multiple of s.
func linear(t *smt.Term) (s, k int64) {
	switch {
	case t.Op == smt.OpConst:
		return 0, t.Signed()
	case t.Op == smt.OpMul && t.B.Op == smt.OpConst:
		return abs(t.B.Signed()), 0
	case t.Op == smt.OpShl && t.B.Op == smt.OpConst && t.B.K < 32:
		return 1 << t.B.K, 0
	case t.Op == smt.OpAdd:
		s1, k1 := linear(t.A)
		s2, k2 := linear(t.B)
		return gcd(s1, s2), k1 + k2
	case t.Op == smt.OpSub:
		s1, k1 := linear(t.A)
		s2, k2 := linear(t.B)
		return gcd(s1, s2), k1 - k2
	case t.Op == smt.OpIte:
		s1, k1 := linear(t.B)
		s2, k2 := linear(t.C)
		return gcd(gcd(s1, s2), k1-k2), k1
	case t.Op == smt.OpSExt, t.Op == smt.OpZExt:
		return linear(t.A)
	}
	return 1, 0
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

func gcd(a, b int64) int64 {
	a, b = abs(a), abs(b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// load reads a scalar. ok is false if no way is left.
func (e *Engine) load(st *State, p *smt.Term, n int64) (v *smt.Term, ok bool) {
	ts := e.Terms
	list, ok := e.reach(st, p, n, false)
	if !ok {
		return nil, false
	}
	v, unset := e.fetch(st, list, n)
	return v, e.fail(st, unset, machine.Uninitialized, "read of what was never written") && st.PC != ts.False
}

// fetch returns the value at some places, and the condition under which it was never written.
func (e *Engine) fetch(st *State, list []target, n int64) (v, unset *smt.Term) {
	ts := e.Terms
	unset = ts.False
	for i := len(list) - 1; i >= 0; i-- {
		t := list[i]
		o := st.object(t.obj)
		w, def := e.at(o, t.off, n)
		unset = ts.Or(unset, ts.And(t.cond, ts.Not(def)))
		if v == nil {
			v = w
		} else {
			v = ts.Ite(t.cond, w, v)
		}
	}
	return v, unset
}

// at reads n bytes at an offset that may be unknown.
func (e *Engine) at(o *object, off *smt.Term, n int64) (v, def *smt.Term) {
	ts := e.Terms
	ps := e.places(o, off, n)
	if o.watched {
		e.noteStart(o, ps, n)
	}
	if len(ps) == 0 {
		return ts.Const(0, uint8(8*n)), ts.False
	}
	if _, ok := off.IsConst(); ok {
		return e.get(o, ps[0], n)
	}
	def = ts.False
	for i := len(ps) - 1; i >= 0; i-- {
		here := ts.Eq(off, ts.Const(uint64(ps[i]), 64))
		w, d := e.get(o, ps[i], n)
		if v == nil {
			v, def = w, d
			continue
		}
		v, def = ts.Ite(here, w, v), ts.Ite(here, d, def)
	}
	return v, def
}

// store writes a scalar. It returns false if no way is left.
func (e *Engine) store(st *State, p *smt.Term, n int64, v *smt.Term) bool {
	list, ok := e.reach(st, p, n, true)
	if !ok {
		return false
	}
	for _, t := range list {
		e.change(st, t, n, v, len(list) == 1)
	}
	return true
}

func (e *Engine) change(st *State, t target, n int64, v *smt.Term, only bool) {
	ts := e.Terms
	o := st.writable(st.object(t.obj))
	_, known := t.off.IsConst()
	for _, at := range e.places(o, t.off, n) {
		cond := ts.True
		if !known {
			cond = ts.Eq(t.off, ts.Const(uint64(at), 64))
		}
		if !only {
			cond = ts.And(t.cond, cond)
		}
		if cond == ts.True {
			e.put(o, at, n, v, nil)
			continue
		}
		old, def := e.get(o, at, n)
		start := o.watched && o.begun(at, n)
		e.put(o, at, n, ts.Ite(cond, v, old), ts.Or(def, cond))
		if start {
			c := o.cells[at]
			c.start = true
			o.cells[at] = c
		}
	}
}

// copyBytes copies n bytes, scalar by scalar as the source has them. The places may be unknown.
func (e *Engine) copyBytes(st *State, to, from *smt.Term, n int64) bool {
	ts := e.Terms
	src, ok := e.reach(st, from, n, false)
	if !ok || n == 0 {
		return n == 0
	}
	if _, ok = e.reach(st, to, n, true); !ok {
		return false
	}
	type piece struct {
		at, n  int64
		v, def *smt.Term
	}
	var pieces []piece
	for _, r := range e.layout(st, src, n) {
		part := make([]target, len(src))
		for i, t := range src {
			t.off = ts.Bin(smt.OpAdd, t.off, ts.Const(uint64(r[0]), 64))
			part[i] = t
		}
		v, unset := e.fetch(st, part, r[1])
		pieces = append(pieces, piece{r[0], r[1], v, ts.Not(unset)})
	}
	for _, p := range pieces {
		list, ok := e.reach(st, ts.Bin(smt.OpAdd, to, ts.Const(uint64(p.at), 64)), p.n, true)
		if !ok {
			return false
		}
		for _, t := range list {
			e.change(st, t, p.n, p.v, len(list) == 1)
			if p.def != ts.True {
				o := st.writable(st.object(t.obj))
				if k, known := t.off.IsConst(); known {
					c := o.cells[int64(k)]
					c.def = ts.And(c.defined(ts), p.def)
					o.cells[int64(k)] = c
				}
			}
		}
	}
	return true
}

// layout cuts n bytes into the scalars of a source, as offsets and sizes.
func (e *Engine) layout(st *State, src []target, n int64) (out [][2]int64) {
	o := st.object(src[0].obj)
	base, known := src[0].off.IsConst()
	if !known || len(src) > 1 {
		size := int64(8)
		for n%size != 0 {
			size /= 2
		}
		if o.typ != nil {
			t := o.typ
			for t.Kind == ctype.Array {
				t = t.Elem
			}
			if t.IsScalar() && n%t.Size == 0 {
				size = t.Size
			}
		}
		for at := int64(0); at < n; at += size {
			out = append(out, [2]int64{at, size})
		}
		return out
	}
	for at := int64(0); at < n; {
		c, ok := o.cells[int64(base)+at]
		size := int64(1)
		if ok && at+c.n <= n {
			size = c.n
		}
		out = append(out, [2]int64{at, size})
		at += size
	}
	return out
}

// offsets lists the offsets of an object's cells in ascending order.
func (o *object) offsets() []int64 {
	out := make([]int64, 0, len(o.cells))
	for k := range o.cells {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Watch makes the engine set FromStart[name] when a value is read that a variable with static storage held before the
// call. cells are the offsets and sizes that are watched.
func (e *Engine) Watch(st *State, v *cfront.Var, name string, cells [][2]int64) {
	id, ok := e.variableBlock(st, v)
	if !ok {
		return
	}
	o := st.writable(st.mem[id])
	o.watched = true
	if e.watchedAs == nil {
		e.watchedAs = map[uint32]string{}
	}
	e.watchedAs[id] = name
	for _, c := range cells {
		v, def := e.get(o, c[0], c[1])
		e.put(o, c[0], c[1], v, def)
		x := o.cells[c[0]]
		x.start = true
		o.cells[c[0]] = x
	}
}

// begun reports whether some of n bytes may still have the value that they had before the call.
func (o *object) begun(off, n int64) bool {
	for at := off - 7; at < off+n; at++ {
		if c, ok := o.cells[at]; ok && c.start && at+c.n > off {
			return true
		}
	}
	return false
}

func (e *Engine) noteStart(o *object, places []int64, n int64) {
	name := e.watchedAs[o.id]
	if e.FromStart[name] || e.probing > 0 {
		return
	}
	for _, at := range places {
		if o.begun(at, n) {
			e.FromStart[name] = true
			return
		}
	}
}
