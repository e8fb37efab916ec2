package calculus

import (
	"maps"
	"slices"

	"gulo/internal/machine"
	"gulo/internal/rules"
)

// This file copies a debugger's state, so that a session can step back.

// saved is a debugger's state. Events never change and are shared.
type saved struct {
	findings int
	blocks   map[uint64]block
	parts    map[uint64]uint64
	order    map[machine.BlockKind][]uint64
	events   [6][]*rules.Event
	time     int64
	points   int64
	freeing  uint64
	chains   map[uint64][]machine.Link
	losses   map[uint64]Loss
}

// Save returns the state for Restore.
func (d *Debugger) Save() any {
	s := &saved{len(d.Findings), make(map[uint64]block, len(d.blocks)), maps.Clone(d.parts), maps.Clone(d.order), d.events, d.time, d.points, d.freeing, maps.Clone(d.chains), maps.Clone(d.losses)}
	for id, b := range d.blocks {
		c := *b
		c.written, c.freed = slices.Clone(b.written), slices.Clip(b.freed)
		s.blocks[id] = c
	}
	for k, l := range s.order {
		s.order[k] = slices.Clip(l)
	}
	for k, l := range s.events {
		s.events[k] = slices.Clip(l)
	}
	return s
}

// Restore returns to a state from Save.
func (d *Debugger) Restore(state any) {
	s := state.(*saved)
	d.Findings = d.Findings[:s.findings]
	d.blocks = make(map[uint64]*block, len(s.blocks))
	for id, b := range s.blocks {
		b.written = slices.Clone(b.written)
		d.blocks[id] = &b
	}
	d.parts, d.order, d.chains = maps.Clone(s.parts), maps.Clone(s.order), maps.Clone(s.chains)
	d.losses = maps.Clone(s.losses)
	d.events, d.time, d.points, d.freeing = s.events, s.time, s.points, s.freeing
}

// Reset prepares the debugger for a new run.
func (d *Debugger) Reset() {
	d.Findings = nil
	d.Restore(&saved{parts: map[uint64]uint64{}, order: map[machine.BlockKind][]uint64{}, chains: map[uint64][]machine.Link{}, losses: map[uint64]Loss{}})
}

// Rules lists the rules by name, and which of them are switched on.
func (d *Debugger) Rules() (names []string, on map[string]bool) {
	on = map[string]bool{}
	for _, x := range d.detectors {
		if n := x.Rule.Name; !slices.Contains(names, n) {
			names = append(names, n)
			on[n] = !d.o.Disabled[n]
		}
	}
	return names, on
}
