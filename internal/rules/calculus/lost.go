package calculus

import (
	"gulo/internal/ctype"
	"gulo/internal/machine"
)

// This file records where the last pointer to a heap block was lost.

// Loss describes how a pointer to a block was lost.
type Loss struct {
	Stmt   int32 // the statement that removed it
	How    LossKind
	Holder string // the variable that ended with it

	time int64
}

// LossKind is the way in which a pointer was lost.
type LossKind uint8

// Kinds of losses: the pointer was overwritten, the variable that held it ended, or the block that held it was freed.
const (
	Overwritten LossKind = iota
	WithVariable
	WithBlock
)

// lose records the loss of a word if it points to a live heap block.
func (d *Debugger) lose(w ctype.Word, how LossKind, holder string) {
	id, _, ok := d.Locate(w)
	if !ok || d.blocks[id].kind != machine.Heap || d.blocks[id].ended {
		return
	}
	d.losses[id] = Loss{d.m.Leaves(), how, holder, d.tick()}
}

// overwritten records the pointers that a write of n bytes is about to overwrite.
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

// gone records the pointers in a block that has ended.
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

// lost returns, for unreachable blocks by id, where the last pointer to them was lost. In a group of blocks that point
// to each other, only blocks to which no other points have such a loss. If all are pointed to, as in a ring, the latest
// loss in the group counts: earlier ones did not make the group unreachable.
func (d *Debugger) lost(bids []uint64) map[uint64]*Loss {
	if !d.o.Losses || d.m == nil {
		return nil
	}
	d.m.Leaving(d.gone)
	set := map[uint64]int{} // index of each block
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
