package evidence

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file represents expressions over places in memory as sums of products. Equal sums have equal representations, so
// differences are found on expressions, where the paper compares strings. Numbers are unbounded integers: an overflow
// is an error before it could matter.

// Loc is a place in memory on one trace, identified by its address.
type Loc struct {
	Addr ctype.Word
	Type *ctype.Type
	Name string      // name of the variable, array or member
	Var  *cfront.Var // the variable, if the place is all of it

	Index *Exp  // for an element: the index in the source
	At    int64 // value of the index
	Init  int64 // value before the trace
	Known bool  // Init is known
}

func (l *Loc) String() string {
	switch {
	case l.Index == nil:
		return l.Name
	case len(l.Index.M) == 0 && l.Index.K == l.At && !l.Index.Written:
		return fmt.Sprintf("%s[%d]", l.Name, l.At)
	}
	return fmt.Sprintf("%s[%s=%d]", l.Name, l.Index, l.At)
}

// Exp is a sum of products plus a number.
type Exp struct {
	M       []Mono // sorted by key
	K       int64
	Written bool // it was an expression in the source and became a number by substitution

	text string // its key, once computed
}

// Mono is a number times factors.
type Mono struct {
	C int64
	F []Factor // sorted by key

	text string
}

// Factor is a place, or an operation that sums cannot express.
type Factor struct {
	Loc  *Loc
	Op   string
	Args []*Exp
}

func (f Factor) key() string {
	if f.Loc != nil {
		return strconv.FormatUint(uint64(f.Loc.Addr), 16)
	}
	var b strings.Builder
	b.WriteString(f.Op)
	b.WriteByte('(')
	for _, a := range f.Args {
		b.WriteString(a.key())
		b.WriteByte(';')
	}
	b.WriteByte(')')
	return b.String()
}

func (m *Mono) key() string {
	if m.text == "" {
		var b strings.Builder
		for _, f := range m.F {
			b.WriteString(f.key())
			b.WriteByte('*')
		}
		m.text = b.String()
	}
	return m.text
}

func (e *Exp) key() string {
	if e.text == "" {
		var b strings.Builder
		for i := range e.M {
			b.WriteString(strconv.FormatInt(e.M[i].C, 10))
			b.WriteByte('*')
			b.WriteString(e.M[i].key())
			b.WriteByte('+')
		}
		b.WriteString(strconv.FormatInt(e.K, 10))
		e.text = b.String()
	}
	return e.text
}

// Num returns a number as an expression.
func Num(k int64) *Exp { return &Exp{K: k} }

// Of returns the value of a place as an expression.
func Of(l *Loc) *Exp { return &Exp{M: []Mono{{C: 1, F: []Factor{{Loc: l}}}}} }

// IsNum reports whether an expression has no factors, and returns its number.
func (e *Exp) IsNum() (int64, bool) { return e.K, len(e.M) == 0 }

// plus returns a + c*b.
func plus(a *Exp, c int64, b *Exp) *Exp {
	out := &Exp{K: a.K + c*b.K}
	i, j := 0, 0
	for i < len(a.M) || j < len(b.M) {
		var k string
		switch {
		case j == len(b.M):
			k = a.M[i].key()
		case i == len(a.M):
			k = b.M[j].key()
		default:
			k = min(a.M[i].key(), b.M[j].key())
		}
		m := Mono{}
		if i < len(a.M) && a.M[i].key() == k {
			m = a.M[i]
			i++
		}
		if j < len(b.M) && b.M[j].key() == k {
			m = Mono{C: m.C + c*b.M[j].C, F: b.M[j].F}
			if i > 0 && a.M[i-1].key() == k {
				m.F = a.M[i-1].F
			}
			j++
		}
		if m.C != 0 {
			out.M = append(out.M, m)
		}
	}
	return out
}

func product(a, b *Exp) *Exp {
	out := Num(0)
	side := func(e *Exp) []Mono { return append([]Mono{{C: e.K}}, e.M...) }
	for _, m := range side(a) {
		for _, n := range side(b) {
			if m.C == 0 || n.C == 0 {
				continue
			}
			f := append(append([]Factor(nil), m.F...), n.F...)
			sort.SliceStable(f, func(i, j int) bool { return f[i].key() < f[j].key() })
			if len(f) == 0 {
				out = plus(out, 1, Num(m.C*n.C))
				continue
			}
			out = plus(out, 1, &Exp{M: []Mono{{C: m.C * n.C, F: f}}})
		}
	}
	return out
}

// opaque returns an operation that sums cannot express, computed if its arguments are numbers.
func opaque(op string, args ...*Exp) *Exp {
	nums := make([]int64, len(args))
	all := true
	for i, a := range args {
		var ok bool
		nums[i], ok = a.IsNum()
		all = all && ok
	}
	if all {
		if v, ok := calculate(op, nums); ok {
			return Num(v)
		}
	}
	return &Exp{M: []Mono{{C: 1, F: []Factor{{Op: op, Args: args}}}}}
}

func calculate(op string, n []int64) (int64, bool) {
	b2 := func(b bool) (int64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	if len(n) == 1 {
		switch op {
		case "~":
			return ^n[0], true
		case "!":
			return b2(n[0] == 0)
		}
		return calculateCast(op, n[0])
	}
	if len(n) != 2 {
		return 0, false
	}
	a, b := n[0], n[1]
	if strings.Contains(op, ".") {
		return realOp(op, a, b)
	}
	switch op {
	case "/", "%":
		if b == 0 {
			return 0, false
		}
		if op == "/" {
			return a / b, true
		}
		return a % b, true
	case "<<", ">>":
		if b < 0 || b > 62 {
			return 0, false
		}
		if op == "<<" {
			return a << b, true
		}
		return a >> b, true
	case "&":
		return a & b, true
	case "|":
		return a | b, true
	case "^":
		return a ^ b, true
	case "<":
		return b2(a < b)
	case "<=":
		return b2(a <= b)
	case ">":
		return b2(a > b)
	case ">=":
		return b2(a >= b)
	case "==":
		return b2(a == b)
	case "!=":
		return b2(a != b)
	}
	return 0, false
}

// put returns an expression in which the place at an address is replaced, also in indices.
func (e *Exp) put(at ctype.Word, by *Exp) *Exp {
	out := Num(e.K)
	for _, m := range e.M {
		p := Num(m.C)
		for _, f := range m.F {
			switch {
			case f.Loc != nil && f.Loc.Addr == at:
				p = product(p, by)
			case f.Loc != nil:
				p = product(p, Of(f.Loc.put(at, by)))
			default:
				args := make([]*Exp, len(f.Args))
				for i, a := range f.Args {
					args[i] = a.put(at, by)
				}
				p = product(p, opaque(f.Op, args...))
			}
		}
		out = plus(out, 1, p)
	}
	return out
}

func (l *Loc) put(at ctype.Word, by *Exp) *Loc {
	if l.Index == nil || !l.Index.has(at) {
		return l
	}
	c := *l
	c.Index = l.Index.put(at, by)
	c.Index.Written = true
	return &c
}

// has reports whether the place at an address occurs in an expression, apart from indices.
func (e *Exp) has(at ctype.Word) bool {
	found := false
	e.each(func(l *Loc) { found = found || l.Addr == at })
	return found
}

// each calls f for every place except those in indices, which the expression does not read.
func (e *Exp) each(f func(*Loc)) {
	for _, m := range e.M {
		for _, x := range m.F {
			if x.Loc != nil {
				f(x.Loc)
			}
			for _, a := range x.Args {
				a.each(f)
			}
		}
	}
}

// value computes an expression. ok is false if a value is unknown.
func (e *Exp) value(of func(*Loc) (int64, bool)) (v int64, ok bool) {
	v = e.K
	for _, m := range e.M {
		p := m.C
		for _, f := range m.F {
			var x int64
			if f.Loc != nil {
				if x, ok = of(f.Loc); !ok {
					return 0, false
				}
			} else {
				nums := make([]int64, len(f.Args))
				for i, a := range f.Args {
					if nums[i], ok = a.value(of); !ok {
						return 0, false
					}
				}
				if x, ok = calculate(f.Op, nums); !ok {
					return 0, false
				}
			}
			p *= x
		}
		v += p
	}
	return v, true
}

func (f Factor) String() string {
	switch {
	case f.Loc != nil:
		return f.Loc.String()
	case len(f.Args) == 1:
		return f.Op + side(f.Args[0], false)
	case len(f.Args) == 2:
		base, _, real := strings.Cut(f.Op, ".")
		return "(" + side(f.Args[0], real) + base + side(f.Args[1], real) + ")"
	}
	return f.Op
}

func side(e *Exp, real bool) string {
	if k, ok := e.IsNum(); ok {
		return number(k, real)
	}
	if len(e.M)+map[bool]int{true: 1}[e.K != 0] > 1 {
		return "(" + e.String() + ")"
	}
	return e.String()
}

// String writes an expression as the paper does: without blanks, positive terms first.
func (e *Exp) String() string {
	var b strings.Builder
	write := func(neg bool) {
		for _, m := range e.M {
			if (m.C < 0) != neg {
				continue
			}
			c := m.C
			switch {
			case c < 0:
				b.WriteByte('-')
				c = -c
			case b.Len() > 0:
				b.WriteByte('+')
			}
			if c != 1 {
				fmt.Fprintf(&b, "%d*", c)
			}
			for i, f := range m.F {
				if i > 0 {
					b.WriteByte('*')
				}
				b.WriteString(f.String())
			}
		}
	}
	write(false)
	if e.K > 0 && b.Len() > 0 {
		fmt.Fprintf(&b, "+%d", e.K)
	}
	write(true)
	if e.K > 0 && !strings.Contains(b.String(), fmt.Sprintf("+%d", e.K)) && b.Len() > 0 && b.String()[0] == '-' {
		return fmt.Sprintf("%d%s", e.K, b.String())
	}
	if e.K < 0 || b.Len() == 0 {
		fmt.Fprintf(&b, "%d", e.K)
	}
	return b.String()
}
