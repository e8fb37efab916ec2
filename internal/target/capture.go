package target

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// Limits of a picture of memory: bytes of one object, and active functions.
const (
	maxObject = 1 << 20
	MaxFrames = 50
)

// Capture copies what a stopped program can reach: globals, the variables of
// active functions, heap blocks.
func Capture(t Target) (*heap.Image, error) { return capture(&shot{t: t}) }

func capture(s *shot) (*heap.Image, error) {
	t := s.t
	im := &heap.Image{FuncOf: t.FuncName, LiteralOf: t.Literal}
	if err := s.variables(im); err != nil {
		return nil, err
	}
	blocks, err := t.Blocks()
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		s.add(&heap.Object{Addr: b.Addr, Kind: heap.Node, Live: b.Live, Seq: b.Seq, Round: b.Round}, b.Size)
	}
	for _, o := range s.objects {
		im.Add(o)
	}
	im.Large = s.large
	im.Sort()
	st := &statics{t: t, im: im, met: map[ctype.Word]bool{}}
	for _, f := range im.Frames {
		st.through = st.through || slices.ContainsFunc(f.Func.Locals, func(v *cfront.Var) bool { return v.Name == "" })
	}
	st.add()
	return im, nil
}

// others adds what the other threads' functions may have handed out: their variables whose
// address is taken.
func others(t Target, im *heap.Image, add func(*heap.Object, int64)) error {
	th, ok := t.(Threaded)
	if !ok {
		return nil
	}
	list, err := th.Threads()
	if err != nil || len(list) < 2 {
		return err
	}
	for _, x := range list {
		for i, f := range x.Frames {
			if x.Current || i >= MaxFrames {
				break
			}
			im.Frames = append(im.Frames, heap.FrameInfo{Func: f.Func, Stmt: f.Stmt, ID: f.ID, Thread: x.Number})
			for _, v := range f.Vars {
				if v.Var.Name != "" && v.Var.Exposed() {
					add(&heap.Object{Addr: v.Addr, Kind: heap.Local, Live: true, Var: v.Var, Type: v.Type, Frame: len(im.Frames) - 1}, v.TypeOf().Size)
				}
			}
		}
	}
	return nil
}

// statics finds the memory without a name that an image leads to.
type statics struct {
	t    Target
	im   *heap.Image
	met  map[ctype.Word]bool
	list []*heap.Object

	again   bool // the image already has what was found for the last one, which is to be found again
	through bool // nodes may point to compound literals
	nodes   []typedNode
}

type typedNode struct {
	o *heap.Object
	t *ctype.Type
}

// add adds what the image leads to.
func (s *statics) add() {
	s.find(s.im.All())
	if len(s.list) > 0 {
		for i, o := range s.list {
			o.Seq = -1 - i
			s.im.Add(o)
		}
		s.im.Sort()
	}
}

// find lists what objects lead to.
func (s *statics) find(from []*heap.Object) {
	for _, o := range from {
		s.words(o.Data)
	}
	// What a typed pointer leads to.
	for _, o := range from {
		if o.Var != nil {
			s.generic(o.Data, o.TypeOf(), o.Var.Leads)
			s.typed(o.Data, o.TypeOf())
		}
	}
	for i, k := 0, 0; i < len(s.list) || k < len(s.nodes); {
		if k < len(s.nodes) {
			s.typed(s.nodes[k].o.Data, s.nodes[k].t)
			k++
			continue
		}
		o := s.list[i]
		s.words(o.Data)
		if o.Type != nil && o.Type.IsAggregate() {
			s.typed(o.Data, o.Type)
		}
		i++
	}
}

// words follows every aligned word that may be a pointer to characters.
func (s *statics) words(data []byte) {
	for i := 0; i+8 <= len(data); i += 8 {
		if w := ctype.Load(ctype.ULongT, data[i:]); w >= 4096 {
			s.meet(w, nil)
		}
	}
}

// typed follows the pointers of an object to structs and to characters.
func (s *statics) typed(data []byte, t *ctype.Type) {
	switch {
	case int64(len(data)) < t.Size:
	case t.Kind == ctype.Pointer && t.Elem.IsInteger() && t.Elem.Size == 1: // a text of the C library
		if w := ctype.Load(t, data); w >= 4096 {
			s.meet(w, t.Elem)
		}
	case t.Kind == ctype.Pointer && t.Elem.IsAggregate():
		w := ctype.Load(t, data)
		if w < 4096 {
			return
		}
		s.meet(w, t.Elem)
		if !s.through || s.met[w] {
			return
		}
		if o := s.im.Find(w); o != nil && o.Kind == heap.Node && o.Addr == w {
			s.met[w] = true
			s.nodes = append(s.nodes, typedNode{o, t.Elem})
		}
	case t.IsAggregate():
		for i := range t.Fields {
			if f := &t.Fields[i]; f.BitLen == 0 && f.Offset <= int64(len(data)) {
				s.generic(data[f.Offset:], f.Type, f.Leads)
				s.typed(data[f.Offset:], f.Type)
			}
		}
	case t.Kind == ctype.Array:
		for i := int64(0); i < min(t.Len, 64); i++ {
			s.typed(data[i*t.Elem.Size:], t.Elem)
		}
	}
}

// generic follows a void * if leads, the types that the program uses it for, is one struct or union.
func (s *statics) generic(data []byte, t *ctype.Type, leads []*ctype.Type) {
	if t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Void && len(leads) == 1 && leads[0].IsAggregate() && len(data) >= 8 {
		if w := ctype.Load(t, data); w >= 4096 {
			s.meet(w, leads[0])
		}
	}
}

// meet lists the memory without a name around an address, unless it is listed or in the image already.
func (s *statics) meet(w ctype.Word, t *ctype.Type) {
	r, ok := s.t.Static(w, t)
	if !ok || s.met[r.Addr] || r.Size > maxObject {
		return
	}
	if o := s.im.Find(w); o != nil && !(s.again && o.Kind == heap.Static) {
		return
	}
	s.met[r.Addr] = true
	o := &heap.Object{Addr: r.Addr, Kind: heap.Static, Live: true, ReadOnly: r.ReadOnly, Type: r.Type, Data: make([]byte, r.Size)}
	if s.t.Read(r.Addr, o.Data) {
		s.list = append(s.list, o)
	}
}
