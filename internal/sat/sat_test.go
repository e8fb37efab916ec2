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
		r, core, err := s.Solve(context.Background(), assume)
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
