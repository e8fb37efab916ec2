package trace

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
)

// This file partitions the candidates of a place by their effect in a state.

// group is the candidates with one effect.
type group struct {
	effect  effect
	members []int32
}

// grouper holds buffers for grouping.
type grouper struct {
	at    map[effect]int32
	pairs []member
	count []int32
	addrs []operand
	vals  []operand
}

type member struct{ group, candidate int32 }

// operand is the value of one side of an assignment, once it was computed.
type operand struct {
	w        ctype.Word
	ok, done bool
}

func operands(list []operand, n int) []operand {
	if cap(list) < n {
		return make([]operand, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// group partitions a unit's remaining candidates by effect, in their order.
func (s *search) group(m eval.Memory, im *heap.Image, u *unit, f *filter) []group {
	if u.Pairs == 0 || !f.keep && !f.possible() {
		return nil
	}
	g := &s.grouper
	if g.at == nil {
		g.at = map[effect]int32{}
	}
	clear(g.at)
	g.pairs, g.count = g.pairs[:0], g.count[:0]
	g.addrs, g.vals = operands(g.addrs, len(u.Lhs)), operands(g.vals, len(u.Rhs))
	for ci := range u.Classes {
		c := &u.Classes[ci]
		for a, li := range c.L {
			l := u.Lhs[li]
			size := l.Type().Size
			field, inBits := bitField(l)
			left := &g.addrs[li]
			if !left.done {
				left.done = true
				if addr, err := eval.Addr(m, l); err == nil && (inBits && f.target(addr+field.off, field.size) || !inBits && f.target(addr, size)) {
					_, ok := im.Load(addr, l.Type())
					left.w, left.ok = addr, ok
				}
			}
			if !left.ok {
				continue
			}
			for b, ri := range c.R {
				k := c.Base + a*len(c.R) + b
				if u.vs != nil && !u.vs.has(k) {
					continue
				}
				right := &g.vals[ri]
				if !right.done {
					right.done = true
					w, err := eval.Value(m, u.Rhs[ri])
					right.w, right.ok = w, err == nil && s.known(im, u.Rhs[ri])
				}
				if !right.ok {
					continue
				}
				w := right.w
				if rt := u.Rhs[ri].Type(); rt.Size != size || inBits {
					w, _ = ctype.Convert(rt, l.Type(), w)
				}
				e := effect{left.w, w & mask(size), size}
				if inBits {
					if e, left.ok = field.effect(im, left.w, w); !left.ok {
						break
					}
				}
				g.add(f, e, int32(k))
			}
		}
	}
	return g.result()
}

func (g *grouper) add(f *filter, e effect, k int32) {
	n, ok := g.at[e]
	if !ok {
		n = -1
		if f.wants(e) {
			n = int32(len(g.count))
			g.count = append(g.count, 0)
		}
		g.at[e] = n
	}
	if n >= 0 {
		g.count[n]++
		g.pairs = append(g.pairs, member{n, k})
	}
}

// result returns the groups in the order of their first members.
func (g *grouper) result() []group {
	out := make([]group, len(g.count))
	slab := make([]int32, 0, len(g.pairs))
	for i, n := range g.count {
		end := len(slab) + int(n)
		out[i].members = slab[len(slab):len(slab):end]
		slab = slab[:end]
	}
	for _, p := range g.pairs {
		out[p.group].members = append(out[p.group].members, p.candidate)
	}
	for e, n := range g.at {
		if n >= 0 {
			out[n].effect = e
		}
	}
	return out
}

// known reports whether an lvalue reads initialized memory.
func (s *search) known(im *heap.Image, x cfront.Expr) bool {
	switch x.(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Deref, *cfront.Index:
		a, err := eval.Addr(im, x)
		return err == nil && im.Known(a, x.Type().Size)
	}
	return true
}
