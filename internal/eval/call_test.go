package eval

import (
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// nowhere is memory in which nothing is.
type nowhere struct{}

func (nowhere) Load(ctype.Word, *ctype.Type) (ctype.Word, bool)  { return 0, false }
func (nowhere) Store(ctype.Word, *ctype.Type, ctype.Word) bool   { return false }
func (nowhere) VarAddr(*cfront.Var) (ctype.Word, bool)           { return 0, false }
func (nowhere) Malloc(size int64, zero bool) (ctype.Word, error) { return 0, nil }
func (nowhere) Free(ctype.Word) error                            { return nil }

// TestFarAddress holds that an address near the end of what can be addressed is none of a
// function that is interpreted: the sum of it and a size is small.
func TestFarAddress(t *testing.T) {
	w := &World{Heap: nowhere{}, frames: []*activation{{base: scratch, data: make([]byte, 16), set: make([]bool, 16)}}}
	for _, a := range []ctype.Word{^ctype.Word(0), ^ctype.Word(3), scratch + 13, scratch + 16} {
		if w.Store(a, ctype.IntT, 1) {
			t.Errorf("%#x was written", a)
		}
		if _, ok := w.Load(a, ctype.IntT); ok {
			t.Errorf("%#x was read", a)
		}
	}
	if !w.Store(scratch+12, ctype.IntT, 1) {
		t.Error("the last word of a function's variables was not written")
	}
}
