package heap

import "slices"

// This file is the part of a graph that a picture of a large program shows.

// Part returns what some variables of a graph lead to, with the global variables that these, or the nodes to which they
// point, point into. The nodes with the numbers also, and what they lead to, are in the part as well. Nodes keep the
// types and cells that they have in the whole graph. Live nodes that the part leaves out are in Apart, whether something
// leads to them or not.
func (g *Graph) Part(im *Image, shown func(v *VarInfo) bool, also ...int) *Graph {
	p := &Graph{More: g.More, vars: map[string]*Cell{}}
	kept := map[*VarInfo]bool{}
	reached := map[int]bool{}
	var todo []int
	meet := func(cells []Cell) {
		for i := range cells {
			if v := cells[i].Value; v.Kind == ToNode && !reached[v.Node] {
				reached[v.Node] = true
				todo = append(todo, v.Node)
			}
		}
	}
	for _, v := range g.Vars {
		if shown(v) {
			kept[v] = true
			meet(v.Cells)
		}
	}
	at := map[*Object]*VarInfo{}
	for _, v := range g.Vars {
		if o := im.Find(v.Addr); o != nil {
			at[o] = v
		}
	}
	inside := func(cells []Cell) {
		for i := range cells {
			if c := &cells[i]; c.Value.Kind == ToVar {
				if w, ok := im.Load(c.Addr, c.Type); ok {
					if v := at[im.Find(w)]; v != nil && v.Frame < 0 && !kept[v] {
						kept[v] = true
						meet(v.Cells)
					}
				}
			}
		}
	}
	for _, v := range g.Vars {
		if kept[v] {
			inside(v.Cells)
		}
	}
	for _, seq := range slices.Clone(todo) {
		for _, n := range g.numbered(seq) {
			inside(n.Cells)
		}
	}
	for _, seq := range also {
		if !reached[seq] {
			reached[seq] = true
			todo = append(todo, seq)
		}
	}
	for len(todo) > 0 {
		seq := todo[0]
		todo = todo[1:]
		for _, n := range g.numbered(seq) {
			meet(n.Cells)
		}
	}
	for _, v := range g.Vars {
		if kept[v] {
			p.Vars = append(p.Vars, v)
		}
	}
	p.index()
	for _, n := range g.Nodes {
		switch {
		case reached[n.Seq]:
			p.Nodes = append(p.Nodes, n)
		case n.Live:
			p.Apart = append(p.Apart, n)
		}
	}
	p.More += len(p.Apart)
	return p
}
