package heap

import (
	"fmt"
	"slices"

	"gulo/internal/ctype"
)

// This file is numbers that hold pointers with a tag. The program's code tells which variables, members and elements may
// hold such (cfront.Program.MarkAddresses). Whether a number there does is told by where it leads. Without its tag it is
// the address of the beginning of a live block, or of a struct of static storage. Or it is the address of a place inside of
// a block or an array of static storage: then a type to which the program has such pointers must fit there and be aligned,
// and the tag must be one that the program uses. All others are plain numbers.

// The bits of a tag: the lowest three, which are zero in what malloc returns, or the upper 16, which
// are zero in every address of a process on x86-64 and AArch64.
const (
	lowTag  = 1<<3 - 1
	highTag = 48
)

// tagged returns what a number with a tag leads to, and the address that it holds; ok is false for a plain number.
// leads are the types of which the program has pointers there, none where it has no tagged pointers.
func (im *Image) tagged(w ctype.Word, t *ctype.Type, leads []*ctype.Type) (v Value, a ctype.Word, ok bool) {
	if len(leads) == 0 || !t.HoldsTagged() || w == 0 {
		return v, 0, false
	}
	high, low := uint16(w>>highTag), ctype.Word(0)
	if a = w & (1<<highTag - 1); high == 0 {
		low = a & lowTag
		a &^= lowTag
	}
	o := im.Find(a)
	if o == nil || !o.boxed() && !o.arena() {
		return v, 0, false
	}
	as := leads[0]
	if o.Addr != a || !o.boxed() {
		if as = im.inside(o, a, ctype.Word(high)<<highTag|low, leads); as == nil {
			return v, 0, false
		}
	}
	v = im.Symbol(a, ctype.PointerTo(as))
	v.Word, v.Off, v.Tag = w, v.Off+int64(low), high
	if o.Addr != a || !o.boxed() {
		v.As = as
	}
	switch {
	case low != 0:
		v.Text += fmt.Sprintf("+%d", low)
	case high != 0:
		v.Text += fmt.Sprintf(" (tag %#x)", high)
	}
	return v, a, true
}

// Untagged returns the address in a number, if without a tag it is that of the beginning of a live block, or of a struct of
// static storage. Whether the program has tagged pointers there is not asked.
func (im *Image) Untagged(w ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	_, a, ok := im.tagged(w, t, anything)
	return a, ok
}

// boxed reports whether an object is one that tagged pointers lead to.
func (o *Object) boxed() bool {
	switch o.Kind {
	case Node:
		return o.Live
	case Static:
		return o.Type != nil && o.Type.IsAggregate()
	case Global:
		return o.Var != nil && o.Var.Type.IsAggregate()
	}
	return false
}

// arena reports whether an object is an array of static storage, which a program may cut other things out of.
func (o *Object) arena() bool {
	return (o.Kind == Static || o.Kind == Global) && (o.Type != nil || o.Var != nil) && o.TypeOf().Kind == ctype.Array
}

// inside returns the one of some types that can stand at an address in an object, if the program gives pointers such a tag;
// nil for none.
func (im *Image) inside(o *Object, a, tag ctype.Word, leads []*ctype.Type) *ctype.Type {
	if !slices.Contains(im.Tags, tag) {
		return nil
	}
	for _, t := range leads {
		if t.IsAggregate() && t.Size > 0 && a%ctype.Word(t.Align) == 0 && tag&ctype.Word(t.Align-1) == tag&lowTag && a+ctype.Word(t.Size) <= o.End() {
			return t
		}
	}
	return nil
}

// Tagged is Symbol for a number that may hold a tagged pointer to one of some types: that is shown if it does.
func (im *Image) Tagged(w ctype.Word, t *ctype.Type, leads []*ctype.Type) Value {
	if v, _, ok := im.tagged(w, t, leads); ok {
		return v
	}
	return im.Symbol(w, t)
}

// tagged shows a number as the tagged pointer that it holds, and follows that.
func (b *grapher) tagged(w ctype.Word, t *ctype.Type) (Value, bool) {
	v, a, ok := b.im.tagged(w, t, b.generic)
	if !ok {
		return v, false
	}
	c := claim{at: b.at, w: a, types: b.generic}
	if v.As != nil {
		c.types = []*ctype.Type{v.As}
	}
	if v.Kind == ToNode && v.As != nil {
		c.to = b.im.Find(a)
	} else if v.Kind == ToNode {
		c.to, c.guess = b.im.Find(a), b.generic[0].Size > 0
	}
	b.note(c)
	return v, true
}

// holding notes that the numbers of a node may be tagged pointers to some types.
func (b *grapher) holding(l *link) {
	if e := l.to; l.holds != nil && e.holds == nil {
		if e.holds = l.holds; e.at >= 0 {
			b.todo = append(b.todo, e) // it is made again
		}
	}
}

// sameTypes reports whether two lists name the same types in the same order.
func sameTypes(a, b []*ctype.Type) bool { return slices.EqualFunc(a, b, ctype.Same) }

// taggedIn adds to out where, in a type that begins at off, there are numbers that may hold tagged pointers. leads are the types to
// which such pointers lead if the type itself, or an element of it, is such a number.
func taggedIn(t *ctype.Type, leads []*ctype.Type, off int64, out []place) []place {
	switch {
	case t.HoldsTagged() && len(leads) > 0:
		return append(out, place{off, t, leads})
	case t.Private():
	case t.IsAggregate():
		for i := range t.Fields {
			if f := &t.Fields[i]; f.BitLen == 0 {
				out = taggedIn(f.Type, f.Leads, off+f.Offset, out)
			}
		}
	case t.Kind == ctype.Array:
		for i := range min(t.Len, maxElems) {
			out = taggedIn(t.Elem, leads, off+i*t.Elem.Size, out)
		}
	}
	return out
}

// place is where a number is inside of a type.
type place struct {
	off   int64
	t     *ctype.Type
	leads []*ctype.Type
}

// holdsTagged reports whether one of the numbers at some places behind an address is a tagged pointer.
func (b *grapher) holdsTagged(a ctype.Word, at []place) bool {
	return slices.ContainsFunc(at, func(p place) bool {
		w, ok := b.im.Load(a+ctype.Word(p.off), p.t)
		if !ok || !b.im.Known(a+ctype.Word(p.off), p.t.Size) {
			return false
		}
		_, _, ok = b.im.tagged(w, p.t, p.leads)
		return ok
	})
}

// derivedOf is which for types that may include a base and structs that begin with it. What fits such a struct fits its
// base, too: so the structs are tried before the base.
func (b *grapher) derivedOf(o *Object, types []*ctype.Type) *ctype.Type {
	size := int64(len(o.Data))
	var own, bases []*ctype.Type
	for _, t := range types {
		isBase := slices.ContainsFunc(types, func(s *ctype.Type) bool { return s.Size > t.Size && s.Size <= size && begins(s, t) })
		if isBase {
			bases = append(bases, t)
		} else {
			own = append(own, t)
		}
	}
	if len(bases) == 0 {
		return b.which(o, 0, types)
	}
	if t := b.which(o, 0, own); t != nil || len(bases) > 1 {
		return t
	}
	return bases[0]
}
