package heap

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
)

// blocks makes an image of nodes and a static string, in which some bytes were never written.
func blocks(r *rand.Rand) *Image {
	im := &Image{}
	a := ctype.Word(0x10000)
	for i := range 3 + r.IntN(6) {
		o := &Object{Addr: a, Kind: Node, Seq: i + 1, Live: r.IntN(4) > 0, Data: make([]byte, 8*(1+r.IntN(4)))}
		if r.IntN(2) == 0 {
			o.Undef = make([]bool, len(o.Data))
			for k := range o.Undef {
				o.Undef[k] = r.IntN(2) == 0
			}
		}
		im.Add(o)
		a += ctype.Word(len(o.Data)) + ctype.Word(16*r.IntN(3))
	}
	im.Add(&Object{Addr: a + 64, Kind: Static, Live: true, ReadOnly: true, Data: []byte("text\x00")})
	im.Sort()
	return im
}

func somewhere(r *rand.Rand, im *Image) ctype.Word {
	o := im.All()[r.IntN(len(im.All()))]
	return o.Addr + ctype.Word(r.IntN(len(o.Data)+4))
}

// TestRollback makes random changes of every kind; rolled back to any mark, the image is
// what it was there.
func TestRollback(t *testing.T) {
	types := []*ctype.Type{ctype.CharT, ctype.ShortT, ctype.IntT, ctype.LongT}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		im := blocks(r)
		for i := range 2 { // for Malloc
			o := &Object{Addr: 0x90000 + ctype.Word(i)*64, Kind: Node, Seq: 90 + i, Data: make([]byte, 16)}
			im.Add(o)
			im.Supply = append(im.Supply, o.Addr)
		}
		im.Sort()
		var marks []int
		var copies []*Image
		for step := range 40 {
			if r.IntN(5) == 0 {
				marks, copies = append(marks, im.Mark()), append(copies, im.Clone())
			}
			switch r.IntN(6) {
			case 0, 1:
				im.Store(somewhere(r, im), types[r.IntN(len(types))], ctype.Word(r.Uint64()))
			case 2:
				im.SetLive(im.All()[r.IntN(len(im.All()))], r.IntN(2) == 0)
			case 3:
				im.Push(&Object{Addr: 0xA0000 + ctype.Word(step)*32, Kind: Node, Live: true, Data: make([]byte, 8)})
			case 4:
				if im.Remove(somewhere(r, im)); len(im.All()) < 2 {
					im.Push(&Object{Addr: 0xB0000, Kind: Node, Live: true, Data: make([]byte, 8)})
				}
			case 5:
				if a, err := im.Malloc(16, r.IntN(2) == 0); err == nil && r.IntN(2) == 0 {
					if err := im.Free(a); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for i := len(marks) - 1; i >= 0; i-- {
			im.Rollback(marks[i])
			if !im.Equal(copies[i]) || im.Since(marks[i]) != "" {
				t.Fatalf("seed %d: not what it was at mark %d", seed, i)
			}
		}
	}
}

// TestAccess holds loads and stores against a search through all objects.
func TestAccess(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		im := blocks(r)
		for range 50 {
			a := somewhere(r, im)
			var in *Object
			for _, o := range im.All() {
				if a >= o.Addr && a < o.End() {
					in = o
				}
			}
			if got := im.Find(a); got != in {
				t.Fatalf("seed %d: %#x is in %v, not %v", seed, a, got, in)
			}
			readable := in != nil && a+4 <= in.End() && (in.Kind != Node || in.Live)
			if _, ok := im.Load(a, ctype.IntT); ok != readable {
				t.Fatalf("seed %d: load at %#x: %v", seed, a, ok)
			}
			w := ctype.Word(r.Uint32() >> 1)
			if ok := im.Store(a, ctype.IntT, w); ok != (readable && !in.ReadOnly) {
				t.Fatalf("seed %d: store at %#x: %v", seed, a, ok)
			} else if ok && !im.Holds(a, ctype.IntT, w) {
				t.Fatalf("seed %d: %#x does not hold what was stored", seed, a)
			}
		}
	}
}

// TestMalloc hands out each node of the supply once, of the size that is asked for.
func TestMalloc(t *testing.T) {
	im := &Image{Supply: []ctype.Word{0x100, 0x200, 0x300}}
	for i, n := range []int{8, 16, 8} {
		im.Add(&Object{Addr: im.Supply[i], Kind: Node, Seq: i + 1, Data: slices.Repeat([]byte{7}, n), Undef: slices.Repeat([]bool{true}, n)})
	}
	im.Sort()
	var got []string
	for _, x := range []struct {
		n    int64
		zero bool
	}{{16, true}, {8, false}, {24, false}, {8, false}, {8, false}} {
		a, err := im.Malloc(x.n, x.zero)
		got = append(got, fmt.Sprintf("%#x %v %v", a, err, err == nil && im.Known(a, x.n)))
	}
	want := []string{"0x200 <nil> true", "0x100 <nil> false", "0x0 " + eval.ErrAlloc.Error() + " false", "0x300 <nil> false", "0x0 " + eval.ErrAlloc.Error() + " false"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q\nnot\n%q", got, want)
	}
	if im.Free(0x104) == nil || im.Free(0x100) != nil || im.Free(0x100) == nil {
		t.Error("only the beginning of a live node can be freed, once")
	}
}

// list makes a graph of a list of nodes {next, value} that head leads to.
func list(values ...int) *Graph {
	node := &ctype.Type{Kind: ctype.Struct, Name: "node", Size: 16, Align: 8}
	to := ctype.PointerTo(node)
	node.Fields = []ctype.Field{{Name: "next", Type: to}, {Name: "value", Type: ctype.IntT, Offset: 8}}
	im := &Image{}
	head := &Object{Addr: 0x1000, Kind: Global, Live: true, Var: &cfront.Var{Name: "head", Type: to}, Data: make([]byte, 8)}
	im.Add(head)
	link := head.Data
	for i, v := range values {
		o := &Object{Addr: ctype.Word(0x2000 + 32*i), Kind: Node, Seq: i + 1, Live: true, Data: make([]byte, 16)}
		ctype.Store(to, link, o.Addr)
		ctype.Store(ctype.IntT, o.Data[8:], ctype.Word(v))
		link = o.Data
		im.Add(o)
	}
	im.Sort()
	return NewGraph(im, func(*Object) bool { return true })
}

func TestGraph(t *testing.T) {
	g := list(3, -4)
	for key, want := range map[string]string{"head": "n1", "n1->next": "n2", "n2->next": "null", "n2->value": "-4"} {
		if c, ok := g.Cell(key); !ok || c.Value.Text != want {
			t.Errorf("%s: %+v, not %s", key, c, want)
		}
	}
	if n, ok := g.Node("n2"); !ok || n.Type == nil || len(g.Nodes) != 2 {
		t.Error(n, g.Nodes)
	}
	if d := Diff(g, list(3, -4)); len(d) != 0 {
		t.Error(d)
	}
	if d := Diff(g, list(3, 5)); !slices.Equal(d, []string{"n2->value"}) {
		t.Error(d)
	}
	if d := Diff(g, list(3)); !slices.Contains(d, "n1->next") {
		t.Error(d)
	}
}
