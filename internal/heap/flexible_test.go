package heap

import (
	"testing"

	"gulo/internal/ctype"
)

// TestLengthened says how long the last array of a struct is in blocks of all sizes.
func TestLengthened(t *testing.T) {
	record := func(size int64, last *ctype.Type, at int64) *ctype.Type {
		return &ctype.Type{Kind: ctype.Struct, Size: size, Align: 8, Fields: []ctype.Field{{Name: "next", Type: ctype.PointerTo(ctype.CharT)}, {Name: "end", Type: last, Offset: at}}}
	}
	one := record(16, ctype.ArrayOf(ctype.CharT, 1), 8)
	open := record(8, ctype.ArrayOf(ctype.CharT, 0), 8)
	ints := record(16, ctype.ArrayOf(ctype.IntT, 1), 8)
	for _, x := range []struct {
		t    *ctype.Type
		size int64
		want int64 // -1: as it is declared
	}{
		{one, 8, -1}, {one, 9, 1}, {one, 13, 5}, {one, 16, 8}, {one, 20, 12}, {one, 32, -1},
		{open, 8, -1}, {open, 9, 1}, {open, 24, 16},
		{ints, 11, -1}, {ints, 12, 1}, {ints, 16, -1}, {ints, 20, 3}, {ints, 48, -1},
	} {
		got := int64(-1)
		if long := Lengthened(x.t, x.size); long != nil {
			got = long.Fields[1].Type.Len
			if long.Size != x.size {
				t.Errorf("in %d bytes it has %d", x.size, long.Size)
			}
		}
		if got != x.want {
			t.Errorf("array of %d in %d bytes: %d elements, not %d", x.t.Fields[1].Type.Elem.Size, x.size, got, x.want)
		}
	}
}
