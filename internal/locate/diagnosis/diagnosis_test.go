package diagnosis

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand"
	"slices"
	"testing"

	"gulo/internal/smt"
)

// TestHittingSets holds the hitting-set graph against all subsets, with conflicts that
// are minimal and with some that are not.
func TestHittingSets(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	const n = 8
	for round := range 600 {
		var family []uint
		for range 1 + rnd.Intn(6) {
			c := uint(0)
			for range 1 + rnd.Intn(4) {
				c |= 1 << rnd.Intn(n)
			}
			family = append(family, c)
		}
		conflict := func(without []int) ([]int, bool) {
			skip := uint(0)
			for _, w := range without {
				skip |= 1 << w
			}
			for _, i := range rnd.Perm(len(family)) {
				c := family[i]
				if c&skip != 0 {
					continue
				}
				if round%2 == 1 { // one that is not minimal
					c |= 1 << rnd.Intn(n) &^ skip
				}
				var out []int
				for m := range n {
					if c>>m&1 == 1 {
						out = append(out, m)
					}
				}
				return out, true
			}
			return nil, false
		}
		hits := func(s uint) bool {
			return !slices.ContainsFunc(family, func(c uint) bool { return c&s == 0 })
		}
		want := map[string]bool{}
		for s := range uint(1 << n) {
			minimal := hits(s)
			for m := range n {
				if s>>m&1 == 1 && hits(s&^(1<<m)) {
					minimal = false
				}
			}
			if minimal && bits.OnesCount(s) <= 3 {
				var set []int
				for m := range n {
					if s>>m&1 == 1 {
						set = append(set, m)
					}
				}
				want[fmt.Sprint(set)] = true
			}
		}
		last := 0
		got := map[string]bool{}
		HittingSets(conflict, 3, func(s []int) bool {
			if len(s) < last || got[fmt.Sprint(s)] {
				t.Errorf("%v comes late or twice", s)
			}
			last = len(s)
			got[fmt.Sprint(s)] = true
			return true
		})
		if len(got) != len(want) {
			t.Fatalf("round %d: conflicts %b: %v, want %v", round, family, got, want)
		}
		for s := range want {
			if !got[s] {
				t.Fatalf("round %d: %s is missing", round, s)
			}
		}
	}
}

// TestDiagnose is Example 5 of the paper, with and without the condition as a
// component (Example 2 and section V).
func TestDiagnose(t *testing.T) {
	if !smt.Available() {
		t.Skip("no z3")
	}
	ts := smt.NewTerms()
	x, y := ts.Var("x", 32), ts.Var("y", 32)
	r1, r2, r3 := ts.Var("r1", 32), ts.Var("r2", 32), ts.Var("r3", 32)
	ge := func(a, b *smt.Term) *smt.Term { return ts.Less(b, a, true, true) }
	good := func(r *smt.Term) *smt.Term { return ts.And(ge(r, x), ge(r, y)) }
	more := ts.Less(x, y, true, false)
	asked := ts.Not(ts.Eq(r3, ts.Const(0, 32)))
	failing := []smt.Model{{"x": 0, "y": 1}, {"x": 5, "y": 900}}
	for _, c := range []struct {
		conditions bool
		want       string
	}{{false, "[[1]]"}, {true, "[[1] [0 2]]"}} {
		d := &Data{Terms: ts, Components: 2, Holes: []Hole{{0, r1, x}, {1, r2, x}}, Pass: ts.Or(ts.And(more, good(r2)), ts.And(ts.Not(more), good(r1)))}
		if c.conditions {
			d.Components = 3
			d.Holes = append(d.Holes, Hole{2, r3, ts.Number(more, 32)})
			d.Pass = ts.Or(ts.And(asked, good(r2)), ts.And(ts.Not(asked), good(r1)))
		}
		var pool []*smt.Solver
		res, err := Diagnose(context.Background(), func(i int) (*smt.Solver, error) {
			for len(pool) <= i {
				s, err := smt.NewSolver()
				if err != nil {
					return nil, err
				}
				pool = append(pool, s)
			}
			return pool[i], nil
		}, d, failing, Options{})
		for _, s := range pool {
			s.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		var got [][]int
		for _, g := range res.Diagnoses {
			got = append(got, g.Components)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("conditions %v: %v, want %s (conflicts %v)", c.conditions, got, c.want, res.Conflicts)
		}
	}
}
