// Command slowest runs go test and then shows what took its time.
//
//	go run ./scripts/slowest [-n 20] [-processor] -- GO TEST ARGUMENTS
//
// It prints what go test prints: a line for each package, and what its failing tests say.
// Then come the slowest packages and tests, by the clock, and the processor time of everything. With
// -processor each package and test shows its processor time, that of the processes it started included; it is
// the figure to compare on a machine that does other things, but Go keeps no results then. Tests that run beside
// each other share theirs: each shows what was used while it ran. The exit code is go test's.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 20, "tests to list")
	processor := flag.Bool("processor", false, "measure the processor time of each package")
	inner := flag.Bool("in-test", false, "run a test's executable and print its processor time (what -processor makes go test do)")
	flag.Parse()
	if *inner {
		os.Exit(measured(flag.Args()))
	}
	args := []string{"test", "-json"}
	if *processor {
		self, err := os.Executable()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		args = append(args, "-exec", self+" -in-test")
	}
	os.Exit(run(exec.Command("go", append(args, flag.Args()...)...), os.Stdout, *n))
}

// measured runs a test's executable and passes on what it prints. It adds a line with the processor time of each
// test, and at the end one with that of everything.
func measured(args []string) int {
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stderr = os.Stdin, os.Stderr
	pipe, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	watch(pipe, os.Stdout, func() float64 { return tree(c.Process.Pid) })
	err = c.Wait()
	fmt.Println(processorLine, used(c).Seconds())
	if err != nil {
		return max(1, c.ProcessState.ExitCode())
	}
	return 0
}

// watch copies what a test's executable prints. After each test it adds by how much now has risen while the test ran.
func watch(in io.Reader, out io.Writer, now func() float64) {
	began := map[string]float64{}
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadString('\n')
		fmt.Fprint(out, line)
		switch m := testLine.FindStringSubmatch(line); {
		case m == nil:
		case m[1] == "=== RUN ":
			began[m[2]] = now()
		default:
			fmt.Fprintf(out, "%s %.2f %s\n", processorLine, now()-began[m[2]], m[2])
		}
		if err != nil {
			return
		}
	}
}

// testLine matches the line with which a test begins or ends, and its name; lines of parts of a test, whose names
// have a slash, do not match.
var testLine = regexp.MustCompile(`^\x16?(=== RUN |--- PASS:|--- FAIL:|--- SKIP:) +([^/\s]+)(?: \(.*)?\n$`)

// tree returns the processor time of a process and of all processes that it started, in seconds.
func tree(pid int) float64 {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	used, children := map[string]float64{}, map[string][]string{}
	for _, s := range stats {
		text, _ := os.ReadFile(s)
		after := string(text[bytes.LastIndexByte(text, ')')+1:]) // the third field and on; a name may hold parentheses
		f := strings.Fields(after)
		if len(f) < 15 {
			continue // the process has ended
		}
		id := filepath.Base(filepath.Dir(s))
		children[f[1]] = append(children[f[1]], id)
		for _, ticks := range f[11:15] { // its own time, and that of the children it has waited for
			v, _ := strconv.ParseFloat(ticks, 64)
			used[id] += v / 100
		}
	}
	sum := 0.0
	for list := []string{strconv.Itoa(pid)}; len(list) > 0; list = append(list[1:], children[list[0]]...) {
		sum += used[list[0]]
	}
	return sum
}

const processorLine = "slowest: processor time"

func used(c *exec.Cmd) time.Duration { return c.ProcessState.UserTime() + c.ProcessState.SystemTime() }

func run(c *exec.Cmd, out io.Writer, n int) int {
	c.Stderr = os.Stderr
	pipe, err := c.StdoutPipe()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	begin := time.Now()
	if err := c.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	s := newSummary(out)
	s.read(pipe)
	err = c.Wait()
	s.print(n)
	fmt.Fprintf(out, "%.0f s by the clock, %.0f s of processor time, compiling included\n", time.Since(begin).Seconds(), used(c).Seconds())
	var status *exec.ExitError
	if errors.As(err, &status) {
		return max(1, status.ExitCode())
	}
	return 0
}

// event is a line of go test -json (go doc test2json).
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// row is a package or one of its tests.
type row struct {
	name              string
	clock, processing float64 // seconds
}

// summary is what is known of a run of go test.
type summary struct {
	out             io.Writer
	text            map[string][]event // by package that has not ended: its output
	passed          map[string]bool    // tests, as "package test"
	counts          map[string]int     // tests by result, without their parts
	processing      map[string]float64 // by package, or "package test"
	packages, tests []row
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, text: map[string][]event{}, passed: map[string]bool{}, counts: map[string]int{}, processing: map[string]float64{}}
}

// read prints what go test prints, and keeps the times.
func (s *summary) read(r io.Reader) {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil { // not of a test: go's own words
				fmt.Fprint(s.out, line)
			} else {
				s.event(&e)
			}
		}
		if err != nil {
			return
		}
	}
}

func (s *summary) event(e *event) {
	switch e.Action {
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "output":
		if rest, ok := strings.CutPrefix(e.Output, processorLine); ok {
			var v float64
			var test string
			fmt.Sscan(rest, &v, &test)
			s.processing[strings.TrimSpace(short(e.Package)+" "+test)] = v
			return
		}
		s.text[e.Package] = append(s.text[e.Package], *e)
	case "pass", "fail", "skip":
		if e.Test != "" {
			if !strings.Contains(e.Test, "/") {
				s.counts[e.Action]++
			}
			s.passed[e.Package+" "+e.Test] = e.Action != "fail"
			s.tests = append(s.tests, row{name: short(e.Package) + " " + e.Test, clock: e.Elapsed})
			return
		}
		s.ended(e)
	}
}

// ended prints what a package's failing tests said, and the line that sums it up.
func (s *summary) ended(e *event) {
	text := s.text[e.Package]
	for i, o := range text {
		of := o.Test == "" && (e.Action == "fail" || i == len(text)-1) || o.Test != "" && !s.passed[o.Package+" "+o.Test]
		if of && !strings.HasPrefix(o.Output, "=== ") && o.Output != "PASS\n" {
			fmt.Fprint(s.out, o.Output)
		}
	}
	delete(s.text, e.Package)
	if e.Action != "skip" {
		s.packages = append(s.packages, row{short(e.Package), e.Elapsed, s.processing[short(e.Package)]})
	}
}

// short returns a package's path within the module.
func short(pkg string) string {
	if _, inside, ok := strings.Cut(pkg, "/internal/"); ok {
		return inside
	}
	return strings.TrimPrefix(pkg, "gulo/")
}

// print lists the slowest packages and tests, n of each, and counts. A test that has parts is listed beside them.
func (s *summary) print(n int) {
	fmt.Fprintf(s.out, "\nThe slowest packages and tests, in seconds by the clock")
	if len(s.processing) > 0 {
		fmt.Fprintf(s.out, " and of processor time")
	}
	fmt.Fprintln(s.out)
	for i := range s.tests {
		s.tests[i].processing = s.processing[s.tests[i].name]
	}
	for _, list := range [][]row{s.packages, s.tests} {
		slices.SortStableFunc(list, func(a, b row) int {
			return cmp.Or(cmp.Compare(b.processing, a.processing), cmp.Compare(b.clock, a.clock), strings.Compare(a.name, b.name))
		})
		fmt.Fprintln(s.out)
		for _, r := range list[:min(n, len(list))] {
			if r.processing > 0 {
				fmt.Fprintf(s.out, "%8.1f %8.1f  %s\n", r.clock, r.processing, r.name)
			} else {
				fmt.Fprintf(s.out, "%8.1f  %s\n", r.clock, r.name)
			}
		}
	}
	fmt.Fprintf(s.out, "\n%d packages; of their tests %d pass, %d fail, %d are skipped\n", len(s.packages), s.counts["pass"], s.counts["fail"], s.counts["skip"])
}
