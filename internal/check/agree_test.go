package check

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
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
	text := randc.Program(rand.New(rand.NewSource(*seed)), *programCount)
	bin := compiled(t, text, true)
	src := filepath.Join(t.TempDir(), "two.c")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := func(r *Report) string {
		// Natively what looks like a pointer keeps a block alive.
		if len(r.Findings) == 0 || r.Findings[0].Rule == "definite_leak" {
			return "nothing"
		}
		return fmt.Sprintf("%s at line %d", r.Findings[0].Rule, r.Findings[0].Line)
	}
	m, err := prepare(context.Background(), &Request{Files: []string{src}})
	if err != nil {
		t.Fatal(err)
	}
	fired := 0
	for i := range *programCount {
		arg := fmt.Sprint(i)
		want, err := m.run(&Request{Files: []string{src}, Args: []string{arg}, MaxSteps: 1_000_000})
		if err != nil {
			t.Fatal(err)
		}
		found := filepath.Join(t.TempDir(), "report")
		c := exec.Command(bin, arg)
		c.Env = append(os.Environ(), "GULO_REPORT="+found)
		err = c.Run()
		got := &Report{}
		if got.Findings, _ = reported(found, newSourceLines(nil)); len(got.Findings) == 0 && c.ProcessState.ExitCode() < 0 {
			t.Errorf("program %d: natively nothing fires, and then: %v", i, err)
		}
		if said(want) != said(got) {
			t.Errorf("program %d: on the machine %s, natively %s", i, said(want), said(got))
		}
		if len(got.Findings) > 0 {
			fired++
		}
	}
	if fired < *programCount/2 {
		t.Errorf("only %d programs of %d have an error", fired, *programCount)
	}
}
