package schema

import (
	"context"
	"errors"
	"regexp"
	"slices"

	"gulo/internal/budget"
	"gulo/internal/native"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/repair/textedit"
	"gulo/internal/timing"
)

// This file compiles edits, and removes those that gcc rejects.

// compileRounds bounds how often rejected edits are removed.
const compileRounds = 10

// intoScope matches gcc's messages about invalid jumps.
var intoScope = regexp.MustCompile(`jump into|label .* used but not defined|duplicate label|ISO C forbids`)

// compile makes the schema of some sites. Edits that gcc rejects are left out.
func (s *Search) compile(ctx context.Context, sites []*textedit.Site) error {
	if s.prog != nil {
		s.prog.Close()
		s.prog = nil
	}
	var err error
	s.prog, s.byID, err = s.p.compile(ctx, sites, s.screening())
	if err == nil {
		if ok, fault := s.agrees(ctx, s.prog); fault != nil {
			return fault
		} else if !ok {
			return s.compile(ctx, sites)
		}
	}
	s.place()
	return err
}

// place records at which place each edit is.
func (s *Search) place() {
	s.places, s.liked = nil, liked{}
	for _, e := range s.byID[1:] {
		s.places = append(s.places, e.Site.Edits[0].ID)
	}
}

// compile is Search.compile; byID are the edits that remain.
func (p *Problem) compile(ctx context.Context, sites []*textedit.Site, c native.Config) (prog *native.Program, byID []*textedit.Edit, err error) {
	span := timing.Begin(ctx, "schema: compile")
	defer func() { span.End("%s", plural.N(len(byID)-1, "edit")) }()
	apart := false
	for round := 0; ; round++ {
		byID = number(sites)
		texts, lines, common := schemata(p.Tree, sites, apart)
		p.Progress("compiling %s", plural.N(len(byID)-1, "edit"))
		prog, err = native.Build(ctx, texts, c)
		var ce *native.CompileError
		if err == nil || !errors.As(err, &ce) {
			return prog, byID, err
		}
		bad := culprits(p.Tree, ce.Text, lines, common, byID)
		p.Progress("%s %s not compile: %s", plural.N(len(bad), "edit"), plural.Verb(len(bad), "does", "do"), ce.Text)
		switch {
		case !apart && (len(bad) == 0 || intoScope.MatchString(ce.Text)):
			apart = true
			continue
		case len(bad) == 0 || round == compileRounds:
			return nil, byID, err
		}
		for _, e := range bad {
			e.Site.Edits = slices.DeleteFunc(e.Site.Edits, func(x *textedit.Edit) bool { return x == e })
			e.ID, e.Refused = 0, true
		}
	}
}

// early is the schema of all edits, compiled in the background while the cheapest edits are tried. It has copies of the
// edits, because their numbers differ.
type early struct {
	sites []*textedit.Site
	of    map[*textedit.Edit]*textedit.Edit // from copies to the originals
	gate  native.Gate

	beside context.Context // the budget of its compilation

	done chan struct{} // closed when the compilation has ended
	prog *native.Program
	byID []*textedit.Edit
	err  error
}

// begin starts compiling all edits.
func (s *Search) begin(ctx context.Context) *early {
	x := &early{of: map[*textedit.Edit]*textedit.Edit{}, done: make(chan struct{})}
	for _, st := range s.sp.Sites {
		c := *st
		c.Edits = make([]*textedit.Edit, len(st.Edits))
		for i, e := range st.Edits {
			d := *e
			d.Site = &c
			c.Edits[i], x.of[&d] = &d, e
		}
		x.sites = append(x.sites, &c)
	}
	conf := s.screening()
	conf.Gate = &x.gate
	ctx = budget.Beside(ctx)
	x.beside = ctx
	process.Go(func() {
		defer close(x.done)
		x.prog, x.byID, x.err = s.p.compile(ctx, x.sites, conf)
	})
	return x
}

// halt pauses the compilation: the processors are needed for work that may make it unnecessary.
func (x *early) halt() {
	if x != nil {
		x.gate.Close()
	}
}

// resume continues the compilation.
func (x *early) resume() {
	if x != nil {
		x.gate.Open()
	}
}

// take makes this schema the one of the search.
func (x *early) take(ctx context.Context, s *Search) error {
	x.resume()
	select {
	case <-x.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	budget.Join(ctx, x.beside)
	s.early = nil
	if s.prog != nil {
		s.prog.Close()
	}
	s.prog, s.byID = x.prog, make([]*textedit.Edit, len(x.byID))
	for d, e := range x.of {
		e.ID, e.Refused = d.ID, d.Refused
	}
	for i, d := range x.byID {
		s.byID[i] = x.of[d] // nil for nil
	}
	for i, st := range s.sp.Sites {
		st.Edits = nil
		for _, d := range x.sites[i].Edits {
			e := x.of[d]
			e.Site = st
			st.Edits = append(st.Edits, e)
		}
	}
	s.place()
	return x.err
}

// close discards the schema, if it was not taken, when its compilation has ended.
func (x *early) close() {
	if x == nil {
		return
	}
	x.resume()
	<-x.done
	if x.prog != nil {
		x.prog.Close()
	}
}
