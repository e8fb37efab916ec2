package session

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/plural"
)

// This file evaluates calls in the expressions of print. The program's functions are interpreted over the memory of the
// stopped program, with the patch in force. What they write goes into a copy, so that print changes nothing and gives
// the same on every engine. A function that cannot be interpreted, or that prints, is refused by name.

// copied is the memory of the stopped program, with a copy of what was written.
type copied struct {
	*names
	over  map[ctype.Word]byte // what was written, byte by byte
	size  map[ctype.Word]int64
	freed map[ctype.Word]bool
	texts map[*cfront.String]ctype.Word
	next  ctype.Word
}

// copiedBlocks is where nodes are allocated in the copy: addresses that no program has.
const copiedBlocks = ctype.Word(0xFFB0) << 48

// fresh reports whether an address is in a node allocated in the copy.
func (c *copied) fresh(a ctype.Word) bool {
	for at, n := range c.size {
		if a >= at && a < at+ctype.Word(n) {
			return true
		}
	}
	return false
}

func (c *copied) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	written := false
	for i := range ctype.Word(t.Size) {
		_, ok := c.over[a+i]
		written = written || ok
	}
	if !written && !c.fresh(a) {
		return c.names.Load(a, t)
	}
	var buf [8]byte
	for i := range ctype.Word(t.Size) {
		b, ok := c.over[a+i]
		if !ok {
			w, known := c.names.Load(a+i, ctype.UCharT)
			if !known || c.fresh(a+i) {
				return 0, false
			}
			b = byte(w)
		}
		buf[i] = b
	}
	return ctype.Load(t, buf[:]), true
}

func (c *copied) Store(a ctype.Word, t *ctype.Type, w ctype.Word) bool {
	if !c.fresh(a) {
		if _, ok := c.names.Load(a, t); !ok {
			return false
		}
	}
	var buf [8]byte
	ctype.Store(t, buf[:], w)
	for i := range ctype.Word(t.Size) {
		c.over[a+i] = buf[i]
	}
	return true
}

// Malloc implements eval.Heap.
func (c *copied) Malloc(size int64, zero bool) (ctype.Word, error) {
	if size < 0 || size > 1<<20 {
		return 0, eval.ErrAlloc
	}
	a := copiedBlocks + c.next
	c.next += ctype.Word(size+32) &^ 15
	c.size[a] = size
	for i := int64(0); zero && i < size; i++ {
		c.over[a+ctype.Word(i)] = 0
	}
	return a, nil
}

// Literal implements eval.Literals. A literal whose address the target does not know is allocated in the copy.
func (c *copied) Literal(x *cfront.String) (ctype.Word, bool) {
	if a, ok := c.names.Literal(x); ok {
		return a, true
	}
	if a, ok := c.texts[x]; ok {
		return a, true
	}
	a, err := c.Malloc(int64(len(x.Bytes)), false)
	if err != nil {
		return 0, false
	}
	for i, b := range []byte(x.Bytes) {
		c.over[a+ctype.Word(i)] = b
	}
	c.texts[x] = a
	return a, true
}

// typed reports whether an address is in a literal that was allocated in the copy.
func (c *copied) typed(a ctype.Word) bool {
	for x, at := range c.texts {
		if a >= at && a < at+ctype.Word(len(x.Bytes)) {
			return true
		}
	}
	return false
}

// text returns the characters at an address, up to the terminating zero, as a string literal.
func (c *copied) text(a ctype.Word, t *ctype.Type) string {
	var b strings.Builder
	for ; ; a += ctype.Word(t.Size) {
		w, ok := c.Load(a, t)
		if !ok || w == 0 {
			break
		}
		if t.Size == 1 {
			b.WriteByte(byte(w))
		} else {
			b.WriteRune(rune(w))
		}
	}
	prefix := map[int64]string{2: "u", 4: "L"}[t.Size]
	return prefix + strconv.Quote(b.String())
}

// strangeText reports whether an expression has literals that stand nowhere in the program.
func (s *drawing) strangeText(x cfront.Expr) bool {
	strange := false
	cfront.Walk(x, func(e cfront.Expr) bool {
		if l, ok := e.(*cfront.String); ok {
			_, known := s.tgt.Literal(l)
			strange = strange || !known
		}
		return !strange
	})
	return strange
}

// Free implements eval.Heap.
func (c *copied) Free(a ctype.Word) error {
	_, own := c.size[a]
	o := c.s.img.Find(a)
	if c.freed[a] || !own && (o == nil || o.Kind != heap.Node || !o.Live || o.Addr != a) {
		return fmt.Errorf("it frees something that is not a heap block")
	}
	c.freed[a] = true
	return nil
}

// FuncAddr and FuncAt implement eval.Functions.
func (n *names) FuncAddr(f *cfront.Func) (ctype.Word, bool) { return n.s.tgt.FuncAddr(f) }

func (n *names) FuncAt(a ctype.Word) *cfront.Func {
	name := n.s.tgt.FuncName(a)
	if name == "" {
		return nil
	}
	for _, f := range n.s.prog.Tree.Funcs {
		if f.Name != name {
			continue
		}
		if at, ok := n.s.tgt.FuncAddr(f); ok && at == a {
			return f
		}
	}
	return nil
}

// copy returns memory in which the program's functions can be called without changing the stopped program.
func (s *inferior) copy(n *names) (*eval.World, *copied) {
	c := &copied{names: n, over: map[ctype.Word]byte{}, size: map[ctype.Word]int64{}, freed: map[ctype.Word]bool{}, texts: map[*cfront.String]ctype.Word{}}
	w := &eval.World{Heap: c}
	s.patch.Patched(s.prog, w)
	return w, c
}

// printCall shows an expression that calls functions.
func (s *drawing) printCall(n *names, x cfront.Expr, text string) error {
	if t := x.Type(); !t.IsScalar() && !t.IsAggregate() && !t.IsWide() {
		return errorf("cannot evaluate %s: it gives a value of type %s", text, t)
	}
	w, c := s.copy(n)
	var v ctype.Word
	var err error
	var wide []byte
	if x.Type().IsScalar() {
		v, err = eval.Value(w, x)
	} else if x.Type().IsWide() {
		wide, err = eval.Bytes(w, x)
	} else {
		v, err = eval.Addr(w, x)
	}
	switch {
	case errors.Is(err, eval.ErrSteps):
		return errorf("cannot evaluate %s: it runs too long", text)
	case err != nil:
		return errorf("cannot evaluate %s: %v", text, err)
	case wide != nil:
		s.printf("%s = %s\n", text, heap.WideText(x.Type(), wide))
		return nil
	case x.Type().IsAggregate():
		var b strings.Builder
		if err := s.writeValue(&b, w, v, x.Type()); err != nil {
			return errorf("cannot evaluate %s: %v", text, err)
		}
		s.printf("%s = %s\n", text, b.String())
		return nil
	case x.Type().Kind == ctype.Pointer && c.typed(v):
		s.printf("%s = %s\n", text, c.text(v, x.Type().Elem))
		return nil
	case x.Type().Kind == ctype.Pointer && c.fresh(v):
		s.printf("%s = a new node of %s, which print does not keep\n", text, plural.N(c.size[v], "byte"))
		return nil
	}
	s.printf("%s = %s\n", text, s.img.Symbol(v, x.Type()).Text)
	return nil
}
