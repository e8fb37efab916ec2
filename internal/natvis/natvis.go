// Package natvis reads files of views in the format of Visual Studio's debugger: how values of a type are summed up, and
// what is listed of them.
//
// Reference: "Create custom views of C++ objects in the debugger using the Natvis framework", learn.microsoft.com. Of it are
// understood Type (Name), DisplayString (Condition), Expand, Item (Name, Condition) and ArrayItems (Condition, Size,
// ValuePointer). Everything else is refused where it stands: a view that is understood in part would show something else
// than its author says. Expressions are not looked at here.
package natvis

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// At is a place in a file, both numbers from 1; a column counts bytes.
type At struct{ Line, Column int }

// Error is what is not understood in a file.
type Error struct {
	File string
	At   At
	Text string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.At.Line, e.At.Column, e.Text)
}

// Type says how values of a type are shown.
type Type struct {
	Name    string
	At      At
	Display []Display // the first of them whose condition holds counts
	Rows    []Row
}

// Expr is an expression over the members of a type; Format is what stands behind its comma.
type Expr struct {
	Text, Format string
	At           At
}

// Display sums a value up.
type Display struct {
	Condition *Expr // nil: it always counts
	Parts     []Part
}

// Part is a text or, where that is not nil, the value of an expression.
type Part struct {
	Text string
	Expr *Expr
}

// Row is a line of its own, or of an array one for each element.
type Row struct {
	Name      string // of an item
	Condition *Expr
	Value     Expr  // of an array the pointer to its first element
	Size      *Expr // of an array; nil for an item
}

// element is an element of the file, with the places where it and its text begin.
type element struct {
	name     string
	attrs    map[string]string
	at, text At
	chars    string
	children []*element
}

// reader reads one file.
type reader struct{ file string }

func (r *reader) fail(at At, format string, args ...any) error {
	return &Error{r.file, at, fmt.Sprintf(format, args...)}
}

// Read reads a file of views.
func Read(file string, text []byte) ([]Type, error) {
	r := &reader{file}
	root, err := r.tree(text)
	if err != nil {
		return nil, err
	}
	if err := r.only(root, []string{"xmlns"}, "Type"); err != nil {
		return nil, err
	}
	var out []Type
	for _, e := range root.children {
		t, err := r.typ(e)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// tree reads the elements.
func (r *reader) tree(text []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	top := &element{}
	open := []*element{top}
	for {
		line, column := d.InputPos()
		at := At{line, column}
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			var bad *xml.SyntaxError
			if errors.As(err, &bad) {
				return nil, r.fail(at, "%s", bad.Msg)
			}
			return nil, r.fail(at, "%v", err)
		}
		e := open[len(open)-1]
		switch tok := tok.(type) {
		case xml.StartElement:
			child := &element{name: tok.Name.Local, attrs: map[string]string{}, at: at}
			for _, a := range tok.Attr {
				child.attrs[a.Name.Local] = a.Value
			}
			e.children, open = append(e.children, child), append(open, child)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 1 && len(bytes.TrimSpace(tok)) > 0 {
				return nil, r.fail(at, "text outside of elements")
			}
			if e.chars == "" {
				e.text = at
			}
			e.chars += string(tok)
		}
	}
	if len(top.children) != 1 || top.children[0].name != "AutoVisualizer" {
		return nil, r.fail(At{1, 1}, "a file of views has one element AutoVisualizer")
	}
	return top.children[0], nil
}

// only holds an element to the attributes and children that are understood in it.
func (r *reader) only(e *element, attrs []string, children ...string) error {
	for _, name := range sortedKeys(e.attrs) {
		if !slices.Contains(attrs, name) {
			return r.fail(e.at, "the attribute %s of %s is not understood", name, e.name)
		}
	}
	for _, c := range e.children {
		if !slices.Contains(children, c.name) {
			return r.fail(c.at, "%s is not understood in %s", c.name, e.name)
		}
	}
	if len(children) > 0 && strings.TrimSpace(e.chars) != "" {
		return r.fail(e.text, "text in %s, which holds elements", e.name)
	}
	return nil
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (r *reader) typ(e *element) (t Type, err error) {
	if err := r.only(e, []string{"Name"}, "DisplayString", "Expand"); err != nil {
		return t, err
	}
	if t.Name, t.At = strings.TrimSpace(e.attrs["Name"]), e.at; t.Name == "" {
		return t, r.fail(e.at, "a Type without Name")
	}
	for _, c := range e.children {
		if c.name == "DisplayString" {
			s, err := r.display(c)
			if err != nil {
				return t, err
			}
			t.Display = append(t.Display, s)
			continue
		}
		if err := r.only(c, nil, "Item", "ArrayItems"); err != nil {
			return t, err
		}
		for _, i := range c.children {
			row, err := r.row(i)
			if err != nil {
				return t, err
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

// display reads a text with expressions in braces; a brace itself stands twice.
func (r *reader) display(e *element) (s Display, err error) {
	if err := r.only(e, []string{"Condition"}); err != nil {
		return s, err
	}
	if s.Condition, err = r.condition(e); err != nil {
		return s, err
	}
	text, plain := e.chars, ""
	for text != "" {
		switch {
		case strings.HasPrefix(text, "{{"), strings.HasPrefix(text, "}}"):
			plain, text = plain+text[:1], text[2:]
		case text[0] == '{':
			end := strings.IndexByte(text, '}')
			if end < 0 {
				return s, r.fail(e.at, "{ without } in DisplayString")
			}
			x, err := r.expr(e, text[1:end])
			if err != nil {
				return s, err
			}
			s.Parts, plain = append(s.Parts, Part{Text: plain}, Part{Expr: &x}), ""
			text = text[end+1:]
		case text[0] == '}':
			return s, r.fail(e.at, "} without { in DisplayString")
		default:
			plain, text = plain+text[:1], text[1:]
		}
	}
	s.Parts = append(s.Parts, Part{Text: plain})
	return s, nil
}

func (r *reader) condition(e *element) (*Expr, error) {
	text, ok := e.attrs["Condition"]
	if !ok {
		return nil, nil
	}
	x, err := r.expr(e, text)
	if err == nil && x.Format != "" {
		err = r.fail(e.at, "a format behind a condition")
	}
	return &x, err
}

func (r *reader) row(e *element) (row Row, err error) {
	if e.name == "Item" {
		if err := r.only(e, []string{"Name", "Condition"}); err != nil {
			return row, err
		}
		if row.Name = e.attrs["Name"]; row.Name == "" {
			return row, r.fail(e.at, "an Item without Name")
		}
		if row.Condition, err = r.condition(e); err == nil {
			row.Value, err = r.expr(e, e.chars)
		}
		return row, err
	}
	if err := r.only(e, []string{"Condition"}, "Size", "ValuePointer"); err != nil {
		return row, err
	}
	if row.Condition, err = r.condition(e); err != nil {
		return row, err
	}
	found := map[string]bool{}
	for _, c := range e.children {
		if err := r.only(c, nil); err != nil {
			return row, err
		}
		if found[c.name] {
			return row, r.fail(c.at, "a second %s in ArrayItems", c.name)
		}
		found[c.name] = true
		x, err := r.expr(c, c.chars)
		if err != nil {
			return row, err
		}
		if c.name == "Size" {
			row.Size = &x
		} else {
			row.Value = x
		}
	}
	if !found["Size"] || !found["ValuePointer"] {
		return row, r.fail(e.at, "ArrayItems takes a Size and a ValuePointer")
	}
	return row, nil
}

// expr parts an expression from its format, which stands behind a comma outside of brackets and quotation marks.
func (r *reader) expr(e *element, text string) (Expr, error) {
	depth, quote, cut := 0, byte(0), -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == ',' && depth == 0:
			cut = i
		}
	}
	x := Expr{Text: strings.TrimSpace(text), At: e.at}
	if cut >= 0 {
		x.Text, x.Format = strings.TrimSpace(text[:cut]), strings.TrimSpace(text[cut+1:])
	}
	if x.Text == "" {
		return x, r.fail(e.at, "no expression in %s", e.name)
	}
	return x, nil
}
