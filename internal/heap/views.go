package heap

import (
	"maps"
	"slices"

	"gulo/internal/ctype"
)

// This file is views: what the user says that blocks hold. A view changes only how their bytes are read.

// Views are those of a session. They are not changed once images have them; the zero Views has none.
type Views struct {
	blocks map[int]*ctype.Type // by the blocks' numbers
	kinds  []KindView
}

// KindView says that all blocks that would be drawn as From are drawn as To.
type KindView struct{ From, To *ctype.Type }

// WithBlock returns the views with one of a block. An array type shows as many elements as it has, another type as many
// as the block has room for, as a pointer to it does. A type of nil ends the block's view.
func (v Views) WithBlock(seq int, t *ctype.Type) Views {
	v.blocks = maps.Clone(v.blocks)
	if v.blocks == nil {
		v.blocks = map[int]*ctype.Type{}
	}
	if v.blocks[seq] = t; t == nil {
		delete(v.blocks, seq)
	}
	return v
}

// WithKind returns the views with one of all blocks of a type. A type to of nil ends it.
func (v Views) WithKind(from, to *ctype.Type) Views {
	v.kinds = slices.DeleteFunc(slices.Clone(v.kinds), func(k KindView) bool { return ctype.Same(k.From, from) })
	if to != nil {
		v.kinds = append(v.kinds, KindView{from, to})
	}
	return v
}

// Block returns the view of a block; nil for none.
func (v Views) Block(seq int) *ctype.Type { return v.blocks[seq] }

// Blocks returns the numbers of the blocks that have a view of their own, in order.
func (v Views) Blocks() []int { return slices.Sorted(maps.Keys(v.blocks)) }

// Kinds returns the views of all blocks of a type, in the order in which they were made.
func (v Views) Kinds() []KindView { return v.kinds }

// Holds reports whether a block of size bytes has room for a type.
func Holds(size int64, t *ctype.Type) bool {
	return t.Size > 0 && size >= t.Size || cutShort(t, size)
}

// viewed returns what the user says that a block is; nil where there is no view of it, or no room for one.
func (im *Image) viewed(o *Object) *ctype.Type {
	if len(im.Views.blocks) == 0 || o.Kind != Node {
		return nil
	}
	if t := im.Views.blocks[o.Seq]; t != nil && Holds(int64(len(o.Data)), t) {
		return t
	}
	return nil
}

// instead returns the type as which a block is drawn that is a t by the pointers to it: t, if no view of the user's
// says otherwise.
func (im *Image) instead(t *ctype.Type, o *Object) *ctype.Type {
	for _, k := range im.Views.kinds {
		if o.Kind == Node && ctype.Same(k.From, t) && Holds(int64(len(o.Data)), k.To) {
			return k.To
		}
	}
	return t
}

// unfold returns the element and the length of the array that a view says a block is; 0 where no view does.
func (im *Image) unfold(o *Object, t *ctype.Type) (*ctype.Type, int64) {
	if t.Kind != ctype.Array || t.Len <= 0 {
		return nil, 0
	}
	if im.isView(o, t) {
		return t.Elem, t.Len
	}
	return nil, 0
}

// isView reports whether a view says that a block is a t.
func (im *Image) isView(o *Object, t *ctype.Type) bool {
	if im.viewed(o) == t {
		return true
	}
	for i := range im.Views.kinds {
		if im.Views.kinds[i].To == t {
			return o.Kind == Node
		}
	}
	return false
}

// view adds blocks that have a view if something leads to them but no pointer tells their type. It returns how many live
// blocks it has added, with those that they lead to.
func (b *grapher) view() (added int) {
	from := len(b.g.Nodes)
	for _, seq := range b.im.Views.Blocks() {
		for o := range b.im.Each {
			if o.Kind != Node || o.Seq != seq || !o.Live {
				continue
			}
			if t, e := b.im.viewed(o), b.entry(o); t != nil && e.met && e.typ == nil {
				b.reach(e, t)
			}
		}
	}
	b.follow()
	for _, n := range b.g.Nodes[from:] {
		if n.Live && n.Seq > 0 {
			added++
		}
	}
	return added
}
