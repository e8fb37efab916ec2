package symbolic

import (
	"gulo/internal/smt"
)

// This file merges two states that meet, and orders blocks so that states meet early.

// merge returns a state for the ways of both states; on the ways of b it has what b has. Precondition: both are at the
// same place of the same call.
func (e *Engine) merge(a, b *State) *State {
	ts := e.Terms
	c := b.PC
	e.epoch++
	out := &State{PC: ts.Or(a.PC, b.PC), epoch: e.epoch, printed: joined(a.printed, b.printed), streams: e.mergeTaken(c, a, b)}
	out.frames = append([]*frame(nil), a.frames...)
	fa, fb := a.top(), b.top()
	f := *fa
	f.regs = make([]*smt.Term, len(fa.regs))
	for i := range f.regs {
		x, y := fa.regs[i], fb.regs[i]
		switch {
		case x == nil || x == y:
			f.regs[i] = y
		case y == nil:
			f.regs[i] = x
		default:
			f.regs[i] = ts.Ite(c, y, x)
		}
	}
	if f.varargs == 0 {
		f.varargs = fb.varargs
	}
	out.frames[len(out.frames)-1] = &f
	out.mem = make([]*object, max(len(a.mem), len(b.mem)))
	for i := range out.mem {
		x, y := a.object(uint32(i)), b.object(uint32(i))
		switch {
		case x == nil || x == y:
			out.mem[i] = y
		case y == nil:
			out.mem[i] = x
		default:
			out.mem[i] = e.mergeObjects(c, x, y, out.epoch)
		}
	}
	return out
}

func (e *Engine) mergeObjects(c *smt.Term, x, y *object, epoch int) *object {
	ts := e.Terms
	o := *x
	o.epoch, o.watched = epoch, x.watched || y.watched
	o.cells = make(map[int64]cell, len(x.cells))
	if x.live != y.live {
		live := func(l *smt.Term) *smt.Term {
			if l == nil {
				return ts.True
			}
			return l
		}
		o.live = ts.Ite(c, live(y.live), live(x.live))
	}
	same := true
	for k, v := range x.cells {
		if w, ok := y.cells[k]; !ok || w.n != v.n {
			same = false
			break
		}
	}
	if !same || len(x.cells) != len(y.cells) {
		x, y = e.aligned(x, y)
	}
	for _, k := range x.offsets() { // in order, since terms are numbered by when they are made
		v, w := x.cells[k], y.cells[k]
		if v == w {
			o.cells[k] = v
			continue
		}
		n := cell{n: v.n, v: ts.Ite(c, w.v, v.v), start: v.start || w.start}
		if v.def != nil || w.def != nil {
			n.def = ts.Ite(c, w.defined(ts), v.defined(ts))
			if n.def == ts.True {
				n.def = nil
			}
		}
		// A cell that one way never wrote takes the value of the other.
		switch ts.False {
		case w.def:
			n.v = v.v
		case v.def:
			n.v = w.v
		}
		o.cells[k] = n
	}
	return &o
}

// aligned returns copies of two objects whose cells have the same offsets and sizes.
func (e *Engine) aligned(x, y *object) (*object, *object) {
	a, b := *x, *y
	a.cells, b.cells = map[int64]cell{}, map[int64]cell{}
	for k, v := range x.cells {
		a.cells[k] = v
	}
	for k, v := range y.cells {
		b.cells[k] = v
	}
	fit := func(from, to *object) {
		for _, k := range from.offsets() {
			c, ok := from.cells[k]
			if !ok {
				continue
			}
			if d, ok := to.cells[k]; ok && d.n == c.n {
				continue
			}
			overlap := false
			for at := k - 7; at < k+c.n; at++ {
				if d, ok := to.cells[at]; ok && at+d.n > k {
					overlap = true
				}
			}
			if !overlap {
				v, def := e.get(to, k, c.n)
				to.cells[k] = cell{c.n, v, defOrNil(e.Terms, def), to.watched && to.begun(k, c.n)}
				continue
			}
			delete(from.cells, k)
			for i := int64(0); i < c.n; i++ {
				from.cells[k+i] = cell{1, e.Terms.Extract(c.v, uint8(8*i), 8), c.def, c.start}
			}
		}
	}
	fit(&a, &b)
	fit(&b, &a)
	fit(&a, &b)
	fit(&b, &a)
	return &a, &b
}

func defOrNil(ts *smt.Terms, def *smt.Term) *smt.Term {
	if def == ts.True {
		return nil
	}
	return def
}

// order is a weak topological order of a function's blocks. The blocks of a loop are contiguous, so that all ways of a
// round meet before the next round, and all ways out of a loop before what follows it (Bourdoncle, "Efficient chaotic
// iteration strategies with widenings", 1993).
type order struct {
	at     []int
	head   map[int32]bool    // heads of loops
	inside map[int32][]int32 // for each head, the heads of loops inside
}

// first returns the block that comes first in the order.
func (o *order) first(list map[int32]*State) int32 {
	best := int32(-1)
	for b := range list {
		if best < 0 || o.at[b] < o.at[best] {
			best = b
		}
	}
	return best
}

// wto computes the order with Bourdoncle's recursive algorithm.
type wto struct {
	succ  [][]int32
	dfn   []int
	num   int
	stack []int32
	out   []int32 // backwards
	head  map[int32]bool
	size  map[int32]int // of the loop with this head, in blocks
}

const visited = int(^uint(0) >> 1)

func (e *Engine) order(index int32) *order {
	if o, ok := e.orders[index]; ok {
		return o
	}
	f := e.Prog.IR.Funcs[index]
	w := &wto{succ: make([][]int32, len(f.Blocks)), dfn: make([]int, len(f.Blocks)), head: map[int32]bool{}, size: map[int32]int{}}
	for i, b := range f.Blocks {
		b.Succs(func(t int32) { w.succ[i] = append(w.succ[i], t) })
	}
	w.visit(0)
	o := &order{at: make([]int, len(f.Blocks)), head: w.head, inside: map[int32][]int32{}}
	for i, b := range w.out {
		o.at[b] = len(w.out) - i
	}
	for h := range w.head {
		for g := range w.head {
			if o.at[g] > o.at[h] && o.at[g] < o.at[h]+w.size[h] {
				o.inside[h] = append(o.inside[h], g)
			}
		}
	}
	e.orders[index] = o
	return o
}

func (w *wto) visit(v int32) int {
	w.stack = append(w.stack, v)
	w.num++
	w.dfn[v] = w.num
	head, loop := w.num, false
	for _, s := range w.succ[v] {
		m := w.dfn[s]
		if m == 0 {
			m = w.visit(s)
		}
		if m <= head {
			head, loop = m, true
		}
	}
	if head != w.dfn[v] {
		return head
	}
	w.dfn[v] = visited
	x := w.pop()
	if !loop {
		w.out = append(w.out, v)
		return head
	}
	for x != v {
		w.dfn[x] = 0
		x = w.pop()
	}
	w.head[v] = true
	before := len(w.out)
	for _, s := range w.succ[v] { // the component, after its head
		if w.dfn[s] == 0 {
			w.visit(s)
		}
	}
	w.out = append(w.out, v)
	w.size[v] = len(w.out) - before
	return head
}

func (w *wto) pop() int32 {
	v := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	return v
}
