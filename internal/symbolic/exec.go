package symbolic

import (
	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/machine"
	"gulo/internal/smt"
)

// This file executes a function's blocks. Of the waiting states the one whose block comes first in the order of loops
// is executed next, so that ways meet before what follows is executed.

// call executes a function and returns the state in which it returns, and its result. The state is nil if no way
// returns. Arguments are 64 bits wide; structs are passed by address.
func (e *Engine) call(st *State, index int32, args []*smt.Term, types []*ctype.Type) (*State, *smt.Term) {
	f := e.Prog.IR.Funcs[index]
	if len(f.Blocks) == 0 {
		return e.library(st, f.Name, args, types)
	}
	e.tick() // recursion may contain no loop, where ticks are counted
	if e.depth >= e.opt.Depth {
		e.cut(st, "calls are nested deeper than the limit")
		return nil, nil
	}
	if e.depth > 8 && e.opt.Feasible != nil && e.path == nil && e.probing == 0 && !e.opt.Feasible(st.PC) {
		return nil, nil
	}
	e.depth++
	e.Nested = max(e.Nested, e.depth)
	defer func() { e.depth-- }()
	e.enter(st, f, index, args)
	o := e.order(index)
	waiting := map[int32]*State{0: st}
	entered, begun := map[int32]int{}, map[int32]int{}
	last := map[int32]*smt.Term{}
	var end *State
	var result *smt.Term
	for len(waiting) > 0 {
		b := o.first(waiting)
		st := waiting[b]
		delete(waiting, b)
		if o.head[b] {
			if !e.again(st, entered, begun, last, b) {
				continue
			}
			for _, g := range o.inside[b] { // the rounds of inner loops start anew
				begun[g] = entered[g]
			}
		}
		e.block(st, f, b, func(to int32, s *State) {
			if s.PC == e.Terms.False {
				return
			}
			if other := waiting[to]; other != nil {
				s = e.merge(other, s)
			}
			waiting[to] = s
		}, func(s *State, v *smt.Term) {
			if end == nil {
				end, result = s, v
				return
			}
			if v != nil {
				result = e.Terms.Ite(s.PC, v, result)
			}
			end = e.merge(end, s)
		})
	}
	if end != nil {
		e.leave(end)
	}
	return end, result
}

// again counts a round of the loop at block b, and returns false if the limit is reached or the round is infeasible.
// Rounds of an inner loop are counted over all rounds of the outer loop, which bounds the work. If such a loop is cut
// although it has not run longer than the limit at a time, Crowded is set. begun is the count when the loop was last
// entered from outside.
func (e *Engine) again(st *State, entered, begun map[int32]int, last map[int32]*smt.Term, b int32) bool {
	e.tick()
	n := entered[b]
	entered[b]++
	if n > 0 && last[b] != st.PC && e.path == nil && e.probing == 0 && e.opt.Feasible != nil && !e.opt.Feasible(st.PC) {
		return false
	}
	last[b] = st.PC
	if e.probing == 0 {
		e.Rounds = max(e.Rounds, n)
	}
	if n > e.opt.Unroll {
		e.Crowded = e.Crowded || n-begun[b] <= e.opt.Unroll
		e.cut(st, "a loop runs longer than the limit")
		return false
	}
	return true
}

func (e *Engine) enter(st *State, f *ir.Func, index int32, args []*smt.Term) {
	fr := &frame{fn: f, index: index, regs: make([]*smt.Term, f.NumRegs), objs: make([]uint32, len(f.Objects))}
	st.frames = append(append([]*frame(nil), st.frames...), fr)
	for i := range f.Objects {
		o := &f.Objects[i]
		fr.objs[i] = e.newObject(st, machine.Stack, o.Name, o.Size, o.Type).id
	}
	for _, c := range f.Consts {
		fr.regs[c.Reg] = e.Terms.Const(c.Value, 64)
	}
	if reg := returnReg(f); reg != ir.NoReg {
		fr.regs[reg] = e.noValue(f)
	}
	if f.SRet != ir.NoReg {
		fr.regs[f.SRet], args = args[0], args[1:]
	}
	for i, p := range f.Params {
		if i >= len(args) {
			break
		}
		fr.regs[p.Reg] = args[i]
		if p.Object < 0 {
			continue
		}
		o := st.mem[fr.objs[p.Object]]
		if p.Type.InMemory() {
			e.copyBytes(st, e.Terms.Const(ctype.MakePointer(o.id, 0), 64), args[i], o.size)
			continue
		}
		e.put(o, 0, p.Type.Size, e.narrow(args[i], p.Type), nil)
	}
}

// leave ends the lifetime of a call's variables, and pops its frame.
func (e *Engine) leave(st *State) {
	for _, id := range st.top().objs {
		o := st.writable(st.mem[id])
		o.live = e.Terms.False
	}
	st.frames = st.frames[:len(st.frames)-1]
}

// block executes one block. push receives the states at its successors, ret the state and value at a return.
func (e *Engine) block(st *State, f *ir.Func, b int32, push func(int32, *State), ret func(*State, *smt.Term)) {
	ts := e.Terms
	r := st.top().regs
	for i := range f.Blocks[b].Instrs {
		in := &f.Blocks[b].Instrs[i]
		if in.Stmt != 0 {
			e.stmt = in.Stmt
			if in.Start {
				e.Covered[in.Stmt] = true
				if e.Reached != nil && e.probing == 0 {
					before := e.Reached[in.Stmt]
					if before == nil {
						before = ts.False
					}
					e.Reached[in.Stmt] = ts.Or(before, st.PC)
				}
			}
		}
		switch in.Op {
		case ir.Jump:
			push(in.Target, st)
		case ir.Branch:
			e.branch(st, e.truth(r[in.A], in.T), in.Target, in.Else, push)
		case ir.Switch:
			e.choose(st, r[in.A], in, push)
		case ir.Ret:
			var v *smt.Term
			if in.A != ir.NoReg {
				if v = e.returned(st, f, r[in.A]); v == nil {
					return
				}
			}
			ret(st, v)
		case ir.Unreachable:
		case ir.Call:
			to, v := e.callInstr(st, in)
			if to == nil {
				return
			}
			if to != st {
				st = to
				r = st.top().regs
			}
			if in.Dst != ir.NoReg {
				r[in.Dst] = v
			}
		default:
			if !e.instr(st, r, in) {
				return
			}
		}
	}
}

// returnReg returns the register with a function's return value, or NoReg.
func returnReg(f *ir.Func) ir.Reg {
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			if b.Instrs[i].Op == ir.Ret {
				return b.Instrs[i].A
			}
		}
	}
	return ir.NoReg
}

// noValue returns the value of a call that ends without a return statement: 0 for main, an unknown value for others.
func (e *Engine) noValue(f *ir.Func) *smt.Term {
	if f.Name == "main" {
		return e.Terms.Const(0, 64)
	}
	return e.Terms.Var(Unknowable+"the result of "+f.Name, 64)
}

// returned returns a function's value. In the function that Run called, ways without a value fail. In others they do
// not, as nobody may use the value. It is nil if no way is left.
func (e *Engine) returned(st *State, f *ir.Func, v *smt.Term) *smt.Term {
	ts := e.Terms
	none := e.noValue(f)
	if none.Op == smt.OpConst || e.depth > 1 || v == nil {
		return v
	}
	var without func(v *smt.Term) *smt.Term
	without = func(v *smt.Term) *smt.Term {
		switch {
		case v == none:
			return ts.True
		case v.Op == smt.OpIte:
			return ts.Ite(v.A, without(v.B), without(v.C))
		}
		return ts.False
	}
	bad := without(v)
	if bad == ts.False {
		return v
	}
	if !e.fail(st, bad, machine.Uninitialized, "%s ends without returning a value", f.Name) {
		return nil
	}
	return ts.Substitute(v, func(x *smt.Term) *smt.Term {
		if x == none {
			return ts.Const(0, 64)
		}
		return nil
	})
}

func (e *Engine) truth(v *smt.Term, t *ctype.Type) *smt.Term {
	if t != nil && t.Kind == ctype.Float {
		return e.Terms.Bool(ctype.Truth(t, e.known(v)))
	}
	return e.Terms.Not(e.Terms.Eq(v, e.Terms.Const(0, 64)))
}

// known returns a value that must be a constant. Otherwise it panics with Unsupported.
func (e *Engine) known(v *smt.Term) uint64 {
	k, ok := v.IsConst()
	if !ok {
		e.unsupported("floating-point numbers that depend on the input are not supported")
	}
	return k
}

func (e *Engine) branch(st *State, c *smt.Term, yes, no int32, push func(int32, *State)) {
	switch {
	case c == e.Terms.True:
		push(yes, st)
	case c == e.Terms.False:
		push(no, st)
	case e.path != nil:
		if e.path.decide(e, st, c, e.stmt) {
			st.PC = e.Terms.And(st.PC, c)
			push(yes, st)
		} else {
			st.PC = e.Terms.And(st.PC, e.Terms.Not(c))
			push(no, st)
		}
	default:
		other := e.clone(st)
		st.PC = e.Terms.And(st.PC, c)
		other.PC = e.Terms.And(other.PC, e.Terms.Not(c))
		push(yes, st)
		push(no, other)
	}
}

func (e *Engine) choose(st *State, v *smt.Term, in *ir.Instr, push func(int32, *State)) {
	ts := e.Terms
	for _, c := range in.Table {
		lo, hi := ts.Const(ctype.Wrap(in.T, uint64(c.Lo)), 64), ts.Const(ctype.Wrap(in.T, uint64(c.Hi)), 64)
		is := ts.Eq(v, lo)
		if lo != hi {
			is = ts.And(ts.Less(lo, v, in.T.Signed, true), ts.Less(v, hi, in.T.Signed, true))
		}
		var rest *State
		e.branch(st, is, c.Target, -1, func(to int32, s *State) {
			if to == -1 {
				rest = s
				return
			}
			push(to, s)
		})
		if rest == nil || rest.PC == ts.False {
			return
		}
		st = rest
	}
	push(in.Target, st)
}

// instr executes an instruction that is no call and no jump. It returns false if no way is left.
func (e *Engine) instr(st *State, r []*smt.Term, in *ir.Instr) bool {
	ts := e.Terms
	addr := func(x ir.Reg) *smt.Term { return ts.Bin(smt.OpAdd, r[x], ts.Const(uint64(in.Imm), 64)) }
	switch in.Op {
	case ir.Nop, ir.NoValue, ir.Bound:
	case ir.Move:
		r[in.Dst] = r[in.A]
	case ir.Suspect:
		wrong := ts.False
		if e.OnSuspect != nil && e.probing == 0 {
			wrong = e.OnSuspect(int32(in.Imm))
		}
		r[in.Dst] = ts.Number(wrong, 64)
	case ir.Hole:
		e.hole(st, r, in)
	case ir.Bin:
		v, ok := e.binary(st, in.BinOp, in.T, r[in.A], r[in.B])
		r[in.Dst] = v
		return ok
	case ir.Un:
		v, ok := e.unary(st, in.BinOp, in.T, r[in.A])
		r[in.Dst] = v
		return ok
	case ir.Bool:
		c := e.truth(r[in.A], in.T)
		if in.Imm == 1 {
			c = ts.Not(c)
		}
		r[in.Dst] = ts.Number(c, 64)
	case ir.Conv:
		r[in.Dst] = e.convert(r[in.A], in.T, in.T2)
	case ir.Load:
		v, ok := e.load(st, addr(in.A), in.T.Size)
		if !ok {
			return false
		}
		r[in.Dst] = e.wide(v, in.T)
	case ir.Store:
		return e.store(st, addr(in.A), in.T.Size, e.narrow(r[in.B], in.T))
	case ir.LoadBits:
		return e.loadBits(st, r, in, addr(in.A))
	case ir.StoreBits:
		return e.storeBits(st, r, in, addr(in.A))
	case ir.Copy:
		return e.copyBytes(st, r[in.A], r[in.B], in.Imm)
	case ir.Zero:
		return e.fill(st, r[in.A], in.Imm, ts.Const(0, 8))
	case ir.Local:
		r[in.Dst] = ts.Const(ctype.MakePointer(st.top().objs[in.Imm], 0), 64)
	case ir.Global:
		r[in.Dst] = ts.Const(ctype.MakePointer(e.statics[in.Imm], 0), 64)
	case ir.FuncAddr:
		r[in.Dst] = ts.Const(ctype.MakePointer(e.function(int32(in.Imm)), 0), 64)
	case ir.PtrAdd:
		r[in.Dst] = ts.Bin(smt.OpAdd, r[in.A], ts.Bin(smt.OpMul, r[in.B], ts.Const(uint64(in.Imm), 64)))
	case ir.PtrSub:
		d := ts.Bin(smt.OpSub, r[in.A], r[in.B])
		if in.Imm > 1 {
			d = ts.Bin(smt.OpSDiv, d, ts.Const(uint64(in.Imm), 64))
		}
		r[in.Dst] = d
	case ir.Alloca:
		o := e.newObject(st, machine.Stack, "array", int64(e.known(r[in.A]))*in.Imm, ctype.ArrayOf(in.T, int64(e.known(r[in.A]))))
		r[in.Dst] = ts.Const(ctype.MakePointer(o.id, 0), 64)
	default:
		e.unsupported("%s is not supported on symbols", in.Op)
	}
	return true
}

func (e *Engine) hole(st *State, r []*smt.Term, in *ir.Instr) {
	h := &Hole{ID: int32(in.Imm), N: e.holes, Type: in.T, Stmt: e.stmt}
	e.holes++
	var v *smt.Term
	if e.OnHole != nil {
		h.State = e.clone(st)
		v = e.OnHole(h)
	}
	if v == nil {
		e.unsupported("a component has no value")
	}
	r[in.Dst] = v
}

// fill sets the n bytes that p points to to the byte b. It returns false if the access is an error on every path of the
// state.
func (e *Engine) fill(st *State, p *smt.Term, n int64, b *smt.Term) bool {
	list, ok := e.reach(st, p, n, true)
	if !ok || n == 0 {
		return n == 0 || ok
	}
	for _, t := range list {
		base, known := t.off.IsConst()
		if !known {
			e.unsupported("memory is set at an unknown place")
		}
		o := st.object(t.obj)
		for at := int64(base); at < int64(base)+n; {
			size := int64(1)
			if c, ok := o.cells[at]; ok && at+c.n <= int64(base)+n {
				size = c.n
			}
			v := b
			for i := int64(1); i < size; i++ {
				v = e.Terms.Concat(b, v)
			}
			u := t
			u.off = e.Terms.Const(uint64(at), 64)
			e.change(st, u, size, v, len(list) == 1)
			o = st.object(t.obj)
			at += size
		}
	}
	return true
}

func (e *Engine) convert(v *smt.Term, from, to *ctype.Type) *smt.Term {
	switch {
	case to.Kind == ctype.Void:
		return e.Terms.Const(0, 64)
	case from.Kind == ctype.Float || to.Kind == ctype.Float:
		w, err := ctype.Convert(from, to, e.known(v))
		if err != nil {
			e.unsupported("%v", err)
		}
		return e.Terms.Const(w, 64)
	case to.Kind == ctype.Bool:
		return e.Terms.Number(e.truth(v, from), 64)
	case to.Kind == ctype.Pointer:
		return v
	}
	return e.wide(e.narrow(v, to), to)
}

// bitfield returns the number of bytes that a bit-field occupies.
func bitfield(in *ir.Instr) int64 { return int64(int(in.BitOff)+int(in.BitLen)+7) / 8 }

func (e *Engine) loadBits(st *State, r []*smt.Term, in *ir.Instr, p *smt.Term) bool {
	n := bitfield(in)
	var v *smt.Term
	for i := n - 1; i >= 0; i-- {
		b, ok := e.load(st, e.Terms.Bin(smt.OpAdd, p, e.Terms.Const(uint64(i), 64)), 1)
		if !ok {
			return false
		}
		if v == nil {
			v = b
		} else {
			v = e.Terms.Concat(v, b)
		}
	}
	v = e.Terms.Extract(v, in.BitOff, in.BitLen)
	r[in.Dst] = e.Terms.Extend(v, in.T.Signed, 64)
	return true
}

func (e *Engine) storeBits(st *State, r []*smt.Term, in *ir.Instr, p *smt.Term) bool {
	ts := e.Terms
	for i := int64(0); i < bitfield(in); i++ {
		at := ts.Bin(smt.OpAdd, p, ts.Const(uint64(i), 64))
		list, ok := e.reach(st, at, 1, true)
		if !ok {
			return false
		}
		old, _ := e.fetch(st, list, 1) // the other bits may stay uninitialized
		lo := max(int64(in.BitOff)-8*i, 0)
		hi := min(int64(in.BitOff)+int64(in.BitLen)-8*i, 8)
		v := ts.Extract(r[in.B], uint8(8*i+lo-int64(in.BitOff)), uint8(hi-lo))
		if hi < 8 {
			v = ts.Concat(ts.Extract(old, uint8(hi), uint8(8-hi)), v)
		}
		if lo > 0 {
			v = ts.Concat(v, ts.Extract(old, 0, uint8(lo)))
		}
		for _, t := range list {
			e.change(st, t, 1, v, len(list) == 1)
		}
	}
	v := ts.Extract(r[in.B], 0, in.BitLen)
	r[in.Dst] = ts.Extend(v, in.T.Signed, 64)
	return true
}

// callInstr executes a call. The state is nil if no way is left.
func (e *Engine) callInstr(st *State, in *ir.Instr) (*State, *smt.Term) {
	r := st.top().regs
	args := make([]*smt.Term, len(in.CallX.Args))
	for i, a := range in.CallX.Args {
		args[i] = r[a]
	}
	if i := in.CallX.Func; i >= 0 {
		f := e.Prog.IR.Funcs[i]
		if f.Name == "assert" && len(f.Blocks) == 0 {
			e.fail(st, e.Terms.True, machine.AssertFailed, "assertion `%s' fails", in.CallX.Text)
			return nil, nil
		}
		stmt := e.stmt
		e.dropped = in.CallX.Dropped
		to, v := e.call(st, i, args, in.CallX.Types)
		e.stmt = stmt
		return to, v
	}
	return e.indirect(st, r[in.A], args, in.CallX.Types)
}

// indirect calls every function that a pointer may point to, and merges the results.
func (e *Engine) indirect(st *State, p *smt.Term, args []*smt.Term, types []*ctype.Type) (*State, *smt.Term) {
	ts := e.Terms
	var end *State
	var result *smt.Term
	list := e.targets(p)
	for _, t := range list {
		i, ok := e.codeOf[t.obj]
		if !ok {
			if !e.fail(st, t.cond, machine.BadCall, "call through a pointer that is not a function's") {
				return end, result
			}
			continue
		}
		way := st
		if len(list) > 1 {
			if e.path != nil {
				if !e.path.decide(e, st, t.cond, e.stmt) {
					continue
				}
			} else {
				way = e.clone(st)
			}
			way.PC = ts.And(way.PC, t.cond)
			if way.PC == ts.False {
				continue
			}
		}
		to, v := e.call(way, i, args, types)
		switch {
		case to == nil:
		case end == nil:
			end, result = to, v
		default:
			if v != nil && result != nil {
				result = ts.Ite(to.PC, v, result)
			}
			end = e.merge(end, to)
		}
		if e.path != nil {
			break
		}
	}
	return end, result
}
