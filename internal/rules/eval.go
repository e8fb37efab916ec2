package rules

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// This file evaluates plans over a State.

// Detector is a rule that can be evaluated. It is used by one goroutine.
type Detector struct {
	*Plan
	number func(fn string) uint64
	s      State
	slots  []uint64
}

// Options are set by the engine and the user.
type Options struct {
	Names map[string]string        // functions for names that stand for one, such as ts
	Func  func(name string) uint64 // returns the number of a function
}

// Compile makes a detector for a rule of a file.
func Compile(f *File, r *Rule, o Options) (*Detector, error) {
	p, err := NewPlan(f, r, o.Names)
	if err != nil {
		return nil, err
	}
	return &Detector{Plan: p, number: o.Func, slots: make([]uint64, len(p.Slots))}, nil
}

// At reports whether a plan applies to a detection point of a function.
func (p *Plan) At(k PointKind, fn string) bool {
	switch p.Rule.Point.Kind {
	case Deref:
		return k == DerefR || k == DerefW
	case Call, Ret:
		return k == p.Rule.Point.Kind && (p.Func == "_" || p.Func == fn)
	}
	return k == p.Rule.Point.Kind
}

// AskMoved reports whether a plan is evaluated when bytes are only copied: not if it is about what was written, since a
// copy does not use the values.
func (p *Plan) AskMoved() bool { return p.Needs&(TrackLastWrite|TrackWrites) == 0 }

// Fires evaluates the condition at a point whose pointer or argument has the value v; n is the size of an access in
// bytes. It returns the pointers whose chains the rule asks for.
func (d *Detector) Fires(s State, v uint64, n int64) (chains []uint64, ok bool) {
	d.s = s
	for i := int64(0); i < max(n, 1); i++ {
		if d.Ends && i > 0 && i < n-1 {
			i = n - 1
		}
		if d.Point >= 0 {
			d.slots[d.Point] = v + uint64(i)
		}
		if d.cond(d.Cond) {
			for _, c := range d.Chains {
				chains = append(chains, d.slots[c])
			}
			return chains, true
		}
		if d.Point < 0 {
			break
		}
	}
	return nil, false
}

// Blocks lists the blocks that make the condition true, if the condition is about blocks: "exists bid in H suchthat
// ..." or "dom(H) != {}". It must be called after Fires.
func (d *Detector) Blocks(s State) []uint64 {
	var out []uint64
	if w := d.Witness; w != nil {
		d.s = s
		s.Blocks(w.In, func(bid uint64) bool {
			d.slots[w.Slot] = bid
			if d.such(w.Such) {
				out = append(out, bid)
			}
			return true
		})
	}
	return out
}

func (d *Detector) such(c Cond) bool { return c == nil || d.cond(c) }

// cond evaluates a condition.
func (d *Detector) cond(c Cond) bool {
	switch c := c.(type) {
	case *And:
		return d.cond(c.X) && d.cond(c.Y)
	case *Or:
		if d.cond(c.X) {
			d.move(c.Left)
			return true
		}
		if d.cond(c.Y) {
			d.move(c.Right)
			return true
		}
		return false
	case *Negation:
		return !d.cond(c.X)
	case *Let:
		for i, t := range c.Terms {
			w, ok := d.term(t)
			if !ok {
				return false
			}
			d.slots[c.Slots[i]] = w
		}
		return d.cond(c.In)
	case *Compare:
		return d.compare(c)
	case *NullTest:
		w, ok := d.term(c.X)
		return ok && d.s.IsNull(w) != c.Ne
	case *Empties:
		none := true
		d.s.Blocks(c.In, func(uint64) bool { none = false; return false })
		return none != c.Ne
	case *SameContents:
		return d.contents(c)
	case *Search:
		return d.search(c)
	case *Each:
		found := false
		d.s.Blocks(c.In, func(bid uint64) bool {
			d.slots[c.Slot] = bid
			found = d.such(c.Such) != c.All
			return !found
		})
		return found != c.All
	case *Member:
		bid, ok := d.term(c.Bid)
		d.slots[c.Slot] = bid
		return ok && d.s.Member(c.In, bid)
	case *EachPointer:
		found := false
		d.s.Pointers(func(p uint64) bool {
			bid, idx, ok := d.s.Locate(p)
			if ok && d.match(c.Match[0], p) && d.match(c.Match[1], bid) && d.match(c.Match[2], uint64(idx)) {
				found = d.such(c.Such) != c.All
			}
			return !found
		})
		return found != c.All
	}
	panic(fmt.Sprintf("rules: condition %T", c))
}

func (d *Detector) move(ms []Move) {
	for _, m := range ms {
		d.slots[m.To] = d.slots[m.From]
	}
}

func (d *Detector) match(m Match, w uint64) bool {
	switch {
	case m.Any:
		return true
	case m.Func != "":
		return w == d.number(m.Func)
	case m.Term != nil:
		v, ok := d.term(m.Term)
		return ok && v == w
	case m.Bind:
		d.slots[m.Slot] = w
		return true
	}
	return d.slots[m.Slot] == w
}

func (d *Detector) search(c *Search) bool {
	var only Filter
	if c.Bid != nil {
		only.Bid = math.MaxUint64 // no block has this id
		if bid, ok := d.term(c.Bid); ok {
			only.Bid = bid
		}
	}
	if c.At >= 0 {
		only.At, only.HasAt = d.slots[c.At], true
	}
	if c.Func != "" {
		only.Func, only.HasFn = d.number(c.Func), true
	}
	found := false
	d.s.Events(c.Kind, c.Back, only, func(e *Event) bool {
		if !d.match(c.Time, uint64(e.Time)) {
			return true
		}
		for i, m := range c.Args {
			if !d.match(m, e.Args[i]) {
				return true
			}
		}
		found = d.such(c.Such) != c.All
		return !found
	})
	return found != c.All
}

func (d *Detector) compare(c *Compare) bool {
	a, ok := d.term(c.X)
	b, ok2 := d.term(c.Y)
	if !ok || !ok2 {
		return c.Op == "!="
	}
	switch c.Op {
	case "==":
		return a == b
	case "!=":
		return a != b
	}
	n := 0
	if c.Pointers {
		if n, ok = order(d.s, a, b); !ok {
			return false
		}
	} else if int64(a) < int64(b) {
		n = -1
	} else if a != b {
		n = 1
	}
	switch c.Op {
	case "<":
		return n < 0
	case "<=":
		return n <= 0
	case ">":
		return n > 0
	}
	return n >= 0
}

// order compares two pointers into the same block by offset; ok is false if they are not.
func order(s State, a, b uint64) (int, bool) {
	x, i, ok := s.Locate(a)
	y, j, ok2 := s.Locate(b)
	switch {
	case !ok || !ok2 || x != y:
		return 0, false
	case i < j:
		return -1, true
	case i > j:
		return 1, true
	}
	return 0, true
}

func (d *Detector) contents(c *SameContents) bool {
	i, ok := d.term(c.X)
	j, ok2 := d.term(c.Y)
	if !ok || !ok2 {
		return c.Ne
	}
	p, ok := d.s.Contents(i)
	q, ok2 := d.s.Contents(j)
	return (ok && ok2 && bytes.Equal(p, q)) != c.Ne
}

// term evaluates a term.
func (d *Detector) term(t Term) (uint64, bool) {
	switch t := t.(type) {
	case *Var:
		return d.slots[t.Slot], true
	case *Const:
		return t.Value, true
	case *FuncName:
		return d.number(t.Name), true
	case *Arith:
		a, ok := d.term(t.X)
		b, ok2 := d.term(t.Y)
		switch t.Op {
		case "+":
			a += b
		case "-":
			a -= b
		case "*":
			a *= b
		case "&":
			a &= b
		case "|":
			a |= b
		}
		return a, ok && ok2
	case *FirstWord:
		bid, ok := d.term(t.X)
		if !ok {
			return 0, false
		}
		data, ok := d.s.Contents(bid)
		var w [8]byte
		copy(w[:], data)
		return binary.LittleEndian.Uint64(w[:]), ok
	case *Fn:
		return d.function(t)
	}
	panic(fmt.Sprintf("rules: term %T", t))
}

func (d *Detector) function(t *Fn) (uint64, bool) {
	w, ok := d.term(t.X)
	if !ok {
		return 0, false
	}
	bid, idx := w, int64(0)
	if !t.Block {
		if t.Name == "Value" {
			return d.s.Value(w)
		}
		if bid, idx, ok = d.s.Locate(w); !ok {
			return 0, false
		}
	}
	switch t.Name {
	case "Bid":
		return bid, true
	case "Idx":
		return uint64(idx), true
	}
	i, ok := d.s.Block(bid)
	switch t.Name {
	case "Begin":
		return i.Begin, ok
	case "End":
		return i.Begin + uint64(i.Size), ok
	case "Size":
		return uint64(i.Size), ok
	}
	return uint64(i.Time), ok
}
