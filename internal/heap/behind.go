package heap

import (
	"bytes"
	"fmt"

	"gulo/internal/ctype"
	"gulo/internal/plural"
)

// This file is what stands behind the head of a block whose struct ends in an array of pointers, where not all of it are
// such pointers: a program may allocate a struct without its array and put other bytes there.

// leastContrary is how many words that lead nowhere show that the rest of an array holds no pointers. Fewer may be a bug
// of the program, which is to be seen.
const leastContrary = 2

// own returns how many elements of the array of pointers at the end of a struct are pointers, judged by what they hold.
// The block has room for all elements.
func (b *grapher) own(t *ctype.Type, last *ctype.Field, o *Object, all int64) int64 {
	n := b.before(t, last, o, all)
	leading, contrary, text := int64(0), int64(0), false // behind the last one that leads somewhere
	from := int64(0)
	for i := range n {
		a := o.Addr + ctype.Word(last.Offset+8*i)
		w, ok := b.im.Load(a, last.Type.Elem)
		if !ok || w == 0 || !b.im.Known(a, 8) {
			continue
		}
		if b.made != nil {
			b.made.words = append(b.made.words, w)
		}
		switch v := b.im.Symbol(w, last.Type.Elem); {
		case v.Kind != Wild && v.Kind != ToText:
			leading, contrary, text = i+1, 0, false
		case contrary == 0:
			from = i
			fallthrough
		default:
			contrary++
			text = text || v.Kind == ToText
		}
	}
	if text || contrary >= leastContrary {
		return max(leading, from)
	}
	return n
}

// before returns how many elements stand before the first place in the array that another pointer of the struct says to
// be something else.
func (b *grapher) before(t *ctype.Type, last *ctype.Field, o *Object, all int64) int64 {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Type.Kind != ctype.Pointer || ctype.Same(f.Type.Elem, last.Type.Elem) || f.Type.Elem.Kind == ctype.Void || f.BitLen > 0 {
			continue
		}
		a := o.Addr + ctype.Word(f.Offset)
		w, ok := b.im.Load(a, f.Type)
		if ok && b.im.Known(a, 8) && w >= o.Addr+ctype.Word(last.Offset) && w < o.End() {
			all = min(all, (int64(w-o.Addr)-last.Offset)/8)
		}
	}
	return all
}

// hasPointers reports whether an array at the end of a struct is one of pointers to something else than characters.
func hasPointers(last *ctype.Field) bool {
	e := last.Type.Elem
	return e.Kind == ctype.Pointer && !character(e.Elem) && e.Elem.Kind != ctype.Void && e.Elem.Kind != ctype.Func
}

// onlyText reports whether an object holds a text from an offset on, and nothing else.
func (b *grapher) onlyText(o *Object, off int64) bool {
	if o.Data[off] == 0 || !b.isText(o, off) {
		return false
	}
	end := bytes.IndexByte(o.Data[off:], 0)
	return end < 0 || blank(o, off+int64(end))
}

// behind adds a cell for the bytes of a block from an offset on, where the pointers of the array at its end are over.
func (b *grapher) behind(n *NodeInfo, o *Object, off int64) {
	a, t := o.Addr+ctype.Word(off), ctype.ArrayOf(ctype.CharT, int64(len(o.Data))-off)
	c := Cell{Key: fmt.Sprintf("%s+%d", n.Name(), off), Field: fmt.Sprintf("+%d", off), Addr: a, Type: t}
	switch {
	case blank(o, off) || b.onlyText(o, off):
		c.Value = b.text(a, t)
	default:
		c.Value = Value{Kind: Opaque, Text: plural.N(t.Len, "byte")}
	}
	n.Cells = append(n.Cells, c)
}
