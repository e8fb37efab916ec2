package outside

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"gulo/internal/process"
)

// This file runs gulo and judges its answers.

// Modes are the ways to use gulo, in the order of the tables. The specification is a reference and one failing run, or
// eight runs as tests. The reference is reference.c if it exists, else right.c. In the mode reference-tests the failing
// run is given as a folder of one test, with its expected output. In contract and assertions the author of the faulty
// function specifies it, and the failing run is given.
var Modes = []string{"reference", "tests", "locate", "locate-reference", referenceTests, byContract, byAssertions}

const referenceTests = "reference-tests"

// usual are the modes measured by default.
var usual = slices.DeleteFunc(slices.Clone(Modes), func(m string) bool { return m == referenceTests || m == byContract || m == byAssertions })

// The classes of an answer, in the order of the totals.
const (
	Right   = "right"   // nothing refutes the first repair shown
	Leaking = "leaks"   // like right, but it loses memory
	Wrong   = "wrong"   // a hidden input refutes it, or gulo says that nothing is wrong
	Unsaid  = "unsaid"  // a hidden input refutes it, but it meets the specification given
	None    = "none"    // gulo says that there is no repair
	Unknown = "unknown" // with its cause
	Time    = "time"    // limit
	Refused = "refused" // exit status 2, with a reason
	Crash   = "crash"
	NoInput = "no input" // gulo says that no inputs can be made
	Ranked  = "ranked"   // locate
)

var classes = []string{Right, Leaking, Wrong, Unsaid, None, Unknown, Time, Refused, NoInput, Crash}

// Options say what is measured.
type Options struct {
	Set      *Set          // nil: the sixty
	Modes    []string      // nil: all but reference-tests, contract and assertions
	Programs []string      // nil: all
	Limit    time.Duration // of one search, as --limit; 0 means 20 s, the default of gulo fix
	Hidden   int           // number of hidden inputs; 0 means 220
	Seed     int64         // of the hidden inputs
	Workers  int
	Gulo     []string // the command
	Progress func(done, all int)

	// Processors are the numbers of processors that gulo may use, each measured by itself. None exceeds the function
	// Processors. nil: all, not compared.
	Processors []int
}

// A gulo is killed after grace times its limit and graceTime.
const (
	grace      = 3
	graceTime  = 10 * time.Second
	hiddenRuns = 220
	leakRuns   = 40 // hidden inputs on which leaks are looked for, which takes longer
)

// Answer is gulo's answer for a program.
type Answer struct {
	Program string  `json:"program"`
	Double  bool    `json:"double,omitempty"`
	Mode    string  `json:"mode"`
	Class   string  `json:"class"`
	Why     string  `json:"why,omitempty"`    // the cause, what refutes the repair, or gulo's last words
	Shown   string  `json:"shown,omitempty"`  // the edits
	Trust   string  `json:"trust,omitempty"`  // the evidence in gulo's words
	Hidden  int     `json:"hidden,omitempty"` // number of inputs on which the repair was run
	Rank    float64 `json:"rank,omitempty"`   // the best rank of a faulty line; 0: not listed
	Lines   int     `json:"lines,omitempty"`  // number of lines with code
	Millis  float64 `json:"ms"`
	CPU     float64 `json:"cpu_ms"` // of gulo and its children: less than ms on a busy machine
	Memory  int64   `json:"memory"` // greatest resident memory of gulo in KiB
	Exit    int     `json:"exit"`

	Processors int `json:"processors,omitempty"` // that gulo was allowed to use; 0: all
}

// fixed is the part of gulo fix --format json that is read.
type fixed struct {
	Result, Cause, Example string
	Repairs                []struct {
		Edits []struct {
			Line                int
			Before, After, What string
		}
		Evidence struct{ Text string }
	}
}

// located is the part of gulo locate --format json that is read.
type located struct {
	Ranking []struct {
		Line  int
		Score float64
	}
}

// Measure runs gulo on the programs in the modes.
func Measure(ctx context.Context, o *Options) ([]Answer, error) {
	names, modes, programs := o.Programs, o.Modes, o.Set
	if programs == nil {
		programs = Sixty()
	}
	if len(names) == 0 {
		var err error
		if names, err = programs.Names(); err != nil {
			return nil, err
		}
	}
	if len(modes) == 0 {
		modes = usual
	}
	for _, m := range modes {
		if !slices.Contains(Modes, m) {
			return nil, fmt.Errorf("there is no mode %q; there are %s", m, strings.Join(Modes, ", "))
		}
	}
	dir, err := process.TempDir("gulo-outside-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	counts := o.Processors
	if len(counts) == 0 {
		counts = []int{0}
	}
	out := make([]Answer, len(modes)*len(counts)*len(names))
	var mu sync.Mutex
	done := 0
	err = process.Parallel(ctx, o.Workers, len(names), func(ctx context.Context, i int) error {
		s, err := o.lay(programs, filepath.Join(dir, names[i]), names[i])
		if err != nil {
			return err
		}
		for k := range len(modes) * len(counts) {
			a, err := s.ask(ctx, modes[k/len(counts)], counts[k%len(counts)])
			if err != nil {
				return fmt.Errorf("%s: %w", names[i], err)
			}
			out[k*len(names)+i] = *a
			mu.Lock()
			done++
			if o.Progress != nil {
				o.Progress(done, len(out))
			}
			mu.Unlock()
		}
		return os.RemoveAll(s.dir)
	})
	return out, err
}

// subject is a program written to a folder.
type subject struct {
	*Program
	o      *Options
	dir    string
	hidden []Run // with expected output; made when the first repair is judged
}

// lay opens a program and writes it to a new folder.
func (o *Options) lay(programs *Set, dir, name string) (*subject, error) {
	p, err := programs.Open(name)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	return &subject{Program: p, o: o, dir: dir}, p.Write(dir)
}

func (s *subject) file(name string) string { return filepath.Join(s.dir, name) }

// arguments returns gulo's arguments in a mode; last come the program and the arguments of its run.
func (s *subject) arguments(mode string) []string {
	args := []string{"fix", "--format", "json", "--limit", s.limit().String(), "--rewrite", "fixed.c"}
	if strings.HasPrefix(mode, "locate") {
		args = []string{"locate", "--format", "json", "--limit", s.limit().String()}
	}
	if mode == "tests" || mode == "locate" {
		return append(args, "--tests", "tests", "faulty.c")
	}
	reference := "right.c"
	if s.Reference != "" {
		reference = "reference.c"
	}
	args = append(args, "--reference", reference)
	if mode == referenceTests {
		return append(args, "--tests", "failing", "faulty.c")
	}
	return append(args, s.failing("faulty.c")...)
}

// limit returns the time limit of one search.
func (s *subject) limit() time.Duration {
	if s.o.Limit == 0 {
		return 20 * time.Second
	}
	return s.o.Limit
}

// failing returns the last arguments: the program and its failing run.
func (s *subject) failing(program string) (args []string) {
	run := s.Test(s.Failing)
	if run.Stdin != "" {
		args = append(args, "--stdin", "tests/"+s.Failing+".in")
	}
	args = append(args, program)
	if len(run.Args) > 0 {
		args = append(append(args, "--"), run.Args...)
	}
	return args
}

// ask runs gulo as a user would, in the folder of the program, on a number of processors.
func (s *subject) ask(ctx context.Context, mode string, processors int) (*Answer, error) {
	if mode == byContract || mode == byAssertions {
		return s.bySaid(ctx, mode, processors)
	}
	return s.run(ctx, mode, processors, s.arguments(mode), func(a *Answer, doc []byte) error {
		if strings.HasPrefix(mode, "locate") {
			return s.ranked(a, doc)
		}
		return s.judge(ctx, a, doc)
	})
}

// run runs gulo with arguments, and passes its answer to read.
func (s *subject) run(ctx context.Context, mode string, processors int, args []string, read func(*Answer, []byte) error) (*Answer, error) {
	a := &Answer{Program: s.Name, Double: s.Double, Mode: mode, Processors: processors}
	limit := grace*s.o.Limit + graceTime
	if s.o.Limit == 0 {
		limit = time.Minute + graceTime
	}
	u, err := process.Measure(ctx, limit, func(c *exec.Cmd) error {
		c.Dir = s.dir
		return startOn(processors, c)
	}, s.o.Gulo[0], append(slices.Clone(s.o.Gulo[1:]), args...)...)
	if err != nil {
		return nil, err
	}
	a.Millis, a.CPU, a.Memory, a.Exit = u.Millis, u.CPU, u.Memory, u.Exit
	said := firstLine(string(u.Errs))
	switch {
	case u.Late:
		a.Class, a.Why = Time, fmt.Sprintf("still at work after %v", limit)
	case a.Exit == 70 || a.Exit < 0 || strings.HasPrefix(said, "panic: ") || strings.HasPrefix(said, "fatal error: "):
		a.Class, a.Why = Crash, crashed(string(u.Errs))
	case a.Exit == 2 || len(u.Out) == 0:
		a.Class, a.Why = Refused, said
	default:
		err = read(a, u.Out)
	}
	if strings.Contains(a.Why, "no inputs can be made") {
		a.Class = NoInput
	}
	return a, err
}

// crashed returns the message of a panic and the first place in gulo's own code.
func crashed(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	why := lines[0]
	past := strings.HasPrefix(why, "panic: ") || strings.HasPrefix(why, "fatal error: ")
	if !past && len(lines) > 1 {
		why = lines[1]
	}
	for _, l := range lines {
		past = past || strings.HasPrefix(l, "panic(")
		if i := strings.Index(l, "/internal/"); past && i >= 0 {
			return why + " at " + strings.Fields(l[i+1:])[0]
		}
	}
	return why
}

// judge classifies an answer of gulo fix.
func (s *subject) judge(ctx context.Context, a *Answer, doc []byte) error {
	if repaired, err := a.fixed(doc); err != nil || !repaired {
		return err
	}
	return s.refute(ctx, a)
}

// fixed reads an answer of gulo fix. Without a repair it sets the class.
func (a *Answer) fixed(doc []byte) (repaired bool, err error) {
	var d fixed
	if err := json.Unmarshal(doc, &d); err != nil {
		return false, fmt.Errorf("gulo fix: %w", err)
	}
	if d.Result != "repaired" {
		a.Why = d.Cause
		switch d.Result {
		case "right":
			a.Class, a.Why = Wrong, "it says that there is nothing to repair"
		case "none":
			a.Class = None
		default:
			a.Class = Unknown
			if strings.Contains(d.Cause, "time") {
				a.Class = Time
			}
		}
		return false, nil
	}
	if len(d.Repairs) == 0 {
		return false, fmt.Errorf("gulo fix: repaired, and no repair is shown")
	}
	var edits []string
	for _, e := range d.Repairs[0].Edits {
		edits = append(edits, strings.Join(strings.Fields(fmt.Sprintf("%d: %s => %s", e.Line, e.Before, e.After)), " "))
	}
	a.Shown, a.Trust = strings.Join(edits, "; "), d.Repairs[0].Evidence.Text
	return true, nil
}

// refute runs the repair on the hidden inputs.
func (s *subject) refute(ctx context.Context, a *Answer) error {
	if s.hidden == nil {
		n := s.o.Hidden
		if n == 0 {
			n = hiddenRuns
		}
		s.hidden = s.Inputs.Runs(n, s.o.Seed, s.Tests)
		if _, err := Compile(ctx, s.file("right"), s.file("right.c"), "-O1", "-w"); err != nil {
			return err
		}
		if err := Expected(ctx, s.file("right"), s.hidden); err != nil {
			return err
		}
	}
	a.Class, a.Hidden = Right, len(s.hidden)
	if _, err := Compile(ctx, s.file("fixed"), s.file("fixed.c"), append(Sanitized, "-w")...); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.Class, a.Why = Wrong, err.Error()
		return nil
	}
	by, how, err := Refute(ctx, s.file("fixed"), append(slices.Clone(s.Tests), s.hidden...))
	if err != nil {
		return err
	}
	if by != nil {
		which := "hidden input"
		if by.Name != "" {
			which = "test " + by.Name + ","
		}
		a.Class, a.Why = Wrong, fmt.Sprintf("%s %s: %s", which, by, how)
		return nil
	}
	by, err = Leaks(ctx, s.file("fixed"), append(slices.Clone(s.Tests), s.hidden[:min(leakRuns, len(s.hidden))]...))
	if by != nil {
		a.Class, a.Why = Leaking, fmt.Sprintf("memory is lost on %s", by)
	}
	return err
}

// ranked sets the rank of the best faulty line. A line has the score of its best statement; lines of equal score have
// the average of their ranks.
func (s *subject) ranked(a *Answer, doc []byte) error {
	var d located
	if err := json.Unmarshal(doc, &d); err != nil {
		return fmt.Errorf("gulo locate: %w", err)
	}
	a.Class, a.Lines = Ranked, CodeLines(s.Faulty)
	best := map[int]float64{}
	for _, r := range d.Ranking {
		if old, ok := best[r.Line]; !ok || r.Score > old {
			best[r.Line] = r.Score
		}
	}
	for line, score := range best {
		if !slices.ContainsFunc(s.Faults, func(f Fault) bool { return f.Covers(line) }) {
			continue
		}
		above, same := 0, 0
		for _, other := range best {
			if other > score {
				above++
			} else if other == score {
				same++
			}
		}
		if rank := float64(above) + float64(same+1)/2; a.Rank == 0 || rank < a.Rank {
			a.Rank = rank
		}
	}
	return nil
}
