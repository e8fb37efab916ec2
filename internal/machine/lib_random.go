package machine

import (
	"maps"

	"gulo/internal/ctype"
	"gulo/internal/machine/random"
)

// This file is initstate and setstate. What the generator of random has is kept beside the program's memory, by the
// address that it is called by.

func init() { register(map[string]builtin{"initstate": libInitstate, "setstate": libSetstate}) }

// generators is the random numbers of a process.
type generators struct {
	m          *Machine
	rand48     uint64
	random     *random.Generator
	generator  ctype.Word                       // the state that random has now; 0 for the first
	generators map[ctype.Word]*random.Generator // the others, by state; not changed in place
}

// clone copies the generator that is changed in place.
func (gen generators) clone() generators {
	gen.random = gen.random.Clone()
	return gen
}

// randomState is the address of the state that random has now.
func (gen *generators) randomState() ctype.Word {
	m := gen.m
	if gen.generator != 0 {
		return gen.generator
	}
	if w := m.lib.tables["random"]; w != 0 {
		return w
	}
	b := m.newBlock(Global, 128)
	b.Name = "the first state of random"
	return m.lib.keep("random", ctype.MakePointer(b.ID, 0))
}

// generate makes random use g under an address, and returns the address before.
func (gen *generators) generate(at ctype.Word, g *random.Generator) ctype.Word {
	old := gen.randomState()
	gen.generators = maps.Clone(gen.generators)
	if gen.generators == nil {
		gen.generators = map[ctype.Word]*random.Generator{}
	}
	gen.generators[old] = gen.random
	if g == nil {
		g = gen.generators[at]
	}
	gen.random, gen.generator = g.Clone(), at
	return old
}

func libInitstate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.arg(2)
	switch {
	case n < 8:
		m.set(errINVAL)
		return 0, nil
	case n < 128 || n >= 256:
		return 0, m.fault(Unsupported, 0, "initstate of less than 128 bytes or more than 255 is not supported")
	}
	if _, _, f := m.access(c.arg(1), 128, true); f != nil {
		return 0, f
	}
	return m.lib.generators.generate(c.arg(1), random.New(uint32(c.arg(0)))), nil
}

func libSetstate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	at := c.arg(0)
	if _, ok := m.lib.generators.generators[at]; !ok && at != m.lib.generators.randomState() {
		return 0, m.fault(Unsupported, 0, "setstate of what initstate and setstate have not had is not supported")
	}
	if _, _, f := m.access(at, 128, false); f != nil {
		return 0, f
	}
	return m.lib.generators.generate(at, nil), nil
}
