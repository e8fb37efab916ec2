package machine

import (
	"errors"

	"gulo/internal/ctype"
)

// This file does the operations on values that do not fit in a word.

// wideOp does the instructions WideBin, WideUn, WideConv and WideBool.
func (m *memory) wideOp(x *inst, fr *frame, r []ctype.Word) *Fault {
	a, f := m.operand(x.in.T, r[x.a])
	if f != nil {
		return f
	}
	if x.op == oWideBool {
		r[x.dst] = b2w(ctype.WideTruth(x.in.T, a) == (x.imm == 0))
		return nil
	}
	var out []byte
	var err error
	t := x.in.T2
	switch x.op {
	case oWideBin:
		b, f := m.operand(x.in.T2, r[x.b])
		if f != nil {
			return f
		}
		t = ctype.WideResult(x.in.BinOp, x.in.T, x.in.T2)
		out, err = ctype.WideBinary(x.in.BinOp, x.in.T, x.in.T2, a, b)
	case oWideUn:
		t = x.in.T
		out, err = ctype.WideUnary(x.in.BinOp, t, a)
	default:
		out, err = ctype.WideConvert(x.in.T, t, a)
	}
	if f := m.wideError(x, t, err); f != nil {
		return f
	}
	if x.imm < 0 {
		r[x.dst] = ctype.Load(t, out)
		return nil
	}
	b := m.object(fr, int(x.imm))
	if m.stack > m.cfg.MaxStack {
		return m.stackFull()
	}
	copy(b.Data, out)
	b.markInit(0, b.Size)
	r[x.dst] = ctype.MakePointer(b.ID, 0)
	if m.cfg.Monitor != nil {
		m.cfg.Monitor.Wrote(r[x.dst], b.Size)
	}
	return nil
}

func (m *control) wideError(x *inst, t *ctype.Type, err error) *Fault {
	switch {
	case err == nil:
	case errors.Is(err, ctype.ErrDivide):
		return m.fault(DivideByZero, 0, "%s by 0 in %s", x.in.BinOp, t)
	case m.cfg.Wrap:
	case errors.Is(err, ctype.ErrOverflow):
		return m.fault(SignedOverflow, 0, "signed overflow in %s on %s", x.in.BinOp, t)
	case errors.Is(err, ctype.ErrShift):
		return m.fault(BadShift, 0, "shift of a %s by too many bits", t)
	case errors.Is(err, ctype.ErrFloatInt):
		return m.fault(FloatRange, 0, "a %s does not fit in %s", x.in.T, t)
	}
	return nil
}

// operand returns the bytes of a value: those that a word has, or those at an
// address. They are not to be changed.
func (m *memory) operand(t *ctype.Type, w ctype.Word) ([]byte, *Fault) {
	if !t.InMemory() {
		b := make([]byte, max(t.Size, 8))
		ctype.Store(t, b, w)
		return b[:t.Size], nil
	}
	b, off, f := m.reading(w, t.Size, false) // of a long double, ten bytes are looked at
	if f != nil {
		return nil, f
	}
	part := t
	if t.Kind == ctype.Complex || t.Kind == ctype.Vector {
		part = t.Elem
	}
	n := part.Size
	if part.Kind == ctype.LongDouble { // the rest is padding
		n = 10
	}
	for i := int64(0); i < t.Size && m.cfg.Monitor != nil; i += part.Size {
		if f := m.cfg.Monitor.Accessing(w+ctype.Word(i), n, ReadAccess); f != nil {
			return nil, f
		}
	}
	for i := int64(0); i < t.Size && !m.cfg.UninitOK; i += part.Size {
		if !b.initialized(off+i, n) {
			return nil, m.badLoad(w+ctype.Word(i), n)
		}
	}
	return b.Data[off : off+t.Size : off+t.Size], nil
}

// label returns the address of a label: an offset in its function's block.
func (m *memory) label(fn int32, i int64) ctype.Word { return m.funcAddr(fn) + ctype.Word(i) + 1 }

// gotoLabel returns where a computed goto leads.
func (m *memory) gotoLabel(fn *code, x *inst, w ctype.Word) (int32, *Fault) {
	id, off := ctype.SplitPointer(w)
	i, ok := m.fnOf[id]
	if !ok || m.funcs[i] != fn || off < 1 || int(off) > len(x.in.Table) {
		return 0, m.fault(BadCall, w, "goto to something that is no label of this function")
	}
	return fn.start[x.in.Table[off-1].Target], nil
}

// argumentSize is the room that a variable argument takes.
func argumentSize(t *ctype.Type) int64 { return room([]*ctype.Type{t}, 0) }
