package bench

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/fault"
	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/lower"
	"gulo/internal/pipeline"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/report"
	"gulo/internal/timing"
)

// This file measures correction from a reference on small programs with numbers, texts, arrays and structures, with one
// fault and with two.

//go:embed numbers
var numbers embed.FS

// NumberNames lists the programs.
func NumberNames() []string {
	list, err := numbers.ReadDir("numbers")
	if err != nil {
		panic(err) // it is embedded
	}
	var out []string
	for _, e := range list {
		if n, ok := strings.CutSuffix(e.Name(), ".c"); ok {
			out = append(out, n)
		}
	}
	return out
}

// NumberKinds are the kinds of faults: those of Wolverine2 and gulo's own except null checks.
var NumberKinds = append(append([]fault.Kind(nil), fault.Paper...), fault.Constant, fault.Operator, fault.Swap)

// heldNatively is the number of random inputs, not seen by the search, on which a repair is checked.
const heldNatively = 100_000

// Number is a program written into a folder.
type Number struct {
	Name, Entry   string
	Right, Inputs string // files
	prog          *lower.Program
	injector      *fault.Injector
	linked        bool // its data are linked
}

// OpenNumber writes a program into a folder and loads it.
func OpenNumber(ctx context.Context, dir, name string) (*Number, error) {
	n := &Number{Name: name, Right: filepath.Join(dir, name+".c"), Inputs: filepath.Join(dir, name+".json")}
	for _, f := range []string{n.Right, n.Inputs} {
		text, err := numbers.ReadFile("numbers/" + filepath.Base(f))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(f, text, 0o600); err != nil {
			return nil, err
		}
		if f == n.Inputs {
			var head struct{ Entry string }
			if err := json.Unmarshal(text, &head); err != nil {
				return nil, fmt.Errorf("%s: %w", f, err)
			}
			n.Entry = head.Entry
		}
	}
	var err error
	if n.prog, err = lower.Load(ctx, []string{n.Right}, cfront.Options{}); err != nil {
		return nil, err
	}
	entry := n.prog.Tree.Func(n.Entry)
	if entry == nil {
		return nil, fmt.Errorf("%s has no function %s", name, n.Entry)
	}
	var funcs []*cfront.Func
	for f := range cfront.Callees(entry) {
		funcs = append(funcs, f)
	}
	sort.Slice(funcs, func(i, j int) bool { return funcs[i].Range.Start < funcs[j].Range.Start })
	n.injector = fault.New(n.prog, funcs, NumberKinds)
	n.linked = !logic.Scalar(n.prog.Tree)
	return n, nil
}

// Break draws a faulty variant and writes it to a file.
func (n *Number) Break(rnd *rand.Rand, x, y int, to string) (*fault.Fault, error) {
	for range 50 {
		f := n.injector.Draw(rnd, x, y)
		if f == nil {
			return nil, nil
		}
		_, text, err := f.Source(n.prog)
		if err != nil {
			continue
		}
		return f, os.WriteFile(to, []byte(text), 0o600)
	}
	return nil, nil
}

// numberRun is the result for one faulty variant.
type numberRun struct {
	result, cause, proof, shown string
	texts                       map[string]string
	took                        time.Duration
	wrong                       string // an input on which the repair fails natively
}

// fix repairs a variant as gulo fix --reference does.
func (n *Number) fix(ctx context.Context, file string, o Options) (*numberRun, error) {
	begin := time.Now()
	r := &numberRun{}
	a, err := pipeline.Fix(ctx, &job.Job{
		Files: []string{file}, Spec: job.Spec{Reference: []string{n.Right}}, Entry: n.Entry, Inputs: n.Inputs, Limit: o.Limit, Seed: o.Seed,
	})
	if err != nil {
		return nil, err
	}
	r.result, r.cause = a.Report.Result, a.Report.Cause
	if a.Logic != nil {
		r.proof = a.Logic.Proof
	}
	if r.texts = a.Sources(); r.texts != nil {
		r.shown = shownEdits(a.Report.Repairs[0])
	}
	r.took = time.Since(begin)
	return r, nil
}

func shownEdits(r report.Repair) string {
	var parts []string
	for _, e := range r.Edits {
		parts = append(parts, fmt.Sprintf("%d: %s %s", e.Line, e.What, e.After))
	}
	return strings.Join(parts, "; ")
}

// hold checks a repair natively on inputs that the search never saw.
func (n *Number) hold(ctx context.Context, r *numberRun, dir string, o Options) error {
	if r.result != report.Repaired || n.linked {
		return nil
	}
	for _, text := range r.texts {
		file := filepath.Join(dir, "repaired.c")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		_, bad, err := logic.Compare(ctx, &job.Job{Files: []string{file}, Spec: job.Spec{Reference: []string{n.Right}}, Inputs: n.Inputs, Seed: o.Seed + 4711, Logic: job.Logic{Random: heldNatively}})
		if err != nil {
			return err
		}
		r.wrong = bad
	}
	return nil
}

// tally counts the results of a class of faults.
type tally struct {
	n, repaired, proved, wrong, drawn int
	took                              []float64
}

// Numbers prints for each program and class of faults how many were repaired.
func Numbers(ctx context.Context, w io.Writer, o Options, variants int, only []string, progress func(string)) error {
	dir, err := process.TempDir("gulo-numbers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	classes := []Class{{1, 0}, {0, 1}, {2, 0}, {1, 1}}
	all := map[int]*tally{1: {}, 2: {}}
	for i, name := range NumberNames() {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		n, err := OpenNumber(ctx, dir, name)
		if err != nil {
			return err
		}
		for _, c := range classes {
			for v := range max(variants, 1) {
				rnd := rand.New(rand.NewSource(o.Seed + int64(i)*100_003 + int64(c.X*10+c.Y)*1009 + int64(v)))
				if progress != nil {
					progress(fmt.Sprintf("%s %s %d", name, c, v))
				}
				if err := n.one(ctx, w, o, dir, rnd, c, all[c.X+c.Y]); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	for k, word := range []string{"one fault", "two faults"} {
		t := all[k+1]
		fmt.Fprintf(w, "%-10s %d of %d repaired (%.1f %%), %d proved for all inputs, %d wrong on %d random native inputs each; %s showed no fault; median %.2f s\n",
			word, t.repaired, t.n, 100*float64(t.repaired)/float64(max(t.n, 1)), t.proved, t.wrong, heldNatively, plural.N(t.drawn, "draw"), timing.Median(t.took))
	}
	return nil
}

// one measures one variant. A fault that no input shows is drawn anew.
func (n *Number) one(ctx context.Context, w io.Writer, o Options, dir string, rnd *rand.Rand, c Class, t *tally) error {
	file := filepath.Join(dir, n.Name+"-faulty.c")
	for range 20 {
		f, err := n.Break(rnd, c.X, c.Y, file)
		if err != nil || f == nil {
			return err
		}
		r, err := n.fix(ctx, file, o)
		if err != nil {
			var what []string
			for _, m := range f.Mutations {
				what = append(what, m.Text)
			}
			fmt.Fprintf(w, "%-15s %s error %v (%s)\n", n.Name, c, err, strings.Join(what, "; "))
			t.drawn++
			continue
		}
		if r.result == report.Right || r.result == report.Alike {
			t.drawn++
			continue
		}
		if err := n.hold(ctx, r, dir, o); err != nil {
			return err
		}
		t.n++
		t.took = append(t.took, r.took.Seconds())
		if r.result == report.Repaired {
			t.repaired++
			if r.proof == "proved" {
				t.proved++
			}
			if r.wrong != "" {
				t.wrong++
			}
		}
		var what []string
		for _, m := range f.Mutations {
			what = append(what, m.Text)
		}
		fmt.Fprintf(w, "%-15s %s %-9s %6.2f s  %s  ->  %s%s %s\n", n.Name, c, r.result, r.took.Seconds(), strings.Join(what, "; "), r.shown, r.cause, r.wrong)
		return nil
	}
	return nil
}
