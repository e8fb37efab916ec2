package schema

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/process"
	"gulo/internal/source"
)

// This file makes schemata for the abstract machine: what is drawn of a heap can only be
// compared there. They are the same edits, each behind its number; what chooses between them is
// plain C, and every place of the text knows where it stands in the program.

// Names of the variables that choose an edit of a woven program, or two.
const (
	FirstChosen  = "gulo_g"
	SecondChosen = "gulo_h"

	// Marks is bytes by number: what a place's first edit has is 1 where no edit is in force and
	// the place is executed.
	Marks = "gulo_seen"
)

// Woven is a program with its edits in one text.
type Woven struct {
	Files   []*source.File // with the program's names
	Choices []Choice       // cheapest first

	kept   map[string][]piece
	places []int
	words  *words
}

// Choice is an edit of a woven program: FirstChosen and SecondChosen have these values when it
// is in force.
type Choice struct {
	*Edit
	First, Second int
}

// piece is text that a woven file has from a program's.
type piece struct{ at, start, n int }

// Origin returns where a range of a woven file begins in the program's; ok is false where
// nothing in it is the program's.
func (w *Woven) Origin(file string, start, end int) (at int, ok bool) {
	list := w.kept[file]
	i := sort.Search(len(list), func(i int) bool { return list[i].at+list[i].n > start })
	if i == len(list) || list[i].at >= end {
		return 0, false
	}
	return list[i].start + max(0, start-list[i].at), true
}

// Weave writes a program with at most most edits of some functions. Those that gcc refuses are
// left out.
func Weave(ctx context.Context, tree *cfront.Program, flags []string, funcs []*cfront.Func, free func(*source.File, int) bool, most int) (*Woven, error) {
	sp := newSpace(&Problem{Tree: tree, Free: free})
	sp.hints = &hints{}
	for _, f := range funcs {
		sp.function(f)
	}
	sp.prune(most)
	sites := slices.DeleteFunc(slices.Clone(sp.order), func(st *site) bool { return st.kind == initial })
	byID, err := checked(ctx, tree, flags, sites)
	if err != nil {
		return nil, err
	}
	w := &Woven{kept: map[string][]piece{}, words: wordsOf(tree)}
	first := true
	for _, f := range tree.Files {
		if !strings.HasSuffix(f.Name, ".c") {
			continue
		}
		text := fmt.Sprintf("int gulo_g, gulo_h, gulo_q; unsigned char gulo_seen[%d];\n", len(byID)+1)
		if !first {
			text = "extern int gulo_g, gulo_h, gulo_q; extern unsigned char gulo_seen[];\n"
		}
		first = false
		var spans []span
		for _, s := range sites {
			if s.file == f && len(s.edits) > 0 {
				x := s.plainSpan()
				x.open = asked.ReplaceAllString(x.open, "(gulo_q = !gulo_g ? gulo_seen[$1] = 1, 0 : gulo_g >= $1 && gulo_g < $2 ? gulo_g : gulo_h >= $1 && gulo_h < $2 ? gulo_h : 0)")
				spans = append(spans, x)
			}
		}
		out, _, kept := woven(f, text, spans)
		w.Files = append(w.Files, source.NewFile(f.Name, []byte(out)))
		w.kept[f.Name] = kept
	}
	w.places = []int{0}
	for _, e := range byID[1:] {
		w.places = append(w.places, e.site.edits[0].id)
		if e.Cost < alone { // half of an edit does not do what its text says
			w.Choices = append(w.Choices, Choice{e, e.id, 0})
		}
	}
	for _, m := range sp.moves {
		if g, h := findEdit(m.site, m.alt), findEdit(m.with.site, m.with.alt); g != nil && h != nil && g.id > 0 && h.id > 0 {
			w.Choices = append(w.Choices, Choice{m, g.id, h.id})
		}
	}
	sort.SliceStable(w.Choices, func(i, j int) bool { return w.Choices[i].Cost < w.Choices[j].Cost })
	return w, nil
}

// Oddity is what speaks against an edit in its text, in tenths of a cost.
func (w *Woven) Oddity(e *Edit) int { return w.words.oddity([]*Edit{e}) }

// Place is the number of the first edit where another stands.
func (w *Woven) Place(id int) int { return w.places[id] }

// plainSpan writes a place's alternatives each where it stands, and values one behind the other:
// what the machine's front end reads, and package woven finds again.
func (s *site) plainSpan() span {
	lo, hi := s.edits[0].id, s.edits[len(s.edits)-1].id+1
	out := span{start: s.start, end: s.end, rank: 2}
	var b strings.Builder
	switch s.kind {
	case gap:
		fmt.Fprintf(&b, " if (gulo_at(%d, %d)) {", lo, hi)
		for _, e := range s.edits {
			fmt.Fprintf(&b, "\nif (gulo_q == %d) { %s } else", e.id, e.alt)
			out.ids = append(out.ids, e.id)
		}
		b.WriteString("\n{} } ")
		out.open = b.String()
	case statement:
		fmt.Fprintf(&b, "{ int gulo_n = gulo_at(%d, %d); if (gulo_n) {", lo, hi)
		for _, e := range s.edits {
			fmt.Fprintf(&b, "\nif (gulo_n == %d) { %s } else", e.id, e.alt)
			out.ids = append(out.ids, e.id)
		}
		b.WriteString("\n{} } else { ")
		out.open, out.close = b.String(), " } }"
	case value:
		out.rank = 3
		s.conditional(&out, lo, hi)
	}
	return out
}

// asked is where a schema asks which alternative is in force.
var asked = regexp.MustCompile(`gulo_at\((\d+), (\d+)\)`)

// checked numbers edits and leaves out those that gcc refuses.
func checked(ctx context.Context, tree *cfront.Program, flags []string, sites []*site) ([]*Edit, error) {
	dir, err := process.TempDir("gulo-woven")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for round := 0; ; round++ {
		byID := number(sites)
		lines := map[string]map[int]int{}
		args := append([]string{"-fsyntax-only", "-w"}, flags...)
		for i, f := range tree.Files {
			if !strings.HasSuffix(f.Name, ".c") {
				continue
			}
			if abs, err := filepath.Abs(filepath.Dir(f.Name)); err == nil {
				args = append(args, "-I", abs)
			}
			name := fmt.Sprintf("%d_%s", i+1, filepath.Base(f.Name))
			var spans []span
			for _, s := range sites {
				if s.file == f && len(s.edits) > 0 {
					spans = append(spans, s.plainSpan())
				}
			}
			var text string
			text, lines[f.Name] = weave(f, spans)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				return nil, err
			}
			args = append(args, name)
		}
		err := native.GCC(ctx, dir, args...)
		var ce *native.CompileError
		if err == nil || !errors.As(err, &ce) {
			return byID, err
		}
		bad := culprits(tree, ce.Text, lines, byID)
		if len(bad) == 0 || round == compileRounds {
			return nil, err
		}
		for _, e := range bad {
			e.site.edits = slices.DeleteFunc(e.site.edits, func(x *Edit) bool { return x == e })
			e.id, e.refused = 0, true
		}
	}
}

// Shown says in words what an edit does, as edits of statements are described.
func (e *Edit) Shown() string {
	var out []string
	for _, x := range e.all() {
		st := x.site
		pos := st.file.Position(st.start)
		at := fmt.Sprintf("%s:%d: ", pos.File, pos.Line)
		alt := strings.Join(strings.Fields(x.alt), " ")
		was := original(st)
		switch {
		case st.kind == gap:
			before := strings.TrimRight(string(st.file.Text[:st.start]), " \t\r\n")
			p := st.file.Position(max(0, len(before)-1))
			line := strings.TrimSpace(st.file.Line(p.Line))
			out = append(out, fmt.Sprintf("%s:%d: insert %s after %s", p.File, p.Line, alt, line))
		case alt == "" || alt == Removed:
			out = append(out, at+"delete "+strings.TrimSuffix(was, ";"))
		default:
			out = append(out, at+strings.Join(strings.Fields(was), " ")+"  =>  "+alt)
		}
	}
	return strings.Join(out, "\n")
}

// Halves are the edits that a choice consists of: two of a move.
func (c *Choice) Halves() []*Edit { return c.Edit.all() }

// Fitted reports whether an edit puts a number in that fits any one example: another number that
// is not one more or less, or a number that something is combined with.
func (e *Edit) Fitted() bool {
	if e.site.kind != value {
		return false
	}
	was := original(e.site)
	a, err := strconv.ParseInt(strings.Trim(was, "() "), 0, 64)
	b, err2 := strconv.ParseInt(strings.Trim(e.alt, "() "), 0, 64)
	if err == nil && err2 == nil {
		return a != b+1 && a != b-1
	}
	return err != nil && numbers(e.alt) > numbers(was)
}

// numbers counts the numbers in a text but for 0 and 1, which count steps and ends.
func numbers(text string) (n int) {
	for _, t := range lexemes(text) {
		if isNumber(t.text) && t.text != "0" && t.text != "1" {
			n++
		}
	}
	return n
}

// Site is where an edit stands; start and end are equal between two statements.
func (e *Edit) Site() (f *source.File, start, end int) {
	return e.site.file, e.site.start, e.site.end
}

// Statement reports whether an edit changes a statement as a whole.
func (e *Edit) Statement() bool { return e.site.kind == statement }

// Deletes reports whether an edit takes a statement away.
func (e *Edit) Deletes() bool { return e.site.kind == statement && (e.alt == "" || e.alt == Removed) }
