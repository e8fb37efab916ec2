package draw

import (
	"cmp"
	"container/heap"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	memory "gulo/internal/heap"
	"gulo/internal/plural"
)

// This file chooses which nodes of a crowded heap are drawn: those that the program has in hand. Every node has a
// distance, in links, from the nearest variable that leads to it, and the nearest nodes come first. A link counts for
// more the more links its node has: a list's next leads to one place, but one of forty pointers in the state of an
// interpreter says little. So a variable that leads to everything, such as a context that every function takes, comes
// after one that leads to a node of a list. Variables of outer functions come after those of inner ones.

// Distances at which the search begins, in links.
const (
	focusNear   = -1.0 // a node that was asked for
	changedNear = -0.5 // the only node that the last command changed
	callerAway  = 1.5  // a variable of the calling function, beside one of the function itself
	globalAway  = 1.0  // a variable of static storage
)

// In a crowded heap no nodes farther away than farthest are drawn once there are enough.
const (
	farthest = 5
	enough   = 6
)

// spread returns how much farther away a node is for being one of n.
func spread(n int) float64 { return math.Log2(float64(max(n, 1))) / 2 }

// bulk returns how much farther away a node is for the room it takes: less than half a link.
func bulk(n *memory.NodeInfo) float64 {
	return float64(min(len(n.Cells), maxLines)) / (2*maxLines + 1)
}

// leads counts the nodes that a node leads to.
func leads(g *memory.Graph, n *memory.NodeInfo) int {
	to := map[int]bool{}
	for i := range n.Cells {
		if v := n.Cells[i].Value; v.Kind == memory.ToNode && v.Node != n.Seq && g.Typed(v.Node) != nil {
			to[v.Node] = true
		}
	}
	return len(to)
}

// reached is a node with its distance.
type reached struct {
	seq  int
	far  float64
	hops int
}

type frontier []reached

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f[i].far, f[j].far), cmp.Compare(f[i].seq, f[j].seq)) < 0
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(reached)) }
func (f *frontier) Pop() any {
	old := *f
	x := old[len(old)-1]
	*f = old[:len(old)-1]
	return x
}

// inHand lists at most limit nodes of a graph, the nearest first (see above), at most hops links from where it begins;
// hops is negative for any number, and for heaps that are not crowded. It begins with what the last command changed and
// the nodes of o.Around and, unless o.Focus is set, with what the variables lead to, in a crowded heap the tracked
// ones. Of equally near nodes the older comes first.
func inHand(g *memory.Graph, o Options, limit, hops int) []int {
	var todo frontier
	begin := func(seq int, away float64) {
		if n := g.Typed(seq); n != nil {
			heap.Push(&todo, reached{seq, away + bulk(n), 0})
		}
	}
	for _, seq := range o.Around {
		begin(seq, focusNear)
	}
	changed := changedNodes(g, o.Changed)
	for _, seq := range changed {
		begin(seq, changedNear+2*spread(len(changed)))
	}
	if !o.Focus || len(todo) == 0 {
		tracked := len(todo)
		for _, v := range g.Vars {
			beginAt(g, v, begin, func(key string) bool { return hops >= 0 && o.Dotted[key] })
		}
		if len(todo) == tracked {
			for _, v := range g.Vars {
				beginAt(g, v, begin, func(string) bool { return false })
			}
		}
	}
	far := map[int]bool{}
	var out []int
	for len(todo) > 0 && len(out) < limit {
		x := heap.Pop(&todo).(reached)
		if far[x.seq] {
			continue
		}
		if hops >= 0 && x.far > farthest && len(out) >= enough {
			break
		}
		far[x.seq] = true
		if o.texts[x.seq] != "" {
			continue // its text stands beside the pointers to it
		}
		out = append(out, x.seq)
		if x.hops == hops {
			continue
		}
		n := g.Typed(x.seq)
		away := x.far + 1 + spread(leads(g, n))
		for i := range n.Cells {
			v := n.Cells[i].Value
			if v.Kind != memory.ToNode || far[v.Node] {
				continue
			}
			if m := g.Typed(v.Node); m != nil {
				heap.Push(&todo, reached{v.Node, away + bulk(m) - bulk(n), x.hops + 1})
			}
		}
	}
	return out
}

// beginAt begins with what a variable leads to, except by the cells for which left is true.
func beginAt(g *memory.Graph, v *memory.VarInfo, begin func(seq int, away float64), left func(key string) bool) {
	away := globalAway
	if v.Frame >= 0 {
		away = callerAway * float64(v.Frame)
	}
	to := 0
	for i := range v.Cells {
		if v.Cells[i].Value.Kind == memory.ToNode {
			to++
		}
	}
	for i := range v.Cells {
		if x := v.Cells[i].Value; x.Kind == memory.ToNode && !left(v.Cells[i].Key) {
			if n := g.Typed(x.Node); n != nil {
				begin(x.Node, away+spread(to)+spread(leads(g, n)))
			}
		}
	}
}

// changedNodes returns the numbers of the nodes of which an entity changed, in order.
func changedNodes(g *memory.Graph, changed map[string]bool) []int {
	var out []int
	for key, on := range changed {
		if n := g.Holder(key); on && n != nil {
			out = append(out, n.Seq)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func setOf(nodes []int) map[int]bool {
	out := make(map[int]bool, len(nodes))
	for _, seq := range nodes {
		out[seq] = true
	}
	return out
}

// maxKinds bounds the types that folded names.
const maxKinds = 4

// folded says how many nodes are not drawn, and of what types they are, the most frequent first; empty for none.
func folded(g *memory.Graph, drawn []int) string {
	count := countTyped(g) + g.More - len(drawn)
	if count <= 0 {
		return ""
	}
	met := setOf(drawn)
	kinds := map[string]int{}
	for _, n := range g.Nodes {
		if n.Type != nil && !met[n.Seq] {
			kinds[n.Type.String()]++
		}
	}
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(kinds[b]-kinds[a], strings.Compare(a, b))
	})
	text := plural.N(count, "more node")
	switch {
	case len(names) == 0:
	case len(names) == 1 && kinds[names[0]] == count:
		text += ", " + names[0]
	default:
		sep := ": "
		for _, k := range names[:min(len(names), maxKinds)] {
			text += fmt.Sprintf("%s%d %s", sep, kinds[k], k)
			sep = ", "
		}
	}
	return text
}
