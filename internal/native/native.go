// Package native compiles C programs with gcc and runs them. A Binary runs as it is, in a process for each run. A
// Program runs many times and fast: it is compiled together with a harness whose child process calls main again and
// again and restores all memory before each call (20,000 runs a second and more). If a program does something that
// this cannot undo, each run costs a fork.
//
// Everything runs in package sandbox, whatever the program is. Runs have limits of time and, where the program was
// prepared for it, of steps, which are the same on a busy machine.
//
// Not supported: programs whose main is a macro, or that look at /proc/self/exe.
package native

import (
	"bytes"
	"context"
	"fmt"
	"gulo/internal/plural"
	"gulo/internal/timing"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// Statuses of runs that did not end by themselves; 256 and more is 256 plus a signal.
const (
	Steps     = 85  // more steps than allowed
	Sanitizer = 86  // a sanitizer stopped it
	Signal    = 256 // plus the number
)

// Test is one run and, unless only its outcome is asked for, what is expected of it.
type Test struct {
	Args   []string
	Stdin  string
	Stdout string
	Exit   int
	Judged bool // white space at the ends of lines and of Stdout does not count (source.Judged); outcomes come without it
	Any    bool // any run that ends by itself and whose output begins with Stdout meets the test
	Blocks int  // on a heap that guards: one more than may be left at the end; 0: any number
}

// Met reports whether a run does what is expected of a test.
func (t *Test) Met(o *Outcome) bool {
	if t.Any {
		return o.Ended() && strings.HasPrefix(o.Stdout, t.Stdout)
	}
	return o.Status == t.Exit && o.Stdout == t.Stdout
}

// Outcome is what became of a run.
type Outcome struct {
	Status int
	Stdout string
	Stderr string // its beginning
	Steps  int64  // if the program counts them and came to its end
}

// Ended reports whether the program came to an end by itself.
func (o *Outcome) Ended() bool {
	return o.Status < Signal && o.Status != Steps && o.Status != Sanitizer
}

// Endless reports whether the program was ended because it took too long or printed too much.
func (o *Outcome) Endless() bool {
	switch o.Status {
	case Steps, Signal + int(syscall.SIGALRM), Signal + int(syscall.SIGPROF), Signal + int(syscall.SIGXCPU), Signal + int(syscall.SIGXFSZ):
		return true
	}
	return false
}

// DividedByZero reports whether a division of integers by zero ended the program.
func (o *Outcome) DividedByZero() bool {
	return o.undefined() == "division by zero" || o.Status == Signal+int(syscall.SIGFPE)
}

// CutOutcome is what Outcomes answers for a run that took more steps than allowed (harness.c, hash).
const CutOutcome = uint64((14695981039346656037 ^ Steps) * 1099511628211 % (1 << 64))

// Overflowed reports whether the sanitizer ended the program because a computation on signed integers left their
// range.
func (o *Outcome) Overflowed() bool {
	what := o.undefined()
	return strings.HasPrefix(what, "signed integer overflow") || strings.Contains(what, "cannot be represented in type")
}

// undefinedAt is a report of the sanitizer for undefined behaviour, with its place.
var undefinedAt = regexp.MustCompile(`(?m)^[^\s:][^:\n]*:\d+:\d+: runtime error: (.*)$`)

// undefined returns what the sanitizer for undefined behaviour ended a run for; "" if it did not. The last report
// counts: it comes behind all that the program itself has written, which may look the same.
func (o *Outcome) undefined() string {
	if o.Status != Sanitizer {
		return ""
	}
	list := undefinedAt.FindAllStringSubmatch(o.Stderr, -1)
	if len(list) == 0 || strings.Contains(o.Stderr, "ERROR: AddressSanitizer: ") {
		return ""
	}
	return list[len(list)-1][1]
}

// Says says in words how a run ended.
func (o *Outcome) Says() string {
	switch {
	case o.Endless() && o.Status != Signal+int(syscall.SIGXFSZ):
		return "does not come to an end"
	case o.Status == Sanitizer:
		return "is stopped by a sanitizer: " + firstError(o.Stderr)
	case o.Status >= Signal:
		return "is ended by a signal: " + syscall.Signal(o.Status-Signal).String()
	}
	return fmt.Sprintf("exits with %d", o.Status)
}

// firstError returns the line of a sanitizer's report that says what is wrong.
func firstError(s string) string {
	for _, l := range strings.Split(s, "\n") {
		if _, after, ok := strings.Cut(l, "runtime error: "); ok {
			return after
		}
		if _, after, ok := strings.Cut(l, "AddressSanitizer: "); ok {
			return after
		}
	}
	return strings.TrimSpace(strings.SplitN(s, "\n", 2)[0])
}

// Program is a compiled program.
type Program struct {
	dir       string
	sanitized bool
	screens   bool     // tcc made it
	given     string   // the commands that say which files it finds
	fits      sync.Map // by the first tests of a session: those on which one process was found to do many runs as it should
}

// Screens reports whether tcc made the program: then gcc's has to confirm what it does.
func (p *Program) Screens() bool { return p.screens }

// Config says how to compile.
type Config struct {
	Units    []string       // names of the texts that are compiled, the others are headers; nil: all whose names end in .c
	Options  cfront.Options // how
	Sanitize bool           // with AddressSanitizer and UndefinedBehaviorSanitizer

	// Unset fills with a pattern all variables that have no initial value, where gcc can. So no program that reads one is right by accident.
	Unset bool

	Heap Heap

	// Screens says that the program only tells which of many edited programs are worth a look: tcc makes it, where it
	// can. See tcc.go.
	Screens bool

	// Refuse has gcc refuse a program for these of its warnings, without -W (Unwarned).
	Refuse []string

	// Gate halts gcc while others need the processors; nil: it is never halted.
	Gate *Gate
}

// Heap is the kind of heap that a program allocates from.
type Heap uint8

// Heaps. See harness/guard.c.
const (
	Plain    Heap = iota // the library's
	Guarding             // errors of memory end a run with Sanitizer
)

// Build compiles source texts, by file name, as if they stood where the files do (mirror.go). If Begin began the same
// compilation, Build waits for that. The caller closes the program.
func Build(ctx context.Context, texts map[string]string, c Config) (*Program, error) {
	if p, err, ok := taken(ctx, texts, c); ok {
		return p, err
	}
	budget.Spend(ctx, c.work(texts))
	return compile(ctx, texts, c)
}

// work returns what a compilation counts as in the budget, no matter who does it and when.
func (c *Config) work(texts map[string]string) int64 {
	n := 0
	for _, t := range texts {
		n += len(t)
	}
	switch {
	case c.Screens:
		return budget.Process + int64(n)*budget.Byte/fasterScreens
	case c.Sanitize:
		return budget.Compile + int64(n)*budget.Byte*slowerChecked
	}
	return budget.Compile + int64(n)*budget.Byte
}

// How much faster than gcc tcc is, and how much longer gcc takes with sanitizers.
const (
	fasterScreens = 20
	slowerChecked = 3
)

// compile compiles source texts.
func compile(ctx context.Context, texts map[string]string, c Config) (*Program, error) {
	dir, err := process.TempDir("gulo-native")
	if err != nil {
		return nil, err
	}
	p := &Program{dir: dir, sanitized: c.Sanitize, given: commands(c.Options.Work)}
	if err := p.build(ctx, texts, c); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close removes the program.
func (p *Program) Close() { os.RemoveAll(p.dir) }

func (p *Program) build(ctx context.Context, texts map[string]string, c Config) error {
	if err := os.Chmod(p.dir, 0o755); err != nil { // the program becomes another user
		return err
	}
	write := func(name, text string) error {
		return os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644)
	}
	object, err := harnesses.get(ctx, c.Sanitize)
	if err != nil {
		return err
	}
	if err := write("gulo_harness.o", string(object)); err != nil {
		return err
	}
	m, err := NewMirror(filepath.Join(p.dir, "at"), c.units(texts), c.Options, texts)
	if err != nil {
		return err
	}
	names := apart(m.Files)
	out := &compilation{
		files: m.Files, opt: m.Options, objects: p.dir, fast: true, names: names,
		flags: slices.Concat(linker(ctx), []string{"-O0", "-pipe", "-fno-builtin-exit", "-fmacro-prefix-map=" + m.root + "="}, names),
		link:  []string{"-Wl,--wrap=main", filepath.Join(p.dir, "gulo_harness.o"), "-pthread", "-o", filepath.Join(p.dir, "program")},
	}
	if len(c.Refuse) > 0 {
		out.own = refusing(c.Refuse)
	} else {
		out.flags = append(out.flags, "-w")
	}
	if c.Sanitize {
		out.own = append(append(out.own, "-g"), sanitizers...)
	} else {
		out.link = append(out.link, "-Wl,-z,now") // what a run resolves is undone behind it
		for _, f := range wrapped {
			out.link = append(out.link, "-Wl,--wrap="+f)
		}
	}
	if c.Unset && ask(ctx).pattern {
		out.own = append(out.own, patternFlag)
	}
	if c.Heap != Plain {
		if err := write("gulo_guard.c", guard); err != nil {
			return err
		}
		out.link = append(out.link, filepath.Join(p.dir, "gulo_guard.c"))
		for _, f := range guarded {
			out.link = append(out.link, "-Wl,--wrap="+f)
		}
	}
	gcc := m.naming(func(ctx context.Context, dir string, args ...string) error { return gated(ctx, c.Gate, dir, args...) })
	if c.Screens && !c.Sanitize && m.portable() {
		if objects := out.screened(ctx); objects != nil && out.linked(ctx, gcc, objects) == nil {
			p.screens = true
			return nil
		}
	}
	err = out.run(ctx, gcc)
	if no, ok := err.(*CompileError); ok && strings.Contains(no.Text, noPattern) {
		out.own = slices.DeleteFunc(out.own, func(a string) bool { return a == patternFlag })
		return out.run(ctx, gcc)
	}
	return err
}

// units are the texts that are compiled.
func (c *Config) units(texts map[string]string) []string {
	if c.Units != nil {
		return c.Units
	}
	return slices.DeleteFunc(sortedKeys(texts), func(name string) bool { return !strings.HasSuffix(name, ".c") })
}

// noPattern is what gcc says where it cannot fill a variable: a struct whose size is computed.
const noPattern = "sorry, unimplemented: __builtin_clear_padding"

// Session holds the commands for one process of a program.
type Session struct {
	in    bytes.Buffer
	tests int
	first int // length of in with the first tests
	asked int
	nice  int
}

// compared is the most of a session's first tests that the harness runs both ways, with and without a process for
// each run, before it does many runs in one process (jobs.c, MOST_TRIED).
const compared = 15

// Yield has the runs use only the processor time that others leave.
func (s *Session) Yield() { s.nice = yielding }

// yielding is the niceness of what is run ahead of need.
const yielding = 10

// Limit bounds every run: time, and steps where the program counts them.
func (s *Session) Limit(t time.Duration, steps int64) {
	fmt.Fprintf(&s.in, "usec %d\n", t.Microseconds())
	if steps > 0 {
		fmt.Fprintf(&s.in, "steps %d\n", steps)
	}
}

// Add adds a test and returns its number.
func (s *Session) Add(t *Test) int {
	exit := t.Exit
	if t.Any {
		exit = -1
	}
	judged := 0
	if t.Judged {
		judged = 1
	}
	fmt.Fprintf(&s.in, "test %d %d %d %d %d %d\n", len(t.Args), len(t.Stdin), len(t.Stdout), exit, t.Blocks-1, judged)
	for _, a := range t.Args {
		fmt.Fprintf(&s.in, "%d\n%s", len(a), a)
	}
	s.in.WriteString(t.Stdin)
	s.in.WriteString(t.Stdout)
	if s.tests++; s.tests <= compared {
		s.first = s.in.Len()
	}
	return s.tests - 1
}

// Sites says for each edit, from 1, the number of its place. By these numbers the program marks what it executes; an
// edit whose place a run does not execute need not be run.
func (s *Session) Sites(of []int) {
	fmt.Fprintf(&s.in, "sites %d\n", len(of))
	for _, n := range of {
		fmt.Fprintf(&s.in, "%d\n", n)
	}
}

// Order says which tests are asked for from now on, and in which order.
func (s *Session) Order(tests []int) {
	fmt.Fprintf(&s.in, "order %d\n", len(tests))
	for _, n := range tests {
		fmt.Fprintf(&s.in, "%d\n", n)
	}
}

// Base says that many edits will be asked for together with g.
func (s *Session) Base(g int) { fmt.Fprintf(&s.in, "base %d\n", g) }

// Print asks for the outcome of a test.
func (s *Session) Print(n int) { s.asked++; fmt.Fprintf(&s.in, "print %d\n", n) }

// PrintAll adds tests and asks for the outcome of each. It adds all of them first: runs that follow each other are
// made in one process where that is possible, and a new test in between would end it.
func (s *Session) PrintAll(tests []Test) {
	first := s.tests
	for i := range tests {
		s.Add(&tests[i])
	}
	for i := range tests {
		s.Print(first + i)
	}
}

// Show asks for the outcome of a test with the edits g and h (0 for none).
func (s *Session) Show(g, h, n int) { s.asked++; fmt.Fprintf(&s.in, "show %d %d %d\n", g, h, n) }

// Screen asks for the first test that a program with the edits g and h (0 for none) does not meet.
func (s *Session) Screen(g, h int) { s.asked++; fmt.Fprintf(&s.in, "screen %d %d\n", g, h) }

// Profile asks which tests the program meets with the edits g and h (0 for none).
func (s *Session) Profile(g, h int) { s.asked++; fmt.Fprintf(&s.in, "profile %d %d\n", g, h) }

// Reach asks which places the tests execute with the edits g and h. Precondition: Sites was called.
func (s *Session) Reach(g, h int) { s.asked++; fmt.Fprintf(&s.in, "reach %d %d\n", g, h) }

// Outcomes asks for a hash of the outcome of each test, without edits.
func (s *Session) Outcomes() { s.in.WriteString("outcomes\n") }

// Screened is an answer to Screen.
type Screened struct {
	G, H    int
	Failing int    // the first test that is not met, counted in the order asked for; the number of tests for none
	First   uint64 // hash of the outcome of the first test
}

// Profiled is an answer to Profile.
type Profiled struct {
	G, H int
	Met  []bool // in the order asked for
	All  uint64 // hash of the outcomes of all tests
}

// Reached is an answer to Reach.
type Reached struct {
	G, H   int
	Places []bool // by the number of a place: whether one of the tests executes it
}

// Answers are the answers to the commands of a session; if the time was up, those that came before.
type Answers struct {
	Printed  []Outcome // in the order asked for
	Screened []Screened
	Profiled []Profiled
	Reached  []Reached
	Outcomes []uint64 // of each test; equal ones mean the same output and status
	Cut      bool     // the time was up

	fit         bool  // one process may do many runs of the tests
	runs, steps int64 // runs that were made, and their steps where the program counts them
}

// StoppedError says that the process that runs a program many times was stopped. It says nothing about the program,
// whose runs are children of that process.
type StoppedError struct{ How string }

func (e *StoppedError) Error() string {
	return "the native runs were stopped: " + e.How + "; try again with more memory or processes (ulimit -v, ulimit -u)"
}

// Outside reports that the cause lies outside of the program.
func (e *StoppedError) Outside() bool { return true }

// Run runs the commands of a session until limit. In a search that is time of the search, which goes by the work that
// the runs do, and at least one command is answered; elsewhere it is time by the clock.
func (p *Program) Run(ctx context.Context, s *Session, limit time.Duration) (*Answers, error) {
	l := sandbox.Limits{Time: budget.Guard(ctx, limit), Processes: 16, Output: 256 << 20, FileSize: 64 << 20, Nice: s.nice, Weak: true}
	if p.sanitized {
		l.Memory = 1 << 46 // of addresses; the sanitizer bounds what is used
	}
	box, err := os.MkdirTemp(p.dir, "box")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(box)
	if err := os.Chmod(box, 0o755); err != nil {
		return nil, err
	}
	span := timing.Begin(ctx, "native runs")
	in := s.in.String()
	first := in[:s.first]
	if _, ok := p.fits.Load(first); ok {
		in = "fit\n" + in
	}
	if budget.Counted(ctx) {
		in = fmt.Sprintf("work %d %d %d\n", budget.Of(max(limit, 0)), budget.Quick, budget.Round) + in
	}
	r, err := sandbox.Run(ctx, l, box, p.given+in, filepath.Join(p.dir, "program"))
	if err != nil {
		return nil, err
	}
	span.Took(r.CPU)
	span.End("of %s, %s", plural.N(s.tests, "test"), plural.N(s.asked, "command"))
	a := &Answers{Cut: r.Stopped == "time"}
	if r.Stopped != "" && !a.Cut || r.Stopped == "" && r.Status != 0 {
		return nil, &StoppedError{strings.TrimSpace(r.Stopped + " " + strings.TrimSpace(r.Stderr))}
	}
	err = a.read(r.Stdout)
	budget.Spend(ctx, budget.Process+a.runs*budget.Quick+a.steps*budget.Round)
	if a.fit {
		p.fits.Store(first, true)
	}
	return a, err
}

// read parses answers. It ignores a last answer that is not complete.
func (a *Answers) read(s string) error {
	for s != "" {
		line, rest, ok := strings.Cut(s, "\n")
		if !ok {
			return nil
		}
		f := strings.Fields(line)
		num := func(i int) int { n, _ := strconv.Atoi(f[i]); return n }
		switch {
		case len(f) == 6 && f[0] == "r":
			n, m := num(3), num(4)
			if len(rest) < n+m+1 {
				return nil
			}
			a.Printed = append(a.Printed, Outcome{Status: num(2), Stdout: rest[:n], Stderr: rest[n : n+m], Steps: int64(num(5))})
			rest = rest[n+m+1:]
		case len(f) == 5 && f[0] == "s":
			h, _ := strconv.ParseUint(f[4], 16, 64)
			a.Screened = append(a.Screened, Screened{num(1), num(2), num(3), h})
		case len(f) == 5 && f[0] == "p":
			h, _ := strconv.ParseUint(f[4], 16, 64)
			pr := Profiled{G: num(1), H: num(2), All: h}
			for _, c := range f[3] {
				pr.Met = append(pr.Met, c == '1')
			}
			a.Profiled = append(a.Profiled, pr)
		case len(f) == 4 && f[0] == "m":
			x := Reached{G: num(1), H: num(2)}
			for _, c := range f[3] {
				x.Places = append(x.Places, c == '1')
			}
			a.Reached = append(a.Reached, x)
		case len(f) > 1 && f[0] == "o" && len(f) == num(1)+2:
			for _, x := range f[2:] {
				h, _ := strconv.ParseUint(x, 16, 64)
				a.Outcomes = append(a.Outcomes, h)
			}
		case len(f) == 3 && f[0] == "w":
			a.runs, a.steps = int64(num(1)), int64(num(2))
		case line == "fit":
			a.fit = true
		case line == "cut":
			a.Cut = true
		default:
			return fmt.Errorf("native: an answer that is none: %q", line)
		}
		s = rest
	}
	return nil
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
