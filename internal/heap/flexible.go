package heap

import "gulo/internal/ctype"

// This file is structs that end in an array which is allocated as long as it is needed: char text[], and text[1]
// as people wrote it before C99.

// Lengthened returns a struct as it is in a block of size bytes, which is larger than the struct: with a last
// array that reaches to the end of the block. It is nil where there is no such array, or where the block is as
// well one of several structs.
func Lengthened(t *ctype.Type, size int64) *ctype.Type {
	last := tailOf(t)
	if last == nil || size <= t.Size || last.Type.Len > 0 && size%t.Size == 0 {
		return nil
	}
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
	return x
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

// headOf returns the only struct of the program that ends in an array as long as it is needed, of bytes or of
// what the part is, and has it where the part of a block of size bytes begins.
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
