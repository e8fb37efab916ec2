package repair

import (
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/source"
)

// GapPosition returns a position that describes a gap, and in words how the gap lies to it.
func GapPosition(g *lower.Gap) (source.Position, string) {
	list := g.Block.List
	if g.Index > 0 {
		r := list[g.Index-1].Range()
		end := r
		end.Start = r.End - 1
		return end.Position(), "after " + oneLine(list[g.Index-1])
	}
	if g.Index < len(list) {
		return list[g.Index].Range().Position(), "before " + oneLine(list[g.Index])
	}
	return g.Block.Range().Position(), "into the empty block"
}

func oneLine(s cfront.Stmt) string {
	switch s := s.(type) {
	case *cfront.While:
		if !s.Do {
			return "the loop " + s.Head.Text()
		}
	case *cfront.For:
		return "the for loop"
	case *cfront.If:
		return s.Head.Text()
	}
	t := s.Range().Text()
	if len(t) > 60 {
		t = t[:57] + "..."
	}
	return t
}

// GapOffset returns the byte offset of code inserted into the gap. It decides which variables the code can name.
func GapOffset(g *lower.Gap) (file *source.File, off int) {
	list := g.Block.List
	if g.Index > 0 {
		r := list[g.Index-1].Range()
		return r.File, r.End
	}
	r := g.Block.Range()
	return r.File, r.Start + 1
}
