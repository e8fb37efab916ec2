package slice

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestControlDependences: a loop (1) with an if (2) in it, and one behind it (5).
func TestControlDependences(t *testing.T) {
	succ := [][]int{{1}, {2, 5}, {3, 4}, {4}, {1}, {6, 7}, {7}, {}}
	want := [][]int{nil, {1}, {1}, {2}, {1}, nil, {5}, nil}
	if got := ControlDependences(succ); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestExamine replays a trace by hand: x = f(1); y = 2; *p = x; use of *p. The slice
// leaves y out.
func TestExamine(t *testing.T) {
	f := &Function{ID: 2, Name: "f", File: "/d/f.c", Blocks: []int{0}, Succ: [][]int{{}}, Insts: []Inst{
		{Op: "value", Line: 10, Ops: []int{-1}}, {Op: "return", Line: 11, Ops: []int{0}},
	}}
	m := &Function{ID: 1, Name: "main", File: "/d/m.c", Blocks: []int{0}, Succ: [][]int{{}}, Insts: []Inst{
		{Op: "call", Line: 1, Ops: []int{NoOperand}}, {Op: "value", Line: 2}, {Op: "store", Line: 3, Ops: []int{0}}, {Op: "load", Line: 4},
	}}
	fns := map[uint64]*Function{1: m, 2: f}
	for _, x := range fns {
		x.control = ControlDependences(x.Succ)
	}
	rec := func(kind, size, n, value uint64) []uint64 { return []uint64{kind<<56 | size<<32 | n, value} }
	var list []uint64
	for _, r := range [][]uint64{
		rec(RecordEnter, 0, 0, 1), rec(RecordBlock, 0, 0, 1), rec(RecordCall, 0, 0, 0), rec(RecordEnter, 0, 0, 2), rec(RecordBlock, 0, 0, 2), rec(RecordReturn, 0, 1, 0),
		rec(RecordStore, 8, 2, 4096), rec(RecordLoad, 8, 3, 4096),
	} {
		list = append(list, r...)
	}
	write := func(list []uint64) string {
		var out []byte
		for _, w := range list {
			out = binary.LittleEndian.AppendUint64(out, w)
		}
		name := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(name, out, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	c, err := Examine(fns, write(list), "f.c", 10)
	if err != nil {
		t.Fatal(err)
	}
	// load, store, the call's value, the return (with the call on its way), the value in f.
	if !c.Found || c.Total != 7 || c.Trace != 5 || c.Slice != 6 {
		t.Errorf("%+v", c)
	}
	if c, err = Examine(fns, write(list), "m.c", 2); err != nil || c.Found {
		t.Errorf("line 2 is not in the slice: %+v, %v", c, err)
	}
	if _, err := Examine(fns, write([]uint64{rec(RecordEnter, 0, 0, 9)[0], 9}), "f.c", 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("unknown function: %v", err)
	}
	if _, err := Examine(fns, write(append(list[:4:4], rec(RecordLoad, 8, 77, 0)...)), "f.c", 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("instruction out of range: %v", err)
	}
}
