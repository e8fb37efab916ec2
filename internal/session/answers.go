package session

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/trace"
	"gulo/internal/spec"
)

// This file combines three searches: over the segments, over whole calls, and over the run from its beginning. The
// segments are the fastest to search. The other two run the program by itself, and so check what the segments give.

// likely is the largest distance at which a single edit of the text ends the search.
const likely = 10

// errNone is the error of an answer that has no repair yet and whose reason is not known yet.
var errNone = negative("no repair found")

// firstShare divides the time limit: single edits over whole calls and runs may take 1/firstShare of it before the
// segments are searched.
const firstShare = 4

// holding says how the repairs of an answer do in whole calls.
type holding struct {
	found   []choice
	before  int    // earlier calls that were run and compared
	untold  int    // earlier calls that could not be run
	equal   int    // earlier calls that began as the one in hand, and after which nothing was asserted
	relaxed bool   // all of them change how an earlier call ends
	run     bool   // they were checked in the run from its beginning
	why     string // which case they do not meet; "" if they meet all
}

func (h *holding) say(s *searcher) {
	switch {
	case h.relaxed:
		s.printf("note: this repair changes how an earlier call ends, as does every repair found (%s)\n", h.why)
	case h.run:
		s.printf("with the repair, a run from the beginning shows what you drew\n")
		switch {
		case !slices.ContainsFunc(s.found, func(c choice) bool { return !c.other }):
			s.printf("note: like every repair found, it also changes an earlier picture that you passed: the fault already shows there\n")
		case s.found[0].other:
			s.printf("note: before that, the repaired program does something else than the run that you stepped through\n")
		}
		if e := s.found[0].end; e != nil && e.endless {
			s.printf("note: after that, the repaired program did not end\n")
		} else if e != nil && e.fault {
			s.printf("note: after that, the repaired program ends in an error\n")
		}
	case h.before == 1:
		s.printf("the call before this one still ends as it did\n")
	case h.before > 1:
		s.printf("the %s before this one still end as they did\n", plural.N(h.before, "call"))
	}
	if h.equal > 0 {
		s.printf("note: an earlier call began just like this one, and with the repair it ends as you drew here: the fault already shows there\n")
	}
	switch {
	case h.run:
	case h.untold == 1:
		s.printf("note: one earlier call could not be run again on its own, and was not compared\n")
	case h.untold > 1:
		s.printf("note: %s could not be run again on their own, and were not compared\n", plural.N(h.untold, "earlier call"))
	}
}

// answers searches for repairs that meet the segments, and keeps those that whole calls do not refute. If these are
// none or take several edits, it searches over whole calls and over the run from its beginning as well.
func (s *searcher) answers(ctx context.Context, f repairFlags) (*answer, *holding, error) {
	h := &holding{}
	if len(s.segments()) == 0 { // the patch in force meets all assertions in the run from its beginning
		return &answer{base: s.patch}, h, nil
	}
	t := s.newTrial(ctx)
	h.before, h.untold, h.equal = t.before, t.untold, t.equal
	if s.chasing != nil {
		t.upon = func(a *answer, r natural.Repair) {
			h.cameUpon(ctx, s, a, choice{patch: r.Patch, distance: r.Distance})
		}
	}
	if b := h.again(ctx, t); b != nil {
		return b, h, nil
	}
	if b, err := h.revised(ctx, t, f); b != nil || err != nil {
		return b, h, err
	}
	var text *answer // the result of a text search that came before the segments; nil for none
	texts := func() (found bool, err error) {
		h.found = nil
		text, err = h.texts(ctx, s, f, &answer{base: s.patch, err: errNone})
		return err == nil && text.err == nil, err
	}
	if f.noVerify { // the segments alone, unless they have no repair
		texts = nil
	} else if b, err := h.first(ctx, t, f.share(ctx, firstShare)); b != nil || err != nil {
		if err == nil && !b.textual {
			b, err = h.texts(ctx, s, f, b)
		}
		return b, h, err
	}
	a, err := s.search(ctx, f, texts)
	if err != nil || a.err == nil && a.cost == 0 {
		return a, h, err
	}
	if text != nil && text.err == nil {
		return text, h, nil
	}
	var all []choice
	if a.err == nil {
		all = s.replayed(a)
		h.found, h.relaxed, h.why = t.hold(all)
		h.cameUpon(ctx, s, a, h.found...)
	}
	if f.quick || f.noVerify && len(h.found) > 0 && !h.relaxed {
		return a, h, nil
	}
	most, runs := 3, callsRuns
	if len(h.found) > 0 && !h.relaxed {
		h.why, most, runs = "", a.cost, fewerRuns
	}
	b, err := t.byCalls(ctx, f, most, runs, false)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case b == nil:
	case len(h.found) == 0 || h.relaxed || b.cost < a.cost:
		h.found, h.relaxed, h.why = nil, false, ""
		h.join(s, a, b)
		a = b
	default:
		h.join(s, a, b)
	}
	h.cameUpon(ctx, s, a, h.found...)
	if len(h.found) == 0 || h.relaxed || a.cost > 1 {
		if a, err = h.wholeRun(ctx, t, f, a, 3); err != nil {
			return nil, nil, err
		}
	}
	if text == nil {
		if a, err = h.texts(ctx, s, f, a); err != nil {
			return nil, nil, err
		}
	}
	if len(h.found) == 0 && a.err == nil {
		a.err = negative("no repair found: every change that gives the picture in this call breaks something else (%s); %s", h.why, s.further())
	}
	return a, h, nil
}

// again checks what is known before anything is searched. If the patch in force meets all assertions, it returns an
// answer without edits; a segment that cannot be replayed may be met in the run from its beginning. Otherwise, if
// another repair of the last search meets them, it returns that one: a wrong choice is likelier than a second fault. It
// returns nil if a search is needed.
func (h *holding) again(ctx context.Context, t *trial) *answer {
	s := t.s
	if s.patch.Empty() {
		return nil
	}
	r := s.runs(ctx)
	gives := func(p *repair.Patch) bool {
		if s.misses(s.segs, p) < 0 {
			return true
		}
		return r != nil && s.comes(r.suite, p) && !slices.ContainsFunc(s.segs, func(seg *spec.Segment) bool {
			return !r.met(seg) && s.misses([]*spec.Segment{seg}, p) >= 0
		})
	}
	if gives(s.patch) {
		return &answer{base: s.patch}
	}
	var list []choice
	for _, c := range s.found {
		if c.text == nil && gives(c.patch) {
			c.verdict = nil
			list = append(list, c)
		}
	}
	list, relaxed, _ := t.hold(list)
	if len(list) == 0 || relaxed {
		return nil
	}
	h.found = list
	return &answer{base: repair.NewPatch(), count: len(list), cost: len(list[0].patch.Edits()), where: "among the repairs found before", revised: true}
}

// first looks for a single edit outside of the segments: in the text, over whole calls (there in array elements and
// sums as well), and over the run from its beginning. It returns nil if the segments have a single edit, or if there is
// none at all.
func (h *holding) first(ctx context.Context, t *trial, f repairFlags) (*answer, error) {
	one, err := t.s.oneEdit(ctx, f)
	if one || err != nil {
		return nil, err
	}
	none := &answer{base: t.s.patch, err: errNone}
	b, err := h.texts(ctx, t.s, f, none)
	if err != nil || b.err == nil && h.found[0].distance <= likely {
		return b, err
	}
	h.found = nil
	if c := t.s.chasing; c != nil && !f.wait && f.limit == 0 && c.offered() == nil { // what follows takes longer
		c.quick(ctx, f, moreLimit)
	}
	b, err = t.byCalls(ctx, f, 1, 2*fewerRuns, true)
	switch {
	case err != nil:
		return nil, err
	case b != nil:
		h.join(t.s, b, b)
		h.cameUpon(ctx, t.s, b, h.found...)
		return b, nil
	}
	none = &answer{base: t.s.patch, cost: 2}
	if b, err = h.wholeRun(ctx, t, f, none, 1); b == none {
		b = nil
	}
	return b, err
}

// wholeRun searches for repairs over the run from its beginning; most bounds their edits. It is called when the repairs
// so far change earlier calls, take several edits, or do not exist. It returns a if it finds none, or only larger ones.
func (h *holding) wholeRun(ctx context.Context, t *trial, f repairFlags, a *answer, most int) (*answer, error) {
	s := t.s
	suite, met := s.fromStart(ctx)
	if len(suite.Cases) == 0 {
		return a, nil
	}
	runs := 4 * fewerRuns
	if len(h.found) > 0 {
		if !h.relaxed {
			most = min(most, a.cost-1)
		}
		runs = 2 * fewerRuns
		come := func(c choice) bool { return s.comes(suite, c.patch) }
		if h.relaxed && slices.ContainsFunc(h.found, come) {
			h.found = slices.DeleteFunc(slices.Clone(h.found), func(c choice) bool { return !come(c) })
			a.count = len(h.found)
			most = a.cost - 1
		}
	}
	if most < 1 {
		return a, nil
	}
	b, err := t.byRun(ctx, f, suite, met, most, runs)
	if err != nil || b == nil || len(h.found) > 0 && b.cost > a.cost {
		return a, err
	}
	h.found, h.relaxed, h.why, h.run = nil, false, "", true
	h.join(s, a, b)
	h.cameUpon(ctx, s, b, h.found...)
	return b, nil
}

// further tells the user what to assert next when no repair was found.
func (s *searcher) further() string {
	if keys := s.wrongBefore(); keys != "" {
		return fmt.Sprintf("this call does not change %s: if it was already wrong, assert the picture after the call that made it wrong", keys)
	}
	return "assert the picture after an earlier call, or in the middle of this one"
}

// oneEdit reports whether one edit, or none, makes the program meet the segments.
func (s *searcher) oneEdit(ctx context.Context, f repairFlags) (bool, error) {
	free, freeGap, err := s.inScope(f, s.scope)
	if err != nil {
		return false, err
	}
	r := s.enumerate(ctx, f, &trace.Problem{
		Program: s.prog, Segments: s.segments(), Base: s.patch, Free: free, FreeGap: freeGap, Slots: min(f.slots, 1),
		MaxCost: 1, MaxNodes: singleNodes, Limit: singleLimit,
	})
	return len(r.Repairs) > 0, nil
}

// join adds the repairs of b to those found, leaves out duplicates, and orders all by distance.
func (h *holding) join(s *searcher, a, b *answer) {
	known := map[string]bool{}
	name := func(p *repair.Patch) string { return strings.Join(natural.Describe(s.prog, p), "\n") }
	for _, c := range h.found {
		known[name(c.patch)] = true
	}
	var old *repair.Patch
	if len(h.found) > 0 {
		old = h.found[0].patch
	}
	for _, r := range b.repairs {
		if len(h.found) > 0 && old != nil && !s.decides(r.Patch) && !deletes(r.Patch) {
			continue // the search over the segments would have found it
		}
		if k := name(r.Patch); !known[k] {
			known[k] = true
			h.found = append(h.found, choice{patch: r.Patch, distance: r.Distance})
			a.count++
		}
	}
	for i := range h.found {
		h.found[i].distance += s.unlikely(h.found[i].patch)
	}
	sort.SliceStable(h.found, func(i, j int) bool { return h.found[i].distance < h.found[j].distance })
	if old != nil && h.found[0].patch != old {
		a.where += " and " + b.where
	}
	h.found = h.found[:min(len(h.found), maxFound)]
}
