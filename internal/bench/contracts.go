package bench

import (
	"context"
	"embed"
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
	"gulo/internal/contract"
	"gulo/internal/fault"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/pwp"
	"gulo/internal/report"
	"gulo/internal/timing"
)

// This file measures correction from contracts (Table 1 of He and Gupta, "Automated Debugging Using Path-Based Weakest
// Preconditions"). For the paper's five programs it injects every fault of the paper's kinds at every place, for other
// programs a sample.

//go:embed contracts
var contracts embed.FS

// PaperContracts are the paper's programs.
var PaperContracts = []string{"sum", "max", "binary_search", "array_copy", "quicksort"}

// ContractNames lists the programs with contracts: first those of He and Gupta's paper, then the others.
func ContractNames() []string {
	list, err := contracts.ReadDir("contracts")
	if err != nil {
		panic(err) // it is embedded
	}
	out := append([]string(nil), PaperContracts...)
	for _, e := range list {
		if n, ok := strings.CutSuffix(e.Name(), ".c"); ok && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// contractFault is a faulty variant.
type contractFault struct {
	line        int
	kind        fault.Kind
	before, now string
	text        string
}

// contractFaults lists the single faults of a program, each with the text of the variant.
func contractFaults(ctx context.Context, file string) ([]contractFault, error) {
	prog, err := lower.Load(ctx, []string{file}, cfront.Options{})
	if err != nil {
		return nil, err
	}
	tree := prog.Tree
	var entry *cfront.Func
	for _, f := range tree.Funcs {
		if c, err := contract.Of(tree, f); err == nil && c != nil {
			entry = f
		}
	}
	var funcs []*cfront.Func
	for f := range cfront.Callees(entry) {
		funcs = append(funcs, f)
	}
	sort.Slice(funcs, func(i, j int) bool { return funcs[i].Range.Start < funcs[j].Range.Start })
	in := fault.New(prog, funcs, []fault.Kind{fault.Variable, fault.Constant, fault.Operator, fault.Field})
	var out []contractFault
	for _, f := range in.All() {
		m := f.Mutations[0]
		if m.Kind == fault.Deletion {
			continue
		}
		_, text, err := f.Source(prog)
		if err != nil {
			continue
		}
		before, now, _ := strings.Cut(m.Text, "  =>  ")
		if i := strings.LastIndex(before, ": "); i >= 0 {
			before = before[i+2:]
		}
		out = append(out, contractFault{m.Line, m.Kind, before, now, text})
	}
	return out, nil
}

// Contracts prints for each fault whether it was corrected. sample bounds the faults of programs that are not the
// paper's; 0: no bound.
func Contracts(ctx context.Context, w io.Writer, o Options, sample int, only []string, dices bool, progress func(string)) error {
	dir, err := process.TempDir("gulo-contracts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	totals := map[bool]*contractTally{true: {}, false: {}}
	for i, name := range ContractNames() {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		text, err := contracts.ReadFile("contracts/" + name + ".c")
		if err != nil {
			return err
		}
		file := filepath.Join(dir, name+".c")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		faults, err := contractFaults(ctx, file)
		if err != nil {
			return err
		}
		paper := slices.Contains(PaperContracts, name)
		if !paper && sample > 0 && len(faults) > sample {
			rand.New(rand.NewSource(o.Seed+int64(i))).Shuffle(len(faults), func(a, b int) { faults[a], faults[b] = faults[b], faults[a] })
			faults = faults[:sample]
		}
		own := &contractTally{}
		for k, f := range faults {
			if progress != nil {
				progress(fmt.Sprintf("%s, fault %d of %d", name, k+1, len(faults)))
			}
			if err := own.one(ctx, w, o, dir, name, f, dices); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		fmt.Fprintf(w, "%-15s %s\n", name, own)
		totals[paper].add(own)
	}
	fmt.Fprintf(w, "\nthe paper's five: %s\nthe others:       %s\n", totals[true], totals[false])
	fmt.Fprintln(w, "the paper's own: all but loops that do not end or run too often; counts are not in its text")
	return nil
}

// contractTally counts the results of some faults.
type contractTally struct {
	n, corrected, wrong, same, endless, endlessRight, resort int
	took, tried                                              []float64
}

func (t *contractTally) add(o *contractTally) {
	t.n, t.corrected, t.wrong, t.same = t.n+o.n, t.corrected+o.corrected, t.wrong+o.wrong, t.same+o.same
	t.endless, t.endlessRight, t.resort = t.endless+o.endless, t.endlessRight+o.endlessRight, t.resort+o.resort
	t.took, t.tried = append(t.took, o.took...), append(t.tried, o.tried...)
}

func (t *contractTally) String() string {
	return fmt.Sprintf("%d of %d corrected (%.1f %%), %d wrong on some call up to the bound; of loops that do not end %d of %d; %d without an evidence that names the place; %s keep the contract; median %.0f modifications in %.0f ms",
		t.corrected-t.wrong, t.n, 100*float64(t.corrected-t.wrong)/float64(max(t.n, 1)), t.wrong, t.endlessRight, t.endless, t.resort, plural.N(t.same, "fault"), timing.Median(t.tried), 1000*timing.Median(t.took))
}

func (t *contractTally) one(ctx context.Context, w io.Writer, o Options, dir, name string, f contractFault, dices bool) error {
	file := filepath.Join(dir, "faulty.c")
	if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
		return err
	}
	begin := time.Now()
	rep, err := pwp.Fix(ctx, &job.Job{Files: []string{file}, Limit: o.Limit, Seed: o.Seed, Dices: dices, Errors: 1})
	if err != nil {
		return err
	}
	took := time.Since(begin)
	if rep.Met() {
		t.same++
		return nil
	}
	t.n++
	t.took, t.tried = append(t.took, took.Seconds()), append(t.tried, float64(rep.Tried))
	endless := strings.Contains(rep.Example, "does not come to an end")
	if endless {
		t.endless++
	}
	verdict, shown := rep.Result, rep.Cause
	if rep.Result == report.Repaired {
		t.corrected++
		shown = shownEdits(rep.Repairs[0])
		if strings.Contains(rep.Repairs[0].Evidence.Text, "no evidence speaks of it") {
			t.resort++
		}
		for _, text := range rep.Sources(0) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return err
			}
		}
		_, bad, err := pwp.Check(ctx, &job.Job{Files: []string{file}})
		if err != nil {
			return err
		}
		if bad != "" {
			t.wrong++
			verdict, shown = "wrong", shown+" fails for "+bad
		} else if endless {
			t.endlessRight++
		}
	}
	fmt.Fprintf(w, "%-15s %3d  %-24s %-24s %-9s %-9s %s\n", name, f.line, f.before, f.now, f.kind, verdict, shown)
	return nil
}
