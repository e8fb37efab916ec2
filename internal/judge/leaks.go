package judge

import (
	"fmt"
	"time"

	"gulo/internal/budget"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file tells repairs with which a program loses memory that it frees where it is right. A
// reference says in every case how many blocks may be left (cases.Set), and so does what is asked about
// memory; tests do not speak of it.

// leakTime bounds the runs of a program, and those of a repaired one.
const leakTime = time.Second

// freeing is what is known of how a program frees its memory.
type freeing struct {
	known bool
	all   bool // it takes memory on some test that it meets, and has freed all at the end of each
}

// Leaks says on which test a repaired program loses blocks of memory, that nothing leads to at its end, although
// the program frees all where it meets the tests. Empty: on none, or nobody knows.
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

// left runs a program on the given tests and counts the blocks that are left at the end. It ends when each
// says so, or the time is up.
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
		x.Want = nil // blocks are counted then
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
