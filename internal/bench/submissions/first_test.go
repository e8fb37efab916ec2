package submissions

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// TestFirst and TestSecond run first programs natively and on the machine: references and corrected
// submissions meet all tests, and submissions do not.
func TestFirst(t *testing.T) { programs(t, "first", 40) }

func TestSecond(t *testing.T) { programs(t, "second", 24) }

func programs(t *testing.T, dir string, n int) {
	t.Helper()
	all, err := Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != n {
		t.Errorf("%d assignments", len(all))
	}
	for i, a := range all {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			if len(a.Right) != 1 || len(a.Submissions) != 1 || a.Reference == "" {
				t.Fatalf("%d right ones, %d submissions, reference %q", len(a.Right), len(a.Submissions), a.Reference)
			}
			for _, file := range []string{a.Reference, a.Right[0]} {
				if n := failing(t, file, a.Given); n > 0 {
					t.Errorf("%s fails %d tests natively", file, n)
				}
				onMachine(t, file, a.Given)
			}
			if failing(t, a.Submissions[0], a.Given) == 0 {
				t.Errorf("%s meets all tests", a.Submissions[0])
			}
		})
	}
}

// failing counts the tests that a program does not meet natively.
func failing(t *testing.T, file string, given []oracle.Test) (n int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ts := tests(given)
	outs, err := outcomes(context.Background(), string(text), filepath.Dir(file), ts, false)
	if err != nil || outs == nil {
		t.Fatalf("%s: %v, or gcc refuses it", file, err)
	}
	for i := range outs {
		if !meets(&outs[i], &ts[i]) {
			n++
		}
	}
	return n
}

// machineSteps are as many as a test of a first program takes at most: two nested loops up to 500.
const machineSteps = 2_000_000

// onMachine runs a program that meets all tests on the machine.
func onMachine(t *testing.T, file string, given []oracle.Test) {
	t.Helper()
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := oracle.NewRunner(oracle.Runs(p, given, machineSteps))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range run.Suite.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Unmodelled() == "" && !r.Meets(c.Want) {
			t.Errorf("%s on the machine, test %s: %s", file, c.Name, r.Differs(c.Want))
		}
	}
}
