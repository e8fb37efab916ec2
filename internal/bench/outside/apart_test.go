package outside

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gulo/internal/process"
)

// inputsApart are the made-up inputs of a program that TestApart compares the reference on.
const inputsApart = 20

var every = flag.Bool("every", false, "TestApart runs all programs of the folders of which it runs a few that are drawn")

// drawn are the programs of a folder that TestApart compiles and runs each time; with -short they are fewer, of each folder.
const (
	drawn      = 6
	drawnShort = 1
)

// TestApart holds the programs of all folders but the sixty against their tests: right.c and
// reference.c do what they say and agree on made-up inputs, faulty.c fails the run that is
// named and passes another.
func TestApart(t *testing.T) {
	for _, f := range []struct {
		folder           string
		programs, double int
		draw             bool
	}{{"apart", 24, 7, false}, {"held", 24, 9, false}, {"later", 20, 7, true}, {"kept", 20, 6, true}, {"fresh", 12, 4, true}, {"sealed", 12, 4, true}} {
		t.Run(f.folder, func(t *testing.T) {
			set, double := Folder(f.folder), f.double
			names, err := set.Names()
			if err != nil {
				t.Fatal(err)
			}
			dir, wrong, run := t.TempDir(), make([]error, len(names)), make([]bool, len(names))
			most := len(names)
			switch {
			case *every:
			case testing.Short():
				most = drawnShort
			case f.draw:
				most = drawn
			}
			for _, i := range rand.Perm(len(names))[:most] {
				run[i] = true
			}
			err = process.Parallel(t.Context(), runtime.GOMAXPROCS(0), len(names), func(ctx context.Context, i int) error {
				wrong[i] = apart(ctx, set, filepath.Join(dir, names[i]), names[i], run[i])
				return ctx.Err()
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, err := range wrong {
				if err != nil {
					t.Errorf("%s: %v", names[i], err)
				}
				if p, err := set.Open(names[i]); err == nil && p.Double {
					double--
				}
			}
			if len(names) != f.programs || double != 0 {
				t.Errorf("%d programs; with two faults there are %d too few", len(names), double)
			}
		})
	}
}

// apart says what is wrong with a program, which is compiled and run if asked for; dir is a new
// folder for it.
func apart(ctx context.Context, set *Set, dir, name string, run bool) error {
	s, err := (&Options{}).lay(set, dir, name)
	if err != nil {
		return err
	}
	if s.Reference == "" || len(s.Tests) != 8 {
		return fmt.Errorf("%d tests, a reference of %d bytes", len(s.Tests), len(s.Reference))
	}
	for text, what := range map[string]string{s.Right: "right.c", s.Faulty: "faulty.c", s.Reference: "reference.c"} {
		if n := strings.Count(text, "\n"); n < 25 || n > 160 {
			return fmt.Errorf("%s has %d lines", what, n)
		}
	}
	for _, l := range changed(s.Right, s.Faulty) {
		if !slices.ContainsFunc(s.Faults, func(f Fault) bool { return l >= f.From && l <= f.To }) {
			return fmt.Errorf("line %d of faulty.c differs, and fault.txt does not say so", l)
		}
	}
	if !run {
		return nil
	}
	for _, bin := range []string{"right", "reference", "faulty"} {
		if _, err := Compile(ctx, s.file(bin), s.file(bin+".c"), "-O0", "-w"); err != nil {
			return fmt.Errorf("%s.c: %w", bin, err)
		}
	}
	runs := s.Inputs.Runs(inputsApart, 1, s.Tests)
	if err := Expected(ctx, s.file("right"), runs); err != nil {
		return err
	}
	if len(runs) != inputsApart {
		return fmt.Errorf("only %d made-up inputs", len(runs))
	}
	for bin, all := range map[string][]Run{"right": s.Tests, "reference": append(slices.Clone(s.Tests), runs...)} {
		if by, how, err := Refute(ctx, s.file(bin), all); by != nil || err != nil {
			return fmt.Errorf("%s.c on %v: %s %v", bin, by, how, err)
		}
	}
	failed := 0
	for _, r := range s.Tests {
		by, _, err := Refute(ctx, s.file("faulty"), []Run{r})
		if err != nil {
			return err
		}
		if by != nil {
			failed++
		} else if r.Name == s.Failing {
			return fmt.Errorf("faulty.c passes %s, which is said to fail", r.Name)
		}
	}
	if failed < 2 || failed == len(s.Tests) {
		return fmt.Errorf("faulty.c fails %d of %d tests", failed, len(s.Tests))
	}
	return nil
}

// TestArguments holds how gulo is asked about a program with a reference of its own, and about
// one without.
func TestArguments(t *testing.T) {
	dir := t.TempDir()
	s, err := (&Options{}).lay(Folder("apart"), filepath.Join(dir, "a"), "word_trie")
	if err != nil {
		t.Fatal(err)
	}
	plain := subjectOf(t, "hash_stock")
	for _, c := range []struct {
		s          *subject
		mode, want string
		not        string
	}{
		{s, "reference", "--reference reference.c faulty.c -- +car", "--tests"},
		{s, "locate-reference", "--reference reference.c faulty.c -- +car", "--rewrite"},
		{s, "reference-tests", "--reference reference.c --tests failing faulty.c", "+car"},
		{s, "tests", "--tests tests faulty.c", "reference"},
		{plain, "reference", "--reference right.c ", "reference.c"},
	} {
		got := strings.Join(c.s.arguments(c.mode), " ")
		if !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%s of %s: %s", c.mode, c.s.Name, got)
		}
	}
	all, err := filepath.Glob(s.file("failing/*"))
	if err != nil || len(all) != 3 || filepath.Base(all[0]) != s.Failing+".args" {
		t.Errorf("the failing run is %v (%v)", all, err)
	}
	if _, err := Folder(dir).Open("b"); err == nil {
		t.Error("a program that is not there is opened")
	}
}
