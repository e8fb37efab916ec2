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
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/report"
	"gulo/internal/source"

	"github.com/spf13/cobra"
)

// specFlags are the flags that fix and locate share; most give the specification.
type specFlags struct {
	src              sourceFlags
	build            buildFlag
	reference, tests string
	stdin            string
	entry            string
	limit            time.Duration
	work             time.Duration // the limit by --work; 0: --limit counts
	format, output   string
	lock             []int
	seed             int64
	mistakes         string // only gulo fix
	memory           bool   // only gulo fix
	times            bool   // only gulo fix
	right            []string
	space            string
}

func (f *specFlags) register(c *cobra.Command, formats string) {
	f.src.register(c)
	f.build.register(c)
	c.Flags().StringVar(&f.reference, "reference", "", "`FILE`: a correct version of the same functions, or of the program")
	c.Flags().StringVar(&f.tests, "tests", "", "`DIR`: a directory of tests: NAME.out (the expected output) with NAME.args, NAME.in, NAME.exit; or, with --reference, a file of calls, one per line: head=[1,2] key=2")
	c.Flags().StringVar(&f.space, "space", "", "`KIND`: how outputs are compared: exact, or judge, which ignores white space at the ends of lines and of the output (default: judge if every failing test differs in such white space)")
	c.Flags().StringVar(&f.stdin, "stdin", "", "`FILE`: standard input of the run with ARG; - means gulo's own standard input, as does a file there with fix --memory")
	c.Flags().StringVar(&f.entry, "entry", "", "`FUNCTION`: the function to call (default: the one that differs from the reference)")
	c.Flags().DurationVar(&f.limit, "limit", 20*time.Second, "time for the search by the clock. Without it counted work limits the search (--work 20s), and two minutes; locate goes by the clock with --method diagnosis, evidence of a contract, and formulas")
	c.Flags().DurationVar(&f.work, "work", 0, "limit the search by counted work instead of the clock, so that a busy machine gives the same answer; 20s is what takes 20 s on an idle one. --limit (ten times as long by default) still stops it")
	c.Flags().IntSliceVar(&f.lock, "lock", nil, "`LINES`: correct lines, which must not change, such as 3,7")
	c.Flags().Int64Var(&f.seed, "seed", 0, "seed of the random inputs")
	c.Flags().StringVar(&f.format, "format", "text", formats)
	c.Flags().StringVar(&f.output, "output", "", "`FILE`: write the answer to it")
}

// searchGuard is how long a search takes by the clock if nothing is said: somebody may be waiting.
const searchGuard = 2 * time.Minute

// bound sets a job's limits from --work and --limit. With neither of them the search is limited by counted work, so
// that a busy machine gives the same answer.
func (f *specFlags) bound(c *cobra.Command, j *job.Job) error {
	limited := c.Flags().Changed("limit")
	switch {
	case f.work == 0 && limited:
		j.Limit = f.limit
		return nil
	case f.work == 0:
		f.work, f.limit = f.limit, searchGuard
	case !limited:
		f.limit = 10 * f.work
	case f.work > f.limit:
		return &exitError{exitUsage, fmt.Sprintf("--work %v is more than --limit %v, the time after which the clock stops the search", f.work, f.limit)}
	}
	j.Limit, j.Guard = f.work, f.limit
	return nil
}

// spaceOf reads --space.
func spaceOf(s string) (job.Space, error) {
	switch s {
	case "":
		return job.SpaceAuto, nil
	case "exact":
		return job.SpaceExact, nil
	case "judge":
		return job.SpaceJudge, nil
	}
	return "", &exitError{exitUsage, fmt.Sprintf("--space %s: it is exact or judge", s)}
}

func (s *streams) request(c *cobra.Command, f *specFlags, args []string) (*job.Job, error) {
	from, err := s.program(c, args, &f.src, &f.build)
	if err != nil {
		return nil, err
	}
	stdin, err := s.runInput(f)
	if err != nil {
		return nil, err
	}
	space, err := spaceOf(f.space)
	if err != nil {
		return nil, err
	}
	r := &job.Job{Space: space, Files: from.files, Args: from.args, Stdin: stdin, Spec: job.Spec{Tests: f.tests}, Entry: f.entry, Options: from.options(f, stdin), Limit: f.limit, Lock: f.lock, Seed: f.seed}
	if f.reference != "" {
		r.Reference = []string{f.reference}
	}
	r.Progress = s.showing()
	return r, nil
}

// runInput reads the standard input of the run in hand. Under memory rules a file that the command itself reads is that
// run's, too, as in gulo check.
func (s *streams) runInput(f *specFlags) (string, error) {
	if f.stdin == "" && f.memory {
		if file, ok := s.in.(*os.File); ok {
			if st, err := file.Stat(); err == nil && st.Mode().IsRegular() {
				f.stdin = "-"
			}
		}
	}
	if f.stdin == "" {
		return "", nil
	}
	if f.stdin == "-" {
		text, err := io.ReadAll(s.in)
		s.in = strings.NewReader(string(text)) // it may be read again
		return string(text), err
	}
	text, err := os.ReadFile(f.stdin)
	if err != nil {
		return "", &exitError{exitUsage, source.Refused("--stdin", f.stdin, err, "a file with what the program reads, or - for what comes here")}
	}
	return string(text), nil
}

// answer writes to --output or standard output. After a signal it writes nothing: an engine that was cut short has no
// answer.
func (s *streams) answer(path string, write func(w io.Writer) error) error {
	if err := process.Context().Err(); err != nil {
		return err
	}
	return s.print(path, write)
}

// print is answer, but writes even after a signal.
func (s *streams) print(path string, write func(w io.Writer) error) error {
	s.line.show("")
	width := widthOf(s.out)
	if path == "" && width == 0 {
		return write(s.out)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if path == "" {
		_, err := io.WriteString(s.out, prose(b.String(), width))
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

// useCode returns the exit code of a UsageError, whether the job makes no sense or nothing is known about it.
func useCode(use *job.UsageError) int {
	if use != nil && use.Unknown {
		return exitNegative
	}
	return exitUsage
}

// logic decides whether locate uses logic when no method is named.
func (s *streams) logic(c *cobra.Command, f *specFlags, g *formalFlags, args []string) (bool, error) {
	from, err := s.program(c, args, &f.src, &f.build)
	if err != nil {
		return false, err
	}
	return g.byLogic(c.Context(), f, from)
}

func (s *streams) fixCommand() *cobra.Command {
	var f specFlags
	var g formalFlags
	var k contractFlags
	var n int
	var rewrite string
	c := &cobra.Command{
		Use: `fix [flags] --reference REF.c FILE.c... [-- ARG...]
  gulo fix [flags] --tests DIR FILE.c...
  gulo fix [flags] --memory FILE.c... [-- ARG...]
  gulo fix [flags] --assert | --contract FILE | --contracts FILE.c...
  gulo fix [flags] SPEC -p BUILD_DIR [PROGRAM] [-- ARG...]
  gulo fix [flags] SPEC -- make ...`,
		Short: "find a mistake, repair it, check the repair, print a diff",
		Long: `Finds the smallest edits that make a program meet its specification, checks
them, and prints the best as a diff with the evidence for it. The specification
is a correct version (--reference), whole runs with their output (--tests), the
program's assertions (--assert), a contract (--contract, --contracts), or the
memory rules, which no run may break (--memory). Several may be given; a repair
must then meet all of them. The program finds the files beside the tests and
beside itself (4 MiB in all); what it writes to files is not compared.

Engines are tried in turn, if they accept the specification; --method picks one:
` + engineHelp() + `
Exit status: 0 a repair was found and verified, or it is known that
nothing is wrong; 1 no repair, or no difference found; 2 bad input; 3 a limit
was reached or a tool is missing.`,
		Example: `  gulo fix --reference right.c list.c -- 3 1 2
  gulo fix --tests tests/ --entry insert list.c
  gulo fix --memory list.c -- 3 1 2
  gulo fix --assert max.c
  gulo fix --contract max.json --explain max.c
  gulo fix --reference right.c --tests calls.txt --format json list.c
  gulo fix --reference right.c --rewrite fixed.c list.c`,
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
	c.Flags().BoolVar(&k.dices, "dices", false, "for the evidence engine: first change what the failing tests execute and a passing test does not")
	c.Flags().StringVar(&g.method, "method", "", "`ENGINE`: use only this engine: "+strings.Join(fixMethods, ", "))
	c.Flags().IntVarP(&n, "repairs", "n", 1, "show up to this many repairs")
	c.Flags().StringVar(&rewrite, "rewrite", "", "`FILE`: write the repaired source to it")
	c.Flags().BoolVar(&f.memory, "memory", false, "no memory rule (gulo rules show memory) may be broken in the run with ARG, in the tests, and in runs made from them; a run without such an error must still print the same")
	c.Flags().StringSliceVar(&f.right, "right", nil, "`FILES`: with --tests alone: other programs, or folders of them; a repair should print what most of those that pass the tests print (compared as --space says), and may copy their statements")
	c.Flags().BoolVar(&f.times, "times", false, "say where the time went: on standard error, or in the JSON answer")
	c.Flags().StringVar(&f.mistakes, "mistakes", "", "`FILE`: patterns of mistakes to try first, besides the built-in ones; see docs/mistakes.md")
	return c
}

// answerFix prints a report of an engine that works from cases. The best candidate of a search that was stopped is not
// a repair, so that it is never printed as a diff alone.
func (s *streams) answerFix(f *specFlags, rep *report.Report) error {
	switch {
	case rep.SoFar && f.format == "diff":
		s.line.show("")
		return printFix(s.err, rep, "text")
	case rep.SoFar:
		return s.print(f.output, func(w io.Writer) error { return printFix(w, rep, f.format) })
	}
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
		fmt.Fprintf(w, "a whole run differs natively, %s\n%s: %s %s met\n", rep.Run, rep.Result, plural.All(rep.Cases, "case"), plural.Verb(rep.Cases, "is", "are"))
		return nil
	case rep.Result == report.Unknown && rep.Cases == 0 && rep.Cause != report.TimeLimit && !rep.SoFar:
		fmt.Fprintf(w, "%s: %s\n", rep.Result, rep.Cause)
		return nil
	case rep.Result == report.Right && rep.Evidence != nil:
		fmt.Fprintf(w, "nothing to repair: %s\n", rep.Evidence.Text)
		return nil
	case rep.Result == report.Alike:
		fmt.Fprintln(w, rep.Evidence.Text)
		return nil
	}
	if rep.Example != "" {
		fmt.Fprintf(w, "%s; %s\n", casesFail(rep.Failing, rep.Cases), rep.Example)
	}
	if rep.SoFar {
		fmt.Fprintf(w, "no repair yet: %s; the best so far:\n", rep.Cause)
	} else if rep.Result != report.Repaired {
		fmt.Fprintf(w, "no repair: %s\n", rep.Cause)
		if len(rep.Repairs) > 0 {
			fmt.Fprintln(w, "the nearest repair found:")
		}
	}
	for i, r := range rep.Repairs {
		if len(rep.Repairs) > 1 {
			fmt.Fprintf(w, "repair %d\n", i+1)
		}
		fmt.Fprint(w, r.Diff)
		fmt.Fprintf(w, "%s\n", r.Evidence.Text)
	}
	if rep.Result == report.Unknown && rep.Cause == report.TimeLimit {
		fmt.Fprintln(w, "give more time with --limit or --work, or more cases with --tests")
	}
	return nil
}

// casesFail says how many cases fail.
func casesFail(n, of int) string {
	return fmt.Sprintf("%d of %s %s", n, plural.N(of, "case"), plural.Verb(n, "fails", "fail"))
}

func (s *streams) locateCommand() *cobra.Command {
	var f specFlags
	var g formalFlags
	var k contractFlags
	method := ""
	c := &cobra.Command{
		Use: `locate [flags] --reference REF.c FILE.c... [-- ARG...]
  gulo locate [flags] --tests DIR FILE.c...
  gulo locate [flags] --assert | --contract FILE | --contracts FILE.c...
  gulo locate [flags] SPEC -p BUILD_DIR [PROGRAM] [-- ARG...]
  gulo locate [flags] SPEC -- make ...`,
		Short: "rank the suspicious lines",
		Long: `Ranks lines by how likely the mistake is there. All methods that accept the
specification are used, and their rankings are combined:
  spectrum   which failing and which passing runs execute a line
  edits      what small edits of a line do to the failing runs
  diagnosis  logic: the sets of expressions that could make all failing inputs
             pass
  evidence   what failing calls make true and would have to make false
  gradient   which statements the correct result of a call depends on
If a line may be missing, gulo names the line after it. With --reference, gulo
makes more runs from the given one.

Exit status: 0 a ranking, or nothing fails; 1 something fails but no method can
rank it; 2 bad input; 3 a limit was reached or a tool is missing.`,
		Example: `  gulo locate --reference right.c list.c -- 3 1 2
  gulo locate --tests tests/ --method tarantula --format json list.c
  gulo locate --assert max.c
  gulo locate --contract max.json --explain --trace max.c`,
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
				g.method = method // the method, named or not
				if err := s.locateFormal(c, &f, &g, args); err != errElsewhere {
					return err
				}
			}
			if logic { // logic could not deal with the program, so that cases are compared
				if err := refuse(c, "locate", "spectrum"); err != nil {
					return err
				}
			}
			return s.locateSpectrum(c, &f, method, args)
		},
	}
	f.register(c, "text or json")
	g.register(c)
	k.register(c)
	c.Flags().StringVar(&method, "method", method, "`METHOD`: use only this method: "+strings.Join(locate.Names, ", ")+"; or rank by this formula: "+strings.Join(locate.Spectra(), ", "))
	return c
}

// locateSpectrum ranks by one formula, by default Ochiai's.
func (s *streams) locateSpectrum(c *cobra.Command, f *specFlags, method string, args []string) error {
	if method == "spectrum" || method == "" {
		method = "ochiai"
	}
	r, err := s.request(c, f, args)
	if err != nil {
		return err
	}
	rank, err := within(c.Context(), f.limit, func() (*report.Ranking, error) { return locate.Spectrum(c.Context(), r, spectrum.Method(method)) })
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
}
