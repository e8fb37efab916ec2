package trace

import "math/bits"

// bitset is a version space: the candidates of a place that are still consistent.
type bitset []uint64

func full(n int) bitset {
	b := make(bitset, (n+63)/64)
	for i := range b {
		b[i] = ^uint64(0)
	}
	if n%64 != 0 && n > 0 {
		b[len(b)-1] = 1<<(n%64) - 1
	}
	return b
}

func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b bitset) set(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) add(list []int32) {
	for _, i := range list {
		b.set(int(i))
	}
}

// first returns the first member of a set; -1 if it is empty.
func (b bitset) first() int {
	for i, w := range b {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (b bitset) any() bool {
	for _, w := range b {
		if w != 0 {
			return true
		}
	}
	return false
}

func (b bitset) each(f func(i int)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}
