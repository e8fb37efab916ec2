package session

import (
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair"
)

// This file runs repairs that are edits of the text: the edited program is parsed anew, and its calls get the same
// inputs.

// AsWritten is what a session says where the repair is an edit of the text: the program in hand does not execute it.
const AsWritten = "this run goes on with the program as it is written"

// program returns the program with an edit of the text; nil if it cannot be read.
func (s *inferior) program(x *rewritten) *lower.Program {
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

// in returns the same calls in program p; nil if p does not have the function.
func (n *nearby) in(s *searcher, p *lower.Program) *nearby {
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

// behaves returns what the program does with a repair on each of the calls.
func (n *nearby) behaves(s *searcher, c *choice) []string {
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
