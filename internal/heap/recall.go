package heap

import "gulo/internal/ctype"

// This file is about nodes that nothing leads to any more. Only a pointer tells
// what a node is, so what they were has to be remembered.

// Types returns what the nodes of the graph are, added to what was known before.
// It returns known itself when the graph tells nothing new; known is not changed.
func (g *Graph) Types(known map[int]*ctype.Type) map[int]*ctype.Type {
	out, shared := known, true
	for _, n := range g.Nodes {
		if n.Type == nil || known[n.Seq] == n.Type {
			continue
		}
		if shared {
			out, shared = make(map[int]*ctype.Type, len(known)+len(g.Nodes)), false
			for k, t := range known {
				out[k] = t
			}
		}
		out[n.Seq] = n.Type
	}
	return out
}

// Recall adds to Lost the live nodes that nothing leads to and whose type is
// known from before. They keep their entry in Nodes, whose Type is nil; Cell finds
// their fields. Where they point does not make other nodes reachable.
func (g *Graph) Recall(im *Image, known map[int]*ctype.Type) {
	b := &grapher{im: im, g: &Graph{}, types: map[*Object]*ctype.Type{}, at: map[int]int{}}
	bySeq := map[int]*Object{}
	for _, n := range g.Nodes {
		if n.Type == nil && n.Live && known[n.Seq] != nil {
			bySeq[n.Seq] = nil
		}
	}
	if len(bySeq) == 0 {
		return
	}
	for _, o := range im.Objects {
		if _, ok := bySeq[o.Seq]; ok && o.Kind == Node {
			bySeq[o.Seq] = o
		}
	}
	for _, n := range g.Nodes {
		o := bySeq[n.Seq]
		if o == nil || int64(len(o.Data)) < known[n.Seq].Size {
			continue
		}
		b.types[o] = known[n.Seq]
		b.node(o)
	}
	g.Lost = b.g.Nodes
	for _, n := range g.Lost {
		for i := range n.Cells {
			if _, ok := g.cells[n.Cells[i].Key]; !ok {
				g.cells[n.Cells[i].Key] = &n.Cells[i]
			}
		}
	}
}
