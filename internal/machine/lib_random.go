package machine

import (
	"maps"
	"slices"

	"gulo/internal/ctype"
)

// This file is initstate and setstate. What the generator of random has is kept beside the program's memory, by the
// address that it is called by.

func init() { register(map[string]builtin{"initstate": libInitstate, "setstate": libSetstate}) }

// randomState is the address of the state that random has now.
func (l *library) randomState() ctype.Word {
	if l.generator != 0 {
		return l.generator
	}
	if w := l.tables["random"]; w != 0 {
		return w
	}
	b := l.m.newBlock(Global, 128)
	b.Name = "the first state of random"
	return l.keep("random", ctype.MakePointer(b.ID, 0))
}

// generate makes random use g under an address, and returns the address before.
func (l *library) generate(at ctype.Word, g *glibcRandom) ctype.Word {
	old := l.randomState()
	l.generators = maps.Clone(l.generators)
	if l.generators == nil {
		l.generators = map[ctype.Word]*glibcRandom{}
	}
	l.generators[old] = l.random
	if g == nil {
		g = l.generators[at]
	}
	next := *g
	next.s = slices.Clone(g.s)
	l.random, l.generator = &next, at
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
	return m.lib.generate(c.arg(1), newRandom(uint32(c.arg(0)))), nil
}

func libSetstate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	at := c.arg(0)
	if _, ok := m.lib.generators[at]; !ok && at != m.lib.randomState() {
		return 0, m.fault(Unsupported, 0, "setstate of what initstate and setstate have not had is not supported")
	}
	if _, _, f := m.access(at, 128, false); f != nil {
		return 0, f
	}
	return m.lib.generate(at, nil), nil
}
