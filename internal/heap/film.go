package heap

import (
	"bytes"
	"slices"

	"gulo/internal/ctype"
)

// This file is the images of one run, taken one after the other.

// Film makes images share what they have in common: an object that is in two of them as it was
// is one Object. Whoever stores into an image gets a copy of the object first, so that no image
// sees another's stores. It also knows between which addresses the names of things have changed,
// by which a Grapher tells what it need not make anew.
//
// The images of a film may be read by several goroutines, and forgotten in any order. The zero
// Film is empty and ready.
type Film struct {
	last    *reel
	count   int  // images so far
	overlap bool // objects have lain over one another: what was freed is used again

	cuts [][]span // cuts[i] leads from image count-len(cuts)+i to the next
}

// reel is what a film keeps of its last image, which the image's owner may change.
type reel struct {
	objects *objects
	frames  []FrameInfo
	stack   []Span
	nodes   nodeTable
	alive   int

	variables, statics []*Object
}

// span is addresses from lo to hi, both included: a pointer behind an object's end may have a name, too.
type span struct{ lo, hi ctype.Word }

// maxCuts bounds how many images a Grapher may have left out, and maxSpans what may have changed
// in one: it is quicker to begin anew then.
const (
	maxCuts  = 1000
	maxSpans = 64
)

// Add makes an image the next one of the film. Its objects must be in order (Sort), and none may
// have been stored into.
func (f *Film) Add(im *Image) {
	old := f.last
	if old == nil {
		old = &reel{objects: &objects{}}
	}
	im.leave()
	r, was, now := &reel{frames: im.Frames, nodes: old.nodes}, old.objects.flat(), im.flat
	var moved []span
	move := func(o *Object) { moved = append(moved, span{o.Addr, o.End()}) }
	fresh := nodeChanges{}
	i := 0
	for j, o := range now {
		for i < len(was) && before(was[i], o) {
			move(was[i])
			fresh.drop(was[i])
			i++
		}
		if i == len(was) || before(o, was[i]) {
			move(o)
			fresh.set(o)
			continue
		}
		p := was[i]
		i++
		if p == o {
			continue
		}
		same, named := compare(p, o)
		if named = named && sameFrame(p, old.frames, im.Frames); !named {
			move(p)
			move(o)
		}
		if same && named {
			now[j] = p
		} else {
			fresh.set(o)
		}
	}
	for ; i < len(was); i++ {
		move(was[i])
		fresh.drop(was[i])
	}
	f.finish(im, r, now, fresh, moved)
}

// Overlaps reports whether objects of an image have lain over one another. A Splice cannot tell
// then which of them have changed.
func (f *Film) Overlaps() bool { return f.overlap }

// finish completes r, which the film keeps of an image, and makes the image the film's last.
func (f *Film) finish(im *Image, r *reel, now []*Object, fresh nodeChanges, moved []span) {
	r.nodes = r.nodes.with(fresh)
	r.objects = listOf(now)
	for i, o := range now {
		f.overlap = f.overlap || i > 0 && now[i-1].End() > o.Addr
		if !o.shared { // others may be looking at those that are
			o.shared = true
		}
		switch {
		case o.Kind == Node && o.Live:
			r.alive++
		case o.Var != nil:
			r.variables = append(r.variables, o)
		case o.Kind == Static:
			r.statics = append(r.statics, o)
		}
	}
	f.append(im, r, moved)
}

// append makes an image the last.
func (f *Film) append(im *Image, r *reel, moved []span) {
	f.count++
	r.stack = im.Stack
	if f.last != nil {
		moved = append(moved, differ(f.last.stack, im.Stack)...)
	}
	if len(moved) > maxSpans {
		f.cuts = nil
	} else if f.last != nil {
		f.cuts = append(f.cuts, moved)
	}
	if len(f.cuts) > maxCuts {
		f.cuts = slices.Clone(f.cuts[maxCuts/2:])
	}
	f.last = r
	im.film, im.number, im.nodes, im.alive, im.variables = f, f.count, r.nodes, r.alive, r.variables
	im.list, im.flat, im.lent = r.objects, nil, true
}

// differ lists what is on one of two stacks only. Of a stack in one piece that is what was added or taken at its end.
func differ(a, b []Span) (out []span) {
	if len(a) == 1 && len(b) == 1 && a[0].To == b[0].To {
		if x, y := a[0].From, b[0].From; x != y {
			out = append(out, span{min(x, y), max(x, y)})
		}
		return out
	}
	for _, two := range [2][2][]Span{{a, b}, {b, a}} {
		for _, s := range two[0] {
			if !slices.Contains(two[1], s) {
				out = append(out, span{s.From, s.To})
			}
		}
	}
	return out
}

// since returns where names have changed from one image to a later one; ok is false where that
// is not known.
func (f *Film) since(of *Film, from, to int) (moved []span, ok bool) {
	if f == nil || f != of || from > to || to-from > len(f.cuts)-(f.count-to) {
		return nil, false
	}
	end := len(f.cuts) - (f.count - to)
	for _, c := range f.cuts[end-(to-from) : end] {
		moved = append(moved, c...)
	}
	return moved, len(moved) <= maxSpans
}

// before orders objects: by address, and those that were at one address one after the other by
// number.
func before(a, b *Object) bool {
	return a.Addr < b.Addr || a.Addr == b.Addr && a.Seq < b.Seq
}

// compare reports whether two objects are the same, and whether pointers to them have the same
// names.
func compare(a, b *Object) (same, named bool) {
	named = a.Addr == b.Addr && a.Kind == b.Kind && a.Seq == b.Seq && a.Live == b.Live && len(a.Data) == len(b.Data) && a.Var == b.Var && a.Frame == b.Frame && (a.Type == b.Type || a.Kind == Local && ctype.Same(a.Type, b.Type)) && a.ReadOnly == b.ReadOnly
	same = named && a.Round == b.Round && bytes.Equal(a.Data, b.Data) && slices.Equal(a.Undef, b.Undef) && slices.Equal(a.Members, b.Members)
	return same, named && (same || a.Kind != Static) // a pointer to characters is shown as these
}

// sameFrame reports whether the frame of a variable has the same name in both images.
func sameFrame(o *Object, old, now []FrameInfo) bool {
	if o.Kind != Local || o.Frame <= 0 {
		return true
	}
	return o.Frame < len(old) && o.Frame < len(now) && old[o.Frame].Func == now[o.Frame].Func
}

// nodeTable finds nodes by number. It is not changed once it is made: tables of one run share
// what they have in common.
type nodeTable []*[nodesOfPart]*Object

const nodesOfPart = 256

// nodeChanges are nodes by number, nil for one that is gone.
type nodeChanges map[int]*Object

func (c nodeChanges) set(o *Object) {
	if o.Kind == Node && o.Seq > 0 {
		c[o.Seq] = o
	}
}

func (c nodeChanges) drop(o *Object) {
	if o.Kind == Node && o.Seq > 0 && c[o.Seq] == nil {
		c[o.Seq] = nil
	}
}

func (t nodeTable) at(seq int) *Object {
	if i := seq / nodesOfPart; seq > 0 && i < len(t) && t[i] != nil {
		return t[i][seq%nodesOfPart]
	}
	return nil
}

// last returns the highest number that the table has room for.
func (t nodeTable) last() int { return len(t)*nodesOfPart - 1 }

func (t nodeTable) with(changes nodeChanges) nodeTable {
	if len(changes) == 0 {
		return t
	}
	out := slices.Clone(t)
	own := map[int]bool{}
	for seq, o := range changes {
		i := seq / nodesOfPart
		for i >= len(out) {
			out = append(out, nil)
		}
		if !own[i] {
			part := new([nodesOfPart]*Object)
			if out[i] != nil {
				*part = *out[i]
			}
			out[i], own[i] = part, true
		}
		out[i][seq%nodesOfPart] = o
	}
	return out
}

// Types is what the nodes of a run are, by number, as far as pointers have told. It is not
// changed once it is made; the zero Types knows nothing.
type Types struct{ parts []*[nodesOfPart]*ctype.Type }

// Of returns what a node is; nil when nobody knows.
func (t Types) Of(seq int) *ctype.Type {
	if i := seq / nodesOfPart; seq > 0 && i < len(t.parts) && t.parts[i] != nil {
		return t.parts[i][seq%nodesOfPart]
	}
	return nil
}

// with returns the types with what some nodes tell.
func (t Types) with(nodes []*NodeInfo) Types {
	var own map[int]bool
	for _, n := range nodes {
		if n.Seq <= 0 || n.Type == nil || n.Viewed || t.Of(n.Seq) == n.Type {
			continue
		}
		if own == nil {
			own, t.parts = map[int]bool{}, slices.Clone(t.parts)
		}
		i := n.Seq / nodesOfPart
		for i >= len(t.parts) {
			t.parts = append(t.parts, nil)
		}
		if !own[i] {
			part := new([nodesOfPart]*ctype.Type)
			if t.parts[i] != nil {
				*part = *t.parts[i]
			}
			t.parts[i], own[i] = part, true
		}
		t.parts[i][n.Seq%nodesOfPart] = n.Type
	}
	return t
}

// named returns the objects that are variables, in order; of an image of no film it may return
// others, too.
func (im *Image) named() []*Object {
	if im.film == nil {
		return im.flat
	}
	return im.variables
}
