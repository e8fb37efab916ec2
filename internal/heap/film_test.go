package heap

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// world is a run that exists only as its memory.
type world struct {
	r       *rand.Rand
	node    *ctype.Type
	structs []*ctype.Type
	vars    []*cfront.Var
	frames  []FrameInfo
	funcs   []*cfront.Func
	objects []*Object // their contents are changed in place
	top     ctype.Word
	nodes   int
	views   Views
	viewed  bool // views are made, too
	stack   []Span
}

func newWorld(r *rand.Rand) *world {
	w := &world{r: r, top: 0x10000}
	in := &ctype.Type{Kind: ctype.Struct, Tag: "links", Size: 16, Align: 8}
	in.Fields = []ctype.Field{{Name: "next", Type: ctype.PointerTo(in)}, {Name: "prev", Type: ctype.PointerTo(in), Offset: 8}}
	w.node = &ctype.Type{Kind: ctype.Struct, Tag: "node", Size: 48, Align: 8}
	w.node.Fields = []ctype.Field{
		{Name: "left", Type: ctype.PointerTo(w.node)}, {Name: "right", Type: ctype.PointerTo(w.node), Offset: 8}, {Name: "key", Type: ctype.IntT, Offset: 16},
		{Name: "text", Type: ctype.PointerTo(ctype.CharT), Offset: 24}, {Name: "in", Type: in, Offset: 32},
	}
	bunch := &ctype.Type{Kind: ctype.Struct, Tag: "bunch", Size: 8, Align: 8}
	bunch.Fields = []ctype.Field{{Name: "rest", Type: ctype.PointerTo(ctype.CharT)}, {Name: "kids", Type: ctype.ArrayOf(ctype.PointerTo(w.node), 0), Offset: 8}}
	w.structs = []*ctype.Type{in, w.node, bunch}
	file := []*ctype.Type{ctype.PointerTo(w.node), ctype.PointerTo(in), ctype.ArrayOf(ctype.PointerTo(w.node), 3), ctype.PointerTo(ctype.LongT), ctype.PointerTo(bunch)}
	for i, t := range file {
		w.vars = append(w.vars, &cfront.Var{Name: string(rune('a' + i)), Type: t})
		w.objects = append(w.objects, &Object{Addr: 0x1000 + ctype.Word(i)*64, Kind: Global, Live: true, Var: w.vars[i], Data: make([]byte, t.Size)})
	}
	for _, name := range []string{"main", "f", "g"} {
		w.funcs = append(w.funcs, &cfront.Func{Name: name})
	}
	w.objects = append(w.objects, &Object{Addr: 0x8000, Kind: Static, Live: true, Seq: -1, Data: []byte("text\x00")})
	w.frames = []FrameInfo{{Func: w.funcs[0]}}
	return w
}

// word is a pointer to somewhere, or none.
func (w *world) word() ctype.Word {
	switch w.r.IntN(8) {
	case 0:
		return 0
	case 1:
		return ctype.Word(w.r.IntN(1 << 18))
	}
	o := w.objects[w.r.IntN(len(w.objects))]
	if w.r.IntN(3) > 0 || len(o.Data) < 40 {
		return o.Addr
	}
	return o.Addr + 32
}

// look makes a view, or ends one.
func (w *world) look() {
	types := []*ctype.Type{w.node, w.structs[0], ctype.ArrayOf(w.structs[0], 1), ctype.ArrayOf(w.structs[0], 3), ctype.ArrayOf(ctype.CharT, 16), ctype.LongT, nil, nil}
	if t := types[w.r.IntN(len(types))]; w.r.IntN(3) > 0 {
		w.views = w.views.WithBlock(1+w.r.IntN(w.nodes+1), t)
	} else {
		w.views = w.views.WithKind([]*ctype.Type{w.node, w.structs[0], ctype.LongT}[w.r.IntN(3)], t)
	}
}

// step changes something.
func (w *world) step() {
	if w.viewed && w.r.IntN(3) == 0 {
		w.look()
	}
	switch w.r.IntN(8) {
	case 0:
		w.stack = []Span{{0x30000 + ctype.Word(w.r.IntN(1<<12))*8, 0x40000}}
	case 1:
		w.stack = append(slices.Clone(w.stack), Span{0x20000, 0x20000 + ctype.Word(w.r.IntN(1<<13))*8})
	}
	for range 1 + w.r.IntN(3) {
		o := w.objects[w.r.IntN(len(w.objects))]
		switch w.r.IntN(9) {
		case 0, 1:
			w.nodes++
			b := &Object{Addr: w.top, Kind: Node, Live: true, Seq: w.nodes, Data: make([]byte, []int{48, 48, 48, 16, 8, 96}[w.r.IntN(6)])}
			w.top += ctype.Word(len(b.Data)) + 16
			b.Undef = make([]bool, len(b.Data))
			for i := range b.Undef {
				b.Undef[i] = w.r.IntN(2) == 0
			}
			w.objects = append(w.objects, b)
		case 2:
			if o.Kind == Node {
				o.Live = w.r.IntN(2) == 0
			}
		case 3: // a call, or a return from it
			w.frames = []FrameInfo{{Func: w.funcs[w.r.IntN(3)]}, {Func: w.funcs[0]}}[w.r.IntN(2):]
		default:
			if at := w.r.IntN(len(o.Data)/8+1) * 8; at+8 <= len(o.Data) {
				ctype.Store(ctype.ULongT, o.Data[at:], w.word())
				if o.Undef != nil {
					clear(o.Undef[at : at+8])
				}
			}
		}
	}
}

// image is a copy of all.
func (w *world) image() *Image {
	im := &Image{Structs: w.structs, Frames: w.frames, Views: w.views, Stack: w.stack}
	for _, o := range w.objects {
		im.Add(o)
	}
	for i, f := range w.frames {
		o := &Object{Addr: 0x100000 - ctype.Word(len(w.frames)-i)*16, Kind: Local, Live: true, Frame: i, Data: make([]byte, 8)}
		o.Var = &cfront.Var{Name: "x", Type: ctype.PointerTo(w.node), Func: f.Func, Storage: cfront.Local}
		for _, v := range w.vars {
			if v.Func == f.Func {
				o.Var = v
			}
		}
		if o.Var.Func == f.Func {
			w.vars = append(w.vars, o.Var)
		}
		ctype.Store(ctype.ULongT, o.Data, w.objects[len(w.objects)/2].Addr)
		im.Add(o)
	}
	im.Sort()
	return im.Clone()
}

// sameGraphs compares what can be seen of two graphs.
func sameGraphs(t *testing.T, a, b *Graph) bool {
	t.Helper()
	if !reflect.DeepEqual(a.Nodes, b.Nodes) || !reflect.DeepEqual(a.Lost, b.Lost) || !reflect.DeepEqual(a.Vars, b.Vars) || a.More != b.More {
		for i := range min(len(a.Nodes), len(b.Nodes)) {
			if !reflect.DeepEqual(a.Nodes[i], b.Nodes[i]) {
				t.Errorf("%+v and %+v", *a.Nodes[i], *b.Nodes[i])
				break
			}
		}
		t.Errorf("graphs of %d and %d nodes (%d and %d more) differ", len(a.Nodes), len(b.Nodes), a.More, b.More)
		return false
	}
	return true
}

// TestGrapher changes the memory of a run at random: the graph that is made with what the one
// before had is the one made from nothing, and so are the differences and what is remembered.
func TestGrapher(t *testing.T) {
	shared := 0
	for seed := range uint64(300) {
		w := newWorld(rand.New(rand.NewPCG(seed, 1)))
		w.viewed = seed%4 == 1
		g := &Grapher{Inner: seed%2 == 0, most: []int{0, 3, 8}[seed%3]}
		var film Film
		var before, fresh *Graph
		var types, other Types
		for i := range 60 {
			w.step()
			im := w.image()
			whole := im.Clone()
			film.Add(im)
			if i%7 == 3 { // nobody made a graph of this one
				continue
			}
			if i%11 == 5 { // and somebody changed this one
				im.Store(im.All()[0].Addr, ctype.LongT, 77)
				if im = w.image(); i%2 == 0 {
					film.Add(im)
				}
				whole = im.Clone()
			}
			show := func(o *Object) bool { return o.Frame == 0 || seed%5 > 0 }
			a := g.Graph(im, show)
			b := (&Grapher{Inner: g.Inner, most: g.most}).Graph(whole, show)
			types, other = a.Types(types), b.Types(other)
			a.Recall(im, types)
			b.Recall(whole, other)
			if !sameGraphs(t, a, b) {
				t.Fatalf("seed %d, step %d", seed, i)
			}
			if before != nil {
				if x, y := Diff(before, a), Diff(fresh, b); !reflect.DeepEqual(x, y) {
					t.Fatalf("seed %d, step %d: %v and %v differ", seed, i, x, y)
				}
				for _, n := range a.Nodes {
					if m := before.Typed(n.Seq); m == n {
						shared++
					}
				}
			}
			for _, k := range a.Keys() {
				x, ok := a.Cell(k)
				y, also := b.Cell(k)
				if !ok || !also || !reflect.DeepEqual(x, y) {
					t.Fatalf("seed %d, step %d: %s is %v and %v", seed, i, k, x, y)
				}
			}
			before, fresh = a, b
		}
	}
	if shared < 1000 {
		t.Errorf("only %d nodes were taken from the graph before", shared)
	}
}

// TestFilmStore stores into images of a film: no other one sees it, nor the film itself.
func TestFilmStore(t *testing.T) {
	w := newWorld(rand.New(rand.NewPCG(5, 5)))
	var film Film
	var images, copies []*Image
	for range 40 {
		w.step()
		im := w.image()
		copies = append(copies, im.Clone())
		film.Add(im)
		images = append(images, im)
		k := w.r.IntN(len(images))
		was := images[k].Mark()
		for range 5 {
			o := images[k].All()[w.r.IntN(len(images[k].All()))]
			switch w.r.IntN(4) {
			case 0:
				images[k].Push(&Object{Addr: 0x700000 + ctype.Word(w.r.IntN(1000))*8, Kind: Node, Live: true, Data: make([]byte, 8)})
			case 1:
				images[k].Remove(o.Addr)
			case 2:
				images[k].SetLive(o, !o.Live)
			default:
				images[k].Store(o.Addr, ctype.LongT, ctype.Word(w.r.Uint64()))
			}
		}
		for i := range images {
			if i != k && !images[i].Equal(copies[i]) {
				t.Fatalf("storing into image %d changed image %d", k, i)
			}
		}
		images[k].Rollback(was)
		if !images[k].Equal(copies[k]) {
			t.Fatalf("image %d is not as it was", k)
		}
	}
}
