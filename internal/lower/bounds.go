package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// element returns the place of x[i]. past is 1 if only its address is taken, which may be one past the end of the array.
func (b *builder) element(x *cfront.Index, past int64) place {
	var base ir.Reg
	var in []member
	if row, ok := rowOf(x); ok {
		p := b.element(row, 0)
		base, in = b.at(p), p.members
	} else if p, ok := b.memberOf(x); ok {
		base, in = b.at(p), p.members
	} else {
		base = b.operand(x.X, x.I)
	}
	i := b.operand(x.I)
	if a := innerArray(x.X); b.opt.Bounds && a != nil {
		b.effect(ir.Bound, a, i, ir.NoReg, a.Len+past)
	}
	a := b.emit(ir.Instr{Op: ir.PtrAdd, Dst: b.newReg(), A: base, B: i, Imm: x.Type().Size})
	return place{base: a, typ: x.Type(), members: in}
}

// rowOf returns the y[j] of y[j][i].
func rowOf(x *cfront.Index) (*cfront.Index, bool) {
	if d, ok := x.X.(*cfront.Decay); ok {
		row, ok := d.X.(*cfront.Index)
		return row, ok
	}
	return nil, false
}

// innerArray returns the type of the array that x points into, if its length is known and it may be only a part of its
// block; else nil. For a whole variable the machine checks the bounds of the block. The last member of a struct is left
// out, since it may be a flexible array whatever its length says, as gcc and clang take it (-fstrict-flex-arrays=0).
func innerArray(x cfront.Expr) *ctype.Type {
	d, ok := x.(*cfront.Decay)
	if !ok || d.X.Type().Kind != ctype.Array || d.X.Type().Len < 0 {
		return nil
	}
	switch a := d.X.(type) {
	case *cfront.Index, *cfront.Deref:
		return d.X.Type()
	case *cfront.Member:
		record := a.X.Type()
		if a.Arrow {
			record = record.Elem
		}
		if !isLast(record, a.Field.Name) {
			return d.X.Type()
		}
	}
	return nil
}

// isLast reports whether a member is the last of its struct or union: record, or an unnamed member of record.
func isLast(record *ctype.Type, name string) bool {
	for i, f := range record.Fields {
		if f.Name == name {
			return i == len(record.Fields)-1
		}
		if _, ok := f.Type.Field(name); ok && f.Name == "" {
			return isLast(f.Type, name)
		}
	}
	return false
}
