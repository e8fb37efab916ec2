package session

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/heap"
	"gulo/internal/plural"
	"gulo/internal/target"
)

// This file describes the use of a freed block: where it was allocated and where it was freed.

// FreedView is a freed block that is used by the next statement, or by the one that crashed.
type FreedView struct {
	Node  string     `json:"node"`
	Text  string     `json:"text"`            // in words
	Made  *Statement `json:"made"`            // the statement that allocated it; null if not known
	Freed *Statement `json:"freed"`           // that freed it
	Again bool       `json:"again,omitempty"` // it is freed once more
}

// freedUse lists the freed blocks that the statement being executed uses.
func (s *drawing) freedUse() []FreedView {
	var out []FreedView
	if s.graph == nil {
		return nil
	}
	met := map[int]bool{}
	s.eachFollowed(func(text string, v heap.Value, by *cfront.Call) {
		n := s.graph.Typed(v.Node)
		if v.Kind != heap.ToNode || met[v.Node] || n == nil || n.Live {
			return
		}
		again := false
		if by != nil {
			f, ok := by.Fun.(*cfront.FuncRef)
			if !ok || f.Func.Body != nil {
				return // passing it to a function of the program does not use it yet
			}
			again = f.Func.Name == "free"
		}
		met[v.Node] = true
		out = append(out, s.freedBlock(text, n, again))
	})
	return out
}

func (s *drawing) freedBlock(text string, n *heap.NodeInfo, again bool) FreedView {
	out := FreedView{Node: n.Name(), Again: again}
	at := func(id int32, verb string) (*Statement, string) {
		if id <= 0 || int(id) >= len(s.prog.Stmts) || s.prog.Stmts[id] == nil {
			return nil, ""
		}
		p := placeOf(s.prog.Stmts[id])
		return &p, fmt.Sprintf("%s at %s:%d in %s", verb, p.File, p.Line, p.Function)
	}
	made, freed := "", "that were freed"
	if o, ok := s.tgt.(target.Originator); ok {
		m, f := o.Origin(n.Addr)
		if p, said := at(m, "allocated"); p != nil {
			out.Made, made = p, said+", "
		}
		if p, said := at(f, "freed"); p != nil {
			out.Freed, freed = p, said
		}
	}
	out.Text = fmt.Sprintf("%s leads to %s, %s %s%s", text, n.Name(), plural.N(n.Size, "byte"), made, freed)
	return out
}

// saidFreed describes uses of freed blocks.
func saidFreed(list []FreedView) string {
	var out []string
	for i := range list {
		what := "use after free: "
		if list[i].Again {
			what = "double free: "
		}
		out = append(out, what+list[i].Text)
	}
	return strings.Join(out, "; ")
}
