package calculus

import (
	"gulo/internal/ctype"
	"gulo/internal/machine"
)

// This file follows where the last pointer to a block of the heap was lost.

// Loss is where a pointer to a block was before it was no more.
type Loss struct {
	Stmt   int32 // the statement that took it away
	How    LossKind
	Holder string // the variable that ended with it

	time int64
}

// LossKind is how a pointer gets lost.
type LossKind uint8

// Kinds: something else is written over it, the variable that holds it ends, the block that holds it is freed.
const (
	Overwritten LossKind = iota
	WithVariable
	WithBlock
)

// lose notes that a word is no more, if it points to a block of the heap that lives.
func (d *Debugger) lose(w ctype.Word, how LossKind, holder string) {
	id, _, ok := d.Locate(w)
	if !ok || d.blocks[id].kind != machine.Heap || d.blocks[id].ended {
		return
	}
	d.losses[id] = Loss{d.m.At(), how, holder, d.tick()}
}

// overwritten notes the pointers that a write of n bytes is about to take away.
func (d *Debugger) overwritten(p ctype.Word, n int64) {
	if !d.o.Losses || d.m == nil {
		return
	}
	if b := d.near(p); b == nil || b.ended {
		return
	}
	for w := p &^ 7; w < p+ctype.Word(n); w += 8 {
		if v, ok := d.Value(w); ok {
			d.lose(v, Overwritten, "")
		}
	}
}

// gone notes the pointers in a block that has ended.
func (d *Debugger) gone(b *machine.Block) {
	if !d.o.Losses || d.m == nil {
		return
	}
	how := WithVariable
	if b.Kind == machine.Heap {
		how = WithBlock
	}
	b.Words(func(w ctype.Word) bool {
		d.lose(w, how, b.Name)
		return true
	})
}

// lost tells of blocks that nothing points to any more, by id, where the last pointer that led to them was lost. Of blocks
// that point to each other that is known of those that no other points to; where each is pointed to, as in a ring, the
// latest loss of all is the one: what came before did not make them unreachable.
func (d *Debugger) lost(bids []uint64) map[uint64]*Loss {
	if !d.o.Losses || d.m == nil {
		return nil
	}
	d.m.Leaving(d.gone)
	set := map[uint64]int{} // its group
	for i, id := range bids {
		set[id] = i
	}
	up := make([]int, len(bids))
	for i := range up {
		up[i] = i
	}
	root := func(i int) int {
		for up[i] != i {
			up[i] = up[up[i]]
			i = up[i]
		}
		return i
	}
	pointed := map[uint64]bool{}
	for i, id := range bids {
		d.m.Words(uint32(id), func(w ctype.Word) bool {
			if to, _, ok := d.Locate(w); ok && to != id {
				if k, ok := set[to]; ok {
					pointed[to] = true
					up[root(i)] = root(k)
				}
			}
			return true
		})
	}
	direct, latest := map[int]bool{}, map[int]uint64{}
	out := map[uint64]*Loss{}
	for i, id := range bids {
		x, ok := d.losses[id]
		if !ok {
			continue
		}
		if g := root(i); !pointed[id] {
			direct[g], out[id] = true, &x
		} else if now, ok := latest[g]; !ok || d.losses[now].time < x.time {
			latest[g] = id
		}
	}
	for g, id := range latest {
		if x := d.losses[id]; !direct[g] {
			out[id] = &x
		}
	}
	return out
}
