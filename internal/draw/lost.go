package draw

import (
	"slices"
	"strings"

	"gulo/internal/heap"
	"gulo/internal/plural"
)

// This file lists nodes that nothing leads to. Those that no other such node leads to come first: with them the others
// were lost.

// Loss is a node that nothing leads to.
type Loss struct {
	Name string `json:"name"`
	Text string `json:"text"` // what it holds, or how large it is
}

// losses lists the nodes, drawn or not, that neither the program nor another lost node leads to. behind counts the
// other lost nodes.
func losses(g *heap.Graph, lost map[int]*heap.NodeInfo) (first []Loss, behind int) {
	heads, rest := lostFirst(g, lost, func(n *heap.NodeInfo) bool { return !n.Met })
	for _, n := range heads {
		first = append(first, Loss{n.Name(), contents(n, lost[n.Seq])})
	}
	return first, len(rest)
}

// firstLost lists the nodes that are not drawn. If they are many, those that no other of them leads to come first.
func firstLost(g *heap.Graph, lost map[int]*heap.NodeInfo, listed func(n *heap.NodeInfo) bool) []*heap.NodeInfo {
	heads, behind := lostFirst(g, lost, listed)
	out := append(heads, behind...)
	if len(out) <= 5 {
		slices.SortFunc(out, bySeq)
	}
	return out
}

func bySeq(a, b *heap.NodeInfo) int { return a.Seq - b.Seq }

// lostFirst separates nodes without a type into those that no other of them leads to and the rest. Of nodes that lead
// to each other in a circle, one is among the former: in a doubly linked list, the one that still leads back to a node
// that is not lost.
func lostFirst(g *heap.Graph, lost map[int]*heap.NodeInfo, listed func(n *heap.NodeInfo) bool) (heads, behind []*heap.NodeInfo) {
	inner, reached := map[int]bool{}, map[int]bool{}
	to := func(seq int) (out []int) {
		if m := lost[seq]; m != nil {
			for i := range m.Cells {
				if v := m.Cells[i].Value; v.Kind == heap.ToNode && v.Node != seq {
					out = append(out, v.Node)
				}
			}
		}
		return out
	}
	for seq := range lost {
		for _, k := range to(seq) {
			inner[k] = true
		}
	}
	head := func(n *heap.NodeInfo) {
		heads = append(heads, n)
		for todo := []int{n.Seq}; len(todo) > 0; todo = todo[1:] {
			if seq := todo[0]; !reached[seq] {
				reached[seq] = true
				todo = append(todo, to(seq)...)
			}
		}
	}
	var left []*heap.NodeInfo
	for _, n := range g.Nodes {
		switch {
		case n.Type != nil || !listed(n):
		case inner[n.Seq]:
			left = append(left, n)
		default:
			head(n)
		}
	}
	back := func(n *heap.NodeInfo) bool {
		return slices.ContainsFunc(to(n.Seq), func(k int) bool { return g.Typed(k) != nil })
	}
	for _, any := range []bool{false, true} {
		for _, n := range left {
			if !reached[n.Seq] && (any || back(n)) {
				head(n)
			}
		}
	}
	for _, n := range left {
		if !slices.Contains(heads, n) {
			behind = append(behind, n)
		}
	}
	return heads, behind
}

// contents describes briefly what a node holds; lost is the node as it was known before, nil if it was not.
func contents(n, lost *heap.NodeInfo) string {
	if lost == nil {
		return plural.N(n.Size, "byte")
	}
	var parts []string
	for i := range lost.Cells {
		if len(lost.Cells) > maxLoose && (len(parts) >= maxLoose || !holds(&lost.Cells[i], Options{})) {
			continue
		}
		parts = append(parts, strings.TrimSpace(lost.Cells[i].Field+" "+shortValue(lost.Cells[i].Value)))
	}
	what := strings.Join(parts, ", ")
	if len(parts) < len(lost.Cells) {
		what = strings.TrimPrefix(what+", …", ", ")
	}
	return what
}
