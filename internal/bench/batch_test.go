package bench

import (
	"context"
	"flag"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/fault"
	"gulo/internal/locate/gradient"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair/natural"
)

var variants = flag.Int("variants", 1, "faulty variants of each program and class")

// sample is what the tests look at: programs of every shape, with -short every other one.
func sample() []Entry {
	var out []Entry
	for i, id := range []string{"B1", "B5", "B8", "B17", "B19", "L1", "L7", "L12"} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		out = append(out, *Find(id))
	}
	return out
}

// TestBatch repairs single faults from the reference, and from ten tests, and
// holds the repairs against inputs that were held back.
func TestBatch(t *testing.T) {
	programs := sample()
	if testing.Short() {
		programs = programs[:2]
	}
	rs, err := Batch(context.Background(), io.Discard, BatchOptions{Entries: programs, Variants: *variants, Seed: 1, Limit: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	single, right, wrong := 0, 0, 0
	for _, r := range rs {
		if r.By != "reference" {
			continue
		}
		if r.Found && !r.Right {
			wrong++
			t.Logf("%s %s: %v repaired by %v, which is wrong on inputs held back", r.ID, r.Class, r.Faults, r.Patch)
		}
		if len(r.Faults) == 1 {
			single++
			if r.Right {
				right++
			}
		}
	}
	if single*2 < 3*len(programs) || right*100 < 90*single {
		t.Errorf("%d of %d single faults repaired", right, single)
	}
	if wrong*20 > len(rs) {
		t.Errorf("%d wrong repairs of %d", wrong, len(rs))
	}
}

// TestBatchOfPart: a part of the programs has the faults that it has among others.
func TestBatchOfPart(t *testing.T) {
	faults := func(ids ...string) (out []string) {
		var es []Entry
		for _, id := range ids {
			es = append(es, *Find(id))
		}
		rs, err := Batch(context.Background(), io.Discard, BatchOptions{Entries: es, Variants: 1, Seed: 1, Limit: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rs {
			if r.ID == "L7" {
				out = append(out, r.By+r.Class+strings.Join(r.Faults, "; "))
			}
		}
		return out
	}
	alone, among := faults("L7"), faults("B10", "L7")
	if len(alone) < 4 || !slices.Equal(alone, among) {
		t.Errorf("alone %q, among others %q", alone, among)
	}
}

// TestOverlay holds the code that is laid over a function against the patched
// text: for random edits both must do the same on every input, natively too.
func TestOverlay(t *testing.T) {
	ctx := context.Background()
	rnd := rand.New(rand.NewSource(5))
	for _, e := range sample() {
		t.Run(e.ID, func(t *testing.T) {
			prog, err := e.Parse(ctx, e.Source())
			if err != nil {
				t.Fatal(err)
			}
			in := fault.New(prog, prog.Tree.Funcs, append(append([]fault.Kind(nil), fault.Paper...), fault.Beyond...))
			for n := 0; n < 6; n++ {
				f := in.Draw(rnd, 1+n%2, n%3/2)
				if f == nil {
					t.Fatal("no fault can be drawn")
				}
				_, text, err := f.Source(prog)
				if err != nil {
					t.Fatal(err)
				}
				variant, err := e.Parse(ctx, []byte(text))
				if err != nil {
					continue // gcc refuses what the tree allows: an unused value, for example
				}
				os, err := natural.Overlays(prog, f.Patch)
				if err != nil {
					t.Fatal(err)
				}
				var tests []oracle.Test
				for _, args := range e.Shape.Arguments(8, int64(n)) {
					tests = append(tests, oracle.Test{Args: args})
				}
				sameRuns(t, &e, oracle.Runs(prog, tests, 0), oracle.Runs(variant, tests, 0), os, text)
			}
		})
	}
}

// sameRuns runs a program with an overlay, and the patched text on the machine and
// natively.
func sameRuns(t *testing.T, e *Entry, laid, written *oracle.Suite, edits []*lower.Overlay, text string) {
	t.Helper()
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-g", "-O0", "-o", bin, src).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	a, err := oracle.NewRunner(laid)
	if err != nil {
		t.Fatal(err)
	}
	b, err := oracle.NewRunner(written)
	if err != nil {
		t.Fatal(err)
	}
	for i := range laid.Cases {
		x, err := a.Run(laid.Cases[i], edits)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Run(written.Cases[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		if endless(x) && endless(y) {
			continue // they stop at different instructions
		}
		if (x.Fault == nil) != (y.Fault == nil) || x.Fault != nil && x.Fault.Kind != y.Fault.Kind || x.Output != y.Output || x.Status != y.Status {
			t.Fatalf("%v: with an overlay %v %d %q, as text %v %d %q\n%s", laid.Cases[i].Args, x.Fault, x.Status, x.Output, y.Fault, y.Status, y.Output, text)
		}
		if x.Fault != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		cmd := exec.CommandContext(ctx, bin, laid.Cases[i].Args...)
		out, _ := cmd.Output()
		cancel()
		if string(out) != x.Output || cmd.ProcessState.ExitCode() != x.Status {
			t.Fatalf("%v: natively %d %q, with an overlay %d %q\n%s", laid.Cases[i].Args, cmd.ProcessState.ExitCode(), out, x.Status, x.Output, text)
		}
	}
}

func endless(r *oracle.Run) bool { return r.Fault != nil && r.Fault.Kind == machine.LimitFault }

// TestPatchText applies repairs as text: every program repaired in memory prints
// the same when its text is patched.
func TestPatchText(t *testing.T) {
	ctx := context.Background()
	for _, e := range sample()[:4] {
		j, err := Judge(ctx, &e, 40, 20)
		if err != nil {
			t.Fatal(err)
		}
		b, err := j.Break(ctx, rand.New(rand.NewSource(3)), 1, 1)
		if err != nil || b == nil {
			continue
		}
		res, err := natural.Solve(ctx, &natural.Problem{Prog: b.Prog, Suite: b.Given, Funcs: b.Of.Scope[:0:0], Limit: time.Second})
		if err != nil || len(res.Repairs) > 0 {
			t.Fatalf("%s: nothing may change, and yet %v %v", e.ID, res.Repairs, err)
		}
		res, err = natural.Solve(ctx, &natural.Problem{Prog: b.Prog, Suite: b.Given, Funcs: b.Prog.Tree.Funcs, Limit: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range res.Repairs {
			texts, err := patch.Rewrite(b.Prog, r.Patch)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range texts {
				fixed, err := j.Suites(ctx, text)
				if err != nil {
					t.Fatalf("%s: %v\n%s", e.ID, err, text)
				}
				if shown, err := fixed.shown(); err != nil || shown {
					t.Errorf("%s: the patched text does not meet the cases that the patch meets: %v\n%s", e.ID, err, strings.Join(natural.Describe(b.Prog, r.Patch), "\n"))
				}
			}
		}
	}
}

// TestSweep plays a small sample of the sessions.
func TestSweep(t *testing.T) {
	o := SweepOptions{Entries: sample(), Classes: Classes, Variants: *variants, Seed: 1, Limit: 5 * time.Second}
	ss, err := Sweep(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	PrintSweep(&out, ss, o)
	t.Log(out.String())
	found, sound := 0, 0
	for _, s := range ss {
		if s.Found {
			found++
		}
		if s.Sound {
			sound++
		}
	}
	if found*100 < 95*len(ss) {
		t.Errorf("%d of %d sessions end with a repair", found, len(ss))
	}
	if sound != len(ss) {
		t.Errorf("the faults are all among the suspicious in %d of %d", sound, len(ss))
	}
}

// TestPrintedAndUnset: a call whose end is asserted may print, and may be given an array of which
// only the beginning was written.
func TestPrintedAndUnset(t *testing.T) {
	for _, c := range []struct {
		entry string
		class Class
	}{{"B4", Class{1, 0}}, {"B11", Class{1, 0}}} {
		o := SweepOptions{Entries: []Entry{*Find(c.entry)}, Classes: []Class{c.class}, Variants: 1, Seed: 1, Limit: 20 * time.Second}
		ss, err := Sweep(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range ss {
			if !s.Found || !s.Output {
				t.Errorf("%s: %v is not repaired: %s", c.entry, s.Faults, s.Cause)
			}
		}
	}
}

// TestRightRuns: in a run of a right program nothing is suspicious.
func TestRightRuns(t *testing.T) {
	for i := range Corpus {
		b, err := newSubject(context.Background(), &Corpus[i])
		if err != nil {
			t.Fatal(err)
		}
		loc := gradient.Locate(b.prog, b.segs, nil)
		for _, s := range loc.Suspects {
			t.Errorf("%s: %s: %s", Corpus[i].Name, s.Stmt.Range.Position(), s.Reason)
		}
		if loc.Missing || loc.MayMiss {
			t.Errorf("%s: a statement is said to be missing", Corpus[i].Name)
		}
	}
}
