package session

import (
	"gulo/internal/draw"
	"gulo/internal/heap"
)

// This file keeps trees readable when the user changes them: nodes whose parent is another one move under it, and
// back when that is undone. What the program does moves nothing.

// moved is a layout before nodes were moved, and the one before that.
type moved struct {
	from draw.Layout
	up   *moved
}

// straighten moves the nodes of a tree in which the user has changed a link.
func (s *Session) straighten(key string) {
	name, field := fieldOf(key)
	n, ok := s.graph.Node(name)
	c, found := s.graph.Cell(key)
	if !ok || !found || field == "" || c.Value.Kind != heap.ToNode {
		return
	}
	kept := s.layout.Clone()
	if s.layout.Mend(s.graph, n.Seq, c.Value.Node) {
		s.moved = &moved{kept, s.moved}
	}
}

// moveBack gives nodes the places that they had in an earlier state.
func (s *Session) moveBack(now *moved) {
	layout := draw.Layout{}
	for m := now; m != s.moved; m = m.up {
		if m == nil {
			return // that state does not lead to this one
		}
		layout = m.from
	}
	if now != s.moved {
		s.layout = layout.Clone()
	}
}
