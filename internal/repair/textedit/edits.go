package textedit

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file defines edits: the changes that they make to the text, and their places in a schema.

// Removed replaces a removed statement, so that the rest is valid C everywhere.
const Removed = ";/*-*/"

// Change replaces bytes of a file.
type Change struct {
	File       *source.File
	Start, End int
	Text       string
}

// Edit is a change of the program that a person would call one change.
type Edit struct {
	What    string // in a few words
	From    string // another program that has the text put in, in words; empty: none was asked
	Cost    int    // small for changes that people often need and that read well
	Listed  string // the file of this package that lists it, without .go; only where Config.Traced is set
	Func    *cfront.Func
	Changes []Change

	Refused   bool // gcc does not compile it; set by the caller that compiles
	Suggested bool // proposed by something outside this package
	uneven    bool // it changes only one of several operands that were alike
	braced    bool // it puts the only statement of an if or a loop into braces

	ID   int    // within a schema, set by the schema's maker; 0: none
	Site *Site  // the place that it changes
	Alt  string // the text that replaces the site's text
	With *Edit  // another edit that this one needs: the second half of a move
}

// Line returns the line of the first change, from 1.
func (e *Edit) Line() int { return e.Changes[0].File.Position(e.Changes[0].Start).Line }

// Halves returns the edits that this one consists of: itself, or the two halves of a move.
func (e *Edit) Halves() []*Edit {
	if e.With != nil {
		return []*Edit{e, e.With}
	}
	return []*Edit{e}
}

// Kind says what an alternative replaces at a place.
type Kind uint8

// The kinds of places.
const (
	Statement Kind = iota // a statement or another one in its place
	Value                 // an expression or another one of its type
	Gap                   // nothing, or an inserted statement
)

// Site is a place with alternatives.
type Site struct {
	Kind       Kind
	File       *source.File
	Start, End int // of the original text; equal for gaps
	Edits      []*Edit
	Func       *cfront.Func
	Integer    string // promoted type of an integer value; "" for others
	Forced     bool   // the edits have no text: each forces an outcome (see func Forced)
}

// Apply returns the new texts of the files that edits change. ok is false if two changes overlap.
func Apply(edits ...*Edit) (texts map[string]string, ok bool) {
	by := map[*source.File][]Change{}
	for _, e := range edits {
		for _, p := range e.Halves() {
			for _, c := range p.Changes {
				by[c.File] = append(by[c.File], c)
			}
		}
	}
	texts = map[string]string{}
	for f, cs := range by {
		sort.SliceStable(cs, func(i, j int) bool { return cs[i].Start < cs[j].Start })
		var b strings.Builder
		at := 0
		for _, c := range cs {
			if c.Start < at {
				return nil, false
			}
			b.Write(f.Text[at:c.Start])
			b.WriteString(f.Written(c.Text))
			at = c.End
		}
		b.Write(f.Text[at:])
		texts[f.Name] = b.String()
	}
	return texts, true
}

// deletion returns the change that removes a range. If nothing else stands on its lines, they go, too.
func deletion(f *source.File, start, end int) Change {
	if strings.HasSuffix(strings.TrimRight(string(f.Text[:start]), " \t\r\n"), ":") && strings.HasPrefix(strings.TrimLeft(string(f.Text[end:]), " \t\r\n"), "}") {
		return Change{f, start, end, ";"} // a label must label a statement
	}
	a, b := start, end
	for a > 0 && (f.Text[a-1] == ' ' || f.Text[a-1] == '\t') {
		a--
	}
	for b < len(f.Text) && (f.Text[b] == ' ' || f.Text[b] == '\t' || f.Text[b] == '\r') {
		b++
	}
	if (a == 0 || f.Text[a-1] == '\n') && b < len(f.Text) && f.Text[b] == '\n' {
		return Change{f, a, b + 1, ""}
	}
	return Change{f, start, end, ""}
}

// indented changes the indentation of a text's lines, except the first, from one prefix to another.
func indented(text, from, to string) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "" {
			lines[i] = ""
			continue
		}
		if rest, ok := strings.CutPrefix(lines[i], from); ok {
			lines[i] = to + rest
		} else {
			lines[i] = to + strings.TrimLeft(lines[i], " \t")
		}
	}
	return strings.Join(lines, "\n")
}

// Shown says in words what an edit does, one line for each half.
func (e *Edit) Shown() string {
	var out []string
	for _, x := range e.Halves() {
		st := x.Site
		pos := st.File.Position(st.Start)
		at := fmt.Sprintf("%s:%d: ", pos.File, pos.Line)
		alt := source.OneLine(x.Alt)
		was := st.Text()
		switch {
		case st.Kind == Gap:
			before := strings.TrimRight(string(st.File.Text[:st.Start]), " \t\r\n")
			p := st.File.Position(max(0, len(before)-1))
			line := strings.TrimSpace(st.File.Line(p.Line))
			out = append(out, fmt.Sprintf("%s:%d: insert %s after %s", p.File, p.Line, alt, line))
		case alt == "" || alt == Removed:
			out = append(out, at+"delete "+strings.TrimSuffix(source.OneLine(was), ";"))
		default:
			out = append(out, at+source.OneLine(was)+"  =>  "+alt)
		}
	}
	return strings.Join(out, "\n")
}

// Fitted reports whether an edit brings in a number that could be chosen to fit any single example: another constant
// that is not one more or one less, or an additional constant.
func (e *Edit) Fitted() bool {
	if e.Site.Kind != Value {
		return false
	}
	was := e.Site.Text()
	a, err := strconv.ParseInt(strings.Trim(was, "() "), 0, 64)
	b, err2 := strconv.ParseInt(strings.Trim(e.Alt, "() "), 0, 64)
	if err == nil && err2 == nil {
		return a != b+1 && a != b-1
	}
	return err != nil && numbers(e.Alt) > numbers(was)
}

// Statement reports whether an edit changes a statement as a whole.
func (e *Edit) Statement() bool { return e.Site.Kind == Statement }

// Deletes reports whether an edit deletes a statement.
func (e *Edit) Deletes() bool { return e.Site.Kind == Statement && (e.Alt == "" || e.Alt == Removed) }

// Text returns the original text of a place, on one line.
func (s *Site) Text() string {
	t, _ := OneLine(string(s.File.Text[s.Start:s.End]))
	return t
}

// Marked makes a site of each statement of functions, at most most of them, with one edit that replaces it by text.
func Marked(funcs []*cfront.Func, text string, most int) []*Site {
	var out []*Site
	var walk func(st cfront.Stmt, fn *cfront.Func)
	walk = func(st cfront.Stmt, fn *cfront.Func) {
		if st == nil {
			return
		}
		switch st := st.(type) {
		case *cfront.Block:
			for _, x := range st.List {
				walk(x, fn)
			}
			return
		case *cfront.Case:
			walk(st.Body, fn)
			return
		case *cfront.Label:
			walk(st.Body, fn)
			return
		case *cfront.Decl, *cfront.Empty:
			return
		}
		r := st.Range()
		if !r.Valid() || !standsAsWritten(st) || len(out) == most {
			return
		}
		if end := WholeEnd(r.File, r.End); !hasLabel(st) && end > r.Start {
			x := &Site{Kind: Statement, File: r.File, Start: r.Start, End: end, Func: fn}
			x.Edits = []*Edit{{Alt: text, Site: x}}
			out = append(out, x)
		}
		switch st := st.(type) {
		case *cfront.If:
			walk(st.Then, fn)
			walk(st.Else, fn)
		case *cfront.While:
			walk(st.Body, fn)
		case *cfront.For:
			walk(st.Body, fn)
		case *cfront.Switch:
			walk(st.Body, fn)
		}
	}
	for _, fn := range funcs {
		if fn.Body != nil && !InMacro(fn.Body) {
			walk(fn.Body, fn)
		}
	}
	return out
}

// Arithmetic reports whether an edit changes a computation, such as an operator or a constant, and not a condition as
// such.
func (e *Edit) Arithmetic() bool {
	switch e.What {
	case AnotherConstant, "another operator", "one step more", "one step less", "grouped in another way", "taken from a constant", "as elsewhere", "one operand", "one more":
		return true
	}
	return false
}
