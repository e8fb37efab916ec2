package heap

// Unlike returns the keys of the graph's cells that another graph does not have, or shows
// otherwise: what a picture marks beside another one. Cells of nodes that are freed in one of
// the two are left out, since nobody may look into them. None where other is nil.
func (g *Graph) Unlike(other *Graph) map[string]bool {
	keys := map[string]bool{}
	if other == nil {
		return keys
	}
	mark := func(cells []Cell) {
		for i := range cells {
			c := &cells[i]
			if d, ok := other.Cell(c.Key); !ok || d.Value.Text != c.Value.Text {
				keys[c.Key] = true
			}
		}
	}
	for _, n := range g.Nodes {
		if m, ok := other.Node(n.Name()); n.Live && (!ok || m.Live) {
			mark(n.Cells)
		}
	}
	for _, v := range g.Vars {
		mark(v.Cells)
	}
	return keys
}
