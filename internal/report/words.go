package report

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/repair"
)

// This file describes patches in words.

// EditOf describes an edit in words.
func EditOf(prog *lower.Program, e *repair.Edit) Changed {
	if e.Stmt == 0 {
		g := prog.Gaps[e.Gap]
		p, where := repair.GapPosition(g)
		return Changed{File: p.File, Line: p.Line, After: e.Inserted(), What: "insert " + where}
	}
	s := prog.Stmts[e.Stmt]
	p := s.Range.Position()
	out := Changed{File: p.File, Line: p.Line, Before: s.Range.Text(), What: "change"}
	switch {
	case e.Delete:
		out.What = "delete"
	case e.New != nil:
		out.After = e.Replacement(s)
	}
	if e.Guard != nil {
		if out.After == "" {
			out.After = s.Range.Text()
		}
		out.After = "if (" + cfront.Text(e.Guard) + ") " + out.After
	}
	return out
}

// Hints are the hints given to a student, one after the other.
func Hints(prog *lower.Program, p *repair.Patch) []string {
	edits := p.Edits()
	if len(edits) == 0 {
		return nil
	}
	e := edits[0]
	first := EditOf(prog, e)
	fn := ""
	what := "the statement there does the wrong thing"
	switch {
	case e.Stmt == 0:
		fn = prog.Gaps[e.Gap].Func.Name
		what = "a statement is missing there"
	case prog.Stmts[e.Stmt].Kind == lower.Cond:
		fn, what = prog.Stmts[e.Stmt].Func.Name, "the condition there asks for the wrong thing"
	default:
		fn = prog.Stmts[e.Stmt].Func.Name
		if e.Delete {
			what = "the statement there should not be there"
		} else if e.Guard != nil {
			what = "the statement there must not always be executed"
		}
	}
	out := []string{
		fmt.Sprintf("look at %s", fn),
		fmt.Sprintf("look at line %d of %s", first.Line, fn),
		what,
	}
	if len(edits) > 1 {
		out = append(out, fmt.Sprintf("%s must change in all", plural.N(len(edits), "place")))
	}
	return append(out, e.Describe(prog))
}
