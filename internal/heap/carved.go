package heap

import (
	"fmt"
	"sort"

	"gulo/internal/ctype"
)

// This file is arrays of bytes that a program cuts structs out of: a pool, an arena. Where typed pointers
// lead into one, what they lead to is shown as what it is, by the place at which it begins:
// pool[24].next. Of two views of the same bytes the one that is met first counts.

// smallestPool is how many bytes an array has that something may be cut out of.
const smallestPool = 16

// pool is a variable that is such an array.
type pool struct {
	v     *VarInfo
	parts []part
	cells [][]Cell // of parts
}

// carve shows structs in arrays of bytes, and follows their pointers.
func (b *grapher) carve() {
	pools := map[ctype.Word]*pool{}
	for _, v := range b.g.Vars {
		if t := v.Type; t.Kind == ctype.Array && t.Elem.Kind == ctype.Int && t.Elem.Size == 1 && t.Len >= smallestPool && len(v.Cells) == 1 {
			pools[v.Addr] = &pool{v: v}
		}
	}
	if len(pools) == 0 {
		return
	}
	var fresh []Cell
	for _, v := range b.g.Vars {
		fresh = append(fresh, v.Cells...)
	}
	for nodes := 0; len(fresh) > 0 || nodes < len(b.g.Nodes); {
		next := b.parted(pools, fresh)
		for ; nodes < len(b.g.Nodes); nodes++ {
			next = append(next, b.parted(pools, b.g.Nodes[nodes].Cells)...)
		}
		fresh = next
		b.follow()
	}
	for _, p := range pools {
		p.show()
	}
}

// parted adds the parts of pools that pointers among cells lead to; it returns their cells.
func (b *grapher) parted(pools map[ctype.Word]*pool, cells []Cell) (fresh []Cell) {
	for i := range cells {
		c := &cells[i]
		if c.Value.Kind != ToVar || c.Type.Kind != ctype.Pointer || !c.Type.Elem.IsAggregate() || c.Type.Elem.Size == 0 {
			continue
		}
		w, ok := b.im.Load(c.Addr, c.Type)
		o := b.im.Find(w)
		if !ok || o == nil || pools[o.Addr] == nil {
			continue
		}
		p, t := pools[o.Addr], c.Type.Elem
		if off := int64(w - o.Addr); off+t.Size <= int64(len(o.Data)) && p.free(off, t.Size) {
			var own []Cell
			b.cellsOf(&own, fmt.Sprintf("%s[%d]", p.v.Name, off), fmt.Sprintf("[%d]", off), w, t)
			p.parts, p.cells = append(p.parts, part{off, t}), append(p.cells, own)
			fresh = append(fresh, own...)
		}
	}
	return fresh
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

// show makes the parts the cells of the variable. What stands before the first one stays.
func (p *pool) show() {
	if len(p.parts) == 0 {
		return
	}
	order := make([]int, len(p.parts))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return p.parts[order[i]].off < p.parts[order[j]].off })
	var out []Cell
	if first := p.parts[order[0]].off; first > 0 && p.v.Cells[0].Value.Kind == Scalar && p.v.Cells[0].Value.Text != `""` {
		out = append(out, p.v.Cells[0])
	}
	for _, i := range order {
		out = append(out, p.cells[i]...)
	}
	p.v.Cells = out
}
