package session

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/repair/textedit"
	"gulo/internal/spec"
)

// This file lists edits that write a drawn number in place of a literal. The searches over statements try integers only.

const (
	drawnCost   = 8 // of such an edit: the number may be right for this picture alone
	mostNumbers = 8 // drawn numbers that are tried
)

// drawnNumbers lists edits of the floating-point literals of functions: each may become a number that was drawn.
func drawnNumbers(segments []*spec.Segment, scope []*cfront.Func) (out []textedit.Suggested) {
	var drawn []string
	for _, seg := range segments {
		for _, c := range seg.End {
			was, ok := seg.Start.Load(c.Addr, c.Type)
			text := c.Text
			if c.Type.Kind != ctype.Float || ok && seg.Start.Known(c.Addr, c.Type.Size) && was == c.Word || strings.ContainsAny(text, "inf?") {
				continue
			}
			if !strings.ContainsAny(text, ".e") {
				text += ".0"
			}
			if !slices.Contains(drawn, text) && len(drawn) < mostNumbers {
				drawn = append(drawn, text)
			}
		}
	}
	for _, fn := range scope {
		if fn.Body == nil || len(drawn) == 0 {
			continue
		}
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if k, ok := y.(*cfront.Const); ok && k.Type().Kind == ctype.Float {
					for _, text := range drawn {
						out = append(out, textedit.Suggested{Func: fn, Node: k, Text: text, What: "the number that was drawn", Cost: drawnCost, Common: true})
					}
				}
				return true
			})
		})
	}
	return out
}
