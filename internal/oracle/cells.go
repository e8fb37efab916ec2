package oracle

import (
	"gulo/internal/ctype"
	"gulo/internal/machine"
)

// This file compares a run with what is wanted cell by cell, objects being
// known by their place in the input or the order of their allocation: how far
// from right a wrong result is.

// Bounds of what is compared.
const (
	newObjects = 8  // allocated by the call
	newCells   = 12 // of each of them
)

// layout says where the objects of a case's input are in a machine.
type layout struct {
	addrs []ctype.Word
	types []*ctype.Type // of one element
	count []int64
	index map[uint32]int // by block
	seq   int            // heap blocks before the call
}

const (
	cellFreed   = uint64(1)<<62 | 1
	cellUnset   = uint64(1)<<62 | 2
	cellUnknown = uint64(1)<<62 | 3
	cellPointer = uint64(1) << 63
)

// cells lists the scalars of the input's objects, of the globals that count, of
// the result and of the first objects allocated, in an order that depends on
// the case alone.
func (r *Runner) cells(c *Case) []uint64 {
	l := r.layouts[c]
	if l == nil {
		return nil
	}
	k := &cellReader{r: r, l: l, fresh: make([]*ctype.Type, newObjects)}
	for i, a := range l.addrs {
		if a == 0 {
			continue
		}
		k.object(a, l.types[i], l.count[i])
	}
	s := r.Suite
	for _, name := range s.Globals {
		for _, v := range s.Prog.Tree.Globals {
			if v.Func != nil || v.Name != name {
				continue
			}
			if i, ok := s.Prog.GlobalIndex(v); ok {
				k.object(r.M.GlobalAddr(i), v.Type, 1)
			}
		}
	}
	if _, ended := r.M.Exited(); ended && s.Entry.Type.Result.IsScalar() {
		k.out = append(k.out, k.word(r.M.Returned(), s.Entry.Type.Result))
	} else {
		k.out = append(k.out, cellUnknown)
	}
	at := len(k.out)
	k.out = append(k.out, make([]uint64, newObjects*newCells)...)
	blocks := r.M.HeapBlocks()
	for i := 0; i < newObjects; i++ {
		if l.seq+i >= len(blocks) || k.fresh[i] == nil {
			continue
		}
		b := blocks[l.seq+i]
		part := &cellReader{r: r, l: l, fresh: k.fresh}
		part.object(ctype.MakePointer(b.ID, 0), k.fresh[i], 1)
		copy(k.out[at+i*newCells:at+(i+1)*newCells], part.out)
	}
	return k.out
}

type cellReader struct {
	r     *Runner
	l     *layout
	out   []uint64
	fresh []*ctype.Type // types under which new objects are pointed to
}

func (k *cellReader) object(a ctype.Word, t *ctype.Type, count int64) {
	id, _ := ctype.SplitPointer(a)
	b := k.r.M.Block(id)
	for e := int64(0); e < count; e++ {
		for _, s := range k.r.scalars(t) {
			if b == nil || b.Freed {
				k.out = append(k.out, cellFreed)
				continue
			}
			w, ok := k.r.M.Peek(a+ctype.Word(e*t.Size+s.off), s.typ)
			if !ok {
				k.out = append(k.out, cellUnset)
				continue
			}
			k.out = append(k.out, k.word(w, s.typ))
		}
	}
}

func (k *cellReader) word(w ctype.Word, t *ctype.Type) uint64 {
	if t.Kind != ctype.Pointer || w == 0 {
		return w &^ (3 << 62)
	}
	id, off := ctype.SplitPointer(w)
	if i, ok := k.l.index[id]; ok {
		return cellPointer | uint64(i)<<16 | uint64(uint16(off))
	}
	b := k.r.M.Block(id)
	if b == nil || b.Kind != machine.Heap {
		return cellUnknown
	}
	i := b.Seq - 1 - k.l.seq
	if i >= 0 && i < newObjects && k.fresh[i] == nil && t.Elem.IsAggregate() {
		k.fresh[i] = t.Elem
	}
	return cellPointer | uint64(1+len(k.l.addrs)+i)<<16 | uint64(uint16(off))
}

// scalars lists the scalars of a type; the lists are kept.
func (r *Runner) scalars(t *ctype.Type) []scalar {
	s, ok := r.parts[t]
	if !ok {
		s = scalars(t, "", 0, nil)
		r.parts[t] = s
	}
	return s
}

// apart counts the cells that differ.
func apart(a, b []uint64) int {
	n := len(a) - len(b)
	if n < 0 {
		n = -n
	}
	for i := range a {
		if i < len(b) && a[i] != b[i] {
			n++
		}
	}
	return n
}
