package session

import (
	"gulo/internal/draw"
	"gulo/internal/heap"
)

// This file keeps trees readable while the user changes them: a node that gets another parent moves below it, and moves
// back when the change is undone. What the program does moves nothing.

// moved is a layout before nodes were moved; up is the move before that.
type moved struct {
	from draw.Layout
	up   *moved
}

// straighten moves the nodes of a tree in which the user has changed a link.
func (s *drawing) straighten(key string) {
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

// moveBack gives nodes the places that they had in the restored state; now is what had been moved before.
func (s *drawing) moveBack(now *moved) {
	layout := draw.Layout{}
	for m := now; m != s.moved; m = m.up {
		if m == nil {
			return // the restored state is no earlier state of this one
		}
		layout = m.from
	}
	if now != s.moved {
		s.layout = layout.Clone()
	}
}
