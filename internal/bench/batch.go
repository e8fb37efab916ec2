package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/fault"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair/natural"
)

// This file makes the batch problems of the corpus: faulty programs, with the results of the right program on given and
// on held-back inputs.

// Judged is a program of the corpus with the inputs of its reference.
type Judged struct {
	*Entry
	Prog  *lower.Program
	Func  *cfront.Func
	Scope []*cfront.Func
	Given []*oracle.State
	Held  []*oracle.State
}

// Judge loads a program and makes inputs of its entry's shape.
func Judge(ctx context.Context, e *Entry, given, held int) (*Judged, error) {
	prog, err := e.Parse(ctx, e.Source())
	if err != nil {
		return nil, err
	}
	j := &Judged{Entry: e, Prog: prog, Func: prog.Tree.Func(e.Func)}
	j.Scope = []*cfront.Func{j.Func}
	im, err := oracle.Entered(ctx, prog, j.Func, oracle.Start{Args: e.Args()})
	if err != nil {
		return nil, err
	}
	if im == nil {
		return nil, fmt.Errorf("%s: %s is not called", e.Name, e.Func)
	}
	var why string
	if j.Given, why = oracle.Inputs(im, j.Func, given, 1); why != "" {
		return nil, fmt.Errorf("%s: %s", e.Name, why)
	}
	j.Held, _ = oracle.Inputs(im, j.Func, held, 1000)
	return j, nil
}

// Faulty is a faulty variant of a program, as text and loaded, with its cases.
type Faulty struct {
	Of    *Judged
	Fault *fault.Fault
	Text  string
	Prog  *lower.Program
	Given *oracle.Suite
	Held  *oracle.Suite
}

// Break injects a fault that a given input shows; nil if none was found in the tries allowed.
func (j *Judged) Break(ctx context.Context, rnd *rand.Rand, x, y int) (*Faulty, error) {
	in := fault.New(j.Prog, j.Scope, fault.Paper)
	for try := 0; try < 40; try++ {
		f := in.Draw(rnd, x, y)
		if f == nil {
			return nil, nil
		}
		_, text, err := f.Source(j.Prog)
		if err != nil {
			continue
		}
		b, err := j.Suites(ctx, text)
		if err != nil || b == nil {
			continue // the variant does not compile
		}
		b.Fault = f
		shown, err := b.shown()
		if err != nil {
			return nil, err
		}
		if shown {
			return b, nil
		}
	}
	return nil, nil
}

// Suites loads a variant and makes its cases, with the results of the reference.
func (j *Judged) Suites(ctx context.Context, text string) (*Faulty, error) {
	b := &Faulty{Of: j, Text: text}
	var err error
	if b.Prog, err = j.Entry.Parse(ctx, []byte(text)); err != nil {
		return nil, err
	}
	ref := &oracle.Reference{Prog: j.Prog, Entry: j.Func}
	if b.Given, _, err = ref.Suite(b.Prog, j.Given); err != nil {
		return nil, err
	}
	b.Held, _, err = ref.Suite(b.Prog, j.Held)
	return b, err
}

// shown reports whether the variant differs from the reference on a given input.
func (b *Faulty) shown() (bool, error) {
	r, err := oracle.NewRunner(b.Given)
	if err != nil {
		return false, err
	}
	for _, c := range b.Given.Cases {
		run, err := r.Run(c, nil)
		if err != nil {
			return false, err
		}
		if !run.Meets(c.Want) {
			return true, nil
		}
	}
	return false, nil
}

// Batched is the result for one faulty program repaired without a session.
type Batched struct {
	ID      string   `json:"id"`
	Class   string   `json:"class"`
	By      string   `json:"by"` // reference or tests
	Variant int      `json:"variant"`
	Faults  []string `json:"faults"`
	Failing int      `json:"failing"` // given cases that fail
	Found   bool     `json:"found"`
	Right   bool     `json:"right"` // also on the held-back inputs
	Cause   string   `json:"cause,omitempty"`
	Took    float64  `json:"ms"`
	Patch   []string `json:"patch,omitempty"`
}

// BatchOptions say what is measured.
type BatchOptions struct {
	Entries  []Entry
	Variants int
	Seed     int64
	Limit    time.Duration
	Progress func(done, all int)
}

var batchClasses = []Class{{1, 0}, {0, 1}, {2, 0}, {1, 1}}

// Batch repairs injected faults, once from a reference and once from ten tests, and checks the repairs on held-back
// inputs.
func Batch(ctx context.Context, w io.Writer, o BatchOptions) ([]Batched, error) {
	var out []Batched
	left := 0
	all := len(o.Entries) * len(batchClasses) * o.Variants
	done := 0
	for i := range o.Entries {
		j, err := Judge(ctx, &o.Entries[i], 60, 200)
		if err != nil {
			return nil, err
		}
		tests, held, err := j.tests()
		if err != nil {
			return nil, err
		}
		for _, c := range batchClasses {
			for v := 0; v < o.Variants; v++ {
				rnd := rand.New(rand.NewSource(o.Seed + int64(o.Entries[i].place())*100_003 + int64(c.X*10+c.Y)*1009 + int64(v)))
				b, err := j.Break(ctx, rnd, c.X, c.Y)
				if err != nil {
					return nil, err
				}
				done++
				if o.Progress != nil {
					o.Progress(done, all)
				}
				if b == nil {
					left++
					continue
				}
				for _, by := range []string{"reference", "tests"} {
					given, check := b.Given, b.Held
					if by == "tests" {
						given, check = oracle.Runs(b.Prog, tests, 0), oracle.Runs(b.Prog, held, 0)
						given.Edited = []*cfront.Func{b.Given.Entry}
					}
					r := Batched{ID: j.ID, Class: c.String(), By: by, Variant: v}
					for _, m := range b.Fault.Mutations {
						r.Faults = append(r.Faults, filepath.Base(m.Text))
					}
					if err := b.solve(ctx, &r, given, check, o.Limit); err != nil {
						return nil, err
					}
					if r.Failing > 0 {
						out = append(out, r)
					}
				}
			}
		}
	}
	printBatch(w, out, o, left)
	return out, nil
}

// tests makes ten given tests and the held-back ones from the shape's arguments.
func (j *Judged) tests() (given, held []oracle.Test, err error) {
	for _, args := range j.Shape.Arguments(60, 5) {
		t, _, ok, err := oracle.Expect(j.Prog, strings.Join(args, " "), args, "", 2)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			given = append(given, t)
		}
	}
	chosen, err := j.covering(given)
	if err != nil {
		return nil, nil, err
	}
	// Add tests up to testsGiven, the largest first.
	n := len(chosen)
	for i := len(given) - 1; i >= 0 && n < testsGiven; i -= 3 {
		if !chosen[i] {
			chosen[i] = true
			n++
		}
	}
	var ten []oracle.Test
	for i, t := range given {
		if chosen[i] {
			ten = append(ten, t)
		} else {
			held = append(held, t)
		}
	}
	return ten, held, nil
}

// testsGiven is the number of tests from which a repair is made.
const testsGiven = 10

// covering chooses tests as people do: one after the other the test that covers the most new edges of the function, and
// the largest among equals.
func (j *Judged) covering(tests []oracle.Test) (map[int]bool, error) {
	run, err := oracle.NewRunner(oracle.Runs(j.Prog, tests, 0))
	if err != nil {
		return nil, err
	}
	ways := make([]map[[2]int32]bool, len(tests))
	for i, c := range run.Suite.Cases {
		ways[i] = map[[2]int32]bool{}
		_, err := run.Trace(c, func(prev, at int32) {
			if j.Prog.Stmts[at].Func == j.Func {
				ways[i][[2]int32{prev, at}] = true
			}
		})
		if err != nil {
			return nil, err
		}
	}
	chosen := map[int]bool{}
	seen := map[[2]int32]bool{}
	for len(chosen) < testsGiven {
		best, most := -1, 0
		for i := range tests {
			gain := 0
			for w := range ways[i] {
				if !seen[w] {
					gain++
				}
			}
			if gain > 0 && gain >= most {
				best, most = i, gain
			}
		}
		if best < 0 {
			break
		}
		chosen[best] = true
		for w := range ways[best] {
			seen[w] = true
		}
	}
	return chosen, nil
}

// probe returns the given calls without expected results.
func (b *Faulty) probe() *oracle.Suite {
	s := &oracle.Suite{Prog: b.Prog, Entry: b.Given.Entry, Globals: b.Given.Globals, Args: b.Given.Args}
	for _, c := range b.Given.Cases {
		s.Cases = append(s.Cases, &oracle.Case{Name: c.Name, State: c.State})
	}
	return s
}

func (b *Faulty) solve(ctx context.Context, r *Batched, given, held *oracle.Suite, limit time.Duration) error {
	begin := time.Now()
	p := &natural.Problem{Prog: b.Prog, Suite: given, Funcs: []*cfront.Func{b.Given.Entry}, Limit: limit}
	if given.Entry == nil {
		p.Probe = b.probe()
	}
	res, err := natural.Solve(ctx, p)
	if err != nil {
		return err
	}
	r.Took = float64(time.Since(begin).Microseconds()) / 1000
	r.Failing, r.Cause, r.Found = res.Failing, res.Cause, len(res.Repairs) > 0
	if !r.Found {
		return nil
	}
	for _, e := range res.Repairs[0].Patch.Edits() {
		r.Patch = append(r.Patch, filepath.Base(e.Describe(b.Prog)))
	}
	os, err := natural.Overlays(b.Prog, res.Repairs[0].Patch)
	if err != nil {
		return err
	}
	run, err := oracle.NewRunner(held)
	if err != nil {
		return err
	}
	r.Right = true
	for _, c := range held.Cases {
		got, err := run.Run(c, os)
		if err != nil {
			return err
		}
		if !got.Meets(c.Want) {
			r.Right = false
			break
		}
	}
	return nil
}

func printBatch(w io.Writer, rs []Batched, o BatchOptions, left int) {
	fmt.Fprintf(w, "Repair without a session: %s, %s a class, seed %d, limit %v; right: also on inputs that were held back\n", plural.N(len(o.Entries), "program"), plural.N(o.Variants, "variant"), o.Seed, o.Limit)
	fmt.Fprintf(w, "%-10s %-8s %6s %6s %6s %6s %9s %9s %9s\n", "from", "faults", "asked", "right", "wrong", "none", "median", "95%", "max")
	for _, by := range []string{"reference", "tests"} {
		for _, size := range []struct {
			name string
			n    int
		}{{"single", 1}, {"double", 2}} {
			var times []float64
			asked, right, wrong := 0, 0, 0
			for _, r := range rs {
				if r.By != by || len(r.Faults) != size.n {
					continue
				}
				asked++
				times = append(times, r.Took)
				switch {
				case r.Right:
					right++
				case r.Found:
					wrong++
				}
			}
			sort.Float64s(times)
			ms := func(q float64) time.Duration {
				return time.Duration(quantile(times, q) * float64(time.Millisecond)).Round(time.Millisecond)
			}
			fmt.Fprintf(w, "%-10s %-8s %6d %6d %6d %6d %9v %9v %9v   right %.1f%%, wrong %.1f%%\n", by, size.name, asked, right, wrong, asked-right-wrong, ms(0.5), ms(0.95), ms(1),
				100*float64(right)/float64(max(asked, 1)), 100*float64(wrong)/float64(max(asked, 1)))
		}
	}
	fmt.Fprintf(w, "left out: %s without a visible fault; what ten tests do not show is not asked\n", plural.N(left, "variant"))
}
