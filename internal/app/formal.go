package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/plural"
	"gulo/internal/repair/template"
	"gulo/internal/report"
	"gulo/internal/smt"
	"gulo/internal/symbolic"

	"github.com/spf13/cobra"
)

// formalFlags are the flags of the engine that works by logic.
type formalFlags struct {
	assert, noConditions, every, eq7, wrap, plain bool
	inputs, method, templateFile                  string
	templates                                     []string
	faults, failing, unroll, random               int
	contract                                      contractFlags
}

func (f *formalFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.assert, "assert", false, "use assert() in the program as the specification")
	c.Flags().StringVar(&f.inputs, "inputs", "", "`FILE`: what is known of the inputs, as JSON, {\"pre\": \"n > 0\", \"inputs\": [{\"name\": \"n\", \"min\": 0, \"max\": 9}]}")
	c.Flags().BoolVar(&f.noConditions, "no-conditions", false, "assume that all conditions are correct")
	c.Flags().BoolVar(&f.every, "every-expression", false, "suspect every part of an expression, not only right sides and conditions")
	c.Flags().IntVar(&f.faults, "faults", 2, "how many expressions may be wrong at once")
	c.Flags().IntVar(&f.failing, "failing", 8, "how many failing inputs a diagnosis must explain")
	c.Flags().BoolVar(&f.eq7, "avoid-failures", false, "count every input that is not known to fail as passing (equation 7 of Koenighofer and Bloem, FMCAD 2011)")
	c.Flags().BoolVar(&f.wrap, "wrap", false, "let signed overflow wrap instead of reporting it")
	c.Flags().IntVar(&f.unroll, "unroll", 32, "how many iterations of a loop to follow")
	c.Flags().StringSliceVar(&f.templates, "templates", nil, "`NAMES`: templates to use: "+strings.Join(template.Names, ", "))
	c.Flags().StringVar(&f.templateFile, "template-file", "", "`FILE`: templates of your own, one per line: C expressions with unknown numbers k0 to k9, such as k0 * x + k1")
	c.Flags().BoolVar(&f.plain, "no-heuristics", false, "disable the search heuristics")
	c.Flags().IntVar(&f.random, "random", 2000, "how many native runs check a repair; -1 for none")
}

// check refuses unknown templates.
func (g *formalFlags) check() error {
	for _, t := range g.templates {
		if !slices.Contains(template.Names, t) {
			return &exitError{exitUsage, fmt.Sprintf("--templates: there is no %s; there are %s", t, strings.Join(template.Names, ", "))}
		}
	}
	return nil
}

func (s *streams) formalRequest(c *cobra.Command, f *specFlags, g *formalFlags, args []string) (*job.Job, error) {
	from, err := s.program(c, args, &f.src, &f.build)
	if err != nil {
		return nil, err
	}
	if err := g.check(); err != nil {
		return nil, err
	}
	if g.assert && f.reference != "" {
		return nil, &exitError{exitUsage, "--assert and --reference are two specifications; give one"}
	}
	r := &job.Job{Logic: g.options()}
	r.Files, r.Entry, r.Inputs, r.Options, r.Limit, r.Lock, r.Seed = from.files, f.entry, g.inputs, from.opt, f.limit, f.lock, f.seed
	r.Contract, r.Contracts = g.contract.file, g.contract.comments
	if f.reference != "" {
		r.Reference = []string{f.reference}
	}
	r.Progress = s.showing()
	return r, nil
}

// byLogic decides whether logic does a job: always for assertions, and for a reference unless the program's data are
// linked.
func (g *formalFlags) byLogic(ctx context.Context, f *specFlags, from *origin) (bool, error) {
	switch g.method {
	case "heap":
		return false, nil
	case "template":
		return true, nil
	}
	if g.assert {
		return true, nil
	}
	if f.reference == "" || f.tests != "" {
		return false, nil
	}
	tree, err := cfront.Load(ctx, from.files, from.opt)
	if err != nil {
		return false, err
	}
	return logic.Scalar(tree) && smt.Available(), nil
}

// errElsewhere says that logic cannot deal with a program, and that nobody asked for logic: cases are compared instead.
var errElsewhere = errors.New("a construct that is not followed on symbols")

func (g *formalFlags) elsewhere(err error) bool {
	var un *symbolic.Unsupported
	return !g.assert && g.method == "" && errors.As(err, &un)
}

// formalError gives errors of logic their exit codes.
func formalError(err error) error {
	var use *job.UsageError
	var un *symbolic.Unsupported
	var lim *symbolic.LimitError
	var bad *contract.Error
	switch {
	case errors.As(err, &use), errors.As(err, &un), errors.As(err, &bad):
		return &exitError{exitUsage, err.Error()}
	case errors.As(err, &lim):
		return &exitError{exitOutside, err.Error() + "; try a smaller --unroll, or shorter arrays with --inputs"}
	case errors.Is(err, smt.ErrMissing):
		return &exitError{exitOutside, err.Error()}
	}
	return err
}

// answerFormal prints a report of logic.
func (s *streams) answerFormal(f *specFlags, rep *logic.Answer) error {
	return s.answer(f.output, func(w io.Writer) error { return printFormal(w, rep, f.format) })
}

func resultError(result string) error {
	switch result {
	case report.Repaired, report.Right:
		return nil
	case report.Unknown:
		return &exitError{code: exitOutside}
	}
	return &exitError{code: exitNegative}
}

func printFormal(w io.Writer, rep *logic.Answer, format string) error {
	switch format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(rep)
	case "diff", "sarif":
		return printFix(w, &rep.Report, format)
	}
	for _, n := range rep.Notes {
		fmt.Fprintln(w, "note: "+n)
	}
	switch {
	case rep.Run != "":
		fmt.Fprintf(w, "a whole run differs natively, %s\n%s: %s; of %s itself nothing is wrong: %s for %s\n", rep.Run, rep.Result, rep.Cause, rep.Entry, map[bool]string{true: "proved", false: "it holds"}[rep.Proof == "proved"], rep.Covers)
		return nil
	case rep.Result == report.Right:
		fmt.Fprintf(w, "nothing to repair: %s for %s", rep.Proof, rep.Covers)
		if rep.Calls > 0 {
			fmt.Fprintf(w, "; compiled and run on %d random and boundary inputs", rep.Calls)
		}
		fmt.Fprintln(w)
		return nil
	case rep.Result == report.Alike:
		fmt.Fprintf(w, "no difference found, which is no proof: it holds for %s; %s", rep.Covers, rep.Cause)
		if rep.Calls > 0 {
			fmt.Fprintf(w, "; compiled and run on %d random and boundary inputs", rep.Calls)
		}
		fmt.Fprintln(w)
		return nil
	case rep.Example == "":
		fmt.Fprintf(w, "%s: %s\n", rep.Result, rep.Cause)
		return nil
	}
	fmt.Fprintf(w, "%s fails %s\n", rep.Entry, rep.Example)
	printDiagnoses(w, rep)
	for i, r := range rep.Repairs {
		if len(rep.Repairs) > 1 {
			fmt.Fprintf(w, "repair %d\n", i+1)
		}
		fmt.Fprint(w, r.Diff)
		fmt.Fprintln(w, r.Evidence.Text)
	}
	if len(rep.Repairs) == 0 || rep.Result == report.Unknown {
		fmt.Fprintf(w, "%s: %s\n", rep.Result, rep.Cause)
		if rep.Result == report.Unknown {
			fmt.Fprintln(w, "give more time with --limit, or say more about the inputs with --inputs")
		}
	}
	return nil
}

func printDiagnoses(w io.Writer, rep *logic.Answer) {
	if len(rep.Diagnoses) == 0 {
		return
	}
	fmt.Fprintf(w, "what may be wrong (%d):\n", len(rep.Diagnoses))
	for i, d := range rep.Diagnoses {
		if i == 8 {
			fmt.Fprintf(w, "  and %d more\n", len(rep.Diagnoses)-i)
			break
		}
		var lines []string
		for _, p := range d {
			lines = append(lines, fmt.Sprintf("%s:%d", p.File, p.Line))
		}
		fmt.Fprintf(w, "  %s: %s\n", strings.Join(lines, " with "), rep.Words[i])
	}
}

func (s *streams) locateFormal(c *cobra.Command, f *specFlags, g *formalFlags, args []string) error {
	r, err := s.formalRequest(c, f, g, args)
	if err != nil {
		return err
	}
	var rank *report.Ranking
	rep, err := within(c.Context(), f.limit, func() (rep *logic.Answer, err error) {
		rank, rep, err = logic.Locate(c.Context(), r)
		return rep, err
	})
	if g.elsewhere(err) {
		return errElsewhere
	}
	if err != nil {
		return formalError(err)
	}
	if rank == nil {
		rank = &report.Ranking{Method: "diagnosis", Diagnoses: [][]report.Place{}}
	}
	err = s.answer(f.output, func(w io.Writer) error {
		if f.format == "json" {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(rank)
		}
		if rep.Result != "" {
			fmt.Fprintf(w, "%s: %s\n", rep.Result, strings.TrimSpace(rep.Cause+" "+rep.Proof))
			return nil
		}
		fmt.Fprintf(w, "%s fails %s\n", rep.Entry, rep.Example)
		printDiagnoses(w, rep)
		return nil
	})
	if err != nil || rep.Result == "" {
		return err
	}
	return resultError(rep.Result)
}

func (s *streams) exploreCommand() *cobra.Command {
	var src sourceFlags
	var g formalFlags
	var entry, search, format, output string
	var paths int
	var limit time.Duration
	var build buildFlag
	var seed int64
	c := &cobra.Command{
		Use:   "explore [flags] FILE.c...",
		Short: "list the paths of a function, with a test for each",
		Long: `Executes a function symbolically, path by path, and prints an input for each
path: together they are tests that cover what can be covered. Inputs are the
parameters, what input() returns, and global variables that are set elsewhere.

Exit status: 0 all paths were executed and none fails; 1 a path fails; 2 the
program cannot be executed symbolically; 3 a limit was reached.`,
		Example: `  gulo explore --entry max max.c
  gulo explore --search coverage --paths 50 --format json scan.c
  gulo explore --inputs ranges.json tax.c`,
		RunE: func(c *cobra.Command, args []string) error {
			from, err := s.program(c, args, &src, &build)
			if err != nil {
				return err
			}
			if !slices.Contains([]string{"depth", "breadth", "coverage", "random"}, search) {
				return &exitError{exitUsage, fmt.Sprintf("--search is depth, breadth, coverage or random, not %q", search)}
			}
			req := &job.Job{Files: from.files, Entry: entry, Inputs: g.inputs, Options: from.opt, Logic: job.Logic{Wrap: g.wrap, Unroll: g.unroll}, Limit: limit, Seed: seed}
			lim := symbolic.Limits{Paths: paths, Time: limit, Search: symbolic.Search(search), Seed: seed}
			if isTerminal(s.err) {
				lim.Progress = func(n, waiting int) {
					fmt.Fprintf(s.err, "\r\x1b[K%s, %s to turn round ...", plural.N(n, "path"), plural.N(waiting, "branch"))
				}
			}
			rep, err := within(c.Context(), limit, func() (*logic.Exploration, error) { return logic.Explore(c.Context(), req, lim) })
			if err != nil {
				return formalError(err)
			}
			err = s.answer(output, func(w io.Writer) error {
				if format == "json" {
					enc := json.NewEncoder(w)
					enc.SetEscapeHTML(false)
					enc.SetIndent("", "  ")
					return enc.Encode(rep)
				}
				_, err := io.WriteString(w, rep.String())
				return err
			})
			switch {
			case err != nil:
				return err
			case rep.Failing > 0:
				return &exitError{code: exitNegative}
			case !rep.Complete:
				return &exitError{code: exitOutside}
			}
			return nil
		},
	}
	src.register(c)
	build.register(c)
	c.Flags().StringVar(&entry, "entry", "", "`FUNCTION`: the function to execute (default: main, or the function with assertions)")
	c.Flags().StringVar(&search, "search", "depth", "order of the paths: depth, breadth, coverage or random")
	c.Flags().IntVar(&paths, "paths", 400, "how many paths to execute at most")
	c.Flags().DurationVar(&limit, "limit", time.Minute, "time for all paths")
	c.Flags().Int64Var(&seed, "seed", 1, "seed of the random order")
	c.Flags().StringVar(&g.inputs, "inputs", "", "`FILE`: what is known of the inputs, as JSON; see gulo fix --help")
	c.Flags().BoolVar(&g.wrap, "wrap", false, "let signed overflow wrap instead of reporting it")
	c.Flags().IntVar(&g.unroll, "unroll", 64, "how many iterations of a loop to follow")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().StringVar(&output, "output", "", "`FILE`: write the answer to it")
	return c
}
