package runs

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/repair/textedit"
)

// This file adds initial values for variables that runs read uninitialized, and searches for what else is wrong with
// the program that has them. A missing initial value is a mistake in any case, and without it the program's output says
// little.

// mostInitial bounds the variables that get an initial value.
const mostInitial = 4

// unsetName extracts the name of a variable from the machine's message about an uninitialized read.
var unsetName = regexp.MustCompile(`^variable (\w+) is read before|of (\w+) of \d+ bytes?, never written$`)

// initialized adds initial values for the variables that a given run reads uninitialized, and returns the resulting
// program as a base for further edits; before it, if possible, the same program with printed texts changed as well. It
// returns none if no initial value is needed, or if the program with them cannot be compiled or fails no test.
func (o *outputs) initialized(ctx context.Context) ([]*base, error) {
	t := o.w.t
	all := textedit.Unset(textedit.Config{Tree: t.Prog.Tree, Free: o.free}, o.own.funcs)
	b := &base{}
	for len(b.edits) < mostInitial {
		e, err := o.lacking(ctx, all, b)
		if err != nil {
			return nil, err
		}
		if e == nil || slices.Contains(b.edits, e) {
			break
		}
		texts, ok := textedit.Apply(append(slices.Clone(b.edits), e)...)
		if !ok {
			break
		}
		b.edits, b.texts = append(b.edits, e), texts
	}
	if len(b.edits) == 0 {
		return nil, nil
	}
	b, err := o.parsed(ctx, o.own, b)
	var ce *native.CompileError
	if b == nil || errors.As(err, &ce) {
		return nil, nil
	}
	if err != nil || len(b.a.Failing) == 0 {
		return nil, err
	}
	lit, err := o.other(ctx, b)
	if lit == nil || err != nil {
		return []*base{b}, err
	}
	return []*base{lit, b}, nil
}

// lacking returns an edit that initializes a variable which a run in hand reads uninitialized; nil if there is none.
func (o *outputs) lacking(ctx context.Context, all []*textedit.Edit, b *base) (*textedit.Edit, error) {
	t := o.w.t
	p := t.Prog
	if len(b.edits) > 0 {
		var err error
		if p, err = t.Reloaded(ctx, b.texts); p == nil || err != nil {
			return nil, err
		}
	}
	s := *t.Given
	s.Prog, s.Edited = p, nil
	run, err := oracle.NewRunner(&s)
	if err != nil {
		return nil, err
	}
	for _, c := range s.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		if r.Fault == nil {
			continue
		}
		m := unsetName.FindStringSubmatch(r.Fault.Message)
		if m == nil {
			continue
		}
		for _, e := range all {
			front, _, _ := strings.Cut(lastWord(e), "[")
			if front == m[1]+m[2] && (e.Func == nil || e.Func.Name == r.Fault.Func) {
				return e, nil
			}
		}
	}
	return nil, nil
}

// lastWord returns the text before an initial value: the name of a variable with its array sizes.
func lastWord(e *textedit.Edit) string {
	c := &e.Changes[0]
	front := strings.TrimRight(string(c.File.Text[:c.Start]), " \t")
	if i := strings.LastIndexAny(front, " \t\n,;*("); i >= 0 {
		front = front[i+1:]
	}
	return front
}
