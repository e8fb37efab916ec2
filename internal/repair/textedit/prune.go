package textedit

import "sort"

// This file bounds a space of edits. It leaves out the edits that cost most, wherever they are, so that a function
// keeps its cheap edits even if the functions before it have many.

// Prune keeps the cheapest edits of all functions, at most most of them. Half of a move costs what the move costs, and
// suggested edits cost nothing. Among edits of equal cost each place keeps as many as the others.
func (s *Space) Prune(most int) {
	if s.Total <= most {
		return
	}
	type listed struct {
		e          *Edit
		cost, rank int // number of edits of equal cost before it at its place
	}
	cost := s.costs()
	var all []listed
	for _, st := range s.Sites {
		same := map[int]int{}
		away := 0
		if s.away != nil {
			away = s.away(st)
		}
		for _, e := range st.Edits {
			c := cost(e) + away
			all = append(all, listed{e, c, same[c]})
			same[c]++
		}
	}
	sort.SliceStable(all, func(a, b int) bool {
		if all[a].cost != all[b].cost {
			return all[a].cost < all[b].cost
		}
		return all[a].rank < all[b].rank
	})
	kept := map[*Edit]bool{}
	for _, l := range all[:most] {
		kept[l.e] = true
	}
	var order []*Site
	s.Total = 0
	for _, st := range s.Sites {
		var edits []*Edit
		for _, e := range st.Edits {
			if kept[e] {
				edits = append(edits, e)
			}
		}
		if st.Edits = edits; len(edits) > 0 {
			order = append(order, st)
			s.Total += len(edits)
		}
	}
	s.Sites = order
}

// costs returns a function that gives the cost of an edit, alone or as half of the cheapest move that needs it.
func (s *Space) costs() func(e *Edit) int {
	type half struct {
		st  *Site
		alt string
	}
	moved := map[half]int{}
	for _, m := range s.Moves {
		for _, h := range m.Halves() {
			k := half{h.Site, h.Alt}
			if c, ok := moved[k]; !ok || m.Cost < c {
				moved[k] = m.Cost
			}
		}
	}
	return func(e *Edit) int {
		c := e.Cost
		if e.Suggested {
			c = 0
		}
		if m, ok := moved[half{e.Site, e.Alt}]; ok && m < c {
			return m
		}
		return c
	}
}
