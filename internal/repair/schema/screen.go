package schema

import (
	"context"
	"errors"
	"maps"

	"gulo/internal/budget"
	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/timing"
)

// This file has edited programs made by a compiler that needs a thirtieth of gcc's time (see native/tcc.go), as
// long as the program without edits does there what it does as gcc makes it.

// screening is how edited programs are compiled.
func (s *Search) screening() native.Config {
	c := s.p.config()
	c.Screens = !s.parts
	return c
}

// mostEdits bounds the edits that are compiled.
func (s *Search) mostEdits() int {
	if !native.Screening() || s.parts {
		return textedit.MostEdits
	}
	return textedit.MostQuickly
}

// Agrees reports whether the search is ready and found that the program does the same as both compilers
// make it.
func (s *Search) Agrees(ctx context.Context) bool {
	return s.Wait(ctx, budget.Now(ctx)) && s.agreed
}

// agrees asks a program that screens for what it does without edits. Where it is not what gcc's does on a
// test, parts is set: C leaves open what the program does, and gcc says what it is. So it is where gcc made it.
func (s *Search) agrees(ctx context.Context, prog *native.Program) (bool, error) {
	if prog != nil && !prog.Screens() {
		s.parts = true // there is no such compiler, or it does not take the text
	}
	if s.agreed || s.parts || prog == nil {
		return true, nil
	}
	defer timing.Begin(ctx, "schema: agrees").End("")
	n := min(len(s.own), len(s.p.Tests))
	ses := s.session(s.p.Tests[:n])
	for i := range n {
		ses.Print(i)
	}
	a, err := prog.Run(ctx, ses, s.left(ctx))
	if err != nil {
		return false, err
	}
	for i := range min(n, len(a.Printed)) {
		own, o := &s.own[i], &a.Printed[i]
		if own.Status == native.Steps || o.Status == native.Steps {
			continue // they were given different numbers of steps
		}
		if own.Status != o.Status || own.Stdout != o.Stdout {
			s.parts = true
			return false, nil
		}
	}
	s.agreed = true
	return true, nil
}

// says reports whether a program with other texts does with an input what was seen of it, where that is to be
// told: what is said of a program is what gcc makes of it.
func (s *Search) says(ctx context.Context, texts map[string]string, in native.Test, did *native.Outcome) (bool, error) {
	if !s.prog.Screens() {
		return true, nil
	}
	all := map[string]string{}
	for _, f := range s.p.Tree.Files {
		all[f.Name] = string(f.Text)
	}
	maps.Copy(all, texts)
	c := s.p.config()
	c.Screens = false
	prog, err := native.Build(ctx, all, c)
	var refused *native.CompileError
	if errors.As(err, &refused) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer prog.Close()
	ses := &native.Session{}
	ses.Limit(runTime, 0)
	ses.Print(ses.Add(&in))
	a, err := prog.Run(ctx, ses, s.left(ctx))
	if err != nil || len(a.Printed) == 0 {
		return false, err
	}
	o := &a.Printed[0]
	return o.Status == did.Status && o.Stdout == did.Stdout, nil
}

// confirmed keeps what a repair loses where gcc's programs say so, too.
func (s *Search) confirmed(ctx context.Context, w *waiting) error {
	if w.Loses == nil {
		return nil
	}
	ok, err := s.says(ctx, w.Texts, w.Loses.Input, &w.Loses.Does)
	if ok && err == nil {
		ok, err = s.says(ctx, nil, w.Loses.Input, &w.Loses.Was)
	}
	if !ok {
		w.Loses = nil
	}
	return err
}
