package spec

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// states makes two images of one run: variables and nodes with changes between, nodes
// freed, nodes that are new.
func states(r *rand.Rand) (before, after *heap.Image) {
	before, after = &heap.Image{}, &heap.Image{}
	for i := range 2 + r.IntN(6) {
		o := &heap.Object{Addr: ctype.Word(0x1000 + 64*i), Kind: heap.Node, Seq: i + 1, Live: r.IntN(5) > 0, Data: make([]byte, 8+r.IntN(24))}
		if i == 0 {
			o.Kind, o.Var, o.Live = heap.Global, &cfront.Var{Name: "g"}, true
		}
		for k := range o.Data {
			o.Data[k] = byte(r.IntN(3))
		}
		if r.IntN(2) == 0 {
			o.Undef = make([]bool, len(o.Data))
			for k := range o.Undef {
				o.Undef[k] = r.IntN(2) == 0
			}
		}
		before.Add(o)
		p := *o
		p.Data, p.Undef = slices.Clone(o.Data), slices.Clone(o.Undef)
		for range r.IntN(4) {
			if !o.Live {
				break
			}
			k := r.IntN(len(p.Data))
			p.Data[k] = byte(r.Uint32())
			if p.Undef != nil {
				p.Undef[k] = false
			}
		}
		if o.Kind == heap.Node && o.Live && r.IntN(5) == 0 {
			p.Live = false
		}
		after.Add(&p)
	}
	for i := range r.IntN(3) {
		after.Add(&heap.Object{Addr: ctype.Word(0x8000 + 64*i), Kind: heap.Node, Seq: 20 + i, Live: true, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}})
	}
	before.Sort()
	after.Sort()
	return before, after
}

// TestDifference applies what was recorded between two states to the first, as the start
// of a segment is prepared: it becomes the second, and rolled back it is the first again.
func TestDifference(t *testing.T) {
	for seed := range uint64(500) {
		before, after := states(rand.New(rand.NewPCG(seed, 3)))
		d := Difference(before, after)
		s := &Segment{Start: before, Items: []Item{{Kind: Enter, Concrete: d}}}
		im := s.Prepare()
		first, mark := im.Clone(), im.Mark()
		d.Apply(im)
		if !im.Equal(after) {
			t.Fatalf("seed %d: the difference applied is not the state behind it", seed)
		}
		if dead := s.Dead(im); len(dead) != len(d.Live) {
			t.Fatalf("seed %d: %d nodes are dead, %d changed", seed, len(dead), len(d.Live))
		}
		if im.Rollback(mark); !im.Equal(first) {
			t.Fatalf("seed %d: not rolled back", seed)
		}
		if n := Difference(before, before); len(n.Writes)+len(n.Live)+len(n.New) != 0 {
			t.Fatalf("seed %d: a state differs from itself: %+v", seed, n)
		}
	}
}

// TestHolds asserts values at the start: one that was never written is no value.
func TestHolds(t *testing.T) {
	im := &heap.Image{}
	v := &cfront.Var{Name: "v", Type: ctype.IntT}
	im.Add(&heap.Object{Addr: 0x1000, Kind: heap.Global, Live: true, Var: v, Data: []byte{5, 0, 0, 0, 0, 0, 0, 0}, Undef: []bool{false, false, false, false, true, true, true, true}})
	im.Sort()
	for _, x := range []struct {
		addr, word ctype.Word
		want       bool
	}{{0x1000, 5, true}, {0x1000, 4, false}, {0x1004, 0, false}, {0x2000, 0, false}} {
		s := &Segment{Start: im, End: []Cell{{Key: "v", Addr: x.addr, Type: ctype.IntT, Word: x.word}}}
		if s.Holds() != x.want {
			t.Errorf("%#x is %d: %v", x.addr, x.word, !x.want)
		}
	}
}

// TestSupply: what an item allocates comes before what the user made, and can be
// allocated again only once.
func TestSupply(t *testing.T) {
	own, made := &heap.Object{Addr: 0x3000, Kind: heap.Node, Seq: 1, Data: make([]byte, 16)}, &heap.Object{Addr: 0x4000, Kind: heap.Node, Seq: 2, Data: make([]byte, 16)}
	s := &Segment{Start: &heap.Image{}, Items: []Item{{Kind: Enter, Allocs: []*heap.Object{own}}}, Fresh: []*heap.Object{made}}
	im := s.Prepare()
	im.Supply = s.Supply(&s.Items[0])
	if !slices.Equal(im.Supply, []ctype.Word{0x3000, 0x4000}) {
		t.Fatal(im.Supply)
	}
	for _, want := range im.Supply {
		if a, err := im.Malloc(16, false); a != want || err != nil || im.Known(a, 1) {
			t.Errorf("%#x, %v", a, err)
		}
	}
	if _, err := im.Malloc(16, false); err == nil {
		t.Error("a third node")
	}
	if s.Supply(&Item{}) == nil || (&Segment{}).Supply(&Item{}) != nil {
		t.Error("what the user made can be allocated by every item")
	}
}
