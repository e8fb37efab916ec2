package judge

import (
	"context"
	"fmt"
	"gulo/internal/timing"
	"slices"
	"strings"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/process"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/report"
)

// This file holds repairs against the cases, on the machine, and reports the result.

// Judge holds candidates against the cases of a job. It compiles and runs them natively.
type Judge struct {
	*cases.Set
	Until     time.Time // deadline for whole runs
	native    *Calls    // makes native calls of the given function; nil until it is needed
	duel      *duel     // the differential run; nil without a reference
	lent      bool      // the duel is borrowed from another judge
	recent    recent    // candidates that were loaded
	begun     begun     // programs that are being compiled
	around    around    // what the program does on the neighbours of the tests
	errors    ownErrors // errors in which the program ends on tests
	freeing   freeing
	unmeant   unmeant         // what gcc may not say of a repair
	used      map[string]bool // statements that given cases execute (see use); nil until asked
	Compare   Comparer        // asks the logic about repairs; may be nil
	comparing comparing
	strained  []cases.Input         // see strains; nil until asked
	unbroken  []*oracle.Case        // see breaks; nil until asked
	setAside  map[*oracle.Case]bool // cases unlike the given ones that refuted a repair; they may show another mistake

	// part is set if the program is one function of the given program put into the reference. Its repairs are judged
	// again with the other parts.
	part bool
	// Foreseen is called early, for a part, with texts that probably repair it; it may be nil.
	Foreseen func(texts map[string]string)

	relaxed bool           // it demands only the given runs and what the program already does right
	excused []*oracle.Case // cases that are not demanded and that the candidate described last fails
}

// Part returns a judge for a program that is the reference with one function of the given program in it. It demands
// only the cases. The whole program, with the repairs of all parts put together, is judged in every way afterwards.
func (t *Judge) Part(s *cases.Set, until time.Time) *Judge {
	return &Judge{Set: s, Until: until, duel: t.duel, lent: true, part: true}
}

// Refuted returns the first case that a patch fails, of the held-back ones, then all others, then the whole runs; nil
// if there is none.
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

// Learned returns the cases that a search by calls can learn from, given the case c that refutes a patch: c itself, or,
// if c is a whole run, a call in it that the patch fails too. There may be none.
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

// RefutedBy returns the first case of a suite that is not met, or nil, and adds to met the number of cases met before
// it. A case that reaches something that the machine does not model is not met.
func RefutedBy(s *oracle.Suite, os []*lower.Overlay, met *int) (*oracle.Case, error) {
	c, _, err := refutedBy(s, os, met, false)
	return c, err
}

// refutedBy is RefutedBy. With natively, a case that reaches something that the machine does not model is skipped and
// counted in left: the caller runs the cases natively.
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
		if err == nil && r.Endless() && c.Want.Guessed { // only the wrong program says how long a run is
			r, err = run.Patient(c, os, oracle.Patience)
		}
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

// Describe judges one repair and makes its report, with the repaired texts and the case that refutes it, if any. The
// texts are nil if the patch cannot be written or touches a locked line. A refuted repair is not compiled.
func (t *Judge) Describe(ctx context.Context, p *repair.Patch) (report.Repair, map[string]string, *oracle.Case, error) {
	defer timing.Begin(ctx, "judge: on the machine").End("")
	var out report.Repair
	diff, err := patch.Diff(t.Prog, p)
	if err != nil {
		return out, nil, nil, nil // a patch that cannot be written is no repair
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

// Compiles reports whether gcc accepts a repaired program.
func (t *Judge) Compiles(ctx context.Context, texts map[string]string) (bool, error) {
	return patch.Compiles(ctx, t.Job.Files, t.Job.Options, texts)
}

// Example describes the failing case with the shortest name, and counts those that fail.
func (t *Judge) Example() (text string, failing int, err error) {
	text, _, failing, err = t.failing()
	return text, failing, err
}

// failing returns the failing case with the shortest name, what goes wrong in it, and how many cases fail.
func (t *Judge) failing() (text string, c *oracle.Case, n int, err error) {
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return "", nil, 0, err
	}
	var r, did *oracle.Run
	var asked *oracle.Case                                    // the first failing case that was given
	apart := t.WrittenApart() || t.Job.Memory && t.Ref == nil // then made-up cases may be ones that nobody asked about
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
	if asked != nil { // a made-up or minimized case may be one that nobody asked about
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

// JudgeText judges a text that gcc accepts, by all cases. c is the case that refutes it, if any. If the machine cannot
// load the text, Evidence.Compiled stays false.
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

// Refutes returns a run that a repaired program fails, or nil. It is nil, too, if the machine cannot load the program.
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

// Right reports whether the program meets every given run and every run made from them.
func (t *Judge) Right() (bool, error) {
	for _, s := range []*oracle.Suite{t.Given, t.Held} {
		c, err := RefutedBy(s, nil, nil)
		if c != nil || err != nil {
			return false, err
		}
	}
	return true, nil
}

// FailingCases counts the cases of a suite that its program fails.
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

// NeighbourTests returns the runs near the tests, without expected outcomes.
func (t *Judge) NeighbourTests() (out []native.Test) {
	for _, in := range t.Around {
		out = append(out, native.Test{Args: in.Args, Stdin: in.Stdin, Judged: t.Job.Space == job.SpaceJudge})
	}
	return out
}

// Test converts a case to a test for a native run.
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

// Unrefuted fills in the report of a program that meets every case. The result is Right if the tests are all that was
// asked about or the text is the reference's, else Alike.
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
