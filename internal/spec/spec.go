// Package spec holds what a debug session asserts about a program: segments
// from one trusted state to an asserted one, with the statements between and
// the control decisions that were forced or accepted.
//
// A segment is concrete at both ends (Wolverine2, "Debug-Localize-Repair",
// section 3.1: the trace between two specs); segments share nothing but the
// program's text.
package spec

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
)

// Item is one executed statement of a trace.
type Item struct {
	Stmt     int32
	Decision int8                       // Cond: 1 or 0; otherwise -1
	Forced   bool                       // the user decided
	Vars     map[*cfront.Var]ctype.Word // where the variables of its frame live
	Gaps     []int32                    // gaps crossed after it
	Concrete *Delta                     // what it did, for statements that are not modelled
}

// Cell is an asserted entity.
type Cell struct {
	Key  string
	Addr ctype.Word
	Type *ctype.Type
	Word ctype.Word
}

// Segment is a piece of a trace with its two ends.
type Segment struct {
	Start  *heap.Image // state before the first item
	Items  []Item
	Before []int32 // gaps crossed before the first item
	End    []Cell  // asserted after the last item
	At     int32   // the statement at which End is asserted
	Label  string  // names the assertion: "checkpoint 2"
	From   string  // names the assertion that the segment starts from; empty for none
}

// Delta is the recorded effect of a statement that is executed as a whole.
type Delta struct {
	Writes []Write
	Live   []LiveChange
	New    []*heap.Object // nodes allocated, as they were afterwards
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
	for _, o := range after.Objects {
		p := before.Find(o.Addr)
		if p == nil || p.Addr != o.Addr || len(p.Data) != len(o.Data) || p.Kind != o.Kind || p.Var != o.Var {
			if o.Kind == heap.Node {
				d.New = append(d.New, o)
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

// Prepare returns a copy of the segment's start state in which every node that
// the segment allocates exists, not live yet.
func (s *Segment) Prepare() *heap.Image {
	im := s.Start.Clone()
	added := false
	for i := range s.Items {
		if d := s.Items[i].Concrete; d != nil {
			for _, n := range d.New {
				if im.Find(n.Addr) == nil {
					c := *n
					c.Live = false
					c.Data = append([]byte(nil), n.Data...)
					c.Undef = append([]bool(nil), n.Undef...)
					if n.Undef == nil {
						c.Undef = nil
					}
					im.Add(&c)
					added = true
				}
			}
		}
	}
	if added {
		vars := im.Vars()
		im.Sort()
		im.SetVars(vars)
	}
	return im
}
