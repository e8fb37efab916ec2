package heap

import (
	"fmt"
	"slices"
	"sort"

	"gulo/internal/ctype"
)

// This file is arrays of bytes that a program cuts other things out of: a pool in a variable, an arena behind
// its head in a block. Where typed pointers lead into one, what they lead to is shown as what it is, by the
// place at which it begins: pool[24].next, n1+48.next. Of two views of the same bytes the one that is met
// first counts.

// smallestPool is the least size, in bytes, of an array that something may be cut out of.
const smallestPool = 16

// pool is an array of bytes that things may be cut out of.
type pool struct {
	o     *Object
	from  int64 // where it begins in the object
	cells *[]Cell
	text  int // which of the cells is the array
	name  string
	node  *entry // that it is a part of; nil for a variable

	parts []part
	own   [][]Cell // of parts
}

// carve shows what is cut out of arrays of bytes, and follows the pointers in it.
func (b *grapher) carve() {
	pools := map[ctype.Word]*pool{}
	for _, v := range b.g.Vars {
		if t := v.Type; t.Kind == ctype.Array && isBytes(t.Elem) && t.Len >= smallestPool && len(v.Cells) == 1 {
			pools[v.Addr] = &pool{o: b.im.Find(v.Addr), cells: &v.Cells, name: v.Name}
		}
	}
	var fresh []Cell
	for _, v := range b.g.Vars {
		fresh = append(fresh, v.Cells...)
	}
	for from := 0; len(fresh) > 0 || from < len(b.g.Nodes); {
		for i := from; i < len(b.g.Nodes); i++ {
			b.arena(pools, i)
		}
		if len(pools) == 0 {
			return
		}
		next := b.parted(pools, fresh)
		for ; from < len(b.g.Nodes); from++ {
			next = append(next, b.parted(pools, b.g.Nodes[from].Cells)...)
		}
		fresh = next
		b.follow()
	}
	for _, p := range pools {
		p.show()
	}
}

// arena adds the bytes behind the head of a node to the pools. It gives this graph a copy of the node, since
// something may turn out to be cut out of it.
func (b *grapher) arena(pools map[ctype.Word]*pool, at int) {
	n := b.g.Nodes[at]
	if n.Type == nil || !n.Live {
		return
	}
	last := tailOf(n.Type)
	if last == nil || !isBytes(last.Type.Elem) || n.Size < last.Offset+smallestPool || len(n.Cells) == 0 || pools[n.Addr] != nil {
		return
	}
	text := len(n.Cells) - 1
	if c := &n.Cells[text]; c.Addr != n.Addr+ctype.Word(last.Offset) || c.Type.Kind != ctype.Array {
		return
	}
	own := *n
	own.Cells = slices.Clone(n.Cells)
	b.g.Nodes[at] = &own
	o := b.im.Find(n.Addr)
	pools[n.Addr] = &pool{o: o, from: last.Offset, cells: &own.Cells, text: text, name: n.Name(), node: b.entry(o)}
}

// parted adds the parts of pools that pointers among cells lead to; it returns their cells.
func (b *grapher) parted(pools map[ctype.Word]*pool, cells []Cell) (fresh []Cell) {
	for i := range cells {
		c := &cells[i]
		w, t := b.leadsInto(c)
		if t == nil {
			continue
		}
		o := b.im.Find(w)
		if o == nil || pools[o.Addr] == nil {
			continue
		}
		p := pools[o.Addr]
		off := int64(w - o.Addr)
		if t = p.shown(off, t); t == nil {
			continue
		}
		var own []Cell
		key, field := fmt.Sprintf("%s[%d]", p.name, off), fmt.Sprintf("[%d]", off)
		if p.node != nil {
			key, field = fmt.Sprintf("%s+%d", p.name, off), fmt.Sprintf("+%d", off)
		}
		b.cellsOf(&own, key, field, w, t)
		p.parts, p.own = append(p.parts, part{off, t}), append(p.own, own)
		fresh = append(fresh, own...)
	}
	return fresh
}

// leadsInto returns where a pointer leads, or a number that holds one, and to what; nil for none.
func (b *grapher) leadsInto(c *Cell) (ctype.Word, *ctype.Type) {
	v := &c.Value
	switch {
	case v.Kind != ToVar && v.Kind != ToNode:
	case v.As != nil:
		w := v.Word & (1<<highTag - 1)
		if v.Tag == 0 {
			w &^= lowTag
		}
		return w, v.As
	case c.Type.Kind == ctype.Pointer && c.Type.Elem.Size > 0:
		if w, ok := b.im.Load(c.Addr, c.Type); ok {
			return w, c.Type.Elem
		}
	}
	return 0, nil
}

// shown returns what is shown of a pool at an offset to which a pointer to a t leads: a t or, right behind a head
// to which itself nothing leads, an array of as many as there is room for; nil for nothing.
func (p *pool) shown(off int64, t *ctype.Type) *ctype.Type {
	size := int64(len(p.o.Data))
	if off < p.from || off+t.Size > size || !p.free(off, t.Size) {
		return nil
	}
	if p.node != nil && p.node.tail.t != nil && off == p.from {
		if isBytes(t) {
			return nil
		}
		return ctype.ArrayOf(t, (size-off)/t.Size)
	}
	if !t.IsAggregate() {
		return nil
	}
	return t
}

// free reports whether no part lies over some bytes.
func (p *pool) free(off, size int64) bool {
	for _, x := range p.parts {
		if off < x.off+x.t.Size && x.off < off+size {
			return false
		}
	}
	return true
}

// show makes the parts cells in place of the array. What stands before the first one stays.
func (p *pool) show() {
	if len(p.parts) == 0 {
		return
	}
	order := make([]int, len(p.parts))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return p.parts[order[i]].off < p.parts[order[j]].off })
	out := slices.Clone((*p.cells)[:p.text])
	text := (*p.cells)[p.text]
	if first := p.parts[order[0]].off; first > p.from && text.Value.Kind == Scalar && text.Value.Text != `""` {
		out = append(out, text)
	}
	for _, i := range order {
		out = append(out, p.own[i]...)
	}
	*p.cells = out
}
