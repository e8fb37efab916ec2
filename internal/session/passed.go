package session

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
)

// This file handles calls that the user went past between two assertions. Their pictures were accepted, so a repair
// must not change them. What such a call did is not recorded but computed again, from the state in which it was
// entered, with the patch that was in force.

// passed is a call of a function in which something was asserted before.
type passed struct {
	call
	patch *repair.Patch // in force then
	done  bool          // it has returned
	said  bool          // something was asserted after it
}

// maxPassed bounds the calls that are noted, since the program has to stop at each.
const maxPassed = 40

// attends reports whether calls of f are noted.
func (s *recorder) attends(f *cfront.Func) bool {
	if len(s.passed) >= maxPassed {
		return false
	}
	for i := range s.firsts {
		if s.firsts[i].fn == f {
			return true
		}
	}
	return false
}

// notePassed looks where the program has come to: a call has returned, or another
// has begun.
func (s *recorder) notePassed() error {
	inside := false
	for i := range s.passed {
		p := &s.passed[i]
		p.done = p.done || s.stop.Depth < p.depth
		inside = inside || !p.done
	}
	st := s.stmt()
	if st == nil || inside || !s.attends(st.Func) || !s.isFirst(st) || s.call != nil && s.stop.Depth > s.call.depth {
		return nil
	}
	im, err := s.capture()
	if err != nil {
		return err
	}
	s.passed = append(s.passed, passed{call: call{fn: st.Func, start: im, depth: s.stop.Depth}, patch: s.patch})
	return nil
}

// unpass forgets the calls that have not returned: the user corrects their picture or
// asserts something in them.
func (s *recorder) unpass() {
	var out []passed
	for _, p := range s.passed {
		if p.done {
			out = append(out, p)
		}
	}
	s.passed = out
}

// accept marks the calls that have returned as accepted, except the call in that the assertion belongs to; 0 for none.
func (s *recorder) accept(in int) {
	s.unpass()
	var out []passed
	for _, p := range s.passed {
		if in == 0 || p.id != in {
			p.said = true
			out = append(out, p)
		}
	}
	s.passed = out
}

// accepted returns the calls of f that the user went past between assertions: they
// must end as they did.
func (s *recorder) accepted(f *cfront.Func, t *trial) *oracle.Suite {
	var out *oracle.Suite
	var run *oracle.Runner
	for i := range s.passed {
		p := &s.passed[i]
		if p.fn != f || !p.said {
			continue
		}
		if out == nil {
			out = s.callsOf(f, p.start)
			var err error
			if run, err = s.runner(out); err != nil {
				return &oracle.Suite{}
			}
		}
		st, err := oracle.CallIn(p.start, f)
		if err != nil {
			t.untold++
			continue
		}
		st.Text = fmt.Sprintf("a call of %s that you went past", f.Name)
		os, err := natural.Overlays(s.prog, p.patch)
		if err != nil {
			continue
		}
		cs := &oracle.Case{Name: st.Text, State: st}
		want, err := run.Run(cs, os)
		if err != nil || want.Fault != nil {
			t.untold++ // it cannot be compared
			continue
		}
		cs.Want = want
		out.Cases = append(out.Cases, cs)
	}
	if out == nil {
		return &oracle.Suite{}
	}
	t.before += len(out.Cases)
	return out
}
