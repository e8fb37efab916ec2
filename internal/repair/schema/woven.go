package schema

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/process"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file writes schemata for the abstract machine, because the memory of runs can be compared only there. They have
// the same edits, each with its number, but plain C chooses between them, and every place of the text is mapped to the
// original program.

// Chosen are the variables that choose edits of a woven program.
var Chosen = [...]string{"gulo_g", "gulo_h", "gulo_i"}

// Marks is an array of bytes: the element with the number of a place's first edit is 1 if the place was executed while
// the first variable chose none.
const Marks = "gulo_seen"

// asking is C code that determines which edit of a place is chosen.
const asking = "(gulo_q = gulo_g ? gulo_g >= $1 && gulo_g < $2 ? gulo_g : " + others + " : (gulo_seen[$1] = 1, " + others + "))"
const others = "gulo_h >= $1 && gulo_h < $2 ? gulo_h : gulo_i >= $1 && gulo_i < $2 ? gulo_i : 0"

// Woven is a program with its edits in one text.
type Woven struct {
	Texts   map[string]string // by the program's names of its files
	Choices []Choice          // the cheapest first

	kept   map[string][]piece
	places []int
	words  *textedit.Words
}

// Choice is an edit of a woven program. It is in force if two of the variables have these values.
type Choice struct {
	*textedit.Edit
	First, Second int
}

// piece is a piece of the original text in a woven file.
type piece struct{ at, start, n int }

// Holds reports whether a file is one of the program's.
func (w *Woven) Holds(file string) bool { return w.kept[file] != nil }

// Origin returns where a range of a woven file begins in the original file; ok is false if nothing in it is from there.
func (w *Woven) Origin(file string, start, end int) (at int, ok bool) {
	list := w.kept[file]
	i := sort.Search(len(list), func(i int) bool { return list[i].at+list[i].n > start })
	if i == len(list) || list[i].at >= end {
		return 0, false
	}
	return list[i].start + max(0, start-list[i].at), true
}

// Weave writes a program with at most most edits of some functions. Edits that gcc rejects are left out.
func Weave(ctx context.Context, tree *cfront.Program, opt cfront.Options, funcs []*cfront.Func, free func(*source.File, int) bool, suggested []textedit.Suggested, most int) (*Woven, error) {
	sp := textedit.New(textedit.Config{Tree: tree, Free: free})
	sp.Suggest(suggested)
	for _, f := range funcs {
		sp.Function(f)
	}
	sp.Prune(most)
	byID, err := checked(ctx, tree, opt, sp.Sites)
	if err != nil {
		return nil, err
	}
	w := &Woven{Texts: map[string]string{}, kept: map[string][]piece{}, words: textedit.WordsOf(tree)}
	declared := "#ifndef GULO_AT\n#define GULO_AT\nextern int gulo_g, gulo_h, gulo_i, gulo_q; extern unsigned char gulo_seen[];\n#endif\n"
	for i, f := range tree.Files {
		text := declared
		if i == 0 {
			text = fmt.Sprintf("#define GULO_AT\nint gulo_g, gulo_h, gulo_i, gulo_q; unsigned char gulo_seen[%d];\n", len(byID)+1)
		}
		var spans []span
		for _, s := range sp.Sites {
			if s.File == f && len(s.Edits) > 0 {
				x := plainSpan(s)
				x.open = asked.ReplaceAllString(x.open, asking)
				spans = append(spans, x)
			}
		}
		if len(spans) == 0 && !tree.Compiled(f) {
			text = "" // the file may be included anywhere
		}
		out, _, kept := woven(f, text, spans)
		w.Texts[f.Name], w.kept[f.Name] = out, kept
	}
	w.places = []int{0}
	for _, e := range byID[1:] {
		w.places = append(w.places, e.Site.Edits[0].ID)
		if e.Cost < textedit.HalfCost { // half of an edit has no meaning by itself
			w.Choices = append(w.Choices, Choice{e, e.ID, 0})
		}
	}
	for _, m := range sp.Moves {
		if g, h := findEdit(m.Site, m.Alt), findEdit(m.With.Site, m.With.Alt); g != nil && h != nil && g.ID > 0 && h.ID > 0 {
			w.Choices = append(w.Choices, Choice{m, g.ID, h.ID})
		}
	}
	sort.SliceStable(w.Choices, func(i, j int) bool { return w.Choices[i].Cost < w.Choices[j].Cost })
	return w, nil
}

// Oddity returns the penalty for an edit's text, in tenths of a cost.
func (w *Woven) Oddity(e *textedit.Edit) int { return w.words.Oddity([]*textedit.Edit{e}) }

// Place returns the number of the first edit at the same place as another.
func (w *Woven) Place(id int) int { return w.places[id] }

// plainSpan writes a place's alternatives in place, and values as a chain of conditional expressions, in a form that
// the machine's front end reads and package woven recognizes.
func plainSpan(s *textedit.Site) span {
	lo, hi := s.Edits[0].ID, s.Edits[len(s.Edits)-1].ID+1
	out := span{start: s.Start, end: s.End, rank: 2}
	var b strings.Builder
	switch s.Kind {
	case textedit.Gap:
		fmt.Fprintf(&b, " if (gulo_at(%d, %d)) {", lo, hi)
		for _, e := range s.Edits {
			fmt.Fprintf(&b, "\nif (gulo_q == %d) { %s } else", e.ID, e.Alt)
			out.ids = append(out.ids, e.ID)
		}
		b.WriteString("\n{} } ")
		out.open = b.String()
	case textedit.Statement:
		fmt.Fprintf(&b, "{ int gulo_n = gulo_at(%d, %d); if (gulo_n) {", lo, hi)
		for _, e := range s.Edits {
			fmt.Fprintf(&b, "\nif (gulo_n == %d) { %s } else", e.ID, e.Alt)
			out.ids = append(out.ids, e.ID)
		}
		b.WriteString("\n{} } else { ")
		out.open, out.close = b.String(), " } }"
	case textedit.Value:
		out.rank = 3
		conditional(s, &out, lo, hi)
	}
	return out
}

// asked matches where a schema determines which alternative is chosen.
var asked = regexp.MustCompile(`gulo_at\((\d+), (\d+)\)`)

// checked numbers edits and leaves out those that gcc rejects.
func checked(ctx context.Context, tree *cfront.Program, opt cfront.Options, sites []*textedit.Site) ([]*textedit.Edit, error) {
	for round := 0; ; round++ {
		byID := number(sites)
		texts, lines := map[string]string{}, map[string]map[int]int{}
		for _, f := range tree.Files {
			var spans []span
			for _, s := range sites {
				if s.File == f && len(s.Edits) > 0 {
					spans = append(spans, plainSpan(s))
				}
			}
			texts[f.Name], lines[f.Name] = weave(tree, f, spans)
		}
		err := accepted(ctx, tree, opt, texts)
		var ce *native.CompileError
		if err == nil || !errors.As(err, &ce) {
			return byID, err
		}
		bad := culprits(tree, ce.Text, lines, nil, byID)
		if len(bad) == 0 || round == compileRounds {
			return nil, err
		}
		for _, e := range bad {
			e.Site.Edits = slices.DeleteFunc(e.Site.Edits, func(x *textedit.Edit) bool { return x == e })
			e.ID, e.Refused = 0, true
		}
	}
}

// accepted asks gcc whether it accepts a program with changed texts.
func accepted(ctx context.Context, tree *cfront.Program, opt cfront.Options, texts map[string]string) error {
	dir, err := process.TempDir("gulo-woven")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return native.Compile(ctx, dir, tree.Units(), opt, texts, "-fsyntax-only")
}
