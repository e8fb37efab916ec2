package lower

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file evaluates constant expressions: initializers of static variables
// and conditions that gcc decides by itself.

type constant struct {
	word  ctype.Word
	reloc bool // an address: of function or object index, plus word
	fn    bool
	index int32
}

// constant evaluates an initializer of a static variable.
func (p *Program) constant(x cfront.Expr) constant {
	c, ok := p.tryConstant(x)
	if !ok {
		refuse(x, "initializer is not a constant expression that gulo can evaluate")
	}
	return c
}

func (p *Program) tryConstant(x cfront.Expr) (constant, bool) {
	switch x := x.(type) {
	case *cfront.Const:
		return constant{word: x.Value}, true
	case *cfront.LabelAddr:
		return constant{reloc: true, fn: true, index: p.function(x.Func), word: ctype.Word(x.Index) + 1}, true
	case *cfront.Decay:
		return p.constAddr(x.X)
	case *cfront.Addr:
		return p.constAddr(x.X)
	case *cfront.FuncRef:
		return p.constAddr(x)
	case *cfront.Cast:
		if x.X.Type().IsWide() {
			return p.wideWord(x)
		}
		c, ok := p.tryConstant(x.X)
		switch {
		case !ok:
		case !c.reloc:
			c.word, _ = ctype.Convert(x.X.Type(), x.Type(), c.word)
		case x.Type().Kind == ctype.Bool: // no object's address is null
			return constant{word: 1}, true
		case x.Type().Size < 8:
			return c, false
		}
		return c, ok
	case *cfront.Part:
		return p.wideWord(x)
	case *cfront.Index:
		return p.character(x)
	case *cfront.Call:
		w, ok := cfront.Folded(x, func(a cfront.Expr) (ctype.Word, bool) {
			c, ok := p.tryConstant(a)
			return c.word, ok && !c.reloc
		})
		return constant{word: w}, ok
	case *cfront.Unary:
		c, ok := p.tryConstant(x.X)
		if !ok || c.reloc {
			return c, false
		}
		c.word, _ = ctype.Unary(x.Op, x.Type(), c.word)
		return c, true
	case *cfront.LogicalNot:
		if x.X.Type().IsWide() {
			a, ok := p.constantBytes(x.X)
			return constant{word: b2w(ok && !ctype.WideTruth(x.X.Type(), a))}, ok
		}
		c, ok := p.tryConstant(x.X)
		return constant{word: b2w(!ctype.Truth(x.X.Type(), c.word))}, ok && !c.reloc
	case *cfront.Binary:
		if wideOperand(x.X, x.Y) {
			return p.wideWord(x)
		}
		return p.constBinary(x)
	case *cfront.Logical:
		a, ok := p.tryConstant(x.X)
		if !ok || a.reloc {
			return a, false
		}
		if t := ctype.Truth(x.X.Type(), a.word); t != x.And {
			return constant{word: b2w(t)}, true
		}
		b, ok := p.tryConstant(x.Y)
		return constant{word: b2w(ctype.Truth(x.Y.Type(), b.word))}, ok && !b.reloc
	case *cfront.Cond:
		c, ok := p.tryConstant(x.C)
		if !ok || c.reloc {
			return c, false
		}
		if ctype.Truth(x.C.Type(), c.word) {
			return p.tryConstant(x.A)
		}
		return p.tryConstant(x.B)
	}
	return constant{}, false
}

// character evaluates "text"[i], of which gcc makes a constant.
func (p *Program) character(x *cfront.Index) (constant, bool) {
	d, _ := x.X.(*cfront.Decay)
	i, ok := p.tryConstant(x.I)
	if d == nil || !ok || i.reloc {
		return constant{}, false
	}
	s, _ := d.X.(*cfront.String)
	size := ctype.Word(x.Type().Size)
	if s == nil || i.word >= ctype.Word(len(s.Bytes))/size {
		return constant{}, false
	}
	return constant{word: ctype.Load(x.Type(), s.Bytes[i.word*size:])}, true
}

// wideWord evaluates an expression that makes a word of wide operands.
func (p *Program) wideWord(x cfront.Expr) (constant, bool) {
	a, ok := p.constantBytes(x)
	if !ok || !x.Type().IsScalar() {
		return constant{}, false
	}
	return constant{word: ctype.Load(x.Type(), a)}, true
}

func b2w(b bool) ctype.Word {
	if b {
		return 1
	}
	return 0
}

func (p *Program) constBinary(x *cfront.Binary) (constant, bool) {
	a, ok1 := p.tryConstant(x.X)
	b, ok2 := p.tryConstant(x.Y)
	if !ok1 || !ok2 {
		return a, false
	}
	if a.reloc && b.reloc && a.fn == b.fn && a.index == b.index && (x.Op == ctype.Sub || x.Op.IsCompare()) {
		if x.Op == ctype.Sub {
			return constant{word: ctype.Word(int64(a.word-b.word) / max(x.X.Type().Elem.Size, 1))}, true
		}
		w, err := ctype.Binary(x.Op, ctype.LongT, a.word, b.word)
		return constant{word: w}, err == nil
	}
	if x.X.Type().Kind == ctype.Pointer && !x.Op.IsCompare() {
		n := int64(b.word) * max(x.X.Type().Elem.Size, 1)
		if x.Op == ctype.Sub {
			n = -n
		}
		if b.reloc || x.Y.Type().Kind == ctype.Pointer {
			return a, false
		}
		a.word += ctype.Word(n)
		return a, true
	}
	if a.reloc || b.reloc {
		return a, false
	}
	w, err := ctype.Binary(x.Op, x.X.Type(), a.word, b.word)
	return constant{word: w}, err == nil
}

// constAddr evaluates the address of an lvalue.
func (p *Program) constAddr(x cfront.Expr) (constant, bool) {
	switch x := x.(type) {
	case *cfront.String:
		return constant{reloc: true, index: p.stringObject(x)}, true
	case *cfront.Compound:
		return constant{reloc: true, index: p.global(x.Var)}, x.Var.Storage == cfront.Static
	case *cfront.FuncRef:
		if target(x.Func) == nil {
			return constant{}, true
		}
		return constant{reloc: true, fn: true, index: p.function(x.Func)}, true
	case *cfront.Ref:
		if x.Var.Storage < cfront.Global {
			return constant{}, false
		}
		return constant{reloc: true, index: p.global(x.Var)}, true
	case *cfront.Member:
		var c constant
		var ok bool
		if x.Arrow {
			c, ok = p.tryConstant(x.X)
		} else {
			c, ok = p.constAddr(x.X)
		}
		c.word += ctype.Word(x.Field.Offset)
		return c, ok
	case *cfront.Deref:
		return p.tryConstant(x.X)
	case *cfront.Index:
		c, ok := p.tryConstant(x.X)
		i, ok2 := p.tryConstant(x.I)
		c.word += i.word * ctype.Word(x.Type().Size)
		return c, ok && ok2 && !i.reloc
	}
	return constant{}, false
}
