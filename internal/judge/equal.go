package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair"
	"gulo/internal/report"
	"gulo/internal/timing"
)

// This file asks logic about a repair that met all runs. Logic may prove that the program does what the reference does,
// or find arguments with which a function differs from the reference's. Those refute nothing yet, as the program may
// never call the function with them. So whole runs are made from them, and a run on which the programs differ refutes
// the repair.

// Equality is what logic says about a repaired program compared with the reference.
type Equality interface {
	Proof() string       // in words; empty: nothing is proved
	Unseen() []string    // what the proof leaves out
	Entry() *cfront.Func // the reference's function that differs on some inputs; nil: none is known
	// Differing returns values of arguments and variables with which Entry differs, by name. The values in given are
	// fixed. It returns nil if none are known.
	Differing(ctx context.Context, given map[string]int64) (map[string]int64, error)
}

// Comparer asks logic about a program until a time.
type Comparer func(ctx context.Context, p *lower.Program, until time.Time) (Equality, error)

// comparing is what is kept between the comparisons of several repairs.
type comparing struct {
	sync.Mutex
	aims map[string]*cases.Aim // by function
}

// Bounds of the comparison of one repair.
const (
	equalShare = 4    // part of the time left that one comparison may take
	aimedMost  = 12   // calls that are asked about, at most
	aimedRuns  = 1500 // runs made around values that were found without fixing any to those of a call
)

// ByLogic compares repaired texts with the reference symbolically (package logic), after they have passed all other
// checks. It returns a case that refutes them; nil if none was found. It notes in out.Evidence a proof, or arguments
// with which a function differs although no run refutes the texts.
func (t *Judge) ByLogic(ctx context.Context, texts map[string]string, out *report.Repair) (*oracle.Case, error) {
	p, err := t.Reloaded(ctx, texts)
	if err != nil {
		return nil, err
	}
	return t.equal(ctx, p, out)
}

// same reports whether logic sees at once that a repaired program is the reference, so that runs beside it would tell
// nothing.
func (t *Judge) same(ctx context.Context, p *lower.Program) (bool, error) {
	if t.Compare == nil || t.relaxed || p == nil {
		return false, nil
	}
	t.comparing.Lock()
	defer t.comparing.Unlock()
	e, err := t.Compare(ctx, p, time.Now()) // with no time, it only compares the trees
	return err == nil && e.Proof() != "", err
}

// AsReference reports whether a patch writes every function that it changes just as the reference does. Such a repair
// is better founded than one that only meets runs.
func (t *Judge) AsReference(p *repair.Patch) bool {
	if t.Ref == nil {
		return false
	}
	texts, err := patch.Rewrite(t.Prog, p)
	if err != nil {
		return false
	}
	for _, f := range cases.Written(t.Prog) {
		if !p.Touches(t.Prog, f) {
			continue
		}
		g := t.Ref.Prog.Tree.Func(f.Name)
		if g == nil || g.Body == nil || !strings.Contains(cases.Bare(texts[f.Range.File.Name]), cases.Text(g)) {
			return false
		}
	}
	return true
}

// equal compares a repaired program with the reference by logic. c is a case that refutes it, or nil.
func (t *Judge) equal(ctx context.Context, p *lower.Program, out *report.Repair) (c *oracle.Case, err error) {
	if t.Compare == nil || t.relaxed || p == nil {
		return nil, nil
	}
	until := budget.Part(ctx, t.Until, equalShare) // comparing equal trees takes none of it
	defer timing.Begin(ctx, "judge: by logic").End("")
	t.comparing.Lock()
	defer t.comparing.Unlock()
	e, err := t.Compare(ctx, p, budget.Deadline(ctx, until)) // the solver is limited by steps, too
	if err != nil {
		return nil, err
	}
	ev := &out.Evidence
	if proof := e.Proof(); proof != "" {
		ev.Proof, ev.Unseen = proof, append(slices.Clone(ev.Unseen), e.Unseen()...)
		return nil, nil
	}
	f := e.Entry()
	if f == nil {
		return nil, nil
	}
	inputs, numbers, err := t.aimed(ctx, e, f, until)
	if err != nil || len(inputs) == 0 {
		return nil, err
	}
	t.Challenge(ctx)
	t.duel.wait()
	t.add(ctx, t.duel, inputs)
	c, _, err = t.Fight(ctx, p)
	if c == nil && err == nil {
		ev.Apart = fmt.Sprintf("%s does something else than the reference's with %s", f.Name, numbers)
	}
	return c, err
}

// aimed makes runs that may call f with values with which it differs from the reference's, and writes some of the
// values as text.
func (t *Judge) aimed(ctx context.Context, e Equality, f *cfront.Func, until time.Time) (inputs []cases.Input, numbers string, err error) {
	a := t.comparing.aims[f.Name]
	if a == nil {
		runs := slices.Clone(t.InHand())
		for _, r := range t.Explored {
			runs = append(runs, r.Input)
		}
		if a, err = cases.NewAim(ctx, t.Ref.Prog, f, runs); err != nil {
			return nil, "", err
		}
		if t.comparing.aims == nil {
			t.comparing.aims = map[string]*cases.Aim{}
		}
		t.comparing.aims[f.Name] = a
	}
	asked := map[string]bool{}
	for k := 0; k < a.Calls() && len(asked) < aimedMost && !budget.Over(ctx, until); k++ {
		given := a.Given(k)
		key := fmt.Sprint(given)
		if asked[key] {
			continue
		}
		asked[key] = true
		values, err := e.Differing(ctx, given)
		if err != nil {
			return nil, "", err
		}
		if values != nil {
			inputs, numbers = append(inputs, a.At(k, values)...), listed(values)
		}
	}
	values, err := e.Differing(ctx, nil)
	if err != nil || values == nil {
		return t.Form.Those(inputs), numbers, err
	}
	if numbers == "" {
		numbers = listed(values)
	}
	return t.Form.Those(append(inputs, a.Around(t.Job.Seed, values, aimedRuns)...)), numbers, nil
}

// listed writes values by name, sorted.
func listed(values map[string]int64) string {
	var out []string
	for n, v := range values {
		out = append(out, fmt.Sprintf("%s=%d", n, v))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
