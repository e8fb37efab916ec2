package heap

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is about structs that stand for several others: those that begin with the same members.

// SetTypes tells an image the structs of its program.
func (im *Image) SetTypes(tree *cfront.Program) {
	im.Structs, im.Casts, im.Choices, im.Unions = tree.Structs, tree.Casts, tree.Choices, tree.Unions
	im.Tags = tree.Tags
}

// mayBe reports whether a block of size bytes that a pointer to a base leads to can be an s.
func (b *grapher) mayBe(s, base *ctype.Type, size int64, round bool) bool {
	whole := s.Size == size || round && max(24, (s.Size+8+15)/16*16-8) == size
	switch {
	case whole && begins(s, base):
		return !tiled(s, base)
	case begins(s, base):
		last := tailOf(s)
		return last != nil && last.Type.Len <= 0 && last.Offset <= size && b.cast(base, s)
	case whole || tailOf(s) != nil && tailOf(s).Offset <= size && s.Size > base.Size:
		return extends(s, base) && b.cast(base, s)
	}
	return false
}

// extends reports whether a struct begins with the members of another one and has more.
func extends(s, base *ctype.Type) bool {
	if len(base.Fields) == 0 || len(s.Fields) <= len(base.Fields) {
		return false
	}
	for i := range base.Fields {
		x, y := &base.Fields[i], &s.Fields[i]
		if x.Name != y.Name || x.Offset != y.Offset || x.BitOff != y.BitOff || x.BitLen != y.BitLen || !ctype.Same(x.Type, y.Type) {
			return false
		}
	}
	return true
}

// cast reports whether the program takes a pointer to a struct for one to another, itself or as a member of a
// union.
func (b *grapher) cast(base, s *ctype.Type) bool {
	for _, p := range b.im.Casts {
		for i, t := range p {
			if ctype.Same(t, base) && holds(p[1-i], s) {
				return true
			}
		}
	}
	for _, u := range b.im.Structs {
		if u.Kind == ctype.Union && holds(u, base) && holds(u, s) {
			return true
		}
	}
	return false
}

// holds reports whether a type is another one, or a union with a member of that type.
func holds(t, member *ctype.Type) bool {
	if t.Kind == ctype.Union {
		for i := range t.Fields {
			if ctype.Same(t.Fields[i].Type, member) {
				return true
			}
		}
	}
	return ctype.Same(t, member)
}
