package slice

// This file reads a trace and finds for every value the execution of an instruction that it came from.

// instance is one execution of an instruction. The instances that it depends on are replay.deps[from:to].
type instance struct {
	fn       *Function
	inst     int32
	from, to int
}

const none = int32(-1)

// frame is an active call.
type frame struct {
	fn     *Function
	defs   []int32 // the last instance of each instruction
	params []int32
	block  int
	prev   int
	next   int   // index of the next instruction to execute
	caller int32 // instance of the call; none if the caller has no instrumentation
	read   uint64
	to     uint64 // address written last; a copy goes to it
}

type replay struct {
	fns    map[uint64]*Function
	list   []instance
	deps   []int32
	frames []*frame
	memory map[uint64]int32 // by address: the instance that wrote the byte last
	called int32            // the last call, until its function is entered
	result int32            // always none; nothing reads it
}

func newReplay(fns map[uint64]*Function) *replay {
	return &replay{fns: fns, memory: map[uint64]int32{}, called: none, result: none}
}

func (r *replay) record(what, value uint64) error {
	kind, size, n := what>>56, what>>32&0xffffff, int(uint32(what))
	if kind == RecordEnter {
		return r.enter(value)
	}
	if len(r.frames) == 0 {
		return ErrDamaged
	}
	f := r.frames[len(r.frames)-1]
	if kind == RecordBlock {
		// Functions left by longjmp or by an exit have no record of their return.
		for f.fn.ID != value && len(r.frames) > 1 {
			r.frames = r.frames[:len(r.frames)-1]
			f = r.frames[len(r.frames)-1]
		}
		if f.fn.ID != value || n >= len(f.fn.Blocks) {
			return ErrDamaged
		}
		r.finish(f)
		f.prev, f.block, f.next = f.block, n, f.fn.Blocks[n]
		r.phis(f)
		return nil
	}
	if n >= len(f.fn.Insts) || n < f.next && f.fn.Insts[n].Op != "copy" {
		return ErrDamaged
	}
	r.advance(f, n)
	switch kind {
	case RecordLoad:
		f.read = value
		if size > 0 {
			r.execute(f, n, r.writers(value, size)...)
		}
	case RecordStore:
		f.to = value
		if size > 0 {
			i := r.execute(f, n)
			for k := range size {
				r.memory[value+k] = i
			}
		}
	case RecordCall:
		if f.fn.Insts[n].Op == "copy" {
			r.copy(f, n, value)
			return nil
		}
		r.called = r.execute(f, n)
		r.result = none
	case RecordReturn:
		i := r.execute(f, n)
		r.frames = r.frames[:len(r.frames)-1]
		if f.caller != none && len(r.frames) > 0 {
			// The value of the call is the returned value.
			up := r.frames[len(r.frames)-1]
			c := &r.list[f.caller]
			up.defs[c.inst] = r.add(c.fn, c.inst, i, f.caller)
		}
	}
	return nil
}

func (r *replay) enter(id uint64) error {
	fn := r.fns[id]
	if fn == nil {
		return ErrDamaged
	}
	f := &frame{fn: fn, defs: make([]int32, len(fn.Insts)), block: -1, prev: -1, caller: none, next: 0}
	for i := range f.defs {
		f.defs[i] = none
	}
	if len(r.frames) > 0 && r.called != none {
		up := r.frames[len(r.frames)-1]
		f.caller = r.called
		for _, o := range up.fn.Insts[r.list[r.called].inst].Ops {
			f.params = append(f.params, up.operand(o))
		}
	}
	r.called = none
	r.frames = append(r.frames, f)
	return nil
}

// operand returns the instance that the value of an operand comes from, or none.
func (f *frame) operand(o int) int32 {
	switch {
	case o >= 0:
		return f.defs[o]
	case -1-o < len(f.params):
		return f.params[-1-o]
	}
	return none
}

// end returns the index behind the last instruction of the current block.
func (f *frame) end() int {
	if f.block+1 < len(f.fn.Blocks) {
		return f.fn.Blocks[f.block+1]
	}
	return len(f.fn.Insts)
}

// advance executes the instructions from the next one up to n. They have no records of their own.
func (r *replay) advance(f *frame, n int) {
	for f.next < n {
		r.execute(f, f.next)
	}
}

func (r *replay) finish(f *frame) {
	if f.block >= 0 {
		r.advance(f, f.end())
	}
}

// phis executes the phi instructions of a block, all at once. They take the values for the block that was left.
func (r *replay) phis(f *frame) {
	var made []int32
	first, way := f.next, r.came(f)
	for ; f.next < len(f.fn.Insts) && f.fn.Insts[f.next].Op == "phi"; f.next++ {
		in := f.fn.Insts[f.next]
		v := none
		for k, b := range in.From {
			if b == f.prev {
				v = f.operand(in.Ops[k])
			}
		}
		made = append(made, r.add(f.fn, int32(f.next), v, r.decided(f, f.block), way))
	}
	copy(f.defs[first:], made)
}

// came returns the instance that decided from which block the current one was entered, and so which values its phis take.
func (r *replay) came(f *frame) int32 {
	if f.prev < 0 {
		return none
	}
	if len(f.fn.Succ[f.prev]) > 1 {
		return f.defs[f.fn.last(f.prev)]
	}
	return r.decided(f, f.prev)
}

// decided returns the instance that decided that a block runs: the last branch that it depends on, or the call.
func (r *replay) decided(f *frame, block int) int32 {
	last := f.caller
	if block < 0 {
		return last
	}
	for _, b := range f.fn.control[block] {
		last = max(last, f.defs[f.fn.last(b)])
	}
	return last
}

// last is the index of the instruction that ends a block.
func (fn *Function) last(block int) int {
	if block+1 < len(fn.Blocks) {
		return fn.Blocks[block+1] - 1
	}
	return len(fn.Insts) - 1
}

// execute makes an instance of instruction n and continues behind it. The instance depends on the operands, on more,
// and on the branch that decided.
func (r *replay) execute(f *frame, n int, more ...int32) int32 {
	var deps []int32
	for _, o := range f.fn.Insts[n].Ops {
		deps = append(deps, f.operand(o))
	}
	deps = append(deps, more...)
	i := r.add(f.fn, int32(n), append(deps, r.decided(f, f.block))...)
	f.defs[n] = i
	f.next = n + 1
	return i
}

func (r *replay) add(fn *Function, inst int32, deps ...int32) int32 {
	x := instance{fn, inst, len(r.deps), 0}
	for _, d := range deps {
		if d != none {
			r.deps = append(r.deps, d)
		}
	}
	x.to = len(r.deps)
	r.list = append(r.list, x)
	return int32(len(r.list) - 1)
}

// writers returns the instances that last wrote the n bytes at an address.
func (r *replay) writers(addr, n uint64) []int32 {
	var out []int32
	for k := range n {
		if w, ok := r.memory[addr+k]; ok && (len(out) == 0 || out[len(out)-1] != w) {
			out = append(out, w)
		}
	}
	return out
}

// copy executes memcpy or memmove. It makes one instance for every eight bytes.
func (r *replay) copy(f *frame, n int, size uint64) {
	for at := uint64(0); at < size; at += 8 {
		m := min(8, size-at)
		i := r.execute(f, n, r.writers(f.read+at, m)...)
		for k := range m {
			r.memory[f.to+at+k] = i
		}
	}
	f.next = n + 1
}
