package machine

import (
	"math/rand"
	"slices"
	"testing"
)

// TestBits compares what is known of many bytes at once with what is known of each.
func TestBits(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for range 20000 {
		const size = 200
		init := make([]byte, size/8)
		dense := rnd.Intn(3)
		for i := range init {
			init[i] = 0xff
			if dense == 0 || dense == 1 && rnd.Intn(8) == 0 {
				init[i] = byte(rnd.Intn(256))
			}
		}
		bits := func(x []byte) (out []bool) {
			for i := range size {
				out = append(out, x[i>>3]&(1<<(i&7)) != 0)
			}
			return out
		}
		n := int64(1 + rnd.Intn(size-1))
		from, to := int64(rnd.Intn(size+1-int(n))), int64(rnd.Intn(size+1-int(n)))
		b := &Block{Init: init, Size: size}
		want := bits(init)
		if got := b.initialized(from, n); got != !slices.Contains(want[from:from+n], false) {
			t.Fatalf("initialized(%d, %d) is %v of %v", from, n, got, want)
		}
		other := slices.Clone(init)
		rnd.Read(other)
		b2 := bits(other)
		copy(b2[to:to+n], want[from:from+n])
		copyBits(other, to, init, from, n)
		if !slices.Equal(bits(other), b2) {
			t.Fatalf("%d bits from %d to %d", n, from, to)
		}
		copy(want[to:to+n], want[from:from+n])
		copyBits(init, to, init, from, n) // they may overlap
		if !slices.Equal(bits(init), want) {
			t.Fatalf("%d bits from %d to %d of the same block", n, from, to)
		}
		for i := range want[from : from+n] {
			want[from:][i] = true
		}
		b.markInit(from, n)
		if !slices.Equal(bits(init), want) {
			t.Fatalf("markInit(%d, %d)", from, n)
		}
	}
}
