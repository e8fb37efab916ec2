package schema

import (
	"context"
	"slices"

	"gulo/internal/repair/textedit"
)

// This file goes on from edits with which more tests pass. Several faults that different tests show are found one after
// the other, as many as there are.

// mostClimbs is the number of edits from which the search goes on: of those with which as many tests pass most are
// needed, in any order.
const mostClimbs = 3

// mending returns the first of sorted bases: those with which failing tests pass and none breaks.
func mending(sorted []base) []base {
	n := 0
	for n < len(sorted) && sorted[n].mended > 0 && sorted[n].broken == 0 {
		n++
	}
	return sorted[:n]
}

// climb goes on from the best of sorted bases, unless another edit on top of those with which more tests pass is
// enough.
func (s *Search) climb(ctx context.Context, sorted []base) error {
	best := mending(sorted)
	if s.climbed || s.p.Climb == nil || len(best) == 0 {
		return nil
	}
	if !s.p.Step { // else the next step tries them
		some := slices.DeleteFunc(slices.Clone(best), func(b base) bool { return b.H != 0 })
		some = some[:min(len(some), mostTogether)]
		if err := s.build(ctx, some); err != nil || s.ended() {
			return err
		}
		s.halves = slices.DeleteFunc(s.halves, func(b base) bool {
			return slices.ContainsFunc(some, func(x base) bool { return x.G == b.G && x.H == b.H })
		})
	}
	var list []Repair
	seen := map[uint64]bool{}
	for _, b := range best {
		if len(list) == mostClimbs {
			break
		}
		if seen[b.All] {
			continue
		}
		seen[b.All] = true
		if r, ok := s.half(b); ok {
			list = append(list, r)
		}
	}
	if s.climbed = true; len(list) == 0 {
		return nil
	}
	var err error
	s.done, err = s.p.Climb(ctx, list)
	return err
}

// half returns a base as a part of a repair to which other edits are added.
func (s *Search) half(b base) (r Repair, ok bool) {
	r = Repair{Edits: s.edits(job{b.G, b.H}), Cost: b.cost, Chance: s.luck}
	r.Texts, ok = textedit.Apply(r.Edits...)
	return r, ok
}
