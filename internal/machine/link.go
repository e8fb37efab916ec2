package machine

import (
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file turns ir into the flat, specialized code that exec runs.

type opcode uint8

const (
	oNop opcode = iota
	oStmt
	oAgain // as oStmt, unless its statement is the one that has begun last
	oMove
	oConst // dst = imm; in overlays
	oBin   // general
	oAdd32
	oSub32
	oMul32
	oAdd64
	oSub64
	oAddU
	oSubU
	oAnd
	oOr
	oXor
	oEq
	oNe
	oLtS
	oLeS
	oGtS
	oGeS
	oLtU
	oLeU
	oGtU
	oGeU
	oUn
	oBool
	oConv
	oSext32
	oLoad
	oLoadS32
	oLoad64
	oLoadU8
	oLoadS8
	oStore
	oStore32
	oStore64
	oStore8
	oLoadBits
	oStoreBits
	oMember // see member.go
	oCopy
	oZero
	oLocal
	oGlobal
	oFuncAddr
	oPtrAdd
	oPtrSub
	oAlloca
	oVaStart
	oVaArg
	oWideBin
	oWideUn
	oWideConv
	oWideBool
	oLabelAddr
	oEnd
	oCall
	oJump
	oBranch
	oSwitch
	oRet
	oUnreachable
	oNoValue
	oBound
	oOpaque
	oGoto
	oHeld // does what the instruction was (inst.was), and looks at values that were never written (unset.go)

	// Of merged code alone.
	oAddU32
	oSubU32
	oMulU32
	oMulU64
	oShlS32
	oShlU32
	oShl64
	oShrS
	oShrU
	oDivS
	oDivU
	oRemS
	oRemU
	oAddF
	oSubF
	oMulF
	oDivF
	oWrapU8
	oWrapS8
	oWrapU16
	oWrapS16
	oWrapU32
	oLoadU32
	oLoadU16
	oLoadS16
	oStore16
	oAtS32 // dst = *(a + b*imm + other)
	oAt64
	oAtU8
	oAtS8
	oAtU32
	oAtU16
	oAtS16
	oPut32 // *(a + b*imm + other) = dst
	oPut64
	oPut8
	oPut16
	oIfEq // to target when a == b, else to other
	oIfNe
	oIfLtS
	oIfLeS
	oIfLtU
	oIfLeU
)

type inst struct {
	op      opcode
	was     opcode // oHeld: what it was
	dst     int32
	a, b    int32
	target  int32
	other   int32
	stmt    int32
	imm     int64
	in      *ir.Instr // what is needed rarely
	builtin builtin   // oCall of a library function
	steps   int32     // merged code, at the end of a block: how many instructions it stands for
	callee  int32     // 1 more than the index of the function that is called; 0: none of the program
}

// code is a linked function.
type code struct {
	ir    *ir.Func
	name  string
	code  []inst
	nregs int
	start []int32   // first instruction of each block
	place [][]int32 // place[block][i]: where instruction i went
	pool  [][]*Block

	shared  bool     // the instructions are those of other machines, too
	returns struct { // the register that it returns, see result
		reg   int32
		known bool
	}
	held map[int32]bool // registers that have held an uninitialized value, see unset.go
}

// own copies shared instructions before they change.
func (c *code) own() {
	if c.shared {
		c.code, c.shared = slices.Clone(c.code), false
	}
}

// linked is the key under which a program keeps its code, which machines share (lower.Program.Kept).
// Code in which statements can be stopped at, and merged code, are kept apart.
type linked struct{ debug, quick bool }

func (m *loaded) link() {
	key := linked{m.cfg.Debug, m.cfg.quick()}
	list, _ := m.prog.Kept.Load(key)
	kept, _ := list.([]*code)
	if len(kept) != len(m.prog.IR.Funcs) { // overlays may have added some
		kept = make([]*code, len(m.prog.IR.Funcs))
		for i, f := range m.prog.IR.Funcs {
			kept[i] = &code{ir: f, name: f.Name, nregs: f.NumRegs, shared: true}
			if key.quick {
				m.mergeFunc(kept[i])
			} else {
				m.linkFunc(kept[i])
			}
		}
		m.prog.Kept.Store(key, kept)
	}
	own := make([]code, len(kept))
	m.funcs = make([]*code, len(kept))
	for i, c := range kept {
		own[i] = *c
		m.funcs[i] = &own[i]
		own[i].pool = make([][]*Block, len(c.ir.Objects))
		if m.cfg.Overlays {
			own[i].nregs += overlayRegs
		}
	}
}

func (m *loaded) linkFunc(c *code) {
	c.start = make([]int32, len(c.ir.Blocks))
	c.place = make([][]int32, len(c.ir.Blocks))
	for i, b := range c.ir.Blocks {
		c.start[i] = int32(len(c.code))
		for j := range b.Instrs {
			in := &b.Instrs[j]
			c.place[i] = append(c.place[i], int32(len(c.code)))
			if in.Start && m.cfg.Debug {
				c.code = append(c.code, inst{op: oStmt, stmt: in.Stmt})
			}
			if in.Again && m.cfg.Debug {
				c.code = append(c.code, inst{op: oAgain, stmt: in.Stmt})
			}
			if in.Op == ir.Nop && in.T == nil {
				continue
			}
			c.code = append(c.code, m.translate(in))
		}
	}
	for i := range c.code {
		x := &c.code[i]
		switch x.op {
		case oJump, oBranch, oSwitch:
			x.target = c.start[x.target]
			x.other = c.start[x.other]
		}
	}
}

// plain are the operations that have one opcode.
var plain = [...]opcode{
	ir.Move: oMove, ir.Un: oUn, ir.Bool: oBool, ir.LoadBits: oLoadBits, ir.StoreBits: oStoreBits,
	ir.Copy: oCopy, ir.Zero: oZero, ir.Local: oLocal, ir.Global: oGlobal, ir.FuncAddr: oFuncAddr,
	ir.PtrAdd: oPtrAdd, ir.PtrSub: oPtrSub, ir.Alloca: oAlloca, ir.End: oEnd, ir.VaStart: oVaStart, ir.VaArg: oVaArg,
	ir.Jump: oJump, ir.Branch: oBranch, ir.Switch: oSwitch, ir.Ret: oRet, ir.Unreachable: oUnreachable, ir.NoValue: oNoValue, ir.Bound: oBound, ir.Opaque: oOpaque,
	ir.WideBin: oWideBin, ir.WideUn: oWideUn, ir.WideConv: oWideConv, ir.WideBool: oWideBool,
	ir.LabelAddr: oLabelAddr, ir.Goto: oGoto,
}

func (m *loaded) translate(in *ir.Instr) inst {
	x := inst{dst: int32(in.Dst), a: int32(in.A), b: int32(in.B), imm: in.Imm, stmt: in.Stmt, in: in, target: in.Target, other: in.Else}
	switch in.Op {
	case ir.Nop:
		x.op = oMember
	case ir.Bin:
		x.op = binOp(in)
	case ir.Load:
		x.op = loadOp(in.T)
	case ir.Store:
		x.op = storeOp(in.T)
	case ir.Conv:
		x.op = oConv
		if in.T2.Kind == ctype.Int && in.T2.Width() == 32 && in.T2.Signed && in.T.Kind != ctype.Float {
			x.op = oSext32
		}
	case ir.Call:
		x.op = oCall
		if i := in.CallX.Func; i >= 0 {
			f := m.prog.IR.Funcs[i]
			if f.Blocks != nil && (m.funcs == nil || int(i) < len(m.funcs)) {
				x.callee = i + 1
			} else {
				x.builtin = builtins[f.Name]
			}
		}
	default:
		x.op = plain[in.Op]
		if in.Op == ir.Branch && in.T.Kind == ctype.Float {
			x.op = oBranch // -0.0 is false: handled there
			x.imm = 1
		}
	}
	return x
}

func binOp(in *ir.Instr) opcode {
	t := in.T
	if t.Kind == ctype.Float || t.Bits > 0 && (in.BinOp < ctype.And || in.BinOp > ctype.Xor && !in.BinOp.IsCompare()) {
		return oBin
	}
	signed := t.Signed
	switch in.BinOp {
	case ctype.Add, ctype.Sub, ctype.Mul:
		i := int(in.BinOp - ctype.Add)
		switch {
		case signed && t.Size == 4:
			return [...]opcode{oAdd32, oSub32, oMul32}[i]
		case signed && t.Size == 8:
			return [...]opcode{oAdd64, oSub64, oBin}[i]
		case t.Size == 8:
			return [...]opcode{oAddU, oSubU, oBin}[i]
		}
		return oBin
	case ctype.And:
		return oAnd
	case ctype.Or:
		return oOr
	case ctype.Xor:
		return oXor
	case ctype.Eq:
		return oEq
	case ctype.Ne:
		return oNe
	case ctype.Lt, ctype.Le, ctype.Gt, ctype.Ge:
		i := int(in.BinOp - ctype.Lt)
		if signed {
			return [...]opcode{oLtS, oLeS, oGtS, oGeS}[i]
		}
		return [...]opcode{oLtU, oLeU, oGtU, oGeU}[i]
	}
	return oBin
}

func loadOp(t *ctype.Type) opcode {
	switch {
	case t.Size == 8:
		return oLoad64
	case t.Size == 4 && t.Kind == ctype.Int && t.Signed:
		return oLoadS32
	case t.Size == 1 && t.Kind == ctype.Int && t.Signed:
		return oLoadS8
	case t.Size == 1:
		return oLoadU8
	}
	return oLoad
}

func storeOp(t *ctype.Type) opcode {
	switch t.Size {
	case 8:
		return oStore64
	case 4:
		return oStore32
	case 1:
		return oStore8
	}
	return oStore
}
