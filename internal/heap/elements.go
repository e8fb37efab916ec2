package heap

import (
	"fmt"

	"gulo/internal/ctype"
)

// This file makes cells of arrays: of the first elements, and of those behind them that lead somewhere.

// elements makes cells of the elements of an array.
func (b *grapher) elements(out *[]Cell, key, field string, a ctype.Word, t *ctype.Type) {
	element := func(out *[]Cell, i int64) {
		sub := fmt.Sprintf("[%d]", i)
		b.cellsOf(out, key+sub, field+sub, a+ctype.Word(i*t.Elem.Size), t.Elem)
	}
	first, at, numbers := int64(maxElems), []int64(nil), []place(nil)
	if t.Len > first {
		numbers = taggedIn(t.Elem, b.generic, 0, nil)
		if at = pointersIn(t.Elem, 0, nil); len(at) > 0 {
			first = maxPointers
		}
	}
	for i := range min(t.Len, first) {
		element(out, i)
	}
	if t.Len <= first || len(*out) == 0 {
		return
	}
	if len(at) == 0 && len(numbers) == 0 {
		(*out)[len(*out)-1].Rest.More += t.Len - first
		return
	}
	var rest Rest
	made := 0
	for i := first; i < t.Len; i++ {
		switch from := a + ctype.Word(i*t.Elem.Size); {
		case !b.leading(from, at) && !b.holdsTagged(from, numbers):
			if len(numbers) > 0 {
				rest.More++ // it is a number
			} else {
				rest.Blank++
			}
		case made < maxLeading:
			element(out, i)
			made++
		default:
			var unseen []Cell
			element(&unseen, i)
			rest.More++
		}
	}
	last := &(*out)[len(*out)-1].Rest
	last.Blank, last.More = last.Blank+rest.Blank, last.More+rest.More
}

// leading reports whether one of the pointers at some distances from an address is known and not null.
func (b *grapher) leading(a ctype.Word, at []int64) bool {
	o := b.im.Find(a)
	if o == nil {
		return false
	}
	for _, off := range at {
		p := a + ctype.Word(off)
		if p+8 > o.End() {
			continue
		}
		if ctype.Load(ctype.ULongT, o.Data[p-o.Addr:]) != 0 && b.im.Known(p, 8) {
			return true
		}
	}
	return false
}

// pointersIn lists where in a type, which begins at off, its pointers are.
func pointersIn(t *ctype.Type, off int64, out []int64) []int64 {
	switch {
	case t.Kind == ctype.Pointer:
		return append(out, off)
	case t.Private():
	case t.IsAggregate():
		for i := range t.Fields {
			if f := &t.Fields[i]; f.BitLen == 0 {
				out = pointersIn(f.Type, off+f.Offset, out)
			}
		}
	case t.Kind == ctype.Array:
		for i := range min(t.Len, maxElems) {
			out = pointersIn(t.Elem, off+i*t.Elem.Size, out)
		}
	}
	return out
}
