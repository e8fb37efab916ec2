// Package spec holds what a debug session asserts about a program: segments
// from one trusted state to an asserted one, with the statements between and
// the control decisions that were forced or accepted.
//
// A segment is concrete at both ends (Wolverine2, "Debug-Localize-Repair",
// section 3.1: the trace between two specs); segments share nothing but the
// program's text.
package spec

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// ItemKind says which part of a statement an item is.
type ItemKind uint8

const (
	Whole  ItemKind = iota // the whole statement
	Enter                  // up to a call of a function under repair
	Leave                  // the closing brace of a function: its frame is gone
	Finish                 // what is left of a statement after its last such call
)

// Item is one executed statement of a trace, or a part of one.
type Item struct {
	Stmt     int32
	Kind     ItemKind
	Decision int8                       // Cond: 1 or 0; otherwise -1
	Forced   bool                       // the user decided
	Vars     map[*cfront.Var]ctype.Word // where the variables of its frame live
	Gaps     []int32                    // gaps crossed after it
	Concrete *Delta                     // what it did, for statements that are not modelled
	Allocs   []*heap.Object             // nodes that it allocated, in order, when it is modelled
	Frame    *Frame                     // Enter, Leave: the activation
	Results  []ctype.Word               // Enter, Finish: where the results of the statement's calls so far are
}

// Frame is one activation of a function.
type Frame struct {
	Func   *cfront.Func
	Vars   map[*cfront.Var]ctype.Word // locals, parameters and the result
	Result ctype.Word                 // address of the result
	Outer  bool                       // it was active before the segment began
}

// Owns reports whether a variable is the activation's own: no global or static.
func (f *Frame) Owns(v *cfront.Var) bool {
	return v.Storage == cfront.Local || v.Storage == cfront.Param
}

// GapVars returns where the variables live that code in the gaps after the item
// can name.
func (it *Item) GapVars() map[*cfront.Var]ctype.Word {
	if it.Kind == Enter {
		return it.Frame.Vars
	}
	return it.Vars
}

// Cell is an asserted entity.
type Cell struct {
	Key  string
	Addr ctype.Word
	Type *ctype.Type
	Word ctype.Word
	Text string // the value as people read it
}

// Segment is a piece of a trace with its two ends.
type Segment struct {
	Start  *heap.Image // state before the first item
	Items  []Item
	Before []int32      // gaps crossed before the first item
	End    []Cell       // asserted after the last item
	Freed  []ctype.Word // nodes of the start that are freed at the end
	At     int32        // the statement at which End is asserted
	Label  string       // names the assertion: "checkpoint 2"
	Call   int          // the call of a function under repair that it belongs to; 0 for none
	From   string       // names the assertion that the segment starts from; empty for none

	Fresh []*heap.Object // nodes that the user made with change ENTITY new, as they were then
}

// Delta is the recorded effect of a statement that is executed as a whole.
type Delta struct {
	Writes []Write
	Live   []LiveChange
	New    []*heap.Object // nodes allocated, as they were afterwards
	Arrays []*heap.Object // arrays of variable length made, as they were afterwards
}

// Write is a run of bytes that changed.
type Write struct {
	Addr  ctype.Word
	Bytes []byte
}

// LiveChange is an allocation or a free.
type LiveChange struct {
	Addr ctype.Word
	Live bool
}

// Difference records what changed between two images of one run; locals of
// frames that only one has are left out.
func Difference(before, after *heap.Image) *Delta {
	d := &Delta{}
	for o := range after.Others(before) {
		p := before.Find(o.Addr)
		if p == nil || p.Addr != o.Addr || len(p.Data) != len(o.Data) || p.Kind != o.Kind || p.Var != o.Var {
			switch {
			case o.Kind == heap.Node:
				d.New = append(d.New, o)
			case o.Kind == heap.Local && o.Var.VLALen != nil:
				d.Arrays = append(d.Arrays, o)
			}
			continue
		}
		if o.Kind == heap.Node && o.Live != p.Live {
			d.Live = append(d.Live, LiveChange{o.Addr, o.Live})
		}
		same := func(i int) bool {
			written := p.Undef != nil && p.Undef[i] && (o.Undef == nil || !o.Undef[i])
			return o.Data[i] == p.Data[i] && !written
		}
		for i := 0; i < len(o.Data); {
			if same(i) {
				i++
				continue
			}
			j := i
			for j < len(o.Data) && !same(j) {
				j++
			}
			d.Writes = append(d.Writes, Write{o.Addr + ctype.Word(i), o.Data[i:j]})
			i = j
		}
	}
	return d
}

// Apply repeats a recorded effect in an image, with rollback. Nodes that the
// effect allocates must be in the image, not live.
func (d *Delta) Apply(im *heap.Image) {
	for _, n := range d.New {
		if o := im.Find(n.Addr); o != nil && o.Kind == heap.Node {
			im.SetLive(o, true)
		}
	}
	for _, o := range d.Arrays {
		var gone []ctype.Word // those of scopes that were left
		for p := range im.Each {
			if p.Kind == heap.Local && p.Var.VLALen != nil && p.Addr < o.End() && o.Addr < p.End() {
				gone = append(gone, p.Addr)
			}
		}
		for _, a := range gone {
			im.Remove(a)
		}
		x := *o
		x.Data, x.Undef = slices.Clone(o.Data), slices.Clone(o.Undef)
		im.Push(&x)
	}
	for _, w := range d.Writes {
		for i, b := range w.Bytes {
			im.Store(w.Addr+ctype.Word(i), ctype.UCharT, ctype.Word(b))
		}
	}
	for _, l := range d.Live {
		if o := im.Find(l.Addr); o != nil {
			im.SetLive(o, l.Live)
		}
	}
}

// Holds reports whether the asserted state is that of the segment's start.
func (s *Segment) Holds() bool {
	for _, c := range s.End {
		if !s.Start.Holds(c.Addr, c.Type, c.Word) {
			return false
		}
	}
	return true
}

// Prepare returns a copy of the segment's start state that also has every node that the segment allocates, not live
// yet, and cells for the results of the functions that are active at the start.
func (s *Segment) Prepare() *heap.Image {
	im := s.Start.Clone()
	vars := im.Vars()
	add := func(n *heap.Object, unknown bool) {
		if im.Find(n.Addr) != nil {
			return
		}
		c := *n
		c.Live = false
		c.Data = append([]byte(nil), n.Data...)
		c.Undef = append([]bool(nil), n.Undef...)
		if unknown {
			c.Undef = Unknown(len(c.Data))
		} else if n.Undef == nil {
			c.Undef = nil
		}
		im.Add(&c)
		im.Sort()
	}
	for i := range s.Items {
		it := &s.Items[i]
		if it.Concrete != nil {
			for _, n := range it.Concrete.New {
				add(n, false)
			}
		}
		for _, n := range it.Allocs {
			add(n, true)
		}
		if it.Kind != Enter {
			if v, a, ok := s.outerResult(it); ok && im.Find(a) == nil {
				add(&heap.Object{Addr: a, Kind: heap.Local, Var: v, Data: make([]byte, v.Type.Size), Live: true}, true)
				im.Find(a).Live = true
			}
		}
	}
	for _, n := range s.Fresh {
		add(n, true)
	}
	im.SetVars(vars)
	return im
}

// Dead lists the nodes of the segment's start that an end state has freed.
func (s *Segment) Dead(end *heap.Image) []ctype.Word {
	var out []ctype.Word
	for _, o := range s.Start.All() {
		if o.Kind != heap.Node || !o.Live {
			continue
		}
		if p := end.Find(o.Addr); p != nil && p.Addr == o.Addr && !p.Live {
			out = append(out, o.Addr)
		}
	}
	return out
}

// outerResult returns the result cell of an item whose function was active
// before the segment began.
func (s *Segment) outerResult(it *Item) (*cfront.Var, ctype.Word, bool) {
	for v, a := range it.Vars {
		if v.Func != nil && v.Func.Result == v {
			return v, a, true
		}
	}
	return nil, 0, false
}

// Unknown returns the marks of n bytes that were never written.
func Unknown(n int) []bool {
	u := make([]bool, n)
	for i := range u {
		u[i] = true
	}
	return u
}

// Supply lists the nodes that Malloc may hand out at an item: those that the
// item allocated itself, then those that the user made.
func (s *Segment) Supply(it *Item) []ctype.Word {
	if len(it.Allocs)+len(s.Fresh) == 0 {
		return nil
	}
	out := make([]ctype.Word, 0, len(it.Allocs)+len(s.Fresh))
	for _, n := range it.Allocs {
		out = append(out, n.Addr)
	}
	for _, n := range s.Fresh {
		out = append(out, n.Addr)
	}
	return out
}
