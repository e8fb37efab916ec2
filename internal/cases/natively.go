package cases

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
)

// This file runs programs natively: a run that the machine gives up on may just take long.

// natively runs an unchanged program on tests, each for a limited time. It returns fewer outcomes than tests if time
// runs out or if no test of a batch ends, and none if gcc rejects the program.
func (t *Set) natively(ctx context.Context, prog *lower.Program, tests []native.Test, each time.Duration, conf native.Config) ([]native.Outcome, error) {
	texts := map[string]string{}
	for _, f := range prog.Tree.Files {
		texts[f.Name] = string(f.Text)
	}
	conf.Units, conf.Options = prog.Tree.Units(), t.Job.Options
	p, err := native.Build(ctx, texts, conf)
	if _, no := err.(*native.CompileError); no {
		return nil, nil // then nothing is known
	}
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var out []native.Outcome
	for n := firstPart; len(tests) > 0; n *= 2 {
		n = min(n, len(tests))
		ses := &native.Session{}
		ses.Limit(each, 0)
		ses.PrintAll(tests[:n])
		a, err := p.Run(ctx, ses, nativeLimit)
		if err != nil {
			return nil, err
		}
		out = append(out, a.Printed...)
		if len(a.Printed) < n || !slices.ContainsFunc(a.Printed, func(o native.Outcome) bool { return !o.Endless() }) {
			break
		}
		tests = tests[n:]
	}
	return out, nil
}

// firstPart is the number of tests in the first batch; each further batch is twice as large. If no test of a batch
// ends, the rest is not run.
const firstPart = 2

// mostSteps bounds the steps on the machine of a run that is known to end.
const mostSteps = 30_000_000

// wait finds out which of the given runs that exceed the step limit do end. Those that end natively get a higher limit
// on the machine. If that is not enough either, they are set aside and only run natively.
func (t *Set) wait(ctx context.Context) error {
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return err
	}
	long, err := run.Long()
	if err != nil || len(long) == 0 {
		return err
	}
	tests := make([]native.Test, len(long))
	for i, c := range long {
		tests[i] = native.Test{Args: c.Args, Stdin: c.Stdin}
	}
	ends, err := t.natively(ctx, t.Prog, tests, nativeTime, native.Config{})
	if err != nil {
		return err
	}
	aside := map[*oracle.Case]bool{}
	defer t.asOthers(run, long)
	for i, c := range long {
		if i >= len(ends) || !ends[i].Ended() {
			continue
		}
		did, err := run.Patient(c, nil, mostSteps)
		if err != nil {
			return err
		}
		aside[c] = did.Endless()
	}
	return t.tooLong(run, aside)
}

// asOthers gives repairs, on the cases that the program does not end, as many steps as it takes on the other cases.
// Every run of an interpreter starts with thousands of steps.
func (t *Set) asOthers(run *oracle.Runner, long []*oracle.Case) {
	most := int64(0)
	for _, c := range t.Given.Cases {
		if slices.Contains(long, c) {
			most = max(most, c.Own) // 0 where it came to no end
			continue
		}
		if r, err := run.Run(c, nil); err == nil && !r.Endless() {
			most = max(most, r.Steps)
		}
	}
	for _, c := range long {
		c.Own = max(c.Own, most)
	}
}

// tooLong sets aside the given cases that do not end on the machine, if some other case fails.
func (t *Set) tooLong(run *oracle.Runner, aside map[*oracle.Case]bool) error {
	var rest, out []*oracle.Case
	fails := false
	for _, c := range t.Given.Cases {
		if aside[c] {
			out = append(out, c)
			continue
		}
		rest = append(rest, c)
		r, err := run.Run(c, nil)
		if err != nil {
			return err
		}
		fails = fails || !r.Meets(c.Want)
	}
	if len(out) == 0 || !fails { // a failing case must remain
		return nil
	}
	t.Given.Cases, t.Aside = rest, append(t.Aside, out...)
	t.Notes = append(t.Notes, fmt.Sprintf("only run natively, since they take more than %d million steps: %s", mostSteps/1_000_000, namesOf(out)))
	return nil
}

// doubt is a test that the reference fails on the machine, and why.
type doubt struct {
	test *oracle.Test
	why  string
	long bool // there it only takes long
}

// doubts runs the reference natively on such tests. It returns an error unless the reference passes all of them. What the
// reference prints there may depend on memory that it never wrote: the tests say what is right, and on other inputs that
// the reference fails on the machine nothing is asked of it.
func (t *Set) doubts(ctx context.Context, list []doubt) error {
	if len(list) == 0 {
		return nil
	}
	tests := make([]native.Test, len(list))
	for i, d := range list {
		tests[i] = native.Test{Args: d.test.Args, Stdin: d.test.Stdin}
	}
	did, err := t.natively(ctx, t.Ref.Prog, tests, nativeTime, native.Config{})
	if err != nil {
		return err
	}
	for i, d := range list {
		if i >= len(did) || !did[i].Ended() || !met(d.test, &did[i]) {
			return job.Usage("the reference fails test %s: %s", d.test.Name, d.why)
		}
	}
	for _, d := range list {
		if !d.long {
			t.doubted = append(t.doubted, &Run{Input: Input{Args: d.test.Args, Stdin: d.test.Stdin}, Test: *d.test, Heap: math.MaxInt, doubted: true})
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("natively the reference meets %s; on the machine, on test %s, %s", list[0].test.Name, list[0].test.Name, list[0].why))
	return nil
}

// met reports whether a native run does what a test wants.
func met(x *oracle.Test, did *native.Outcome) bool {
	printed := x.Compared(did.Stdout)
	return x.Any && strings.HasPrefix(printed, x.Stdout) || printed == x.Stdout && did.Status == x.Exit
}
