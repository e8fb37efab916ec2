// Package natvis reads files of views in the format of Visual Studio's debugger: how values of a type are summed up, and
// what is listed of them.
//
// Reference: "Create custom views of C++ objects in the debugger using the Natvis framework", learn.microsoft.com. Of it are
// understood Type (Name), AlternativeType, DisplayString, Expand, Item, Synthetic, ArrayItems (Size, ValuePointer),
// IndexListItems (Size, ValueNode), LinkedListItems (Size, HeadPointer, NextPointer, ValueNode) and TreeItems (Size,
// HeadPointer, LeftPointer, RightPointer, ValueNode), with Condition. What belongs to a view with a name (IncludeView) is
// left out, and a note says so. Everything else is refused where it stands: a view that is understood in part would show
// something else than its author says. Expressions are not looked at here.
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
	Others  []string  // types that are shown in the same way (AlternativeType)
	Display []Display // the first one whose condition holds is used
	Rows    []Row
}

// Note says what in a file has no effect.
type Note struct {
	At   At
	Text string
}

// Expr is an expression over the members of a type; Format is what stands behind its comma.
type Expr struct {
	Text, Format string
	At           At
}

// Display is a text that sums a value up.
type Display struct {
	Condition *Expr // nil: it always counts
	Parts     []Part
}

// Part is a text or, where that is not nil, the value of an expression.
type Part struct {
	Text string
	Expr *Expr
}

// Row is a line of its own, or the lines of several values.
type Row struct {
	Kind      Kind
	At        At
	Name      string // of an item
	Condition *Expr

	Value Expr  // of an item; of an array the pointer to its first element; of others what is shown of each
	Size  *Expr // how many values there are; nil for an item, and for a list or tree that ends at a null pointer

	Head              *Expr // of a list or tree
	Next, Left, Right *Expr // over the members of a node, like Value

	Display []Display // Synthetic
	Rows    []Row
}

// Kind says what a Row is.
type Kind uint8

const (
	Item Kind = iota
	Array
	Index // Value is over the index $i
	List
	Tree
	Synthetic
)

// element is an element of the file, with the places where it and its text begin.
type element struct {
	name     string
	attrs    map[string]string
	at, text At
	chars    string
	children []*element
}

// reader reads one file.
type reader struct {
	file  string
	notes []Note
}

func (r *reader) fail(at At, format string, args ...any) error {
	return &Error{r.file, at, fmt.Sprintf(format, args...)}
}

// Read reads a file of views. The notes say what in it has no effect; an *Error says what is not understood.
func Read(file string, text []byte) (out []Type, notes []Note, err error) {
	r := &reader{file: file}
	root, err := r.tree(text)
	if err != nil {
		return nil, nil, err
	}
	if err := r.only(root, []string{"xmlns"}, "Type"); err != nil {
		return nil, nil, err
	}
	for _, e := range root.children {
		t, err := r.typ(e)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, t)
	}
	return out, r.notes, nil
}

// counts drops the children that belong to a view with a name, since no view is chosen by name here.
func (r *reader) counts(e *element) {
	e.children = slices.DeleteFunc(e.children, func(c *element) bool {
		name, ok := c.attrs["IncludeView"]
		if ok {
			r.notes = append(r.notes, Note{c.at, fmt.Sprintf("%s belongs to the view %q alone (IncludeView): left out", c.name, name)})
		}
		if name, ok := c.attrs["ExcludeView"]; ok {
			r.notes = append(r.notes, Note{c.at, fmt.Sprintf("there is no view %q: ExcludeView does not count", name)})
			delete(c.attrs, "ExcludeView")
		}
		return ok
	})
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

// only returns an error if an element has attributes or children that are not understood in it.
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
	r.counts(e)
	if err := r.only(e, []string{"Name"}, "AlternativeType", "DisplayString", "Expand"); err != nil {
		return t, err
	}
	if t.Name, t.At = strings.TrimSpace(e.attrs["Name"]), e.at; t.Name == "" {
		return t, r.fail(e.at, "a Type without Name")
	}
	for _, c := range e.children {
		if c.name != "AlternativeType" {
			continue
		}
		if err := r.only(c, []string{"Name"}); err != nil {
			return t, err
		}
		name := strings.TrimSpace(c.attrs["Name"])
		if name == "" {
			return t, r.fail(c.at, "an AlternativeType without Name")
		}
		t.Others = append(t.Others, name)
	}
	t.Display, t.Rows, err = r.body(e)
	return t, err
}

// body reads the texts and rows of a type, or of a Synthetic.
func (r *reader) body(e *element) (texts []Display, rows []Row, err error) {
	for _, c := range e.children {
		switch c.name {
		case "DisplayString":
			s, err := r.display(c)
			if err != nil {
				return nil, nil, err
			}
			texts = append(texts, s)
		case "Expand":
			r.counts(c)
			if c.attrs["HideRawView"] == "true" {
				r.notes = append(r.notes, Note{c.at, "the members stay in the picture: HideRawView does not count"})
			}
			if err := r.only(c, []string{"HideRawView"}, "Item", "ArrayItems", "IndexListItems", "LinkedListItems", "TreeItems", "Synthetic"); err != nil {
				return nil, nil, err
			}
			for _, i := range c.children {
				row, err := r.row(i)
				if err != nil {
					return nil, nil, err
				}
				rows = append(rows, row)
			}
		}
	}
	return texts, rows, nil
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
	if row.At = e.at; e.name == "Item" {
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
	if e.name == "Synthetic" {
		r.counts(e)
		if err := r.only(e, []string{"Name", "Condition"}, "DisplayString", "Expand"); err != nil {
			return row, err
		}
		if row.Name = e.attrs["Name"]; row.Name == "" {
			return row, r.fail(e.at, "a Synthetic without Name")
		}
		row.Kind = Synthetic
		if row.Condition, err = r.condition(e); err == nil {
			row.Display, row.Rows, err = r.body(e)
		}
		return row, err
	}
	return r.values(e, row)
}

// parts are the elements that list several values, with the elements inside them; * marks those that may be missing.
var parts = map[string]struct {
	kind  Kind
	names []string
}{
	"ArrayItems":      {Array, []string{"Size", "ValuePointer"}},
	"IndexListItems":  {Index, []string{"Size", "ValueNode"}},
	"LinkedListItems": {List, []string{"*Size", "HeadPointer", "NextPointer", "ValueNode"}},
	"TreeItems":       {Tree, []string{"*Size", "HeadPointer", "LeftPointer", "RightPointer", "ValueNode"}},
}

// values reads an element that lists several values.
func (r *reader) values(e *element, row Row) (_ Row, err error) {
	p := parts[e.name]
	row.Kind = p.kind
	var names, needed []string
	for _, n := range p.names {
		name, optional := strings.CutPrefix(n, "*")
		if names = append(names, name); !optional {
			needed = append(needed, name)
		}
	}
	if err := r.only(e, []string{"Condition"}, names...); err != nil {
		return row, err
	}
	if row.Condition, err = r.condition(e); err != nil {
		return row, err
	}
	found := map[string]*Expr{}
	for _, c := range e.children {
		if err := r.only(c, nil); err != nil {
			return row, err
		}
		if found[c.name] != nil {
			return row, r.fail(c.at, "a second %s in %s", c.name, e.name)
		}
		x, err := r.expr(c, c.chars)
		if err != nil {
			return row, err
		}
		found[c.name] = &x
	}
	for _, name := range needed {
		if found[name] == nil {
			return row, r.fail(e.at, "%s takes %s", e.name, joined(needed))
		}
	}
	row.Size, row.Head, row.Next, row.Left, row.Right = found["Size"], found["HeadPointer"], found["NextPointer"], found["LeftPointer"], found["RightPointer"]
	if x := found["ValuePointer"]; x != nil {
		row.Value = *x
	} else {
		row.Value = *found["ValueNode"]
	}
	return row, nil
}

// joined writes names, each with its article.
func joined(names []string) string {
	text := "a " + names[0]
	for i, n := range names[1:] {
		if i == len(names)-2 {
			text += " and a " + n
		} else {
			text += ", a " + n
		}
	}
	return text
}

// expr separates an expression from its format, which follows the last comma outside of brackets and quotation marks.
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
