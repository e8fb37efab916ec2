package check

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
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

// TestLoopsAgree does the same as TestEnginesAgree with loops through blocks, where natively accesses are tested once
// before the loop if that suffices.
func TestLoopsAgree(t *testing.T) {
	n := many()
	agree(t, randc.Loops(rand.New(rand.NewSource(*seed)), n), n)
}

// many returns how many programs are compared: with -short a sixth.
func many() int {
	if testing.Short() {
		return *programCount / 6
	}
	return *programCount
}

func agree(t *testing.T, text string, programs int) {
	t.Helper()
	strict, lax := compiled(t, text, true), compiled(t, text, false)
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
		if want != nothing {
			fired++
		}
		if got := natively(t, lax, arg); got != want {
			t.Errorf("program %d: on the machine %s, natively %s", i, want, got)
		}
		// Where copies of what was never written are errors, one may come before.
		if got := natively(t, strict, arg); got != want && !strings.HasPrefix(got, "uninitialized_read") {
			t.Errorf("program %d: on the machine %s, natively, with copies of uninitialized values an error, %s", i, want, got)
		}
	}
	if fired < programs/3 || fired == programs {
		t.Errorf("%d programs of %d have an error", fired, programs)
	}
}

const nothing = "nothing"

// said returns the first finding of a report. Leaks do not count: natively, whatever looks like a pointer keeps a
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

// TestPassingAgrees does the same as TestEnginesAgree with structs that functions pass and return.
func TestPassingAgrees(t *testing.T) {
	n := many()
	agree(t, randc.Passing(rand.New(rand.NewSource(*seed)), n), n)
}

// TestCopiesAgree does the same as TestEnginesAgree with copies of values that were never written, and one use of
// them. With variables in registers, where the machine has other code, the error is reported at the same line, too.
func TestCopiesAgree(t *testing.T) {
	n := many()
	text := randc.Copies(rand.New(rand.NewSource(*seed)), n)
	src := filepath.Join(t.TempDir(), "copies.c")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := prepare(t.Context(), &Request{Files: []string{src}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(t.Context(), []string{src}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		arg := fmt.Sprint(i)
		rep, err := m.run(&Request{Files: []string{src}, Args: []string{arg}, MaxSteps: 1_000_000})
		if err != nil {
			t.Fatal(err)
		}
		for name, cfg := range map[string]machine.Config{"merged": {}, "traced": {Trace: true}} {
			cfg.Args, cfg.MaxSteps = []string{arg}, 1_000_000
			m, err := machine.New(p, cfg)
			if err != nil {
				t.Fatal(err)
			}
			got := nothing
			var f *machine.Fault
			if _, err := m.Run(); errors.As(err, &f) {
				got = fmt.Sprintf("%s at line %d", f.Kind, f.Pos.Line)
			}
			if want := said(rep); got != want {
				t.Errorf("program %d: with variables in memory %s, in registers, %s, %s", i, want, name, got)
			}
		}
	}
	agree(t, text, n)
}

// lazyMatch copies a member before it has a value, as zlib's deflate_slow does.
const lazyMatch = `#include <stdio.h>
#include <stdlib.h>
struct state { unsigned match_start, prev_match, length; };
int main(void)
{
    struct state *s = malloc(sizeof *s);
    s->length = 0;
    s->prev_match = s->match_start;
    if (s->length %s 0)
        printf("%%u\n", s->prev_match);
    free(s);
    return 0;
}
`

// TestCopyIsNoUse: on both engines, a value that was never written may be copied, but not printed.
func TestCopyIsNoUse(t *testing.T) {
	for _, engine := range engines(t) {
		for op, want := range map[string]string{">": nothing, "==": "uninitialized_read at line 10"} {
			file := filepath.Join(t.TempDir(), "match.c")
			if err := os.WriteFile(file, fmt.Appendf(nil, lazyMatch, op), 0o600); err != nil {
				t.Fatal(err)
			}
			rep, out, err := play(t, engine, file)
			if err != nil {
				t.Fatal(err)
			}
			if got := said(rep); got != want || rep.Stopped != "" {
				t.Errorf("%s, %s: %s, want %s; %s%s", engine, op, got, want, rep.Stopped, out)
			}
		}
	}
}
