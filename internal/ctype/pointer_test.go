package ctype_test

import (
	"math/rand/v2"
	"testing"

	"gulo/internal/ctype"
)

// TestAddresses makes pointers into blocks of all ids and takes them apart: addresses are below
// 2^47 and multiples of 16, those of the stack lie above all others, blocks do not overlap, and
// what is near a block belongs to it.
func TestAddresses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	last := map[uint32]ctype.Word{}
	for i := uint32(1); i < uint32(ctype.MaxCells)-1; i += 1 + uint32(r.Int64N(1+int64(i)/64)) {
		for _, id := range []uint32{i, i | ctype.StackBlock} {
			at := ctype.Base(id)
			stack := id &^ i
			if at>>47 != 0 || at%16 != 0 || (at >= 1<<46) != (stack != 0) || at <= last[stack] {
				t.Fatalf("block %#x is at %#x, another one at %#x", id, at, last[stack])
			}
			last[stack] = at
			reach := int64(1 << 15)
			if i < 1<<13-1 {
				reach = 1<<31 - 1<<20
			}
			for _, off := range []int64{0, 1, 8, -1, -reach, reach, r.Int64N(2*reach) - reach} {
				w := ctype.MakePointer(id, int32(off))
				if b, o := ctype.SplitPointer(w); b != id || int64(o) != off || ctype.Cell(w) != ctype.Word(i) {
					t.Fatalf("%#x%+d is %#x, which is %#x%+d in cell %#x", id, off, w, b, o, ctype.Cell(w))
				}
			}
		}
	}
	for _, size := range []int64{0, 1, 1 << 15, 1 << 17, 1 << 20, 1 << 30, 3 << 30} {
		for _, id := range []uint32{1, 8191, 8192, 20_000, 20_001 | ctype.StackBlock} {
			n := ctype.Cells(id, size)
			if end := ctype.Base(id) + ctype.Word(size); ctype.Base(id+uint32(n)) < end+1<<14 {
				t.Errorf("block %#x of %d bytes ends at %#x, and the one behind its %d cells begins at %#x", id, size, end, n, ctype.Base(id+uint32(n)))
			}
		}
	}
	for _, w := range []ctype.Word{0, 1, 1 << 20, ^ctype.Word(0), ^ctype.Word(0) - 7} {
		if b, o := ctype.SplitPointer(w); b != 0 || ctype.Word(int64(o)) != w {
			t.Errorf("%#x is %#x%+d", w, b, o)
		}
	}
	for _, w := range []ctype.Word{1 << 47, 1<<63 | ctype.Base(5), 0x7ffc<<48 | ctype.Base(9000)} {
		if b, _ := ctype.SplitPointer(w); b&^ctype.StackBlock < uint32(ctype.MaxCells) {
			t.Errorf("%#x is in block %#x", w, b)
		}
	}
}
