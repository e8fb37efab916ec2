package rules

import (
	"encoding/binary"
	"fmt"
)

// This file compiles terms. A term has no value where a pointer points into no
// block.

func (c *compiler) term(x Expr, s *scope) term {
	switch x := x.(type) {
	case *Number:
		v := x.Value
		return func(*env) (uint64, bool) { return v, true }
	case *Name:
		k := c.slot(s.vars[x.Text])
		return func(e *env) (uint64, bool) { return e.slots[k], true }
	case *Apply:
		return c.builtin(x, s)
	case *Binary:
		return c.arithmetic(x, s)
	}
	panic(fmt.Sprintf("rules: %T is no term", x))
}

// sort is the sort of a term of a checked file.
func (c *compiler) sort(x Expr, s *scope) Sort {
	switch x := x.(type) {
	case *Number:
		if x.Null {
			return Pointer
		}
		return Integer
	case *Name:
		return s.vars[x.Text].sort
	case *Apply:
		return builtins[x.Name].result
	case *Binary:
		a, b := c.sort(x.X, s), c.sort(x.Y, s)
		if a == Pointer && (x.Op == "+" || x.Op == "-" && b != Pointer) {
			return Pointer
		}
		return Integer
	}
	return Unknown
}

// blockOf compiles the block that a function's argument means: the block itself
// or the one pointed into.
func (c *compiler) blockOf(x *Apply, s *scope) term {
	t := c.term(x.Args[0], s)
	if c.sort(x.Args[0], s) == BlockID {
		return t
	}
	return func(e *env) (uint64, bool) {
		p, ok := t(e)
		if !ok {
			return 0, false
		}
		bid, _, ok := e.s.Locate(p)
		return bid, ok
	}
}

func (c *compiler) builtin(x *Apply, s *scope) term {
	switch x.Name {
	case "Bid", "Block":
		return c.blockOf(x, s)
	case "Idx":
		c.ends = false
		t := c.term(x.Args[0], s)
		return func(e *env) (uint64, bool) {
			p, ok := t(e)
			_, i, ok2 := e.s.Locate(p)
			return uint64(i), ok && ok2
		}
	case "Value":
		c.ends = false
		t := c.term(x.Args[0], s)
		return func(e *env) (uint64, bool) {
			p, ok := t(e)
			if !ok {
				return 0, false
			}
			return e.s.Value(p)
		}
	}
	b := c.blockOf(x, s)
	name := x.Name
	return func(e *env) (uint64, bool) {
		bid, ok := b(e)
		if !ok {
			return 0, false
		}
		i, ok := e.s.Block(bid)
		switch name {
		case "Begin":
			return i.Begin, ok
		case "End":
			return i.Begin + uint64(i.Size), ok
		case "Size":
			return uint64(i.Size), ok
		}
		return uint64(i.Time), ok
	}
}

func (c *compiler) arithmetic(x *Binary, s *scope) term {
	f, g := c.word(x.X, s), c.word(x.Y, s)
	if c.subject != nil && (uses(x, c.subject.name)) {
		c.ends = false
	}
	op := x.Op
	return func(e *env) (uint64, bool) {
		a, ok := f(e)
		b, ok2 := g(e)
		switch op {
		case "+":
			a += b
		case "-":
			a -= b
		case "*":
			a *= b
		case "&":
			a &= b
		case "|":
			a |= b
		}
		return a, ok && ok2
	}
}

// word compiles an operand; a block's is its first word.
func (c *compiler) word(x Expr, s *scope) term {
	t := c.term(x, s)
	if c.sort(x, s) != BlockID {
		return t
	}
	return func(e *env) (uint64, bool) {
		bid, ok := t(e)
		if !ok {
			return 0, false
		}
		data, ok := e.s.Contents(bid)
		var w [8]byte
		copy(w[:], data)
		return binary.LittleEndian.Uint64(w[:]), ok
	}
}
