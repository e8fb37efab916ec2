package cases

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/source"
)

// This file asks about native runs of the program: what the machine gives up on may only take long.

// natively runs a program as it is, on each test for a limited time. Outcomes are fewer than tests where the time was up or too many take too long, and
// none where gcc does not take the program.
func (t *Set) natively(ctx context.Context, prog *lower.Program, tests []native.Test, each time.Duration, conf native.Config) ([]native.Outcome, error) {
	texts := map[string]string{}
	for _, f := range prog.Tree.Files {
		texts[f.Name] = string(f.Text)
	}
	conf.Units, conf.Options = prog.Tree.Units(), t.Job.Options
	p, err := native.Build(ctx, texts, conf)
	if _, no := err.(*native.CompileError); no {
		return nil, nil // nothing is known then
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

// firstPart are the tests that are run together at first, then twice as many: where none of them comes to an end, the
// rest is not waited for.
const firstPart = 2

// mostSteps bounds the steps of a run on the machine that is known to end.
const mostSteps = 30_000_000

// wait finds out which of the given runs the program ends that takes more steps than others. Those
// that end natively are waited for on the machine; where even that takes too long there, they are set
// aside and only run natively.
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
		did, err := run.Patient(c, mostSteps)
		if err != nil {
			return err
		}
		aside[c] = did.Endless()
	}
	return t.tooLong(run, aside)
}

// asOthers allows repairs on the cases that the program does not end as many steps as it takes on the others: every run
// of an interpreter begins with thousands.
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

// tooLong sets cases aside of which the machine sees no end.
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
	if len(out) == 0 || !fails { // what fails must be seen
		return nil
	}
	t.Given.Cases, t.Aside = rest, append(t.Aside, out...)
	t.Notes = append(t.Notes, fmt.Sprintf("only run natively, since they take more than %d million steps: %s", mostSteps/1_000_000, namesOf(out)))
	return nil
}

// doubt is a test on which the machine ends the reference, and why.
type doubt struct {
	test *oracle.Test
	why  string
}

// doubts runs the reference natively where the machine ends it. What it prints must not depend on what happens to be in
// memory that nothing was stored in.
func (t *Set) doubts(ctx context.Context, list []doubt) error {
	if len(list) == 0 {
		return nil
	}
	tests := make([]native.Test, len(list))
	for i, d := range list {
		tests[i] = native.Test{Args: d.test.Args, Stdin: d.test.Stdin}
	}
	for _, conf := range []native.Config{{}, {Heap: native.Forgiving, Unset: true}} {
		did, err := t.natively(ctx, t.Ref.Prog, tests, nativeTime, conf)
		if err != nil {
			return err
		}
		for i, d := range list {
			if i >= len(did) || !did[i].Ended() || !met(d.test, &did[i]) {
				return job.Usage("the reference fails test %s: %s", d.test.Name, d.why)
			}
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("natively the reference meets %s; on the machine, on test %s, %s", list[0].test.Name, list[0].test.Name, list[0].why))
	return nil
}

// met reports whether a native run is what a test wants.
func met(x *oracle.Test, did *native.Outcome) bool {
	printed := did.Stdout
	if x.Judged {
		printed = source.Judged(printed)
	}
	return x.Any && strings.HasPrefix(printed, x.Stdout) || printed == x.Stdout && did.Status == x.Exit
}
