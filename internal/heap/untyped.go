package heap

import "gulo/internal/ctype"

// This file tells nodes that nothing leads to from those that something leads to of which no type is known: a
// void *, members of a union that do not agree, an address that stands in such a node.

// maxScanned bounds the words of nodes without a type that are looked at for one graph.
const maxScanned = 1 << 13

// scan marks what may be led to from nodes without a type, and from those that are memory of characters, in which
// programs lay out things of their own. Words that are addresses are taken for pointers; if there are too many of
// them, everything is.
func (b *grapher) scan() {
	c := scanner{b: b}
	for _, e := range b.met {
		if e.o.Kind == Node && e.typ == nil && e.at < 0 {
			c.todo = append(c.todo, e)
		}
	}
	c.run()
	lost, bytes := false, []*entry(nil)
	for o := range b.im.Each {
		if o.Kind != Node || !o.Live {
			continue
		}
		switch e := b.entry(o); {
		case e.typ == nil && e.at < 0 && !e.met:
			lost = true
		case e.typ != nil && isBytes(e.typ) && len(o.Data) >= 8:
			bytes = append(bytes, e)
		}
	}
	if lost {
		c.todo = bytes
		c.run()
	}
}

// scanner follows what may be pointers.
type scanner struct {
	b     *grapher
	todo  []*entry
	words int // that were looked at
}

func (c *scanner) meet(o *Object) {
	if e := c.b.entry(o); o.Kind == Node && o.Live && e.typ == nil && e.at < 0 && !e.met {
		e.met = true
		c.todo = append(c.todo, e)
	}
}

func (c *scanner) run() {
	im := c.b.im
	for len(c.todo) > 0 {
		o := c.todo[len(c.todo)-1].o
		c.todo = c.todo[:len(c.todo)-1]
		for off := -int64(o.Addr) & 7; off+8 <= int64(len(o.Data)); off += 8 {
			if c.words++; c.words > maxScanned {
				for o := range im.Each {
					c.meet(o)
				}
				return
			}
			if w, ok := im.Load(o.Addr+ctype.Word(off), ctype.ULongT); ok && w != 0 && im.Known(o.Addr+ctype.Word(off), 8) {
				if x := im.Find(w); x != nil {
					c.meet(x)
				}
			}
		}
	}
}

// guessed follows the links that only a void * or a tagged number tells a type of, once nothing else is left to follow. It reports
// whether there is more to look at.
func (b *grapher) guessed() bool {
	list := b.guesses
	b.guesses = nil
	for i := range list {
		l := list[i]
		if l.to.typ != nil {
			continue
		}
		t := l.t
		if l.oneOf != nil {
			t = b.derivedOf(l.to.o, l.oneOf)
		}
		if t != nil && b.fills(l.to.o, t) {
			b.reach(l.to, t)
		}
	}
	return b.next < len(b.todo)
}

// fills reports whether a block is as large as one that was allocated for a type, or for several of them.
func (b *grapher) fills(o *Object, t *ctype.Type) bool {
	size := int64(len(o.Data))
	if whole, _ := b.derived(t, o); whole != nil || t.Size == 1 || o.Round {
		return true
	}
	return size%t.Size == 0 || cutShort(t, size) || tailOf(t) != nil && size >= t.Size
}
