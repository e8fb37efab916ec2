package cfront

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file makes new nodes, as edits need them, and prints expressions.

// NewRef returns a use of v.
func NewRef(v *Var) Expr {
	e := &Ref{Var: v}
	e.typ = v.Type
	return e
}

// NewMember returns x->f for a pointer x, x.f for a struct.
func NewMember(x Expr, f ctype.Field) Expr {
	e := &Member{X: x, Arrow: x.Type().Kind == ctype.Pointer, Field: f}
	e.typ = f.ValueType()
	return e
}

// NewDeref returns *x.
func NewDeref(x Expr) Expr {
	e := &Deref{X: x}
	e.typ = x.Type().Elem
	return e
}

// NewConst returns the constant w of a scalar type, with a spelling for C text.
func NewConst(t *ctype.Type, w ctype.Word) Expr {
	e := &Const{Value: w}
	e.typ = t
	switch {
	case t.Kind == ctype.Pointer && w == 0:
		e.Spell = "NULL"
	case t.Kind == ctype.Float:
		e.Spell = strconv.FormatFloat(ctype.FloatOf(t, w), 'g', -1, int(8*t.Size))
		if !strings.ContainsAny(e.Spell, ".e") {
			e.Spell += ".0"
		}
	case t.Signed:
		e.Spell = strconv.FormatInt(int64(w), 10)
	default:
		e.Spell = strconv.FormatUint(w, 10)
		if w > math.MaxInt64 || t.Size == 4 && w > math.MaxInt32 { // without it, another type or none
			e.Spell += "u"
		}
	}
	return e
}

// NewSpelled returns a constant with a given spelling, such as the name of an enumerator.
func NewSpelled(t *ctype.Type, w ctype.Word, spell string) Expr {
	e := &Const{Value: w, Spell: spell}
	e.typ = t
	return e
}

// Decayed returns an array converted to a pointer to its first element, and any other expression as it is.
func Decayed(x Expr) Expr {
	if t := x.Type(); t.Kind == ctype.Array {
		d := &Decay{X: x}
		d.typ = ctype.PointerTo(t.Elem)
		return d
	}
	return x
}

// Converted returns x with C's implicit conversion to a type.
func Converted(x Expr, t *ctype.Type) Expr { return newConverter().convertTo(x, t) }

// NewCond returns c ? a : b, or nil unless a and b are integers.
func NewCond(c, a, b Expr) Expr {
	if !a.Type().IsInteger() || !b.Type().IsInteger() {
		return nil
	}
	conv := newConverter()
	t := ctype.Common(a.Type(), b.Type())
	e := &Cond{C: c, A: conv.convertTo(a, t), B: conv.convertTo(b, t)}
	e.typ = t
	return e
}

// NewBinary returns x op y, or nil when the types do not fit.
func NewBinary(op ctype.Op, x, y Expr) (e Expr) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(*source.Error); !ok {
				panic(r)
			}
			e = nil
		}
	}()
	return newConverter().binary(op, x, y)
}

// NewUnary returns -x or ~x.
func NewUnary(op ctype.Op, x Expr) Expr {
	e := &Unary{Op: op, X: newConverter().promote(x)}
	e.typ = e.X.Type()
	return e
}

// NewFuncRef returns a use of a function's name as the callee of a call.
func NewFuncRef(f *Func) Expr {
	e := &FuncRef{Func: f}
	e.typ = f.Type
	return e
}

// NewCall returns f(args).
func NewCall(f *Func, args []Expr) Expr {
	e := &Call{Fun: NewFuncRef(f), Args: args}
	e.typ = f.Type.Result
	return e
}

// NewSizeof returns a constant that is spelled sizeof(t).
func NewSizeof(t *ctype.Type) Expr {
	e := &Const{Value: ctype.Word(t.Size), Spell: "sizeof(" + t.String() + ")"}
	e.typ = ctype.ULongT
	return e
}

// NewLogical returns x && y or x || y.
func NewLogical(and bool, x, y Expr) Expr {
	e := &Logical{And: and, X: x, Y: y}
	e.typ = ctype.IntT
	return e
}

// NewNot returns !x.
func NewNot(x Expr) Expr {
	e := &LogicalNot{X: x}
	e.typ = ctype.IntT
	return e
}

// NewAssign returns l = r.
func NewAssign(l, r Expr) Expr {
	e := &Assign{L: l, R: newConverter().convertTo(r, l.Type())}
	e.typ = l.Type()
	return e
}

// NewCompound returns l op= r for integers l and r.
func NewCompound(op ctype.Op, l, r Expr) Expr {
	c := newConverter()
	e := &Assign{L: l, HasOp: true, Op: op, OpType: c.promote(l).Type()}
	e.typ = l.Type()
	if r = c.promote(r); op == ctype.Shl || op == ctype.Shr {
		e.R = r
		return e
	}
	e.OpType = ctype.Common(e.OpType, r.Type())
	e.R = c.convertTo(r, e.OpType)
	return e
}

// NewIndex returns x[i]. It returns nil unless x is an array or a pointer with elements of known size, and i an integer.
func NewIndex(x, i Expr) Expr {
	c := newConverter()
	x = c.decay(x)
	if x.Type().Kind != ctype.Pointer || x.Type().Elem.Size == 0 || !i.Type().IsInteger() {
		return nil
	}
	e := &Index{X: x, I: c.convertTo(c.promote(i), ctype.LongT)}
	e.typ = x.Type().Elem
	return e
}

// Text returns an expression as C text: the bytes of the source where it was written there, else a
// rendering with the parentheses that are needed.
func Text(x Expr) string { return text(x, 0) }

// Writable reports whether Text can write an expression as C. Expressions out of a macro's body may have no text, for
// example a compound literal among the arguments or a variable without a name.
func Writable(x Expr) bool {
	ok := true
	Walk(x, func(y Expr) bool {
		if y.Editable() || y.(interface{ base() *expr }).base().spelt != "" {
			return false
		}
		switch y := y.(type) {
		case *Ref:
			ok = ok && y.Var.Name != ""
		case *Const, *WideConst, *FuncRef, *Decay, *Cast, *Unary, *LogicalNot, *Deref, *Addr, *Member, *Index, *Binary, *Logical, *Cond, *Assign, *Comma, *IncDec, *Call:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// spelled returns the text of a constant and its precedence. A constant without a spelling, such as one that a macro
// computes from its arguments, is written as a number with the suffix of its type.
func spelled(x *Const) (string, int) {
	if x.Spell != "" || x.typ == nil || !x.typ.IsInteger() {
		return x.Spell, precPost
	}
	suffix := "" // its type counts, too: n * 8u has 32 bits
	if x.typ.Size >= 4 && !x.typ.Signed {
		suffix = "u"
	}
	if x.typ.Size > 4 {
		suffix += "l"
	}
	if n := int64(x.Value); x.typ.Signed && n < 0 {
		return fmt.Sprint(n) + suffix, precUnary
	}
	return fmt.Sprint(uint64(x.Value)) + suffix, precPost
}

// Precedences, low to high.
const (
	precComma = iota
	precAssign
	precCond
	precOr
	precAnd
	precBinary
	precUnary = 20
	precPost  = 21
)

func text(x Expr, min int) string {
	s, p := render2(x)
	if p < min && !enclosed(s) {
		return "(" + s + ")"
	}
	return s
}

// enclosed reports whether a text stands in one pair of parentheses.
func enclosed(s string) bool {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") || strings.ContainsAny(s, "'\"") {
		return false
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(s)-1 {
				return false
			}
		}
	}
	return true
}

var binPrec = map[ctype.Op]int{ctype.Or: 6, ctype.Xor: 7, ctype.And: 8, ctype.Eq: 9, ctype.Ne: 9, ctype.Lt: 10, ctype.Le: 10, ctype.Gt: 10, ctype.Ge: 10,
	ctype.Shl: 11, ctype.Shr: 11, ctype.Add: 12, ctype.Sub: 12, ctype.Mul: 13, ctype.Div: 13, ctype.Rem: 13}

func render(x Expr) (string, int) {
	switch x := x.(type) {
	case *Const:
		return spelled(x)
	case *WideConst:
		return x.Spell, precPost
	case *Ref:
		return x.Var.Name, precPost
	case *FuncRef:
		return x.Func.Name, precPost
	case *Decay:
		return text(x.X, 0), precPost
	case *Cast:
		if x.Implicit {
			return render2(x.X)
		}
		return "(" + x.typ.String() + ")" + text(x.X, precUnary), precUnary
	case *Unary:
		return prefixed(x.Op.String(), text(x.X, precUnary)), precUnary
	case *LogicalNot:
		return "!" + text(x.X, precUnary), precUnary
	case *Deref:
		return "*" + text(x.X, precUnary), precUnary
	case *Addr:
		return prefixed("&", text(x.X, precUnary)), precUnary
	case *Member:
		op := "."
		switch {
		case x.Field.Name == "": // a vector as an array
			op = ""
		case x.Arrow:
			op = "->"
		}
		return text(x.X, precPost) + op + x.Field.Name, precPost
	case *Index:
		return text(x.X, precPost) + "[" + text(x.I, 0) + "]", precPost
	case *Binary:
		p := binPrec[x.Op]
		return text(x.X, p) + " " + x.Op.String() + " " + text(x.Y, p+1), p
	case *Logical:
		if x.And {
			return text(x.X, precAnd) + " && " + text(x.Y, precAnd+1), precAnd
		}
		return text(x.X, precOr) + " || " + text(x.Y, precOr+1), precOr
	case *Cond:
		return text(x.C, precCond+1) + " ? " + text(x.A, precAssign) + " : " + text(x.B, precCond), precCond
	case *Assign:
		op := " = "
		if x.HasOp {
			op = " " + x.Op.String() + "= "
		}
		return text(x.L, precUnary) + op + text(x.R, precAssign), precAssign
	case *Comma:
		return text(x.X, precAssign) + ", " + text(x.Y, precAssign), precComma
	case *IncDec:
		op := "++"
		if x.Dec {
			op = "--"
		}
		if x.Post {
			return text(x.X, precPost) + op, precPost
		}
		return op + text(x.X, precUnary), precUnary
	case *Call:
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = text(a, precAssign)
		}
		return text(x.Fun, precPost) + "(" + strings.Join(args, ", ") + ")", precPost
	}
	return fmt.Sprintf("<%T>", x), precPost
}

// prefixed writes a unary operator before its operand. It adds parentheses if the operand begins with the same
// operator: - before -1 must not become --1.
func prefixed(op, operand string) string {
	if strings.HasPrefix(operand, op) {
		return op + "(" + operand + ")"
	}
	return op + operand
}

// Expanded returns an expression as Text does, but renders the expression itself even where it was written, so that a
// macro call is replaced by what it expands to.
func Expanded(x Expr) string {
	s, _ := render(x)
	return s
}

// render2 returns an expression's own bytes in the source if it has some, and else renders it. An expression inside a
// macro call has no bytes of its own.
func render2(x Expr) (string, int) {
	if x.Editable() {
		return x.Range().Text(), precOf(x)
	}
	if b, ok := x.(interface{ base() *expr }); ok && b.base().spelt != "" {
		return b.base().spelt, precPost
	}
	return render(x)
}

// precOf returns the precedence of an expression in the source text.
func precOf(x Expr) int {
	switch y := x.(type) {
	case *Binary:
		return binPrec[y.Op]
	case *Logical:
		if y.And {
			return precAnd
		}
		return precOr
	case *Cond:
		return precCond
	case *Assign:
		return precAssign
	case *Comma:
		return precComma
	case *Cast:
		if y.Implicit {
			return precOf(y.X)
		}
		return precUnary
	case *Unary, *LogicalNot, *Deref, *Addr:
		return precUnary
	}
	return precPost
}

// ReadOnly reports whether an lvalue may not be assigned to, because it is const, an element of a const
// array, or the target of a pointer to const.
func ReadOnly(x Expr) bool { return qualifiers(x)&ctype.Const != 0 }
