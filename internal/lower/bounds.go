package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// element returns the place of x[i]. past is 1 if only its address is taken, which may be one past the end of the array.
func (b *builder) element(x *cfront.Index, past int64) place {
	only := past > 0 || b.taken == cfront.Expr(x) // what is taken is not accessed here, where the bounds of the block would be checked
	if d, ok := x.X.(*cfront.Decay); ok {
		b.row(d.X, 0)
	}
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
	if b.opt.Bounds {
		switch a := arrayOf(x.X); {
		case x.Count != nil && (!variableItself(x.X) || only):
			b.effect(ir.Bound, nil, i, b.value(x.Count), past)
		case a != nil && (only && a.Len > 0 && variableItself(x.X) || innerArray(x.X)):
			b.effect(ir.Bound, a, i, ir.NoReg, a.Len+past)
		}
	}
	a := b.emit(ir.Instr{Op: ir.PtrAdd, Dst: b.newReg(), A: base, B: i, Imm: x.Type().Size})
	return place{base: a, typ: x.Type(), members: in}
}

// accessed returns the address x of what is accessed. Where it is a sum, as in *(a + i), the bounds of the block are checked
// by the access; those of other sums of an array and a number are checked as &a[i] is.
func (b *builder) accessed(x cfront.Expr) ir.Reg {
	b.access, _ = x.(*cfront.Binary)
	return b.value(x)
}

// rowOf returns the y[j] of y[j][i].
func rowOf(x *cfront.Index) (*cfront.Index, bool) {
	if d, ok := x.X.(*cfront.Decay); ok {
		row, ok := d.X.(*cfront.Index)
		return row, ok
	}
	return nil, false
}

// row checks the index of a row of an array of variable length, before its address is used.
func (b *builder) row(x cfront.Expr, past int64) {
	r, ok := x.(*cfront.Deref)
	if !ok || r.Count == nil || !b.opt.Bounds {
		return
	}
	b.effect(ir.Bound, nil, b.value(r.Index), b.value(r.Count), past)
}

// arrayOf returns the type of the array that x was before it became a pointer; nil if it was none or its length is not
// known.
func arrayOf(x cfront.Expr) *ctype.Type {
	d, ok := x.(*cfront.Decay)
	if !ok || d.X.Type().Kind != ctype.Array || d.X.Type().Len <= 0 { // an array of no elements is gcc's old form of a flexible one
		return nil
	}
	return d.X.Type()
}

// variableItself reports whether x was a variable before it became a pointer.
func variableItself(x cfront.Expr) bool {
	d, ok := x.(*cfront.Decay)
	if !ok {
		return false
	}
	_, ok = d.X.(*cfront.Ref)
	return ok
}

// innerArray reports whether the array that x points into may be only a part of its block. For a whole variable the
// machine checks the bounds of the block. The last member of a struct is left
// out, since it may be a flexible array whatever its length says, as gcc and clang take it (-fstrict-flex-arrays=0).
func innerArray(x cfront.Expr) bool {
	d, ok := x.(*cfront.Decay)
	if !ok {
		return false
	}
	switch a := d.X.(type) {
	case *cfront.Index, *cfront.Deref:
		return true
	case *cfront.Member:
		return followed(a)
	}
	return false
}

// followed reports whether something is known to follow a member: another member of its struct, or the struct is an
// element of an array that is a variable, or is itself such a member.
func followed(x *cfront.Member) bool {
	record := x.X.Type()
	if x.Arrow {
		record = record.Elem
	}
	if !isLast(record, x.Field.Name) {
		return true
	}
	if x.Arrow || record.Kind == ctype.Union {
		return false
	}
	switch s := x.X.(type) {
	case *cfront.Member:
		return followed(s)
	case *cfront.Index:
		d, ok := s.X.(*cfront.Decay)
		for ok {
			switch a := d.X.(type) {
			case *cfront.Ref:
				return a.Var.VLALen == nil && a.Type().Kind == ctype.Array && a.Type().Len > 0
			case *cfront.Member:
				return !a.Arrow && variable(a) || followed(a)
			case *cfront.Index:
				d, ok = a.X.(*cfront.Decay)
			default:
				return false
			}
		}
	}
	return false
}

// variable reports whether a member is part of a variable.
func variable(x *cfront.Member) bool {
	switch s := x.X.(type) {
	case *cfront.Ref:
		return !x.Arrow && s.Type().Kind == ctype.Struct
	case *cfront.Member:
		return !x.Arrow && variable(s)
	}
	return false
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

// outermost returns what x is a member of, or a member of a member.
func outermost(x cfront.Expr) cfront.Expr {
	for {
		m, ok := x.(*cfront.Member)
		if !ok || m.Arrow {
			return x
		}
		x = m.X
	}
}
