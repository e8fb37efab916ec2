package judge

import (
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
	longerRuns = 24
	longerTime = time.Second
)

// memoryFaults are the memory errors that no program makes on purpose, whatever its input.
var memoryFaults = map[machine.FaultKind]bool{
	machine.UnmatchedFree: true, machine.DoubleFree: true, machine.DanglingDeref: true, machine.NullDeref: true, machine.HeapOverflow: true,
	machine.Uninitialized: true, machine.StackOverflow: true, machine.GlobalOverflow: true, machine.Overlap: true, machine.WildDeref: true,
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

// PutOff returns an input longer than the tests on which a repaired program still has an error that the tests show: one
// of the same kind in the same function. It is empty if none is found, or the tests show no memory error. With a
// reference it is not tried, as the reference decides.
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
