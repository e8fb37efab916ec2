package logic

import (
	"maps"

	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file makes inputs small before they are shown: y=1 is easier to read than y=893768989.

// mostSmaller bounds the inputs that are tried. It is a count, not a time, so that the result is the same everywhere.
const mostSmaller = 600

// small returns an input with smaller numbers on which the program fails, too. None of its numbers alone can be made
// smaller in the ways that are tried.
func (t *task) small(f *failure, in smt.Model) smt.Model {
	lazy := &smt.Lazy{}
	tries := 0
	fails := func(m smt.Model) bool {
		tries++
		lazy.Use(m)
		if lazy.Value(f.fail) != 1 || lazy.Value(t.inputs.assume) != 1 {
			return false
		}
		for _, o := range f.run.outs { // it is not known whether a cut run fails
			if o.Kind == symbolic.Cut && lazy.Value(o.Cond) == 1 {
				return false
			}
		}
		return true
	}
	if !fails(in) {
		return in
	}
	best := maps.Clone(in)
	for again := true; again; {
		again = false
		for _, s := range f.all {
			for _, v := range smaller(decimal(s, best)) {
				if s.Bounded() && (v < s.Lo || v > s.Hi) {
					continue
				}
				if tries >= mostSmaller {
					return best
				}
				next := maps.Clone(best)
				next[s.Name] = uint64(v) & maskOf(s)
				if fails(next) {
					best, again = next, true
					break
				}
			}
		}
	}
	return best
}

// smaller lists numbers that are simpler than n, simplest first.
func smaller(n int64) (out []int64) {
	size := func(v int64) uint64 { // negative numbers count as less simple than positive ones
		if v < 0 {
			return 2*uint64(-(v+1)) + 3
		}
		return 2 * uint64(v)
	}
	for _, v := range []int64{0, 1, -1, 2, 3, 5, 10, 100, n / 1_000_000, n / 1000, n / 10, n / 2, n - n/10, n - n/100, n - 1, n + 1, -n} {
		if size(v) < size(n) {
			out = append(out, v)
		}
	}
	return out
}
