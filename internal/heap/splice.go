package heap

import (
	"slices"

	"gulo/internal/ctype"
)

// This file makes the next image of a film from the last one and from what has changed.

// Splice is an image being made from the last one of a film. Film.Splice begins it, Drop and Put
// tell what has changed, and Join and Statics end it.
type Splice struct {
	f   *Film
	im  *Image
	old *reel
	now *reel

	out   map[*Object]bool // what the last image has, and this one does not
	in    []*Object
	fresh nodeChanges
	moved []span
}

// Splice begins an image with its frames and all of its variables; those that are as they were
// are replaced, in place, by what the last image has, and all are put in order. No node has a
// higher number than count. The film has an image.
func (f *Film) Splice(im *Image, variables []*Object, count int) *Splice {
	s := &Splice{f: f, im: im, old: f.last, out: map[*Object]bool{}, fresh: nodeChanges{}}
	s.now = &reel{frames: im.Frames, nodes: f.last.nodes, alive: f.last.alive}
	slices.SortStableFunc(variables, func(a, b *Object) int {
		if before(a, b) {
			return -1
		}
		return 1
	})
	s.match(f.last.variables, variables)
	s.now.variables = slices.Clone(variables)
	for seq := f.last.nodes.last(); seq > count; seq-- {
		s.Drop(seq)
	}
	return s
}

// match replaces objects by those of the last image that they are equal to. What else either
// has is taken out and put in.
func (s *Splice) match(old, now []*Object) {
	i := 0
	for j, o := range now {
		for ; i < len(old) && before(old[i], o); i++ {
			s.take(old[i])
		}
		if i == len(old) || before(o, old[i]) {
			s.add(o)
			continue
		}
		now[j] = s.change(old[i], o)
		i++
	}
	for ; i < len(old); i++ {
		s.take(old[i])
	}
}

// change replaces an object of the last image unless it is as it was; it returns what the next
// one has.
func (s *Splice) change(p, o *Object) *Object {
	same, named := compare(p, o)
	named = named && sameFrame(p, s.old.frames, s.now.frames)
	if same && named {
		return p
	}
	if !named {
		s.move(p)
		s.move(o)
	}
	s.out[p] = true
	s.in = append(s.in, o)
	return o
}

func (s *Splice) take(o *Object) {
	s.move(o)
	s.out[o] = true
}

func (s *Splice) add(o *Object) {
	s.move(o)
	s.in = append(s.in, o)
}

func (s *Splice) move(o *Object) { s.moved = append(s.moved, span{o.Addr, o.End()}) }

// Drop takes a node out, if there is one of that number.
func (s *Splice) Drop(seq int) {
	if o := s.old.nodes.at(seq); o != nil && !s.out[o] {
		s.take(o)
		s.fresh[seq] = nil
		s.count(o, -1)
	}
}

func (s *Splice) count(o *Object, by int) {
	if o.Live {
		s.now.alive += by
	}
}

// Nodes returns the nodes of the last image of which bytes lie between two addresses.
func (s *Splice) Nodes(from, to ctype.Word) []*Object {
	var out []*Object
	s.old.objects.between(from, to, func(o *Object) {
		if o.Kind == Node && !s.out[o] {
			out = append(out, o)
		}
	})
	return out
}

// Put puts a node in, in place of the one that has its number. It returns that one, nil for
// none, and what the image has now: the same if it is as it was.
func (s *Splice) Put(o *Object) (old, now *Object) {
	old = s.old.nodes.at(o.Seq)
	if old == nil || s.out[old] {
		s.add(o)
		now = o
	} else if now = s.change(old, o); now == old {
		return old, old
	} else {
		s.count(old, -1)
	}
	s.fresh[o.Seq] = o
	s.count(o, 1)
	return old, now
}

// Join gives the image its variables and nodes. The memory without a name is the last image's.
func (s *Splice) Join() {
	s.now.objects = s.merge(s.old.objects)
	s.now.nodes = s.now.nodes.with(s.fresh)
	s.im.list, s.im.nodes = s.now.objects, s.now.nodes
	s.im.lent = true
}

// merge returns a list of objects with what has changed in it.
func (s *Splice) merge(all *objects) *objects {
	slices.SortFunc(s.in, func(a, b *Object) int {
		if before(a, b) {
			return -1
		}
		return 1
	})
	next, overlap := all.with(s.out, s.in)
	s.f.overlap = s.f.overlap || overlap
	clear(s.out)
	s.in = nil
	return next
}

// Statics gives the image its memory without a name, in any order, and makes it the next of the
// film.
func (s *Splice) Statics(list []*Object) {
	slices.SortFunc(list, func(a, b *Object) int {
		if before(a, b) {
			return -1
		}
		return 1
	})
	s.match(s.old.statics, list)
	s.now.statics = list
	s.now.objects = s.merge(s.now.objects)
	f, im, r := s.f, s.im, s.now
	for _, o := range s.fresh {
		if o != nil && !o.shared {
			o.shared = true
		}
	}
	for _, o := range slices.Concat(r.variables, r.statics) {
		if !o.shared {
			o.shared = true
		}
	}
	f.append(im, r, s.moved)
	im.last = nil // it may be gone
	im.setVars()
}
