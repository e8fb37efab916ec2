package session

import (
	"context"
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/trace"
	"gulo/internal/source"
	"gulo/internal/spec"
	"gulo/internal/trust"
)

// This file has the command hint, which reveals a repair a little at a time.

// hinted is the repair that hints are about, with the assertions and the patch that it was found for.
type hinted struct {
	segs  int
	seg   *spec.Segment
	patch *repair.Patch // in force then
	found *choice
	cost  int
}

// hint says, one step at a time, where the fault is: the region, the entity
// that goes wrong, the statement, the kind of change, the patch.
func (s *searcher) hint(ctx context.Context, args string) error {
	if err := s.asserted(); err != nil {
		return err
	}
	k := s.misses(s.segments(), s.patch)
	if k < 0 {
		s.printf("there is nothing to hint at in this run: the program %s\n", trust.States(len(s.segs)))
		return nil
	}
	h := s.hinted
	if last := s.segs[len(s.segs)-1]; h == nil || h.segs != len(s.segs) || h.seg != last || h.patch != s.patch {
		v, best, err := s.toHintAt(ctx)
		if err != nil {
			return err
		}
		h = &hinted{len(s.segs), last, s.patch, best, v.a.cost}
		s.hinted = h
	}
	s.hints = min(s.hints+1, 5)
	if h.found.text != nil {
		s.printf("hint %d of 5: %s\n", s.hints, s.hintOfText(k, h.found.text))
		return nil
	}
	edits := h.found.patch.Edits()
	for _, e := range edits {
		if old := s.patch.Stmts[e.Stmt]; e.Stmt != 0 && old == e {
			continue
		}
		edits = []*repair.Edit{e}
		break
	}
	s.printf("hint %d of 5: %s\n", s.hints, s.hintText(k, edits[0], h.cost))
	return nil
}

// toHintAt searches for the repair that hints lead to. A harmful one is an error. The repairs found before stay those
// that patches lists.
func (s *searcher) toHintAt(ctx context.Context) (*verdicts, *choice, error) {
	found, written, inputs := s.found, s.asWritten, s.inputs
	defer func() { s.found, s.asWritten, s.inputs = found, written, inputs }()
	ctx, done := s.searching(ctx, 0)
	defer done()
	v, err := s.tried(ctx, repairFlags{slots: 2})
	s.progress("")
	switch {
	case ctx.Err() != nil && (err != nil || v.a.err != nil):
		return nil, nil, errStopped("hint")
	case err != nil:
		return nil, nil, err
	case v.a.err != nil:
		return nil, nil, v.a.err
	case v.a.cost == 0:
		return nil, nil, negative("no hint: no repair is known")
	case s.harmful(&s.found[0]):
		return nil, nil, negative("no hint: every repair that gives your picture fails on many other inputs; locate ranks the lines, and another picture would tell more")
	}
	return v, &s.found[0], nil
}

// hintOfText returns the next hint for a repair that is an edit of the text; k is the segment that is not met.
func (s *searcher) hintOfText(k int, x *rewritten) string {
	line := x.at.Line
	_, shown, _ := strings.Cut(strings.SplitN(x.shown, "\n", 2)[0], ": ")
	missing, extra := strings.HasPrefix(shown, "insert "), strings.HasPrefix(shown, "delete ")
	moved := strings.Contains(x.shown, "\n")
	switch s.hints {
	case 1:
		name, lo, hi := s.around1(x.at)
		return fmt.Sprintf("look at lines %d to %d, in %s", max(line-2, lo), min(line+2, hi), name)
	case 2:
		return s.hintEntity(k)
	case 3:
		if missing {
			return fmt.Sprintf("something is missing near line %d: %s", line, x.line)
		}
		return fmt.Sprintf("line %d is wrong: %s", line, x.line)
	case 4:
		switch {
		case moved:
			return "something is in the wrong place"
		case missing:
			return "a statement must be added there"
		case extra:
			return "this should not be there"
		}
		return "it must be written differently"
	}
	return strings.ReplaceAll(x.shown, "\n", "; ") + "  (repair puts it in)"
}

// around1 names the function around a place, with its first and last line.
func (s *searcher) around1(at source.Position) (name string, first, last int) {
	var best *cfront.Func
	for _, f := range s.prog.Tree.Funcs {
		if p := f.Whole.Position(); f.Body != nil && p.File == at.File && p.Line <= at.Line && (best == nil || p.Line > best.Whole.Position().Line) {
			best = f
		}
	}
	if best == nil {
		return "the program", 1, at.Line + 2
	}
	return best.Name, best.Whole.Position().Line, best.Whole.File.Position(best.Whole.End - 1).Line
}

// hintEntity names what goes wrong.
func (s *searcher) hintEntity(k int) string {
	seg := s.segments()[k]
	t := repair.NewTrace(s.prog, seg, s.patch)
	t.Run(trace.Deferred(s.prog, s.segments()))
	for _, c := range seg.End {
		if w, ok := t.Im.Load(c.Addr, c.Type); !ok || w != c.Word {
			return fmt.Sprintf("follow %s up to %s: it should become %s", c.Key, seg.Label, c.Text)
		}
	}
	return fmt.Sprintf("on the way to %s the program takes another branch than the one that you forced", seg.Label)
}

func (s *searcher) hintText(k int, e *repair.Edit, cost int) string {
	fn, first, last := s.region(e)
	switch s.hints {
	case 1:
		return fmt.Sprintf("look at lines %d to %d, in %s", first, last, fn)
	case 2:
		return s.hintEntity(k)
	case 3:
		if e.Stmt == 0 {
			p, where := repair.GapPosition(s.prog.Gaps[e.Gap])
			return fmt.Sprintf("something is missing %s (line %d)", where, p.Line)
		}
		st := s.prog.Stmts[e.Stmt]
		return fmt.Sprintf("line %d is wrong: %s", st.Range.Position().Line, Show(st))
	case 4:
		return s.hintKind(e, cost)
	}
	return e.Describe(s.prog) + "  (repair puts it in)"
}

func (s *searcher) hintKind(e *repair.Edit, cost int) string {
	more := ""
	if cost > 1 {
		more = fmt.Sprintf("; %s needed elsewhere", plural.N(cost-1, "more change"))
	}
	switch {
	case e.Stmt == 0:
		return "a statement must be added there" + more
	case e.Delete:
		return "this statement should not be there" + more
	case e.Guard != nil:
		return "it must happen only under a condition" + more
	case s.prog.Stmts[e.Stmt].Kind == lower.Cond:
		return "the condition asks for the wrong thing" + more
	}
	return "it assigns the wrong thing, or to the wrong place" + more
}

// region returns a function and a few lines around an edit.
func (s *inferior) region(e *repair.Edit) (fn string, first, last int) {
	line, f := 0, ""
	lo, hi := 0, 0
	if e.Stmt != 0 {
		st := s.prog.Stmts[e.Stmt]
		line, f = st.Range.Position().Line, st.Func.Name
		lo, hi = st.Func.Whole.Position().Line, st.Func.Whole.File.Position(st.Func.Whole.End-1).Line
	} else {
		g := s.prog.Gaps[e.Gap]
		p, _ := repair.GapPosition(g)
		line, f = p.Line, g.Func.Name
		lo, hi = g.Func.Whole.Position().Line, g.Func.Whole.File.Position(g.Func.Whole.End-1).Line
	}
	return f, max(line-2, lo), min(line+2, hi)
}
