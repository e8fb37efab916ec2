package session

import (
	"context"

	"gulo/internal/repair"
	"gulo/internal/repair/trace"
)

// This file revises the patch in force. A patch that met what was asserted so far and does not meet what is asserted now
// was more likely the wrong one than half of the right one: the first pictures seldom tell all edits apart. So one edit of
// the program as it is written that meets all assertions comes before another edit on top of the patch.

// reviseShare divides the time limit: that search may take 1/reviseShare of it.
const reviseShare = 4

// revised searches the program as it is written for one edit that meets all assertions. It returns nil if there is none,
// or if no patch is in force; the patch in force then stays.
func (h *holding) revised(ctx context.Context, t *trial, f repairFlags) (*answer, error) {
	s := t.s
	if s.patch.Empty() {
		return nil, nil
	}
	was, settled := s.patch, s.settled
	s.patch, s.settled = repair.NewPatch(), nil
	back := func() {
		s.patch, s.settled = was, settled
		h.found, h.run, h.relaxed, h.why = nil, false, false, ""
	}
	f = f.share(ctx, reviseShare)
	free, freeGap, err := s.inScope(f, s.scope)
	if err != nil {
		back()
		return nil, err
	}
	s.progress("looking for one edit instead of the earlier patches")
	a := &answer{base: s.patch, where: anywhere, revised: true}
	res := s.enumerate(ctx, f, &trace.Problem{
		Program: s.prog, Segments: s.segments(), Free: free, FreeGap: freeGap, Slots: min(f.slots, 1),
		MaxCost: 1, MaxNodes: singleNodes, Limit: singleLimit, More: hastyNodes,
	})
	if a.repairs, a.count, a.cost = res.Repairs, res.Count, res.Cost; len(res.Repairs) == 0 {
		a.err, a.where = errNone, ""
	}
	if h.found, h.relaxed, h.why = t.hold(s.replayed(a)); h.relaxed {
		h.found, h.relaxed = nil, false
	}
	if !f.noVerify {
		if a, err = h.texts(ctx, s, f, a); err != nil {
			back()
			return nil, err
		}
	}
	if len(h.found) == 0 || a.err != nil || a.cost != 1 || h.found[0].end.bad() {
		back()
		return nil, nil
	}
	return a, nil
}
