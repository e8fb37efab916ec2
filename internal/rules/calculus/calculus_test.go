package calculus

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/rules"
	"gulo/internal/rules/randc"
)

var (
	programs = flag.Int("programs", 250, "random programs for TestSoundness")
	seed     = flag.Int64("seed", 1, "of the random programs")
)

func load(t testing.TB, text string) *lower.Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// watch runs a program under rules and returns the debugger and the machine's
// fault.
func watch(t testing.TB, p *lower.Program, o Options, files []string, args ...string) (*Debugger, *machine.Fault) {
	t.Helper()
	for _, n := range files {
		f, err := rules.Shipped(n)
		if err != nil {
			t.Fatal(err)
		}
		o.Rules = append(o.Rules, f)
	}
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(p, machine.Config{Args: args, MaxSteps: 200_000, Trace: true, Monitor: d})
	if err != nil {
		t.Fatal(err)
	}
	d.Attach(m)
	_, err = m.Run()
	var f *machine.Fault
	if err != nil && !errors.As(err, &f) {
		t.Fatal(err)
	}
	return d, f
}

// memoryFaults are the error states that memory.rules has a rule for.
var memoryFaults = []machine.FaultKind{
	machine.UnmatchedFree, machine.DoubleFree, machine.DanglingDeref, machine.NullDeref, machine.HeapOverflow, machine.Uninitialized,
	machine.StackOverflow, machine.GlobalOverflow,
}

// TestSoundness holds the paper's Theorem 3.3 on random programs, and its
// converse: whenever the machine steps to an error state, the detector of that
// error has fired just before, at that statement, and no detector fires
// otherwise.
func TestSoundness(t *testing.T) {
	text := randc.Program(rand.New(rand.NewSource(*seed)), *programs)
	p := load(t, text)
	count := map[machine.FaultKind]int{}
	for i := 0; i < *programs; i++ {
		arg := fmt.Sprint(i)
		d, f := watch(t, p, Options{Keep: true, Disabled: map[string]bool{"definite_leak": true}}, []string{"memory"}, arg)
		kind := machine.FaultKind("none")
		if f != nil {
			kind = f.Kind
		}
		count[kind]++
		if !slices.Contains(memoryFaults, kind) {
			if len(d.Findings) > 0 {
				t.Errorf("program %d ends with %s, but %s fires at %s", i, kind, d.Findings[0].Rule, p.Stmts[d.Findings[0].Stmt].Range)
			}
			continue
		}
		if len(d.Findings) == 0 {
			t.Errorf("program %d: nothing fires before %v", i, f)
			continue
		}
		x := d.Findings[0]
		if x.Rule != string(f.Kind) || x.Stmt != f.Stmt || x.Point != d.points {
			t.Errorf("program %d: %s fires at %s, point %d of %d, before %v", i, x.Rule, p.Stmts[x.Stmt].Range, x.Point, d.points, f)
		}
		// The paper's own rules, in one direction.
		if !slices.Contains([]machine.FaultKind{machine.StackOverflow, machine.GlobalOverflow}, f.Kind) && f.Kind != machine.DanglingDeref {
			d, f := watch(t, p, Options{Keep: true}, []string{"figure2"}, arg)
			if !slices.ContainsFunc(d.Findings, func(x Firing) bool { return x.Rule == string(f.Kind) && x.Point == d.points }) {
				t.Errorf("program %d: rule %s of figure 2 does not fire before %v", i, f.Kind, f)
			}
		}
	}
	t.Log(count)
	for _, k := range memoryFaults {
		if count[k] == 0 {
			t.Errorf("only %d programs of %d end with %s", count[k], *programs, k)
		}
	}
}
