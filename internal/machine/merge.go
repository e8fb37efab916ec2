package machine

import (
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/lower"
)

// This file makes the code of runs into which nobody looks: no statement is stopped at, nothing
// is traced or watched, no edit is laid over it. Copies of registers are followed back to what
// they copy, what then has no use is left out, results go where they were moved to, and what
// often comes together is one instruction (quick.go). All of it stays within a basic block.
// What a program does is the same, as are its faults; only steps are counted by blocks.

// quick reports whether the machine runs merged code.
func (c *Config) quick() bool {
	return !c.plain && !c.Debug && !c.Trace && c.Monitor == nil && !c.Overlays && !c.threads
}

// merger makes the merged code of one function.
type merger struct {
	m      *loaded
	c      *code
	home   []int32 // by register: 1 more than the block that alone has it; manyBlocks; 0 for none
	uses   []int32 // by register: how often the block at hand uses it
	defs   []int32 // and how often it is set there
	live   []bool  // by register, scanning a block backwards
	blocks [][]ir.Instr
	code   [][]inst
}

const manyBlocks = -1

func (m *loaded) mergeFunc(c *code) {
	n := c.ir.NumRegs
	g := &merger{m: m, c: c, home: make([]int32, n), uses: make([]int32, n), defs: make([]int32, n), live: make([]bool, n)}
	again := g.comesAgain()
	g.findHomes()
	g.blocks = make([][]ir.Instr, len(c.ir.Blocks))
	g.code = make([][]inst, len(c.ir.Blocks))
	for i, b := range c.ir.Blocks {
		g.blocks[i] = slices.DeleteFunc(slices.Clone(b.Instrs), func(in ir.Instr) bool { return in.Op == ir.Nop })
		if !again {
			g.follow(i)
			g.omit(i)
			g.forward(i)
		}
		g.emit(i, int32(len(b.Instrs)))
	}
	g.layOut()
}

// comesAgain reports whether the function makes a call that may return twice, such as setjmp. Its
// registers are left alone then.
func (g *merger) comesAgain() bool {
	for _, b := range g.c.ir.Blocks {
		for i := range b.Instrs {
			if x := b.Instrs[i].CallX; x != nil && x.Func >= 0 && slices.Contains(lower.ReturnsTwice, g.m.prog.IR.Funcs[x.Func].Name) {
				return true
			}
		}
	}
	return false
}

// operands calls f for each register that an instruction reads.
func operands(in *ir.Instr, f func(*ir.Reg)) {
	switch in.Op {
	case ir.Nop, ir.Local, ir.Global, ir.FuncAddr, ir.LabelAddr, ir.Jump, ir.Unreachable, ir.Opaque, ir.NoValue:
		return
	case ir.Call:
		if in.CallX.Func < 0 {
			f(&in.A)
		}
		for i := range in.CallX.Args {
			f(&in.CallX.Args[i])
		}
		return
	case ir.Bin, ir.Store, ir.StoreBits, ir.Copy, ir.PtrAdd, ir.PtrSub, ir.WideBin:
		f(&in.B)
	}
	if in.A >= 0 {
		f(&in.A)
	}
}

// findHomes finds the registers that are used in one block only, and set there before they are read.
func (g *merger) findHomes() {
	fixed := func(r ir.Reg) {
		if r >= 0 {
			g.home[r] = manyBlocks
		}
	}
	fixed(g.c.ir.SRet)
	for _, p := range g.c.ir.Params {
		fixed(p.Reg)
	}
	for _, k := range g.c.ir.Consts {
		fixed(k.Reg)
	}
	for i, b := range g.c.ir.Blocks {
		here := int32(i) + 1
		for j := range b.Instrs {
			in := &b.Instrs[j]
			operands(in, func(r *ir.Reg) {
				if g.home[*r] != here {
					g.home[*r] = manyBlocks
				}
			})
			if d := in.Dst; d >= 0 && g.home[d] != here {
				if g.home[d] == 0 {
					g.home[d] = here
				} else {
					g.home[d] = manyBlocks
				}
			}
		}
	}
}

// dies reports whether a register has no value that matters at the end of a block.
func (g *merger) dies(r ir.Reg, block int) bool { return r >= 0 && g.home[r] == int32(block)+1 }

// mostCopies bounds the copies that are followed at a time.
const mostCopies = 16

// follow makes a block use what was copied instead of the copy.
func (g *merger) follow(block int) {
	type pair struct{ copy, of ir.Reg }
	var known []pair
	for i := range g.blocks[block] {
		in := &g.blocks[block][i]
		if in.CallX != nil {
			x := *in.CallX
			x.Args = slices.Clone(x.Args)
			in.CallX = &x
		}
		operands(in, func(r *ir.Reg) {
			for _, k := range known {
				if k.copy == *r {
					*r = k.of
					break
				}
			}
		})
		if in.Op == ir.Conv && sameWord(in.T, in.T2) {
			in.Op = ir.Move
		}
		if in.Dst < 0 {
			continue
		}
		known = slices.DeleteFunc(known, func(k pair) bool { return k.copy == in.Dst || k.of == in.Dst })
		if in.Op == ir.Move && in.A != in.Dst && g.dies(in.Dst, block) {
			if len(known) == mostCopies {
				known = known[1:]
			}
			known = append(known, pair{in.Dst, in.A})
		}
	}
}

// sameWord reports whether converting leaves every word as it is.
func sameWord(from, to *ctype.Type) bool {
	if to.Kind == ctype.Pointer {
		to = ctype.ULongT
	}
	if from.Kind == ctype.Pointer {
		from = ctype.ULongT
	}
	if from.Kind != ctype.Int && from.Kind != ctype.Bool || to.Kind != ctype.Int || to.Bits > 0 || from.Bits > 0 {
		return false
	}
	switch {
	case to.Size == 8:
		return true
	case from.Size == to.Size:
		return from.Kind == ctype.Int && from.Signed == to.Signed
	}
	return from.Size < to.Size && (to.Signed || !from.Signed)
}

// idle reports whether an instruction does nothing but set its register.
func idle(in *ir.Instr) bool {
	switch in.Op {
	case ir.Move, ir.Global, ir.PtrAdd, ir.Bool:
		return true
	case ir.Conv:
		return in.T.Kind == ctype.Int && in.T2.Kind == ctype.Int
	case ir.Bin:
		return in.BinOp.IsCompare()
	}
	return false
}

// omit leaves out what sets registers that nobody reads.
func (g *merger) omit(block int) {
	list := g.blocks[block]
	for i := len(list) - 1; i >= 0; i-- {
		in := &list[i]
		if d := in.Dst; d >= 0 {
			if !g.live[d] && idle(in) && g.dies(d, block) || in.Op == ir.Move && in.A == d {
				in.Op = ir.Nop
				continue
			}
			g.live[d] = false
		}
		operands(in, func(r *ir.Reg) { g.live[*r] = true })
	}
	for i := range list {
		operands(&list[i], func(r *ir.Reg) { g.live[*r] = false })
	}
	g.blocks[block] = slices.DeleteFunc(list, func(in ir.Instr) bool { return in.Op == ir.Nop })
}

// forward gives an instruction the register that its result is moved to next.
func (g *merger) forward(block int) {
	list := g.blocks[block]
	for i := 1; i < len(list); i++ {
		by, in := &list[i-1], &list[i]
		if in.Op != ir.Move || by.Dst != in.A || in.A == in.Dst || !g.dies(in.A, block) || ownPlace(by) || g.returnsLoaded(by, in) || !renamed(list[i+1:], in.A, in.Dst) {
			continue
		}
		by.Dst, in.Op = in.Dst, ir.Nop
	}
	g.blocks[block] = slices.DeleteFunc(list, func(in ir.Instr) bool { return in.Op == ir.Nop })
}

// returnsLoaded reports whether a move gives the function's result a value that another statement has loaded. The move has
// to stay, as an uninitialized value counts as used there.
func (g *merger) returnsLoaded(by, move *ir.Instr) bool {
	return by.Op == ir.Load && by.Stmt != move.Stmt && int32(move.Dst) == g.c.result()
}

// ownPlace reports whether what an instruction sets is the address of an object of its own.
func ownPlace(in *ir.Instr) bool { return in.Op >= ir.WideBin && in.Op <= ir.WideBool }

// mostRenamed bounds how far renamed looks.
const mostRenamed = 64

// renamed makes a list of instructions read register to instead of from, as long as the two have the
// same value. It reports false, and changes nothing, if from is read after that or the list is too long.
func renamed(list []ir.Instr, from, to ir.Reg) bool {
	end, lost := len(list), false
	for i := range list {
		used := false
		operands(&list[i], func(r *ir.Reg) { used = used || *r == from })
		if used && lost || i >= mostRenamed {
			return false
		}
		if list[i].Dst == from {
			end = i + 1
			break
		}
		lost = lost || list[i].Dst == to
	}
	for i := range list[:end] {
		operands(&list[i], func(r *ir.Reg) {
			if *r == from {
				*r = to
			}
		})
	}
	return true
}

// emit makes a block's code; steps is how many instructions it stands for.
func (g *merger) emit(block int, steps int32) {
	list := g.blocks[block]
	for i := range list {
		operands(&list[i], func(r *ir.Reg) { g.uses[*r]++ })
		if d := list[i].Dst; d >= 0 {
			g.defs[d]++
		}
	}
	// once reports whether what an instruction sets is read by one other only.
	once := func(in *ir.Instr) bool {
		return g.dies(in.Dst, block) && g.uses[in.Dst] == 1 && g.defs[in.Dst] == 1
	}
	out := make([]inst, 0, len(list))
	for i := 0; i < len(list); i++ {
		in := &list[i]
		if i+1 < len(list) && once(in) {
			if x, ok := g.pair(in, &list[i+1]); ok {
				out = append(out, x)
				i++
				continue
			}
		}
		out = append(out, g.single(in))
	}
	for i := range list {
		operands(&list[i], func(r *ir.Reg) { g.uses[*r] = 0 })
		if d := list[i].Dst; d >= 0 {
			g.defs[d] = 0
		}
	}
	out[len(out)-1].steps = steps
	g.code[block] = out
}

// pair merges an instruction and the next, which alone uses what it sets.
func (g *merger) pair(in, next *ir.Instr) (inst, bool) {
	if next.A != in.Dst || next.Op == ir.Call {
		return inst{}, false
	}
	x := g.single(next)
	switch {
	case next.Op == ir.Branch && x.imm == 0 && in.Op == ir.Bin && in.BinOp.IsCompare() && in.T.Kind != ctype.Float:
		x.op, x.a, x.b = branchOp(in), int32(in.A), int32(in.B)
		if in.BinOp == ctype.Gt || in.BinOp == ctype.Ge {
			x.a, x.b = x.b, x.a
		}
		return x, true
	case next.Op == ir.Branch && x.imm == 0 && in.Op == ir.Bool && in.T.Kind != ctype.Float:
		x.a = int32(in.A)
		if in.Imm != 0 {
			x.target, x.other = x.other, x.target
		}
		return x, true
	case in.Op == ir.PtrAdd && next.Imm == int64(int32(next.Imm)):
		at, ok := indexed[x.op]
		if !ok {
			return x, false
		}
		if next.Op == ir.Store {
			x.dst = int32(next.B)
		}
		x.op = at
		x.a, x.b, x.imm, x.other = int32(in.A), int32(in.B), in.Imm, int32(next.Imm)
		return x, true
	}
	return x, false
}

// indexed gives the opcode that accesses an element of an array for each that accesses an address.
var indexed = map[opcode]opcode{
	oLoadS32: oAtS32, oLoad64: oAt64, oLoadU8: oAtU8, oLoadS8: oAtS8, oLoadU32: oAtU32, oLoadU16: oAtU16, oLoadS16: oAtS16,
	oStore32: oPut32, oStore64: oPut64, oStore8: oPut8, oStore16: oPut16,
}

func branchOp(in *ir.Instr) opcode {
	less := in.BinOp == ctype.Lt || in.BinOp == ctype.Gt
	switch {
	case in.BinOp == ctype.Eq:
		return oIfEq
	case in.BinOp == ctype.Ne:
		return oIfNe
	case less && in.T.Signed:
		return oIfLtS
	case less:
		return oIfLtU
	case in.T.Signed:
		return oIfLeS
	}
	return oIfLeU
}

// single translates an instruction, and knows more operations than translate.
func (g *merger) single(in *ir.Instr) inst {
	x := g.m.translate(in)
	t := in.T
	switch {
	case x.op == oLoad && t.Kind == ctype.Int && t.Bits == 0:
		switch {
		case t.Size == 4:
			x.op = oLoadU32
		case t.Size == 2 && t.Signed:
			x.op = oLoadS16
		case t.Size == 2:
			x.op = oLoadU16
		}
	case x.op == oStore && t.Size == 2 && t.Kind == ctype.Int:
		x.op = oStore16
	case x.op == oConv && in.T2.Kind == ctype.Int && in.T2.Bits == 0 && (t.Kind == ctype.Int || t.Kind == ctype.Pointer):
		x.op = wrapOp(in.T2)
	case x.op == oBin && t.Kind == ctype.Int && t.Bits == 0:
		x.op = integerOp(in.BinOp, t)
	case x.op == oBin && t.Kind == ctype.Float && t.Size == 8 && in.BinOp >= ctype.Add && in.BinOp <= ctype.Div:
		x.op = oAddF + opcode(in.BinOp-ctype.Add)
	}
	return x
}

func wrapOp(t *ctype.Type) opcode {
	switch {
	case t.Size == 1 && !t.Signed:
		return oWrapU8
	case t.Size == 1:
		return oWrapS8
	case t.Size == 2 && !t.Signed:
		return oWrapU16
	case t.Size == 2:
		return oWrapS16
	case t.Size == 4 && !t.Signed:
		return oWrapU32
	case t.Size == 4:
		return oSext32
	}
	return oMove
}

func integerOp(op ctype.Op, t *ctype.Type) opcode {
	switch {
	case op == ctype.Shr && t.Signed:
		return oShrS
	case op == ctype.Shr:
		return oShrU
	case op == ctype.Shl && t.Size == 8:
		return oShl64
	case op == ctype.Shl && t.Size == 4 && t.Signed:
		return oShlS32
	case op == ctype.Shl && t.Size == 4:
		return oShlU32
	case (op == ctype.Div || op == ctype.Rem) && t.Signed:
		return map[ctype.Op]opcode{ctype.Div: oDivS, ctype.Rem: oRemS}[op]
	case op == ctype.Div:
		return oDivU
	case op == ctype.Rem:
		return oRemU
	case t.Size == 4 && !t.Signed && op == ctype.Add:
		return oAddU32
	case t.Size == 4 && !t.Signed && op == ctype.Sub:
		return oSubU32
	case t.Size == 4 && !t.Signed && op == ctype.Mul:
		return oMulU32
	case t.Size == 8 && !t.Signed && op == ctype.Mul:
		return oMulU64
	}
	return oBin
}

// mostInlined bounds the block that is put in the place of a jump to it: the condition of a loop.
const mostInlined = 4

// layOut puts the blocks one after another. Jumps to the next are left out, and those to a short
// block that ends in a branch become that block.
func (g *merger) layOut() {
	c := g.c
	c.start = make([]int32, len(g.code))
	through := func(t int32) int32 {
		for range 8 {
			if len(g.code[t]) != 1 || g.code[t][0].op != oJump {
				break
			}
			t = g.code[t][0].target
		}
		return t
	}
	for i, list := range g.code {
		c.start[i] = int32(len(c.code))
		last := list[len(list)-1]
		if last.op != oJump {
			c.code = append(c.code, list...)
			continue
		}
		c.code = append(c.code, list[:len(list)-1]...)
		to := through(last.target)
		if to == int32(i)+1 {
			continue
		}
		if next := g.code[to]; len(next) <= mostInlined && branches(next[len(next)-1].op) {
			c.code = append(c.code, next...)
			c.code[len(c.code)-1].steps += last.steps
			continue
		}
		c.code = append(c.code, last)
	}
	for i := range c.code {
		switch x := &c.code[i]; {
		case branches(x.op):
			x.target, x.other = c.start[through(x.target)], c.start[through(x.other)]
		case x.op == oJump || x.op == oSwitch:
			x.target = c.start[through(x.target)]
		}
	}
}

func branches(op opcode) bool { return op == oBranch || op >= oIfEq && op <= oIfLeU }
