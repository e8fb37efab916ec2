package heap

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// ValueKind classifies a Value.
type ValueKind uint8

const (
	Unknown ValueKind = iota // never written
	Null
	ToNode // points to a node
	ToVar  // points to a variable
	ToFunc
	Scalar // integer or float
	Wild   // a pointer to nothing known, or with a number in it
	ToText // points into a string literal or an argument of the program
	ToFile // an open stream of the C library: stdin, stdout, stderr, FILE
	Opaque // what only the C library knows the members of: a jmp_buf, a pthread_mutex_t
)

// Value is what an entity holds, in symbolic form. Values are comparable.
type Value struct {
	Kind ValueKind
	Node int    // ToNode
	Off  int64  // ToNode, ToVar: offset in bytes
	Name string // ToVar, ToFunc
	Dead bool   // ToNode: the node is freed
	Tag  uint16 // ToNode, ToVar: of a number that holds an address, its upper 16 bits
	Word ctype.Word
	Text string // how people read it

	As *ctype.Type // ToNode, ToVar: of a number that holds an address inside of a block, what is there

	Chars string // ToNode with Off not 0: the text there, as a literal, where a pointer to characters leads into a block
}

func (v Value) String() string { return v.Text }

// Number reports whether the value is an integer that stands in a pointer: (void *)-1.
func (v Value) Number() bool { return v.Kind == Wild && v.Word != 0 }

// Points reports whether the value is a pointer to something known.
func (v Value) Points() bool {
	return v.Kind == ToNode || v.Kind == ToVar || v.Kind == ToFunc || v.Kind == ToText || v.Kind == ToFile
}

// Whole reports whether the value leads to the beginning of a node, and has no tag.
func (v Value) Whole() bool { return v.Kind == ToNode && v.Off == 0 && v.Tag == 0 }

// Cell is one entity: a variable, a field of a node, an element.
type Cell struct {
	Key   string // head, n4->prev, tab[2], n3->pos.x
	Field string // the part after the node or variable; "" for plain variables
	Addr  ctype.Word
	Type  *ctype.Type
	Value Value
	Idle  bool // of a member of a union where the enum beside it names another one, or that was not written last
	Last  bool // of a member of a union that was written last, where nothing beside it says which is in use
	Rest  Rest // on the last cell of an array
}

// Rest counts the elements of an array that have no cells.
type Rest struct {
	Blank int64 // of an array that holds pointers: all pointers in them are null, or were never written
	More  int64 // others
}

// NodeInfo is a node of the graph.
type NodeInfo struct {
	Seq  int
	Addr ctype.Word
	Size int64
	Live bool
	Type *ctype.Type // nil when no typed pointer leads here
	Met  bool        // where Type is nil: something leads here all the same

	Viewed bool // Type is what the user says (Views)

	Cells []Cell
	Notes []Note // what is said of the node besides; nobody can change or assert it
}

// Note is a line that is computed from what a node holds.
type Note struct{ Label, Text string }

// Elements returns how many values of its type the node holds: 1 where it is no array.
func (n *NodeInfo) Elements() int64 {
	count := int64(1)
	for i := range n.Cells {
		if !strings.HasPrefix(n.Cells[i].Field, "[") || n.Type == nil || n.Type.Size == 0 {
			return 1
		}
		count = max(count, int64(n.Cells[i].Addr-n.Addr)/n.Type.Size+1)
	}
	return count
}

// Name returns n1, n2, ...
func (n *NodeInfo) Name() string { return nodeName(n.Seq) }

// nodeName names heap blocks n1, n2, ... and compound literals lit1, lit2, ...
func nodeName(seq int) string {
	if seq < 0 {
		return "lit" + strconv.Itoa(-seq)
	}
	return "n" + strconv.Itoa(seq)
}

// VarInfo is a variable of the graph; Cells has one entry for a scalar.
type VarInfo struct {
	Name  string // with the function in front for outer frames: main.list
	Var   *cfront.Var
	Type  *ctype.Type // Var's, and of an array of variable length one with its length
	Frame int         // -1 for globals
	Addr  ctype.Word
	Cells []Cell
}

// Graph is the memory in symbolic form. Its nodes may be those of other graphs, too; nobody
// changes them.
type Graph struct {
	Nodes []*NodeInfo // by number; those whose type pointers tell, and live ones with Type nil: these are leaks, unless Met
	Lost  []*NodeInfo // nodes with Type nil in Nodes, with the types that Recall knows
	Vars  []*VarInfo  // globals, then innermost frame, then outer frames
	Apart []*NodeInfo // live nodes that a part of a graph (Part) leaves out; they are counted in More
	More  int         // blocks that were not looked at because there are over MaxNodes

	vars map[string]*Cell // the cells of Vars, by key
}

// MaxNodes bounds the nodes of a graph: those nearest to the variables are in it.
const MaxNodes = 20_000

// maxElems bounds how many first elements of an array have cells, maxPointers how many of an array that holds pointers.
// Further elements of such an array have cells if they lead somewhere, so that the last bucket of a hash table is not
// lost.
const (
	maxElems    = 64
	maxPointers = 256
)

// maxLeading bounds how many of these further elements have cells. The pointers of all of them are followed.
const maxLeading = MaxNodes

// Cell returns the entity with a key.
func (g *Graph) Cell(key string) (*Cell, bool) {
	if c, ok := g.vars[key]; ok {
		return c, true
	}
	seq, ok := numberOf(key)
	if !ok {
		return nil, false
	}
	for _, n := range g.numbered(seq) {
		if c := n.cell(key); c != nil {
			return c, true
		}
	}
	for _, n := range g.Lost {
		if n.Seq == seq {
			if c := n.cell(key); c != nil {
				return c, true
			}
		}
	}
	return nil, false
}

func (n *NodeInfo) cell(key string) *Cell {
	for i := len(n.Cells) - 1; i >= 0; i-- {
		if n.Cells[i].Key == key {
			return &n.Cells[i]
		}
	}
	return nil
}

// numberOf returns the number of the node that an entity is a part of, by its key.
func numberOf(key string) (seq int, ok bool) {
	key = strings.TrimPrefix(key, "*")
	sign, digits := 1, ""
	if rest, lit := strings.CutPrefix(key, "lit"); lit {
		sign, digits = -1, rest
	} else if digits, ok = strings.CutPrefix(key, "n"); !ok {
		return 0, false
	}
	i := 0
	for i < len(digits) && digits[i] >= '0' && digits[i] <= '9' {
		i++
	}
	seq, err := strconv.Atoi(digits[:i])
	return sign * seq, err == nil
}

// numbered returns the nodes with a number: one, in the images of a session.
func (g *Graph) numbered(seq int) []*NodeInfo {
	i := sort.Search(len(g.Nodes), func(i int) bool { return g.Nodes[i].Seq >= seq })
	j := i
	for j < len(g.Nodes) && g.Nodes[j].Seq == seq {
		j++
	}
	return g.Nodes[i:j]
}

// Typed returns the node with a number if it is known what it is; nil otherwise.
func (g *Graph) Typed(seq int) *NodeInfo {
	for _, n := range g.numbered(seq) {
		if n.Type != nil {
			return n
		}
	}
	return nil
}

// Holder returns the node that has an entity among its cells; nil for none.
func (g *Graph) Holder(key string) *NodeInfo {
	if seq, ok := numberOf(key); ok {
		for _, n := range g.numbered(seq) {
			if n.cell(key) != nil {
				return n
			}
		}
	}
	return nil
}

// Keys returns the keys of all entities, sorted.
func (g *Graph) Keys() []string {
	var out []string
	for k := range g.vars {
		out = append(out, k)
	}
	for _, list := range [2][]*NodeInfo{g.Nodes, g.Lost} {
		for _, n := range list {
			for i := range n.Cells {
				out = append(out, n.Cells[i].Key)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Node returns the node with a name.
func (g *Graph) Node(name string) (*NodeInfo, bool) {
	seq, ok := numberOf(name)
	if !ok || nodeName(seq) != name {
		return nil, false
	}
	for _, n := range g.numbered(seq) {
		return n, true
	}
	for _, n := range g.Apart {
		if n.Seq == seq {
			return n, true
		}
	}
	return nil, false
}

// Diff returns the keys whose value differs between two graphs, sorted;
// entities that only one of them has are left out.
func Diff(a, b *Graph) []string {
	var out []string
	differs := func(c *Cell) {
		if d, ok := b.Cell(c.Key); ok && c.Value.Text != d.Value.Text {
			out = append(out, c.Key)
		}
	}
	for _, c := range a.vars {
		differs(c)
	}
	hidden := map[int]bool{}
	a.hides(hidden)
	b.hides(hidden)
	at := 0
	for _, list := range [2][]*NodeInfo{a.Nodes, a.Lost} {
		for _, n := range list {
			for at < len(b.Nodes) && b.Nodes[at].Seq < n.Seq {
				at++
			}
			if at < len(b.Nodes) && b.Nodes[at] == n && !hidden[n.Seq] {
				continue // the same in both
			}
			for i := range n.Cells {
				if c, ok := a.Cell(n.Cells[i].Key); ok && c == &n.Cells[i] {
					differs(c)
				}
			}
		}
		at = 0
	}
	slices.Sort(out)
	return out
}

// hides adds the numbers of the nodes that variables may hide: a variable n1 has the key of the node n1.
func (g *Graph) hides(nodes map[int]bool) {
	for k := range g.vars {
		if seq, ok := numberOf(k); ok {
			nodes[seq] = true
		}
	}
}

// ParseEntity brings the ways people write an entity to one: n4 -> prev,
// n4.prev and n4->prev are the same; variables may be structs.
func ParseEntity(s string) string {
	s = strings.Join(strings.Fields(s), "")
	if len(s) > 1 && s[0] == 'n' && s[1] >= '0' && s[1] <= '9' {
		i := 1
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if i < len(s) && s[i] == '.' {
			s = s[:i] + "->" + s[i+1:]
		}
	}
	return s
}
