package draw

import (
	"math"
	"slices"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// This file leaves out the members of unions that are not in use. An enum beside the union may say which member is in
// use, in each element of an array; it is believed unless that member holds nothing. If no enum does, the member that
// is known to have been written last is drawn. Otherwise only what can hardly be meant is left out: the bytes of a
// number read as a pointer lead nowhere, and those of an address are no number.

// inUse returns a graph without the cells of members that are not in use. The graph itself stays as
// it is: what is not drawn can still be typed.
func inUse(g *heap.Graph) *heap.Graph {
	c := *g
	c.Nodes, c.Lost = nodesInUse(g.Nodes), nodesInUse(g.Lost)
	for i, v := range g.Vars {
		if cells := cellsInUse(v.Cells, v.Type); len(cells) < len(v.Cells) {
			if &c.Vars[0] == &g.Vars[0] {
				c.Vars = slices.Clone(g.Vars)
			}
			w := *v
			w.Cells = cells
			c.Vars[i] = &w
		}
	}
	return &c
}

func nodesInUse(list []*heap.NodeInfo) []*heap.NodeInfo {
	out := list
	var t *ctype.Type // of the node before: most graphs have few types, and none with unions
	holds := false
	for i, n := range list {
		if n.Type != t {
			t, holds = n.Type, holdsUnion(n.Type)
		}
		if !holds {
			continue
		}
		if cells := cellsInUse(n.Cells, n.Type); len(cells) < len(n.Cells) {
			if &out[0] == &list[0] {
				out = slices.Clone(list)
			}
			m := *n
			m.Cells = cells
			out[i] = &m
		}
	}
	return out
}

// member is a member of a union.
type member struct {
	names []string // of its cells, or what they begin with
	links []link   // the pointers in it, outside of arrays
}

type link struct {
	name string
	typ  *ctype.Type
}

func (m member) has(c *heap.Cell) bool {
	return slices.ContainsFunc(m.names, func(name string) bool {
		rest, ok := strings.CutPrefix(c.Field, name)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// unions lists the unions of a type, each with its members, and those in its members.
func unions(t *ctype.Type, prefix string, out [][]member) [][]member {
	if !t.IsAggregate() {
		return out
	}
	var list []member
	for i := range t.Fields {
		f := &t.Fields[i]
		if t.Kind == ctype.Union {
			var m member
			m.add(f, prefix)
			list = append(list, m)
		}
		if f.Name == "" {
			out = unions(f.Type, prefix, out)
		} else {
			out = unions(f.Type, prefix+f.Name+".", out)
		}
	}
	if len(list) > 1 {
		out = append(out, list)
	}
	return out
}

// holdsUnion reports whether a type has any unions, in its elements, too.
func holdsUnion(t *ctype.Type) bool {
	for t != nil && t.Kind == ctype.Array {
		t = t.Elem
	}
	return t != nil && t.IsAggregate() && (t.Kind == ctype.Union && len(t.Fields) > 1 ||
		slices.ContainsFunc(t.Fields, func(f ctype.Field) bool { return holdsUnion(f.Type) }))
}

// add adds the names and links of a member, or of its own members where it has no name.
func (m *member) add(f *ctype.Field, prefix string) {
	if f.Name == "" {
		for i := range f.Type.Fields {
			m.add(&f.Type.Fields[i], prefix)
		}
		return
	}
	m.names = append(m.names, prefix+f.Name)
	m.link(prefix+f.Name, f.Type)
}

// link adds the pointers of a type.
func (m *member) link(name string, t *ctype.Type) {
	switch {
	case t.Kind == ctype.Pointer:
		m.links = append(m.links, link{name, t})
	case t.IsAggregate():
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Name != "" {
				m.link(name+"."+f.Name, f.Type)
			}
		}
	}
}

// cellsInUse leaves out the cells of members that are not in use. t is the type of the object that the cells belong to,
// or of its elements.
func cellsInUse(cells []heap.Cell, t *ctype.Type) []heap.Cell {
	if t == nil || len(cells) < 2 || !slices.ContainsFunc(cells, func(c heap.Cell) bool { return c.Idle || nothing(&c) }) || !holdsUnion(t) {
		return cells
	}
	if strings.HasPrefix(cells[0].Field, "[") {
		for t.Kind == ctype.Array {
			t = t.Elem
		}
		return elementsInUse(cells, t, "")
	}
	return partInUse(cells, t, "")
}

// elementsInUse does that for the elements of an array, whose cells begin with name. t is the type behind all its
// indices.
func elementsInUse(cells []heap.Cell, t *ctype.Type, name string) []heap.Cell {
	var out []heap.Cell
	for len(cells) > 0 {
		rest := cells[0].Field[len(name):]
		end := 0
		for strings.HasPrefix(rest[end:], "[") && strings.Contains(rest[end:], "]") {
			end += strings.Index(rest[end:], "]") + 1
		}
		prefix := name + rest[:end]
		k := 1
		for k < len(cells) && strings.HasPrefix(cells[k].Field, prefix) {
			k++
		}
		out = append(out, partInUse(cells[:k], t, prefix+".")...)
		cells = cells[k:]
	}
	return out
}

// partInUse does that for a struct or union whose cells begin with prefix.
func partInUse(cells []heap.Cell, t *ctype.Type, prefix string) []heap.Cell {
	for _, u := range unions(t, prefix, nil) {
		var idle []int
		for i := range u {
			if isIdle(cells, u, i) {
				idle = append(idle, i)
			}
		}
		if len(idle) == len(u) {
			continue
		}
		cells = slices.DeleteFunc(slices.Clone(cells), func(c heap.Cell) bool {
			return slices.ContainsFunc(idle, func(i int) bool { return u[i].has(&c) })
		})
	}
	for _, a := range arrays(t, prefix, nil) {
		within := func(c heap.Cell) bool { return strings.HasPrefix(c.Field, a.name+"[") }
		begin := slices.IndexFunc(cells, within)
		if begin < 0 {
			continue
		}
		end := begin
		for end < len(cells) && within(cells[end]) {
			end++
		}
		cells = slices.Concat(cells[:begin], elementsInUse(cells[begin:end], a.typ, a.name), cells[end:])
	}
	return cells
}

// arrays lists the arrays in a struct or union whose elements hold unions, by their names and with the
// type behind all indices.
func arrays(t *ctype.Type, prefix string, out []link) []link {
	for i := range t.Fields {
		f := &t.Fields[i]
		switch e := f.Type; {
		case e.IsAggregate() && f.Name == "":
			out = arrays(e, prefix, out)
		case e.IsAggregate():
			out = arrays(e, prefix+f.Name+".", out)
		case e.Kind == ctype.Array && holdsUnion(e):
			for e.Kind == ctype.Array {
				e = e.Elem
			}
			out = append(out, link{prefix + f.Name, e})
		}
	}
	return out
}

// nothing reports whether a cell holds no value of its type, or one that is hardly meant: a number so small that it has
// lost digits is nearly always an integer, and a text is no struct.
func nothing(c *heap.Cell) bool {
	switch c.Value.Kind {
	case heap.Unknown, heap.Wild:
		return true
	case heap.ToText:
		return c.Type.Elem != nil && c.Type.Elem.IsAggregate()
	case heap.Scalar:
		least := 0x1p-1022
		if c.Type.Size == 4 {
			least = 0x1p-126
		}
		f := math.Abs(ctype.FloatOf(c.Type, c.Value.Word))
		return c.Type.Kind == ctype.Float && f > 0 && f < least
	}
	return false
}

// isIdle reports whether a member of a union is not in use: an enum names another one that holds something, or another
// one is known to have been written last, or this one holds nothing where another one holds something.
func isIdle(cells []heap.Cell, u []member, i int) bool {
	for k := range u {
		if slices.ContainsFunc(cells, func(c heap.Cell) bool { return c.Last && u[k].has(&c) }) {
			return k != i // it is known
		}
	}
	others := !slices.ContainsFunc(cells, func(c heap.Cell) bool { return !c.Idle && u[i].has(&c) })
	if others && slices.ContainsFunc(cells, func(c heap.Cell) bool {
		return !c.Idle && !nothing(&c) && slices.ContainsFunc(u, func(m member) bool { return m.has(&c) })
	}) {
		return true
	}
	for k := range cells {
		c := &cells[k]
		if !nothing(c) || !u[i].has(c) {
			continue
		}
		for l := range cells {
			o := &cells[l]
			if nothing(o) || o.Addr >= c.Addr+ctype.Word(c.Type.Size) || c.Addr >= o.Addr+ctype.Word(o.Type.Size) {
				continue
			}
			for m := range u {
				if m != i && u[m].has(o) {
					return true
				}
			}
		}
	}
	return false
}
