package oracle

import (
	"gulo/internal/ctype"
	"gulo/internal/machine"
)

// This file compares a run with what is wanted, scalar by scalar, to measure how far a wrong result is from the right
// one. Objects are identified by their place in the input or by the order of their allocation.

// Bounds of what is compared.
const (
	newObjects = 8  // allocated by the call
	newCells   = 12 // of each of them
)

// layout says where a machine has the objects of a case's input.
type layout struct {
	addrs []ctype.Word
	types []*ctype.Type // of one element
	count []int64
	index map[uint32]int // by block
	seq   int            // heap blocks before the call

	result ctype.Word // where a returned struct goes; 0 for other results
}

// Call is a call of a suite's function with its input in a machine.
type Call struct {
	*layout
	suite *Suite
	m     *machine.Machine
	parts map[*ctype.Type][]scalar
}

// Enter builds a case's input in an idle machine and enters the suite's function.
func (s *Suite) Enter(m *machine.Machine, c *Case) (*Call, error) {
	l, err := c.State.build(m, s.Prog, s.Entry)
	if err != nil {
		return nil, err
	}
	return &Call{layout: l, suite: s, m: m, parts: map[*ctype.Type][]scalar{}}, nil
}

// Call returns the call that the runner has begun for a case.
func (r *Runner) Call(c *Case) *Call {
	return &Call{layout: r.layouts[c], suite: r.Suite, m: r.M, parts: r.parts}
}

// A cell is a scalar without its two highest bits, one of these constants, or a pointer: cellPointer with the object's
// number and the offset.
const (
	cellFreed   = uint64(1)<<62 | 1
	cellUnset   = uint64(1)<<62 | 2
	cellUnknown = uint64(1)<<62 | 3
	cellPointer = uint64(1) << 63
)

// Scalar is a scalar in a machine's memory, or the result, whose value counts at the end of a case.
type Scalar struct {
	Addr   ctype.Word // 0 for the result
	Type   *ctype.Type
	Result bool
	Want   ctype.Word // the value that it should have
	Known  bool       // Want is valid: the right run leaves a value there that exists in this run, too
	NotNil bool       // it should point to something that this run does not have
}

// Places lists the scalars that count at the end of a call, with the values that the case wants. Precondition: the
// machine is at the end of the call.
func (e *Call) Places(c *Case) []Scalar {
	if c.Want == nil || c.Want.cells == nil {
		return nil
	}
	k := e.read(true)
	out := make([]Scalar, 0, len(k.at))
	for i, p := range k.at {
		if p.Type == nil || i >= len(c.Want.cells) {
			continue
		}
		w := c.Want.cells[i]
		switch {
		case w == cellFreed || w == cellUnset || w == cellUnknown:
		case p.Type.Kind == ctype.Pointer && w&cellPointer != 0:
			p.Want, p.Known = e.pointer(w)
			p.NotNil = !p.Known
		case p.Type.Kind != ctype.Pointer && p.Type.Size == 8:
			p.Want, p.Known = ctype.Word(int64(w<<2)>>2), true
		default:
			p.Want, p.Known = ctype.Wrap(p.Type, ctype.Word(w)), true
		}
		out = append(out, p)
	}
	return out
}

// pointer translates a cell from another machine's run to an address. It returns false if this run has no such object.
func (e *Call) pointer(w uint64) (ctype.Word, bool) {
	i, off := int(w&^cellPointer>>16), ctype.Word(uint16(w))
	if i < len(e.addrs) {
		return e.addrs[i] + off, e.addrs[i] != 0
	}
	blocks := e.m.HeapBlocks()
	if i = e.seq + i - 1 - len(e.addrs); i < 0 || i >= len(blocks) {
		return 0, false
	}
	return ctype.MakePointer(blocks[i].ID, 0) + off, true
}

// cells lists the scalars of the input's objects, of the globals that count, of the result and of the first objects
// that were allocated. Their order depends on the case alone.
func (r *Runner) cells(c *Case) []uint64 {
	l := r.layouts[c]
	if l == nil {
		return nil
	}
	return r.Call(c).read(false).out
}

func (e *Call) read(where bool) *cellReader {
	k := &cellReader{e: e, where: where, fresh: make([]*ctype.Type, newObjects)}
	for i, a := range e.addrs {
		if a == 0 {
			continue
		}
		k.object(a, e.types[i], e.count[i])
	}
	s := e.suite
	for _, name := range s.Globals {
		for _, v := range s.Prog.Tree.Globals {
			if nameOf(v) != name {
				continue
			}
			if i, ok := s.Prog.GlobalIndex(v); ok {
				k.object(e.m.GlobalAddr(i), v.Type, 1)
			}
		}
	}
	result, place := cellUnknown, Scalar{}
	if t := s.Entry.Type.Result; t.IsScalar() {
		place = Scalar{Type: t, Result: true}
		if _, ended := e.m.Exited(); ended {
			result = k.word(e.m.Returned(), t)
		} else if w, ok := e.m.Result(); ok && where {
			result = k.word(w, t)
		}
	}
	k.add(result, place)
	at := len(k.out)
	k.out = append(k.out, make([]uint64, newObjects*newCells)...)
	if where {
		k.at = append(k.at, make([]Scalar, newObjects*newCells)...)
	}
	blocks := e.m.HeapBlocks()
	for i := 0; i < newObjects; i++ {
		if e.seq+i >= len(blocks) || k.fresh[i] == nil {
			continue
		}
		b := blocks[e.seq+i]
		part := &cellReader{e: e, where: where, fresh: k.fresh}
		part.object(ctype.MakePointer(b.ID, 0), k.fresh[i], 1)
		copy(k.out[at+i*newCells:at+(i+1)*newCells], part.out)
		if where {
			copy(k.at[at+i*newCells:at+(i+1)*newCells], part.at)
		}
	}
	return k
}

type cellReader struct {
	e     *Call
	where bool // collect the places, too
	out   []uint64
	at    []Scalar      // places of out
	fresh []*ctype.Type // types of new objects, by the pointers to them
}

func (k *cellReader) object(a ctype.Word, t *ctype.Type, count int64) {
	b, _ := k.e.m.Find(a)
	for e := int64(0); e < count; e++ {
		for _, s := range k.e.scalars(t) {
			at := a + ctype.Word(e*t.Size+s.off)
			w := cellFreed
			if b != nil && !b.Freed {
				w = cellUnset
				if v, ok := k.e.m.Peek(at, s.typ); ok {
					w = k.word(v, s.typ)
				}
			}
			k.add(w, Scalar{Addr: at, Type: s.typ})
		}
	}
}

func (k *cellReader) add(w uint64, p Scalar) {
	k.out = append(k.out, w)
	if k.where {
		k.at = append(k.at, p)
	}
}

func (k *cellReader) word(w ctype.Word, t *ctype.Type) uint64 {
	if t.Kind != ctype.Pointer || w == 0 {
		return w &^ (3 << 62)
	}
	id, off := ctype.SplitPointer(w)
	if i, ok := k.e.index[id]; ok {
		return cellPointer | uint64(i)<<16 | uint64(uint16(off))
	}
	b := k.e.m.Block(id)
	if b == nil || b.Kind != machine.Heap {
		return cellUnknown
	}
	i := b.Seq - 1 - k.e.seq
	if i >= 0 && i < newObjects && k.fresh[i] == nil && t.Elem.IsAggregate() {
		k.fresh[i] = t.Elem
	}
	return cellPointer | uint64(1+len(k.e.addrs)+i)<<16 | uint64(uint16(off))
}

// scalars lists the scalars of a type, and caches the list.
func (e *Call) scalars(t *ctype.Type) []scalar {
	s, ok := e.parts[t]
	if !ok {
		s = scalars(t, "", 0, nil)
		e.parts[t] = s
	}
	return s
}

// apart counts the cells that differ.
func apart(a, b []uint64) int {
	n := len(a) - len(b)
	if n < 0 {
		n = -n
	}
	for i := range a {
		if i < len(b) && a[i] != b[i] {
			n++
		}
	}
	return n
}
