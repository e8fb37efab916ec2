package testgen

import "math/rand"

// This file makes all inputs up to a size, instead of a sample.

// chooser makes the choices for one input.
type chooser interface {
	Intn(n int) int
	value(size int) int64          // of a node in a structure of that size
	integer(keys []int64) int64    // for an argument or global
	observed(values []int64) int64 // for a field that takes few values
	met() bool                     // whether all arguments shall be values of nodes
}

// sampler chooses at random.
type sampler struct {
	*rand.Rand
	near []int64 // numbers that occur in the program
	keys bool    // integers are often values of nodes
}

func (s sampler) value(int) int64 {
	if len(s.near) > 0 && s.Intn(8) == 0 {
		return s.beside()
	}
	return int64(s.Intn(20))
}

func (s sampler) beside() int64 { return s.near[s.Intn(len(s.near))] + int64(s.Intn(3)) - 1 }

func (s sampler) integer(keys []int64) int64 {
	if s.keys && len(keys) > 0 && s.Intn(5) < 2 {
		return keys[s.Intn(len(keys))]
	}
	v := int64(s.Intn(24)) - 2
	switch {
	case len(keys) > 0 && s.Intn(2) == 0:
		v = keys[s.Intn(len(keys))] + int64(s.Intn(3)) - 1
	case len(s.near) > 0 && s.Intn(4) == 0:
		v = s.beside()
	}
	return v
}

// met makes all arguments of half of the inputs values of nodes: otherwise several arguments would rarely all occur in
// the structure, and that case would hardly be tried.
func (s sampler) met() bool { return s.Intn(2) == 0 }

func (s sampler) observed(values []int64) int64 { return values[s.Intn(len(values))] }

// odometer enumerates all combinations of choices: the last choice that has another value left changes next.
type odometer struct {
	digits []digit
	at     int
}

type digit struct{ now, all int }

// Intn implements chooser.
func (o *odometer) Intn(n int) int {
	if o.at == len(o.digits) {
		o.digits = append(o.digits, digit{0, n})
	}
	o.at++
	return o.digits[o.at-1].now
}

// value chooses among as many values as there are nodes: comparisons cannot distinguish more.
func (o *odometer) value(size int) int64 { return int64(o.Intn(size)) }

// integer chooses among the values of nodes, one less and one more.
func (o *odometer) integer(keys []int64) int64 {
	lo, hi := int64(0), int64(0)
	for _, k := range keys {
		lo, hi = min(lo, k), max(hi, k)
	}
	return lo - 1 + int64(o.Intn(int(hi-lo)+3))
}

func (o *odometer) met() bool { return false } // integer enumerates the values of nodes anyway

func (o *odometer) observed(values []int64) int64 { return values[o.Intn(len(values))] }

// next moves on to the next combination; it reports whether there is one.
func (o *odometer) next() bool {
	o.digits, o.at = o.digits[:o.at], 0
	for n := len(o.digits); n > 0; n-- {
		if d := &o.digits[n-1]; d.now+1 < d.all {
			d.now++
			o.digits = o.digits[:n]
			return true
		}
	}
	return false
}

// All makes every input with up to so many nodes in all: values in all orders, and integers below, at, between and
// above them. It stops after limit inputs; complete reports whether these are all.
func (p *Plan) All(nodes, limit int) (ins []*Input, complete bool) {
	if len(p.parts) == 0 {
		return nil, false
	}
	for _, sizes := range p.upTo(nodes) {
		for _, forms := range p.shapesOf(sizes) {
			for o := (&odometer{}); ; {
				if len(ins) >= limit {
					return ins, false
				}
				ins = append(ins, p.build(forms, o))
				if !o.next() {
					break
				}
			}
		}
	}
	return ins, true
}

// upTo lists the sizes of all structures with at most so many nodes in all.
func (p *Plan) upTo(nodes int) [][]int {
	var out [][]int
	var walk func(l []int, left int)
	walk = func(l []int, left int) {
		if len(l) == len(p.parts) {
			out = append(out, append([]int(nil), l...))
			return
		}
		for k := 0; k <= left; k++ {
			walk(append(l, k), left-k)
		}
	}
	walk(nil, nodes)
	return out
}

// valued reports whether the values of a structure can be chosen freely.
func (s *Shape) valued() bool {
	if s.Kind == Tree && s.Order == Rising {
		return false
	}
	for _, d := range s.Fields {
		if d.What == Value {
			return true
		}
	}
	return false
}
