package judge

import (
	"fmt"
	"time"

	"gulo/internal/budget"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file detects repairs with which a program leaks memory although it frees everything in the tests that it passes
// unrepaired. A reference says for each case how many blocks may be left (cases.Set), and so does a job about memory;
// tests say nothing about that.

// leakTime bounds all runs of one program.
const leakTime = time.Second

// freeing says how the unrepaired program frees its memory.
type freeing struct {
	known bool
	all   bool // it allocates memory in some test that it meets, and has freed all at the end of each
}

// Leaks says how many blocks a repaired program leaks on which test, although the unrepaired program frees everything
// in the tests that it meets. A block leaks if nothing leads to it at the end. The text is empty if there is no leak,
// or if the unrepaired program does not always free everything.
func (t *Judge) Leaks(repaired *lower.Program) (string, error) {
	if t.Ref != nil || t.Tests == nil || t.Job.Memory || repaired == nil {
		return "", nil
	}
	if !t.freeing.known {
		t.freeing.known = true
		met := 0
		err := t.left(t.Prog, func(c *oracle.Case, r *oracle.Run, run *oracle.Runner) bool {
			if !r.Meets(c.Want) {
				return true
			}
			if len(run.M.HeapBlocks()) > 0 {
				met++
			}
			t.freeing.all = r.Heap == 0
			return t.freeing.all
		})
		if err != nil {
			return "", err
		}
		t.freeing.all = t.freeing.all && met > 0
	}
	if !t.freeing.all {
		return "", nil
	}
	out := ""
	err := t.left(repaired, func(c *oracle.Case, r *oracle.Run, run *oracle.Runner) bool {
		if r.Heap == 0 {
			return true
		}
		if n := run.Stray(); n > 0 {
			out = fmt.Sprintf("%d on %s", n, c.Name)
		}
		return out == ""
	})
	return out, err
}

// left runs a program on the given tests and passes each run to each. It stops when each returns false or the time is
// up.
func (t *Judge) left(p *lower.Program, each func(c *oracle.Case, r *oracle.Run, run *oracle.Runner) bool) error {
	s := *t.Given
	s.Prog, s.Edited = p, nil
	run, err := oracle.NewRunner(&s)
	if err != nil {
		return err
	}
	left := budget.For(leakTime)
	for _, c := range t.Given.Cases {
		if left.Over() {
			return nil
		}
		x := *c
		x.Want = nil // without Want, blocks are counted
		r, err := run.Run(&x, nil)
		if err != nil {
			return err
		}
		left.Spend(budget.Run + r.Steps)
		if !each(c, r, run) {
			return nil
		}
	}
	return nil
}
