package testgen

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
)

// Input is a state in which the function is called.
type Input struct {
	Text  string // a description for people
	Mem   *Memory
	Args  []ctype.Word
	Nodes []ctype.Word // the nodes made
}

// Memory is a state that can allocate; it implements eval.Heap. Reading uninitialized memory is an error.
type Memory struct {
	*heap.Image
	next ctype.Word
	used int64
}

// Where generated and allocated nodes are.
const (
	arena     = ctype.Word(0x7000) << 32
	maxMemory = 1 << 22
)

// Load implements eval.Memory.
func (m *Memory) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	w, ok := m.Image.Load(a, t)
	return w, ok && m.Known(a, t.Size)
}

// Malloc implements eval.Heap.
func (m *Memory) Malloc(size int64, zero bool) (ctype.Word, error) {
	if m.used += size; size <= 0 || m.used > maxMemory {
		return 0, eval.ErrAlloc
	}
	o := &heap.Object{Addr: m.next, Kind: heap.Node, Live: true, Seq: int(m.next-arena) >> 12, Data: make([]byte, size)}
	if !zero {
		o.Undef = make([]bool, size)
		for i := range o.Undef {
			o.Undef[i] = true
		}
	}
	m.next += ctype.Word(size+0xfff) &^ 0xfff
	m.Push(o)
	return o.Addr, nil
}

// Inputs makes all small inputs and random larger ones, up to n. The same seed
// gives the same inputs.
func (p *Plan) Inputs(n int, seed int64) []*Input {
	if len(p.parts) == 0 {
		return nil
	}
	rnd := rand.New(rand.NewSource(seed))
	var out []*Input
	for _, sizes := range p.sizes() {
		for _, shape := range p.shapesOf(sizes) {
			rounds := 1
			if len(p.ints) > 0 {
				rounds = 4
			}
			for r := 0; r < rounds && len(out) < n*3/4; r++ {
				out = append(out, p.build(shape, sampler{rnd, p.Near, p.Met}))
			}
		}
	}
	for len(out) < n {
		sizes := make([]int, len(p.parts))
		for i := range sizes {
			sizes[i] = 1 + rnd.Intn(14)
		}
		out = append(out, p.build(p.random(sizes, rnd), sampler{rnd, p.Near, p.Met}))
	}
	return out
}

// sizes lists small sizes for all structures together, the smallest first.
func (p *Plan) sizes() [][]int {
	limit := 6
	if len(p.parts) > 1 {
		limit = 3
	}
	if p.parts[0].shape.Kind == Tree {
		limit = min(limit, 4)
	}
	list := [][]int{nil}
	for range p.parts {
		var next [][]int
		for _, l := range list {
			for k := 0; k <= limit; k++ {
				next = append(next, append(append([]int(nil), l...), k))
			}
		}
		list = next
		if len(list) > 300 {
			break
		}
	}
	sum := func(l []int) int {
		n := 0
		for _, k := range l {
			n += k
		}
		return n
	}
	sort.SliceStable(list, func(i, j int) bool { return sum(list[i]) < sum(list[j]) })
	for i := range list {
		for len(list[i]) < len(p.parts) {
			list[i] = append(list[i], 1)
		}
	}
	return list
}

// form is the form of one structure: for trees the children and the parent of every node, for lists only the number of
// nodes.
type form struct {
	size   int
	left   []int // by node: its left child; -1: none
	right  []int
	parent []int
}

func listForm(n int) *form { return &form{size: n} }

// shapesOf lists the forms that structures of these sizes can have, in all combinations.
func (p *Plan) shapesOf(sizes []int) [][]*form {
	out := [][]*form{nil}
	for i, st := range p.parts {
		forms := []*form{listForm(sizes[i])}
		if st.shape.Kind == Tree {
			forms = nil
			for _, f := range allTrees(sizes[i]) {
				if !st.shape.Balanced || f.balanced() {
					forms = append(forms, f)
				}
			}
		}
		var next [][]*form
		for _, o := range out {
			for _, f := range forms {
				next = append(next, append(append([]*form(nil), o...), f))
			}
		}
		out = next
	}
	return out
}

// random returns a random form for every structure.
func (p *Plan) random(sizes []int, rnd *rand.Rand) []*form {
	var out []*form
	for i, st := range p.parts {
		if st.shape.Kind != Tree {
			out = append(out, listForm(sizes[i]))
			continue
		}
		f := randomTree(sizes[i], rnd)
		if st.shape.Balanced {
			f = balancedTree(sizes[i], rnd)
		}
		out = append(out, f)
	}
	return out
}

func newTree(n int) *form {
	f := &form{size: n, left: make([]int, n), right: make([]int, n), parent: make([]int, n)}
	for i := 0; i < n; i++ {
		f.left[i], f.right[i], f.parent[i] = -1, -1, -1
	}
	return f
}

// split makes a tree of n nodes; choose decides how many of a subtree's nodes go to its left. Node 0 is the root.
func split(n int, choose func(n int) int) *form {
	f := newTree(n)
	next := 0
	var grow func(n, parent int) int
	grow = func(n, parent int) int {
		if n == 0 {
			return -1
		}
		id := next
		next++
		f.parent[id] = parent
		l := choose(n)
		f.left[id] = grow(l, id)
		f.right[id] = grow(n-1-l, id)
		return id
	}
	grow(n, -1)
	return f
}

func randomTree(n int, rnd *rand.Rand) *form {
	return split(n, func(n int) int { return rnd.Intn(n) })
}

func balancedTree(n int, rnd *rand.Rand) *form {
	return split(n, func(n int) int { return (n - 1 + rnd.Intn(2)) / 2 })
}

// branch is a node of a tree under construction.
type branch struct{ left, right *branch }

// allTrees lists every binary tree of n nodes.
func allTrees(n int) []*form {
	var out []*form
	for _, b := range branches(n) {
		f := newTree(n)
		next := 0
		var number func(b *branch, parent int) int
		number = func(b *branch, parent int) int {
			if b == nil {
				return -1
			}
			id := next
			next++
			f.parent[id] = parent
			f.left[id] = number(b.left, id)
			f.right[id] = number(b.right, id)
			return id
		}
		number(b, -1)
		out = append(out, f)
	}
	return out
}

func branches(n int) []*branch {
	if n == 0 {
		return []*branch{nil}
	}
	var out []*branch
	for l := 0; l < n; l++ {
		for _, a := range branches(l) {
			for _, b := range branches(n - 1 - l) {
				out = append(out, &branch{a, b})
			}
		}
	}
	return out
}

func (f *form) height(i int) int {
	if i < 0 {
		return 0
	}
	return 1 + max(f.height(f.left[i]), f.height(f.right[i]))
}

func (f *form) count(i int) int {
	if i < 0 {
		return 0
	}
	return 1 + f.count(f.left[i]) + f.count(f.right[i])
}

func (f *form) balanced() bool {
	for i := 0; i < f.size; i++ {
		if d := f.height(f.left[i]) - f.height(f.right[i]); d < -1 || d > 1 {
			return false
		}
	}
	return true
}

// inorder numbers the nodes from left to right.
func (f *form) inorder() []int {
	rank := make([]int, f.size)
	n := 0
	var walk func(i int)
	walk = func(i int) {
		if i < 0 {
			return
		}
		walk(f.left[i])
		rank[i] = n
		n++
		walk(f.right[i])
	}
	if f.size > 0 {
		walk(0)
	}
	return rank
}

// build makes an input with given forms.
func (p *Plan) build(forms []*form, pick chooser) *Input {
	mem := &Memory{Image: p.bare(), next: arena}
	in := &Input{Mem: mem}
	var text []string
	var keys []int64
	for i, st := range p.parts {
		addrs, vals := p.nodes(st, forms[i], mem, pick)
		in.Nodes = append(in.Nodes, addrs...)
		keys = append(keys, vals...)
		for _, r := range st.roots {
			k := 0
			switch r.pos {
			case last:
				k = len(addrs) - 1
			case inner:
				k = pick.Intn(max(len(addrs), 1))
			}
			w := ctype.Word(0)
			if len(addrs) > 0 {
				w = addrs[k]
			}
			mem.Store(r.addr, r.typ, w)
			where := ""
			if k > 0 {
				where = fmt.Sprintf(" at node %d", k+1)
			}
			text = append(text, fmt.Sprintf("%s: %s%s", r.name, describe(st.shape, forms[i], vals), where))
		}
	}
	for _, c := range p.counts {
		mem.Store(c.addr, c.typ, ctype.Wrap(c.typ, ctype.Word(forms[c.of].size)))
	}
	met := len(p.ints) > 1 && len(keys) > 0 && pick.met()
	for _, r := range p.ints {
		v := int64(0)
		if met {
			v = keys[pick.Intn(len(keys))]
		} else {
			v = pick.integer(keys)
		}
		mem.Store(r.addr, r.typ, ctype.Wrap(r.typ, ctype.Word(v)))
		text = append(text, fmt.Sprintf("%s = %d", r.name, v))
	}
	for _, x := range p.Func.Params {
		a, _ := mem.VarAddr(x)
		w, _ := mem.Image.Load(a, x.Type)
		in.Args = append(in.Args, w)
	}
	in.Text = strings.Join(text, "; ")
	return in
}

// Example returns the observed state as an input.
func (p *Plan) Example() *Input {
	in := &Input{Mem: &Memory{Image: p.Image.Clone(), next: arena}, Text: "the example"}
	for _, x := range p.Func.Params {
		a, _ := in.Mem.VarAddr(x)
		w, _ := in.Mem.Image.Load(a, x.Type)
		in.Args = append(in.Args, w)
	}
	return in
}

// bare returns the state at entry without the nodes that inputs make anew.
func (p *Plan) bare() *heap.Image {
	im := p.Image.Clone()
	vars := im.Vars()
	im.Keep(func(o *heap.Object) bool { return o.Kind != heap.Node || !p.madeAnew(o) })
	im.SetVars(vars)
	return im
}

func (p *Plan) madeAnew(o *heap.Object) bool {
	if !o.Live {
		return true
	}
	for t := range p.shapes {
		if int64(len(o.Data)) == t.Size {
			return true
		}
	}
	return false
}

// nodes allocates and links the nodes of one structure.
func (p *Plan) nodes(st *structure, f *form, mem *Memory, pick chooser) ([]ctype.Word, []int64) {
	s := st.shape
	addrs, vals := make([]ctype.Word, f.size), make([]int64, f.size)
	_, all := pick.(*odometer)
	for i := range addrs {
		addrs[i], _ = mem.Malloc(s.Type.Size, true)
		if !all || s.valued() {
			vals[i] = pick.value(f.size)
		}
	}
	if s.Order == Rising {
		sort.Slice(vals, func(i, j int) bool { return vals[i] < vals[j] })
		if s.Kind == Tree {
			for i, r := range f.inorder() {
				vals[i] = 2 * int64(r)
			}
		}
	}
	set := func(n ctype.Word, field *ctype.Field, i int) {
		w := ctype.Word(0)
		if i >= 0 && i < f.size {
			w = addrs[i]
		}
		mem.Store(n+ctype.Word(field.Offset), field.Type, w)
	}
	for i, a := range addrs {
		switch s.Kind {
		case Tree:
			set(a, s.Left, f.left[i])
			set(a, s.Right, f.right[i])
			if s.Parent != nil {
				set(a, s.Parent, f.parent[i])
			}
		default:
			next, prev := i+1, i-1
			if s.Circular {
				next, prev = (i+1)%f.size, (i+f.size-1)%f.size
			}
			set(a, s.Next, next)
			if s.Prev != nil {
				set(a, s.Prev, prev)
			}
		}
		for _, d := range s.Fields {
			v := int64(0)
			switch d.What {
			case Value:
				v = vals[i]
			case Height:
				v = d.Base + int64(f.height(i)) - 1
			case Size:
				v = d.Base * int64(f.count(i))
			case Observed:
				if len(d.Values) > 0 {
					v = pick.observed(d.Values)
				}
			}
			mem.Store(a+ctype.Word(d.Field.Offset), d.Field.Type, ctype.Wrap(d.Field.Type, ctype.Word(v)))
		}
	}
	return addrs, vals
}

// describe describes a structure for people.
func describe(s *Shape, f *form, vals []int64) string {
	if f.size == 0 {
		return "empty"
	}
	if s.Kind != Tree {
		var parts []string
		for _, v := range vals {
			parts = append(parts, fmt.Sprint(v))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	var walk func(i int) string
	walk = func(i int) string {
		if i < 0 {
			return "."
		}
		if f.left[i] < 0 && f.right[i] < 0 {
			return fmt.Sprint(vals[i])
		}
		return fmt.Sprintf("(%s %d %s)", walk(f.left[i]), vals[i], walk(f.right[i]))
	}
	return walk(0)
}
