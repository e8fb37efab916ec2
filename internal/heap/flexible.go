package heap

import "gulo/internal/ctype"

// This file is structs that end in an array which is allocated as long as it is needed: char text[], and text[1]
// as people wrote it before C99.

// Lengthened returns a struct as it is in a block of size bytes: with a last array that reaches to the end of
// the block, if only over the padding behind the struct. It is nil where there is no such array, or where the
// block may as well be an array of structs.
func Lengthened(t *ctype.Type, size int64) *ctype.Type {
	last := tailOf(t)
	switch {
	case last == nil || size < last.Offset+last.Type.Elem.Size:
		return nil
	case size < t.Size: // of malloc(offsetof(struct s, text) + n), in the padding behind the struct
	case size == t.Size:
		if last.Type.Len > 0 && !isBytes(last.Type.Elem) || (size-last.Offset)/last.Type.Elem.Size <= max(last.Type.Len, 0) {
			return nil
		}
	case last.Type.Len > 0 && size%t.Size == 0:
		return nil
	}
	return longer(t, last, size)
}

// longer makes a struct's last array reach to the end of a block.
func longer(t *ctype.Type, last *ctype.Field, size int64) *ctype.Type {
	long := *t
	long.Size = size
	long.Fields = append([]ctype.Field(nil), t.Fields...)
	long.Fields[len(long.Fields)-1].Type = ctype.ArrayOf(last.Type.Elem, (size-last.Offset)/last.Type.Elem.Size)
	return &long
}

// lengthened is Lengthened for an object.
func (b *grapher) lengthened(t *ctype.Type, o *Object) *ctype.Type {
	last := tailOf(t)
	if last == nil || last.Type.Len > 0 && o.Round {
		return nil
	}
	key := sizeOf{t, int64(len(o.Data)), o.Round}
	x, ok := b.memo.longs[key]
	if !ok {
		if b.memo.longs == nil {
			b.memo.longs = map[sizeOf]*ctype.Type{}
		}
		x = Lengthened(t, key.bytes)
		b.memo.longs[key] = x
	}
	if x == nil && b.runsOn(t, last, o) {
		return longer(t, last, key.bytes)
	}
	return x
}

// runsOn reports whether a block as large as several structs holds one with a text that goes on where the next
// one would begin.
func (b *grapher) runsOn(t *ctype.Type, last *ctype.Field, o *Object) bool {
	size := int64(len(o.Data))
	if size <= t.Size || !isBytes(last.Type.Elem) {
		return false
	}
	for i := last.Offset; i <= t.Size; i++ {
		if o.Data[i] == 0 || o.Undef != nil && o.Undef[i] {
			return false
		}
	}
	return b.isText(o, last.Offset)
}

// tailOf returns the last member of a struct if it is an array that may be longer than it is declared; nil if
// not.
func tailOf(t *ctype.Type) *ctype.Field {
	if t.Kind != ctype.Struct || len(t.Fields) < 2 {
		return nil
	}
	last := &t.Fields[len(t.Fields)-1]
	if last.Type.Kind != ctype.Array || last.Type.Len > 1 || last.Type.Elem.Size == 0 || last.Name == "" {
		return nil
	}
	return last
}

// isBytes reports whether a type is that of memory from which other things are cut.
func isBytes(t *ctype.Type) bool { return t.Kind == ctype.Int && t.Size == 1 }

// behindHead notes that a pointer leads to what stands behind a head in a node, as the elements of a growing
// array stand behind its length.
func (b *grapher) behindHead(e *entry, off int64, t *ctype.Type) {
	if e.typ != nil || b.headOf(int64(len(e.o.Data)), part{off, t}) == nil {
		return
	}
	e.tail = part{off, t}
	b.tails = append(b.tails, e)
}

// headOf returns the only struct of the program that can be the head of a block of size bytes: it is smaller than
// the block, and ends in an array without a length, of bytes or of p's type, that begins where p does. It is nil
// for none or several.
func (b *grapher) headOf(size int64, p part) *ctype.Type {
	var found *ctype.Type
	for _, t := range b.im.Structs {
		last := tailOf(t)
		if last == nil || last.Type.Len > 0 || last.Offset != p.off || size <= t.Size {
			continue
		}
		if e := last.Type.Elem; !isBytes(e) && !ctype.Same(e, p.t) {
			continue
		}
		if found != nil && !ctype.Same(found, t) {
			return nil
		}
		found = t
	}
	return found
}
