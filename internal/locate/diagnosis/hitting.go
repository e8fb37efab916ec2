package diagnosis

import (
	"slices"
	"sort"
)

// This file computes minimal hitting sets of conflicts that are discovered during the computation.

// Conflict returns a conflict without members of a set, sorted. ok is false if there is none.
type Conflict func(without []int) (members []int, ok bool)

// node is a node of the hitting-set graph. It is labelled with a conflict. For each member of the label an edge leads
// to the node for the path extended by that member.
type node struct {
	path  []int // members on the edges from the root, sorted
	label []int
	edges map[int]*node
}

// HittingSets calls found for the minimal hitting sets of all conflicts, smaller ones first, up to a size, until found
// returns false. It is Reiter's algorithm ("A Theory of Diagnosis from First Principles", 1987) with the correction of
// Greiner, Smith and Wilkerson (1989): nodes with equal paths are identified, and if a conflict is found that is a
// proper subset of a label, it replaces the label, and the edges of the other members are cut.
func HittingSets(conflict Conflict, size int, found func([]int) bool) {
	var labels [][]int
	var sets [][]int
	nodes := map[string]*node{}
	root := &node{edges: map[int]*node{}}
	level := []*node{root}
	for depth := 0; len(level) > 0 && depth <= size; depth++ {
		sort.SliceStable(level, func(i, j int) bool { return slices.Compare(level[i].path, level[j].path) < 0 })
		var next []*node
		for _, n := range level {
			if !reachable(root, n) || covered(sets, n.path) {
				continue
			}
			l, ok := known(labels, n.path)
			if !ok {
				if l, ok = conflict(n.path); ok {
					labels = relabel(root, labels, l)
					if !reachable(root, n) {
						continue
					}
				}
			}
			if !ok {
				sets = append(sets, n.path)
				if !found(slices.Clone(n.path)) {
					return
				}
				continue
			}
			n.label = l
			for _, m := range l {
				path := append(slices.Clone(n.path), m)
				sort.Ints(path)
				key := text(path)
				child := nodes[key]
				if child == nil {
					child = &node{path: path, edges: map[int]*node{}}
					nodes[key] = child
					next = append(next, child)
				}
				n.edges[m] = child
			}
		}
		level = next
	}
}

func text(path []int) string {
	b := make([]byte, 0, 4*len(path))
	for _, p := range path {
		b = append(b, byte(p>>24), byte(p>>16), byte(p>>8), byte(p))
	}
	return string(b)
}

// known returns a known conflict that a path does not hit.
func known(labels [][]int, path []int) ([]int, bool) {
	for _, l := range labels {
		if !slices.ContainsFunc(l, func(m int) bool { return slices.Contains(path, m) }) {
			return l, true
		}
	}
	return nil, false
}

// covered reports whether a path contains a hitting set.
func covered(sets [][]int, path []int) bool {
	return slices.ContainsFunc(sets, func(s []int) bool { return subset(s, path) })
}

func subset(a, b []int) bool {
	return !slices.ContainsFunc(a, func(x int) bool { return !slices.Contains(b, x) })
}

// relabel adds a conflict and replaces labels that contain it.
func relabel(root *node, labels [][]int, l []int) [][]int {
	out := labels[:0:0]
	for _, old := range labels {
		if !subset(l, old) {
			out = append(out, old)
		}
	}
	seen := map[*node]bool{}
	var walk func(*node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.label != nil && len(l) < len(n.label) && subset(l, n.label) {
			n.label = l
			for m := range n.edges {
				if !slices.Contains(l, m) {
					delete(n.edges, m)
				}
			}
		}
		for _, c := range n.edges {
			walk(c)
		}
	}
	walk(root)
	return append(out, l)
}

// reachable reports whether a node can still be reached from the root.
func reachable(root, n *node) bool {
	if root == n {
		return true
	}
	for m, c := range root.edges {
		if slices.Contains(n.path, m) && reachable(c, n) {
			return true
		}
	}
	return false
}
