package mine

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file looks for edits that are a correction.

// space lists the edits of a program with their rules.
func space(tree *cfront.Program, known []mistakes.Mistake) []Listed {
	sp := textedit.New(textedit.Config{Tree: tree, Traced: true})
	sp.Suggest(mistakes.Suggest(tree, tree.Funcs, known))
	for _, f := range tree.Funcs {
		sp.Function(f)
	}
	var out []Listed
	add := func(e *textedit.Edit) {
		if e.Cost >= textedit.HalfCost || len(e.Changes) == 0 {
			return
		}
		rule := e.Listed + ": " + e.What
		switch e.Listed {
		case "":
			rule = "two places: " + e.What
		case "suggested":
			rule = "mistakes: " + e.What
		case "jointly":
			if strings.HasPrefix(e.What, "by ") { // the name of a function follows
				rule = "jointly: by a function of the library"
			}
		}
		out = append(out, Listed{e, rule})
	}
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			add(e)
		}
	}
	for _, e := range sp.Moves {
		add(e)
	}
	slices.SortStableFunc(out, func(a, b Listed) int { return a.Cost - b.Cost })
	return out
}

// target is a correction to look for: an edit that leaves front tokens at the beginning and back tokens at the end, and
// puts new between them.
type target struct {
	front, back int
	new         []token
	solid       int   // number of tokens in the corrected program, without parentheses and braces
	places      []int // the places that it corrects
	start, end  int   // range of bytes in the wrong program
	exact, like *Listed
}

// targetOf returns the target that corrects the given places.
func targetOf(wrong []token, places []place, which []int) *target {
	var some []place
	for _, i := range which {
		some = append(some, places[i])
	}
	fixed := with(wrong, some)
	t := &target{places: which, solid: solid(fixed)}
	t.front, t.back = trim(wrong, fixed)
	t.new = fixed[t.front : len(fixed)-t.back]
	t.start, t.end = bytesOf(wrong, t.front, len(wrong)-t.back)
	return t
}

// bytesOf returns the range of bytes of some tokens.
func bytesOf(ts []token, from, to int) (start, end int) {
	if from > 0 {
		start = ts[from-1].end
	}
	if end = start; to > from {
		end = ts[to-1].end
	} else if from < len(ts) {
		end = ts[from].start
	}
	return start, max(start, end)
}

// near is the distance in bytes up to which an edit may still be a given correction: an edit may rewrite more of the
// text than differs in tokens.
const near = 200

// explain finds for each target the cheapest edit that equals it, and the cheapest that equals it except for names and
// values.
func explain(f *source.File, wrong []token, edits []Listed, targets []*target) {
	var b bracer
	for i := range edits {
		e := &edits[i]
		start, end := extent(f, e)
		if start > end {
			continue
		}
		n := 0
		var edited []token
		front, back := 0, 0
		for _, t := range targets {
			if t.exact != nil || start > t.end+near || end < t.start-near {
				continue
			}
			if n == 0 {
				texts, ok := textedit.Apply(e.Edit)
				if !ok {
					break
				}
				n = b.read(texts[f.Name])
			}
			if n != t.solid {
				continue
			}
			if edited == nil {
				edited = b.finish()
				front, back = trim(wrong, edited)
			}
			if front != t.front || back != t.back || len(edited)-front-back != len(t.new) {
				continue
			}
			same, like := true, true
			for k, x := range edited[front : len(edited)-back] {
				same = same && x.text == t.new[k].text
				like = like && class(x.text) == class(t.new[k].text)
			}
			if same {
				t.exact = e
			}
			if like && t.like == nil {
				t.like = e
			}
		}
	}
}

// extent returns the range in which an edit changes a file; start > end if it changes another file.
func extent(f *source.File, e *Listed) (start, end int) {
	start = len(f.Text)
	for _, h := range e.Halves() {
		for _, c := range h.Changes {
			if c.File != f {
				return 1, 0
			}
			start, end = min(start, c.Start), max(end, c.End)
		}
	}
	return start, end
}
