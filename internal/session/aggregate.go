package session

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
)

// This file writes structs, unions and arrays as a whole, for print.

// maxPrinted bounds the elements of one array that print shows.
const maxPrinted = 100

// loads is memory that a value is read from.
type loads interface {
	Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool)
}

// own reports whether an address is in memory of functions that print has called.
func own(n loads, a ctype.Word) bool {
	w, ok := n.(*eval.World)
	return ok && w.Own(a)
}

// aggregate returns the value of a struct, union, array or wide expression, written like a C initializer:
//
//	{a = 1, name = "x", t = {1, 2}}
//
// Pointers have the names of the picture; memory that was never written is ?.
func (s *drawing) aggregate(n *names, x cfront.Expr) (string, error) {
	a, err := eval.Addr(n, x)
	if err != nil && x.Type().IsWide() {
		v, err := eval.Bytes(n, x)
		if err != nil {
			return "", err
		}
		if n.unwritten {
			return "?", nil
		}
		return heap.WideText(x.Type(), v), nil
	}
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := s.writeValue(&b, n, a, s.asAllocated(x, a)); err != nil {
		return "", err
	}
	return b.String(), nil
}

// asAllocated returns the type of the expression x, which is at address a. If the picture shows an array at the end of
// a struct in the length that its block was allocated with, the type has that length, too.
func (s *drawing) asAllocated(x cfront.Expr, a ctype.Word) *ctype.Type {
	t := x.Type()
	m, ok := cfront.Skip(x).(*cfront.Member)
	if ok && t.Kind == ctype.Array && t.Len <= 1 && isLast(m) {
		t = m.X.Type()
		if t.Kind == ctype.Pointer {
			t = t.Elem
		}
		a -= ctype.Word(m.Field.Offset)
	}
	if t.Kind != ctype.Struct || len(t.Fields) == 0 || s.img == nil || s.graph == nil {
		return x.Type()
	}
	o := s.img.Find(a)
	if o == nil || o.Addr != a || o.Kind != heap.Node {
		return x.Type()
	}
	last := t.Fields[len(t.Fields)-1]
	n := s.graph.Typed(o.Seq)
	if n == nil || !slices.ContainsFunc(n.Cells, func(c heap.Cell) bool { return strings.HasPrefix(c.Field, last.Name) }) {
		return x.Type()
	}
	long := heap.Lengthened(t, int64(len(o.Data)))
	switch {
	case long == nil || o.Round && last.Type.Len > 0: // the allocator may have rounded the size up
		return x.Type()
	case t == x.Type():
		return long
	}
	return long.Fields[len(long.Fields)-1].Type
}

func (s *drawing) writeValue(b *strings.Builder, n loads, a ctype.Word, t *ctype.Type) error {
	switch {
	case t.IsScalar():
		text, err := s.scalarText(n, a, t)
		b.WriteString(text)
		return err
	case t.IsWide():
		text, err := s.wideText(n, a, t)
		b.WriteString(text)
		return err
	case t.Private():
		b.WriteString(s.opaqueText(n, a, t))
		return nil
	case t.IsText():
		text, err := s.charactersText(n, a, t)
		b.WriteString(text)
		return err
	case t.Kind == ctype.Array:
		b.WriteByte('{')
		tagged := s.taggedIn(a, t)
		for i := int64(0); i < t.Len; i++ {
			if i > 0 {
				b.WriteString(", ")
			}
			if i == maxPrinted {
				fmt.Fprintf(b, "… %d more", t.Len-i)
				break
			}
			if text := tagged[a+ctype.Word(i*t.Elem.Size)]; text != "" {
				b.WriteString(text)
			} else if err := s.writeValue(b, n, a+ctype.Word(i*t.Elem.Size), t.Elem); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case !t.IsAggregate():
		return fmt.Errorf("values of type %s are not shown", t)
	}
	b.WriteByte('{')
	for i := range t.Fields {
		f := &t.Fields[i]
		if i > 0 {
			b.WriteString(", ")
		}
		if f.Name != "" {
			b.WriteString(f.Name + " = ")
		}
		var err error
		if f.Type.Kind != ctype.Pointer && s.pointsIn(n, a, t) {
			b.WriteByte('?') // part of an address, which differs from run to run
		} else if t, off, ok := f.Stored(); ok {
			err = s.writeValue(b, n, a+ctype.Word(off), t)
		} else if text, ok := s.addressText(n, a, f); ok {
			b.WriteString(text)
		} else {
			err = s.writeValue(b, n, a+ctype.Word(f.Offset), f.Type)
		}
		if err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// taggedIn returns the texts of the tagged pointers that an array of numbers holds, by the address of the element.
func (s *drawing) taggedIn(a ctype.Word, t *ctype.Type) map[ctype.Word]string {
	if !t.Elem.HoldsTagged() || s.graph == nil {
		return nil
	}
	out := map[ctype.Word]string{}
	for _, k := range s.graph.Keys() {
		if c, ok := s.graph.Cell(k); ok && c.Addr-a < ctype.Word(t.Size) && c.Type.HoldsTagged() && c.Value.Points() {
			out[c.Addr] = c.Value.Text
		}
	}
	return out
}

// wideText returns the text of the value at an address, of a type that does not fit into a word.
func (s *drawing) wideText(n loads, a ctype.Word, t *ctype.Type) (string, error) {
	if s.img.Find(a) != nil {
		return s.img.Wide(a, t).Text, nil
	}
	b, err := eval.BytesAt(a, t, func(a ctype.Word, t *ctype.Type) (ctype.Word, error) {
		w, ok := n.Load(a, t)
		if !ok {
			return 0, fmt.Errorf("its memory cannot be read")
		}
		return w, nil
	})
	if err != nil && own(n, a) {
		return "?", nil
	}
	if err != nil {
		return "", err
	}
	return heap.WideText(t, b), nil
}

// opaqueText is the text of a value whose members only the C library knows.
func (s *drawing) opaqueText(n loads, a ctype.Word, t *ctype.Type) string {
	for i := range ctype.Word(t.Size) {
		if _, ok := n.Load(a+i, ctype.UCharT); ok && (s.img.Find(a+i) == nil || s.img.Known(a+i, 1)) {
			return "opaque"
		}
	}
	return "?"
}

// inPrivate returns an error if x names a member of a type that only the C library knows, and nil otherwise.
func inPrivate(x cfront.Expr) (err error) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		m, ok := y.(*cfront.Member)
		if !ok {
			return err == nil
		}
		t := m.X.Type()
		if m.Arrow {
			t = t.Elem
		}
		if t.Private() {
			err = fmt.Errorf("what %s is made of is the C library's own", cfront.Text(m.X))
		}
		return err == nil
	})
	return err
}

// addressText returns the text of a member that is a number and holds an address; ok is false for other members.
func (s *drawing) addressText(n loads, a ctype.Word, f *ctype.Field) (string, bool) {
	at := a + ctype.Word(f.Offset)
	tagged := len(f.Leads) > 0 && f.Type.HoldsTagged()
	if !f.Address && !tagged || s.img.Find(at) != nil && !s.img.Known(at, f.Type.Size) {
		return "", false
	}
	w, ok := n.Load(at, f.Type)
	if v := s.img.Tagged(w, f.Type, f.Leads); tagged && (v.Points() || !f.Address) {
		return v.Text, ok
	}
	return s.img.Address(w, f.Type).Text, ok
}

// pointsIn reports whether a union now holds a pointer to an object of the picture.
func (s *drawing) pointsIn(n loads, a ctype.Word, t *ctype.Type) bool {
	if t.Kind != ctype.Union {
		return false
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Type.Kind == ctype.Pointer && (s.img.Known(a, f.Type.Size) || own(n, a)) {
			if w, ok := n.Load(a, f.Type); ok && s.img.Symbol(w, f.Type).Points() {
				return true
			}
		}
	}
	return false
}

// scalarText returns the text of the scalar at an address.
func (s *drawing) scalarText(n loads, a ctype.Word, t *ctype.Type) (string, error) {
	if s.img.Find(a) != nil && !s.img.Known(a, t.Size) {
		return "?", nil
	}
	w, ok := n.Load(a, t)
	if !ok && own(n, a) {
		return "?", nil
	}
	if !ok {
		return "", fmt.Errorf("its memory cannot be read")
	}
	return s.img.Symbol(w, t).Text, nil
}

// charactersText returns the array of characters at an address as a C string, up to its terminating zero.
func (s *drawing) charactersText(n loads, a ctype.Word, t *ctype.Type) (string, error) {
	var text []ctype.Word
	for i := range ctype.Word(min(t.Len, 200)) {
		at := a + i*ctype.Word(t.Elem.Size)
		if s.img.Find(at) != nil && (!s.img.Known(at, t.Elem.Size) || t.Elem.Size == 1 && s.img.HoldsAddress(at)) {
			if i == 0 {
				return "?", nil
			}
			break
		}
		w, ok := n.Load(at, t.Elem)
		if !ok && own(n, at) {
			if i == 0 {
				return "?", nil
			}
			break
		}
		if !ok {
			return "", fmt.Errorf("its memory cannot be read")
		}
		if w == 0 {
			break
		}
		text = append(text, w)
	}
	return ctype.Quote(text, t.Elem), nil
}
