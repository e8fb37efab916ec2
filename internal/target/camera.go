package target

import (
	"cmp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// This file takes images of memory in the course of a run. With a target that knows what its
// program has changed, an image takes time for what has changed, not for all there is.

// Changer is a Target that knows what has changed.
type Changer interface {
	Target
	// Changes tells what may have changed since it was called last; ok is false when that
	// is not known, as it is when it is called first.
	Changes() (c Changes, ok bool, err error)
}

// Sharer is a Target that can hand out its own copy of a heap block, which is not changed afterwards.
type Sharer interface {
	// Share returns the contents of a block, with 0 where nothing was written; ok is false
	// where that has to be read.
	Share(addr ctype.Word, size int64) (data []byte, ok bool)
}

// Member is heap.Member.
type Member = heap.Member

// Unions is a Target that knows which members of unions were written last.
type Unions interface {
	// Members lists them for the object that begins at an address.
	Members(addr ctype.Word) []Member
}

// WrittenUnion is a union whose last written member is known. It lies in the heap block Seq or in the variable Var.
type WrittenUnion struct {
	Addr  ctype.Word
	Union *ctype.Type
	Index int // of its Fields
	Seq   int
	Var   *cfront.Var
}

// In reports whether an object is the one that the union is in.
func (u *WrittenUnion) In(o *heap.Object) bool {
	return u.Seq == o.Seq && u.Var == o.Var && u.Addr >= o.Addr && u.Addr < o.End()
}

// Know sets what is known of unions from the next image on, for a target that does not know it itself.
func (c *Camera) Know(list []WrittenUnion) {
	list = slices.SortedFunc(slices.Values(list), func(a, b WrittenUnion) int { return cmp.Compare(a.Addr, b.Addr) })
	for _, two := range [2][2][]WrittenUnion{{c.unions, list}, {list, c.unions}} {
		for _, u := range two[0] {
			if !slices.Contains(two[1], u) {
				c.retold = append(c.retold, Extent{u.Addr, u.Addr + 1})
			}
		}
	}
	c.unions = list
}

// Fill is heap.Fill.
const Fill = heap.Fill

// Filler is a Target that fills fresh memory with Fill, and knows by that alone what was never written.
type Filler interface{ Fills() bool }

// Changes is what may have changed between two stops of a program. Variables are not in it:
// they are few.
type Changes struct {
	Memory []Extent // in which bytes may have changed, in order of addresses, none touching another
	Blocks []Block  // those that are new, freed, or otherwise changed
	Count  int      // blocks in all; blocks of higher numbers no longer exist
}

// Extent is a part of memory.
type Extent struct{ Addr, End ctype.Word }

// Camera takes a film of a target's memory: an object that has not changed from one image to the
// next is the same object in both. Each image is what Capture would return.
type Camera struct {
	Target Target
	// Name, when it is set, gives memory without a name (heap.Static) its numbers before an
	// image is made of it.
	Name func(statics []*heap.Object)

	undef   undefs
	unions  []WrittenUnion // by their addresses
	retold  []Extent       // unions of which something else is known than in the last image
	film    heap.Film
	large   []heap.Large          // of the last image
	leading map[*heap.Object]bool // nodes in which a word leads to memory without a name
}

// Capture takes an image.
func (c *Camera) Capture() (*heap.Image, error) {
	t, ok := c.Target.(Changer)
	if !ok {
		return c.whole()
	}
	ch, ok, err := t.Changes()
	if err != nil {
		return nil, err
	}
	if !ok || c.leading == nil || c.film.Overlaps() {
		return c.whole()
	}
	im, err := c.next(&ch)
	if err != nil {
		c.leading = nil // what was read is not in the film: begin anew
	}
	return im, err
}

// whole takes an image of everything.
func (c *Camera) whole() (*heap.Image, error) {
	c.undef = undefs{}
	im, err := capture(&shot{t: c.Target, film: true, undef: c.undef, unions: c.unions})
	if err != nil {
		c.leading = nil
		return nil, err
	}
	c.large, c.retold = im.Large, nil
	var statics []*heap.Object
	for _, o := range im.All() {
		if o.Kind == heap.Static {
			statics = append(statics, o)
		}
	}
	c.name(statics)
	c.film.Add(im)
	if _, ok := c.Target.(Changer); !ok {
		return im, nil
	}
	c.leading = map[*heap.Object]bool{}
	for _, o := range im.All() {
		if o.Kind == heap.Node && c.leads(o) {
			c.leading[o] = true
		}
	}
	return im, nil
}

func (c *Camera) name(statics []*heap.Object) {
	if c.Name != nil && len(statics) > 0 {
		slices.SortFunc(statics, func(a, b *heap.Object) int { return b.Seq - a.Seq })
		c.Name(statics)
	}
}

// leads reports whether an object has a word that is a pointer to memory without a name.
func (c *Camera) leads(o *heap.Object) bool {
	for i := 0; i+8 <= len(o.Data); i += 8 {
		if w := ctype.Load(ctype.ULongT, o.Data[i:]); w >= 4096 {
			if _, ok := c.Target.Static(w, nil); ok {
				return true
			}
		}
	}
	return false
}

// next takes the next image of the film: it reads what has changed, and takes the rest from the last image.
func (c *Camera) next(ch *Changes) (*heap.Image, error) {
	t := c.Target
	im := &heap.Image{FuncOf: t.FuncName, LiteralOf: t.Literal}
	s := shot{t: t, film: true, undef: c.undef, unions: c.unions}
	if err := s.variables(im); err != nil {
		return nil, err
	}
	vars := s.objects
	s.objects = nil
	cut := c.film.Splice(im, vars, ch.Count)
	seen := map[int]bool{}
	for _, b := range ch.Blocks {
		seen[b.Seq] = true
		s.add(&heap.Object{Addr: b.Addr, Kind: heap.Node, Live: b.Live, Seq: b.Seq, Round: b.Round}, b.Size)
		if len(s.objects) == 0 || s.objects[len(s.objects)-1].Seq != b.Seq {
			cut.Drop(b.Seq)
		}
	}
	for _, e := range slices.Concat(ch.Memory, c.retold) {
		for _, o := range cut.Nodes(e.Addr, e.End) {
			if !seen[o.Seq] {
				seen[o.Seq] = true
				s.add(&heap.Object{Addr: o.Addr, Kind: heap.Node, Live: o.Live, Seq: o.Seq, Round: o.Round}, int64(len(o.Data)))
			}
		}
	}
	for _, o := range s.objects {
		if old, now := cut.Put(o); old != now {
			delete(c.leading, old)
			if c.leads(now) {
				c.leading[now] = true
			}
		}
	}
	cut.Join()
	for o := range c.leading {
		if im.Node(o.Seq) != o {
			delete(c.leading, o)
		}
	}
	st := &statics{t: t, im: im, met: map[ctype.Word]bool{}, again: true}
	for _, f := range im.Frames {
		st.through = st.through || slices.ContainsFunc(f.Func.Locals, func(v *cfront.Var) bool { return v.Name == "" })
	}
	from := slices.Clone(vars)
	for o := range c.leading {
		from = append(from, o)
	}
	slices.SortFunc(from, func(a, b *heap.Object) int { return cmp.Or(cmp.Compare(a.Addr, b.Addr), a.Seq-b.Seq) })
	st.find(from)
	for i, o := range st.list {
		o.Seq = -1 - i
	}
	c.name(slices.Clone(st.list))
	cut.Statics(st.list)
	for _, l := range c.large {
		if l.Name == "" && !seen[l.Seq] {
			s.large = append(s.large, l)
		}
	}
	im.Large, c.large, c.retold = s.large, s.large, nil
	return im, nil
}

// shot reads objects for an image.
type shot struct {
	t       Target
	objects []*heap.Object
	large   []heap.Large
	film    bool // the image is for a film, which copies an object before a store into it: the target's copies may be shared
	undef   undefs
	unions  []WrittenUnion // by their addresses
}

// undefs keeps marks of bytes that were never written, equal ones once: nodes that are made alike
// share them. The marks are not changed.
type undefs map[string][]bool

// of returns the kept marks that equal some marks. It keeps new ones while there is room for them.
func (u undefs) of(marks []bool) []bool {
	if u == nil || marks == nil || len(marks) > 256 {
		return marks
	}
	key := make([]byte, len(marks))
	for i, m := range marks {
		if m {
			key[i] = 1
		}
	}
	kept, ok := u[string(key)]
	if !ok && len(u) < 4096 {
		kept, u[string(key)] = marks, marks
	} else if !ok {
		return marks
	}
	return kept
}

// add reads an object, if it can be read.
func (s *shot) add(o *heap.Object, size int64) {
	if size > maxObject && o.Live {
		l := heap.Large{Addr: o.Addr, Size: size, Seq: o.Seq}
		if o.Var != nil {
			l.Name = o.Var.Name
		}
		s.large = append(s.large, l)
	}
	if size <= 0 || size > maxObject {
		return
	}
	if u, ok := s.t.(Unions); ok {
		o.Members = u.Members(o.Addr)
	}
	for i, _ := slices.BinarySearchFunc(s.unions, o.Addr, func(u WrittenUnion, a ctype.Word) int { return cmp.Compare(u.Addr, a) }); i < len(s.unions) && s.unions[i].Addr < o.Addr+ctype.Word(size); i++ {
		if u := &s.unions[i]; u.Seq == o.Seq && u.Var == o.Var {
			o.Members = append(o.Members, heap.Member{Off: int64(u.Addr - o.Addr), Union: u.Union, Index: u.Index})
		}
	}
	if f, ok := s.t.(Filler); ok && (o.Kind == heap.Node || o.Kind == heap.Local) {
		o.Filled = f.Fills()
	}
	if sh, ok := s.t.(Sharer); ok && s.film && o.Kind == heap.Node {
		if data, ok := sh.Share(o.Addr, size); ok {
			o.Data, o.Undef = data, s.undef.of(s.t.Undefined(o.Addr, data))
			s.objects = append(s.objects, o)
			return
		}
	}
	o.Data = make([]byte, size)
	if !s.t.Read(o.Addr, o.Data) {
		return
	}
	o.Undef = s.undef.of(s.t.Undefined(o.Addr, o.Data))
	for i, u := range o.Undef {
		if u {
			o.Data[i] = 0 // whatever the engine has there
		}
	}
	s.objects = append(s.objects, o)
}

// variables reads global variables and those of active functions, and notes the frames and the stack in im.
func (s *shot) variables(im *heap.Image) error {
	frames, err := s.t.Frames()
	if err != nil {
		return err
	}
	for _, v := range s.t.Globals() {
		if !v.Var.Range.Valid() || strings.HasPrefix(v.Var.Range.File.Name, "@gulo/") {
			continue
		}
		if v.Var.Name == "" {
			continue // a compound literal
		}
		kind := heap.Global
		if v.Var.OfLibrary() {
			kind = heap.Library
		}
		s.add(&heap.Object{Addr: v.Addr, Kind: kind, Live: true, Var: v.Var}, v.Var.Type.Size)
	}
	for i, f := range frames {
		if i >= MaxFrames {
			break
		}
		im.Frames = append(im.Frames, heap.FrameInfo{Func: f.Func, Stmt: f.Stmt, ID: f.ID})
		for _, v := range f.Vars {
			if v.Var.Name == "" {
				continue
			}
			s.add(&heap.Object{Addr: v.Addr, Kind: heap.Local, Live: true, Var: v.Var, Type: v.Type, Frame: i}, v.TypeOf().Size)
		}
	}
	if t, ok := s.t.(Stacked); ok {
		known := map[ctype.Word]bool{}
		for _, o := range s.objects {
			known[o.Addr] = true
		}
		for _, r := range t.Stack() {
			if !known[r.Addr] || len(frames) == 0 {
				im.Stack = append(im.Stack, heap.Span{From: r.Addr, To: r.Addr + ctype.Word(r.Size)})
			}
		}
	}
	return others(s.t, im, s.add)
}
