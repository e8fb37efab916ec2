package bench

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gulo/internal/machine"
)

// TestTwoJudges runs every program natively, under the sanitizers, and on the
// machine, on the inputs of its shape: same output, same exit.
func TestTwoJudges(t *testing.T) {
	ctx := context.Background()
	for i, e := range Corpus {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			src, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
			if err := os.WriteFile(src, e.Source(), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("gcc", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-o", bin, src).CombinedOutput(); err != nil {
				t.Fatalf("gcc: %s", out)
			}
			prog, err := e.Parse(ctx, e.Source())
			if err != nil {
				t.Fatal(err)
			}
			good := 0
			for _, args := range append([][]string{e.Args()}, e.Shape.Arguments(12, 7)...) {
				cmd := exec.Command(bin, args...)
				cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
				native, err := cmd.Output()
				code := cmd.ProcessState.ExitCode()
				if err != nil && code != 2 {
					t.Fatalf("%v: %v: %s", args, err, err.(*exec.ExitError).Stderr)
				}
				var out bytes.Buffer
				m, err := machine.New(prog, machine.Config{Name: "p", Args: args, Stdout: &out, MaxSteps: 1_000_000})
				if err != nil {
					t.Fatal(err)
				}
				status, err := m.Run()
				if err != nil || status != code || out.String() != string(native) {
					t.Errorf("%v: natively %d %q, on the machine %d %q %v", args, code, native, status, out.String(), err)
				}
				if code == 0 {
					good++
				}
			}
			if good < 4 && e.Shape != None {
				t.Errorf("only %d of the inputs fit the program", good)
			}
		})
	}
}

// TestEntryPlans: the run that sessions follow comes to the function of every program, and with what it is
// entered there inputs can be made for most.
func TestEntryPlans(t *testing.T) {
	shaped := 0
	ps, err := loadAll(context.Background(), Names())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		plan, err := entryPlan(context.Background(), p)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if len(plan.Shapes()) > 0 {
			shaped++
		}
	}
	if shaped < len(ps)*3/4 {
		t.Errorf("shapes in %d of %d", shaped, len(ps))
	}
}
