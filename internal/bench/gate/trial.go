package gate

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/process"
	"gulo/internal/sandbox"
	"gulo/internal/session"
	"gulo/internal/source"
)

// This file runs the wrong and the right version on the tests, and decides which tests gulo gets.

// Bounds of one run.
const (
	runTime     = 5 * time.Second  // processor time
	rightTime   = 10 * time.Second // for the right version; rightBlocks usually ends it sooner, unless a library function takes the time
	repairTime  = 30 * time.Second // for a repaired program: running long does not refute it if the right version takes as long
	runGuard    = 5 * time.Minute  // by the clock, for a run that waits
	rightRuns   = 15               // a test on which the right version does something else in one of so many further runs is dropped
	rightBlocks = 500_000_000      // basic blocks: 0.2 s of a tight loop, 0.6 s when counted; a test on which the right version takes more is dropped
)

//go:embed counter/count.c
var counter string

// sanitized are the compiler flags that detect undefined behaviour.
var sanitized = []string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// trial is a job under way.
type trial struct {
	*Job
	dir      string
	rec      *Record
	right    *native.Binary // nil: there is none
	tests    []oracle.Test  // with their expected output
	fails    []bool         // which tests the wrong version fails
	given    int            // number of tests that gulo gets, the first ones
	statuses bool           // exit statuses count on further inputs
	judged   bool           // white space at the ends of lines and outputs does not count
	loose    bool           // the right version differs from a test in such white space
	whole    Whole          // how sessions assert what runs print; nil: they do not

	// In sessions:
	shown []editShown // the edits of all repairs so far
	version
	apart bool // the process in hand goes on without the repair
}

// version is the version of the program that the user debugs.
type version struct {
	hand   []byte
	before int         // number of sessions before it
	edits  []editShown // the edits that it has
	met    []int       // the tests of those sessions that it meets
}

// Whole returns how sessions of a program assert what whole runs print: session.Config.Whole.
type Whole func(files []string, opt cfront.Options) func(context.Context, *session.WholeRuns) (*session.WholeAnswer, error)

// leave says why a program is left out.
type leave struct{ cause, why string }

func (l *leave) Error() string { return l.cause + ": " + l.why }

// measure does a job in a folder of its own.
func (j *Job) measure(ctx context.Context, whole Whole) (*Record, error) {
	dir, err := process.TempDir("gulo-gate-job-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o711); err != nil { // programs run as users of their own
		return nil, err
	}
	t := &trial{Job: j, dir: dir, whole: whole, rec: &Record{Program: j.Program.Name, Mode: j.Mode, Kind: j.Program.Kind, Exercise: j.Program.Exercise}}
	err = t.prepare(ctx)
	if err == nil {
		err = t.ask(ctx)
	}
	var l *leave
	if errors.As(err, &l) {
		t.rec.Class, t.rec.Cause, t.rec.Why, err = LeftOut, l.cause, strings.ReplaceAll(l.why, dir+"/", ""), nil
	}
	t.rec.Why = strings.ReplaceAll(t.rec.Why, dir+"/", "")
	return t.rec, err
}

// file returns the path of a version. Each version has a folder of its own, with the files that both need.
func (t *trial) file(version string) string { return filepath.Join(t.dir, version, version+".c") }

// files returns the paths of the C files of a version.
func (t *trial) files(version string) []string {
	files := []string{t.file(version)}
	for name := range t.Program.More {
		if filepath.Ext(name) == ".c" {
			files = append(files, filepath.Join(t.dir, version, name))
		}
	}
	slices.Sort(files[1:])
	return files
}

// write writes a version and returns its C files.
func (t *trial) write(version string, text []byte) ([]string, error) {
	dir := filepath.Join(t.dir, version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	err := os.WriteFile(t.file(version), text, 0o644)
	for name, text := range t.Program.More {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	return t.files(version), err
}

// build writes and compiles a version. A *native.CompileError means that gcc rejects it.
func (t *trial) build(ctx context.Context, version string, text []byte, flags ...string) (*native.Binary, error) {
	files, err := t.write(version, text)
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(t.dir, fmt.Sprintf("%s%d", version, len(flags)))
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, err
	}
	return native.LinkFiles(ctx, bin, "program", files, cfront.Options{}, flags...)
}

// counted compiles the right version so that it is killed after a number of basic blocks, which does not depend on how
// busy the machine is.
func (t *trial) counted(ctx context.Context, most int) (*native.Binary, error) {
	path := filepath.Join(t.dir, "count.c")
	if err := os.WriteFile(path, []byte(counter), 0o644); err != nil {
		return nil, err
	}
	return t.build(ctx, "counted", t.Program.Right, "-fsanitize-coverage=trace-pc", fmt.Sprintf("-DGULO_BLOCKS=%d", most), path)
}

// run runs a program once, for at most runTime.
func run(ctx context.Context, b *native.Binary, args []string, stdin string) (*native.Process, error) {
	return within(ctx, runTime, b, args, stdin)
}

// within runs a program once, for at most so much processor time.
func within(ctx context.Context, most time.Duration, b *native.Binary, args []string, stdin string) (*native.Process, error) {
	return b.Run(ctx, sandbox.Limits{Time: runGuard, Processor: most, Memory: 1 << 46, Weak: true}, stdin, args...)
}

// differs says how a run differs from a test, or returns "". White space counts as the trial says.
func (t *trial) differs(p *native.Process, test *oracle.Test) string {
	if t.judged && p.Stopped == "" {
		q := *p
		q.Stdout = source.Judged(p.Stdout)
		return q.Differs(source.Judged(test.Stdout), test.Exit)
	}
	return p.Differs(test.Stdout, test.Exit)
}

// same compares outputs; white space counts as the trial says.
func (t *trial) same(a, b string) bool {
	return a == b || t.judged && source.Judged(a) == source.Judged(b)
}

// prepare runs both versions on the tests. White space at the ends of lines and outputs counts only if the wrong
// version differs in nothing else.
func (t *trial) prepare(ctx context.Context) error {
	wrong, err := t.build(ctx, "wrong", t.Program.Wrong)
	if err != nil {
		return refusedBy(err, "wrong.c")
	}
	if t.Program.Right != nil {
		if t.right, err = t.build(ctx, "right", t.Program.Right); err != nil {
			return refusedBy(err, "right.c")
		}
	}
	shown, err := t.expect(ctx)
	if err != nil {
		return err
	}
	var did []*native.Process
	for i := range t.tests {
		p, err := run(ctx, wrong, t.tests[i].Args, t.tests[i].Stdin)
		if err != nil {
			return err
		}
		did = append(did, p)
	}
	for _, t.judged = range []bool{true, false} {
		var tests []oracle.Test
		t.fails = nil
		for i := range t.tests {
			x := &t.tests[i]
			if shown[i] != nil && t.differs(shown[i], x) != "" { // the test expects something else than right.c does
				continue
			}
			t.loose = t.loose || t.judged && shown[i] != nil && shown[i].Stdout != x.Stdout
			tests, t.fails = append(tests, *x), append(t.fails, t.differs(did[i], x) != "")
		}
		if slices.Contains(t.fails, true) {
			t.rec.Blanks, t.tests = !t.judged, tests
			break
		}
	}
	t.rec.Tests = len(t.tests)
	if !slices.Contains(t.fails, true) {
		return &leave{"fails no test", fmt.Sprintf("of %d", len(t.Program.Tests))}
	}
	t.split()
	if t.right == nil && t.given == len(t.tests) {
		return &leave{"nothing to judge by", "there is neither a right.c nor a test that is not given"}
	}
	return nil
}

// refusedBy turns a compile error into a leave; it returns other errors unchanged.
func refusedBy(err error, file string) error {
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return &leave{file + " does not compile", firstLine(ce.Text)}
	}
	return err
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// again reports whether the right version does in rightRuns more runs what it did in p. If it reads memory that it never
// wrote, it can meet a test by chance.
func (t *trial) again(ctx context.Context, p *native.Process, args []string, stdin string) (bool, error) {
	for range rightRuns {
		q, err := within(ctx, rightTime, t.right, args, stdin)
		if err != nil || q.Stopped != "" || q.Stdout != p.Stdout || q.Status != p.Status {
			return false, err
		}
	}
	return true, nil
}

// expect makes the tests; the right version supplies output that a test lacks. shown is what the right version did.
// Tests are dropped on which it takes too long, or does not do the same each time.
func (t *trial) expect(ctx context.Context) (shown []*native.Process, err error) {
	var counted *native.Binary
	if t.right != nil {
		if counted, err = t.counted(ctx, rightBlocks); err != nil {
			return nil, err
		}
	}
	for i := range t.Program.Tests {
		x := &t.Program.Tests[i]
		test := oracle.Test{Name: x.Name, Args: x.Args, Stdin: string(x.Stdin), Stdout: string(x.Stdout)}
		if x.Exit != nil {
			test.Exit, t.statuses = *x.Exit, true
		}
		var p *native.Process
		if t.right != nil {
			if p, err = within(ctx, rightTime, counted, x.Args, test.Stdin); err != nil {
				return nil, err
			}
			if p.Stopped != "" {
				continue
			}
			if p, err = within(ctx, rightTime, t.right, x.Args, test.Stdin); err != nil {
				return nil, err
			}
			if p.Stopped != "" {
				continue
			}
			if same, err := t.again(ctx, p, x.Args, test.Stdin); err != nil {
				return nil, err
			} else if !same {
				continue
			}
			if !x.Said {
				test.Stdout = p.Stdout
			}
			if x.Exit == nil {
				test.Exit = p.Status
			}
		} else if !x.Said {
			return nil, &leave{"nothing to judge by", "no test says what is printed, and there is no right.c"}
		}
		t.tests, shown = append(t.tests, test), append(shown, p)
	}
	return shown, nil
}

// split orders the tests by the hashes of their names. The first half is given to gulo, and it includes a failing test.
func (t *trial) split() {
	type pair struct {
		test  oracle.Test
		fails bool
	}
	var list []pair
	for i, x := range t.tests {
		list = append(list, pair{x, t.fails[i]})
	}
	key := func(p pair) string { return hash(t.Program.Name + "\n" + p.test.Name) }
	slices.SortStableFunc(list, func(a, b pair) int { return strings.Compare(key(a), key(b)) })
	t.given = (len(list) + 1) / 2
	first := slices.IndexFunc(list, func(p pair) bool { return p.fails })
	if first >= t.given {
		list[first], list[t.given-1] = list[t.given-1], list[first]
	}
	for i, p := range list {
		t.tests[i], t.fails[i] = p.test, p.fails
	}
	t.rec.Given = t.given
}
