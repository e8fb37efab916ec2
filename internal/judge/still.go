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

// This file looks for the error itself with a repair: where a test fails because memory is read or written
// that is freed or is none, and nothing but tests says what is right, a repair with which a run like the
// tests still ends with an error of that kind is refuted.

// kindredTests are the runs like the tests that are made for it.
const kindredTests = 150

// memoryError is the kind of an error in AddressSanitizer's report.
var memoryError = regexp.MustCompile(`(?m)^==\d+==ERROR: AddressSanitizer: (\S+)`)

// ownErrors is what the program itself ends with on the tests.
type ownErrors struct {
	sync.Mutex
	asked, fails bool     // on the machine: one ends in an error state
	kinds        []string // with the sanitizers; nil before anybody asked
}

// failsByError reports whether a given test ends in an error state on the machine; it is asked once.
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

// stillFails reports whether a repaired program, compiled with the sanitizers, ends on a run like the tests
// with an error of the kind with which the program ends on one of the tests.
//
// Where the machine first sees something read that nothing was stored in, as where the input ends too early, the error
// is that, and what the sanitizers say comes of the pattern that such memory is filled with.
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
	got, err := t.printed(ctx, p, near)
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

// readsUnset reports whether the machine ends a repaired program where it reads what nothing was stored in.
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

// ownErrors are the kinds of errors with which the program itself ends on the tests.
func (t *Judge) ownErrors(ctx context.Context) ([]string, error) {
	if t.errors.kinds != nil {
		return t.errors.kinds, nil
	}
	t.errors.kinds = []string{}
	sources, conf := t.sanitized(nil)
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
	got, err := t.printed(ctx, p, tests)
	t.errors.kinds = append(t.errors.kinds, memoryErrors(got)...)
	return t.errors.kinds, err
}

func memoryErrors(list []native.Outcome) (out []string) {
	for i := range list {
		if m := memoryError.FindStringSubmatch(list[i].Stderr); m != nil && list[i].Status == native.Sanitizer && !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}
