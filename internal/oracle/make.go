package oracle

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/testgen"
)

// This file makes states from nothing: arrays and lists that people write down, and examples for functions that nothing
// calls.

// Array adds an array of numbers to a state and returns a pointer to it.
func (s *State) Array(elem *ctype.Type, nums []int64) Value {
	words := make([]ctype.Word, len(nums))
	for i, n := range nums {
		words[i] = ctype.Wrap(elem, ctype.Word(n))
	}
	return s.words(elem, words)
}

// Reals adds an array of real numbers to a state and returns a pointer to it.
func (s *State) Reals(elem *ctype.Type, nums []float64) Value {
	words := make([]ctype.Word, len(nums))
	for i, n := range nums {
		words[i] = ctype.OfFloat(elem, n)
	}
	return s.words(elem, words)
}

func (s *State) words(elem *ctype.Type, words []ctype.Word) Value {
	o := Object{Type: elem, Count: int64(len(words))}
	for i, w := range words {
		path := fmt.Sprintf("[%d]", i)
		if len(words) == 1 {
			path = ""
		}
		o.Cells = append(o.Cells, Cell{path, Value{Word: w}})
	}
	s.Objects = append(s.Objects, o)
	return Value{Object: len(s.Objects)}
}

// List adds a linked list to a state and returns a pointer to its first node. The nodes are linked by the first member
// that points to their own type, and back by the second one. ok is false if the type has no such member, or more than
// two.
func (s *State) List(node *ctype.Type, nums []int64) (head Value, ok bool) {
	var links []string
	key := ""
	for _, f := range node.Fields {
		switch {
		case f.Type.Kind == ctype.Pointer && ctype.Same(f.Type.Elem, node):
			links = append(links, f.Name)
		case f.Type.IsInteger() && key == "":
			key = f.Name
		}
	}
	if len(links) == 0 || len(links) > 2 {
		return Value{}, false
	}
	if len(links) == 2 && testgen.Backwards(links[0]) {
		links[0], links[1] = links[1], links[0]
	}
	base := len(s.Objects)
	at := func(i int) Value {
		if i < 0 || i >= len(nums) {
			return Value{}
		}
		return Value{Object: base + i + 1}
	}
	for i, n := range nums {
		o := Object{Type: node, Count: 1, Heap: true}
		for _, f := range node.Fields {
			c := Cell{Path: f.Name}
			switch {
			case f.Name == links[0]:
				c.Value = at(i + 1)
			case len(links) == 2 && f.Name == links[1]:
				c.Value = at(i - 1)
			case f.Name == key:
				c.Value.Word = ctype.Wrap(f.Type, ctype.Word(n))
			}
			o.Cells = append(o.Cells, c)
		}
		s.Objects = append(s.Objects, o)
	}
	return at(0), true
}

// Shaped reports whether the state at a call of f has lists or trees, or f does not work on any.
func Shaped(im *heap.Image, f *cfront.Func) bool {
	return len(testgen.Infer(im, f).Shapes()) > 0 || len(linked(f)) == 0 && !slices.ContainsFunc(im.All(), func(o *heap.Object) bool {
		return o.Kind == heap.Global && o.Var != nil && node(o.Var.Type)
	})
}

// linked lists the parameters that point to nodes, or to pointers to nodes.
func linked(f *cfront.Func) []*cfront.Var {
	var out []*cfront.Var
	for _, p := range f.Params {
		if node(p.Type) || handle(p.Type) {
			out = append(out, p)
		}
	}
	return out
}

func node(t *ctype.Type) bool {
	if t.Kind != ctype.Pointer || !t.Elem.IsAggregate() {
		return false
	}
	for _, f := range t.Elem.Fields {
		if f.Type.Kind == ctype.Pointer && ctype.Same(f.Type.Elem, t.Elem) {
			return true
		}
	}
	return false
}

// handle reports whether a type points to a pointer to nodes, such as the address of a list's head that a function may
// change.
func handle(t *ctype.Type) bool { return t.Kind == ctype.Pointer && node(t.Elem) }

// ordered reports whether f or a function that it calls compares an integer member of a node with <, <=, > or >=.
func ordered(f *cfront.Func, node *ctype.Type) bool {
	found := false
	of := func(x cfront.Expr) (number bool) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			m, ok := y.(*cfront.Member)
			number = number || ok && m.Field.Type.IsInteger() && slices.ContainsFunc(node.Fields, func(g ctype.Field) bool { return g.Name == m.Field.Name && g.Offset == m.Field.Offset })
			return true
		})
		return number
	}
	for g := range cfront.Callees(f) {
		if g.Body == nil {
			continue
		}
		cfront.WalkStmt(g.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if b, ok := y.(*cfront.Binary); ok && slices.Contains([]ctype.Op{ctype.Lt, ctype.Le, ctype.Gt, ctype.Ge}, b.Op) {
					found = found || of(b.X) || of(b.Y)
				}
				return !found
			})
		})
	}
	return found
}

// Synthesize makes an example state for a function that nothing calls. Every pointer to nodes, in parameters and
// globals, leads to a small unsorted list or to a tree. It is a search tree only if f, or a function that it calls,
// compares a number of a node by order. The result is nil if there is no pointer to nodes.
func Synthesize(p *lower.Program, f *cfront.Func) *heap.Image {
	im := &heap.Image{Frames: []heap.FrameInfo{{Func: f}}}
	next, seq := ctype.Word(0x10_0000), 0
	alloc := func(size int64) ctype.Word {
		a := next
		next += ctype.Word(size+0xfff) &^ 0xfff
		return a
	}
	found := false
	structure := func(t *ctype.Type) ctype.Word {
		found = true
		var links []ctype.Field
		for _, x := range t.Fields {
			if x.Type.Kind == ctype.Pointer && ctype.Same(x.Type.Elem, t) {
				links = append(links, x)
			}
		}
		back := testgen.Upwards
		if len(links) == 2 {
			back = testgen.Backwards
		}
		sort.SliceStable(links, func(i, j int) bool { return !back(links[i].Name) && back(links[j].Name) })
		values := []int64{4, 2, 7} // an unsorted list, or a search tree
		if tree := len(links) == 3 || len(links) == 2 && !back(links[1].Name); tree && !ordered(f, t) {
			values = []int64{2, 4, 7}
		}
		nodes := make([]*heap.Object, len(values))
		for i, v := range values {
			seq++
			o := &heap.Object{Addr: alloc(t.Size), Kind: heap.Node, Live: true, Seq: seq, Data: make([]byte, t.Size)}
			first := true
			for _, x := range t.Fields {
				switch {
				case !x.Type.IsInteger() || x.BitLen != 0:
				case first:
					ctype.Store(x.Type, o.Data[x.Offset:], ctype.Word(v))
					first = false
				case len(links) == 1: // a number or a mark; in trees other integers are heights
					ctype.Store(x.Type, o.Data[x.Offset:], ctype.Word([]int{0, 1, 5}[i]))
				}
			}
			nodes[i] = o
			im.Add(o)
		}
		link := func(i, k, j int) {
			ctype.Store(links[k].Type, nodes[i].Data[links[k].Offset:], nodes[j].Addr)
		}
		switch {
		case len(links) == 1:
			link(0, 0, 1)
			link(1, 0, 2)
		case len(links) == 2 && back(links[1].Name):
			link(0, 0, 1)
			link(1, 0, 2)
			link(1, 1, 0)
			link(2, 1, 1)
		default:
			link(0, 0, 1)
			link(0, 1, 2)
			if len(links) == 3 {
				link(1, 2, 0)
				link(2, 2, 0)
			}
		}
		return nodes[0].Addr
	}
	variable := func(v *cfront.Var, kind heap.ObjectKind) {
		o := &heap.Object{Addr: alloc(v.Type.Size), Kind: kind, Live: true, Var: v, Data: make([]byte, max(v.Type.Size, 1))}
		switch {
		case node(v.Type):
			ctype.Store(v.Type, o.Data, structure(v.Type.Elem))
		case handle(v.Type):
			seq++
			head := &heap.Object{Addr: alloc(v.Type.Elem.Size), Kind: heap.Node, Live: true, Seq: seq, Data: make([]byte, v.Type.Elem.Size)}
			ctype.Store(v.Type.Elem, head.Data, structure(v.Type.Elem.Elem))
			ctype.Store(v.Type, o.Data, head.Addr)
			im.Add(head)
		case v.Type.IsInteger():
			ctype.Store(v.Type, o.Data, 2)
		}
		im.Add(o)
	}
	for _, v := range f.Params {
		variable(v, heap.Local)
	}
	for _, v := range p.Tree.Globals {
		if v.Func == nil && v.Range.Valid() && !strings.HasPrefix(v.Range.File.Name, "@gulo/") && v.Type.Size > 0 {
			if node(v.Type) && len(linked(f)) > 0 {
				continue // the parameters say what f works on
			}
			variable(v, heap.Global)
		}
	}
	if !found {
		return nil
	}
	im.Sort()
	return im
}
