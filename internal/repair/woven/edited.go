package woven

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/source"
)

// This file compares an edited program with pictures of the original program. Anybody may have made the edits.

// Comes reports whether the edited program reaches the pictures of a suite of the program. known is false if a picture
// cannot be translated: a variable or the statement where it was drawn is missing in the edited program. spend is
// called with the machine's steps; it may be nil.
func Comes(program, edited *lower.Program, suite *oracle.Suite, spend func(steps int64)) (met, known bool, err error) {
	t := newTranslation(program, edited, alignedWith(program, edited))
	other, ok := t.cases(suite, edited, func(id int32) int32 {
		if t.own[id] {
			return id
		}
		return 0
	})
	if !ok {
		return false, false, nil
	}
	run, err := oracle.NewRunner(other)
	if err != nil {
		return false, false, err
	}
	run.Spend = spend
	for _, c := range other.Cases {
		if r, err := run.Run(c, nil); err != nil || !r.Meets(c.Want) {
			return false, true, err
		}
	}
	return true, true, nil
}

// aligned holds, for each edited file, its unchanged parts in order.
type aligned map[string][]piece

// piece is a part of an edited file, with its offset in the original file.
type piece struct{ at, n, before int }

func (a aligned) Holds(file string) bool { return a[file] != nil }

// Origin returns the original offset of the first unchanged part of a range.
func (a aligned) Origin(file string, start, end int) (at int, ok bool) {
	list := a[file]
	i, _ := slices.BinarySearchFunc(list, start, func(p piece, at int) int { return cmp.Compare(p.at+p.n, at+1) })
	if i == len(list) || list[i].at >= end {
		return 0, false
	}
	return list[i].before + max(0, start-list[i].at), true
}

// alignedWith aligns those files of two programs that have the same name and different texts.
func alignedWith(program, edited *lower.Program) aligned {
	texts := map[string]string{}
	for _, f := range program.Tree.Files {
		texts[f.Name] = string(f.Text)
	}
	out := aligned{}
	for _, f := range edited.Tree.Files {
		if before, ok := texts[f.Name]; ok && before != string(f.Text) {
			out[f.Name] = pieces(before, string(f.Text))
		}
	}
	return out
}

// pieces aligns two texts by lines. Where lines are replaced by the same number of lines, their common beginnings and
// ends are aligned, and the text between counts as the same place.
func pieces(before, after string) (out []piece) {
	from, at := 0, 0
	keep := func(n int) {
		if n > 0 {
			out = append(out, piece{at, n, from})
		}
		from, at = from+n, at+n
	}
	for _, e := range udiff.Lines(before, after) {
		keep(e.Start - from)
		was, is := strings.SplitAfter(before[e.Start:e.End], "\n"), strings.SplitAfter(e.New, "\n")
		if len(was) != len(is) {
			was, is = []string{before[e.Start:e.End]}, []string{e.New}
		}
		for i := range was {
			head := alike(was[i], is[i])
			keep(head)
			a, b := was[i][head:], is[i][head:]
			tail := 0
			for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
				tail++
			}
			if tail < len(a) && tail < len(b) {
				out = append(out, piece{at, 1, from})
			}
			from, at = from+len(a)-tail, at+len(b)-tail
			keep(tail)
		}
	}
	keep(len(before) - from)
	return out
}

// alike returns the number of bytes that two texts begin with in common, in whole characters.
func alike(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// AsPatch returns an edited program as a patch of the program: changed expressions and deleted statements; nil if more
// than that is edited. The caller must compare the text that the patch makes with the edited text, because text between
// statements is not compared here.
func AsPatch(program, edited *lower.Program) *repair.Patch {
	t := newTranslation(program, edited, alignedWith(program, edited))
	var edits []*repair.Edit
	met := map[int32]bool{}
	for _, was := range program.Stmts {
		if was == nil || was.Range.File == nil {
			continue
		}
		id, ok := t.stmts[was.ID]
		if !ok {
			edits = append(edits, &repair.Edit{Stmt: was.ID, Delete: true})
			continue
		}
		met[id] = true
		is := edited.Stmts[id]
		if source.Squeeze(was.Range.Text()) == source.Squeeze(is.Range.Text()) {
			continue
		}
		x := valueOf(is)
		if valueOf(was) == nil || x == nil {
			return nil
		}
		e := &repair.Edit{Stmt: was.ID, New: t.plain(x, 0)}
		if e.New == nil {
			return nil
		}
		edits = append(edits, e)
	}
	for _, st := range edited.Stmts {
		if st != nil && st.Range.File != nil && !met[st.ID] { // an inserted statement
			return nil
		}
	}
	return repair.NewPatch(edits...)
}

// valueOf returns the expression of a statement that an edit can replace; nil if it has none.
func valueOf(st *lower.Stmt) cfront.Expr {
	switch {
	case st.Kind == lower.Decl && len(st.Decl.Init) == 1:
		return st.Decl.Init[0].X
	case st.Kind == lower.Expr, st.Kind == lower.Cond, st.Kind == lower.Return:
		return st.X
	}
	return nil
}
