package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"gulo/internal/bench/gate"
	"gulo/internal/campaign"
	"gulo/internal/plural"
	"gulo/internal/process"

	"github.com/spf13/cobra"
)

type campaignFlags struct {
	class   campaign.Class
	url     string
	dir     string
	name    string
	workers int

	output, html, csv, feedback string // files that the report is written to

	stages string // which stages the feedback tells
	tell   campaign.Stages
}

func (f *campaignFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.class.Reference, "reference", "", "`FILE`: a correct version (default: reference.c in the folder)")
	c.Flags().StringVar(&f.class.Tests, "tests", "", "`DIR`: a directory of tests: NAME.out (the expected output) with NAME.args, NAME.in, NAME.exit")
	c.Flags().StringVar(&f.class.Entry, "entry", "", "`FUNCTION`: the function that the submissions had to write")
	c.Flags().StringVar(&f.class.Inputs, "inputs", "", "`DIR`: inputs of whole runs (NAME.in, NAME.args); the reference supplies the output")
	c.Flags().StringVar(&f.class.Roster, "roster", "", "`FILE`: the list of students, one per line or as CSV; a student without a submission is reported")
	c.Flags().StringVar(&f.class.Mistakes, "mistakes", "", "`FILE`: patterns of mistakes to try first, besides the built-in ones; see docs/mistakes.md")
	c.Flags().StringVar(&f.class.Space, "space", "", "`KIND`: how outputs are compared: exact, or judge, which ignores white space at the ends of lines and of the output (default: as the tests or the reference suggest)")
	c.Flags().DurationVar(&f.class.Limit, "limit", 20*time.Second, "time for one submission, in counted work: 20s is what takes 20 s on an idle machine. By the clock it may take six times as long")
	c.Flags().StringVar(&f.url, "nats", "", "`URL`: a NATS server with JetStream that holds the queue (default: in this process)")
	c.Flags().StringVar(&f.dir, "state", "", "`DIR`: where the campaign is kept (default: .gulo-campaign in the folder)")
	c.Flags().StringVar(&f.name, "name", "class", "name of the campaign in the queue")
}

func (s *streams) campaignCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "campaign",
		Short: "repair a folder of submissions and write a class report",
		Long: `Repairs every submission in a folder and reports on each: right, repaired and
how, or why not. The report is JSON, an HTML page, a CSV table, and feedback for
each student.`,
		Example: `  gulo campaign run examples/class/insert --html report.html
  gulo campaign status examples/class/insert
  gulo campaign report examples/class/insert --output report.json`,
	}
	c.AddCommand(s.campaignRun(), s.campaignStatus(), s.campaignReport())
	return c
}

func folder(c *cobra.Command, args []string) (string, error) {
	if len(args) != 1 {
		return "", &exitError{exitUsage, "name one folder of submissions; try: gulo campaign " + c.Name() + " FOLDER"}
	}
	if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
		why := ""
		if err != nil {
			why = ": there is nothing of this name"
		}
		return "", &exitError{exitUsage, fmt.Sprintf("%s is no folder%s; name the folder with the submissions", args[0], why)}
	}
	return args[0], nil
}

// open reads the submissions and opens the queue. With again, options that are not given are taken from the last run.
func (f *campaignFlags) open(ctx context.Context, c *cobra.Command, args []string, again bool) (jobs map[string]*campaign.Submission, q *campaign.Queue, err error) {
	dir, err := folder(c, args)
	if err != nil {
		return nil, nil, err
	}
	if f.tell = campaign.AllStages; f.stages != "" {
		if f.tell, err = campaign.ParseStages(f.stages); err != nil {
			return nil, nil, &exitError{exitUsage, err.Error()}
		}
	}
	if _, err := spaceOf(f.class.Space); err != nil {
		return nil, nil, err
	}
	f.class.Folder = dir
	if f.dir == "" {
		f.dir = filepath.Join(dir, ".gulo-campaign")
	}
	begin := &exitError{exitUsage, fmt.Sprintf("no campaign has begun for %s; begin it with: gulo campaign run %s --reference REF.c or --tests DIR", dir, dir)}
	if again && f.url == "" && !campaign.Begun(f.dir) {
		return nil, nil, begin
	}
	if !again { // a run that makes no sense leaves no queue behind
		if jobs, err = f.class.Jobs(); err == nil {
			_, err = f.class.Absent(jobs) // an unreadable list of students is reported before the work
		}
		if err != nil {
			return nil, nil, &exitError{exitUsage, err.Error()}
		}
	}
	q, err = campaign.Open(ctx, f.url, f.dir, f.name)
	var no syscall.Errno
	if errors.As(err, &no) && (errors.Is(no, os.ErrPermission) || no == syscall.EROFS) {
		return nil, nil, &exitError{exitOutside, fmt.Sprintf("the campaign cannot be kept in %s: %v; name a folder of yours with --state DIR", f.dir, no)}
	}
	if err != nil {
		return nil, nil, &exitError{exitOutside, err.Error()}
	}
	if again {
		var begun bool
		if begun, err = f.recall(ctx, c, q); err == nil && !begun {
			q.Close()
			return nil, nil, begin
		}
		if err == nil {
			jobs, err = f.class.Jobs()
		}
		if err != nil {
			q.Close()
			return nil, nil, &exitError{exitUsage, err.Error()}
		}
	}
	return jobs, q, nil
}

// recall takes options from the last run unless they are given. begun reports whether there was a run before.
func (f *campaignFlags) recall(ctx context.Context, c *cobra.Command, q *campaign.Queue) (begun bool, err error) {
	b, err := q.Remembered(ctx)
	if err != nil || b == nil {
		return false, err
	}
	var last campaign.Class
	if err := json.Unmarshal(b, &last); err != nil {
		return false, err
	}
	now := &f.class
	given := c.Flags().Changed
	if !given("reference") {
		now.Reference = last.Reference
	}
	if !given("tests") {
		now.Tests = last.Tests
	}
	if !given("entry") {
		now.Entry = last.Entry
	}
	if !given("inputs") {
		now.Inputs = last.Inputs
	}
	if !given("roster") {
		now.Roster = last.Roster
	}
	if !given("mistakes") {
		now.Mistakes = last.Mistakes
	}
	if !given("limit") {
		now.Limit = last.Limit
	}
	if !given("space") {
		now.Space = last.Space
	}
	return true, nil
}

// collect gathers the results so far, and the students who handed in nothing.
func (f *campaignFlags) collect(ctx context.Context, q *campaign.Queue, jobs map[string]*campaign.Submission) (*campaign.Summary, error) {
	absent, err := f.class.Absent(jobs)
	if err != nil {
		return nil, &exitError{exitUsage, err.Error()}
	}
	sum, err := campaign.Collect(ctx, q, f.class.Folder, jobs)
	if err != nil {
		return nil, err
	}
	sum.Add(absent)
	return sum, nil
}

// remember stores the options of a run, with absolute paths.
func (f *campaignFlags) remember(ctx context.Context, q *campaign.Queue) error {
	last := f.class
	for _, p := range []*string{&last.Reference, &last.Tests, &last.Inputs, &last.Roster, &last.Mistakes} {
		if *p == "" {
			continue
		}
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	b, err := json.Marshal(last)
	if err != nil {
		return err
	}
	return q.Remember(ctx, b)
}

func (s *streams) campaignRun() *cobra.Command {
	var f campaignFlags
	c := &cobra.Command{
		Use:   "run [flags] FOLDER",
		Short: "repair every submission in a folder",
		Long: `Compares every submission with a reference or with tests, repairs it, and prints
a summary. Each submission runs in a process of its own, with limits and without
network. An interrupted campaign goes on where it stopped.

A submission is a .c file, or a directory that is one program, as Moodle and
GitHub Classroom export them: several files of which one has main, or a Makefile
(its -D, -U, -I and -std are read; make is not run). A changed submission is
judged again. "Right" means that every case is met. Cases are calls compared
with the reference, and whole runs of the program, on the machine and natively:
the tests, and thousands of runs made from them. Without a reference, gulo lists
inputs on which submissions that meet all tests differ, and what each of them
prints; a new test can then say which is right.

Next: gulo campaign report FOLDER writes the report again in other formats.`,
		Example: `  gulo campaign run submissions/ --html report.html
  gulo campaign run submissions/ --tests tests/ --entry insert --workers 4
  gulo campaign run submissions/ --nats nats://host:4222 --workers 0`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			ctx, start := c.Context(), time.Now()
			var jobs map[string]*campaign.Submission
			var q *campaign.Queue
			defer func() {
				if ctx.Err() != nil {
					err = left(q, jobs)
				}
				if q != nil {
					q.Close()
				}
			}()
			if jobs, q, err = f.open(ctx, c, args, false); err != nil {
				return err
			}
			fmt.Fprintln(s.out, f.class.Taken(jobs))
			if err := s.askOthers(ctx, q, jobs); err != nil {
				return err
			}
			if err := addJobs(ctx, q, jobs); err != nil {
				return err
			}
			if err := f.remember(ctx, q); err != nil {
				return &exitError{exitOutside, err.Error()}
			}
			begin := time.Now()
			todo, err := s.drive(ctx, q, jobs, f.workers)
			if err != nil {
				return err
			}
			took := time.Since(begin)
			if err := divide(ctx, q, jobs); err != nil {
				return err
			}
			sum, err := f.collect(ctx, q, jobs)
			if err != nil {
				return err
			}
			if err := s.report(sum, &f); err != nil {
				return err
			}
			s.cost(todo, f.workers, begin.Sub(start), took)
			return unjudged(sum)
		},
	}
	f.register(c)
	c.Flags().IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "jobs at a time in this process; 0 leaves all to gulo worker")
	f.registerReport(c)
	return c
}

// left returns the leftError of a campaign that was ended: how many submissions are judged. q is nil if the queue was
// not opened yet.
func left(q *campaign.Queue, jobs map[string]*campaign.Submission) error {
	const again = "the same command goes on"
	if q == nil {
		return &leftError{again}
	}
	done := 0
	for id := range jobs {
		if _, ok, err := q.Result(context.Background(), id); err == nil && ok {
			done++
		}
	}
	return &leftError{fmt.Sprintf("%d of %s judged; %s", done, plural.N(len(jobs), "submission"), again)}
}

// askOthers compares the submissions with each other if there are only tests and some submissions are not judged yet.
func (s *streams) askOthers(ctx context.Context, q *campaign.Queue, jobs map[string]*campaign.Submission) error {
	left := false
	for id := range jobs {
		_, done, err := q.Result(ctx, id)
		if err != nil {
			return err
		}
		left = left || !done
	}
	if !left {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	a, err := campaign.AskOthers(ctx, []string{self, "agree"}, jobs)
	if a == nil || err != nil {
		return err
	}
	a.Give(jobs)
	fmt.Fprintf(s.out, "among repairs with equally many edits, gulo takes the one that does what most of %s %s that %s the tests, on %s made from them\n", plural.N(a.Others, "submission"), plural.Verb(a.Others, "does", "do"), plural.Verb(a.Others, "meets", "meet"), plural.N(a.Made, "run"))
	return nil
}

// divide looks for inputs that the tests leave open, on which submissions differ.
func divide(ctx context.Context, q *campaign.Queue, jobs map[string]*campaign.Submission) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return campaign.AskDivided(ctx, []string{self, "agree"}, q, jobs)
}

// agreeCommand compares submissions in a process of its own.
func (s *streams) agreeCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "agree",
		Short:  "ask submissions, given on standard input, what is right",
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			var q campaign.Question
			if err := json.NewDecoder(s.in).Decode(&q); err != nil {
				return &exitError{exitUsage, "the question cannot be read: " + err.Error()}
			}
			if q.Divide {
				list, err := q.Split(c.Context())
				if err != nil {
					return err
				}
				return json.NewEncoder(s.out).Encode(list)
			}
			a, err := q.Answer(c.Context())
			if err != nil {
				return err
			}
			return json.NewEncoder(s.out).Encode(a)
		},
	}
}

// addJobs checks the class and puts its jobs into the queue. Jobs that failed before are tried again.
func addJobs(ctx context.Context, q *campaign.Queue, jobs map[string]*campaign.Submission) error {
	for _, j := range jobs {
		err := campaign.Check(ctx, j)
		var class *campaign.ClassError
		if errors.As(err, &class) {
			return &exitError{exitUsage, class.Message}
		}
		if err != nil {
			return err
		}
		break // all submissions have the same specification
	}
	for id, j := range jobs {
		b, err := json.Marshal(j)
		if err != nil {
			return err
		}
		if err := q.Retry(ctx, id, campaign.Failed); err != nil {
			return &exitError{exitOutside, err.Error()}
		}
		if err := q.Add(ctx, id, b); err != nil {
			return &exitError{exitOutside, fmt.Sprintf("%s: %v", j.Name, err)}
		}
	}
	return nil
}

// cost prints what a run took: the time before the first submission, for the reference, the tests and the comparison of
// submissions; then for each submission time, processor time, and the peak memory of this process and of its largest
// child.
func (s *streams) cost(jobs, workers int, before, took time.Duration) {
	if jobs == 0 || workers == 0 { // workers elsewhere did the work
		return
	}
	var own, children syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children) != nil {
		return
	}
	cpu := time.Duration(own.Utime.Nano() + own.Stime.Nano() + children.Utime.Nano() + children.Stime.Nano())
	fmt.Fprintf(s.out, "reference and tests were prepared in %s\n", before.Round(time.Second/10))
	fmt.Fprintf(s.out, "%d judged in %s by %s, %.2f s each; processor %.2f s each; memory at most %d MiB here, %d MiB in a job\n",
		jobs, took.Round(time.Second/10), plural.N(workers, "worker"), took.Seconds()/float64(jobs), cpu.Seconds()/float64(jobs), own.Maxrss>>10, children.Maxrss>>10)
}

// drive works until every job has a result. todo is the number of jobs without one at the start.
func (s *streams) drive(ctx context.Context, q *campaign.Queue, jobs map[string]*campaign.Submission, workers int) (todo int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	todo = -1
	work, stop := context.WithCancel(ctx)
	defer stop()
	h := campaign.Handle([]string{self, "job"})
	errs := make(chan error, workers+1)
	var wg sync.WaitGroup
	for i := 0; i < workers; i++ {
		wg.Add(1)
		process.Go(func() {
			defer wg.Done()
			if err := q.Work(work, h, campaign.FailedOutcome, false); err != nil {
				errs <- err
			}
		})
	}
	w := &watched{q: q, jobs: jobs, done: map[string]bool{}, progress: s.progress(), to: s.err}
	for {
		err := w.look(ctx, todo >= 0)
		done := len(w.done)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return 0, err
		}
		if todo < 0 {
			todo = len(jobs) - done
		}
		if done == len(jobs) {
			break
		}
		select {
		case err := <-errs:
			return 0, &exitError{exitOutside, err.Error()}
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	stop()
	wg.Wait()
	return todo, nil
}

// watched is a campaign whose progress is shown.
type watched struct {
	q        *campaign.Queue
	jobs     map[string]*campaign.Submission
	done     map[string]bool
	progress func(done, all int) // nil: there is no terminal
	to       io.Writer
}

// look finds the submissions judged since the last call and, with say, prints a line for each.
func (w *watched) look(ctx context.Context, say bool) error {
	for _, id := range slices.SortedFunc(maps.Keys(w.jobs), func(a, b string) int { return strings.Compare(w.jobs[a].Name, w.jobs[b].Name) }) {
		if w.done[id] {
			continue
		}
		r, ok, err := w.q.Result(ctx, id)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		w.done[id] = true
		var o campaign.Outcome
		if !say || json.Unmarshal(r, &o) != nil { // whoever collects the results reports one that cannot be read
			continue
		}
		if w.progress != nil {
			fmt.Fprint(w.to, "\r\x1b[K")
		}
		fmt.Fprintf(w.to, "%d/%d %s: %s\n", len(w.done), len(w.jobs), w.jobs[id].Name, w.jobs[id].Line(&o))
	}
	if w.progress != nil {
		w.progress(len(w.done), len(w.jobs))
	}
	return nil
}

func (s *streams) report(sum *campaign.Summary, f *campaignFlags) error {
	fmt.Fprintf(s.out, "%d of %s:", sum.Done, plural.N(sum.Total, "submission"))
	for _, c := range campaign.Categories {
		if n := sum.Counts[c]; n > 0 {
			fmt.Fprintf(s.out, "  %d %s", n, c)
		}
	}
	fmt.Fprintln(s.out)
	if sum.FixedPct > 0 {
		fmt.Fprintf(s.out, "%.0f%% of the wrong submissions are fixed, not counting those that are hardly begun\n", sum.FixedPct)
	}
	if why := sum.Spaced(); why != "" {
		fmt.Fprintf(s.out, "white space at the ends of lines and outputs does not count, since %s; --space exact counts it\n", why)
	}
	for _, d := range sum.Divisions {
		fmt.Fprintf(s.out, "the tests do not say what is right on %s; submissions that meet them differ:\n", d.Input)
		for i := range d.Groups {
			fmt.Fprintf(s.out, "     %s  (%s)\n", d.Groups[i].String(), names(d.Groups[i].Names))
		}
	}
	if len(sum.Divisions) > 0 {
		fmt.Fprintln(s.out, "add such an input to the tests, with what is right, or give --reference; then run again")
	}
	for _, c := range sum.Clusters {
		what := c.Example
		if c.Name != "" {
			what = strings.TrimSuffix(c.Name+": "+what, ": ")
		}
		fmt.Fprintf(s.out, "%3d  %s  (%s)\n", len(c.Names), what, names(c.Names))
	}
	for _, o := range sum.Outcomes {
		if o.Why != "" {
			fmt.Fprintf(s.out, "     %s: %s: %s\n", o.Name, o.Category, o.Why)
		}
	}
	if f.output != "" {
		b, err := json.MarshalIndent(sum, "", "  ")
		if err != nil {
			return err
		}
		if err := saveFile(f.output, append(b, '\n')); err != nil {
			return err
		}
	}
	if err := handBack(sum, f); err != nil {
		return err
	}
	if f.html != "" {
		b, err := sum.HTML()
		if err != nil {
			return err
		}
		if err := saveFile(f.html, b); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "the report is in %s\n", f.html)
	}
	return nil
}

// unjudged returns the error of a run in which jobs failed; nil if none did.
func unjudged(sum *campaign.Summary) error {
	n := sum.Counts[campaign.NotJudged]
	if n == 0 {
		return nil
	}
	return &exitError{exitOutside, fmt.Sprintf("%d of %s could not be judged; the same command tries them again", n, plural.N(sum.Total, "submission"))}
}

// handBack writes the table for the gradebook and the feedback for each student.
func handBack(sum *campaign.Summary, f *campaignFlags) error {
	if f.csv != "" {
		b, err := sum.CSV()
		if err != nil {
			return err
		}
		if err := saveFile(f.csv, b); err != nil {
			return err
		}
	}
	if f.feedback == "" {
		return nil
	}
	for _, o := range sum.Outcomes {
		path := filepath.Join(f.feedback, filepath.Clean("/"+o.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return &exitError{exitOutside, err.Error()}
		}
		page, err := o.FeedbackPage(f.tell)
		if err != nil {
			return err
		}
		for ext, text := range map[string][]byte{".md": []byte(o.Feedback(f.tell)), ".html": page} {
			if err := saveFile(path+ext, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// registerReport registers the flags that name the files of a report.
func (f *campaignFlags) registerReport(c *cobra.Command) {
	c.Flags().StringVar(&f.output, "output", "", "`FILE`: write the report as JSON")
	c.Flags().StringVar(&f.html, "html", "", "`FILE`: write the report as an HTML page")
	c.Flags().StringVar(&f.csv, "csv", "", "`FILE`: write a table for the gradebook, as CSV")
	c.Flags().StringVar(&f.feedback, "feedback", "", "`DIR`: write a Markdown text and a page for each student")
	c.Flags().StringVar(&f.stages, "stages", "where,why,what", "`LIST`: stages of the feedback: where to look, why it is wrong, what would be right (the patch)")
}

// mostNamed bounds the submissions of a cluster that the terminal names; the page has all.
const mostNamed = 6

func names(list []string) string {
	out := ""
	for i, n := range list {
		if i == mostNamed {
			return fmt.Sprintf("%s and %d more", out, len(list)-i)
		}
		if i > 0 {
			out += ", "
		}
		out += n
	}
	return out
}

func (s *streams) campaignStatus() *cobra.Command {
	var f campaignFlags
	c := &cobra.Command{
		Use:     "status FOLDER",
		Short:   "say how far a campaign is",
		Long:    "Says how many submissions of a campaign are judged, and with which results.\nOptions that are not given are those of the last gulo campaign run.",
		Example: "  gulo campaign status submissions/ --nats nats://host:4222",
		RunE: func(c *cobra.Command, args []string) error {
			jobs, q, err := f.open(c.Context(), c, args, true)
			if err != nil {
				return err
			}
			defer q.Close()
			sum, err := f.collect(c.Context(), q, jobs)
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "%d of %s %s done\n", sum.Done, plural.N(sum.Total, "submission"), plural.Verb(sum.Done, "is", "are"))
			for _, k := range campaign.Categories {
				if n := sum.Counts[k]; n > 0 {
					fmt.Fprintf(s.out, "  %4d %s\n", n, k)
				}
			}
			return nil
		},
	}
	f.register(c)
	return c
}

func (s *streams) campaignReport() *cobra.Command {
	var f campaignFlags
	c := &cobra.Command{
		Use:     "report FOLDER",
		Short:   "write the report of a campaign, finished or not",
		Long:    "Writes the report of a campaign from the submissions judged so far. Options\nthat are not given are those of the last gulo campaign run.",
		Example: "  gulo campaign report submissions/ --html report.html --output report.json",
		RunE: func(c *cobra.Command, args []string) error {
			jobs, q, err := f.open(c.Context(), c, args, true)
			if err != nil {
				return err
			}
			defer q.Close()
			sum, err := f.collect(c.Context(), q, jobs)
			if err != nil {
				return err
			}
			return s.report(sum, &f)
		},
	}
	f.register(c)
	f.registerReport(c)
	return c
}

func (s *streams) workerCommand() *cobra.Command {
	var url, name string
	var n int
	c := &cobra.Command{
		Use:   "worker [flags] --nats URL",
		Short: "take jobs from the queue of a campaign and do them here",
		Long: `Takes jobs from the queue of a NATS server and does them, each in a process of
its own with limits, until it is stopped. If a worker dies, another does its
job. The jobs are those of gulo campaign, and with --name gate those of gulo
bench gate.`,
		Example: `  gulo worker --nats nats://host:4222 --workers 8`,
		RunE: func(c *cobra.Command, args []string) error {
			if url == "" {
				return &exitError{exitUsage, "worker wants --nats URL; campaign run works by itself without one"}
			}
			q, err := campaign.Open(c.Context(), url, "", name)
			if err != nil {
				return &exitError{exitOutside, err.Error()}
			}
			defer q.Close()
			self, err := os.Executable()
			if err != nil {
				return err
			}
			errs := make(chan error, n)
			for i := 0; i < max(n, 1); i++ {
				process.Go(func() {
					errs <- q.Work(c.Context(), handler([]string{self, "job"}), campaign.FailedOutcome, false)
				})
			}
			for i := 0; i < max(n, 1); i++ {
				if err := <-errs; err != nil {
					return &exitError{exitOutside, err.Error()}
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&url, "nats", "", "`URL`: the NATS server")
	c.Flags().StringVar(&name, "name", "class", "name of the campaign")
	c.Flags().IntVar(&n, "workers", runtime.GOMAXPROCS(0), "jobs at a time")
	return c
}

// handler does the jobs of campaigns and of gulo bench gate.
func handler(self []string) campaign.Handler {
	submissions, programs := campaign.Handle(self), gate.Handle(self)
	return func(ctx context.Context, id string, job []byte) ([]byte, error) {
		if gate.IsJob(job) {
			return programs(ctx, id, job)
		}
		return submissions(ctx, id, job)
	}
}

// jobCommand does one job of a campaign; workers start it as a process.
func (s *streams) jobCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "job",
		Short:  "do one job of a campaign, given on standard input",
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			b, err := io.ReadAll(s.in)
			if err != nil {
				return err
			}
			do := campaign.Do
			if gate.IsJob(b) {
				do = func(ctx context.Context, job []byte) ([]byte, error) { return gate.Do(ctx, job, wholeRuns) }
			}
			out, err := do(c.Context(), b)
			if errors.Is(err, context.Canceled) {
				return &exitError{code: exitOutside}
			}
			if err != nil {
				return err
			}
			_, err = s.out.Write(out)
			return err
		},
	}
}
