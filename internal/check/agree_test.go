package check

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/rules/randc"
)

var (
	programCount = flag.Int("programs", 120, "random programs for TestEnginesAgree")
	seed         = flag.Int64("seed", 1, "of the random programs")
)

// TestEnginesAgree runs random programs, most of them with an error, on the
// machine and natively: the same rule fires at the same line, or none on both.
func TestEnginesAgree(t *testing.T) {
	n := many()
	agree(t, randc.Program(rand.New(rand.NewSource(*seed)), n), n)
}

// TestLoopsAgree does so with loops through blocks, where accesses are tested once
// before a loop when that suffices.
func TestLoopsAgree(t *testing.T) {
	n := many()
	agree(t, randc.Loops(rand.New(rand.NewSource(*seed)), n), n)
}

// many is how many programs are compared: with -short a sixth.
func many() int {
	if testing.Short() {
		return *programCount / 6
	}
	return *programCount
}

func agree(t *testing.T, text string, programs int) {
	t.Helper()
	bin, lax := compiled(t, text, true), compiled(t, text, false)
	src := filepath.Join(t.TempDir(), "two.c")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := prepare(context.Background(), &Request{Files: []string{src}})
	if err != nil {
		t.Fatal(err)
	}
	fired := 0
	for i := range programs {
		arg := fmt.Sprint(i)
		rep, err := m.run(&Request{Files: []string{src}, Args: []string{arg}, MaxSteps: 1_000_000})
		if err != nil {
			t.Fatal(err)
		}
		want := said(rep)
		if got := natively(t, bin, arg); got != want {
			t.Errorf("program %d: on the machine %s, natively %s", i, want, got)
		}
		if want != nothing {
			fired++
		}
		// What was never written may be moved on; then something else may come first.
		if got := natively(t, lax, arg); got != want && !strings.HasPrefix(want, "uninitialized_read") {
			t.Errorf("program %d: on the machine %s, natively with uninitialized values seen at their use %s", i, want, got)
		}
	}
	if fired < programs/3 || fired == programs {
		t.Errorf("%d programs of %d have an error", fired, programs)
	}
}

const nothing = "nothing"

// said is the first finding of a report. Natively what looks like a pointer keeps a
// block alive.
func said(r *Result) string {
	if len(r.Findings) == 0 || r.Findings[0].Rule == "definite_leak" {
		return nothing
	}
	return fmt.Sprintf("%s at line %d", r.Findings[0].Rule, r.Findings[0].Line)
}

func natively(t *testing.T, bin, arg string) string {
	t.Helper()
	found := filepath.Join(t.TempDir(), "report")
	c := exec.Command(bin, arg)
	c.Env = append(os.Environ(), "GULO_REPORT="+found)
	err := c.Run()
	got := &Result{}
	if _ = got.read(found, newSourceLines(nil)); len(got.Findings) == 0 && c.ProcessState.ExitCode() < 0 {
		t.Errorf("program %s: natively nothing fires, and then: %v", arg, err)
	}
	return said(got)
}

// TestPassingAgrees does so with structs that functions give to each other.
func TestPassingAgrees(t *testing.T) {
	n := many()
	agree(t, randc.Passing(rand.New(rand.NewSource(*seed)), n), n)
}
