package logic

import (
	"fmt"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/oracle"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file makes lists and trees as inputs: all of them up to a depth, with symbols as numbers. Whether a node exists
// is a symbol, too, so that a link is NULL or leads to the next node. What the program never asks for does not matter
// (lazy initialization: Khurshid, Pasareanu and Visser, "Generalized Symbolic Execution", TACAS 2003; they enumerate
// sharing and cycles, which are left out here except for links back to the previous node).

// Default depths of structures.
const (
	listDepth = 4
	treeDepth = 3
	mostNodes = 40
)

// structure is the nodes that a parameter may lead to. It points to the first one.
type structure struct {
	typ   *ctype.Type
	nodes []structNode
}

// structNode is a node that may exist.
type structNode struct {
	name   string
	there  int // index in the input's terms
	parent int // -1 for the first node
	cells  []structCell
	links  []structLink
}

type structCell struct {
	off  int64
	typ  *ctype.Type
	term int
}

// structLink is a link to a child, or back to the parent.
type structLink struct {
	off   int64
	field string
	to    int // -1: NULL
	back  bool
}

// backwards reports whether a link leads back towards the start, judged by its name.
func backwards(field string) bool {
	f := strings.ToLower(field)
	for _, w := range []string{"prev", "parent", "back", "up", "father", "before"} {
		if strings.Contains(f, w) {
			return true
		}
	}
	return false
}

// linkFields lists a struct's pointers to its own type. ok is false if it has none, or members that are not supported.
func linkFields(t *ctype.Type) (forward, back []*ctype.Field, ok bool) {
	for i := range t.Fields {
		f := &t.Fields[i]
		switch {
		case f.Type.Kind != ctype.Pointer:
			if f.BitLen > 0 || f.Type.Kind == ctype.Float {
				return nil, nil, false
			}
		case !ctype.Same(f.Type.Elem, t):
			return nil, nil, false
		case backwards(f.Name):
			back = append(back, f)
		default:
			forward = append(forward, f)
		}
	}
	return forward, back, len(forward)+len(back) > 0
}

// structureInput makes a parameter that points to a list or tree. It returns false if its type is neither.
func (in *inputs) structureInput(name string, t *ctype.Type, l job.Input) bool {
	forward, back, ok := linkFields(t)
	if !ok {
		return false
	}
	depth := l.Len
	if depth == 0 {
		if depth = listDepth; len(forward) > 1 {
			depth = treeDepth
		}
	}
	x := &input{name: name, typ: t, param: -1, shape: &structure{typ: t}}
	in.grow(x, name, -1, depth, forward, back, l)
	in.list = append(in.list, x)
	return true
}

// grow adds a node and the nodes below it. It returns the node's index, or -1 if the depth is used up.
func (in *inputs) grow(x *input, name string, parent, depth int, forward, back []*ctype.Field, l job.Input) int {
	s := x.shape
	if depth == 0 || len(s.nodes) >= mostNodes {
		return -1
	}
	var under []string
	if parent >= 0 {
		before := x.terms[s.nodes[parent].there]
		under = append(append(under, before.Under...), before.Name)
	}
	add := func(n string, t *ctype.Type, l job.Input, under []string) int {
		v := symbolic.Input{Name: n, Type: t, Term: in.terms.Var(n, uint8(8*t.Size)), Under: under}
		in.bound(&v, l)
		x.terms = append(x.terms, v)
		return len(x.terms) - 1
	}
	zero, one := int64(0), int64(1)
	there := add(name+" != NULL", ctype.BoolT, job.Input{Min: &zero, Max: &one}, under)
	if parent >= 0 {
		// Below a node that does not exist there are none.
		in.assume = in.terms.And(in.assume, in.terms.Implies(in.is(x.terms[there]), in.is(x.terms[s.nodes[parent].there])))
	}
	k := len(s.nodes)
	s.nodes = append(s.nodes, structNode{name: name, there: there, parent: parent})
	inside := append(append([]string(nil), under...), name+" != NULL")
	for _, f := range s.typ.Fields {
		if f.Type.Kind == ctype.Pointer {
			continue
		}
		list := scalars(f.Type, f.Offset)
		for i, c := range list {
			n := name + "->" + f.Name
			if len(list) > 1 {
				n = fmt.Sprintf("%s[%d]", n, i)
			}
			s.nodes[k].cells = append(s.nodes[k].cells, structCell{c.off, c.typ, add(n, c.typ, l, inside)})
		}
	}
	for _, f := range back {
		s.nodes[k].links = append(s.nodes[k].links, structLink{f.Offset, f.Name, parent, true})
	}
	for _, f := range forward {
		to := in.grow(x, name+"->"+f.Name, k, depth-1, forward, back, l)
		s.nodes[k].links = append(s.nodes[k].links, structLink{f.Offset, f.Name, to, false})
	}
	return k
}

// is returns the condition that a node exists, given its symbol.
func (in *inputs) is(s symbolic.Input) *smt.Term {
	return in.terms.Not(in.terms.Eq(s.Term, in.terms.Const(0, s.Term.Width)))
}

// build makes a structure in a state and returns the pointer to it.
func (in *inputs) build(x *input, e *symbolic.Engine, st *symbolic.State) *smt.Term {
	s := x.shape
	ptr := make([]*smt.Term, len(s.nodes))
	ids := make([]uint32, len(s.nodes))
	for k, n := range s.nodes {
		ids[k], ptr[k] = e.NewStruct(st, n.name, s.typ)
	}
	to := func(k int) *smt.Term {
		if k < 0 {
			return e.Word(0)
		}
		return in.terms.Ite(in.is(x.terms[s.nodes[k].there]), ptr[k], e.Word(0))
	}
	for k, n := range s.nodes {
		for _, c := range n.cells {
			e.WriteBlock(st, ids[k], c.off, c.typ, in.terms.Narrow(x.terms[c.term].Term))
		}
		for _, l := range n.links {
			v := to(l.to)
			if l.back && l.to >= 0 {
				v = ptr[l.to] // this node is reached only if that one exists
			}
			e.WriteBlock(st, ids[k], l.off, ctype.PointerTo(s.typ), v)
		}
	}
	return to(0)
}

// declareStructure returns C that declares the nodes of a structure in the harness.
func declareStructure(x *input) string {
	return fmt.Sprintf("static %s *gulo_%s[%d];\n", x.shape.typ, x.name, len(x.shape.nodes))
}

// driveStructure returns C that builds a structure from the numbers in gulo_in, from index k on.
func driveStructure(x *input, k int) string {
	var b strings.Builder
	s := x.shape
	name := "gulo_" + x.name
	for i := range s.nodes {
		fmt.Fprintf(&b, "    %s[%d] = __builtin_calloc(1, sizeof **%s);\n", name, i, name)
	}
	for i, n := range s.nodes {
		for _, c := range n.cells {
			fmt.Fprintf(&b, "    *(%s *)((char *)%s[%d] + %d) = (%s)gulo_in[%d];\n", c.typ, name, i, c.off, c.typ, k+c.term)
		}
		for _, l := range n.links {
			switch {
			case l.to < 0:
			case l.back:
				fmt.Fprintf(&b, "    %s[%d]->%s = %s[%d];\n", name, i, l.field, name, l.to)
			default:
				fmt.Fprintf(&b, "    %s[%d]->%s = gulo_in[%d] ? %s[%d] : 0;\n", name, i, l.field, k+s.nodes[l.to].there, name, l.to)
			}
		}
	}
	return b.String()
}

// call adds a structure to the state of a call and returns the pointer to it. words are the values of the input's
// terms.
func (s *structure) call(st *oracle.State, words []int64) oracle.Value {
	object := map[int]int{}
	for k, n := range s.nodes {
		if words[n.there] != 0 && (n.parent < 0 || object[n.parent] > 0) {
			st.Objects = append(st.Objects, oracle.Object{Type: s.typ, Count: 1, Heap: true})
			object[k] = len(st.Objects)
		}
	}
	for k, n := range s.nodes {
		if object[k] == 0 {
			continue
		}
		o := &st.Objects[object[k]-1]
		paths := map[int64]string{}
		offsets, names := oracle.Offsets(s.typ), oracle.Paths(s.typ)
		for i, off := range offsets {
			paths[off] = names[i]
		}
		for _, c := range n.cells {
			o.Cells = append(o.Cells, oracle.Cell{Path: paths[c.off], Value: oracle.Value{Word: ctype.Wrap(c.typ, ctype.Word(words[c.term]))}})
		}
		for _, l := range n.links {
			o.Cells = append(o.Cells, oracle.Cell{Path: paths[l.off], Value: oracle.Value{Object: object[l.to]}})
		}
	}
	return oracle.Value{Object: object[0]}
}
