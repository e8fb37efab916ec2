package oracle

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file makes inputs whose strings fill their buffers exactly. A repair that reads or writes after the end of a
// string is not detected if the buffer has room, as in char word[16] = "banana".

// Tight returns states like one in which a buffer with a string ends where the string does. The buffer holds the
// string, its reverse, its first character or nothing. If an argument points to a string inside a larger object, such
// as a member of a struct, it points to a separate buffer instead. There are no such states if there is no such buffer.
func Tight(s *State) []*State {
	var out []*State
	for k := range s.Objects {
		o := &s.Objects[k]
		if text := textIn(o); text != nil && !s.leadsInto(k+1) {
			for _, t := range variants(text) {
				c := s.clone()
				c.Objects[k] = buffer(o.Type, t)
				c.Objects[k].Heap, c.Objects[k].Typed = o.Heap, o.Typed
				out = append(out, c)
			}
		}
	}
	for i, v := range s.Args {
		t, text := s.textAt(v)
		if text == nil {
			continue
		}
		for _, t1 := range variants(text) {
			c := s.clone()
			c.Objects = append(c.Objects, buffer(t, t1))
			c.Args[i] = Value{Object: len(c.Objects)}
			out = append(out, c)
		}
	}
	return out
}

// variants returns a string, its reverse, its first character and the empty string.
func variants(text []ctype.Word) [][]ctype.Word {
	back := slices.Clone(text)
	slices.Reverse(back)
	return [][]ctype.Word{text, back, text[:1], nil}
}

// buffer returns an object that holds just a string.
func buffer(t *ctype.Type, text []ctype.Word) Object {
	o := Object{Type: t, Count: int64(len(text)) + 1, Heap: true, Typed: true}
	for i, w := range append(slices.Clone(text), 0) {
		o.Cells = append(o.Cells, Cell{fmt.Sprintf("[%d]", i), Value{Word: w}})
	}
	if len(text) == 0 { // the path of a single element has no index
		o.Cells[0].Path = ""
	}
	return o
}

// textAt returns the type of characters and the string that a pointer leads to inside a larger object. It returns nil
// if there is none, or it is empty.
func (s *State) textAt(v Value) (*ctype.Type, []ctype.Word) {
	if v.Object == 0 || v.Whole || v.Byte > 0 {
		return nil, nil
	}
	o := &s.Objects[v.Object-1]
	if o.Type == nil || o.Count != 1 || !o.Type.IsAggregate() || len(scalars(o.Type, "", 0, nil)) != len(o.Cells) {
		return nil, nil
	}
	var text []ctype.Word
	var elem *ctype.Type
	at := v.Off
	for i, x := range scalars(o.Type, "", 0, nil) {
		switch w := o.Cells[i].Value; {
		case x.off < v.Off:
		case x.off != at || !x.typ.IsInteger() || x.typ.Size != 1 || w.Unset || w.Gone || w.Object > 0 || w.Name != "":
			return nil, nil
		case w.Word == 0:
			return elem, text
		default:
			text, elem = append(text, w.Word), x.typ
			at++
		}
	}
	return nil, nil
}

// textIn returns the string at the beginning of an object. It is nil if there is none, or it is empty.
func textIn(o *Object) []ctype.Word {
	if o.Type == nil || !o.Type.IsInteger() || o.Type.Size != 1 || o.Count < 2 || len(o.Cells) != int(o.Count) {
		return nil
	}
	var text []ctype.Word
	for _, c := range o.Cells {
		v := c.Value
		switch {
		case v.Unset || v.Gone || v.Object > 0 || v.Name != "":
			return nil
		case v.Word == 0:
			return text
		}
		text = append(text, v.Word)
	}
	return nil
}

// leadsInto reports whether a pointer leads into an object, after its first byte.
func (s *State) leadsInto(object int) bool {
	in := func(v Value) bool { return v.Object == object && v.Off > 0 }
	cells := func(list []Cell) bool { return slices.ContainsFunc(list, func(c Cell) bool { return in(c.Value) }) }
	if slices.ContainsFunc(s.Args, in) || slices.ContainsFunc(s.Objects, func(o Object) bool { return cells(o.Cells) }) {
		return true
	}
	for _, list := range s.Globals {
		if cells(list) {
			return true
		}
	}
	return false
}

// drawn removes, if on is set, the characters after the ends of strings in structs.
func (s *State) drawn(on bool) *State {
	if !on {
		return s
	}
	for i := range s.Objects {
		if o := &s.Objects[i]; o.Type != nil && o.Type.IsAggregate() {
			o.Cells = textsOnly(o.Cells, scalars(o.Type, "", 0, nil))
		}
	}
	return s
}

// textsOnly removes the characters after the end of each string: those that follow a zero in the same array.
func textsOnly(cells []Cell, types []scalar) []Cell {
	chars := map[string]bool{}
	for _, x := range types {
		chars[x.path] = x.typ == ctype.CharT || x.typ == ctype.PlainUCharT
	}
	var out []Cell
	over := "" // the array whose string has ended
	for _, c := range cells {
		array, element := c.Path, false
		if n := strings.LastIndexByte(c.Path, '['); n >= 0 && strings.HasSuffix(c.Path, "]") {
			array, element = c.Path[:n], true
		}
		if !element || !chars[c.Path] || array != over {
			over = ""
		}
		if over != "" {
			continue
		}
		out = append(out, c)
		if v := c.Value; element && chars[c.Path] && v.Word == 0 && v.Object == 0 && v.Name == "" && !v.Unset && !v.Gone {
			over = array
		}
	}
	return out
}
