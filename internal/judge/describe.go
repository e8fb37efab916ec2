package judge

import (
	"context"
	"fmt"
	"gulo/internal/timing"
	"slices"
	"strings"
	"time"

	"gulo/internal/cases"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/process"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/report"
)

// This file holds repairs against the cases, on the machine, and says what came of it.

// Judge holds candidates against the cases of a job. It compiles and runs them natively.
type Judge struct {
	*cases.Set
	Until     time.Time // of whole runs
	native    *Calls    // of the given function, natively; nil: none made yet
	duel      *duel     // nil without a reference
	lent      bool      // it is another judge's
	recent    recent    // candidates that were loaded
	begun     begun     // programs that are being compiled
	around    around    // the program on the neighbours of the tests
	errors    ownErrors // with which it ends on tests
	freeing   freeing
	Compare   Comparer // asks logic about repairs; nil: nobody does
	comparing comparing
	setAside  map[*oracle.Case]bool // cases unlike those in hand that refuted a repair, and may be another mistake

	part     bool                          // the program is one function among the reference's others: what mends it is judged again with the rest
	Foreseen func(texts map[string]string) // is told, of a part, what will likely mend it; may be nil

	relaxed bool           // it demands no more than the runs in hand and what the program does right
	excused []*oracle.Case // of that, what the candidate that was described last does not
}

// Part judges repairs of a program that holds one function among the reference's others. It
// demands the cases only: the whole program, in which what mends it is put with the other parts,
// is judged afterwards in every way.
func (t *Judge) Part(s *cases.Set, until time.Time) *Judge {
	return &Judge{Set: s, Until: until, duel: t.duel, lent: true, part: true}
}

// Refuted returns the first held-back case that a patch does not meet.
func (t *Judge) Refuted(os []*lower.Overlay, held, all *int) (*oracle.Case, error) {
	c, err := RefutedBy(t.Held, os, held)
	if c == nil && err == nil {
		c, err = RefutedBy(t.All, os, all)
	}
	if c == nil && err == nil {
		c, err = RefutedBy(t.Runs, os, held)
	}
	return c, err
}

// Learned returns cases that a search by calls can learn of from the case that refutes a patch:
// that one or, where it is a whole run, a call in it that the patch does not meet either.
// There may be none.
func (t *Judge) Learned(ctx context.Context, os []*lower.Overlay, c *oracle.Case) ([]*oracle.Case, error) {
	switch {
	case c == nil:
		return nil, nil
	case c.State != nil || t.Given.Entry == nil:
		return []*oracle.Case{c}, nil
	}
	calls, err := t.CallsOf(ctx, c)
	if err != nil {
		return nil, err
	}
	s := *t.Given
	s.Cases = calls
	bad, err := RefutedBy(&s, os, nil)
	if bad == nil || err != nil {
		return nil, err
	}
	return []*oracle.Case{bad}, nil
}

// RefutedBy returns a case of a suite that is not met; met counts those before it that are. A
// case that comes to what the machine has no model of is not met.
func RefutedBy(s *oracle.Suite, os []*lower.Overlay, met *int) (*oracle.Case, error) {
	c, _, err := refutedBy(s, os, met, false)
	return c, err
}

// refutedBy is RefutedBy; with natively, what the machine has no model of is left to who runs the
// cases natively, and left counts it.
func refutedBy(s *oracle.Suite, os []*lower.Overlay, met *int, natively bool) (by *oracle.Case, left int, err error) {
	if s == nil {
		return nil, 0, nil
	}
	run, err := oracle.NewRunner(s)
	if err != nil {
		return nil, 0, err
	}
	for _, c := range s.Cases {
		r, err := run.Run(c, os)
		if err != nil {
			return nil, left, err
		}
		if natively && r.Unmodelled() != "" {
			left++
			continue
		}
		if !r.Meets(c.Want) {
			return c, left, nil
		}
		if met != nil {
			*met++
		}
	}
	return nil, left, nil
}

// Describe makes the report of one repair. What a case refutes is not compiled.
func (t *Judge) Describe(ctx context.Context, p *repair.Patch) (report.Repair, map[string]string, *oracle.Case, error) {
	defer timing.Begin(ctx, "judge: on the machine").End("")
	var out report.Repair
	diff, err := patch.Diff(t.Prog, p)
	if err != nil {
		return out, nil, nil, nil // a patch that cannot be written is none
	}
	texts, err := patch.Rewrite(t.Prog, p)
	if err != nil {
		return out, nil, nil, nil
	}
	out.Diff, out.Changes = diff, report.Changes(t.Prog, texts)
	if !report.Keeps(out.Changes, t.Job.Lock) {
		return out, nil, nil, nil
	}
	for _, e := range p.Edits() {
		out.Edits = append(out.Edits, report.EditOf(t.Prog, e))
	}
	os, err := natural.Overlays(t.Prog, p)
	if err != nil {
		return out, nil, nil, err
	}
	ev := &out.Evidence
	*ev = t.facts()
	t.offer(report.Meets, &out, texts)
	c, err := t.Refuted(os, &ev.HeldMet, &ev.AllMet)
	if err != nil {
		return out, nil, nil, err
	}
	err = process.Parallel(ctx, 2, 2, func(ctx context.Context, i int) (err error) {
		switch {
		case i == 1:
			if ev.Exercise, err = t.exercise(p, os); err == nil {
				ev.Near, err = t.near(os)
			}
		case c == nil:
			ev.Compiled, err = t.Compiles(ctx, texts)
		default:
			ev.Counter = c.Name
		}
		return err
	})
	if err != nil {
		return out, nil, nil, err
	}
	if c != nil || !ev.Compiled {
		t.Job.Best.Drop(texts)
	}
	ev.Text = ev.String()
	out.Hints = report.Hints(t.Prog, p)
	return out, texts, c, nil
}

// Compiles reports whether gcc takes a repaired program.
func (t *Judge) Compiles(ctx context.Context, texts map[string]string) (bool, error) {
	return patch.Compiles(ctx, t.Job.Files, t.Job.Options, texts)
}

// Example describes the failing case with the shortest name, and counts those that fail.
func (t *Judge) Example() (text string, failing int, err error) {
	text, _, failing, err = t.failing()
	return text, failing, err
}

// failing finds the failing case with the shortest name and says what goes wrong; n is how
// many fail.
func (t *Judge) failing() (text string, c *oracle.Case, n int, err error) {
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return "", nil, 0, err
	}
	var r, did *oracle.Run
	var asked *oracle.Case                                    // the run in hand
	apart := t.WrittenApart() || t.Job.Memory && t.Ref == nil // what is made up nobody asked for
	for _, x := range t.Given.Cases {
		got, err := run.Run(x, nil)
		if err != nil {
			return "", nil, 0, err
		}
		if got.Meets(x.Want) {
			continue
		}
		if n++; c == nil || len(x.Name) < len(c.Name) {
			c, r = x, got
		}
		if asked == nil && apart && t.InHandCase(x) {
			asked, did = x, got
		}
	}
	if c == nil {
		return "", nil, 0, nil
	}
	if asked != nil { // what was made up, and what is smaller, nobody may have asked for
		c, r = asked, did
	} else if c, r, err = t.shrunk(c, r); err != nil {
		return "", nil, 0, err
	}
	name := c.Name
	if name == "" {
		name = "a call without arguments"
	}
	return fmt.Sprintf("on %s: %s", name, r.Differs(c.Want)), c, n, nil
}

// JudgeText holds a text that gcc takes against all cases there are; c refutes it. Where the
// machine does not take it the evidence says that nothing was compiled.
func (t *Judge) JudgeText(ctx context.Context, texts map[string]string) (out report.Repair, c *oracle.Case, err error) {
	t.forget(texts)
	t.expect(ctx, texts)
	defer func() {
		if c != nil || err != nil {
			t.forget(nil)
		}
	}()
	p, err := t.Reloaded(ctx, texts)
	if err != nil || p == nil {
		return out, nil, err
	}
	ev := &out.Evidence
	*ev = t.facts()
	for _, s := range []*oracle.Suite{t.Given, t.Held, t.All} {
		if s == nil {
			continue
		}
		x := *s
		x.Prog, x.Edited = p, nil
		if s.Entry != nil {
			if x.Entry = p.Tree.Func(s.Entry.Name); x.Entry == nil {
				return out, nil, nil
			}
		}
		var met *int
		switch s {
		case t.Held:
			met = &ev.HeldMet
		case t.All:
			met = &ev.AllMet
		}
		if c, err := RefutedBy(&x, nil, met); c != nil || err != nil {
			return out, c, err
		}
	}
	ev.Compiled = true
	if cases.Declarations(p.Tree) == cases.Declarations(t.Ref.Prog.Tree) {
		ev.Unseen = slices.DeleteFunc(ev.Unseen, func(s string) bool { return strings.HasPrefix(s, declarationsDiffer) })
	}
	ev.Text = ev.String()
	out.Changes = report.Changes(t.Prog, texts)
	out.Diff, err = patch.DiffTexts(t.Prog, texts)
	return out, nil, err
}

// Refutes returns a run that a repaired program does not meet, nil for none.
func (t *Judge) Refutes(ctx context.Context, texts map[string]string) (*oracle.Case, error) {
	p, err := t.Reloaded(ctx, texts)
	if err != nil || p == nil {
		return nil, err
	}
	if t.Job.Memory {
		if c, err := t.ruled(ctx, texts); c != nil || err != nil {
			return c, err
		}
	}
	for _, s := range []*oracle.Suite{t.Given, t.Held} {
		if s == nil {
			continue
		}
		x := *s
		x.Prog, x.Edited = p, nil
		if c, err := RefutedBy(&x, nil, nil); c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// Right reports whether the program meets every run in hand and every run made from
// them.
func (t *Judge) Right() (bool, error) {
	for _, s := range []*oracle.Suite{t.Given, t.Held} {
		c, err := RefutedBy(s, nil, nil)
		if c != nil || err != nil {
			return false, err
		}
	}
	return true, nil
}

// FailingCases counts the cases that a suite's program does not meet.
func FailingCases(s *oracle.Suite) (n int, err error) {
	r, err := oracle.NewRunner(s)
	if err != nil {
		return 0, err
	}
	for _, c := range s.Cases {
		x, err := r.Run(c, nil)
		if err != nil {
			return n, err
		}
		if !x.Meets(c.Want) {
			n++
		}
	}
	return n, nil
}

// NeighbourTests are the runs near the tests.
func (t *Judge) NeighbourTests() (out []native.Test) {
	for _, in := range t.Around {
		out = append(out, native.Test{Args: in.Args, Stdin: in.Stdin})
	}
	return out
}

// Test is a case as it is run natively.
func Test(c *oracle.Case) native.Test {
	t := native.Test{Args: c.Args, Stdin: c.Stdin, Stdout: c.Want.Output, Exit: c.Want.Status, Judged: c.Judged}
	if c.Want.Any {
		t.Any, t.Stdout = true, c.Want.Begins
	}
	if c.Want.Frees {
		t.Blocks = c.Want.Heap + 1
	}
	return t
}

// Unrefuted answers when every case is met. That nothing is wrong is known when the
// tests are all that was asked, or the text is the reference's.
func (t *Judge) Unrefuted(rep *report.Report) {
	f := t.facts()
	f.HeldMet, f.AllMet, f.Compiled = f.Held, f.All, true
	rep.Result, rep.Evidence = report.Alike, &f
	switch {
	case t.Job.Memory && t.Ref == nil:
		f.Text = f.NoRule()
		rep.Cause = f.Text
	case t.Ref == nil:
		rep.Result, f.Text = report.Right, f.Met()
	case t.Same():
		rep.Result, f.Unseen, f.Proof = report.Right, nil, "proved: the text is the reference's"
		f.Text = f.Proof
	default:
		f.Text = f.NoDifference()
		rep.Cause = f.Text
	}
}
