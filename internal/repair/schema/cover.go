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

// This file asks which statements tests execute. An edit of what no failing test executes mends
// none; and what failing tests execute and others do not is where the fault is likelier.

// Bounds of what is asked.
const (
	mostFailing = 4      // failing tests
	mostPassing = 12     // tests that are met
	mostMarked  = 50_000 // statements
)

// awayCost is what an edit costs more that stands where the fault is least likely among what
// failing tests execute; idleCost where none executes anything.
const (
	awayCost = 2
	idleCost = 6
)

// cover is what tests execute; nil where nothing is known.
type cover struct {
	in              map[*cfront.Func][]*covered // statements of functions
	failing, passed int                         // tests that were looked at
}

// covered is a statement with the tests that execute it.
type covered struct {
	file       *source.File
	start, end int
	fn         *cfront.Func
	failing    int
	passed     int
}

// Begin begins to compile the program as it is measured, before its tests are known. What of
// the problem is compiled must be there. The caller calls forget.
func Begin(ctx context.Context, p *Problem) (forget func()) {
	_, texts := p.withMarks(!p.Only)
	return native.Begin(ctx, texts, p.config())
}

// config is how edited programs are compiled.
func (p *Problem) config() native.Config {
	return native.Config{Units: p.Tree.Units(), Options: p.Options, Unset: true, Heap: p.Heap, Screens: p.Screens}
}

// withMarks is the program's text with statements marked and, where forced says so and they are not too many to be
// told apart before it is known where tests go, places at which outcomes are forced.
func (p *Problem) withMarks(forced bool) ([]*textedit.Site, map[string]string) {
	sites := textedit.Marked(p.Funcs, "gulo_over();", mostMarked)
	if forced && len(sites) <= mostAtOnce {
		sites = append(sites, textedit.Forced(p.Funcs, mostForced)...)
	}
	number(sites)
	texts, _, _ := schemata(p.Tree, sites, true)
	return sites, texts
}

// withMarks compiles the program with statements marked; where gcc does not take that, without.
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

// covers asks which statements tests execute, also those that do not come to an end. Precondition: order has the
// failing tests first.
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

// at is what executes a place: the statement around it or, of a place between two, the one before
// it or behind it; nil where nothing is known.
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
	if st.Kind == textedit.Gap { // the nearest statement of its block
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
	for _, x := range list { // beside all statements: as often as the function is entered
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

// idle reports whether it is known that no failing test executes a place.
func (c *cover) idle(st *textedit.Site) bool {
	x := c.at(st)
	return x != nil && x.failing == 0
}

// away is what an edit at a place costs more because the fault is less likely there: by the measure
// of Ochiai (Abreu, Zoeteweij and van Gemund, "On the accuracy of spectrum-based fault
// localization", TAIC PART 2007).
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

// score is Ochiai's of a statement: 1 where all failing tests and no others execute it, 0 where no failing one does.
func (c *cover) score(x *covered) float64 {
	if x.failing == 0 {
		return 0
	}
	return float64(x.failing) / math.Sqrt(float64(c.failing)*float64(x.failing+x.passed))
}
