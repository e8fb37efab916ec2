// Package batch repairs and localizes without anyone stepping: it turns a
// program with a reference implementation or with tests into a specification,
// searches, holds the repairs against inputs that were held back, compiles them,
// and reports with evidence.
//
// It is for programs whose fault shows in the heap, in what is returned or in
// what is printed. Contracts and assertions are not its business.
package batch

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/process"
)

// Numbers of inputs.
const (
	givenInputs = 80
	heldInputs  = 400
	allInputs   = 2000
	maxNodes    = 6 // of the inputs of which all are made

	shiftedInputs = 60 // of those held back are also made with smaller values
	shift         = 11 // so much smaller
	maxRounds     = 4  // of learning from inputs that were held back
)

// task is a request made ready.
type task struct {
	req    *job.Job
	prog   *lower.Program
	ref    *oracle.Reference
	entry  *cfront.Func
	scope  []*cfront.Func
	given  *oracle.Suite
	held   *oracle.Suite
	all    *oracle.Suite // every input of up to bound nodes
	bound  int
	probe  *oracle.Suite // calls without expectations
	tests  []oracle.Test // given; nil with a reference
	notes  []string
	form   *cases.Form  // that runs which are made have; nil: any
	by     string       // what the specification comes from
	native *judge.Calls // of the given function, natively; nil: none made yet
}

// prepare loads the programs and makes the specification.
func prepare(ctx context.Context, r *job.Job) (*task, error) {
	t, err := load(ctx, r)
	if err != nil {
		return nil, err
	}
	if r.Tests != "" && t.ref == nil {
		return t, t.fromRuns(ctx)
	}
	if r.Entry == "main" {
		return t, t.fromMain(ctx)
	}
	return t, t.fromReference(ctx)
}

// load loads the programs.
func load(ctx context.Context, r *job.Job) (*task, error) {
	if len(r.Reference) == 0 && r.Tests == "" {
		return nil, job.Usage("what is right? give --reference REF.c or --tests DIR")
	}
	t := &task{req: r}
	var ref *lower.Program
	var errs [2]error
	err := process.Parallel(ctx, 2, 2, func(ctx context.Context, i int) error {
		switch {
		case i == 0:
			t.prog, errs[0] = lower.Load(ctx, r.Files, r.Options)
		case len(r.Reference) > 0:
			ref, errs[1] = lower.Load(ctx, r.Reference, r.Options)
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
		t.ref = &oracle.Reference{Prog: ref}
	}
	return t, nil
}

// text returns a function without its layout.
func text(f *cfront.Func) string { return strings.Join(strings.Fields(f.Whole.Text()), " ") }

// written lists the functions of a program that are its own.
func written(p *lower.Program) []*cfront.Func {
	var out []*cfront.Func
	for _, f := range p.Tree.Funcs {
		if f.Body != nil && f.Range.Valid() && !strings.HasPrefix(f.Range.File.Name, "@") {
			out = append(out, f)
		}
	}
	return out
}

// findEntry decides which function is compared with the reference's, and which
// may change: those that it calls and that differ.
func (t *task) findEntry() error {
	own, ref := t.prog.Tree, t.ref.Prog.Tree
	differs := func(f *cfront.Func) bool {
		g := ref.Func(f.Name)
		return g == nil || text(f) != text(g)
	}
	if name := t.req.Entry; name != "" {
		if t.entry, t.ref.Entry = own.Func(name), ref.Func(name); t.entry == nil || t.ref.Entry == nil {
			return job.Usage("no function %s in %s", name, map[bool]string{true: t.req.Files[0], false: t.req.Reference[0]}[t.entry == nil])
		}
	} else {
		var cands []*cfront.Func
		for _, f := range written(t.prog) {
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
		// The one that leads to all differences.
		cands = innermost(cands, differs)
		if len(cands) == 0 {
			cands = t.using()
		}
		switch len(cands) {
		case 0:
			if what := apart(t.prog, t.ref.Prog); what != "" {
				return job.Usage("no function of %s differs from one of the reference's, but other things do: %s; only statements of functions are repaired; --entry names a function whose calls are compared", t.req.Files[0], what)
			}
			return job.Usage("no function of %s differs from one of the reference's; name one with --entry", t.req.Files[0])
		case 1:
		default:
			var names []string
			for _, f := range cands {
				names = append(names, f.Name)
			}
			sort.Strings(names)
			return job.Usage("several functions differ from the reference's: %s; name one with --entry", strings.Join(names, ", "))
		}
		t.entry = cands[0]
		t.ref.Entry = ref.Func(t.entry.Name)
	}
	for f := range cfront.Callees(t.entry) {
		if f.Name != "main" && (differs(f) || f == t.entry) {
			t.scope = append(t.scope, f)
		}
	}
	sort.Slice(t.scope, func(i, j int) bool { return t.scope[i].Name < t.scope[j].Name })
	return nil
}

// innermost keeps the functions that lead to every difference and call no other
// of them that does.
func innermost(cands []*cfront.Func, differs func(*cfront.Func) bool) []*cfront.Func {
	all := map[*cfront.Func]bool{}
	for _, f := range cands {
		for g := range cfront.Callees(f) {
			if g.Name != "main" && differs(g) {
				all[g] = true
			}
		}
	}
	covers := func(f *cfront.Func) bool {
		in := cfront.Callees(f)
		for g := range all {
			if !in[g] {
				return false
			}
		}
		return true
	}
	var tops []*cfront.Func
	for _, f := range cands {
		if covers(f) {
			tops = append(tops, f)
		}
	}
	if len(tops) == 0 {
		return cands
	}
	var out []*cfront.Func
	for _, f := range tops {
		inner := false
		for _, g := range tops {
			if g != f && cfront.Callees(f)[g] && !cfront.Callees(g)[f] {
				inner = true
			}
		}
		if !inner {
			out = append(out, f)
		}
	}
	return out
}

// fromReference makes cases of calls from the reference.
func (t *task) fromReference(ctx context.Context) error {
	if err := t.findEntry(); err != nil {
		return err
	}
	states, held, every, err := t.inputs(ctx)
	if err != nil {
		return err
	}
	dropped := 0
	if t.given, dropped, err = t.ref.Suite(t.prog, states); err != nil {
		return err
	}
	if len(t.given.Cases) == 0 {
		return job.Usage("the reference's %s has no right end on any of %d inputs: %s", t.entry.Name, len(states), t.why())
	}
	more := 0
	if t.held, more, err = t.ref.Suite(t.prog, held); err != nil {
		return err
	}
	if every != nil {
		without := 0
		if t.all, without, err = t.ref.Suite(t.prog, every); err != nil {
			return err
		}
		more += without
	}
	if n := dropped + more; n > 0 {
		t.notes = append(t.notes, fmt.Sprintf("%d of %d inputs are left out because %s", n, len(states)+len(held)+len(every), t.why()))
	}
	t.by = fmt.Sprintf("the reference's %s", t.entry.Name)
	return t.leaveOut()
}

// inputs makes states to call the entry in.
func (t *task) inputs(ctx context.Context) (given, held, every []*oracle.State, err error) {
	if t.req.Tests != "" {
		if given, err = t.calls(); err != nil {
			return nil, nil, nil, err
		}
	}
	im, err := oracle.Entered(ctx, t.ref.Prog, t.ref.Entry, t.req.Args, t.req.Stdin)
	if err != nil {
		return nil, nil, nil, err
	}
	if im == nil || !oracle.Shaped(im, t.ref.Entry) {
		if made := oracle.Synthesize(t.ref.Prog, t.ref.Entry); made != nil {
			im = made
		}
	}
	if im != nil {
		states, why := oracle.Inputs(im, t.ref.Entry, givenInputs, t.req.Seed+1)
		if why != "" && len(given) == 0 && len(t.storage()) == 0 {
			return nil, nil, nil, job.Usage("no inputs can be made for %s: %s; give calls with --tests FILE", t.entry.Name, why)
		}
		given = append(given, states...)
		held, _ = oracle.Inputs(im, t.ref.Entry, heldInputs, t.req.Seed+1000)
		held = append(held, oracle.Shifted(im, t.ref.Entry, held[:min(len(held), shiftedInputs)], shift)...)
		for n := 1; n <= maxNodes; n++ {
			more := oracle.Every(im, t.ref.Entry, n, allInputs)
			if more == nil || n > 1 && len(more) == len(every) {
				break
			}
			every, t.bound = more, n
		}
	}
	given, held = t.varied(given, held)
	if len(given) == 0 {
		return nil, nil, nil, job.Usage("no inputs can be made for %s; give calls with --tests FILE", t.entry.Name)
	}
	return given, held, every, nil
}
