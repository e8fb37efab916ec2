package sat

import (
	"context"
	"math/rand"
	"testing"
)

// TestAgainstTable compares random small problems, with assumptions, with
// their truth tables; cores must themselves be unsatisfiable.
func TestAgainstTable(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for round := 0; round < 400; round++ {
		const vars = 6
		s := New()
		for i := 0; i < vars; i++ {
			s.Fresh()
		}
		random := func() int {
			l := 1 + rnd.Intn(vars)
			if rnd.Intn(2) == 0 {
				return -l
			}
			return l
		}
		var clauses [][]int
		for i := 0; i < 8+rnd.Intn(16); i++ {
			c := []int{random(), random(), random()}
			clauses = append(clauses, c)
			s.Clause(c...)
		}
		assume := []int{random(), random()}
		holds := func(bits int, l int) bool {
			v := bits>>(max(l, -l)-1)&1 == 1
			return v == (l > 0)
		}
		table := func(assume []int) bool {
			for bits := 0; bits < 1<<vars; bits++ {
				ok := true
				for _, l := range assume {
					ok = ok && holds(bits, l)
				}
				for _, c := range clauses {
					ok = ok && (holds(bits, c[0]) || holds(bits, c[1]) || holds(bits, c[2]))
				}
				if ok {
					return true
				}
			}
			return false
		}
		r, core, _, err := s.Solve(context.Background(), assume, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := table(assume); want != (r == Satisfiable) {
			t.Fatalf("round %d: %v, the table says %v", round, r, want)
		}
		if r == Unsatisfiable && table(core) {
			t.Fatalf("round %d: core %v of %v is satisfiable", round, core, assume)
		}
	}
}

// pigeons returns a solver that is told to put n pigeons into one hole less.
func pigeons(n int) *Solver {
	s := New()
	in := make([][]int, n)
	for p := range in {
		for range n - 1 {
			in[p] = append(in[p], s.Fresh())
		}
		s.Clause(in[p]...)
	}
	for h := range n - 1 {
		for p := range n {
			for q := range p {
				s.Clause(-in[p][h], -in[q][h])
			}
		}
	}
	return s
}

// TestWork asks a question with limits of its work: the same limit has the same result, to a propagation.
func TestWork(t *testing.T) {
	ctx := context.Background()
	r, _, took, _ := pigeons(8).Solve(ctx, nil, 0)
	if r != Unsatisfiable || took < 50_000 {
		t.Fatalf("%v after %d propagations", r, took)
	}
	for _, c := range []struct {
		most, work int64
		want       Result
	}{{took, took, Unsatisfiable}, {took - 1, took - 1, Unknown}, {took + 1, took, Unsatisfiable}, {1000, 1000, Unknown}, {took / 2, took / 2, Unknown}} {
		if r, _, work, err := pigeons(8).Solve(ctx, nil, c.most); r != c.want || work != c.work || err != nil {
			t.Errorf("limit %d: %v after %d (%v), want %v after %d", c.most, r, work, err, c.want, c.work)
		}
	}
	if r, _, work, _ := pigeons(13).Solve(ctx, nil, 300_000); r != Unknown || work != 300_000 {
		t.Errorf("a long question: %v after %d", r, work)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if r, _, _, _ := pigeons(13).Solve(ended, nil, 1<<40); r != Unknown {
		t.Errorf("the context has ended: %v", r)
	}
}
