package heap

import (
	"slices"
	"sort"

	"gulo/internal/ctype"
)

// This file is the objects of an image in order, in a list that is not changed once it is made:
// lists of one film share the parts in which they have the same objects, so that the next image
// costs what has changed.

// objects is a list of objects in order. The zero list is empty.
type objects struct {
	parts [][]*Object // none is empty
	count int
}

// objectsOfPart is how many objects a part is made of; it may grow to twice as many.
const objectsOfPart = 256

// listOf makes a list of objects that are in order.
func listOf(all []*Object) *objects {
	l := &objects{count: len(all)}
	for part := range slices.Chunk(all, objectsOfPart) {
		l.parts = append(l.parts, slices.Clone(part))
	}
	return l
}

// flat returns the objects of a list.
func (l *objects) flat() []*Object {
	out := make([]*Object, 0, l.count)
	for _, p := range l.parts {
		out = append(out, p...)
	}
	return out
}

// replaced returns a list that has another object in the place of one; nil where that is not found.
func (l *objects) replaced(o, by *Object) *objects {
	i := l.part(o)
	if i >= len(l.parts) {
		return nil
	}
	k := slices.Index(l.parts[i], o)
	if k < 0 {
		return nil
	}
	out := &objects{parts: slices.Clone(l.parts), count: l.count}
	out.parts[i] = slices.Clone(l.parts[i])
	out.parts[i][k] = by
	return out
}

// part returns the number of the part in which an object is or would be.
func (l *objects) part(o *Object) int {
	i := sort.Search(len(l.parts), func(i int) bool { return before(o, l.parts[i][0]) })
	return max(i-1, 0)
}

// below returns the last object that begins at an address or below it; nil for none.
func (l *objects) below(a ctype.Word) *Object {
	i := sort.Search(len(l.parts), func(i int) bool { return l.parts[i][0].Addr > a })
	if i == 0 {
		return nil
	}
	p := l.parts[i-1]
	k := sort.Search(len(p), func(k int) bool { return p[k].Addr > a })
	return p[k-1]
}

// between calls yield for the objects of which bytes lie between two addresses. None lies over
// another.
func (l *objects) between(from, to ctype.Word, yield func(o *Object)) {
	i := sort.Search(len(l.parts), func(i int) bool { return l.parts[i][len(l.parts[i])-1].End() > from })
	for ; i < len(l.parts); i++ {
		for _, o := range l.parts[i] {
			if o.Addr >= to {
				return
			}
			if o.End() > from {
				yield(o)
			}
		}
	}
}

// with returns a list without some objects and with others, which are in order; overlap tells
// whether one of these lies over another object.
func (l *objects) with(out map[*Object]bool, in []*Object) (next *objects, overlap bool) {
	if len(out)+len(in) == 0 {
		return l, false
	}
	changed := map[int][]*Object{} // by part: what is put in
	for o := range out {
		i := l.part(o)
		for !slices.Contains(l.parts[i], o) { // objects that are equal in order
			i--
		}
		if _, ok := changed[i]; !ok {
			changed[i] = nil
		}
	}
	for _, o := range in {
		i := l.part(o)
		changed[i] = append(changed[i], o)
	}
	next = &objects{count: l.count - len(out) + len(in)}
	next.parts = make([][]*Object, 0, len(l.parts)+1)
	for i, p := range l.parts {
		more, ok := changed[i]
		if !ok {
			next.parts = append(next.parts, p)
			continue
		}
		next.add(mixed(p, out, more))
	}
	if len(l.parts) == 0 {
		next.add(in)
	}
	return next, next.overlaps(in)
}

// mixed returns a part without some objects and with others.
func mixed(part []*Object, out map[*Object]bool, in []*Object) []*Object {
	all := make([]*Object, 0, len(part)+len(in))
	for _, o := range part {
		for len(in) > 0 && before(in[0], o) {
			all, in = append(all, in[0]), in[1:]
		}
		if !out[o] {
			all = append(all, o)
		}
	}
	return append(all, in...)
}

// add adds a part, in pieces if it is large.
func (l *objects) add(part []*Object) {
	if len(part) > 0 && len(part) <= 2*objectsOfPart {
		l.parts = append(l.parts, part)
		return
	}
	for p := range slices.Chunk(part, objectsOfPart) {
		l.parts = append(l.parts, slices.Clone(p))
	}
}

// overlaps reports whether one of some objects of the list lies over a neighbour.
func (l *objects) overlaps(some []*Object) bool {
	for _, o := range some {
		i := l.part(o)
		p := l.parts[i]
		k := sort.Search(len(p), func(k int) bool { return !before(p[k], o) })
		for k < len(p) && p[k] != o {
			k++
		}
		var prev, next *Object
		switch {
		case k > 0:
			prev = p[k-1]
		case i > 0:
			prev = l.parts[i-1][len(l.parts[i-1])-1]
		}
		switch {
		case k+1 < len(p):
			next = p[k+1]
		case i+1 < len(l.parts):
			next = l.parts[i+1][0]
		}
		if prev != nil && prev.End() > o.Addr || next != nil && next.Addr < o.End() {
			return true
		}
	}
	return false
}

// All returns the objects of an image by address. Who only looks for a few uses Each, Find or
// Others.
func (im *Image) All() []*Object {
	if im.lent && im.flat == nil {
		im.flat = im.list.flat()
	}
	return im.flat
}

// Len returns the number of objects.
func (im *Image) Len() int {
	if im.lent {
		return im.list.count
	}
	return len(im.flat)
}

// LiveNodes returns the number of nodes that are not freed.
func (im *Image) LiveNodes() int {
	if im.film != nil {
		return im.alive
	}
	n := 0
	for _, o := range im.All() {
		if o.Kind == Node && o.Live {
			n++
		}
	}
	return n
}

// Each calls yield for the objects by address, until it returns false.
func (im *Image) Each(yield func(o *Object) bool) {
	if !im.lent || im.flat != nil {
		for _, o := range im.flat {
			if !yield(o) {
				return
			}
		}
		return
	}
	for _, p := range im.list.parts {
		for _, o := range p {
			if !yield(o) {
				return
			}
		}
	}
}

// Others is Each without the parts of the list that two images of a film share. It leaves out only
// objects that the other image has as they are, though not all of them.
func (im *Image) Others(other *Image) func(yield func(o *Object) bool) {
	if !im.lent || !other.lent {
		return im.Each
	}
	return func(yield func(o *Object) bool) {
		theirs := other.list.parts
		for _, p := range im.list.parts {
			if i := other.list.part(p[0]); i < len(theirs) && &theirs[i][0] == &p[0] && len(theirs[i]) == len(p) {
				continue
			}
			for _, o := range p {
				if !yield(o) {
					return
				}
			}
		}
	}
}
