package outside

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

var full = flag.Bool("full", false, "compile and run all sixty programs, not a few")

// TestShape holds what is written about every program against its files: without a
// compiler, so for all of them.
func TestShape(t *testing.T) {
	names := Names()
	double := 0
	for _, name := range names {
		p, err := Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if p.Double {
			double++
		}
		if n := strings.Count(p.Right, "\n"); n < 40 || n > 150 {
			t.Errorf("%s: %d lines", name, n)
		}
		if len(p.Tests) != 8 || p.Test(p.Failing) == nil {
			t.Errorf("%s: %d tests, the failing run %q", name, len(p.Tests), p.Failing)
		}
		if mainOf(p.Right) != mainOf(p.Faulty) || mainOf(p.Right) == "" {
			t.Errorf("%s: main differs", name)
		}
		for _, l := range changed(p.Right, p.Faulty) {
			if !slices.ContainsFunc(p.Faults, func(f Fault) bool { return l >= f.From && l <= f.To }) {
				t.Errorf("%s: line %d of faulty.c differs, and fault.txt does not say so", name, l)
			}
		}
		if runs := p.Inputs.Runs(hiddenRuns, 1, p.Tests); len(runs) < 200 {
			t.Errorf("%s: only %d hidden inputs", name, len(runs))
		}
	}
	if len(names) != 60 || double != 20 {
		t.Errorf("%d programs, %d with two faults", len(names), double)
	}
}

// mainOf returns the text from main on.
func mainOf(text string) string {
	i := strings.Index(text, "\nint main(")
	if i < 0 {
		return ""
	}
	return text[i:]
}

// changed returns the lines of b that are not in a, in order (the longest common
// subsequence is kept).
func changed(a, b string) []int {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	n := make([][]int, len(x)+1)
	for i := range n {
		n[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				n[i][j] = n[i+1][j+1] + 1
			} else {
				n[i][j] = max(n[i+1][j], n[i][j+1])
			}
		}
	}
	var out []int
	for i, j := 0, 0; j < len(y); {
		switch {
		case i < len(x) && x[i] == y[j]:
			i, j = i+1, j+1
		case i < len(x) && n[i+1][j] >= n[i][j+1]:
			i++
		default:
			out = append(out, j+1)
			j++
		}
	}
	return out
}

// TestPrograms compiles and runs: right.c is clean and does on the machine what it
// does natively, on the tests and on hidden inputs; faulty.c fails the run that is
// named, passes another and is told from right.c by a hidden input.
func TestPrograms(t *testing.T) {
	names := []string{"arena_cells", "scan_ini", "shape_ops"}
	hidden := 30
	if *full {
		names, hidden = Names(), hiddenRuns
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			ctx := context.Background()
			dir := t.TempDir()
			if err := p.Write(dir); err != nil {
				t.Fatal(err)
			}
			right, faulty := filepath.Join(dir, "right"), filepath.Join(dir, "faulty")
			for _, bin := range []string{right, faulty} {
				if said, err := Compile(ctx, bin, bin+".c", append(slices.Clone(Sanitized), "-Werror")...); err != nil {
					t.Fatal(said)
				}
			}
			if r, how, err := Refute(ctx, right, p.Tests); err != nil || r != nil {
				t.Fatalf("right.c fails test %v: %s %v", r, how, err)
			}
			runs := p.Inputs.Runs(hidden, 1, p.Tests)
			if err := Expected(ctx, right, runs); err != nil {
				t.Fatal(err)
			}
			checkFaulty(ctx, t, p, faulty, runs)
			prog, err := lower.Load(ctx, []string{right + ".c"}, cfront.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range append(slices.Clone(p.Tests), runs...) {
				if d := onMachine(prog, r); d != "" {
					t.Errorf("on the machine, %s: %s", r, d)
				}
			}
		})
	}
}

func checkFaulty(ctx context.Context, t *testing.T, p *Program, faulty string, hidden []Run) {
	t.Helper()
	passed := 0
	for _, r := range p.Tests {
		bad, _, err := Refute(ctx, faulty, []Run{r})
		if err != nil {
			t.Fatal(err)
		}
		if bad == nil {
			passed++
			if r.Name == p.Failing {
				t.Errorf("faulty.c passes %s, which is said to fail", r.Name)
			}
		}
	}
	if passed == 0 {
		t.Error("faulty.c fails all tests")
	}
	if r, _, err := Refute(ctx, faulty, hidden); r == nil {
		t.Errorf("no hidden input tells faulty.c from right.c (%v)", err)
	}
}

func onMachine(prog *lower.Program, r Run) string {
	var out bytes.Buffer
	m, err := machine.New(prog, machine.Config{Name: "p", Args: r.Args, Stdin: strings.NewReader(r.Stdin), Stdout: &out, MaxSteps: 5_000_000})
	if err != nil {
		return err.Error()
	}
	exit, err := m.Run()
	if err != nil {
		return err.Error()
	}
	return (&result{stdout: out.String(), exit: exit}).differs(&r)
}

func TestGrammar(t *testing.T) {
	for text, want := range map[string]string{
		"args: <x":               `["<x"]`,
		"args: <0..0> a\nb: c":   `["0" "a"]`,
		"args: <n*2..2>\nn: 7":   `["7" "7"]`,
		"args: <n*2..2/,>\nn: 7": `["7,7"]`,
		"args: <#n*2..2>\nn: 7":  `["2" "7" "7"]`,
		"args: x<>y":             `["xy"]`,
	} {
		g, err := ParseGrammar(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := fmt.Sprintf("%q", g.Runs(1, 1, nil)[0].Args); got != want {
			t.Errorf("%q gives %s, not %s", text, got, want)
		}
	}
	for _, text := range []string{"args: <n>", "n: 1", "args", "args: <n*1..2>\nm: 1"} {
		if _, err := ParseGrammar(text); err == nil {
			t.Errorf("%q is taken for a grammar", text)
		}
	}
	g, err := ParseGrammar("stdin: <@n*2..2x3..3>\\n\nn: 5")
	if err != nil || g.Runs(1, 1, nil)[0].Stdin != "2 3\n5 5 5\n5 5 5\n" {
		t.Errorf("a matrix is not made: %v", err)
	}
}

// TestJudge tells a right repair, a wrong one and one that reads out of bounds apart.
func TestJudge(t *testing.T) {
	ctx := context.Background()
	s := subjectOf(t, "hash_stock")
	for text, want := range map[string]string{
		s.Right:  Right,
		s.Faulty: Wrong,
		strings.Replace(s.Right, "return h % BUCKETS;", "return h % (BUCKETS + 1);", 1): Wrong,
		"int main(void) { return 0 }":                      Wrong,
		strings.Replace(s.Right, "free(it->name);", "", 1): Leaking,
	} {
		write(t, s.file("fixed.c"), text)
		a := &Answer{}
		if err := s.judge(ctx, a, []byte(`{"result": "repaired", "repairs": [{}]}`)); err != nil {
			t.Fatal(err)
		}
		if a.Class != want || (a.Why == "") != (want == Right) {
			t.Errorf("%s (%s), not %s:\n%s", a.Class, a.Why, want, text)
		}
	}
	for doc, want := range map[string]string{
		`{"result": "right"}`: Wrong, `{"result": "none"}`: None, `{"result": "unknown", "cause": "time limit"}`: Time, `{"result": "unknown"}`: Unknown,
	} {
		a := &Answer{}
		if err := s.judge(ctx, a, []byte(doc)); err != nil || a.Class != want {
			t.Errorf("%s is %s, not %s: %v", doc, a.Class, want, err)
		}
	}
	a := &Answer{}
	line := s.Faults[0].From
	doc := fmt.Sprintf(`{"ranking": [{"line": 1, "score": 3}, {"line": 1, "score": 1}, {"line": 2, "score": 1}, {"line": %d, "score": 1}]}`, line)
	if err := s.ranked(a, []byte(doc)); err != nil || a.Rank != 2.5 {
		t.Errorf("rank %v, not 2.5: %v", a.Rank, err)
	}
}
