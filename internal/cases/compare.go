package cases

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/source"

	"github.com/aymanbagabas/go-udiff"
)

// This file compares the texts of a program and its reference: which functions differ, and what differs outside of
// functions.

// Same reports whether the program and the reference have the same text, so that the entry cannot differ. main is
// ignored if it is not the entry.
func (t *Set) Same() bool {
	if t.Ref == nil || Declarations(t.Prog.Tree) != Declarations(t.Ref.Prog.Tree) {
		return false
	}
	for _, pair := range [][2]*lower.Program{{t.Prog, t.Ref.Prog}, {t.Ref.Prog, t.Prog}} {
		for _, f := range Written(pair[0]) {
			if f.Name == "main" && t.Entry != nil && t.Entry.Name != "main" {
				continue
			}
			if g := pair[1].Tree.Func(f.Name); g == nil || Text(f) != Text(g) {
				return false
			}
		}
	}
	return true
}

// Declarations returns the text of a program without its functions, comments and layout.
func Declarations(p *cfront.Program) string {
	var b strings.Builder
	for _, f := range p.Files {
		if strings.HasPrefix(f.Name, "@") {
			continue
		}
		text := []byte(string(f.Text))
		for _, fn := range p.Funcs {
			if fn.Whole.Valid() && fn.Whole.File == f {
				for i := fn.Whole.Start; i < fn.Whole.End; i++ {
					text[i] = ' '
				}
			}
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return Bare(b.String())
}

// Bare returns C text without comments and layout. Outside of literals, blanks and line ends become one blank, except
// that directives keep their own lines.
func Bare(s string) string {
	s = uncommented(s)
	var b strings.Builder
	directive, gap, line := false, false, false // line: the line is not empty so far
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\' && strings.HasPrefix(s[i+1:], "\n"):
			gap = true
			i += 2
			continue
		case c == '\n' && directive:
			b.WriteByte('\n')
			directive, gap, line = false, false, false
			i++
			continue
		case c == '\n', c == ' ', c == '\t', c == '\r', c == '\f', c == '\v':
			gap, line = true, line && c != '\n'
			i++
			continue
		case c == '#' && !line:
			directive, gap = true, false
			b.WriteByte('\n')
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		n := 1
		if c == '"' || c == '\'' {
			n = literal(s[i:])
		}
		b.WriteString(s[i : i+n])
		gap, line, i = false, true, i+n
	}
	return b.String()
}

// literal returns the length of the literal at the start of s.
func literal(s string) int {
	k := 1
	for k < len(s) && s[k] != s[0] {
		if s[k] == '\\' {
			k++
		}
		k++
	}
	return min(k+1, len(s))
}

// uncommented returns C text without comments.
func uncommented(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch rest := s[i:]; {
		case strings.HasPrefix(rest, "/*"):
			if n := strings.Index(rest[2:], "*/"); n >= 0 {
				i += n + 4
			} else {
				i = len(s)
			}
			b.WriteByte(' ')
		case strings.HasPrefix(rest, "//"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				i += n
			} else {
				i = len(s)
			}
		case s[i] == '"' || s[i] == '\'':
			n := literal(s[i:])
			b.WriteString(s[i : i+n])
			i += n
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// Text returns a function without comments and layout.
func Text(f *cfront.Func) string { return Bare(f.Whole.Text()) }

// Alike reports whether a function surely does the same in two programs compiled with the same options: its text, the
// text of the functions that it may call, and all text outside of functions are equal. Text that uses __LINE__ and the
// like does not count as equal.
func Alike(p, q *cfront.Program, name string) bool {
	f, g := p.Func(name), q.Func(name)
	if f == nil || g == nil || f.Body == nil || g.Body == nil || p.Dated || q.Dated {
		return false
	}
	around := Declarations(p)
	if around != Declarations(q) || ownPlace.MatchString(around) {
		return false
	}
	a, b := comesTo(p, f), comesTo(q, g)
	if len(a) != len(b) {
		return false
	}
	for f := range a {
		g := q.Func(f.Name)
		if g == nil || !b[g] || p.Func(f.Name) != f || Text(f) != Text(g) || ownPlace.MatchString(f.Whole.Text()) {
			return false
		}
	}
	return true
}

// ownPlace matches macros that expand to a position or a counter.
var ownPlace = regexp.MustCompile(`\b__(?:LINE|FILE|COUNTER)__\b`)

// comesTo returns the functions that f may call, directly or indirectly. If one calls through a pointer, that is every
// function but main.
func comesTo(p *cfront.Program, f *cfront.Func) map[*cfront.Func]bool {
	out := cfront.Callees(f)
	for g := range out {
		if !throughPointer(g) {
			continue
		}
		for _, h := range p.Funcs {
			if h.Whole.Valid() && h.Name != "main" && !strings.HasPrefix(h.Whole.File.Name, "@") {
				out[h] = true
			}
		}
		break
	}
	return out
}

// throughPointer reports whether a function has a call through a pointer.
func throughPointer(f *cfront.Func) bool {
	found := false
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if c, ok := y.(*cfront.Call); ok {
				if _, direct := c.Fun.(*cfront.FuncRef); !direct {
					found = true
				}
			}
			return !found
		})
	})
	return found
}

// Written lists the functions of a program that are defined in its own files.
func Written(p *lower.Program) []*cfront.Func {
	var out []*cfront.Func
	for _, f := range p.Tree.Funcs {
		if f.Body != nil && f.Range.Valid() && !strings.HasPrefix(f.Range.File.Name, "@") {
			out = append(out, f)
		}
	}
	return out
}

// innermost returns the candidates that lead to every difference, without those that call another such candidate. If no
// candidate leads to every difference it returns all.
func innermost(cands []*cfront.Func, differs func(*cfront.Func) bool) []*cfront.Func {
	all := map[*cfront.Func]bool{}
	for _, f := range cands {
		for g := range cfront.Callees(f) {
			if g.Name != "main" && differs(g) {
				all[g] = true
			}
		}
	}
	covers := func(f *cfront.Func) bool {
		in := cfront.Callees(f)
		for g := range all {
			if !in[g] {
				return false
			}
		}
		return true
	}
	var tops []*cfront.Func
	for _, f := range cands {
		if covers(f) {
			tops = append(tops, f)
		}
	}
	if len(tops) == 0 {
		return cands
	}
	var out []*cfront.Func
	for _, f := range tops {
		inner := false
		for _, g := range tops {
			if g != f && cfront.Callees(f)[g] && !cfront.Callees(g)[f] {
				inner = true
			}
		}
		if !inner {
			out = append(out, f)
		}
	}
	return out
}

// Declared is a line outside of functions in which a program differs from its reference.
type Declared struct {
	At         source.Position
	Start, End int      // offsets in the program's file
	Before     string   // the program's line, without blanks around it
	Text       string   // the whole line of the reference
	names      []string // identifiers in the program's line
}

// DeclaredApart lists the lines outside of functions that differ in words from the reference's. It compares the first
// files only.
func DeclaredApart(own, ref *lower.Program) (out []Declared) {
	if len(own.Tree.Files) == 0 || len(ref.Tree.Files) == 0 {
		return nil
	}
	f, g := own.Tree.Files[0], ref.Tree.Files[0]
	before, after := string(f.Text), string(g.Text)
	if strings.Contains(before, "\r\n") && !strings.Contains(after, "\r") {
		after = strings.ReplaceAll(after, "\n", "\r\n")
	}
	for _, e := range udiff.Lines(before, after) {
		old := before[e.Start:e.End]
		a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(e.New, "\n")
		if len(a) != len(b) {
			continue
		}
		at := e.Start
		for i := range a {
			start := at
			at += len(a[i])
			if source.OneLine(a[i]) == source.OneLine(b[i]) || inFunction(own, f.Name, start) {
				continue
			}
			out = append(out, Declared{
				At: f.Position(start), Start: start, End: at, Before: strings.TrimSpace(a[i]), Text: b[i], names: identifiersOf(a[i]),
			})
		}
	}
	return out
}

// inFunction reports whether an offset belongs to a function's text.
func inFunction(p *lower.Program, file string, at int) bool {
	return slices.ContainsFunc(Written(p), func(f *cfront.Func) bool {
		return f.Whole.File.Name == file && f.Whole.Start <= at && at < f.Whole.End
	})
}

// identifiersOf lists the words of a line: identifiers, keywords and numbers.
func identifiersOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// using lists the functions other than main that use a name from a differing declaration and call no other function
// that does.
func (t *Set) using() []*cfront.Func {
	names := map[string]bool{}
	for _, d := range DeclaredApart(t.Prog, t.Ref.Prog) {
		for _, n := range d.names {
			names[n] = true
		}
	}
	speaks := func(f *cfront.Func) bool {
		return slices.ContainsFunc(identifiersOf(Text(f)), func(w string) bool { return names[w] && !common[w] })
	}
	var out []*cfront.Func
	for _, f := range Written(t.Prog) {
		if g := t.Ref.Prog.Tree.Func(f.Name); f.Name != "main" && g != nil && g.Body != nil && speaks(f) {
			out = append(out, f)
		}
	}
	return innermost(out, speaks)
}

// common are words of declarations that do not show who uses them.
var common = map[string]bool{
	"int": true, "char": true, "unsigned": true, "long": true, "short": true, "static": true, "const": true, "define": true, "struct": true,
	"double": true, "float": true, "enum": true, "typedef": true, "signed": true, "void": true, "bool": true, "union": true,
}

// Names returns the names of functions, sorted and separated by commas.
func Names(fs []*cfront.Func) string {
	var out []string
	for _, f := range fs {
		out = append(out, f.Name)
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}
