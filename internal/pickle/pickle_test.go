package pickle

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
)

type shape interface{ area() int }

type square struct {
	side int
	near shape
}

func (s *square) area() int { return s.side * s.side }

type line struct{ from, to *node }

func (*line) area() int { return 0 }

type first struct{ n int16 }

type node struct {
	first
	Name  string
	next  *node
	all   []*node
	parts []first
	bytes []byte
	m     map[*node]int32
	byStr map[string][]string
	x     any
	s     shape
	u     uint64
	i     int64
	small int8
	yes   bool
	pair  [2]uint32
	sync.Mutex
	f  func()
	at *first
}

var codec = New([]any{(*square)(nil), (*line)(nil), (*node)(nil)}, []any{sync.Mutex{}})

func graph(rnd *rand.Rand, size int, out []*node) *node {
	var ns []*node
	ns = append(ns, out...)
	for range size {
		ns = append(ns, &node{})
	}
	pick := func() *node { return ns[rnd.IntN(len(ns))] }
	for _, n := range ns[len(out):] {
		n.n = int16(rnd.Int32())
		n.Name = []string{"", "a", "some longer name", "\x00\xff"}[rnd.IntN(4)]
		n.u, n.i, n.small, n.yes = rnd.Uint64()>>rnd.IntN(64), rnd.Int64()-1<<62, int8(rnd.Int32()), rnd.IntN(2) == 0
		n.pair = [2]uint32{rnd.Uint32(), 0}
		switch rnd.IntN(6) {
		case 0:
			n.next, n.x = pick(), pick()
		case 1:
			n.all, n.bytes = []*node{pick(), nil, pick(), n}, []byte("bytes")
			n.m = map[*node]int32{nil: -1} // keys that are pointers have no equals: TestIdentity
		case 2:
			n.all, n.bytes, n.parts = []*node{}, []byte{}, []first{}
			n.byStr = map[string][]string{"k": {"v", "a"}, "": nil}
		case 3:
			n.s = &square{7, &line{pick(), n}}
			n.x = n.s
		case 4:
			n.s = (*line)(nil)
			n.parts = make([]first, rnd.IntN(200))
			for i := range n.parts {
				n.parts[i].n = int16(i)
			}
		case 5:
			n.at = &pick().first // the address of a node, too
		}
	}
	return ns[len(out)]
}

// TestGraphs: what is read is what was written, with its sharing.
func TestGraphs(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		a, b := &node{Name: "outside"}, &node{Name: "outside, too"}
		g := graph(rnd, 1+rnd.IntN(300), []*node{a, b})
		bs, err := codec.Encode(g, []any{a, b})
		if err != nil {
			t.Fatal(err)
		}
		var h node
		if err := codec.Decode(bs, &h, []any{a, b}); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(g, &h) {
			t.Fatalf("seed %d: another graph", seed)
		}
		if seed < 20 { // a byte that is another one is seen
			bad := bytes.Clone(bs)
			bad[rnd.IntN(len(bad))] ^= 4
			if codec.Decode(bad, &node{}, []any{a, b}) == nil {
				t.Error("damaged bytes are taken")
			}
		}
	}
}

func TestIdentity(t *testing.T) {
	out := &node{Name: "outside"}
	g := &node{Name: "g"}
	g.next, g.x, g.all = g, g, []*node{out, g}
	g.m = map[*node]int32{g: 1, out: 2}
	b, err := codec.Encode(g, []any{out})
	if err != nil {
		t.Fatal(err)
	}
	h := &node{}
	if err := codec.Decode(b, h, []any{out}); err != nil {
		t.Fatal(err)
	}
	if h.next != h || h.x != any(h) || h.all[0] != out || h.all[1] != h || h.m[h] != 1 || h.m[out] != 2 {
		t.Errorf("pointers that were equal are not: %+v", h)
	}
}

func TestRefused(t *testing.T) {
	for name, g := range map[string]*node{"function": {f: func() {}}, "dynamic type": {x: 3}} {
		if _, err := codec.Encode(g, nil); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// TestEnd: elements of a byte each may stand at the end of what is written.
func TestEnd(t *testing.T) {
	type ended struct{ bytes []byte }
	c := New([]any{(*ended)(nil)}, nil)
	for n := range 4 {
		b, err := c.Encode(&ended{make([]byte, n)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got ended
		if err := c.Decode(b, &got, nil); err != nil || len(got.bytes) != n {
			t.Errorf("%d bytes: %v, %v", n, got.bytes, err)
		}
	}
}
