package trace

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
)

// This file is about sets of states: their words, their bits, how an edit changes them.

// split partitions a place's remaining guards into those that hold and those that do not.
func (s *search) split(m eval.Memory, u *unit) (yes, no bitset) {
	all := u.gvs
	if all == nil {
		all = full(len(u.Conds))
	}
	yes, no = make(bitset, len(all)), make(bitset, len(all))
	all.each(func(c int) {
		t, err := eval.Truth(m, u.Conds[c])
		switch {
		case err != nil:
		case t:
			yes.set(c)
		default:
			no.set(c)
		}
	})
	return yes, no
}

func wordType(size int64) *ctype.Type {
	switch size {
	case 1:
		return ctype.UCharT
	case 2:
		return ctype.UShortT
	case 4:
		return ctype.UIntT
	}
	return ctype.ULongT
}

func bitField(l cfront.Expr) (b bitStore, ok bool) {
	m, isMember := l.(*cfront.Member)
	if !isMember {
		return b, false
	}
	t, at, ok := m.Field.Stored()
	if !ok {
		return b, false
	}
	size := int64(1)
	for size < t.Size {
		size *= 2
	}
	return bitStore{t, ctype.Word(at - m.Field.Offset), size}, true
}

// effect returns the effect of storing w to the member at an address; ok is false if the word is not completely inside
// one object.
func (b bitStore) effect(im *heap.Image, addr, w ctype.Word) (e effect, ok bool) {
	addr += b.off
	t := wordType(b.size)
	old, ok := im.Load(addr, t)
	if !ok {
		return effect{}, false
	}
	var raw [8]byte
	ctype.Store(t, raw[:], old)
	ctype.Store(b.field, raw[:], w)
	return effect{addr, ctype.Load(t, raw[:]), b.size}, true
}

func mask(size int64) ctype.Word {
	if size >= 8 {
		return ^ctype.Word(0)
	}
	return 1<<(8*size) - 1
}
