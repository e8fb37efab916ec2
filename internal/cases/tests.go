package cases

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/source"
)

// This file reads tests: folders of whole runs, and files of calls.

// LoadTests reads a folder of whole runs. NAME.out holds the expected standard output, NAME.args the arguments (split
// as a shell does, with quotes), NAME.in the standard input, and NAME.exit the expected status. All but the first may
// be missing. If there is a NAME.any, any output that starts with NAME.out is accepted, and any status, if the run ends
// without an error.
func LoadTests(dir string) ([]oracle.Test, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, job.NoTests(dir, cmp.Or(err, error(syscall.ENOTDIR)))
	}
	outs, err := filepath.Glob(filepath.Join(dir, "*.out"))
	if err != nil {
		return nil, err
	}
	if len(outs) == 0 {
		return nil, job.Usage("%s holds no tests: there is no NAME.out in it", dir)
	}
	sort.Strings(outs)
	var tests []oracle.Test
	for _, o := range outs {
		base := strings.TrimSuffix(o, ".out")
		t := oracle.Test{Name: filepath.Base(base)}
		read := func(ext string) (string, error) {
			b, err := os.ReadFile(base + ext)
			if os.IsNotExist(err) {
				return "", nil
			}
			return string(b), err
		}
		var args, status string
		for _, x := range []struct {
			ext string
			to  *string
		}{{".out", &t.Stdout}, {".args", &args}, {".in", &t.Stdin}, {".exit", &status}} {
			if *x.to, err = read(x.ext); err != nil {
				return nil, err
			}
		}
		if _, err := os.Stat(base + ".any"); err == nil {
			t.Any = true
		}
		if t.Args, err = process.Words(args); err != nil {
			return nil, job.Usage("%s.args cannot be split into arguments: %v", base, err)
		}
		if status = strings.TrimSpace(status); status != "" {
			if t.Exit, err = strconv.Atoi(status); err != nil {
				return nil, job.Usage("%s.exit holds %q, which is no exit status", base, status)
			}
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// contradict returns an error that names two tests with the same input and different outcomes, which no program can
// both pass, or nil.
func contradict(tests []oracle.Test) error {
	f, t := contradiction(tests)
	switch {
	case f == nil:
		return nil
	case f.Stdout != t.Stdout:
		return job.Usage("tests %s and %s contradict each other: they have the same input and want the outputs %.60q and %.60q", f.Name, t.Name, f.Stdout, t.Stdout)
	}
	return job.Usage("tests %s and %s contradict each other: they have the same input and want the exit statuses %d and %d", f.Name, t.Name, f.Exit, t.Exit)
}

// contradiction returns two tests with the same input and different outcomes, or nil.
func contradiction(tests []oracle.Test) (one, other *oracle.Test) {
	first := map[string]*oracle.Test{}
	for i := range tests {
		t := &tests[i]
		input := fmt.Sprintf("%q %q", t.Args, t.Stdin)
		f := first[input]
		switch {
		case f == nil:
			first[input] = t
		case f.Stdout != t.Stdout || f.Exit != t.Exit:
			return f, t
		}
	}
	return nil, nil
}

// SaveTests writes whole runs into a folder, in the form that LoadTests reads.
func SaveTests(dir string, tests []oracle.Test) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, t := range tests {
		var args []string
		for _, a := range t.Args {
			args = append(args, "'"+strings.ReplaceAll(a, "'", `'\''`)+"'")
		}
		if t.Any {
			if err := os.WriteFile(filepath.Join(dir, t.Name+".any"), nil, 0o644); err != nil {
				return err
			}
		}
		for ext, text := range map[string]string{".out": t.Stdout, ".in": t.Stdin, ".args": strings.Join(args, " "), ".exit": fmt.Sprint(t.Exit)} {
			if err := os.WriteFile(filepath.Join(dir, t.Name+ext), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// fromRuns makes cases of whole runs, with the outcomes that tests say.
func (t *Set) fromRuns(ctx context.Context) error {
	info, err := os.Stat(t.Job.Tests)
	if err != nil {
		return job.NoTests(t.Job.Tests, err)
	}
	if !info.IsDir() {
		return job.Usage("%s is a file of calls: what must come of them is not known without --reference; a folder holds whole runs with their output", t.Job.Tests)
	}
	tests, err := t.load(t.Job.Tests)
	if err == nil {
		err = contradict(tests)
	}
	if err != nil {
		return err
	}
	if t.Prog.IR.Main < 0 {
		return job.Usage("the program has no function main, so that no test can be run")
	}
	t.Given, t.Tests = oracle.Runs(t.Prog, tests, 0), tests
	t.By = plural.N(len(tests), "test")
	if t.Job.Entry != "" {
		t.Entry = t.Prog.Tree.Func(t.Job.Entry)
		if t.Entry == nil {
			return job.Usage("no function %s in %s", t.Job.Entry, t.Job.Files[0])
		}
		for f := range cfront.Callees(t.Entry) {
			t.Scope = append(t.Scope, f)
		}
	} else {
		for _, f := range Written(t.Prog) {
			if f.Name != "main" || len(Written(t.Prog)) == 1 {
				t.Scope = append(t.Scope, f)
			}
		}
	}
	sort.Slice(t.Scope, func(i, j int) bool { return t.Scope[i].Name < t.Scope[j].Name })
	t.Given.Edited = t.Scope
	if err := t.leaveOut(); err != nil {
		return err
	}
	if err := t.wait(ctx); err != nil {
		return err
	}
	if err := t.unmatched(); err != nil {
		return err
	}
	return t.probed(ctx, tests)
}

// mostEntered bounds the functions that the tests call, if inputs are made for one of them without an entry. Of
// hundreds, the first one with a list or a tree is probably not the one under repair.
const mostEntered = 40

// probed makes inputs for a function that may be under repair, from how the tests call it. The right results are
// unknown, but no repair should fail on them.
func (t *Set) probed(ctx context.Context, tests []oracle.Test) error {
	tests = tests[:min(len(tests), 5)]
	called := make([]map[*cfront.Func]bool, len(tests)) // for all functions at once, as a program may have thousands
	for i, x := range tests {
		// Empty if the test cannot be run.
		called[i], _ = oracle.FuncsCalled(ctx, t.Prog, t.Scope, oracle.Start{Args: x.Args, Stdin: x.Stdin})
	}
	if all := map[*cfront.Func]bool{}; t.Entry == nil {
		for _, c := range called {
			maps.Copy(all, c)
		}
		if len(all) > mostEntered {
			return nil
		}
	}
	for _, f := range t.Scope {
		if t.Entry != nil && f != t.Entry {
			continue
		}
		for i, x := range tests {
			if !called[i][f] {
				continue
			}
			im, err := oracle.Entered(ctx, t.Prog, f, oracle.Start{Args: x.Args, Stdin: x.Stdin})
			if err != nil || im == nil || !oracle.Shaped(im, f) {
				continue
			}
			s := &oracle.Suite{Prog: t.Prog, Entry: f}
			states, _ := oracle.Inputs(im, f, givenInputs, 1)
			for _, st := range states {
				s.Cases = append(s.Cases, &oracle.Case{Name: st.Text, State: st})
			}
			t.Probe = s
			return nil
		}
	}
	return nil
}

// calls reads a file of calls of the entry, one per line: head=[1,2,3] key=2. For a folder it checks the reference by
// its tests and returns no calls.
func (t *Set) calls(ctx context.Context) ([]*oracle.State, error) {
	if info, err := os.Stat(t.Job.Tests); err == nil && info.IsDir() {
		return nil, t.referenceRuns(ctx)
	}
	return Calls(t.Job.Tests, t.Ref.Entry, nil)
}

// Calls reads a file of calls of a function. outputs are arrays that may be left out of a call, with their lengths;
// they are zero on entry.
func Calls(name string, entry *cfront.Func, outputs map[string]int) ([]*oracle.State, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, job.NoTests(name, err)
	}
	defer f.Close()
	var out []*oracle.State
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		s, err := parseCall(line, entry, outputs)
		if err != nil {
			return nil, source.Errorf(source.Position{File: name, Line: n, Column: 1}, "%v", err)
		}
		out = append(out, s)
	}
	return out, sc.Err()
}

// referenceRuns checks the reference by whole runs. It is an error if the reference fails a test. It may fail one on
// the machine and pass it natively, as it takes long or does something undefined that does not matter. Then the test
// still says what is right, and a note says what the machine saw.
func (t *Set) referenceRuns(ctx context.Context) error {
	tests, err := t.load(t.Job.Tests)
	if err != nil {
		return err
	}
	s := oracle.Runs(t.Ref.Prog, tests, 0)
	r, err := oracle.NewRunner(s)
	if err != nil {
		return err
	}
	var doubted []doubt
	for i, c := range s.Cases {
		run, err := r.Run(c, nil)
		if err == nil && run.Endless() {
			run, err = r.Patient(c, nil, mostSteps)
		}
		switch {
		case err != nil:
			return err
		case run.Meets(c.Want):
		case run.Fault == nil:
			return job.Usage("the reference fails test %s: %s", c.Name, run.Differs(c.Want))
		default:
			doubted = append(doubted, doubt{&tests[i], run.Differs(c.Want), run.Endless()})
		}
	}
	return t.doubts(ctx, doubted)
}

// parseCall parses a line of a file of calls.
func parseCall(line string, f *cfront.Func, outputs map[string]int) (*oracle.State, error) {
	given := map[string]string{}
	for _, w := range splitArgs(line) {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no name=value", w)
		}
		given[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	s := &oracle.State{Globals: map[string][]oracle.Cell{}, Text: line}
	for _, p := range f.Params {
		v, ok := given[p.Name]
		if n := outputs[p.Name]; !ok && n > 0 && p.Type.Kind == ctype.Pointer && p.Type.Elem.IsArith() {
			v, ok = "["+strings.Repeat("0,", n-1)+"0]", true
		}
		if !ok {
			return nil, fmt.Errorf("the argument %s of %s is missing", p.Name, f.Name)
		}
		delete(given, p.Name)
		val, err := parseArgument(s, v, p.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %v", p.Name, err)
		}
		s.Args = append(s.Args, val)
	}
	for n := range given {
		return nil, fmt.Errorf("%s has no argument %s", f.Name, n)
	}
	return s, nil
}

// splitArgs splits at blanks outside of brackets.
func splitArgs(line string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range line + " " {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case (c == ' ' || c == '\t') && depth == 0:
			if w := strings.TrimSpace(line[start:min(i, len(line))]); w != "" {
				out = append(out, w)
			}
			start = i
		}
	}
	return out
}

// parseArgument parses the value of an argument: a number, or a list of numbers for a pointer.
func parseArgument(s *oracle.State, v string, t *ctype.Type) (oracle.Value, error) {
	if t.Kind == ctype.Float {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return oracle.Value{}, fmt.Errorf("%q is no value of type %s", v, t)
		}
		return oracle.Value{Word: ctype.OfFloat(t, f)}, nil
	}
	if !strings.HasPrefix(v, "[") {
		n, err := strconv.ParseInt(v, 0, 64)
		if err != nil || t.Kind == ctype.Pointer && n != 0 {
			return oracle.Value{}, fmt.Errorf("%q is no value of type %s", v, t)
		}
		return oracle.Value{Word: ctype.Wrap(t, ctype.Word(n))}, nil
	}
	if !strings.HasSuffix(v, "]") || t.Kind != ctype.Pointer {
		return oracle.Value{}, fmt.Errorf("%q is no value of type %s", v, t)
	}
	words := strings.FieldsFunc(v[1:len(v)-1], func(c rune) bool { return c == ',' || c == ' ' })
	if t.Elem.Kind == ctype.Float {
		var nums []float64
		for _, w := range words {
			f, err := strconv.ParseFloat(w, 64)
			if err != nil {
				return oracle.Value{}, fmt.Errorf("%q is no number", w)
			}
			nums = append(nums, f)
		}
		return s.Reals(t.Elem, nums), nil
	}
	var nums []int64
	for _, w := range words {
		n, err := strconv.ParseInt(w, 0, 64)
		if err != nil {
			return oracle.Value{}, fmt.Errorf("%q is no number", w)
		}
		nums = append(nums, n)
	}
	if t.Elem.IsInteger() {
		return s.Array(t.Elem, nums), nil
	}
	val, ok := s.List(t.Elem, nums)
	if !ok {
		return val, fmt.Errorf("%s is no list that can be written as [...]", t)
	}
	return val, nil
}
