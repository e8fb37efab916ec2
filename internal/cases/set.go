package cases

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/process"
)

// This file makes the cases of a job with a reference or tests: those that an engine sees, those that are held back,
// and all small inputs.

// Numbers of inputs.
const (
	givenInputs = 80
	heldInputs  = 400
	allInputs   = 2000
	maxNodes    = 6 // at most, in inputs of which all are made

	shiftedInputs = 60 // held-back inputs that are also made with smaller values
	shift         = 11 // by how much smaller
)

// Set holds the cases that are made from a job's specification.
type Set struct {
	Job    *job.Job
	Prog   *lower.Program
	Ref    *oracle.Reference
	Entry  *cfront.Func
	Scope  []*cfront.Func
	Given  *oracle.Suite
	Held   *oracle.Suite
	All    *oracle.Suite // all inputs of up to Bound nodes
	Bound  int
	Probe  *oracle.Suite           // calls without expected results
	Would  map[*oracle.Case]string // under memory rules, of cases that end in an error: what they would print if it did no harm, where that says something
	Loses  map[*oracle.Case]bool   // under memory rules: cases on which a leak says nothing, since the program leaks elsewhere, too
	loses  bool                    // it does, on runs that are left out
	Tests  []oracle.Test           // the given tests; nil with a reference
	Aside  []*oracle.Case          // given cases that the machine cannot run and that are in no suite, see WithAside
	Notes  []string
	Spaced string // the note that says that white space does not count; empty: there is none
	Form   *Form  // form that made runs must have; nil: any
	asMet  bool   // calls are in states that occurred in runs, not in made ones

	// Runs are held-back whole runs, if calls are in states that occurred in runs: those are few, and say less about a
	// repair than made ones. It is nil if functions that may not change differ, too.
	Runs *oracle.Suite
	By   string // what the specification comes from

	// For whole runs:
	Explored []*Run  // runs of the reference
	seeds    []Input // the given runs
	inHand   int     // number of cases that the user gave
	// scanf formats that the input does not match in some given run; nil: runs are not checked for that
	reading *Reading              // of the reference; nil: any
	unread  int                   // number of runs left out because of that
	left    int                   // number of runs left out because of whole
	answers *answers              // what the program does in the given runs; nil: it refuses no number
	Refused []*oracle.Case        // runs left out because the program refuses a number
	doubted []*Run                // the given tests that the reference meets natively alone
	Like    *Form                 // form of the given runs, even if too few to bind others to it; nil: not known
	signs   *signs                // signs that Like allows and no given run has; nil: none
	beyond  int                   // number of failing runs left out because they are unlike the given ones
	slowest int64                 // most steps allowed to a run of the program that takes long; 0: none does
	Others  bool                  // other programs say what is right in the held-back cases
	Hints   *Hints                // runs on which other programs do something else than the program; nil: none
	Failing int                   // how many of Explored the program fails
	Around  []Input               // inputs near the tests, on which no repair may fail
	Waits   bool                  // the program does not end on some made inputs; for example, it waits for a final word
	asked   map[*oracle.Case]bool // whether a case is a hint, as far as that was found out
	apart   bool                  // the reference was written independently, and a given run fails
}

// DefaultLimit is the time limit of a job that sets none.
const DefaultLimit = 20 * time.Second

// Make loads the programs and makes the cases.
func Make(ctx context.Context, r *job.Job) (*Set, error) {
	t, err := programs(ctx, r)
	if err != nil {
		return nil, err
	}
	if r.Tests != "" && t.Ref == nil {
		return t, t.fromRuns(ctx)
	}
	if r.Entry == "main" {
		return t, t.fromMain(ctx)
	}
	return t, t.fromReference(ctx)
}

// programs loads the program and its reference, if there is one, in parallel.
func programs(ctx context.Context, r *job.Job) (*Set, error) {
	if len(r.Reference) == 0 && r.Tests == "" && !r.Memory {
		return nil, job.Usage("what is right? give --reference REF.c or --tests DIR")
	}
	t := &Set{Job: r}
	var ref *lower.Program
	var errs [2]error
	err := process.Parallel(ctx, 2, 2, func(ctx context.Context, i int) error {
		switch {
		case i == 0:
			t.Prog, errs[0] = r.Load(ctx)
		case len(r.Reference) > 0:
			ref, errs[1] = r.LoadReference(ctx)
		}
		return nil
	})
	for _, e := range append(errs[:], err) {
		if e != nil {
			return nil, e
		}
	}
	if err := r.CheckLock(); err != nil {
		return nil, err
	}
	if ref != nil {
		t.Ref = &oracle.Reference{Prog: ref}
	}
	return t, nil
}

// findEntry decides which function is compared with the reference's, and which functions may change: the entry, and
// those that it calls and that differ. It is a usage error if the entry is not unique.
func (t *Set) findEntry() error {
	own, ref := t.Prog.Tree, t.Ref.Prog.Tree
	differs := func(f *cfront.Func) bool {
		g := ref.Func(f.Name)
		return g == nil || Text(f) != Text(g)
	}
	if name := t.Job.Entry; name != "" {
		if t.Entry, t.Ref.Entry = own.Func(name), ref.Func(name); t.Entry == nil || t.Ref.Entry == nil {
			return job.Usage("no function %s in %s", name, map[bool]string{true: t.Job.Files[0], false: t.Job.Reference[0]}[t.Entry == nil])
		}
	} else {
		var cands []*cfront.Func
		for _, f := range Written(t.Prog) {
			if f.Name == "main" || ref.Func(f.Name) == nil {
				continue
			}
			for g := range cfront.Callees(f) {
				if differs(g) && g.Name != "main" {
					cands = append(cands, f)
					break
				}
			}
		}
		// Choose the one that leads to all differences.
		cands = innermost(cands, differs)
		if len(cands) == 0 {
			cands = t.using()
		}
		switch len(cands) {
		case 0:
			if main := own.Func("main"); main != nil && main.Body != nil && differs(main) {
				return job.Usage("no function of %s but main differs from one of the reference's, and calls of functions are compared here; --entry names one", t.Job.Files[0])
			}
			if what := Apart(t.Prog, t.Ref.Prog); what != "" {
				return job.Usage("no function of %s differs from one of the reference's, but other things do: %s; only statements of functions are repaired; --entry names a function whose calls are compared", t.Job.Files[0], what)
			}
			return job.Usage("no function of %s differs from one of the reference's; name one with --entry", t.Job.Files[0])
		case 1:
		default:
			var names []string
			for _, f := range cands {
				names = append(names, f.Name)
			}
			sort.Strings(names)
			return job.Usage("several functions differ from the reference's: %s; name one with --entry", strings.Join(names, ", "))
		}
		t.Entry = cands[0]
		t.Ref.Entry = ref.Func(t.Entry.Name)
	}
	for f := range cfront.Callees(t.Entry) {
		if f.Name != "main" && (differs(f) || f == t.Entry) {
			t.Scope = append(t.Scope, f)
		}
	}
	sort.Slice(t.Scope, func(i, j int) bool { return t.Scope[i].Name < t.Scope[j].Name })
	return nil
}

// fromReference makes cases of calls, with the results of the reference's calls.
func (t *Set) fromReference(ctx context.Context) error {
	if err := t.findEntry(); err != nil {
		return err
	}
	states, held, every, err := t.inputs(ctx)
	if err != nil {
		return err
	}
	dropped := 0
	if t.Given, dropped, err = t.Ref.Suite(t.Prog, states); err != nil {
		return err
	}
	if len(t.Given.Cases) == 0 && !t.asMet { // the function is not meant for the shape of the made states
		if states, held, err = t.met(ctx); err != nil {
			return err
		}
		if t.Given, dropped, err = t.Ref.Suite(t.Prog, states); err != nil {
			return err
		}
	}
	if len(t.Given.Cases) == 0 {
		return job.Usage("the reference's %s ends right on none of %s: %s", t.Entry.Name, plural.N(len(states), "input"), t.why())
	}
	more := 0
	if t.Held, more, err = t.Ref.Suite(t.Prog, held); err != nil {
		return err
	}
	if every != nil {
		without := 0
		if t.All, without, err = t.Ref.Suite(t.Prog, every); err != nil {
			return err
		}
		more += without
	}
	if n := dropped + more; n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d of %s %s left out because %s", n, plural.N(len(states)+len(held)+len(every), "input"), plural.Verb(n, "is", "are"), t.why()))
	}
	t.By = fmt.Sprintf("the reference's %s", t.Entry.Name)
	return t.leaveOut()
}

// inputs makes states to call the entry in. every has all small ones, or is nil.
func (t *Set) inputs(ctx context.Context) (given, held, every []*oracle.State, err error) {
	if t.Job.Tests != "" {
		if given, err = t.calls(ctx); err != nil {
			return nil, nil, nil, err
		}
	}
	im, err := oracle.Entered(ctx, t.Ref.Prog, t.Ref.Entry, oracle.Start{Args: t.Job.Args, Stdin: t.Job.Stdin})
	if err != nil {
		return nil, nil, nil, err
	}
	if im == nil || !oracle.Shaped(im, t.Ref.Entry) {
		if made := oracle.Synthesize(t.Ref.Prog, t.Ref.Entry); made != nil {
			im = made
		}
	}
	if im != nil {
		states, why := oracle.Inputs(im, t.Ref.Entry, givenInputs, t.Job.Seed+1)
		if why != "" && len(given) == 0 && len(t.storage()) == 0 {
			if given, held, err = t.met(ctx); err == nil && len(given) == 0 {
				err = job.Usage("no inputs can be made for %s: %s, and no run that was tried calls it in a state that is known; give calls with --tests FILE", t.Entry.Name, why)
			}
			return given, held, nil, err
		}
		given = append(given, states...)
		if given, err = t.ofTheRun(ctx, given); err != nil {
			return nil, nil, nil, err
		}
		held, _ = oracle.Inputs(im, t.Ref.Entry, heldInputs, t.Job.Seed+1000)
		held = append(held, oracle.Shifted(im, t.Ref.Entry, held[:min(len(held), shiftedInputs)], shift)...)
		for n := 1; n <= maxNodes; n++ {
			more := oracle.Every(im, t.Ref.Entry, n, allInputs)
			if more == nil || n > 1 && len(more) == len(every) {
				break
			}
			every, t.Bound = more, n
		}
	}
	given, held = t.varied(given, held)
	if len(given) == 0 {
		if given, held, err = t.met(ctx); err == nil && len(given) == 0 {
			given, held, err = t.ofTypes()
		}
		if err == nil && len(given) == 0 {
			err = job.Usage("no inputs can be made for %s; give calls with --tests FILE", t.Entry.Name)
		}
		return given, held, nil, err
	}
	return given, held, every, nil
}

// ofTypes makes states from the types of the entry's parameters, for when no run shows any.
func (t *Set) ofTypes() (given, held []*oracle.State, err error) {
	g, err := NewValues(t.Ref.Prog, t.Ref.Entry, nil, "", t.Entry)
	if err != nil {
		return nil, nil, err
	}
	given, held = g.States(givenInputs, t.Job.Seed+1), g.States(heldInputs, t.Job.Seed+1000)
	if len(given) == 0 {
		return nil, nil, nil
	}
	t.asMet, t.Ref.Texts = false, true
	// No run reached a state.
	if i := slices.IndexFunc(t.Notes, func(n string) bool { return strings.Contains(n, AsMetNote) }); i >= 0 {
		t.Notes = slices.Delete(t.Notes, i, i+1)
	}
	return given, append(held, g.Every(allInputs)...), nil
}
