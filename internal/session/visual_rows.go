package session

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/natvis"
)

// This file shows the rows of files of views: members with names, the elements of arrays, and the values in lists and
// trees. Nodes of lists and trees are drawn as boxes like all others; the row with their values is one line.

// rows parses the rows of a type.
func (r *visualReader) rows(list []natvis.Row) (out []visualRow, err error) {
	for i := range list {
		row, err := r.row(&list[i])
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

func (r *visualReader) row(n *natvis.Row) (row visualRow, err error) {
	row.kind, row.name = n.Kind, n.Name
	if row.condition, err = r.condition(n.Condition); err != nil {
		return row, err
	}
	if n.Size != nil {
		if row.size, err = r.expr(n.Size); err != nil {
			return row, err
		}
		if !row.size.Type().IsInteger() {
			return row, r.fail(n.Size, "Size is of type %s, not an integer", row.size.Type())
		}
	}
	switch n.Kind {
	case natvis.Synthetic:
		if row.display, err = r.texts(n.Display); err == nil {
			row.rows, err = r.rows(n.Rows)
		}
		return row, err
	case natvis.Array:
		return row, r.array(n, &row)
	case natvis.List, natvis.Tree:
		return row, r.linked(n, &row)
	}
	r.indexed = n.Kind == natvis.Index
	defer func() { r.indexed = false }()
	x, err := r.shown(&n.Value)
	if err == nil {
		row.value = *x
	}
	return row, err
}

func (r *visualReader) array(n *natvis.Row, row *visualRow) (err error) {
	if row.value.x, err = r.expr(&n.Value); err != nil {
		return err
	}
	t := row.value.x.Type()
	if t.Kind != ctype.Pointer {
		return r.fail(&n.Value, "ValuePointer is of type %s, not a pointer", t)
	}
	if !t.Elem.IsScalar() && r.s.visualOf(r.all, t.Elem) == nil {
		return r.fail(&n.Value, "elements of type %s have no DisplayString", t.Elem)
	}
	row.value.format = n.Value.Format
	return r.format(&n.Value, n.Value.Format, t.Elem)
}

// linked parses a list or a tree.
func (r *visualReader) linked(n *natvis.Row, row *visualRow) (err error) {
	if row.head, err = r.expr(n.Head); err != nil {
		return err
	}
	t := row.head.Type()
	if t.Kind != ctype.Pointer || !t.Elem.IsAggregate() || t.Elem.Size == 0 {
		return r.fail(n.Head, "HeadPointer is of type %s, not a pointer to a struct", t)
	}
	row.node = &visual{t: t.Elem, members: map[*cfront.Var]int64{}}
	in := &visualReader{s: r.s, v: row.node, file: r.file, all: r.all}
	for _, p := range []struct {
		name string
		n    *natvis.Expr
		to   *cfront.Expr
	}{{"NextPointer", n.Next, &row.next}, {"LeftPointer", n.Left, &row.left}, {"RightPointer", n.Right, &row.right}} {
		if p.n == nil {
			continue
		}
		x, err := in.expr(p.n)
		if err != nil {
			return err
		}
		if u := x.Type(); u.Kind != ctype.Pointer || !ctype.Same(u.Elem, t.Elem) {
			return r.fail(p.n, "%s is of type %s, HeadPointer of type %s", p.name, u, t)
		}
		*p.to = x
	}
	x, err := in.shown(&n.Value)
	if err == nil {
		row.value = *x
	}
	return err
}

// rowNotes returns the lines of a value; prefix stands before their names.
func (s *drawing) rowNotes(v *visual, base ctype.Word, prefix string, rows []visualRow) (out []heap.Note) {
	for i := range rows {
		r := &rows[i]
		if holds, _ := s.holdsOf(v, base, r.condition); !holds {
			continue
		}
		name := prefix + r.name
		switch r.kind {
		case natvis.Item:
			out = append(out, heap.Note{Label: name + " ≡", Text: s.valueOf(v, base, &r.value, 0)})
		case natvis.Synthetic:
			if text := s.firstOf(v, base, r.display, 0); text != "" {
				out = append(out, heap.Note{Label: name + " ≡", Text: text})
			}
			out = append(out, s.rowNotes(v, base, name+".", r.rows)...)
		case natvis.Array, natvis.Index:
			out = append(out, s.elementsOf(v, base, prefix, r)...)
		default:
			out = append(out, heap.Note{Label: prefix + "items ≡", Text: s.linkedText(v, base, r)})
		}
	}
	return out
}

// number returns the value of an integer expression or a pointer; ok is false if it is not known.
func (m *visualMemory) number(x cfront.Expr) (w ctype.Word, ok bool) {
	w, err := eval.Value(m, x)
	return ctype.Wrap(x.Type(), w), err == nil && !m.unknown
}

// elementsOf returns a line for each of the first elements of an array.
func (s *drawing) elementsOf(v *visual, base ctype.Word, prefix string, r *visualRow) (out []heap.Note) {
	m := &visualMemory{Image: s.img, v: v, base: base}
	size, ok := m.number(r.size)
	var p ctype.Word
	if ok && r.kind == natvis.Array {
		p, ok = m.number(r.value.x)
	}
	if !ok {
		return []heap.Note{{Label: prefix + "[] ≡", Text: "?"}}
	}
	n := int64(size)
	for i := range min(n, mostElements) {
		note := heap.Note{Label: fmt.Sprintf("%s[%d] ≡", prefix, i)}
		if r.kind == natvis.Index {
			note.Text = s.indexed(v, base, &r.value, i)
		} else {
			t := r.value.x.Type().Elem
			note.Text = s.placeText(p+ctype.Word(i*t.Size), t, r.value.format, 0)
		}
		out = append(out, note)
	}
	if n > mostElements {
		out = append(out, heap.Note{Label: fmt.Sprintf("%s… %d more", prefix, n-mostElements)})
	}
	return out
}

// mostWalked bounds the nodes of a list or tree that are counted.
const mostWalked = 10_000

// walk is a traversal of a list or tree.
type walk struct {
	s     *drawing
	r     *visualRow
	most  int64 // bound on the nodes
	texts []string
	n     int64
	seen  map[ctype.Word]bool
	end   string // why the traversal broke off; "" if it did not
}

// visit counts a node of the list or tree; of the first nodes it also keeps the value as text. It returns false if the
// traversal broke off or has met its bound.
func (w *walk) visit(p ctype.Word) bool {
	if w.end != "" || w.n >= w.most {
		return false
	}
	if w.n++; w.n <= mostElements {
		w.texts = append(w.texts, w.s.valueOf(w.r.node, p, &w.r.value, 0))
	}
	return true
}

// enters reports whether to visit a node. It breaks off the traversal at a node that was visited before.
func (w *walk) enters(p ctype.Word) bool {
	if w.seen[p] && w.end == "" {
		w.end = "and on in a circle"
	}
	if w.end != "" || len(w.seen) >= mostWalked {
		return false
	}
	w.seen[p] = true
	return true
}

// follow returns a pointer in the node at p; ok is false if it is null or not known.
func (w *walk) follow(p ctype.Word, x cfront.Expr) (ctype.Word, bool) {
	m := &visualMemory{Image: w.s.img, v: w.r.node, base: p}
	to, ok := m.number(x)
	if !ok {
		w.end = "?"
	}
	return to, ok && to != 0
}

// tree visits the nodes of a tree in order: left subtree, node, right subtree.
func (w *walk) tree(p ctype.Word) {
	if !w.enters(p) {
		return
	}
	if l, ok := w.follow(p, w.r.left); ok {
		w.tree(l)
	}
	if w.end == "" && w.visit(p) {
		if r, ok := w.follow(p, w.r.right); ok {
			w.tree(r)
		}
	}
}

// linkedText lists the values in a list or tree.
func (s *drawing) linkedText(v *visual, base ctype.Word, r *visualRow) string {
	m := &visualMemory{Image: s.img, v: v, base: base}
	w := &walk{s: s, r: r, most: mostWalked, seen: map[ctype.Word]bool{}}
	if r.size != nil {
		n, ok := m.number(r.size)
		if !ok {
			return "?"
		}
		w.most = min(int64(n), mostWalked)
	}
	head, ok := m.number(r.head)
	switch {
	case !ok:
		return "?"
	case head != 0 && r.kind == natvis.Tree && w.most > 0:
		w.tree(head)
	case head != 0:
		for p, ok := head, true; ok && w.enters(p) && w.visit(p); {
			if p, ok = w.follow(p, r.next); p == head {
				break // a circular list ends here
			}
		}
	}
	out := fmt.Sprint(w.n)
	if w.n == mostWalked {
		out += " or more"
	}
	if len(w.texts) > 0 {
		out += ": " + strings.Join(w.texts, ", ")
	}
	if w.n > mostElements {
		out += fmt.Sprintf(", … %d more", w.n-mostElements)
	}
	if w.end != "" {
		out += ", " + w.end
	}
	return out
}

// indexed returns the text of an expression for $i = i.
func (s *drawing) indexed(v *visual, base ctype.Word, f *formatted, i int64) string {
	m := &visualMemory{Image: s.img, v: v, base: base, index: ctype.Word(i)}
	return s.textIn(m, f, 0)
}

// severalOf returns the text of the first elements that a pointer leads to.
func (s *drawing) severalOf(m *visualMemory, f *formatted, depth int) string {
	n, ok := m.number(f.count)
	p, known := m.number(f.x)
	if !ok || !known {
		return "?"
	}
	t := f.x.Type().Elem
	var texts []string
	for i := range min(int64(n), mostElements) {
		texts = append(texts, s.placeText(p+ctype.Word(i*t.Size), t, f.format, depth))
	}
	if more := int64(n) - mostElements; more > 0 {
		texts = append(texts, fmt.Sprintf("… %d more", more))
	}
	return "{" + strings.Join(texts, ", ") + "}"
}
