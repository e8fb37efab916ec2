package machine

import (
	"cmp"
	"slices"

	"gulo/internal/ctype"
)

// This file is which members of unions were written last. A store to a member by its name says which one it was (lower's
// Options.Memory); any other store makes that unknown. A block for which something is known is clean, so that whoever writes
// to it has to call soil: other blocks cost nothing. Copying a union copies what is known of it.

// Member says which member of a union in a block was written last.
type Member struct {
	Off   int64 // of the union in its block
	Union *ctype.Type
	Index int32 // of its Fields; -1 where it is not known
}

// unions is what is known of a block. It is the block's own.
type unions struct {
	list    []Member // by their offsets
	largest int64    // of their sizes
}

// mostMembers bounds the unions of a block of which something is known.
const mostMembers = 1 << 16

func (u *unions) clone() *unions {
	if u == nil {
		return nil
	}
	return &unions{slices.Clone(u.list), u.largest}
}

// from returns the index of the first of the list at an offset or behind it.
func (u *unions) from(off int64) int {
	i, _ := slices.BinarySearchFunc(u.list, off, func(x Member, off int64) int { return cmp.Compare(x.Off, off) })
	return i
}

// Members lists the unions in the block that begins at w whose last written member is known, in the order of their
// offsets.
func (m *memory) Members(w ctype.Word) []Member {
	b, off := m.Find(w)
	if b == nil || off != 0 || b.unions == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.unions.list), func(x Member) bool { return x.Index < 0 })
}

// writtenMember executes an instruction that says which member of a union the last store was to.
func (m *memory) writtenMember(x *inst, r []ctype.Word) {
	at, stored := r[x.a]+ctype.Word(x.imm), r[x.b]+ctype.Word(int64(x.in.Else))
	b, off := m.Find(at)
	if size := x.in.T.Size; b != nil && !b.ReadOnly && off >= 0 && off+size <= b.Size && stored-at < ctype.Word(size) {
		b.setMember(Member{off, x.in.T, x.in.Target})
	}
}

// setMember notes what was written. Precondition: the block is the machine's own, as it is behind a store.
func (b *Block) setMember(x Member) {
	u := b.unions
	if u == nil {
		u = &unions{}
		b.unions, b.clean = u, true
	}
	i := u.from(x.Off)
	for ; i < len(u.list) && u.list[i].Off == x.Off; i++ {
		if u.list[i].Union == x.Union {
			u.list[i].Index = x.Index
			return
		}
	}
	if len(u.list) < mostMembers {
		u.list, u.largest = slices.Insert(u.list, i, x), max(u.largest, x.Union.Size)
	}
}

// forgetMembers makes it unknown which member was written last in each union that has some of the n bytes at off.
func (b *Block) forgetMembers(off, n int64) {
	u := b.unions
	if u == nil || n <= 0 {
		return
	}
	for i := u.from(off - u.largest); i < len(u.list) && u.list[i].Off < off+n; i++ {
		if x := &u.list[i]; x.Off+x.Union.Size > off {
			x.Index = -1
		}
	}
}

// copyMembers takes over what is known of the unions in the n bytes at so of block s, which were copied to do.
func (b *Block) copyMembers(do int64, s *Block, so, n int64) {
	list := s.unions.list[s.unions.from(so):]
	if s.unions == b.unions {
		list = slices.Clone(list)
	}
	for _, x := range list {
		if x.Off >= so+n {
			return
		}
		if x.Index >= 0 && x.Off+x.Union.Size <= so+n {
			b.setMember(Member{x.Off - so + do, x.Union, x.Index})
		}
	}
}
