package heap

// This file is about nodes that nothing leads to any more. Only a pointer tells
// what a node is, so what they were has to be remembered.

// Types returns what the nodes of the graph are, added to what was known before.
func (g *Graph) Types(known Types) Types { return known.with(g.Nodes) }

// Recall adds to Lost the live nodes that nothing leads to and whose type is
// known from before. They keep their entry in Nodes, whose Type is nil; Cell finds
// their fields. Where they point does not make other nodes reachable.
func (g *Graph) Recall(im *Image, known Types) {
	b := &grapher{im: im, g: &Graph{}, memo: &Grapher{nodes: map[int]*entry{}, rest: map[*Object]*entry{}, round: 1}}
	bySeq := map[int]*Object{}
	for _, n := range g.Nodes {
		if n.Type == nil && n.Live && (known.Of(n.Seq) != nil || im.Views.Block(n.Seq) != nil) {
			bySeq[n.Seq] = im.Node(n.Seq)
		}
	}
	if len(bySeq) == 0 {
		return
	}
	if im.film == nil {
		for _, o := range im.All() {
			if _, ok := bySeq[o.Seq]; ok && o.Kind == Node {
				bySeq[o.Seq] = o
			}
		}
	}
	for _, n := range g.Nodes {
		o := bySeq[n.Seq]
		if o == nil || n.Type != nil {
			continue
		}
		t := im.viewed(o)
		if t == nil {
			t = known.Of(n.Seq)
		}
		if t != nil && int64(len(o.Data)) >= t.Size {
			m := b.make(o, t)
			m.Met = n.Met
			g.Lost = append(g.Lost, m)
		}
	}
}
