package randc

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// TestPrograms: gcc takes what is written, every function can be called, the same seed writes the same,
// and right and wrong programs are both frequent: what compares debuggers on them sees both.
func TestPrograms(t *testing.T) {
	for _, x := range []struct {
		name        string
		write       func(*rand.Rand, int) string
		n           int
		least, most int // of a hundred that end with an error of memory
		kinds       int // of errors, at least
	}{
		{"Program", Program, 150, 40, 95, 6},
		{"Loops", Loops, 150, 25, 75, 3},
		{"Passing", Passing, 150, 40, 80, 3},
		{"Copies", Copies, 150, 50, 85, 1},
	} {
		wrong, kinds := 0, map[machine.FaultKind]bool{}
		for seed := range int64(2) {
			text := x.write(rand.New(rand.NewSource(seed)), x.n)
			if text != x.write(rand.New(rand.NewSource(seed)), x.n) {
				t.Errorf("%s, seed %d: another text the second time", x.name, seed)
			}
			if text == x.write(rand.New(rand.NewSource(seed+10)), x.n) {
				t.Errorf("%s: seeds %d and %d write the same", x.name, seed, seed+10)
			}
			file := filepath.Join(t.TempDir(), "a.c")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("gcc", "-w", "-fsyntax-only", file).CombinedOutput(); err != nil {
				t.Fatalf("%s, seed %d: %v\n%s", x.name, seed, err, out)
			}
			p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range x.n {
				m, err := machine.New(p, machine.Config{Args: []string{fmt.Sprint(i)}, MaxSteps: 100_000})
				if err != nil {
					t.Fatal(err)
				}
				var f *machine.Fault
				if status, err := m.Run(); errors.As(err, &f) {
					if f.Kind == machine.LimitFault {
						t.Errorf("%s, seed %d: f%d does not end", x.name, seed, i)
					}
					if f.Func == "main" {
						t.Errorf("%s, seed %d: f%d: main fails: %v", x.name, seed, i, f)
					}
					wrong++
					kinds[f.Kind] = true
				} else if err != nil || status > 1 { // 2 is what main returns for a number that it does not know
					t.Errorf("%s, seed %d: f%d: status %d, %v", x.name, seed, i, status, err)
				}
			}
		}
		if share := 100 * wrong / (2 * x.n); share < x.least || share > x.most {
			t.Errorf("%s: %d of a hundred are wrong", x.name, share)
		}
		if len(kinds) < x.kinds {
			t.Errorf("%s: only %v", x.name, kinds)
		}
	}
}
