package heap

import (
	"strings"
	"unicode/utf8"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file tells what the pointers of a union lead to. Members of a union share their bytes, so that one
// address may be a text, an array of numbers and an array of pairs, and C does not say which of them it is.
// What tells is, in this order:
//
//   - an enum beside the union whose constants are named after the union's members, as people write them:
//     YAML_SCALAR_NODE and scalar, J_ARR and arr;
//   - where no enum does, or not by this constant, the program's code: conditions under which it uses one
//     member of the union only (cfront.Choice);
//   - the member that was written last, where that is known (written.go): only it is drawn then;
//   - the rest of the member: where another of its pointers leads to nothing, it is not the one in use;
//   - what the pointers lead to: text is no array of addresses, and pointers in it lead somewhere.
//
// Where several types are left, the node is drawn without any.

// claim is what pointers at one address in a union say of what they lead to.
type claim struct {
	at    ctype.Word
	w     ctype.Word
	to    *Object
	types []*ctype.Type // different ones
	guess bool          // they are what the program uses a void * for
	alt   int           // the member of the union that it stands in
	holds []*ctype.Type // what the numbers lead to that the pointer leads to
}

// claims are those of the union that is being read; alt is the member that is.
type claims struct {
	list []claim
	alt  int
}

// around is where the members of a struct are that are being read: an enum there may say which member of a
// union is in use.
type around struct {
	t    *ctype.Type
	base ctype.Word
}

// members adds the cells of the members of a struct or union.
func (b *grapher) members(out *[]Cell, prefix, field string, base ctype.Word, t *ctype.Type) {
	if t.Kind != ctype.Union {
		outer := b.around
		b.around = around{t, base}
		for i := range t.Fields {
			b.field(out, prefix, field, base, &t.Fields[i])
		}
		b.around = outer
		return
	}
	outer, struc, from := b.claims, b.around, len(*out)
	mine := &claims{}
	inUse := b.inUse(struc, t)
	last := -1
	if inUse < 0 {
		last = b.im.lastWritten(base, t)
	}
	wild := make([]bool, len(t.Fields))
	for i := range t.Fields {
		mine.alt = i
		b.claims, b.around = mine, struc
		begin := len(*out)
		b.field(out, prefix, field, base, &t.Fields[i])
		for k := begin; k < len(*out); k++ {
			c := &(*out)[k]
			wild[i] = wild[i] || c.Value.Kind == Wild
			c.Idle = c.Idle || inUse >= 0 && i != inUse || last >= 0 && i != last
			c.Last = c.Last || i == last
		}
	}
	b.claims, b.around = outer, struc
	besidePointer((*out)[from:])
	b.settle(mine.list, inUse, wild)
}

// settle follows the pointers of a union whose member inUse is the one that counts, -1 where that is not
// known; wild tells which members hold pointers to nothing.
func (b *grapher) settle(list []claim, inUse int, wild []bool) {
	for i := range list {
		c := list[i]
		if c.types == nil {
			continue // has been joined to another
		}
		same := []claim{c}
		for k := i + 1; k < len(list); k++ {
			if x := &list[k]; x.types != nil && x.at == c.at && x.to == c.to {
				same = append(same, *x)
				x.types = nil
			}
		}
		if len(differing(same)) > 1 {
			same = keep(same, func(x claim) bool { return x.alt == inUse })
			same = keep(same, func(x claim) bool { return !wild[x.alt] })
		}
		c.types = differing(same)
		b.note(c)
	}
}

// note hands a claim to the union around, or follows it.
func (b *grapher) note(c claim) {
	if b.claims != nil {
		c.alt = b.claims.alt
		b.claims.list = append(b.claims.list, c)
		return
	}
	if b.made != nil {
		b.made.words = append(b.made.words, c.w)
	}
	if c.to == nil {
		return
	}
	l := link{to: b.entry(c.to), w: c.w, off: int64(c.w - c.to.Addr), t: c.types[0], guess: c.guess, holds: c.holds}
	if len(c.types) > 1 {
		l.oneOf = c.types
	}
	if b.made != nil {
		b.made.links = append(b.made.links, l)
	}
	b.leads(&l)
}

// keep returns the claims that ok holds of, or all if it holds of none.
func keep(list []claim, ok func(claim) bool) []claim {
	var out []claim
	for _, c := range list {
		if ok(c) {
			out = append(out, c)
		}
	}
	if out == nil {
		return list
	}
	return out
}

// differing returns the different types that claims name. Those that say nothing, such as void, are left out if there
// are others.
func differing(list []claim) []*ctype.Type {
	var out []*ctype.Type
	for _, c := range list {
	next:
		for _, t := range c.types {
			if t.Size == 0 || t.Kind == ctype.Void || t.Kind == ctype.Func {
				continue
			}
			for _, u := range out {
				if ctype.Same(t, u) || character(t) && character(u) {
					continue next
				}
			}
			out = append(out, t)
		}
	}
	if out == nil {
		return list[0].types[:1]
	}
	return out
}

// character reports whether a type is one that texts are made of.
func character(t *ctype.Type) bool { return t.IsInteger() && t.Size == 1 && t.Kind != ctype.Bool }

// which returns the only one of several types that fits the bytes of an object from off on. Where more of them do,
// exact chooses. Where none does, or all bytes are zero or unknown, it is the first struct or union, or else the
// first type.
func (b *grapher) which(o *Object, off int64, types []*ctype.Type) *ctype.Type {
	var fit []*ctype.Type
	for _, t := range types {
		if b.fits(o, off, t) {
			fit = append(fit, t)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0]
	case len(fit) == 0:
		fit = types
	case !blank(o, off):
		return b.exact(o, off, fit)
	}
	for _, t := range fit {
		if t.IsAggregate() {
			return t
		}
	}
	return fit[0]
}

// exact returns the only type of those whose pointers lead somewhere, or the only struct as large as the
// object; nil where there is none such.
func (b *grapher) exact(o *Object, off int64, types []*ctype.Type) *ctype.Type {
	var leading, whole []*ctype.Type
	structs := 0
	for _, t := range types {
		if b.pointers(o, off, t) > 0 {
			leading = append(leading, t)
		}
		if t.IsAggregate() {
			structs++
			if off == 0 && t.Size == int64(len(o.Data)) {
				whole = append(whole, t)
			}
		}
	}
	switch {
	case len(leading) == 1:
		return leading[0]
	case len(whole) == 1 && structs == len(types) && !o.Round:
		return whole[0]
	}
	return nil
}

// blank reports whether nothing but zeros is known of an object from off on.
func blank(o *Object, off int64) bool {
	for i := off; i < int64(len(o.Data)); i++ {
		if o.Data[i] != 0 && (o.Undef == nil || !o.Undef[i]) {
			return false
		}
	}
	return true
}

// fits reports whether an object can hold a t at off.
func (b *grapher) fits(o *Object, off int64, t *ctype.Type) bool {
	size := int64(len(o.Data)) - off
	switch {
	case off < 0 || size < t.Size && !cutShort(t, size):
		return false
	case character(t):
		return b.isText(o, off)
	}
	return b.pointers(o, off, t) >= 0
}

// isText reports whether what stands at off can be read: characters up to a zero, or nothing yet.
func (b *grapher) isText(o *Object, off int64) bool {
	end := off
	for end < int64(len(o.Data)) && o.Data[end] != 0 && (o.Undef == nil || !o.Undef[end]) {
		if c := o.Data[end]; c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
		if at := o.Addr + ctype.Word(end); b.im.HoldsAddress(at) {
			return false
		}
		end++
	}
	return utf8.Valid(o.Data[off:end])
}

// pointers counts the pointers in the first elements of a type that lead somewhere; it is -1 where one of them
// leads to nothing, or an enum or bool has a value that it cannot have.
func (b *grapher) pointers(o *Object, off int64, t *ctype.Type) int {
	n := 0
	for k := int64(0); k < 4 && off+t.Size <= int64(len(o.Data)); k++ {
		if !b.count(o, off, t, &n) {
			return -1
		}
		off += t.Size
	}
	return n
}

// count adds the pointers of the t at off, and reports whether all its members have values of their types.
func (b *grapher) count(o *Object, off int64, t *ctype.Type, n *int) bool {
	a := o.Addr + ctype.Word(off)
	switch {
	case t.Kind == ctype.Struct && !t.Private():
		for i := range t.Fields {
			if f := &t.Fields[i]; f.BitLen == 0 && !b.count(o, off+f.Offset, f.Type, n) {
				return false
			}
		}
	case t.Kind == ctype.Array && t.Elem.Size > 0:
		for i := range min(t.Len, 4) {
			if !b.count(o, off+i*t.Elem.Size, t.Elem, n) {
				return false
			}
		}
	case !t.IsScalar() || off+t.Size > int64(len(o.Data)) || !b.im.Known(a, t.Size):
	case t.Kind == ctype.Pointer:
		w := ctype.Load(t, o.Data[off:])
		if w != 0 && b.im.Symbol(w, t).Kind == Wild {
			return false
		}
		if w != 0 {
			*n++
		}
	case t.Kind == ctype.Bool:
		return o.Data[off] <= 1
	case len(t.Enums) > 0:
		return possible(t, ctype.Load(t, o.Data[off:]))
	}
	return true
}

// possible reports whether an enum has a constant of a value, or several that make it together.
func possible(t *ctype.Type, w ctype.Word) bool {
	all := ctype.Word(0)
	for _, e := range t.Enums {
		if ctype.Wrap(t, e.Value) == w {
			return true
		}
		all |= ctype.Wrap(t, e.Value)
	}
	return w&^all == 0
}

// tagged is a union and the struct around it.
type tagged struct{ struc, union *ctype.Type }

// tag says which member of a union each value of an enum beside it stands for.
type tag struct {
	t      *ctype.Type // the enum as it is stored
	off    int64
	alt    map[ctype.Word]int
	choice *cfront.Choice // of values that name no member, what the program's code says
}

// inUse returns the member of a union that an enum in the struct around names, -1 if none does.
func (b *grapher) inUse(s around, union *ctype.Type) int {
	if s.t == nil {
		return -1
	}
	key := tagged{s.t, union}
	x, ok := b.memo.tags[key]
	if !ok {
		x = tagOf(s.t, union)
		if y := b.chosen(s.t, union); x.t == nil {
			x = y
		} else if y.t != nil && y.off == x.off && y.t.Place == x.t.Place {
			x.choice = y.choice
		}
		if b.memo.tags == nil {
			b.memo.tags = map[tagged]tag{}
		}
		b.memo.tags[key] = x
	}
	if x.t == nil {
		return -1
	}
	at := s.base + ctype.Word(x.off)
	if w, ok := b.im.Load(at, x.t); ok && b.im.Known(at, x.t.Size) {
		if i, ok := x.alt[w]; ok {
			return i
		}
		if x.choice != nil {
			return x.choice.Of(w)
		}
	}
	return -1
}

// chosen returns the tag of a union that the program's code tells (cfront.Choice); the zero tag if it tells none.
func (b *grapher) chosen(struc, union *ctype.Type) tag {
	for i := range b.im.Choices {
		c := &b.im.Choices[i]
		if c.Struct != struc || c.Union != union {
			continue
		}
		if c.Tag.BitLen == 0 {
			return tag{t: c.Tag.Type, off: c.Tag.Offset, choice: c}
		}
		if t, off, ok := c.Tag.Stored(); ok {
			return tag{t: t, off: off, choice: c}
		}
	}
	return tag{}
}

// tagOf finds the only enum of a struct whose constants name members of a union in it, two at least: one
// may well be called after something else. Where there is none, the structs in it are looked at.
func tagOf(struc, union *ctype.Type) tag {
	found := tagsIn(struc, union, 0, nil)
	if len(found) > 0 {
		return onlyTag(found)
	}
	for i := range struc.Fields {
		if f := &struc.Fields[i]; f.Type.Kind == ctype.Struct && f.BitLen == 0 {
			found = tagsIn(f.Type, union, f.Offset, found)
		}
	}
	return onlyTag(found)
}

func onlyTag(list []tag) tag {
	if len(list) != 1 {
		return tag{}
	}
	return list[0]
}

// tagsIn adds the enums among the members of a struct, which begins at an offset, that name members of a union.
func tagsIn(struc, union *ctype.Type, base int64, out []tag) []tag {
	for i := range struc.Fields {
		f := &struc.Fields[i]
		t, off := f.Type, f.Offset
		if f.BitLen > 0 {
			var ok bool
			if t, off, ok = f.Stored(); !ok {
				continue
			}
		}
		if len(t.Enums) < 2 {
			continue
		}
		if alt := named(t, union); several(alt) {
			out = append(out, tag{t: t, off: base + off, alt: alt})
		}
	}
	return out
}

// several reports whether values stand for more than one member.
func several(alt map[ctype.Word]int) bool {
	first := -1
	for _, i := range alt {
		if first >= 0 && i != first {
			return true
		}
		first = i
	}
	return false
}

// named maps the constants of an enum to the members of a union that they are named after, as a whole or
// abbreviated. What all constants begin or end with is no part of their names.
func named(enum, union *ctype.Type) map[ctype.Word]int {
	var names [][]string
	for _, e := range enum.Enums {
		names = append(names, strings.Split(strings.ToLower(strings.Trim(e.Name, "_")), "_"))
	}
	out := map[ctype.Word]int{}
	taken := map[int]bool{} // by a constant of just this name
	words := shared(names)
	for i, e := range enum.Enums {
		for k := range union.Fields {
			if plain(union.Fields[k].Name) == words[i] && words[i] != "" {
				out[ctype.Wrap(enum, e.Value)], taken[k] = k, true
			}
		}
	}
	for i, e := range enum.Enums {
		w := ctype.Wrap(enum, e.Value)
		if _, ok := out[w]; ok {
			continue
		}
		only := -1
		for k := range union.Fields {
			if !taken[k] && abbreviates(plain(union.Fields[k].Name), words[i]) {
				if only >= 0 {
					only = -2
					break
				}
				only = k
			}
		}
		if only >= 0 {
			out[w] = only
		}
	}
	return out
}

// plain writes a member's name as shared writes constants.
func plain(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }

// abbreviates reports whether one of two names is the beginning of the other.
func abbreviates(a, b string) bool {
	return min(len(a), len(b)) >= 3 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// shared takes the words away that all names begin or end with, and joins the rest.
func shared(names [][]string) []string {
	same := func(at func([]string) string) bool {
		for _, n := range names {
			if len(n) < 2 || at(n) != at(names[0]) {
				return false
			}
		}
		return true
	}
	first := func(n []string) string { return n[0] }
	last := func(n []string) string { return n[len(n)-1] }
	for same(first) {
		for i := range names {
			names[i] = names[i][1:]
		}
	}
	for same(last) {
		for i := range names {
			names[i] = names[i][:len(names[i])-1]
		}
	}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.Join(n, "")
	}
	return out
}
