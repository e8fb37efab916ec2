package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/natvis"
	"gulo/internal/source"
)

// This file implements files of views: what pictures and print say of values of a type besides their members. These
// texts are computed from the memory in the picture. They have no address, so they can be neither changed nor asserted.

// visual is how values of a type are shown.
type visual struct {
	t       *ctype.Type
	this    *cfront.Var
	index   *cfront.Var           // $i; nil if no expression has it
	members map[*cfront.Var]int64 // offsets of the members that expressions name
	display []display
	rows    []visualRow
}

// display is one text of a type. It is used if its condition holds.
type display struct {
	condition cfront.Expr // nil: always
	parts     []displayPart
}

type displayPart struct {
	text string
	x    *formatted // nil: text is shown
}

// formatted is an expression with its format: "", or one of formats.
type formatted struct {
	x      cfront.Expr
	count  cfront.Expr // how many values a pointer leads to; nil for the pointer itself
	format string
}

// visualRow is a natvis.Row with its expressions parsed.
type visualRow struct {
	kind      natvis.Kind
	name      string
	condition cfront.Expr
	value     formatted
	size      cfront.Expr // nil for none

	node                    *visual // of a list or tree: the nodes, in whose members value, next, left and right are evaluated
	head, next, left, right cfront.Expr

	display []display // Synthetic
	rows    []visualRow
}

// formats may follow an expression after a comma: text with or without quotation marks, decimal, hexadecimal, octal,
// binary, character, a pointer without its address (all are shown so), and a number of elements.
var formats = []string{"s", "sb", "d", "x", "h", "X", "H", "o", "b", "c", "na", "[COUNT]"}

// LoadViews reads a file of views, lets gdb execute a script of printers (.py), or reads types (.c, .h). What was read
// before stays. text names the types of the file that the program does not have. An error names the place in the file.
func (s *recorder) LoadViews(ctx context.Context, file string) (text string, err error) {
	switch filepath.Ext(file) {
	case ".py":
		return s.loadScript(file)
	case ".c", ".h":
		return s.loadTypes(ctx, file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", errors.New(source.Refused("the file of views", file, err, "a .natvis file, printers of gdb (.py), or a .c or .h file with types"))
	}
	list, notes, err := natvis.Read(file, data)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", file, n.At.Line, n.At.Column, n.Text)
	}
	for i := range list {
		for _, name := range list[i].Others {
			own := list[i]
			own.Name, own.Others = name, nil
			list = append(list, own)
		}
	}
	all := slices.Clone(s.visuals)
	var made []*visual
	for i := range list {
		t := s.namedAnyhow(list[i].Name)
		if t == nil {
			fmt.Fprintf(&b, "%s:%d:%d: no type %s in the program%s\n", file, list[i].At.Line, list[i].At.Column, list[i].Name, nearTypes(s.prog.Tree, list[i].Name))
			made = append(made, nil)
			continue
		}
		v := &visual{t: t, members: map[*cfront.Var]int64{}}
		all = slices.DeleteFunc(all, func(o *visual) bool { return ctype.Same(o.t, t) })
		all, made = append(all, v), append(made, v)
	}
	for i, v := range made {
		if v == nil {
			continue
		}
		r := &visualReader{s: &s.drawing, v: v, file: file, all: all}
		if err := r.read(&list[i]); err != nil {
			return "", err
		}
	}
	s.visuals = all
	return b.String(), nil
}

// namedAnyhow finds an aggregate by its name in a natvis file, where struct or union may be missing; nil for none.
func (s *drawing) namedAnyhow(name string) *ctype.Type {
	for _, word := range []string{"", "struct ", "union "} {
		if t := s.parseType(word + name); t != nil && t.IsAggregate() && t.Size > 0 {
			return t
		}
	}
	return nil
}

// visualReader parses what a file says of a type into a visual.
type visualReader struct {
	s    *drawing
	v    *visual
	file string
	all  []*visual

	indexed bool // $i may be used
}

// indexName stands for $i in the expressions that are parsed.
const indexName = "gulo_natvis_i"

func (r *visualReader) fail(x *natvis.Expr, format string, args ...any) error {
	return &natvis.Error{File: r.file, At: x.At, Text: fmt.Sprintf(format, args...)}
}

func (r *visualReader) read(t *natvis.Type) (err error) {
	if r.v.display, err = r.texts(t.Display); err == nil {
		r.v.rows, err = r.rows(t.Rows)
	}
	return err
}

// texts parses the texts of a type.
func (r *visualReader) texts(list []natvis.Display) (out []display, err error) {
	for _, d := range list {
		var own display
		if own.condition, err = r.condition(d.Condition); err != nil {
			return nil, err
		}
		for _, p := range d.Parts {
			part := displayPart{text: p.Text}
			if p.Expr != nil {
				if part.x, err = r.shown(p.Expr); err != nil {
					return nil, err
				}
			}
			own.parts = append(own.parts, part)
		}
		out = append(out, own)
	}
	return out, nil
}

func (r *visualReader) condition(x *natvis.Expr) (cfront.Expr, error) {
	if x == nil {
		return nil, nil
	}
	c, err := r.expr(x)
	if err == nil && !c.Type().IsScalar() {
		err = r.fail(x, "a condition of type %s", c.Type())
	}
	return c, err
}

// shown parses an expression whose value is shown.
func (r *visualReader) shown(n *natvis.Expr) (*formatted, error) {
	x, err := r.expr(n)
	if err != nil {
		return nil, err
	}
	if d, ok := x.(*cfront.Decay); ok && d.X.Type().IsText() {
		x = d.X
	}
	t, f := x.Type(), &formatted{x: x, format: n.Format}
	if inside, ok := strings.CutPrefix(n.Format, "["); ok && t.Kind == ctype.Pointer {
		count, rest, closed := strings.Cut(inside, "]")
		if !closed || strings.TrimSpace(count) == "" {
			return nil, r.fail(n, "the format %s has no count", n.Format)
		}
		if f.count, err = r.expr(&natvis.Expr{Text: count, At: n.At}); err != nil {
			return nil, err
		}
		if !f.count.Type().IsInteger() {
			return nil, r.fail(n, "the count %s is of type %s, not an integer", count, f.count.Type())
		}
		f.format, t = rest, t.Elem
	}
	if !t.IsScalar() && !t.IsText() && r.s.visualOf(r.all, t) == nil {
		return nil, r.fail(n, "%s is of type %s, which has no DisplayString", n.Text, t)
	}
	return f, r.format(n, f.format, t)
}

// format checks that a value of a type can be written in a format.
func (r *visualReader) format(n *natvis.Expr, format string, t *ctype.Type) error {
	ok := format == ""
	switch format {
	case "s", "sb":
		ok = t.IsText() || t.Kind == ctype.Pointer && t.Elem.IsInteger() && t.Elem.Size == 1
	case "d", "x", "h", "X", "H", "o", "b", "c":
		ok = t.IsInteger()
	case "na":
		ok = t.Kind == ctype.Pointer || t.IsText()
	case "":
	default:
		return r.fail(n, "the format %s is not understood; there are %s", format, strings.Join(formats, ", "))
	}
	if !ok {
		return r.fail(n, "the format %s does not fit %s, which is of type %s", format, n.Text, t)
	}
	return nil
}

// expr parses an expression over the members of the type, this, and the program's global variables.
func (r *visualReader) expr(n *natvis.Expr) (cfront.Expr, error) {
	names := map[string]*cfront.Var{}
	x, err := r.s.prog.Tree.ParseTyped(strings.ReplaceAll(n.Text, "$i", indexName), func(name string) *cfront.Var {
		if name == indexName && r.indexed {
			if r.v.index == nil {
				r.v.index = &cfront.Var{Name: "$i", Type: ctype.LongT, Storage: cfront.Local}
			}
			return r.v.index
		}
		if v := names[name]; v != nil {
			return v
		}
		if name == "this" {
			if r.v.this == nil {
				r.v.this = &cfront.Var{Name: name, Type: ctype.PointerTo(r.v.t), Storage: cfront.Local}
			}
			return r.v.this
		}
		if f, ok := r.v.t.Field(name); ok && f.BitLen == 0 {
			v := &cfront.Var{Name: name, Type: f.Type, Storage: cfront.Local}
			r.v.members[v], names[name] = f.Offset, v
			return v
		}
		for _, g := range r.s.prog.Tree.Globals {
			if g.Name == name && g.Func == nil {
				return g
			}
		}
		return nil
	})
	if err != nil {
		var bad *cfront.ExprError
		if f, ok := r.v.t.Field(n.Text); ok && f.BitLen > 0 {
			return nil, r.fail(n, "%s is a bit-field; write this->%s", n.Text, n.Text)
		}
		if errors.As(err, &bad) {
			return nil, r.fail(n, "%s in %q", bad.Message, n.Text)
		}
		return nil, r.fail(n, "%v", err)
	}
	if !cfront.Pure(x) {
		return nil, r.fail(n, "%q calls a function", n.Text)
	}
	return x, inPrivate(x)
}

// visualMemory is the memory of the picture, in which the members of one value are variables.
type visualMemory struct {
	*heap.Image
	v       *visual
	base    ctype.Word
	index   ctype.Word // $i
	unknown bool       // something was read that was never written
}

func (m *visualMemory) VarAddr(v *cfront.Var) (ctype.Word, bool) {
	if v == m.v.this {
		return nameCells, true
	}
	if v == m.v.index {
		return nameCells + 8, true
	}
	if off, ok := m.v.members[v]; ok {
		return m.base + ctype.Word(off), true
	}
	return m.Image.VarAddr(v)
}

func (m *visualMemory) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	switch a {
	case nameCells:
		return m.base, true
	case nameCells + 8:
		return m.index, true
	}
	m.unknown = m.unknown || m.Find(a) != nil && !m.Known(a, t.Size)
	return m.Image.Load(a, t)
}

// visualOf returns the visual of a type from a list; nil for none.
func (s *inferior) visualOf(list []*visual, t *ctype.Type) *visual {
	for _, v := range list {
		if ctype.Same(v.t, t) {
			return v
		}
	}
	return nil
}

// Bounds of what is shown by a file of views.
const (
	deepestVisual = 4  // values within values
	mostElements  = 10 // of an array
)

// annotate adds the texts from files of views to the nodes of a graph. A node that is an array gets the texts of its
// first elements.
func (s *drawing) annotate(g *heap.Graph) {
	if len(s.visuals) == 0 {
		return
	}
	for i, n := range g.Nodes {
		if n.Type == nil || !n.Live {
			continue
		}
		v := s.visualOf(s.visuals, n.Type)
		if v == nil {
			continue
		}
		own := *n
		if count := n.Elements(); count > 1 {
			for k := range min(count, mostElements) {
				if text := s.summary(v, n.Addr+ctype.Word(k*n.Type.Size), 0); text != "" {
					own.Notes = append(own.Notes, heap.Note{Label: fmt.Sprintf("[%d] ≡", k), Text: text})
				}
			}
		} else {
			own.Notes = s.notes(v, n.Addr)
		}
		g.Nodes[i] = &own
	}
}

// notes returns the lines that are shown for a value.
func (s *drawing) notes(v *visual, base ctype.Word) (out []heap.Note) {
	if text := s.summary(v, base, 0); text != "" {
		out = append(out, heap.Note{Label: "≡", Text: text})
	}
	return append(out, s.rowNotes(v, base, "", v.rows)...)
}

// printNotes prints what files of views and printers say of the value of an expression.
func (s *drawing) printNotes(n *names, x cfront.Expr) {
	v := s.visualOf(s.visuals, x.Type())
	if v == nil && len(s.scripts) == 0 {
		return
	}
	a, err := eval.Addr(n, x)
	if err != nil {
		return
	}
	if text := s.printedOf(a, x.Type()); text != "" {
		s.printf("  ≡ %s\n", text)
	}
	if v != nil {
		for _, note := range s.notes(v, a) {
			s.printf("  %s\n", strings.TrimSpace(note.Label+" "+note.Text))
		}
	}
}

// holdsOf reports whether a condition holds, and whether that is known.
func (s *drawing) holdsOf(v *visual, base ctype.Word, c cfront.Expr) (holds, known bool) {
	if c == nil {
		return true, true
	}
	m := &visualMemory{Image: s.img, v: v, base: base}
	w, err := eval.Value(m, c)
	if err != nil || m.unknown {
		return false, false
	}
	if c.Type().Kind == ctype.Float {
		return ctype.FloatOf(c.Type(), w) != 0, true
	}
	return ctype.Wrap(c.Type(), w) != 0, true
}

// summary returns the first text of a type whose condition holds; "?" if a condition before is unknown, "" if none
// holds.
func (s *drawing) summary(v *visual, base ctype.Word, depth int) string {
	return s.firstOf(v, base, v.display, depth)
}

func (s *drawing) firstOf(v *visual, base ctype.Word, list []display, depth int) string {
	for i := range list {
		d := &list[i]
		switch holds, known := s.holdsOf(v, base, d.condition); {
		case !known:
			return "?"
		case !holds:
			continue
		}
		var b strings.Builder
		for _, p := range d.parts {
			if b.WriteString(p.text); p.x != nil {
				b.WriteString(s.valueOf(v, base, p.x, depth))
			}
		}
		return b.String()
	}
	return ""
}

// valueOf returns the text of an expression; "?" if its value is not known or cannot be computed.
func (s *drawing) valueOf(v *visual, base ctype.Word, f *formatted, depth int) string {
	return s.textIn(&visualMemory{Image: s.img, v: v, base: base}, f, depth)
}

// textIn is valueOf with the memory of the value given.
func (s *drawing) textIn(m *visualMemory, f *formatted, depth int) string {
	t := f.x.Type()
	if f.count != nil {
		return s.severalOf(m, f, depth)
	}
	if !t.IsScalar() {
		a, err := eval.Addr(m, f.x)
		if err != nil || m.unknown {
			return "?"
		}
		return s.placeText(a, t, f.format, depth)
	}
	w, err := eval.Value(m, f.x)
	if err != nil || m.unknown {
		return "?"
	}
	return s.wordText(w, t, f.format)
}

// placeText returns the text of the value of type t at an address.
func (s *drawing) placeText(a ctype.Word, t *ctype.Type, format string, depth int) string {
	if t.IsText() {
		return s.wordText(a, ctype.PointerTo(t.Elem), format)
	}
	if v := s.visualOf(s.visuals, t); v != nil {
		if depth++; depth > deepestVisual {
			return "…"
		}
		return s.summary(v, a, depth)
	}
	w, ok := s.img.Load(a, t)
	if !ok || !s.img.Known(a, t.Size) {
		return "?"
	}
	return s.wordText(w, t, format)
}

// wordText writes a scalar in a format.
func (s *drawing) wordText(w ctype.Word, t *ctype.Type, format string) string {
	bits := w
	if t.Size < 8 {
		bits &= 1<<(8*t.Size) - 1
	}
	switch format {
	case "x", "h":
		return fmt.Sprintf("%#x", bits)
	case "X", "H":
		return fmt.Sprintf("%#X", bits)
	case "b":
		return fmt.Sprintf("%b", bits)
	case "c":
		return strconv.QuoteRune(rune(byte(bits)))
	case "o":
		return fmt.Sprintf("%#o", bits)
	case "d":
		if !t.Signed {
			return strconv.FormatUint(bits, 10)
		}
		return strconv.FormatInt(int64(ctype.Wrap(t, w)), 10)
	}
	if t.Kind != ctype.Pointer {
		return s.img.Symbol(w, t).Text
	}
	text := s.img.Chars(w, t.Elem)
	switch {
	case text == "" && s.img.Symbol(w, t).Kind == heap.Wild:
		return "→?!"
	case text == "":
		return s.img.Symbol(w, t).Text
	case format == "sb":
		if bare, err := strconv.Unquote(strings.TrimSuffix(text, "…")); err == nil {
			return bare
		}
	}
	return text
}
