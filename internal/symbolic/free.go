package symbolic

import (
	"fmt"
	"maps"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/smt"
)

// This file handles the numbers that a program takes from outside: the results of rand, time or input(). Each function
// has a stream of symbols. The n-th call on a way takes the n-th symbol, whatever way was taken before. So two programs
// with the same calls get the same numbers, and a native run can be given them in order.

// taken says how many symbols of a stream a state has taken. The number depends on the way, and is between lo and hi.
type taken struct {
	n      *smt.Term // 64 bits
	lo, hi int
	last   *smt.Term // last value of a clock
}

// symbol returns the symbol with index k of a stream.
func (e *Engine) symbol(stream string, k int, t *ctype.Type, width uint8) *smt.Term {
	name := fmt.Sprintf("%s#%d", stream, k+1)
	if stream == InputStream {
		name = fmt.Sprintf("%s%d", stream, k+1)
	}
	x := e.Terms.Var(name, width)
	if e.taken == nil {
		e.taken = map[string]bool{}
	}
	if !e.taken[name] {
		e.taken[name] = true
		e.Inputs = append(e.Inputs, Input{Name: name, Type: t, Term: x, Stream: stream, Index: k})
	}
	return x
}

// take returns the next symbol of a stream.
func (e *Engine) take(st *State, stream string, t *ctype.Type, width uint8) *smt.Term {
	c := st.takenOf(e, stream)
	st.setTaken(stream, c.next(e))
	return e.pick(c, stream, t, width)
}

// next returns the count after one more symbol is taken.
func (c taken) next(e *Engine) taken {
	c.n, c.lo, c.hi = e.Terms.Bin(smt.OpAdd, c.n, e.Word(1)), c.lo+1, c.hi+1
	return c
}

// pick returns the symbol of a stream that comes next after c were taken.
func (e *Engine) pick(c taken, stream string, t *ctype.Type, width uint8) (v *smt.Term) {
	ts := e.Terms
	for k := c.hi; k >= c.lo; k-- {
		x := e.symbol(stream, k, t, width)
		if v == nil {
			v = x
			continue
		}
		v = ts.Ite(ts.Eq(c.n, e.Word(uint64(k))), x, v)
	}
	return v
}

func (s *State) takenOf(e *Engine, stream string) taken {
	if c, ok := s.streams[stream]; ok {
		return c
	}
	return taken{n: e.Word(0), last: e.Word(0)}
}

func (s *State) setTaken(stream string, c taken) {
	s.streams = maps.Clone(s.streams) // other states may share it
	if s.streams == nil {
		s.streams = map[string]taken{}
	}
	s.streams[stream] = c
}

// mergeTaken returns what two merged states have taken; c is the path condition of b.
func (e *Engine) mergeTaken(c *smt.Term, a, b *State) map[string]taken {
	if len(a.streams) == 0 && len(b.streams) == 0 {
		return nil
	}
	out := map[string]taken{}
	for _, s := range []*State{a, b} {
		for _, name := range slices.Sorted(maps.Keys(s.streams)) {
			x, y := a.takenOf(e, name), b.takenOf(e, name)
			out[name] = taken{n: e.Terms.Ite(c, y.n, x.n), lo: min(x.lo, y.lo), hi: max(x.hi, y.hi), last: e.Terms.Ite(c, y.last, x.last)}
		}
	}
	return out
}

// InputStream is the stream of the paper's function input().
const InputStream = "input"

// outside are functions whose results are not determined by the program, with the width of their results (C11 7.22.2.1,
// 7.27.2; glibc's RAND_MAX is 2³¹-1).
var outside = map[string]uint8{
	"rand": 31, "random": 31, "lrand48": 31, "arc4random": 32, "mrand48": 32,
}

// clocks are functions whose results never decrease.
var clocks = []string{"time", "clock"}

// IsClock reports whether a stream has the values of a clock.
func IsClock(stream string) bool { return slices.Contains(clocks, stream) }

// clockWidth is the width of a clock's first value and of its increments from call to call, small enough that sums do
// not overflow.
const clockWidth = 40

func init() {
	for n, width := range outside {
		library[n] = func(e *Engine, st *State, _ *libCall) *smt.Term {
			t := ctype.LongT
			if n == "mrand48" {
				t = ctype.IntT
			}
			return e.Terms.Extend(e.take(st, n, t, width), t == ctype.IntT, 64)
		}
	}
	library["input"] = func(e *Engine, st *State, _ *libCall) *smt.Term {
		return e.wide(e.take(st, InputStream, ctype.IntT, 32), ctype.IntT)
	}
	library["input_int"] = library["input"]
	for _, n := range clocks {
		library[n] = libClock
	}
	library["getpid"] = func(e *Engine, _ *State, _ *libCall) *smt.Term { // all calls return the same
		return e.Terms.Bin(smt.OpAdd, e.Terms.Extend(e.symbol("getpid", 0, ctype.IntT, 22), false, 64), e.Word(1))
	}
	library["arc4random_uniform"] = func(e *Engine, st *State, c *libCall) *smt.Term {
		ts := e.Terms
		most := e.wide(e.narrow(c.args[0], ctype.UIntT), ctype.UIntT)
		v := ts.Extend(e.take(st, c.name, ctype.LongT, 32), false, 64)
		small := ts.Less(most, e.Word(2), false, false)
		return ts.Ite(small, e.Word(0), ts.Bin(smt.OpURem, v, ts.Ite(small, e.Word(1), most)))
	}
}

// libClock is time and clock. The result is no less than that of the call before.
func libClock(e *Engine, st *State, c *libCall) *smt.Term {
	ts := e.Terms
	v := ts.Extend(e.take(st, c.name, ctype.LongT, clockWidth), false, 64)
	now := st.takenOf(e, c.name)
	v = ts.Bin(smt.OpAdd, now.last, v)
	now.last = v
	st.setTaken(c.name, now)
	if len(c.args) == 0 {
		return v
	}
	if k, ok := c.args[0].IsConst(); ok && k == 0 {
		return v
	}
	if !e.store(st, c.args[0], 8, v) {
		return nil
	}
	return v
}
