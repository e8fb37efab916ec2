package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"gulo/internal/bench"
	"gulo/internal/bench/judges"
	"gulo/internal/bench/outside"
	"gulo/internal/bench/submissions"
	"gulo/internal/plural"

	"github.com/spf13/cobra"
)

// benchTable is one table of gulo bench.
type benchTable struct {
	name, help string
	run        func(s *streams, ctx context.Context, o *benchOptions) error
}

type benchOptions struct {
	bench.Options
	variants   int
	programs   []string
	output     string
	svg        string
	dir        string
	plain      bool
	dices      bool
	sample     int
	runs       int
	trace      string
	report     string
	cause      string
	native     time.Duration
	pairs      int
	methods    []string
	modes      []string
	workers    int
	nodes      []int
	steps      int
	lines      int
	shapes     []string
	engines    []string
	processors []int

	submissions submissions.Options
}

func benchTables() []benchTable {
	return []benchTable{
		{"repair", "sessions over injected faults (Figure 16a, Table 5)", (*streams).benchRepair},
		{"confined", "repair with and without localization (Figure 18, Table 7)", (*streams).benchConfined},
		{"batch", "repair without a session, from a reference and ten tests", (*streams).benchBatch},
		{"effort", "localization beside spectra (Figure 17, Table 6)", (*streams).benchEffort},
		{"agree", "the same sessions under gdb and on the machine", (*streams).benchAgree},
		{"engines", "repair engines side by side, 1 to 10 bugs (Figure 16b-d)", func(s *streams, ctx context.Context, o *benchOptions) error {
			return bench.Repair(ctx, s.out, o.Options, s.progress())
		}},
		{"overhead", "what memory debuggers cost (Wang et al. 2013, Table 4)", (*streams).benchOverhead},
		{"examined", "instructions from cause to error (Wang 2013, Table 3)", (*streams).benchExamined},
		{"separation", "a controller with 41 mutants, by logic (Koenighofer 2011)", func(s *streams, ctx context.Context, o *benchOptions) error {
			return bench.Separation(ctx, s.out, o.Options, o.plain, s.telling())
		}},
		{"numbers", "small programs of numbers, from a reference", func(s *streams, ctx context.Context, o *benchOptions) error {
			return bench.Numbers(ctx, s.out, o.Options, o.variants, o.programs, s.telling())
		}},
		{"contracts", "small programs, from contracts (He 2004, Table 1)", func(s *streams, ctx context.Context, o *benchOptions) error {
			return bench.Contracts(ctx, s.out, o.Options, o.sample, o.programs, o.dices, s.telling())
		}},
		{"locate", "all localization methods side by side", (*streams).benchLocate},
		{"judges", "how often what fix calls right or proved is right", (*streams).benchJudges},
		{"outside", "sixty programs as people write them, or those of --dir", (*streams).benchOutside},
		{"submissions", "students' programs in --dir, from half of their tests", (*streams).benchSubmissions},
		{"sizes", "sessions on heaps of up to a million nodes", (*streams).benchSizes},
		{"lines", "sessions on programs of 200,000 lines", (*streams).benchLines},
		{"trust", "how many first-shown repairs are correct", func(s *streams, ctx context.Context, o *benchOptions) error {
			return bench.Trust(ctx, s.out, o.Options)
		}},
	}
}

func (s *streams) benchCommand() *cobra.Command {
	var o benchOptions
	tables := benchTables()
	var names, help []string
	for _, t := range tables {
		names = append(names, t.name)
		help = append(help, fmt.Sprintf("  %-11s %s", t.name, t.help))
	}
	c := &cobra.Command{
		Use:   "bench [TABLE...]",
		Short: "measure gulo and print the tables of the papers",
		Long: `Measures gulo on injected faults, small programs and real ones, and prints the
tables of the papers that it builds on, with the papers' figures beside its own.
docs/benchmarks.md has the latest results. Figures and tables without a name are
those of Verma and Roy, Debug-Localize-Repair (2021). Without an argument gulo
prints repair, batch and effort. Tables:
` + strings.Join(help, "\n"),
		Example: `  gulo bench repair --variants 2
  gulo bench repair --variants 40 --output sessions.jsonl      # all 6,400
  gulo bench effort --svg effort.svg
  gulo bench sizes --nodes 1000,200000 --shape list --svg sizes.svg
  gulo bench outside --mode reference --processors 1,2
  gulo bench outside --dir internal/bench/outside/apart --mode tests`,
		ValidArgs: names,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"repair", "batch", "effort"}
			}
			for _, a := range args {
				t := findTable(tables, a)
				if t == nil {
					return &exitError{exitUsage, fmt.Sprintf("no table %q; there are %s", a, strings.Join(names, ", "))}
				}
				if err := t.run(s, c.Context(), &o); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().IntVar(&o.Faults, "faults", 44, "faults for each class")
	c.Flags().IntVar(&o.variants, "variants", 1, "faulty variants of each program and class (the paper has 40)")
	c.Flags().StringSliceVar(&o.programs, "program", nil, "`NAMES`: only these programs, by ID or name (B1, sll_reverse)")
	c.Flags().Int64Var(&o.Seed, "seed", 1, "seed of the random faults")
	c.Flags().DurationVar(&o.Limit, "limit", 10*time.Second, "time for one repair")
	c.Flags().StringVar(&o.output, "output", "", "`FILE`: write one line of JSON for each case")
	c.Flags().IntVar(&o.pairs, "pairs", 300, "how many pairs of a program and a variant")
	c.Flags().StringSliceVar(&o.methods, "method", nil, "`METHODS`: only these: "+strings.Join(judges.Methods, ", "))
	c.Flags().DurationVar(&o.native, "native", time.Minute, "time for one native search for a counterexample")
	c.Flags().StringSliceVar(&o.modes, "mode", nil, "`MODES`: only these: "+strings.Join(outside.Modes, ", "))
	c.Flags().IntSliceVar(&o.processors, "processors", nil, "`NUMBERS`: numbers of processors, such as 1,2: measure with each and print the ratio of times")
	c.Flags().IntVarP(&o.workers, "workers", "j", 1, "programs at a time")
	c.Flags().StringVar(&o.dir, "dir", "", "`DIR`: the programs")
	sub := &o.submissions
	c.Flags().IntVar(&sub.Sample, "draw", 120, "how many submissions to draw, by the hashes of their paths; 0 for all")
	c.Flags().IntVar(&sub.Skip, "skip", 0, "how many of the drawn ones to leave out, from the first")
	c.Flags().Float64Var(&sub.Given, "given", 0.5, "share of the tests that gulo gets")
	c.Flags().BoolVar(&sub.Reference, "with-reference", false, "gulo also gets the reference")
	c.Flags().BoolVar(&sub.Others, "with-others", false, "gulo also gets other submissions (gulo fix --right)")
	c.Flags().BoolVar(&sub.Spaces, "spaces", false, "only submissions whose output differs in nothing but white space")
	c.Flags().StringVar(&sub.Keep, "keep", "", "`DIR`: write repaired programs there")
	c.Flags().StringVar(&o.trace, "trace", "", "`FILE`: what the program executed (GULO_TRACE)")
	c.Flags().StringVar(&o.report, "report", "", "`FILE`: what was reported (GULO_REPORT)")
	c.Flags().StringVar(&o.cause, "cause", "", "`FILE:LINE`: where the mistake is")
	c.Flags().IntVar(&o.runs, "runs", 3, "runs of each program; the best counts")
	c.Flags().BoolVar(&o.dices, "dices", false, "first change what failing tests execute and a passing test does not")
	c.Flags().IntVar(&o.sample, "sample", 12, "faults of each program, 0 for all")
	c.Flags().BoolVar(&o.plain, "plain", false, "also measure as the paper does, without gulo's additions")
	c.Flags().IntSliceVar(&o.nodes, "nodes", []int{1000, 20_000, 200_000, 1_000_000}, "sizes of the structures")
	c.Flags().IntVar(&o.lines, "lines", 200_000, "lines of the programs")
	c.Flags().IntVar(&o.steps, "steps", 200, "how many steps to take when measuring the memory that undo needs; --limit stops them")
	c.Flags().StringSliceVar(&o.shapes, "shape", nil, "`SHAPES`: only these: list, ring, tree, hash")
	c.Flags().StringSliceVar(&o.engines, "engine", []string{"gdb", "machine"}, "what runs the program")
	c.Flags().StringVar(&o.svg, "svg", "", "`FILE`: draw a plot, as SVG")
	c.AddCommand(s.gateCommand())
	return c
}

func (s *streams) benchJudges(ctx context.Context, o *benchOptions) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	jo := &judges.Options{Pairs: o.pairs, Seed: o.Seed, Limit: o.Limit, Native: o.native, Workers: runtime.GOMAXPROCS(0), Methods: o.methods, Programs: o.programs, Gulo: []string{own}, Progress: s.telling()}
	begin := time.Now()
	pairs, answers, err := judges.Run(ctx, jo)
	if err != nil {
		return err
	}
	if s.telling() != nil {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	wrong := judges.Print(s.out, jo, pairs, answers)
	fmt.Fprintf(s.out, "whole run: %v\n", time.Since(begin).Round(time.Second))
	if err := writeLines(o.output, answers); err != nil {
		return err
	}
	if wrong > 0 {
		return &exitError{code: exitNegative}
	}
	return nil
}

func (s *streams) benchOverhead(ctx context.Context, o *benchOptions) error {
	if o.dir == "" {
		return &exitError{exitUsage, "overhead: --dir names the folder with the programs; make overhead builds them and measures"}
	}
	return bench.Overhead(ctx, s.out, o.dir, o.runs, s.telling())
}

func (s *streams) benchLocate(ctx context.Context, o *benchOptions) error {
	out, err := bench.Locate(ctx, s.out, bench.LocateOptions{Options: o.Options, Sample: o.sample, Programs: o.programs, Workers: runtime.GOMAXPROCS(0), Progress: s.telling()})
	if err != nil || o.svg == "" {
		return err
	}
	return saveFile(o.svg, out.Plot())
}

func (s *streams) benchExamined(_ context.Context, o *benchOptions) error {
	if o.dir == "" || o.trace == "" || o.report == "" {
		return &exitError{exitUsage, "examined: --dir names the folder of GULO_TRACE_INFO, --trace and --report the files of GULO_TRACE and GULO_REPORT"}
	}
	return bench.Examined(s.out, o.dir, o.trace, o.report, o.cause)
}

// telling returns a function that shows one line of progress on a terminal; nil elsewhere.
func (s *streams) telling() func(string) {
	if !isTerminal(s.err) {
		return nil
	}
	return func(text string) { fmt.Fprintf(s.err, "\r\x1b[K%s ...", text) }
}

func (s *streams) benchOutside(ctx context.Context, o *benchOptions) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	begin := time.Now()
	programs := outside.Sixty()
	if o.dir != "" {
		programs = outside.Folder(o.dir)
	}
	names, err := programs.Names()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return &exitError{exitUsage, fmt.Sprintf("outside: --dir %s: there is no NAME/faulty.c in it", o.dir)}
	}
	for _, p := range o.programs {
		if !slices.Contains(names, p) {
			return &exitError{exitUsage, fmt.Sprintf("there is no program %q; there are %s", p, strings.Join(names, ", "))}
		}
	}
	for _, m := range o.modes {
		if !slices.Contains(outside.Modes, m) {
			return &exitError{exitUsage, fmt.Sprintf("there is no mode %q; there are %s", m, strings.Join(outside.Modes, ", "))}
		}
	}
	for _, n := range o.processors {
		if have := outside.Processors(); n < 1 || n > have {
			return &exitError{exitUsage, fmt.Sprintf("--processors %d: there are %d", n, have)}
		}
	}
	if len(o.processors) > 0 && o.workers > 1 {
		return &exitError{exitUsage, "--processors measures one program at a time: leave out --workers"}
	}
	answers, err := outside.Measure(ctx, &outside.Options{Set: programs, Processors: o.processors, Modes: o.modes, Programs: o.programs, Limit: o.Limit, Seed: o.Seed, Workers: o.workers, Gulo: []string{own}, Progress: s.progress()})
	if err != nil {
		return err
	}
	outside.Print(s.out, answers)
	fmt.Fprintf(s.out, "whole run: %v\n", time.Since(begin).Round(time.Second))
	return writeLines(o.output, answers)
}

func (s *streams) benchSubmissions(ctx context.Context, o *benchOptions) error {
	if info, err := os.Stat(o.dir); err != nil || !info.IsDir() {
		return &exitError{exitUsage, "submissions: --dir names a folder with tests, a reference and submissions of assignments"}
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	so := o.submissions
	so.Dir, so.Names, so.Limit, so.Seed, so.Workers, so.Gulo, so.Progress = o.dir, o.programs, o.Limit, o.Seed, o.workers, []string{own}, s.progress()
	so.Defaults()
	file, known, err := resume(o.output, so.Settings())
	if err != nil {
		return err
	}
	so.Known = known
	var failed error
	so.Found = func(a *submissions.Answer) {
		submissions.Line(s.out, a)
		if file == nil {
			return
		}
		if err := bench.WriteJSON(file, []submissions.Answer{*a}); err != nil && failed == nil {
			failed = err
		}
	}
	if len(known) > 0 {
		fmt.Fprintf(s.out, "%s %s taken from %s\n", plural.N(len(known), "answer"), plural.Verb(len(known), "is", "are"), o.output)
	}
	begin := time.Now()
	m, err := submissions.Measure(ctx, &so)
	if m != nil && len(m.Answers) > 0 {
		submissions.Print(s.out, m)
		fmt.Fprintf(s.out, "whole run: %v\n", time.Since(begin).Round(time.Second))
	}
	if file != nil {
		failed = errors.Join(failed, file.Close())
	}
	return errors.Join(err, failed)
}

// resume opens a file of answers for appending, and reads the answers that it has.
func resume(path, settings string) (*os.File, []submissions.Answer, error) {
	if path == "" {
		return nil, nil, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	text, err := io.ReadAll(f)
	var known []submissions.Answer
	whole := bytes.LastIndexByte(text, '\n') + 1 // an answer whose line was cut off is asked for again
	for line := range bytes.Lines(text[:whole]) {
		var a submissions.Answer
		if err = json.Unmarshal(line, &a); err == nil && a.Settings != settings {
			err = &exitError{exitUsage, fmt.Sprintf("%s has answers of another measurement (%s; now %s); name another file", path, a.Settings, settings)}
		}
		if err != nil {
			break
		}
		known = append(known, a)
	}
	if err == nil {
		_, err = f.Seek(int64(whole), io.SeekStart)
	}
	if err == nil {
		err = f.Truncate(int64(whole))
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, known, nil
}

func findTable(ts []benchTable, name string) *benchTable {
	for i := range ts {
		if ts[i].name == name {
			return &ts[i]
		}
	}
	return nil
}

// entries returns the programs that were asked for, by default all.
func (o *benchOptions) entries(all []bench.Entry) ([]bench.Entry, error) {
	if len(o.programs) == 0 {
		return all, nil
	}
	var out []bench.Entry
	for _, n := range o.programs {
		e := bench.Find(n)
		if e == nil || e.ID == "" {
			return nil, &exitError{exitUsage, fmt.Sprintf("no program %q; they are B1 to B20 and L1 to L20", n)}
		}
		out = append(out, *e)
	}
	return out, nil
}

func (s *streams) benchRepair(ctx context.Context, o *benchOptions) error {
	entries, err := o.entries(bench.Table5())
	if err != nil {
		return err
	}
	so := bench.SweepOptions{Entries: entries, Classes: bench.Classes, Variants: o.variants, Seed: o.Seed, Limit: o.Limit, Progress: s.progress()}
	begin := time.Now()
	ss, err := bench.Sweep(ctx, so)
	if err != nil {
		return err
	}
	bench.PrintSweep(s.out, ss, so)
	fmt.Fprintf(s.out, "whole run: %v\n", time.Since(begin).Round(time.Second))
	if o.svg != "" {
		if err := saveFile(o.svg, bench.PlotSweep(ss, so)); err != nil {
			return err
		}
	}
	return writeLines(o.output, ss)
}

func (s *streams) benchAgree(ctx context.Context, o *benchOptions) error {
	entries, err := o.entries(bench.Table5())
	if err != nil {
		return err
	}
	n, err := bench.Agree(ctx, s.out, bench.SweepOptions{Entries: entries, Classes: bench.Classes, Variants: o.variants, Seed: o.Seed, Limit: o.Limit, Progress: s.progress()})
	if err == nil && n > 0 {
		err = &exitError{code: exitNegative}
	}
	return err
}

func writeLines[T any](path string, lines []T) error {
	if path == "" {
		return nil
	}
	var b bytes.Buffer
	if err := bench.WriteJSON(&b, lines); err != nil {
		return err
	}
	return saveFile(path, b.Bytes())
}

func (s *streams) benchConfined(ctx context.Context, o *benchOptions) error {
	entries, err := o.entries(bench.Table5())
	if err != nil {
		return err
	}
	so := bench.SweepOptions{Entries: entries, Classes: bench.Classes, Variants: o.variants, Seed: o.Seed, Limit: o.Limit, Progress: s.progress()}
	return bench.Confined(ctx, s.out, so)
}

func (s *streams) benchBatch(ctx context.Context, o *benchOptions) error {
	entries, err := o.entries(bench.Table5())
	if err != nil {
		return err
	}
	rows, err := bench.Batch(ctx, s.out, bench.BatchOptions{Entries: entries, Variants: o.variants, Seed: o.Seed, Limit: o.Limit, Progress: s.progress()})
	if err != nil {
		return err
	}
	return writeLines(o.output, rows)
}

func (s *streams) benchEffort(ctx context.Context, o *benchOptions) error {
	svg, err := bench.Effort(ctx, s.out, bench.EffortOptions{Seed: o.Seed, Progress: s.progress()})
	if err != nil || o.svg == "" {
		return err
	}
	return saveFile(o.svg, svg)
}

func (s *streams) benchSizes(ctx context.Context, o *benchOptions) error {
	for _, e := range o.engines {
		if e != "gdb" && e != "machine" {
			return &exitError{exitUsage, fmt.Sprintf("--engine is gdb or machine, not %q", e)}
		}
	}
	for _, x := range o.shapes {
		if !slices.Contains(bench.Shapes, x) {
			return &exitError{exitUsage, fmt.Sprintf("--shape is one of %s, not %q", strings.Join(bench.Shapes, ", "), x)}
		}
	}
	for _, n := range o.nodes {
		if n < 100 || n > 20_000_000 {
			return &exitError{exitUsage, fmt.Sprintf("--nodes are from 100 to 20,000,000, not %d", n)}
		}
	}
	svg, err := bench.Sizes(ctx, s.out, bench.SizesOptions{Nodes: o.nodes, Shapes: o.shapes, Engines: o.engines, Steps: o.steps, Limit: o.Limit})
	if err != nil || o.svg == "" {
		return err
	}
	return saveFile(o.svg, svg)
}

func (s *streams) benchLines(ctx context.Context, o *benchOptions) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	if o.lines < 100 || o.lines > 5_000_000 {
		return &exitError{exitUsage, fmt.Sprintf("--lines are from 100 to 5,000,000, not %d", o.lines)}
	}
	return bench.Lines(ctx, s.out, bench.LinesOptions{Lines: o.lines, Gulo: own, Files: []string{"one", "many"}})
}

// progress returns a function that shows percent on a terminal; nil elsewhere.
func (s *streams) progress() func(done, all int) {
	if !isTerminal(s.err) {
		return nil
	}
	return func(done, all int) {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%3d%%  %d of %d", min(100*done/max(all, 1), 100), done, all)
		if done >= all {
			fmt.Fprint(os.Stderr, "\r\x1b[K")
		}
	}
}
