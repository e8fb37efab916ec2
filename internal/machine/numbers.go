package machine

import (
	"slices"

	"gulo/internal/ir"
	"gulo/internal/lower"
)

// This file finds where the numbers came from that led an access out of bounds: an index, what it was compared with, the
// size of the block. It is a dynamic slice along data dependences (Agrawal and Horgan, PLDI 1990) of numbers alone, since
// pointers have chains (trace.go). Recording costs a node for each store, so it is done in a second run, and only for its
// last steps (Config.Numbers).
//
// Nearly every register of the ir is set by one instruction. So the code of a function says which loads, calls and joins
// a computed number was made of, and only for the registers that these set is the origin of their values recorded.

// number is an event that put a number somewhere.
type number struct {
	stmt  int32
	from  int32 // in numbers.from: the nodes of the numbers that it was made of
	count int32
	what  int32 // in numbers.words
}

type numbers struct {
	since int64 // step
	nodes []number
	from  []int32
	words []string
	word  map[string]int32
	room  int                // bytes of blocks that may still be followed
	regs  []int32            // parallel to Machine.regs: nodes, 0 for none
	mem   map[uint32][]int32 // by block id and byte: the node of the number that begins there
	sizes map[uint32][]int32 // by id of a heap block: the nodes of what its size was made of
	defs  map[*code]*defined

	formed map[int32]formed // by the node of a pointer
}

// formed is how a pointer was computed: numbers were added to another one.
type formed struct {
	stmt    int32
	indices []int32 // their nodes
}

func newNumbers(since int64) *numbers {
	return &numbers{since: since, nodes: make([]number, 1), word: map[string]int32{}, room: mostFollowed, mem: map[uint32][]int32{}, sizes: map[uint32][]int32{}, defs: map[*code]*defined{}, formed: map[int32]formed{}}
}

// mostFollowed bounds the bytes of blocks that are followed, each of which takes four.
const mostFollowed = 16 << 20

// defined is the instruction that computes each register of a function, nil if none or more than one sets it, and the
// registers that the computed number is made of, as far as parts was asked.
type defined struct {
	by     []*ir.Instr
	leaves map[ir.Reg][]ir.Reg
}

// mostLeaves bounds what one number is made of.
const mostLeaves = 8

func (n *numbers) of(c *code) *defined {
	if d := n.defs[c]; d != nil {
		return d
	}
	d := &defined{by: make([]*ir.Instr, c.ir.NumRegs), leaves: map[ir.Reg][]ir.Reg{}}
	times := make([]int8, c.ir.NumRegs)
	for _, b := range c.ir.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Dst >= 0 {
				times[in.Dst] = min(times[in.Dst]+1, 2)
				d.by[in.Dst] = in
			}
		}
	}
	for r, in := range d.by {
		if in == nil || times[r] > 1 || !computes(in.Op) {
			d.by[r] = nil
		}
	}
	n.defs[c] = d
	return d
}

func computes(op ir.Op) bool {
	switch op {
	case ir.Bin, ir.Un, ir.Bool, ir.Conv, ir.PtrAdd, ir.PtrSub:
		return true
	}
	return false
}

// parts returns the registers that a number is made of: of loads, calls, joins and parameters.
func (d *defined) parts(r ir.Reg) []ir.Reg {
	if r < 0 {
		return nil
	}
	in := d.by[r]
	if in == nil {
		return []ir.Reg{r}
	}
	if l, ok := d.leaves[r]; ok {
		return l
	}
	var out []ir.Reg
	for _, x := range [...]ir.Reg{in.A, in.B} {
		for _, l := range d.parts(x) {
			if !slices.Contains(out, l) && len(out) < mostLeaves {
				out = append(out, l)
			}
		}
	}
	d.leaves[r] = out
	return out
}

// indices returns the registers of the numbers that an address was made of, and the one of the pointer that they were
// added to.
func (d *defined) indices(r ir.Reg) (out []ir.Reg, base ir.Reg) {
	for r >= 0 && d.by[r] != nil {
		in := d.by[r]
		if in.Op == ir.PtrAdd {
			out = append(out, d.parts(in.B)...)
		}
		r = in.A
	}
	return out, r
}

// made returns the nodes of registers of a call.
func (n *numbers) made(fr *frame, list []ir.Reg) (out []int32) {
	for _, r := range list {
		if x := n.regs[fr.base+int(r)]; x != 0 && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func (n *numbers) node(stmt int32, what string, from []int32) int32 {
	k, ok := n.word[what]
	if !ok {
		k = int32(len(n.words))
		n.words, n.word[what] = append(n.words, what), k
	}
	n.nodes = append(n.nodes, number{stmt, int32(len(n.from)), int32(len(from)), k})
	n.from = append(n.from, from...)
	return int32(len(n.nodes) - 1)
}

// cells returns the nodes of the bytes of a block from off to end; nil if too many bytes are followed already.
func (n *numbers) cells(block uint32, off, end int64) []int32 {
	w := n.mem[block]
	if more := end - int64(len(w)); more > 0 {
		if more > int64(n.room) {
			return nil
		}
		n.room -= int(more)
		w = append(w, make([]int32, more)...)
		n.mem[block] = w
	}
	return w[off:end]
}

// forget drops what is known of a block that has ended.
func (n *numbers) forget(block uint32) {
	n.room += len(n.mem[block])
	delete(n.mem, block)
}

// put notes that a number, node x, is at a place and takes size bytes.
func (n *numbers) put(block uint32, off, size int64, x int32) {
	if w := n.cells(block, off, off+size); len(w) > 0 {
		clear(w)
		w[0] = x
	}
}

// numbering reports whether numbers are recorded.
func (m *recording) numbering() bool {
	return m.tr != nil && m.tr.nums != nil && m.steps >= m.tr.nums.since
}

func (m *recording) numberLoaded(fr *frame, dst int32, b *Block, off int64) {
	n, x := m.tr.nums, int32(0)
	if w := n.mem[b.ID]; off < int64(len(w)) {
		x = w[off]
	}
	n.regs[fr.base+int(dst)] = x
}

func (m *recording) numberStored(fr *frame, src int32, b *Block, off, size int64) {
	n := m.tr.nums
	n.put(b.ID, off, size, n.moved(fr, ir.Reg(src), m.at(), m.at(), "stored"))
}

// moved returns a node for what is moved out of a register by the statement by; stmt is by or 0.
func (n *numbers) moved(fr *frame, src ir.Reg, stmt, by int32, what string) int32 {
	d := n.of(fr.fn)
	x := n.node(stmt, what, n.made(fr, d.parts(src)))
	if src >= 0 && d.by[src] != nil && d.by[src].Op == ir.PtrAdd {
		if list, _ := d.indices(src); len(n.made(fr, list)) > 0 {
			n.formed[x] = formed{by, n.made(fr, list)}
		}
	}
	return x
}

// computed returns how the pointer in a register was formed when it was computed last, before it was put there.
func (n *numbers) computed(fr *frame, r ir.Reg) (out formed) {
	if r < 0 {
		return out
	}
	for x := n.regs[fr.base+int(r)]; x != 0; {
		if f, ok := n.formed[x]; ok {
			return f
		}
		v := n.nodes[x]
		if v.count != 1 {
			return out
		}
		x = n.from[v.from]
	}
	return out
}

// numberGiven returns a node for a number that is moved out of a register, by a return or at a join. Only a return
// statement is named in it.
func (m *recording) numberGiven(fr *frame, src int32, stmt int32) int32 {
	by := stmt
	if s := m.prog.Stmts[stmt]; s == nil || s.Kind != lower.Return {
		stmt = 0
	}
	return m.tr.nums.moved(fr, ir.Reg(src), stmt, by, "returned")
}

// numberPassed notes the arguments of the call that a statement has just made.
func (m *memory) numberPassed(fr *frame, args []ir.Reg, callee *code, stmt int32) {
	n, to := m.tr.nums, &m.frames[len(m.frames)-1]
	for i, p := range callee.ir.Params {
		if i >= len(args) {
			break
		}
		if p.Type.InMemory() {
			if b, off := m.cell(m.regs[fr.base+int(args[i])]); b != nil && off >= 0 && p.Object >= 0 && to.objs[p.Object] != 0 {
				n.copied(to.objs[p.Object], 0, b.ID, off, p.Type.Size)
			}
			continue
		}
		x := n.moved(fr, args[i], stmt, stmt, "passed")
		n.regs[to.base+int(p.Reg)] = x
		if p.Object >= 0 && to.objs[p.Object] != 0 {
			n.put(to.objs[p.Object], 0, max(p.Type.Size, 1), x)
		}
	}
}

// sized are the functions that make a block of the size that they are asked for.
var sized = map[string]bool{"malloc": true, "calloc": true, "realloc": true, "reallocarray": true, "aligned_alloc": true}

// numberReturned notes what a function of the library gave, and the size of a block that it made.
func (m *memory) numberReturned(fr *frame, dst int32, args []ir.Reg, v uint64, name string) {
	n := m.tr.nums
	if b, off := m.cell(v); off == 0 && b != nil && b.Kind == Heap && sized[name] {
		var from []int32
		for i, a := range args {
			if i > 0 || name != "realloc" && name != "reallocarray" {
				from = append(from, n.made(fr, n.of(fr.fn).parts(a))...)
			}
		}
		n.sizes[b.ID] = from
	}
	n.regs[fr.base+int(dst)] = n.node(m.at(), "returned by "+name, nil)
}

// numberWritten notes what a function of the library writes.
func (m *recording) numberWritten(b *Block, off, size int64) {
	n := m.tr.nums
	if w := n.cells(b.ID, off, off+size); len(w) > 0 {
		clear(w)
		x := n.node(m.at(), "written", nil)
		w[0], w[size-1] = x, x
	}
}

// numberRegisters makes room for registers.
func (t *tracer) numberRegisters(n int) {
	if t.nums != nil && len(t.nums.regs) < n {
		t.nums.regs = append(t.nums.regs, make([]int32, n-len(t.nums.regs))...)
	}
}

func (n *numbers) copied(dst uint32, do int64, src uint32, so, size int64) {
	to, from := n.cells(dst, do, do+size), n.mem[src]
	if to == nil {
		return
	}
	k := 0
	if so < int64(len(from)) {
		k = copy(to, from[so:])
	}
	clear(to[k:])
}

// Slice is where numbers came from, the newest first.
type Slice struct {
	Of    string // what they are for
	Links []Link
}

// mostLinks bounds the links of a slice.
const mostLinks = 8

// slice follows numbers back, from newer to older, and returns the statements of the program that it meets and that are
// not in told yet.
func (m *recording) slice(list []int32, told map[int32]bool) (out []Link) {
	n := m.tr.nums
	seen := map[int32]bool{}
	for len(list) > 0 && len(out) < mostLinks {
		k := 0
		for i, x := range list {
			if x > list[k] { // a later node
				k = i
			}
		}
		x := list[k]
		list = slices.Delete(list, k, k+1)
		if x == 0 || seen[x] {
			continue
		}
		seen[x] = true
		v := n.nodes[x]
		if v.stmt != 0 && !told[v.stmt] && !m.library(v.stmt) {
			told[v.stmt] = true
			out = append(out, Link{Stmt: v.stmt, What: n.words[v.what]})
		}
		list = append(list, n.from[v.from:v.from+v.count]...)
	}
	return out
}

// What slices are for.
const (
	Index    = "the index"
	Bound    = "the bound"
	Size     = "the size"
	LastByte = "the last byte"
)

// position is the numbers that make up the place of the next access.
type position struct {
	nodes []int32
	stmt  int32 // where they were put together; 0 for the access itself
}

// index returns the numbers that make up the place where the next instruction accesses a block.
func (m *memory) index(block uint32) (out position) {
	n, fr := m.tr.nums, &m.frames[len(m.frames)-1]
	in, d := m.fn.code[m.pc].in, n.of(m.fn)
	var list, bases []ir.Reg
	pointer := func(r ir.Reg) {
		l, base := d.indices(r)
		list, bases = append(list, l...), append(bases, base)
	}
	switch in.Op {
	case ir.Call:
		for i, a := range in.CallX.Args {
			if i < len(in.CallX.Types) && in.CallX.Types[i].IsInteger() {
				list = append(list, d.parts(a)...)
			} else if b, _ := m.cell(m.regs[fr.base+int(a)]); b == nil || block == 0 || b.ID == block {
				pointer(a)
			}
		}
	case ir.Bound:
		list = d.parts(in.A)
	case ir.Store, ir.StoreBits, ir.Load, ir.LoadBits, ir.Zero:
		pointer(in.A)
	case ir.Copy:
		pointer(in.A)
		pointer(in.B)
	}
	out.nodes = n.made(fr, list)
	for _, b := range bases {
		if len(out.nodes) == 0 {
			f := n.computed(fr, b)
			out = position{f.indices, f.stmt}
		}
	}
	return out
}

// Indexed returns the statement that put together the place of the next access of a block, with Config.Numbers; the
// one being executed if none before it did.
func (m *memory) Indexed(block uint32) int32 {
	if !m.numbered() {
		return m.at()
	}
	if x := m.index(block); x.stmt != 0 {
		return x.stmt
	}
	return m.at()
}

// numbered reports whether it can be said where the numbers of the next instruction came from.
func (m *recording) numbered() bool {
	return m.tr != nil && m.tr.nums != nil && len(m.frames) > 0 && int(m.pc) < len(m.fn.code) && m.fn.code[m.pc].in != nil
}

// Before returns the link of what put a value before offset off of a block, the nearest; nil if it is not known. It
// needs Config.Numbers.
func (m *recording) Before(block uint32, off int64) []Link {
	if m.tr == nil || m.tr.nums == nil {
		return nil
	}
	w := m.tr.nums.mem[block]
	for k := min(off, int64(len(w))) - 1; k >= 0; k-- {
		if w[k] != 0 {
			return m.slice([]int32{w[k]}, map[int32]bool{})
		}
	}
	return nil
}

// Slices says where the numbers came from that decide where the next access goes: the index, what was compared in the
// conditions that Indexed depends on, the size of the block, and if there is no index its last byte. It needs
// Config.Numbers. conditions are the statements of the conditions, the innermost first.
func (m *memory) Slices(block uint32, conditions []int32) (out []Slice) {
	if !m.numbered() {
		return nil
	}
	n, fr, d := m.tr.nums, &m.frames[len(m.frames)-1], m.tr.nums.of(m.fn)
	told := map[int32]bool{}
	add := func(of string, list []int32) {
		if links := m.slice(slices.Clone(list), told); len(links) > 0 {
			out = append(out, Slice{of, links})
		}
	}
	of := m.index(block).nodes
	add(Index, of)
	for _, s := range conditions {
		var list []int32
		for _, b := range m.fn.ir.Blocks {
			for i := range b.Instrs {
				if x := &b.Instrs[i]; x.Stmt == s && x.Op == ir.Branch {
					list = append(list, n.made(fr, d.parts(x.A))...)
				}
			}
		}
		if len(list) == 0 { // it was not asked in this call, or what it compares is older than what is recorded
			continue
		}
		list = slices.DeleteFunc(list, func(x int32) bool { return slices.Contains(of, x) })
		told[s] = true
		out = append(out, Slice{Bound, append([]Link{{Stmt: s, What: "compared"}}, m.slice(list, told)...)})
	}
	if b := m.Block(block); b != nil {
		add(Size, n.sizes[block])
		if w := n.mem[block]; int64(len(w)) == b.Size && b.Size > 0 && len(of) == 0 {
			add(LastByte, w[b.Size-1:])
		}
	}
	return out
}
