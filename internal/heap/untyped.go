package heap

import "gulo/internal/ctype"

// This file tells nodes that nothing leads to from those that something leads to of which no type is known: a
// void *, members of a union that do not agree, an address that stands in such a node.

// maxScanned bounds the words of nodes without a type that are looked at for one graph.
const maxScanned = 1 << 13

// scan marks what may be led to from nodes without a type. Words that are addresses are taken for pointers; if
// there are too many of them, everything is.
func (b *grapher) scan() {
	var todo []*entry
	meet := func(o *Object) {
		if e := b.entry(o); o.Kind == Node && o.Live && e.typ == nil && e.at < 0 && !e.met {
			e.met = true
			todo = append(todo, e)
		}
	}
	for _, e := range b.met {
		if e.o.Kind == Node && e.typ == nil && e.at < 0 {
			todo = append(todo, e)
		}
	}
	for words := 0; len(todo) > 0; {
		o := todo[len(todo)-1].o
		todo = todo[:len(todo)-1]
		for off := -int64(o.Addr) & 7; off+8 <= int64(len(o.Data)); off += 8 {
			if words++; words > maxScanned {
				for o := range b.im.Each {
					meet(o)
				}
				return
			}
			if w, ok := b.im.Load(o.Addr+ctype.Word(off), ctype.ULongT); ok && w != 0 && b.im.Known(o.Addr+ctype.Word(off), 8) {
				if x := b.im.Find(w); x != nil {
					meet(x)
				}
			}
		}
	}
}

// guessed follows what the void * lead to that were met, once nothing else is left to follow.
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
