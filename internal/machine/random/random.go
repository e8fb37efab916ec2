// Package random is the random numbers of glibc, so that seeded programs print what they print natively.
package random

import (
	"slices"
	"sync"
)

// Generator is the additive feedback generator of random (TYPE_3).
type Generator struct {
	r [34]int32
	s []uint32
}

var unseeded = sync.OnceValue(func() *Generator { return New(1) })

// First returns the generator that a program begins with.
func First() *Generator { return unseeded().Clone() }

// Clone returns a generator that goes on with the same numbers.
func (g *Generator) Clone() *Generator {
	h := *g
	h.s = slices.Clone(g.s)
	return &h
}

// New returns the generator that srandom(seed) makes.
func New(seed uint32) *Generator {
	g := &Generator{}
	if seed == 0 {
		seed = 1
	}
	g.r[0] = int32(seed)
	for i := 1; i < 31; i++ {
		v := (16807 * int64(g.r[i-1])) % 2147483647
		if v < 0 {
			v += 2147483647
		}
		g.r[i] = int32(v)
	}
	g.s = make([]uint32, 0, 344)
	for i := 0; i < 31; i++ {
		g.s = append(g.s, uint32(g.r[i]))
	}
	for i := 31; i < 34; i++ {
		g.s = append(g.s, g.s[i-31])
	}
	for i := 34; i < 344; i++ {
		g.s = append(g.s, g.s[i-31]+g.s[i-3])
	}
	g.s = g.s[344-31:]
	return g
}

// Next returns the next number.
func (g *Generator) Next() int32 {
	n := len(g.s)
	v := g.s[n-31] + g.s[n-3]
	g.s = append(g.s, v)
	if len(g.s) > 4096 {
		g.s = append([]uint32(nil), g.s[len(g.s)-31:]...)
	}
	return int32(v >> 1)
}

// Next48 steps the generator of drand48 and its relatives.
func Next48(x uint64) uint64 { return (x*0x5deece66d + 0xb) & (1<<48 - 1) }
