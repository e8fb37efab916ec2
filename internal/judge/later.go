package judge

import (
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// This file tells repairs that only put an error off: an array made larger, a capacity that
// starts higher. The given tests do not come to the place any more; longer ones do, and the
// same error of memory happens in the same function.

// Bounds.
const (
	longerRuns = 24
	longerTime = time.Second
)

// memoryFaults are errors of memory that a program does not do on purpose, whatever it is given.
var memoryFaults = map[machine.FaultKind]bool{
	machine.UnmatchedFree: true, machine.DoubleFree: true, machine.DanglingDeref: true, machine.NullDeref: true, machine.HeapOverflow: true,
	machine.Uninitialized: true, machine.StackOverflow: true, machine.GlobalOverflow: true, machine.Overlap: true, machine.WildDeref: true,
}

// faultAt is an error of memory and where it happens.
type faultAt struct {
	kind machine.FaultKind
	fn   string
}

// shown are the errors of memory that given tests show, with the inputs that show them.
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

// PutOff returns an input longer than the tests on which a repaired program does what the
// tests showed of the program: the same error of memory in the same function. Empty: none was
// found, or the tests show no such error. With a reference others know better.
func (t *Judge) PutOff(repaired *lower.Program) (string, error) {
	if t.Ref != nil || t.Tests == nil && !t.Job.Memory || repaired == nil {
		return "", nil
	}
	faults, by, err := t.shown()
	if err != nil || len(faults) == 0 {
		return "", err
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
	var longer []oracle.Test
	for _, in := range cases.Longer(t.Job.Seed, by, all, longerRuns) {
		longer = append(longer, oracle.Test{Name: in.String(), Args: in.Args, Stdin: in.Stdin})
	}
	run, err := oracle.NewRunner(oracle.Runs(repaired, longer, 0))
	if err != nil {
		return "", err
	}
	left := budget.For(longerTime)
	for _, c := range run.Suite.Cases {
		if left.Over() {
			break
		}
		c.Want = nil
		r, err := run.Run(c, nil)
		if err != nil {
			return "", err
		}
		left.Spend(budget.Run + r.Steps)
		if r.Fault != nil && faults[faultAt{r.Fault.Kind, r.Fault.Func}] {
			return c.Name, nil
		}
	}
	return "", nil
}
