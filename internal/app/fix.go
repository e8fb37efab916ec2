package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/job"
	"gulo/internal/locate"
	"gulo/internal/locate/spectrum"
	"gulo/internal/oracle"
	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/report"

	"github.com/spf13/cobra"
)

// specFlags say what is right.
type specFlags struct {
	src              sourceFlags
	reference, tests string
	stdin            string
	entry            string
	limit            time.Duration
	format, output   string
	lock             []int
	seed             int64
	mistakes         string // of gulo fix alone
	memory           bool   // the same
	times            bool   // the same
	right            []string
}

func (f *specFlags) register(c *cobra.Command, formats string) {
	f.src.register(c)
	c.Flags().StringVar(&f.reference, "reference", "", "a right implementation of the same functions")
	c.Flags().StringVar(&f.tests, "tests", "", "a folder of whole runs (NAME.args, NAME.in, NAME.out, NAME.exit), or with --reference a file of calls, one a line, as: head=[1,2] key=2")
	c.Flags().StringVar(&f.stdin, "stdin", "", "a file with the standard input of the run with ARG; - is gulo's own")
	c.Flags().StringVar(&f.entry, "entry", "", "the function to be called; without it the one that differs from the reference's")
	c.Flags().DurationVar(&f.limit, "limit", 20*time.Second, "for the search")
	c.Flags().IntSliceVar(&f.lock, "lock", nil, "lines that are right")
	c.Flags().Int64Var(&f.seed, "seed", 0, "of the inputs that are made up")
	c.Flags().StringVar(&f.format, "format", "text", formats)
	c.Flags().StringVar(&f.output, "output", "", "write the answer to a file")
}

func (s *streams) request(c *cobra.Command, f *specFlags, args []string) (*job.Job, error) {
	files, rest, err := split(c, args)
	if err != nil {
		return nil, err
	}
	stdin, err := s.runInput(f)
	if err != nil {
		return nil, err
	}
	r := &job.Job{Files: files, Args: rest, Stdin: stdin, Spec: job.Spec{Tests: f.tests}, Entry: f.entry, Options: f.src.options(), Limit: f.limit, Lock: f.lock, Seed: f.seed}
	if f.reference != "" {
		r.Reference = []string{f.reference}
	}
	if isTerminal(s.err) {
		r.Progress = func(text string) { fmt.Fprintf(s.err, "\r\x1b[K%s ...", text) }
	}
	return r, nil
}

// runInput reads the standard input of the run that shows what the program does.
func (s *streams) runInput(f *specFlags) (string, error) {
	if f.stdin == "" {
		return "", nil
	}
	if f.stdin == "-" {
		text, err := io.ReadAll(s.in)
		s.in = strings.NewReader(string(text)) // it is asked for again
		return string(text), err
	}
	text, err := os.ReadFile(f.stdin)
	if err != nil {
		return "", &exitError{exitUsage, fmt.Sprintf("cannot read --stdin: %v", err)}
	}
	return string(text), nil
}

// answer writes to --output or standard output.
// After a signal there is none: what an engine made of its sudden end is not its answer.
func (s *streams) answer(path string, write func(w io.Writer) error) error {
	if err := process.Context().Err(); err != nil {
		return err
	}
	if isTerminal(s.err) {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	if path == "" {
		return write(s.out)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return saveFile(path, b.Bytes())
}

// saveFile writes a file that the user named.
func saveFile(path string, data []byte) error {
	err := process.WriteFile(path, data, 0o644)
	switch {
	case err == nil:
		return nil
	case process.Outside(err):
		return &exitError{exitOutside, "cannot " + err.Error()}
	}
	return &exitError{exitUsage, "cannot " + err.Error()}
}

// specError gives errors of the specification their exit codes.
func specError(err error) error {
	var use *job.UsageError
	var mis *oracle.Mismatch
	if errors.As(err, &use) || errors.As(err, &mis) {
		return &exitError{useCode(use), err.Error()}
	}
	return err
}

// useCode is the exit code of a job that makes no sense, or of which nothing is known.
func useCode(use *job.UsageError) int {
	if use != nil && use.Unknown {
		return exitNegative
	}
	return exitUsage
}

// logic decides whether locate answers by logic when nobody says by what.
func (s *streams) logic(c *cobra.Command, f *specFlags, g *formalFlags, args []string) (bool, error) {
	files, _, err := split(c, args)
	if err != nil {
		return false, err
	}
	return g.byLogic(c.Context(), f, files)
}

func (s *streams) fixCommand() *cobra.Command {
	var f specFlags
	var g formalFlags
	var k contractFlags
	var n int
	var rewrite string
	c := &cobra.Command{
		Use:   "fix --assert | --reference REF.c | --contract FILE | --tests DIR | --memory  FILE.c... [-- ARG...]",
		Short: "find, check and print a repair without stepping",
		Long: "Derives what is right from assertions, a correct implementation or tests, finds the smallest\n" +
			"edits with which it holds, and prints the best as a diff with its evidence. Programs of numbers\n" +
			"are corrected by logic: diagnoses from all inputs that fail, expressions from templates, a proof\n" +
			"(--method template). Programs of linked data are corrected from cases of the shape that the\n" +
			"function is called with when the program is run with ARG, held against inputs that the search\n" +
			"has not seen (--method heap). From a run in hand (ARG, --stdin, tests) others are made up, and edits\n" +
			"of statements and of the text are tried on them (--method runs). With --memory the rules of gulo check\n" +
			"are what is right: use after free, double free, leaks, overflows, reads of what was never written. With a contract, tests that break it are followed backwards for\n" +
			"evidence of what is wrong (--method evidence; with --reference, calls on which the reference differs). Exit status: 0 a repair was found and verified (or nothing\n" +
			"is wrong, and that is known), 1 there is none, or no difference was found, 2 the input makes no sense,\n" +
			"3 the time was up.",
		Example: "  gulo fix --assert max.c\n  gulo fix --contract max.json --explain max.c\n  gulo fix --reference right.c list.c\n  gulo fix --tests tests/ --entry insert list.c\n  gulo fix --memory list.c -- 3 1 2\n  gulo fix --reference right.c --tests calls.txt --format json list.c\n  gulo fix --reference right.c --rewrite fixed.c list.c",
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains([]string{"text", "json", "diff", "sarif"}, f.format) {
				return &exitError{exitUsage, fmt.Sprintf("--format is text, json, sarif or diff, not %q", f.format)}
			}
			if !slices.Contains(append([]string{""}, fixMethods...), g.method) {
				return &exitError{exitUsage, fmt.Sprintf("--method is one of %s, not %q", strings.Join(fixMethods, ", "), g.method)}
			}
			return s.fix(c, &f, &g, &k, n, rewrite, args)
		},
	}
	f.register(c, "text, json, sarif or diff")
	g.register(c)
	k.register(c)
	c.Flags().BoolVar(&k.dices, "dices", false, "with --method evidence: change first what failing tests execute and a passing one does not")
	c.Flags().StringVar(&g.method, "method", "", "one engine alone, of "+pipeline.Help()+"; without it all that accept what is given, one after the other")
	c.Flags().IntVarP(&n, "repairs", "n", 1, "show up to this many repairs")
	c.Flags().StringVar(&rewrite, "rewrite", "", "write the repaired source to a file")
	c.Flags().BoolVar(&f.memory, "memory", false, "what is right: no rule of memory that gulo check ships fires in the run with ARG, in the tests and in runs made from them, and what the program prints where none does stays")
	c.Flags().StringSliceVar(&f.right, "right", nil, "with --tests alone: other programs, .c files or folders of them; what most of those that meet the tests do on runs made from them is asked of a repair, too")
	c.Flags().BoolVar(&f.times, "times", false, "say where the time went: on standard error, with --format json in the answer")
	c.Flags().StringVar(&f.mistakes, "mistakes", "", "a file with mistakes that are tried first, besides those that gulo knows; docs/mistakes.md says how they are written")
	return c
}

// answerFix prints a report of the engines that work from cases.
func (s *streams) answerFix(f *specFlags, rep *report.Report) error {
	return s.answer(f.output, func(w io.Writer) error { return printFix(w, rep, f.format) })
}

func printFix(w io.Writer, rep *report.Report, format string) error {
	switch format {
	case "json":
		if rep.Repairs == nil {
			rep.Repairs = []report.Repair{}
		}
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(rep)
	case "diff":
		if len(rep.Repairs) > 0 {
			_, err := io.WriteString(w, rep.Repairs[0].Diff)
			return err
		}
		return nil
	case "sarif":
		return printSARIF(w, rep)
	}
	printNotes(w, rep.Notes)
	switch {
	case rep.Run != "":
		fmt.Fprintf(w, "a whole run differs natively, %s\n%s: all %d cases are met\n", rep.Run, rep.Result, rep.Cases)
		return nil
	case rep.Result == report.Unknown && rep.Cases == 0:
		fmt.Fprintf(w, "%s: %s\n", rep.Result, rep.Cause)
		return nil
	case rep.Result == report.Right && rep.Evidence != nil:
		fmt.Fprintf(w, "nothing to repair: %s\n", rep.Evidence.Text)
		return nil
	case rep.Result == report.Alike:
		fmt.Fprintln(w, rep.Evidence.Text)
		return nil
	}
	fmt.Fprintf(w, "%d of %d cases fail; %s\n", rep.Failing, rep.Cases, rep.Example)
	if rep.Result != report.Repaired {
		fmt.Fprintf(w, "no repair: %s\n", rep.Cause)
		if len(rep.Repairs) > 0 {
			fmt.Fprintln(w, "the nearest that was found:")
		}
	}
	for i, r := range rep.Repairs {
		if len(rep.Repairs) > 1 {
			fmt.Fprintf(w, "repair %d\n", i+1)
		}
		fmt.Fprint(w, r.Diff)
		fmt.Fprintf(w, "%s\n", r.Evidence.Text)
	}
	if rep.Result == report.Unknown {
		fmt.Fprintln(w, "give more time with --limit, or more cases with --tests")
	}
	return nil
}

func (s *streams) locateCommand() *cobra.Command {
	var f specFlags
	var g formalFlags
	var k contractFlags
	method := ""
	c := &cobra.Command{
		Use:   "locate --assert | --reference REF.c | --contract FILE | --tests DIR  FILE.c...",
		Short: "rank suspicious statements without stepping",
		Long: "Asks every localization method that accepts what is given, and ranks lines by all of them:\n" +
			"spectrum (which failing and passing runs execute a line), edits (what edits of a line do to\n" +
			"failing runs), diagnosis (the sets of expressions with which all failing inputs could pass),\n" +
			"evidence (what error traces make true and would have to make false; --explain), gradient (what\n" +
			"the corrected end of a call depends on). Where a line may be missing, the one after it is named.\n" +
			"With a reference, runs are made up from the run in hand. Exit status: 0 a ranking, or nothing\n" +
			"fails, 1 something fails and no method has anything to say, 2 the input makes no sense.",
		Example: "  gulo locate --assert max.c\n  gulo locate --contract max.json --explain --trace max.c\n  gulo locate --contracts --reference right.c max.c\n  gulo locate --reference right.c list.c -- 3 1 2\n  gulo locate --tests tests/ --method tarantula --format json list.c",
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(append(append(locate.Spectra(), "", "all"), locate.Names...), method) {
				return &exitError{exitUsage, fmt.Sprintf("--method is one of all, %s, %s, not %q", strings.Join(locate.Names, ", "), strings.Join(locate.Spectra(), ", "), method)}
			}
			if f.format != "text" && f.format != "json" {
				return &exitError{exitUsage, fmt.Sprintf("--format is text or json, not %q", f.format)}
			}
			if method != "" {
				if err := refuse(c, "locate", locateEngine(method, &k)); err != nil {
					return err
				}
			}
			if method == "all" || method == "" && len(ignored(c, "locate", "all")) == 0 {
				return s.locateAll(c, &f, &g, &k, args)
			}
			if method == "gradient" || method == "evidence" && !k.given() || method == "edits" || method == "spectrum" && k.given() {
				return s.locateOne(c, &f, &g, &k, method, args)
			}
			g.contract = k
			if method == "evidence" || k.given() && method != "diagnosis" {
				if err := refuse(c, "locate", "evidence"); err != nil {
					return err
				}
				return s.locateEnsure(c, &f, &k, args)
			}
			logic := method == "diagnosis"
			if method == "" {
				var err error
				if logic, err = s.logic(c, &f, &g, args); err != nil {
					return err
				}
				first := map[bool]string{true: "diagnosis", false: "spectrum"}[logic]
				column, err := choose(c, "locate", first)
				if err != nil {
					return err
				}
				if column != "spectrum" && column != "diagnosis" {
					return refuse(c, "locate", first)
				}
				logic = column == "diagnosis"
			}
			if logic {
				g.method = method // asked for or not
				if err := s.locateFormal(c, &f, &g, args); err != errElsewhere {
					return err
				}
			}
			if logic { // which could not: what is left is for cases
				if err := refuse(c, "locate", "spectrum"); err != nil {
					return err
				}
			}
			if method == "spectrum" || method == "" {
				method = "ochiai"
			}
			r, err := s.request(c, &f, args)
			if err != nil {
				return err
			}
			rank, err := within(f.limit, func() (*report.Ranking, error) { return locate.Spectrum(c.Context(), r, spectrum.Method(method)) })
			if err != nil {
				return specError(err)
			}
			return s.answer(f.output, func(w io.Writer) error {
				if f.format == "text" {
					_, err := io.WriteString(w, rank.String())
					return err
				}
				sort.SliceStable(rank.Ranking, func(i, j int) bool { return rank.Ranking[i].Score > rank.Ranking[j].Score })
				enc := json.NewEncoder(w)
				enc.SetIndent("", "  ")
				return enc.Encode(rank)
			})
		},
	}
	f.register(c, "text or json")
	g.register(c)
	k.register(c)
	c.Flags().StringVar(&method, "method", method, "one of "+strings.Join(locate.Names, ", ")+" alone; without it all that accept what is given, combined; or what the ranking is sorted by: "+strings.Join(locate.Spectra(), ", "))
	return c
}
