package schema

import (
	"context"
	"errors"
	"math"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file finds out which statements the tests execute. An edit of a statement that no failing test executes repairs
// nothing. A statement that failing tests execute and others do not is more likely the fault.

// Bounds on coverage.
const (
	mostFailing = 4      // failing tests that are run
	mostPassing = 12     // passing tests that are run
	mostMarked  = 50_000 // statements that are marked
)

// awayCost is the extra cost of an edit where the fault is least likely among the statements that failing tests
// execute; idleCost that of an edit where none executes anything.
const (
	awayCost = 2
	idleCost = 6
)

// cover is which tests execute which statements; nil if it is unknown.
type cover struct {
	in              map[*cfront.Func][]*covered // statements, by function
	failing, passed int                         // numbers of failing and passing tests that were run
}

// covered is a statement with the numbers of tests that execute it.
type covered struct {
	file       *source.File
	start, end int
	fn         *cfront.Func
	failing    int
	passed     int
}

// Begin starts compiling the program as measure needs it, before its tests are known. The parts of the problem that
// affect compiling must be set. The caller calls forget.
func Begin(ctx context.Context, p *Problem) (forget func()) {
	_, texts := p.withMarks(!p.Only)
	drop := native.Begin(ctx, texts, p.config())
	return func() { drop() }
}

// config returns how edited programs are compiled.
func (p *Problem) config() native.Config {
	return native.Config{Units: p.Tree.Units(), Options: p.Options, Unset: true, Heap: p.Heap, Screens: p.Screens}
}

// withMarks returns the program's text with its statements marked. With forced, and if the statements are not too many,
// it also has the places at which outcomes can be forced.
func (p *Problem) withMarks(forced bool) ([]*textedit.Site, map[string]string) {
	sites := textedit.Marked(p.Funcs, "gulo_over();", mostMarked)
	if forced && len(sites) <= mostAtOnce {
		sites = append(sites, textedit.Forced(p.Funcs, mostForced)...)
	}
	number(sites)
	texts, _, _ := schemata(p.Tree, sites, true)
	return sites, texts
}

// withMarks compiles the program with its statements marked, or without if gcc rejects that.
func (s *Search) withMarks(ctx context.Context) (*native.Program, []*textedit.Site, error) {
	conf := s.p.config()
	for _, forced := range []bool{true, false} {
		if forced && s.p.Only {
			continue
		}
		sites, texts := s.p.withMarks(forced)
		prog, err := native.Build(ctx, texts, conf)
		var ce *native.CompileError
		if err == nil || !errors.As(err, &ce) {
			return prog, sites, err
		}
	}
	texts, _, _ := schemata(s.p.Tree, nil, true)
	prog, err := native.Build(ctx, texts, conf)
	return prog, nil, err
}

// covers finds out which statements the tests execute, including tests that do not end. Precondition: in s.order the
// failing tests come first.
func (s *Search) covers(ctx context.Context, prog *native.Program, sites []*textedit.Site) (*cover, error) {
	if len(sites) == 0 || s.bad == 0 {
		return nil, nil
	}
	failing := s.order[:min(s.bad, mostFailing)]
	passing := s.order[s.bad:min(len(s.order), s.bad+mostPassing)]
	ses := s.session(s.p.Tests)
	ses.Sites(placesOf(sites))
	for _, t := range append(slices.Clone(failing), passing...) {
		ses.Order([]int{t})
		ses.Reach(0, 0)
	}
	a, err := prog.Run(ctx, ses, s.left(ctx))
	if err != nil || a.Cut || len(a.Reached) != len(failing)+len(passing) {
		return nil, err
	}
	c := &cover{failing: len(failing), passed: len(passing), in: map[*cfront.Func][]*covered{}}
	for _, st := range sites {
		if st.Forced {
			continue
		}
		x := &covered{file: st.File, start: st.Start, end: st.End, fn: st.Func}
		for k, r := range a.Reached {
			switch id := st.Edits[0].ID; {
			case id >= len(r.Places) || !r.Places[id]:
			case k < len(failing):
				x.failing++
			default:
				x.passed++
			}
		}
		c.in[st.Func] = append(c.in[st.Func], x)
	}
	return c, nil
}

// at returns the coverage for a place: that of the statement around it or, for a place between two statements, of the
// one before or after it; nil if it is unknown.
func (c *cover) at(st *textedit.Site) *covered {
	if c == nil {
		return nil
	}
	var best, near *covered
	list := c.in[st.Func]
	for _, x := range list {
		if x.file != st.File {
			continue
		}
		if x.start <= st.Start && st.End <= x.end && (st.End > st.Start || st.Start < x.end) {
			if best == nil || x.end-x.start < best.end-best.start {
				best = x
			}
		}
	}
	if st.Kind == textedit.Gap { // the nearest statement in its block
		for _, x := range list {
			if x.file != st.File || best != nil && (x.start < best.start || x.end > best.end) || x == best {
				continue
			}
			switch {
			case x.end == st.Start:
				return x
			case x.start >= st.Start && (near == nil || x.start < near.start):
				near = x
			}
		}
		if near != nil && onlySpace(st.File.Text[st.Start:near.start]) {
			return near
		}
	}
	if best != nil {
		return best
	}
	for _, x := range list { // outside of all statements: as often as the function is entered
		if x.file == st.File && (best == nil || x.failing > best.failing || x.failing == best.failing && x.passed > best.passed) {
			best = x
		}
	}
	return best
}

func onlySpace(text []byte) bool {
	for _, b := range text {
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return false
		}
	}
	return true
}

// idle reports whether, as far as known, no failing test executes a place.
func (c *cover) idle(st *textedit.Site) bool {
	x := c.at(st)
	return x != nil && x.failing == 0
}

// away returns the extra cost of an edit at a place where the fault is less likely, by the measure of Ochiai (Abreu,
// Zoeteweij and van Gemund, "On the accuracy of spectrum-based fault localization", TAIC PART 2007).
func (c *cover) away(st *textedit.Site) int {
	x := c.at(st)
	switch {
	case x == nil:
		return 0
	case x.failing == 0:
		return idleCost
	}
	return int(math.Round(awayCost * (1 - c.score(x))))
}

// score returns Ochiai's score of a statement: 1 if exactly the failing tests execute it, 0 if no failing test does.
func (c *cover) score(x *covered) float64 {
	if x.failing == 0 {
		return 0
	}
	return float64(x.failing) / math.Sqrt(float64(c.failing)*float64(x.failing+x.passed))
}

// schemata writes the program's files with the edits of all sites. Statements common to several edits are written once,
// unless apart is set.
func schemata(tree *cfront.Program, sites []*textedit.Site, apart bool) (texts map[string]string, lines map[string]map[int]int, sh *sharing) {
	texts, lines = map[string]string{}, map[string]map[int]int{}
	sh = share(tree, sites, apart)
	for _, f := range tree.Files {
		spans := append(steps(tree, f), sh.spans(f)...)
		for _, s := range sites {
			if s.File == f && len(s.Edits) > 0 {
				spans = append(spans, sh.span(s))
			}
		}
		texts[f.Name], lines[f.Name] = weave(tree, f, spans)
	}
	return texts, lines, sh
}
