package judge

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// This file detects repairs that only postpone an error, for example by a larger array or a higher initial capacity.
// The given tests no longer reach the error, but longer inputs do: the same memory error happens in the same function.

// Bounds.
const (
	longerRuns    = 24
	longerScripts = 160
	mostGrown     = 3 // inputs from which larger ones are made
	grownRuns     = 160
	longerTime    = time.Second
)

// memoryFaults are the memory errors that no program makes on purpose, whatever its input.
var memoryFaults = map[machine.FaultKind]bool{
	machine.UnmatchedFree: true, machine.DoubleFree: true, machine.DanglingDeref: true, machine.NullDeref: true, machine.HeapOverflow: true,
	machine.Uninitialized: true, machine.StackOverflow: true, machine.GlobalOverflow: true, machine.Overlap: true, machine.WildDeref: true,
	machine.ArrayBounds: true,
}

// faultAt is a kind of memory error and the function where it happens.
type faultAt struct {
	kind machine.FaultKind
	fn   string
}

// shown returns the memory errors that the given tests show, and the inputs that show them.
func (t *Judge) shown() (map[faultAt]bool, []cases.Input, error) {
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return nil, nil, err
	}
	out := map[faultAt]bool{}
	var by []cases.Input
	for _, c := range t.Given.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, nil, err
		}
		if r.Fault != nil && memoryFaults[r.Fault.Kind] {
			out[faultAt{r.Fault.Kind, r.Fault.Func}] = true
			by = append(by, cases.Input{Args: c.Args, Stdin: c.Stdin})
		}
	}
	return out, by, nil
}

// Faulting returns the statements at which the runs in hand end in errors of memory.
func (t *Judge) Faulting() (out []*lower.Stmt, err error) {
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return nil, err
	}
	for _, c := range t.Given.Cases {
		if !t.InHandCase(c) {
			continue
		}
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		if f := r.Fault; f != nil && memoryFaults[f.Kind] && f.Stmt > 0 && t.Prog.Stmts[f.Stmt] != nil {
			out = append(out, t.Prog.Stmts[f.Stmt])
		}
	}
	return out, nil
}

// PutOff returns an input longer than the tests on which a repaired program still has an error that the tests show: one
// of the same kind in the same function. It is empty if none is found, or the tests show no memory error. With a
// reference it is not tried, as the reference decides.
//
// Under memory rules still is an input on which the unrepaired program ends with such an error, too, and the repaired one
// with any.
func (t *Judge) PutOff(ctx context.Context, repaired *lower.Program) (later, still string, err error) {
	if t.Ref != nil || t.Tests == nil && !t.Job.Memory || repaired == nil {
		return "", "", nil
	}
	faults, by, err := t.shown()
	if err != nil || len(faults) == 0 && !t.Job.Memory {
		return "", "", err
	}
	var all []cases.Input
	for _, x := range t.Tests {
		all = append(all, cases.Input{Args: x.Args, Stdin: x.Stdin})
	}
	if t.Tests == nil {
		for _, c := range t.Given.Cases {
			all = append(all, cases.Input{Args: c.Args, Stdin: c.Stdin})
		}
	}
	if len(by) == 0 {
		by = all
	}
	longer, err := t.strains(by, all)
	if err != nil {
		return "", "", err
	}
	run, err := oracle.NewRunner(oracle.Runs(repaired, nil, 0))
	if err != nil {
		return "", "", err
	}
	left := budget.For(longerTime)
	for _, x := range longer {
		if left.Over() {
			break
		}
		r, err := run.Run(&oracle.Case{Name: x.String(), Args: x.Args, Stdin: x.Stdin}, nil)
		if err != nil {
			return "", "", err
		}
		left.Spend(budget.Run + r.Steps)
		budget.Spend(ctx, budget.Run+r.Steps)
		switch {
		case r.Fault == nil:
		case faults[faultAt{r.Fault.Kind, r.Fault.Func}]:
			return x.String(), "", nil
		case t.Job.Memory && memoryFaults[r.Fault.Kind] && r.Fault.Kind != machine.Uninitialized: // which input that ends early may cause
			if still == "" {
				if still, err = t.stillOn(x, r.Fault); err != nil {
					return "", "", err
				}
			}
		}
	}
	return "", still, nil
}

// stillOn says on which input a repaired program still ends with a memory error, and with which. It is empty if the
// unrepaired program ends with none there.
func (t *Judge) stillOn(x cases.Input, f *machine.Fault) (string, error) {
	own, err := oracle.NewRunner(oracle.Runs(t.Prog, nil, 0))
	if err != nil {
		return "", err
	}
	r, err := own.Run(&oracle.Case{Args: x.Args, Stdin: x.Stdin}, nil)
	if err != nil || r.Fault == nil || !memoryFaults[r.Fault.Kind] {
		return "", err
	}
	return fmt.Sprintf("on %s: %v", x.String(), f), nil
}

// strains makes inputs that ask more of a program than some, which are among all: longer ones, larger ones, and, under
// memory rules, other sequences of commands. The answer is kept.
func (t *Judge) strains(some, all []cases.Input) ([]cases.Input, error) {
	if t.strained != nil {
		return t.strained, nil
	}
	list := cases.Longer(t.Job.Seed, some, all, longerRuns)
	if t.Job.Memory {
		inHand := t.InHand()
		grown := cases.Grown(inHand[:min(len(inHand), mostGrown)])
		scripts, err := cases.Scripts(t.Job.Seed, t.Prog, inHand, cases.LanguageOf(t.Prog.Tree), longerScripts)
		if err != nil {
			return nil, err
		}
		list = slices.Concat(list, grown[:min(len(grown), grownRuns)], scripts)
	}
	t.strained = list
	return list, nil
}

// Breaks says on which input the program ends without a memory error, and a repaired one with one. It is empty if none is
// found.
func (t *Judge) Breaks(ctx context.Context, repaired *lower.Program) (string, error) {
	if !t.Job.Memory {
		return "", nil
	}
	c, err := t.breaks(ctx, repaired)
	if c == nil || err != nil {
		return "", err
	}
	return fmt.Sprintf("on %s it ends with a memory error, and the program does not", c.Name), nil
}

// breaks returns an input on which the program ends without a memory error, and a repaired one with one. It is nil if
// none is found. Only under memory rules are programs asked: with tests, other checks know what is right.
func (t *Judge) breaks(ctx context.Context, repaired *lower.Program) (*oracle.Case, error) {
	var all []cases.Input
	for _, c := range t.Given.Cases {
		all = append(all, cases.Input{Args: c.Args, Stdin: c.Stdin})
	}
	list, err := t.strains(all, all)
	if err != nil {
		return nil, err
	}
	if t.unbroken == nil {
		t.unbroken = []*oracle.Case{}
		run, err := oracle.NewRunner(oracle.Runs(t.Prog, nil, 0))
		if err != nil {
			return nil, err
		}
		left := budget.For(longerTime)
		for _, x := range list {
			c := &oracle.Case{Name: x.String(), Args: x.Args, Stdin: x.Stdin}
			r, err := run.Run(c, nil)
			if err != nil {
				return nil, err
			}
			budget.Spend(ctx, budget.Run+r.Steps)
			if left.Spend(budget.Run + r.Steps); left.Over() {
				break
			}
			if r.Fault == nil {
				c.Want = &oracle.Run{Output: r.Output, Status: r.Status, Steps: r.Steps, Any: true}
				t.unbroken = append(t.unbroken, c)
			}
		}
	}
	run, err := oracle.NewRunner(oracle.Runs(repaired, nil, 0))
	if err != nil {
		return nil, err
	}
	for _, c := range t.unbroken {
		x := *c
		x.Want = nil
		r, err := run.Run(&x, nil)
		if err != nil {
			return nil, err
		}
		budget.Spend(ctx, budget.Run+r.Steps)
		if r.Fault != nil && memoryFaults[r.Fault.Kind] {
			return c, nil
		}
	}
	return nil, nil
}
