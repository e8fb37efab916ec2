package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gulo/internal/ctype"
)

// TestList changes lists at random and compares them with plain ones; the lists of before stay as
// they were.
func TestList(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, size := range []int{0, 1, 300, 5000} {
		var flat []*Object
		seq := 0
		object := func() *Object {
			seq++
			return &Object{Addr: ctype.Word(16 + 32*r.IntN(1<<24)), Seq: seq, Data: make([]byte, 16)}
		}
		order := func(a, b *Object) int {
			if before(a, b) {
				return -1
			}
			return 1
		}
		for range size {
			flat = append(flat, object())
		}
		slices.SortFunc(flat, order)
		l := listOf(flat)
		var lists []*objects
		var were [][]*Object
		for round := range 60 {
			out, in := map[*Object]bool{}, []*Object{}
			n := r.IntN(12)
			if round%20 == 19 {
				n = 700
			}
			for range n {
				if len(flat) > 0 && r.IntN(2) == 0 {
					o := flat[r.IntN(len(flat))]
					if out[o] {
						continue
					}
					if out[o] = true; r.IntN(2) == 0 {
						c := *o
						in = append(in, &c)
					}
				} else {
					in = append(in, object())
				}
			}
			slices.SortFunc(in, order)
			lists, were = append(lists, l), append(were, flat)
			next, _ := l.with(out, in)
			flat = slices.DeleteFunc(slices.Clone(flat), func(o *Object) bool { return out[o] })
			flat = append(flat, in...)
			slices.SortFunc(flat, order)
			if l = next; !slices.Equal(l.flat(), flat) || l.count != len(flat) {
				t.Fatalf("%d objects, round %d: the list has others", size, round)
			}
			for range 50 {
				a := ctype.Word(r.IntN(1 << 29))
				var want *Object
				for _, o := range flat {
					if o.Addr <= a {
						want = o
					}
				}
				if l.below(a) != want {
					t.Fatalf("%d objects, round %d: another object is below %#x", size, round, a)
				}
				var some, all []*Object
				l.between(a, a+5000, func(o *Object) { some = append(some, o) })
				for _, o := range flat {
					if o.End() > a && o.Addr < a+5000 {
						all = append(all, o)
					}
				}
				if !slices.Equal(some, all) {
					t.Fatalf("%d objects, round %d: others lie between %#x and %#x", size, round, a, a+5000)
				}
			}
		}
		for i := range lists {
			if !slices.Equal(lists[i].flat(), were[i]) {
				t.Fatalf("%d objects: the list of round %d has changed", size, i)
			}
		}
	}
}

// TestListOverlap: an object that lies over another is noticed, also where a part ends.
func TestListOverlap(t *testing.T) {
	var flat []*Object
	for i := range 3 * objectsOfPart {
		flat = append(flat, &Object{Addr: ctype.Word(32 * (i + 1)), Data: make([]byte, 16)})
	}
	l := listOf(flat)
	for i, o := range flat {
		for _, x := range []struct {
			off  ctype.Word
			size int
			over bool
		}{{16, 16, false}, {16, 17, i+1 < len(flat)}, {15, 1, true}} {
			in := &Object{Addr: o.Addr + x.off, Seq: 1, Data: make([]byte, x.size)}
			if _, over := l.with(nil, []*Object{in}); over != x.over {
				t.Errorf("%d bytes at %#x: %v", x.size, in.Addr, over)
			}
		}
	}
}
