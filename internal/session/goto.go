package session

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/lower"
)

// This file has the command goto: another statement of the innermost function becomes the next one. Nothing is executed
// on the way, so a new segment begins there: no assertion says that the program itself would get there.

// Targets lists the statements of the innermost function on a line of a file, in the order
// of their columns: those that goto can make the next one. The error says why there are none.
func (s *Session) Targets(file string, line int) ([]Statement, error) {
	if err := s.canGoto(); err != nil {
		return nil, err
	}
	f := s.stmt().Func
	ids := map[int32]bool{}
	elsewhere := ""
	for _, st := range s.prog.Stmts {
		if st == nil || !st.Stop || !st.Range.Valid() {
			continue
		}
		if p := st.Range.Position(); p.File != file || p.Line != line {
			continue
		}
		if st.Func == f {
			ids[st.ID] = true
		} else {
			elsewhere = st.Func.Name
		}
	}
	switch {
	case len(ids) > 0:
		return s.placesOf(ids), nil
	case elsewhere != "":
		return nil, errorf("line %d is in %s, and the program is in %s; goto cannot leave a function", line, elsewhere, f.Name)
	}
	return nil, errorf("no statement begins on line %d", line)
}

// canGoto returns nil if another statement can become the next one, and otherwise an error that says why not.
func (s *Session) canGoto() error {
	if err := s.running(); err != nil {
		return err
	}
	switch st := s.stmt(); {
	case st == nil:
		return errorf("the program is at no known statement")
	case s.stop.Inside:
		return s.errInside()
	}
	return nil
}

// gotoCmd makes a statement of the innermost function the next one, by LINE or LINE:COLUMN.
func (s *Session) gotoCmd(_ context.Context, args string) error {
	if err := s.canGoto(); err != nil {
		return err
	}
	first, second, columned := strings.Cut(args, ":")
	line, err := strconv.Atoi(first)
	column := 0
	if err == nil && columned {
		column, err = strconv.Atoi(second)
	}
	if err != nil || line < 1 || column < 0 {
		return errorf("goto wants a line of the function that the program is in, as in: goto 31, or goto 31:5 where several statements begin on it")
	}
	here := s.stmt()
	if _, err := s.Targets(here.Range.Position().File, line); err != nil {
		return err
	}
	to := s.targetAt(here, line, column)
	if to == nil {
		return errorf("no statement of %s begins at %d:%d", here.Func.Name, line, column)
	}
	if err := s.follow(lower.Edge{Next: to.ID}); err != nil {
		return err
	}
	s.pending = map[int32]int8{}
	s.call = nil // its end does not follow from its beginning any more
	s.lost()
	if err := s.refresh(); err != nil {
		return err
	}
	s.report()
	return nil
}

// targetAt returns the statement of the innermost function at a line and column, the first one
// for column 0; nil for none.
func (s *inferior) targetAt(here *lower.Stmt, line, column int) *lower.Stmt {
	var found []*lower.Stmt
	for _, st := range s.prog.Stmts {
		if st == nil || !st.Stop || st.Func != here.Func || !st.Range.Valid() || st.Range.File != here.Range.File {
			continue
		}
		if p := st.Range.Position(); p.Line == line && (column == 0 || p.Column == column) {
			found = append(found, st)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return slices.MinFunc(found, func(a, b *lower.Stmt) int { return a.Range.Start - b.Range.Start })
}
