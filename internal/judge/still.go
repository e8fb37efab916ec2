package judge

import (
	"context"
	"regexp"
	"slices"
	"sync"

	"gulo/internal/cases"
	"gulo/internal/machine"
	"gulo/internal/native"
	"gulo/internal/oracle"
)

// This file checks whether a repaired program still has the original error. If a test fails by an access to invalid
// memory, and only tests say what is right, a repair is refuted if a run like the tests still ends in a memory error of
// that kind.

// kindredTests is how many runs like the tests are made for that.
const kindredTests = 150

// memoryError matches the kind of error in AddressSanitizer's report.
var memoryError = regexp.MustCompile(`(?m)^==\d+==ERROR: AddressSanitizer: (\S+)`)

// ownErrors are the errors of the unrepaired program on the tests.
type ownErrors struct {
	sync.Mutex
	asked, fails bool     // whether the machine was asked, and whether a test ends in an error there
	kinds        []string // kinds of errors that the sanitizers report; nil until asked
}

// failsByError reports whether a given test ends in an error on the machine. The answer is kept.
func (t *Judge) failsByError() (bool, error) {
	if t.errors.asked {
		return t.errors.fails, nil
	}
	t.errors.asked = true
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return false, err
	}
	for _, c := range t.Given.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return false, err
		}
		if r.Fault != nil && r.Fault.Kind != machine.LimitFault {
			t.errors.fails = true
			break
		}
	}
	return t.errors.fails, nil
}

// stillFails reports whether a repaired program, compiled with the sanitizers, ends on a run like the tests with an
// error of a kind with which the unrepaired program ends on a test.
//
// Runs in which the machine finds an uninitialized read first, for example as the input ends too early, do not count:
// the sanitizers' error comes only from the pattern with which such memory is filled.
func (t *Judge) stillFails(ctx context.Context, p *native.Program, texts map[string]string) (bool, error) {
	if t.Ref != nil || t.Given == nil {
		return false, nil
	}
	t.errors.Lock()
	defer t.errors.Unlock()
	if fails, err := t.failsByError(); !fails || err != nil {
		return false, err
	}
	var tests []cases.Input
	for _, c := range t.Given.Cases {
		tests = append(tests, cases.Input{Args: c.Args, Stdin: c.Stdin})
	}
	var near []native.Test
	for _, in := range cases.Kindred(t.Job.Seed+3, tests, cases.LanguageOf(t.Prog.Tree).Words, kindredTests) {
		near = append(near, native.Test{Args: in.Args, Stdin: in.Stdin})
	}
	got, err := t.printed(ctx, p, near, 0)
	if err != nil {
		return false, err
	}
	for i := range got {
		if len(memoryErrors(got[i:i+1])) > 0 {
			unset, err := t.readsUnset(ctx, texts, &near[i])
			if err != nil {
				return false, err
			}
			if unset {
				got[i] = native.Outcome{}
			}
		}
	}
	kinds := memoryErrors(got)
	if len(kinds) == 0 {
		return false, nil
	}
	own, err := t.ownErrors(ctx)
	return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(own, k) }), err
}

// readsUnset reports whether a run of a repaired program ends, on the machine, at a read of uninitialized memory.
func (t *Judge) readsUnset(ctx context.Context, texts map[string]string, x *native.Test) (bool, error) {
	p, err := t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return false, err
	}
	s := oracle.Runs(p, []oracle.Test{{Args: x.Args, Stdin: x.Stdin}}, 0)
	run, err := oracle.NewRunner(s)
	if err != nil {
		return false, err
	}
	r, err := run.Run(s.Cases[0], nil)
	return err == nil && r.Fault != nil && r.Fault.Kind == machine.Uninitialized, err
}

// ownErrors returns the kinds of errors with which the unrepaired program ends on the tests. The answer is kept.
func (t *Judge) ownErrors(ctx context.Context) ([]string, error) {
	if t.errors.kinds != nil {
		return t.errors.kinds, nil
	}
	t.errors.kinds = []string{}
	sources, conf := t.sanitized(ctx, nil)
	p, err := native.Build(ctx, sources, conf)
	if _, bad := err.(*native.CompileError); bad {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var tests []native.Test
	for _, c := range t.Given.Cases {
		tests = append(tests, Test(c))
	}
	got, err := t.printed(ctx, p, tests, len(tests))
	t.errors.kinds = append(t.errors.kinds, memoryErrors(got)...)
	return t.errors.kinds, err
}

// memoryErrors returns the kinds of errors that AddressSanitizer reports in some runs.
func memoryErrors(list []native.Outcome) (out []string) {
	for i := range list {
		if m := memoryError.FindStringSubmatch(list[i].Stderr); m != nil && list[i].Status == native.Sanitizer && !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}
