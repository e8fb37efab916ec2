package heap

import (
	"slices"

	"gulo/internal/ctype"
)

// This file is which members of unions were written last, as far as that is known of a run. It says what is drawn of a union
// beside which nothing tells which member is in use. What is stored into an image makes it unknown.

// Member says which member of a union in an object was written last.
type Member struct {
	Off   int64 // of the union in the object
	Union *ctype.Type
	Index int // of its Fields
}

// membersOf lists what is known of an object, without the unions that were stored into since the image was taken.
func (im *Image) membersOf(o *Object) []Member {
	if len(o.Members) == 0 || len(im.journal) == 0 {
		return o.Members
	}
	return slices.DeleteFunc(slices.Clone(o.Members), func(m Member) bool { return im.storedInto(o, m.Off, m.Union.Size) })
}

// storedInto reports whether one of size bytes at off was stored to since the image was taken.
func (im *Image) storedInto(o *Object, off, size int64) bool {
	return slices.ContainsFunc(im.journal, func(c change) bool {
		return c.n > 0 && c.o.Addr == o.Addr && int64(c.off) < off+size && off < int64(c.off)+int64(c.n)
	})
}

// lastWritten is the member of the union at an address that was written last, or the only one that the program ever writes;
// -1 where that is not known.
func (im *Image) lastWritten(a ctype.Word, union *ctype.Type) int {
	if o := im.Find(a); o != nil {
		off := int64(a - o.Addr)
		for _, m := range o.Members {
			if m.Off == off && m.Union == union && !im.storedInto(o, off, union.Size) {
				return m.Index
			}
		}
	}
	if im.Unions != nil {
		return im.Unions.Sole(union)
	}
	return -1
}
