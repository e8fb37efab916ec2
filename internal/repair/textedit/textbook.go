package textedit

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file lists what is stored in an array, and the least or greatest that a loop has seen.

const mostStored = 12 // elements that may be stored at one place

// stored lists what is stored in an array behind a loop, or at the end of a block: at a place, a value.
func stored(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 0 || p.index >= len(p.block.List) {
		return
	}
	switch p.block.List[p.index].(type) {
	case *cfront.While, *cfront.For:
	default:
		if p.index != len(p.block.List)-1 {
			return
		}
	}
	body := p.fn.Body.Range().Text()
	n := 0
	for _, a := range vars {
		e := a.Type.Elem
		if (a.Type.Kind != ctype.Array && a.Type.Kind != ctype.Pointer) || e == nil || !e.IsInteger() || e.Size < 4 || (a.Qual|a.Type.ElemQual)&ctype.Const != 0 {
			continue
		}
		for _, i := range vars {
			if i.Func == nil || !i.Type.IsInteger() || !strings.Contains(body, a.Name+"["+i.Name) {
				continue
			}
			for _, v := range vars {
				if v != i && v.Func != nil && sameType(v.Type, e) && n < mostStored {
					n++
					add(CostInsert, "insert", fmt.Sprintf("%s[%s] = %s;", a.Name, i.Name, v.Name))
				}
			}
		}
	}
}

// leastSoFar lists how the least or greatest that a loop has seen is kept: of a variable that it reads and
// never stores to.
func leastSoFar(p place, vars []*cfront.Var, add func(cost int, what, text string)) {
	if p.loop == nil || p.block == nil || p.index != len(p.block.List)-1 {
		return
	}
	body := p.loop.Range().Text()
	inside := "\n" + p.indent + step(p.fn.Body.Range().File)
	for _, v := range vars {
		if v.Func == nil || !v.Type.IsInteger() || !word(v.Name).MatchString(body) || v.Range.Start > p.loop.Range().Start || changes([]cfront.Stmt{p.loop}, v) {
			continue
		}
		for _, w := range vars {
			if w.Func != nil && sameType(w.Type, v.Type) && w.Range.Start > p.loop.Range().Start {
				for i, op := range []string{"<", ">"} {
					add(CostInsert+i, "insert", fmt.Sprintf("if (%s %s %s)%s%s = %s;", w.Name, op, v.Name, inside, v.Name, w.Name))
				}
			}
		}
	}
}
