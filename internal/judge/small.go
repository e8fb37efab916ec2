package judge

import (
	"slices"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/oracle"
)

// This file minimizes runs before they are shown, by delta debugging: Zeller and Hildebrandt, "Simplifying and
// isolating failure-inducing input" (IEEE Transactions on Software Engineering 2002). Arguments are removed, then lines
// of standard input. What is left must still be a run that the reference takes and the program fails.

// mostShrinking bounds the runs that are tried. It is a count, not a time, so that the result is the same everywhere.
const mostShrinking = 150

// shrunk returns a smaller run that the program fails, and what the program does in it. It returns the run itself if
// there is no smaller one, no reference, or if the cases are calls.
func (t *Judge) shrunk(c *oracle.Case, r *oracle.Run) (*oracle.Case, *oracle.Run, error) {
	if t.Ref == nil || t.Given.Entry != nil {
		return c, r, nil
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: t.Prog})
	if err != nil {
		return nil, nil, err
	}
	tries := 0
	fails := func(args []string, stdin string) (bool, error) {
		if tries++; tries > mostShrinking {
			return false, nil
		}
		in := cases.Input{Args: args, Stdin: stdin}
		if !t.Form.Has(&in) {
			return false, nil
		}
		want, steps, ok, err := oracle.Expect(t.Ref.Prog, "", args, stdin, -1)
		if err != nil || !ok {
			return false, err
		}
		next := &oracle.Case{Name: in.String(), Args: args, Stdin: stdin, Own: c.Own, Want: &oracle.Run{Output: want.Stdout, Status: want.Exit, Steps: max(steps, 1_000)}}
		next.Judge(c.Judged)
		got, err := run.Run(next, nil)
		if err != nil || got.Meets(next.Want) {
			return false, err
		}
		c, r = next, got
		return true, nil
	}
	if _, err := reduce(c.Args, func(list []string) (bool, error) { return fails(list, c.Stdin) }); err != nil {
		return nil, nil, err
	}
	lines := strings.SplitAfter(c.Stdin, "\n")
	_, err = reduce(lines, func(list []string) (bool, error) { return fails(c.Args, strings.Join(list, "")) })
	return c, r, err
}

// reduce removes as much of a list as a predicate allows: halves first, then ever smaller pieces, until no single
// element can be removed.
func reduce(list []string, holds func([]string) (bool, error)) ([]string, error) {
	for size := (len(list) + 1) / 2; size > 0; {
		smaller := false
		for at := 0; at < len(list); {
			next := slices.Delete(slices.Clone(list), at, min(at+size, len(list)))
			ok, err := holds(next)
			if err != nil {
				return nil, err
			}
			if ok {
				list, smaller = next, true
			} else {
				at += size
			}
		}
		if size == 1 && !smaller {
			break
		}
		if !smaller || size > len(list) {
			size = max(size/2, min(1, size-1))
		}
	}
	return list, nil
}
