// Package testgen makes inputs for functions on lists and trees. It infers the shapes of the heap with which a function
// was called, and builds others of these shapes: all small ones and random larger ones.
package testgen

import (
	"fmt"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// Kind is how the nodes of one type are linked.
type Kind uint8

// The kinds.
const (
	List  Kind = iota // one link
	DList             // two links, inverse to each other
	Tree              // two links, perhaps a third to the parent
)

func (k Kind) String() string { return [...]string{"list", "doubly linked list", "tree"}[k] }

// Order is the order of a list's values; for a tree, Rising means a search tree.
type Order uint8

// The orders.
const (
	Any Order = iota
	Rising
	Falling
)

// Shape describes the nodes of one type.
type Shape struct {
	Type     *ctype.Type
	Kind     Kind
	Circular bool
	Next     *ctype.Field // List, DList
	Prev     *ctype.Field
	Left     *ctype.Field // Tree
	Right    *ctype.Field
	Parent   *ctype.Field
	Key      *ctype.Field // the value that Order is about; nil: none
	Order    Order
	Balanced bool // Tree: the heights of two subtrees differ by at most one
	Fields   []Derived
}

// Derived is an integer field and its meaning.
type Derived struct {
	Field  ctype.Field
	What   What
	Base   int64   // Height, Size: the value in a leaf
	Values []int64 // Observed: the values seen
}

// What is the meaning of an integer field.
type What uint8

// Meanings of integer fields.
const (
	Value    What = iota // any value; a key
	Height               // of the subtree
	Size                 // of the subtree
	Observed             // one of the values seen
)

// position is the place in a structure where a root points.
type position uint8

const (
	first position = iota
	last
	inner
)

// root is a pointer into a structure.
type root struct {
	name string
	addr ctype.Word
	typ  *ctype.Type
	pos  position
}

// structure is a connected set of nodes of one shape.
type structure struct {
	shape *Shape
	roots []root
	size  int // in the observed state
}

// count is an integer that holds the number of nodes of a structure.
type count struct {
	addr ctype.Word
	typ  *ctype.Type
	of   int
}

// Plan describes how to make inputs for a function.
type Plan struct {
	Func   *cfront.Func
	Image  *heap.Image // the state at its entry
	shapes map[*ctype.Type]*Shape
	parts  []*structure
	counts []count
	Near   []int64 // numbers from which inputs may take some; may be empty
	Met    bool    // in half of the inputs all integer arguments are values of nodes
	ints   []root  // integer parameters
	Why    string  // why there is no plan, if parts is empty
}

// Shapes lists the shapes that were inferred.
func (p *Plan) Shapes() []*Shape {
	var out []*Shape
	for _, s := range p.parts {
		known := false
		for _, o := range out {
			known = known || o == s.shape
		}
		if !known {
			out = append(out, s.shape)
		}
	}
	return out
}

// inference works on the memory graph at entry.
type inference struct {
	fn    *cfront.Func
	g     *heap.Graph
	nodes map[int]*heap.NodeInfo
	cells map[int]map[string]heap.Cell // by node and field
}

// Infer infers the shapes in the state with which a function was called.
func Infer(im *heap.Image, f *cfront.Func) *Plan {
	p := &Plan{Func: f, Image: im, shapes: map[*ctype.Type]*Shape{}}
	in := &inference{fn: f, nodes: map[int]*heap.NodeInfo{}, cells: map[int]map[string]heap.Cell{}}
	in.g = heap.NewGraph(im, func(o *heap.Object) bool {
		return o.Kind == heap.Global || o.Kind == heap.Local && (o.Frame == 0 && o.Var.Storage == cfront.Param || o.Frame > 0 && o.Var.Exposed())
	})
	if in.g.More > 0 {
		p.Why = fmt.Sprintf("the function was entered with more than %d nodes", heap.MaxNodes)
		return p
	}
	for _, n := range in.g.Nodes {
		if n.Type == nil || !n.Live {
			continue
		}
		in.nodes[n.Seq] = n
		in.cells[n.Seq] = map[string]heap.Cell{}
		for _, c := range n.Cells {
			in.cells[n.Seq][c.Field] = c
		}
	}
	byType := map[*ctype.Type][]int{}
	var order []*ctype.Type
	for _, n := range in.g.Nodes {
		if in.nodes[n.Seq] == nil || len(selfFields(n.Type)) == 0 {
			continue
		}
		if byType[n.Type] == nil {
			order = append(order, n.Type)
		}
		byType[n.Type] = append(byType[n.Type], n.Seq)
	}
	for _, t := range order {
		s, why := in.shape(t, byType[t])
		if s == nil {
			p.Why = why
			return p
		}
		p.shapes[t] = s
	}
	in.structures(p, byType, order)
	if len(p.parts) == 0 && p.Why == "" {
		p.Why = "no list or tree was found behind parameters and global variables when the function was entered"
	}
	return p
}

// selfFields returns the fields of a struct that point to the same struct.
func selfFields(t *ctype.Type) []ctype.Field {
	var out []ctype.Field
	if t == nil || !t.IsAggregate() {
		return nil
	}
	for _, f := range t.Fields {
		if f.Type.Kind == ctype.Pointer && ctype.Same(f.Type.Elem, t) {
			out = append(out, f)
		}
	}
	return out
}

// to returns the node that a field points to, 0 for null, -1 for anything else.
func (in *inference) to(n int, field string) int {
	c, ok := in.cells[n][field]
	switch {
	case !ok:
		return -1
	case c.Value.Kind == heap.Null:
		return 0
	case c.Value.Whole():
		return c.Value.Node
	}
	return -1
}

// shape infers how the nodes of a type are linked; else it returns why it cannot.
func (in *inference) shape(t *ctype.Type, nodes []int) (*Shape, string) {
	fs := selfFields(t)
	s := &Shape{Type: t}
	for _, f := range fs {
		for _, n := range nodes {
			if in.to(n, f.Name) < 0 {
				return nil, "a link of " + t.String() + " leads nowhere known"
			}
		}
	}
	switch len(fs) {
	case 1:
		s.Kind, s.Next = List, &fs[0]
	case 2:
		if in.inverse(nodes, fs[0].Name, fs[1].Name) && (len(nodes) > 1 || Backwards(fs[0].Name) || Backwards(fs[1].Name)) {
			s.Kind, s.Next, s.Prev = DList, &fs[0], &fs[1]
			if Backwards(fs[0].Name) && !Backwards(fs[1].Name) {
				s.Next, s.Prev = s.Prev, s.Next
			}
		} else {
			s.Kind, s.Left, s.Right = Tree, &fs[0], &fs[1]
		}
	case 3:
		for k := range fs {
			if Upwards(fs[k].Name) {
				s.Kind, s.Parent, s.Left, s.Right = Tree, &fs[k], &fs[(k+1)%3], &fs[(k+2)%3]
			}
		}
		if s.Parent == nil {
			return nil, t.String() + " has three links of its own kind and none is named as a parent"
		}
		if s.Left.Offset > s.Right.Offset {
			s.Left, s.Right = s.Right, s.Left
		}
	default:
		return nil, t.String() + " has more than three links of its own kind"
	}
	if s.Kind != Tree {
		s.Circular = in.cycles(nodes, s.Next.Name)
	} else if why := in.noTree(s, nodes); why != "" {
		return nil, why
	}
	for _, f := range t.Fields {
		if f.Type.Kind == ctype.Pointer && !ctype.Same(f.Type.Elem, t) || f.Type.IsAggregate() || f.Address {
			return nil, "the field " + f.Name + " of " + t.String() + " is neither a number nor a link"
		}
	}
	in.values(s, nodes)
	return s, ""
}

// Backwards reports whether a link has the name of one to the previous node.
func Backwards(name string) bool { return named(name, "prev", "back", "last", "before") }

// Upwards reports whether a link has the name of one to the parent.
func Upwards(name string) bool { return named(name, "parent", "up", "father", "p") }

func named(name string, parts ...string) bool {
	for _, p := range parts {
		if strings.EqualFold(name, p) || len(p) > 2 && strings.Contains(strings.ToLower(name), p) {
			return true
		}
	}
	return false
}

// inverse reports whether two links are inverse to each other on all nodes.
func (in *inference) inverse(nodes []int, a, b string) bool {
	for _, n := range nodes {
		if m := in.to(n, a); m > 0 && in.to(m, b) != n {
			return false
		}
		if m := in.to(n, b); m > 0 && in.to(m, a) != n {
			return false
		}
	}
	return true
}

// cycles reports whether following a link from some node leads back to it.
func (in *inference) cycles(nodes []int, next string) bool {
	round := map[int]int{} // number of the walk in which a node was first seen
	for i, n := range nodes {
		for n > 0 && round[n] == 0 {
			round[n] = i + 1
			n = in.to(n, next)
		}
		if n > 0 && round[n] == i+1 {
			return true
		}
	}
	return false
}

// noTree says why nodes with two links do not form trees: two links lead to one of them, or following links leads back
// to one. It returns "" if they do.
func (in *inference) noTree(s *Shape, nodes []int) string {
	above := map[int]int{}
	for _, n := range nodes {
		for _, f := range []*ctype.Field{s.Left, s.Right} {
			m := in.to(n, f.Name)
			if m > 0 && above[m] != 0 {
				return fmt.Sprintf("%s and %s of %s are no links of a tree: two of them lead to the same node", s.Left.Name, s.Right.Name, s.Type)
			}
			if m > 0 {
				above[m] = n
			}
		}
	}
	round := map[int]int{}
	for i, n := range nodes {
		for n > 0 && round[n] == 0 {
			round[n] = i + 1
			n = above[n]
		}
		if n > 0 && round[n] == i+1 {
			return fmt.Sprintf("%s and %s of %s are no links of a tree: they lead in a ring", s.Left.Name, s.Right.Name, s.Type)
		}
	}
	return ""
}

// values infers the meaning of the integer fields.
func (in *inference) values(s *Shape, nodes []int) {
	for _, f := range s.Type.Fields {
		if !f.Type.IsInteger() || f.BitLen > 0 {
			continue
		}
		d := Derived{Field: f, What: Observed}
		seen := map[int64]bool{}
		for _, n := range nodes {
			if c, ok := in.cells[n][f.Name]; ok && c.Value.Kind == heap.Scalar {
				seen[int64(c.Value.Word)] = true
			}
		}
		for v := range seen {
			d.Values = append(d.Values, v)
		}
		sort.Slice(d.Values, func(i, j int) bool { return d.Values[i] < d.Values[j] })
		switch {
		case s.Kind == Tree && named(f.Name, "height", "depth", "level"):
			d.What = Height
			d.Base = in.leafValue(s, nodes, f.Name)
		case s.Kind == Tree && named(f.Name, "size", "count"):
			d.What = Size
			d.Base = in.leafValue(s, nodes, f.Name)
		case s.Key == nil && !named(f.Name, "red", "color", "colour", "black", "flag", "mark"):
			d.What = Value
			k := f
			s.Key = &k
		}
		s.Fields = append(s.Fields, d)
	}
	s.Balanced = false
	for _, d := range s.Fields {
		s.Balanced = s.Balanced || d.What == Height
	}
	if s.Key == nil {
		return
	}
	if in.compares(s.Key) || s.Kind == Tree {
		s.Order = in.order(s, nodes)
	}
}

// compares reports whether the function compares the field with anything: otherwise an order of its values is
// accidental.
func (in *inference) compares(f *ctype.Field) bool {
	found := false
	cfront.WalkStmt(in.fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			b, ok := y.(*cfront.Binary)
			if !ok || !b.Op.IsCompare() {
				return true
			}
			for _, side := range []cfront.Expr{b.X, b.Y} {
				if m, ok := cfront.Skip(side).(*cfront.Member); ok && m.Field.Name == f.Name && m.Field.Offset == f.Offset {
					found = true
				}
			}
			return true
		})
	})
	return found
}

func (in *inference) leafValue(s *Shape, nodes []int, field string) int64 {
	for _, n := range nodes {
		if in.to(n, s.Left.Name) == 0 && in.to(n, s.Right.Name) == 0 {
			return int64(in.cells[n][field].Value.Word)
		}
	}
	return 1
}

// order recognizes lists with ascending values, and search trees.
func (in *inference) order(s *Shape, nodes []int) Order {
	if s.Kind == Tree {
		if len(nodes) < 2 {
			return Rising
		}
		if !in.sorted(s, nodes) {
			return Any
		}
		return Rising
	}
	if s.Circular {
		return Any
	}
	up, links := true, 0
	for _, n := range nodes {
		if m := in.to(n, s.Next.Name); m > 0 {
			links++
			up = up && in.key(s, n) <= in.key(s, m)
		}
	}
	if up && links > 0 {
		return Rising
	}
	return Any // descending values are no order: lists built by pushing ascending values have them by accident
}

func (in *inference) key(s *Shape, n int) int64 { return int64(in.cells[n][s.Key.Name].Value.Word) }

// sorted reports whether all trees are search trees. Precondition: noTree returned "".
func (in *inference) sorted(s *Shape, nodes []int) bool {
	type bound struct {
		n      int
		lo, hi int64
	}
	below := map[int]bool{}
	for _, n := range nodes {
		below[in.to(n, s.Left.Name)], below[in.to(n, s.Right.Name)] = true, true
	}
	var todo []bound
	for _, n := range nodes {
		if !below[n] {
			todo = append(todo, bound{n, -1 << 62, 1 << 62})
		}
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b.n <= 0 {
			continue
		}
		k := in.key(s, b.n)
		if k < b.lo || k > b.hi {
			return false
		}
		todo = append(todo, bound{in.to(b.n, s.Left.Name), b.lo, k}, bound{in.to(b.n, s.Right.Name), k, b.hi})
	}
	return true
}

// structures finds the connected components and the pointers into them.
func (in *inference) structures(p *Plan, byType map[*ctype.Type][]int, order []*ctype.Type) {
	part := map[int]int{}
	for _, t := range order {
		s := p.shapes[t]
		linked := in.neighbours(t, byType[t])
		for _, n := range byType[t] {
			if _, ok := part[n]; ok {
				continue
			}
			id := len(p.parts)
			st := &structure{shape: s}
			p.parts = append(p.parts, st)
			collect(linked, n, id, part)
		}
	}
	for _, id := range part {
		p.parts[id].size++
	}
	add := func(c heap.Cell) {
		if c.Type.Kind != ctype.Pointer || !c.Value.Whole() {
			return
		}
		id, ok := part[c.Value.Node]
		if !ok {
			return
		}
		st := p.parts[id]
		st.roots = append(st.roots, root{c.Key, c.Addr, c.Type, in.position(st.shape, c.Value.Node, len(st.roots) == 0)})
	}
	for _, v := range in.g.Vars {
		for _, c := range v.Cells {
			add(c)
			in.integer(p, v, c)
		}
	}
	held := in.pointed()
	for _, n := range in.g.Nodes {
		if in.nodes[n.Seq] != nil && len(selfFields(n.Type)) == 0 {
			for _, c := range n.Cells {
				if by, ok := held[n.Seq]; ok && n.Type.Kind == ctype.Pointer {
					c.Key = "*" + by
				}
				add(c)
				in.integer(p, nil, c)
			}
		}
	}
	var kept []*structure
	for _, st := range p.parts {
		if len(st.roots) > 0 {
			kept = append(kept, st)
		}
	}
	p.parts = kept
	for i := range p.counts {
		p.counts[i].of = 0
	}
}

// pointed returns the variables that point to nodes, by node.
func (in *inference) pointed() map[int]string {
	out := map[int]string{}
	for _, v := range in.g.Vars {
		for _, c := range v.Cells {
			if _, ok := out[c.Value.Node]; !ok && c.Value.Whole() {
				out[c.Value.Node] = c.Key
			}
		}
	}
	return out
}

// neighbours returns for each node those that it links to or that link to it.
func (in *inference) neighbours(t *ctype.Type, nodes []int) map[int][]int {
	out := map[int][]int{}
	for _, f := range selfFields(t) {
		for _, n := range nodes {
			if m := in.to(n, f.Name); m > 0 {
				out[n], out[m] = append(out[n], m), append(out[m], n)
			}
		}
	}
	return out
}

// collect marks the nodes that are connected with n.
func collect(linked map[int][]int, n, id int, part map[int]int) {
	todo := []int{n}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, ok := part[n]; ok {
			continue
		}
		part[n] = id
		todo = append(todo, linked[n]...)
	}
}

func (in *inference) position(s *Shape, n int, isFirst bool) position {
	switch {
	case s.Circular && isFirst:
		return first
	case s.Kind == Tree:
		for m := range in.nodes {
			if in.nodes[m].Type == s.Type && (in.to(m, s.Left.Name) == n || in.to(m, s.Right.Name) == n) {
				return inner
			}
		}
		return first
	}
	for m := range in.nodes {
		if in.nodes[m].Type == s.Type && in.to(m, s.Next.Name) == n && !s.Circular {
			if in.to(n, s.Next.Name) == 0 {
				return last
			}
			return inner
		}
	}
	return first
}

// integer records parameters that are integers, and integers that hold a number of nodes.
func (in *inference) integer(p *Plan, v *heap.VarInfo, c heap.Cell) {
	if !c.Type.IsInteger() || c.Value.Kind != heap.Scalar {
		return
	}
	if v != nil && v.Frame == 0 && v.Var.Storage == cfront.Param {
		p.ints = append(p.ints, root{name: c.Key, addr: c.Addr, typ: c.Type})
		return
	}
	if named(c.Key, "length", "count", "size") && len(p.parts) > 0 && int64(c.Value.Word) == int64(p.parts[0].size) {
		p.counts = append(p.counts, count{c.Addr, c.Type, 0})
	}
}
