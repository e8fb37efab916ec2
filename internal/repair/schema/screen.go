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

// This file lets a compiler that takes a thirtieth of gcc's time (see native/tcc.go) make edited programs, as long as
// the unedited program behaves the same as if made by gcc.

// screening returns how edited programs are compiled.
func (s *Search) screening() native.Config {
	c := s.p.config()
	c.Screens = !s.parts
	return c
}

// mostEdits returns the bound on the edits that are compiled.
func (s *Search) mostEdits() int {
	if !native.Screening() || s.parts {
		return textedit.MostEdits
	}
	return textedit.MostQuickly
}

// Agrees reports whether the search is ready and found that the program behaves the same under both compilers.
func (s *Search) Agrees(ctx context.Context) bool {
	return s.Wait(ctx, budget.Now(ctx)) && s.agreed
}

// agrees checks whether the unedited program, as made by the fast compiler, behaves as under gcc. If it differs on a
// test, its behaviour is undefined and gcc's counts: parts is set. parts is also set if gcc made the program anyway.
func (s *Search) agrees(ctx context.Context, prog *native.Program) (bool, error) {
	if prog != nil && !prog.Screens() {
		s.parts = true // there is no fast compiler, or it rejects the text
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
			continue // the two had different limits on steps
		}
		if own.Status != o.Status || own.Stdout != o.Stdout {
			s.parts = true
			return false, nil
		}
	}
	s.agreed = true
	return true, nil
}

// says reports whether a program with changed texts, as made by gcc, behaves on an input as it was seen to. If gcc made
// it anyway, nothing needs checking.
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

// confirmed clears a repair's loss unless gcc's programs show it, too.
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
