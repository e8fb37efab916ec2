package pwp

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/contract"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/trust"
)

// This file checks repairs by whole runs. A contract says little about a program: what the function does besides, and
// how other functions use its results, only runs show. A repair must meet two conditions. In a run in which the
// function breaks its contract, it must keep the contract in all calls. And a run in which the function keeps it should
// print the same.

// whole is a run of the unrepaired program.
type whole struct {
	c    *oracle.Case // what the run does; it should stay if kept is set
	kept bool         // the contract is kept in all calls of the run
}

// Bounds of whole runs.
const (
	wholeTime = time.Second // for making the runs and checking the contract
	mostTold  = 12          // runs that are tests besides calls
	mostBad   = 24          // runs that break the contract; every call in them is checked
)

// wholes makes the whole runs, with what the unrepaired program does in them.
func (t *task) wholes() error {
	if t.whole != nil || len(t.inputs) == 0 {
		return nil
	}
	t.whole = []whole{}
	run, err := t.runner(&oracle.Suite{Prog: t.prog})
	if err != nil {
		return err
	}
	about, broken := map[string]bool{}, 0
	left := budget.For(wholeTime)
	for i, in := range t.inputs {
		if i > 0 && left.Over() {
			break
		}
		c := &oracle.Case{Name: "the run", Args: in.Args, Stdin: in.Stdin}
		if text := in.String(); text != "" {
			c.Name += " with " + text
		}
		k, r, err := run.HoldRun(c, nil, t.ct)
		if err != nil {
			return err
		}
		left.Spend(budget.Run + r.Steps)
		fails := !k.Passed()
		if fails && i == 0 {
			about[breaks(k)] = true
		}
		switch {
		case k.Outside, k.Unmodelled() != "", r.Unmodelled() != "", fails && broken == mostBad:
		case fails && (k.Violation != nil || len(about) == 0 || about[breaks(k)]):
			t.whole = append(t.whole, whole{c: c})
			broken++
		case !fails && r.Fault == nil:
			c.Want = r
			t.whole = append(t.whole, whole{c, true})
		}
	}
	return nil
}

// spoilt is what a change does to whole runs and to calls with other numbers.
type spoilt struct {
	refuted string // how the contract is broken or an error occurs; "" for neither
	left    int    // calls with other numbers that break the contract
	near    int    // calls with other numbers that were made
	call    string // one that breaks it
	other   int    // runs that kept the contract and now do something else
	kept    int    // runs that kept the contract
	first   string // a short description of one that does something else
}

// quarter is the share of the runs that behave differently, in quarters, rounded up. Only runs that keep the
// contract without a repair are counted.
func (s *spoilt) quarter() int { return (4*s.other + s.kept - 1) / max(s.kept, 1) }

// String describes the changes; "" if there are none.
func (s *spoilt) String() string {
	var parts []string
	if s.left > 0 {
		parts = append(parts, fmt.Sprintf("breaks the contract in %d of %s with other numbers in the states of these, which the program may never come to: %s", s.left, trust.Count(s.near, "call"), s.call))
	}
	if s.other > 0 {
		parts = append(parts, fmt.Sprintf("does something else in %d of %s that keep the contract as they are, such as %s", s.other, trust.Count(s.kept, "run"), s.first))
	}
	return strings.Join(parts, "; ")
}

// spoils does the whole runs in program p with edits. A run that broke the contract must keep it now; a run that kept
// it should do what it did.
func (t *task) spoils(p *lower.Program, ct *contract.Contract, os []*lower.Overlay) (*spoilt, error) {
	out := &spoilt{}
	if err := t.wholes(); err != nil {
		return nil, err
	}
	run, err := t.runner(&oracle.Suite{Prog: p})
	if err != nil {
		return nil, err
	}
	for _, w := range t.whole {
		if w.kept {
			continue
		}
		c := *w.c
		k, _, err := run.HoldRun(&c, os, ct)
		if err != nil {
			return nil, err
		}
		if !k.Passed() && !k.Outside {
			out.refuted = fmt.Sprintf("in %s: %s", c.Name, k)
			return out, nil
		}
	}
	if err := t.nearby(p, ct, os, out); err != nil || out.refuted != "" {
		return out, err
	}
	for _, w := range t.whole {
		if !w.kept {
			continue
		}
		c := *w.c
		r, err := run.Run(&c, os)
		if err != nil {
			return nil, err
		}
		out.kept++
		if r.Fault != nil {
			out.refuted = fmt.Sprintf("in %s: %s", c.Name, r.Differs(c.Want))
			return out, nil
		}
		if !r.Meets(c.Want) {
			if text := fmt.Sprintf("in %s %s", c.Name, r.Differs(c.Want)); out.other == 0 || len(text) < len(out.first) {
				out.first = text
			}
			out.other++
		}
	}
	return out, nil
}

// Bounds of calls with other numbers.
const (
	nearTime = time.Second // for making them
	mostNear = 200
)

// neighbours makes calls in the states of tests and held-back calls, with other numbers.
func (t *task) neighbours() error {
	if t.near != nil {
		return nil
	}
	t.near = []*oracle.Case{}
	list := slices.Concat(t.tests, t.held[:min(len(t.held), mostNear)])
	rnd := rand.New(rand.NewSource(t.req.Seed + 7))
	left := budget.For(nearTime)
	seen := map[string]bool{}
	for tries := 0; tries < 4*mostNear && len(t.near) < mostNear && len(list) > 0 && !left.Over(); tries++ {
		from := list[tries%len(list)]
		s := oracle.Renumbered(from.State, t.ct.Func, oracle.Named(t.prog, t.ct.Func, from.State), rnd)
		if s == nil || seen[s.Identity()] {
			continue
		}
		seen[s.Identity()] = true
		c := &oracle.Case{Name: from.Name + " with other numbers", State: s, Want: &oracle.Run{Any: true, Steps: t.tests[0].Want.Steps}}
		k, err := t.run.Hold(c, nil, t.ct, nil)
		if err != nil {
			return err
		}
		left.Spend(budget.Run + k.Steps)
		if !k.Outside && k.Unmodelled() == "" {
			t.near = append(t.near, c)
		}
	}
	return nil
}

// nearby checks calls with other numbers by the contract.
func (t *task) nearby(p *lower.Program, ct *contract.Contract, os []*lower.Overlay, out *spoilt) error {
	if len(t.tests) == 0 {
		return nil
	}
	if err := t.neighbours(); err != nil {
		return err
	}
	run := t.run
	if p != t.prog {
		var err error
		if run, err = t.runner(&oracle.Suite{Prog: p, Entry: p.Tree.Func(t.ct.Func.Name)}); err != nil {
			return err
		}
	}
	for _, c := range t.near {
		k, err := run.Hold(c, os, ct, nil)
		if err != nil {
			return err
		}
		// Such as for a length that is not the array's, which preconditions often do not exclude.
		if k.Outside || k.Fault != nil {
			continue
		}
		out.near++
		if k.Passed() {
			continue
		}
		if out.left++; out.call == "" {
			out.call = fmt.Sprintf("%s: %s", c.Name, k)
		}
	}
	return nil
}

// Wholes are whole runs of a program with a contract.
type Wholes struct{ t *task }

// MakeWholes makes runs like the given one, with what the program does in them. It makes none if no run is given.
func MakeWholes(ctx context.Context, req *job.Job) (*Wholes, error) {
	t := &task{req: req}
	var err error
	if t.prog, err = req.Load(ctx); err != nil {
		return nil, err
	}
	if err := t.readContract(); err != nil {
		return nil, err
	}
	if len(req.Args) > 0 || req.Stdin != "" {
		if t.inputs, err = cases.RunsLike(ctx, t.prog, req); err != nil {
			return nil, err
		}
	}
	return &Wholes{t}, t.wholes()
}

// Broken says how a whole run of the unrepaired program breaks the contract. It is "" if none is known to.
func (w *Wholes) Broken() (string, error) {
	for _, x := range w.t.whole {
		if x.kept {
			continue
		}
		run, err := w.t.runner(&oracle.Suite{Prog: w.t.prog})
		if err != nil {
			return "", err
		}
		k, _, err := run.HoldRun(x.c, nil, w.t.ct)
		return fmt.Sprintf("in %s: %s", x.c.Name, k), err
	}
	return "", nil
}

// Spoilt compares whole runs of the changed texts with those of the unrepaired program. refuted says how a run breaks
// the contract or ends in an error. other says how behaviour changes in runs in which the unrepaired program keeps the
// contract. Both are empty if nothing is spoilt. They are also empty if nothing can be compared: there are no runs, the
// texts cannot be loaded, or the contract is not found in them.
func (w *Wholes) Spoilt(ctx context.Context, texts map[string]string) (refuted, other string, err error) {
	if len(w.t.whole) == 0 {
		return "", "", nil
	}
	p, err := judge.Load(ctx, w.t.req, texts)
	if p == nil || err != nil {
		return "", "", err
	}
	ct, err := w.t.contractIn(p)
	if ct == nil || err != nil {
		return "", "", err
	}
	x, err := w.t.spoils(p, ct, nil)
	if err != nil {
		return "", "", err
	}
	return x.refuted, x.String(), nil
}

// told returns some of the whole runs that keep the contract and do the same natively, as tests. Runs with different
// outputs come first.
func (t *task) told(ctx context.Context) ([]oracle.Test, error) {
	if err := t.wholes(); err != nil {
		return nil, err
	}
	var some, others []whole
	seen := map[string]bool{}
	for _, w := range t.whole {
		switch {
		case !w.kept:
		case seen[w.c.Want.Output]:
			others = append(others, w)
		default:
			seen[w.c.Want.Output] = true
			some = append(some, w)
		}
	}
	if some = append(some, others...); len(some) == 0 {
		return nil, nil
	}
	list := make([]*oracle.Case, min(len(some), mostTold))
	for i := range list {
		list[i] = some[i].c
	}
	list, err := judge.Same(ctx, t.req, t.prog, list)
	if err != nil {
		return nil, err
	}
	out := make([]oracle.Test, len(list))
	for i, c := range list {
		out[i] = oracle.Test{Name: fmt.Sprintf("run%02d", i), Args: append([]string{wholeRun}, c.Args...), Stdin: c.Stdin, Stdout: c.Want.Output, Exit: c.Want.Status}
	}
	return out, nil
}

// wholeRun is the first argument of a run of the program's own main (native/asruns.c).
const wholeRun = "run"
