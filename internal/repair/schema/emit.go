package schema

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file writes schemata: one text with the program and all its edits. Each edit has a number, and the harness
// chooses one when the program runs. The idea is that of mutant schemata (Untch, Offutt and Harrold, "Mutation analysis
// using mutant schemata", ISSTA 1993): thousands of programs for the price of one compilation.

// prologue declares what the harness defines. gulo_at returns which alternative of a place is chosen, or 0 for the
// original text; a place's alternatives have consecutive numbers. It also marks that the place is executed, under the
// number of its first alternative. It and gulo_step are macros since tcc calls inline functions: at a hundred places in
// a loop, calls took a third of a run. gulo_enter fills the variables of a called function, if the compiler does not do
// that.
const prologue = `#ifndef GULO_AT
#define GULO_AT
extern int gulo_g, gulo_h, gulo_q; extern long gulo_steps, gulo_limit; extern void gulo_over(void); extern unsigned char *gulo_seen, *gulo_on;
#define gulo_at(lo, hi) (gulo_on && !gulo_on[lo] ? 0 : gulo_chosen(lo, hi))
static inline int gulo_chosen(int lo, int hi) { if (gulo_seen) gulo_seen[lo] = 1; if (gulo_g >= lo && gulo_g < hi) return gulo_q = gulo_g; if (gulo_h >= lo && gulo_h < hi) return gulo_q = gulo_h; return gulo_q = 0; }
static int gulo_visit;
static inline int gulo_forced(int n, int lo, int v) { int k = n - lo, i; if (!n) return v; i = gulo_visit++; if (k < 3) return k < 2 ? k : !v; if (k < 11) return i == k - 3 ? !v : v; if (k < 14) return i >= k - 10 ? !v : v; return i < 3 && (0x7653 >> 4 * (k - 14) & 7) >> i & 1 ? !v : v; }
#define gulo_step() ((void)(++gulo_steps > gulo_limit && (gulo_over(), 0)))
#ifdef __TINYC__
extern void gulo_fill(void *);
#define gulo_enter() { char gulo_top; gulo_fill(&gulo_top); }
#else
#define gulo_enter()
#endif
#endif
`

// span is text inserted around a range of the original; if the range is empty, at a place.
type span struct {
	start, end  int
	rank        int // order among spans of the same range, the outer ones first
	open, close string
	ids         []int // edits of the lines of open, from its second line on
}

// weave writes spans into a file's text. lines gives, for each line of the result from 1, the number of the edit in it,
// or the negative number of a site's first edit for the line where its alternatives end.
func weave(tree *cfront.Program, f *source.File, spans []span) (out string, lines map[int]int) {
	if len(spans) == 0 && !tree.Compiled(f) { // the file may be included anywhere, even within a declaration
		return string(f.Text), nil
	}
	out, lines, _ = woven(f, prologue, spans)
	return out, lines
}

// woven is weave with another prologue. kept are the pieces of the original file in the result, in order.
func woven(f *source.File, prologue string, spans []span) (out string, lines map[int]int, kept []piece) {
	sort.SliceStable(spans, func(i, j int) bool {
		a, b := &spans[i], &spans[j]
		switch {
		case a.start != b.start:
			return a.start < b.start
		case (a.end == a.start) != (b.end == b.start):
			return a.end == a.start // what is inserted at a place precedes what begins there
		case a.end != b.end:
			return a.end > b.end
		}
		return a.rank < b.rank
	})
	var b strings.Builder
	lines = map[int]int{}
	line := 1
	write := func(s string) {
		b.WriteString(s)
		line += strings.Count(s, "\n")
	}
	open := func(s *span) {
		for i, l := range strings.SplitAfter(s.open, "\n") {
			if i > 0 && i-1 < len(s.ids) {
				lines[line] = s.ids[i-1]
			}
			write(l)
		}
	}
	write(prologue)
	text := unlined(f.Text)
	at := f.Mark() // nothing may precede this place
	keep := func(n int) {
		if n > at {
			kept = append(kept, piece{b.Len(), at, n - at})
			write(string(text[at:n]))
			at = n
		}
	}
	var stack []*span
	upTo := func(n int) {
		for len(stack) > 0 && stack[len(stack)-1].end <= n {
			s := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			keep(s.end)
			write(s.close)
		}
		keep(n)
	}
	for i := range spans {
		s := &spans[i]
		upTo(s.start)
		open(s)
		if s.end > s.start {
			stack = append(stack, s)
		}
	}
	upTo(len(f.Text))
	return b.String(), lines, kept
}

// lineDirective matches the beginning of a directive that sets the number of the next line.
var lineDirective = regexp.MustCompile(`(?m)^[ \t]*#(?:[ \t]*line\b|[ \t]*\d)`)

// unlined turns such directives into comments, so that gcc's errors have the line numbers of the file itself. The
// length stays the same.
func unlined(text []byte) []byte {
	list := lineDirective.FindAllIndex(text, -1)
	if list == nil {
		return text
	}
	text = slices.Clone(text)
	for _, at := range list {
		i := at[0] + bytes.IndexByte(text[at[0]:], '#')
		text[i], text[i+1] = '/', '/'
	}
	return text
}

// span writes a site's alternatives.
func (sh *sharing) span(s *textedit.Site) span {
	lo, hi := s.Edits[0].ID, s.Edits[len(s.Edits)-1].ID+1
	out := span{start: s.Start, end: s.End, rank: 2}
	if s.Forced {
		out.open, out.close = fmt.Sprintf("(gulo_forced(gulo_at(%d, %d), %d, (", lo, hi, lo), ") != 0))"
		if s.Kind == textedit.Statement {
			out.open, out.close = fmt.Sprintf("{ if (gulo_forced(gulo_at(%d, %d), %d, 1)) ", lo, hi, lo), " }"
		}
		return out
	}
	var b strings.Builder
	switch s.Kind {
	case textedit.Gap:
		fmt.Fprintf(&b, " if (gulo_at(%d, %d)) {", lo, hi)
		for _, e := range s.Edits {
			if sh.of[e] == nil {
				fmt.Fprintf(&b, "\nif (gulo_q == %d) { %s } else", e.ID, counted(e.Alt))
				out.ids = append(out.ids, e.ID)
			}
		}
		jumps, label := sh.jumps(s, "gulo_q")
		b.WriteString(jumps + "\n{} } " + label)
		out.open = b.String()
	case textedit.Statement:
		own := "" // a label before the original statement
		fmt.Fprintf(&b, "{ int gulo_n = gulo_at(%d, %d); if (gulo_n) {", lo, hi)
		for _, e := range s.Edits {
			if sh.of[e] != nil {
				continue
			}
			alt := counted(e.Alt)
			if c := sh.guards[e]; c != "" {
				alt = fmt.Sprintf("if (%s) goto gulo_o%d;", c, lo)
				own = fmt.Sprintf("gulo_o%d:; ", lo)
			}
			fmt.Fprintf(&b, "\nif (gulo_n == %d) { %s } else", e.ID, alt)
			out.ids = append(out.ids, e.ID)
		}
		jumps, label := sh.jumps(s, "gulo_n")
		b.WriteString(jumps + "\n{} } else { " + own)
		out.open, out.close = b.String(), " }"+label+"}"
	case textedit.Value:
		if out.rank = 3; allIntegers(s) {
			switched(s, &out, lo, hi)
			break
		}
		conditional(s, &out, lo, hi)
	}
	return out
}

// conditional writes alternative values as a chain of conditional expressions.
func conditional(s *textedit.Site, out *span, lo, hi int) {
	var b strings.Builder
	fmt.Fprintf(&b, "(gulo_at(%d, %d) ?", lo, hi)
	for _, e := range s.Edits {
		fmt.Fprintf(&b, "\ngulo_q == %d ? %s(%s) :", e.ID, cast(s, e.Alt), e.Alt)
		out.ids = append(out.ids, e.ID)
	}
	fmt.Fprintf(&b, "\n(%s) : (", s.Text())
	out.ids = append(out.ids, -lo) // the whole may be rejected although each part is valid
	out.open, out.close = b.String(), "))"
}

// allIntegers reports whether all alternatives of a value are cast to an integer type.
func allIntegers(s *textedit.Site) bool {
	return !slices.ContainsFunc(s.Edits, func(e *textedit.Edit) bool { return cast(s, e.Alt) == "" })
}

// switched chooses an integer value by a switch, which gcc compiles faster than a chain of conditional expressions.
func switched(s *textedit.Site, out *span, lo, hi int) {
	var b strings.Builder
	fmt.Fprintf(&b, "(gulo_at(%d, %d) ? __extension__ ({ %s gulo_v = 0; switch (gulo_q) {", lo, hi, s.Integer)
	for _, e := range s.Edits {
		fmt.Fprintf(&b, "\ncase %d: gulo_v = %s(%s); break;", e.ID, cast(s, e.Alt), e.Alt)
		out.ids = append(out.ids, e.ID)
	}
	b.WriteString("\n} gulo_v; }) : (")
	out.ids = append(out.ids, -lo)
	out.open, out.close = b.String(), "))"
}

// cast returns a cast that keeps an integer's type. Without it, one alternative of a wider or unsigned type would give
// that type to all of them, and then i >= 0 would always hold. Floating values are not cast.
func cast(s *textedit.Site, alt string) string {
	if s.Integer == "" || s.Integer == "unsigned long" || floating.MatchString(alt) {
		return ""
	}
	return "(" + s.Integer + ")"
}

var floating = regexp.MustCompile(`double|float|[0-9]\.|\.[0-9]`)

// steps returns spans that count loop iterations and calls in a file.
func steps(tree *cfront.Program, f *source.File) []span {
	var out []span
	body := func(s cfront.Stmt, enter string) {
		r := s.Range()
		if r.File != f {
			return
		}
		if b, ok := s.(*cfront.Block); ok && !b.Implicit && r.Start < len(f.Text) && f.Text[r.Start] == '{' {
			out = append(out, span{start: r.Start + 1, end: r.Start + 1, open: enter + " gulo_step(); "})
			return
		}
		if end := textedit.WholeEnd(f, r.End); end > r.Start {
			out = append(out, span{start: r.Start, end: end, rank: 1, open: "{" + enter + " gulo_step(); ", close: " }"})
		}
	}
	for _, fn := range cfront.Once(tree.Funcs) {
		if fn.Body == nil || fn.Body.Range().File != f {
			continue
		}
		if textedit.InMacro(fn.Body) {
			continue
		}
		body(fn.Body, " gulo_enter();")
		if v := textedit.Valueless(fn); v != "" { // a leftover register value is right by chance too often
			end := fn.Body.Range().End - 1
			out = append(out, span{start: end, end: end, rank: 9, open: " return " + v + "; "})
		}
		cfront.WalkStmt(fn.Body, func(s cfront.Stmt) {
			switch s := s.(type) {
			case *cfront.While:
				if written(s) {
					body(s.Body, "")
				}
			case *cfront.For:
				if written(s) {
					body(s.Body, "")
				}
			case *cfront.Jump:
				if r := s.Range(); r.File == f && strings.HasPrefix(r.Text(), "goto") {
					out = append(out, span{start: r.Start, end: r.Start, rank: 9, open: countedGoto})
				}
			}
		}, nil)
	}
	return out
}

// countedGoto precedes a goto, which may form a loop. Together they are one statement, which does not take an else.
const countedGoto = "while (gulo_step(), 1) "

// written reports whether a loop's text is in the file, not in a macro's expansion.
func written(s cfront.Stmt) bool {
	t := s.Range().Text()
	return strings.HasPrefix(t, "for") || strings.HasPrefix(t, "while") || strings.HasPrefix(t, "do")
}

// Counted writes the program's files without edits, but with loop iterations and calls counted, so that a run can be
// bounded.
func Counted(tree *cfront.Program) map[string]string {
	texts, _, _ := schemata(tree, nil, true)
	return texts
}

// lineOf is a line in a file of a schema.
type lineOf struct {
	file string
	line int
}

// errorsAt returns the edited lines in gcc's error messages. For an error in a macro's expansion gcc names the macro's
// own line, perhaps in a header, and in notes below it the lines where the macro is used; those lines are returned.
func errorsAt(text string, lines map[string]map[int]int) (out []lineOf) {
	inMacro := false
	for _, l := range strings.Split(text, "\n") {
		m, use := errorLine.FindStringSubmatch(l), false
		if m == nil {
			m = macroUse.FindStringSubmatch(l)
			use = m != nil
		}
		if m == nil || use && !inMacro {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		at := lineOf{m[1], n}
		edited := lines[at.file][at.line] != 0
		if inMacro = !edited; edited {
			out = append(out, at)
		}
	}
	return out
}

// macroUse matches gcc's note about the use of a macro whose text has an error.
var macroUse = regexp.MustCompile(`^([^:\n]+):(\d+):\d+: note: in (?:expansion|definition) of macro`)

var errorLine = regexp.MustCompile(`(?m)^([^:\n]+):(\d+):\d+: error:`)

// missing matches the linker's message about a function that it does not find.
var missing = regexp.MustCompile("undefined reference to [`']([A-Za-z_][A-Za-z_0-9]*)'")

// undeclared matches the message about an undeclared name, which gcc prints once for each function.
var undeclared = regexp.MustCompile(`(?m)^([^:\n]+):(\d+):\d+: error: ['‘](\w+)['’] undeclared`)

// unknown returns the edits of a function that use a name where it is not visible: more often than the text they
// replace, and without declaring it.
func unknown(tree *cfront.Program, fn *cfront.Func, name string, byID []*textedit.Edit) (out []*textedit.Edit) {
	times := func(s string) (n int) {
		for _, w := range textedit.NamedIn(s) {
			if w == name {
				n++
			}
		}
		return n
	}
	declares := regexp.MustCompile(`\b(\w+)[\s*]+` + name + `\s*(=[^=]|[;,[])`)
	for _, e := range byID {
		if e == nil || e.Func != fn || e.Site == nil || times(e.Alt) <= times(string(e.Site.File.Text[e.Site.Start:e.Site.End])) {
			continue
		}
		if m := declares.FindStringSubmatch(e.Alt); m != nil && m[1] != "return" && m[1] != "else" && m[1] != "case" {
			continue
		}
		// A name at file scope is undeclared for gcc only if a file that is included later declares it.
		if !slices.ContainsFunc(textedit.Visible(tree, fn, e.Site.File, e.Site.Start), func(v *cfront.Var) bool { return v.Name == name && v.Func != nil }) {
			out = append(out, e)
		}
	}
	return out
}

// culprits returns the edits that do not compile, by gcc's errors. If no single edit is to blame, these are all edits
// of a site that does not compile as a whole: for example, because one alternative points to a constant, and the result
// is written to. sh may be nil.
func culprits(tree *cfront.Program, text string, lines map[string]map[int]int, sh *sharing, byID []*textedit.Edit) []*textedit.Edit {
	var out []*textedit.Edit
	add := func(e *textedit.Edit) {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	var sites []*textedit.Site
	for _, at := range errorsAt(text, lines) {
		switch id := lines[at.file][at.line]; {
		case id > 0 && sh.with(byID[id]) != nil:
			for _, e := range sh.with(byID[id]).edits {
				add(e)
			}
		case id > 0:
			add(byID[id])
		case id < 0:
			sites = append(sites, byID[-id].Site)
		}
	}
	for _, m := range undeclared.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[2])
		if id := lines[m[1]][n]; id > 0 {
			for _, e := range unknown(tree, byID[id].Func, m[3], byID) {
				add(e)
			}
		}
	}
	for _, m := range missing.FindAllStringSubmatch(text, -1) { // calls of undefined functions; linker messages have no lines
		called := regexp.MustCompile(`\b` + m[1] + `\s*\(`)
		for _, e := range byID {
			if e != nil && called.MatchString(e.Alt) {
				add(e)
			}
		}
	}
	if len(out) == 0 {
		for _, st := range sites {
			for _, e := range st.Edits {
				add(e)
			}
		}
	}
	return out
}

// Insert is text to be inserted around a range of a program; if the range is empty, at a place.
type Insert struct {
	File       *source.File
	Start, End int
	Open       string
	Close      string
}

// Instrument writes a program with inserted text and with steps counted, as package native needs it.
func Instrument(tree *cfront.Program, ins []Insert) map[string]string {
	texts := map[string]string{}
	for _, f := range tree.Files {
		spans := steps(tree, f)
		for i, x := range ins {
			if x.File == f {
				spans = append(spans, span{start: x.Start, end: x.End, rank: 4 + i, open: x.Open, close: x.Close})
			}
		}
		texts[f.Name], _ = weave(tree, f, spans)
	}
	return texts
}
