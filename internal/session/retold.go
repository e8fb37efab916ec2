package session

import (
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair"
)

// This file runs repairs that are edits of the text in calls of their own: the program that they
// make is read anew, and given the same inputs.

// program is what a repair of the text makes of the program; nil where that cannot be read.
func (s *Session) program(x *rewritten) *lower.Program {
	if x.read {
		return x.prog
	}
	x.read = true
	tree, err := cfront.Edited(s.prog.Tree.Units(), s.cfg.Options, x.texts)
	if err != nil {
		return nil
	}
	if p, err := lower.Lower(tree, lower.Options{Memory: true}); err == nil {
		x.prog = p
	}
	return x.prog
}

// in is the calls made in another program; nil where the function is not found there.
func (n *nearby) in(s *Session, p *lower.Program) *nearby {
	if p == nil {
		return nil
	}
	suite := *n.suite
	suite.Prog, suite.Entry = p, nil
	old := n.suite.Entry
	for _, f := range p.Tree.Funcs {
		if f.Name == old.Name && f.Range.File.Name == old.Range.File.Name && f.Body != nil {
			suite.Entry = f
		}
	}
	if suite.Entry == nil {
		return nil
	}
	out := *n
	out.suite = &suite
	var err error
	if out.run, err = s.runner(&suite); err != nil {
		return nil
	}
	out.cases = nil
	for _, c := range n.cases {
		x := *c
		out.cases = append(out.cases, &x)
	}
	return &out
}

// behaves is what the program does with a repair on each of the calls.
func (n *nearby) behaves(s *Session, c *choice) []string {
	if c.text == nil {
		return n.behaviour(s.prog, c.patch)
	}
	if other := n.in(s, s.program(c.text)); other != nil {
		return other.behaviour(other.suite.Prog, repair.NewPatch())
	}
	keys := make([]string, len(n.cases))
	for i := range keys {
		keys[i] = unplayed
	}
	return keys
}
