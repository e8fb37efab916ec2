package smt

import (
	"context"
	"fmt"
	"math/rand"
	"os/exec"
	"testing"
	"time"

	"gulo/internal/sat"
)

func start(t *testing.T) *Process {
	t.Helper()
	if !Available() {
		t.Skip(ErrMissing)
	}
	p, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func TestSolve(t *testing.T) {
	p := start(t)
	x, y := p.Term(""), p.Term("")
	a := p.Prop(fmt.Sprintf("(= (bvadd %s %s) %s)", x, y, Word(12)))
	b := p.Prop(fmt.Sprintf("(= %s %s)", x, Word(5)))
	c := p.Prop(fmt.Sprintf("(= %s %s)", y, Word(8)))
	d := p.Fresh()
	r, _, err := p.Solve(context.Background(), []int{a, b, -d})
	if err != nil || r != sat.Satisfiable || p.TermValue(y) != 7 || !p.Value(b) || p.Value(d) {
		t.Fatalf("%v %v: y = %d", r, err, p.TermValue(y))
	}
	r, core, err := p.Solve(context.Background(), []int{-d, a, b, c})
	if err != nil || r != sat.Unsatisfiable || fmt.Sprint(core) == "" || len(core) != 3 {
		t.Fatalf("%v %v core %v", r, err, core)
	}
	p.Clause(d)
	if _, core, _ := p.Solve(context.Background(), []int{-d, a}); len(core) != 1 || core[0] != -d {
		t.Errorf("core %v, want only %d", core, -d)
	}
	p.Reset()
	if r, _, _ := p.Solve(context.Background(), nil); r != sat.Satisfiable {
		t.Errorf("after a reset: %v", r)
	}
}

// TestLimit asks something hard with a deadline: the answer is unknown, soon.
func TestLimit(t *testing.T) {
	p := start(t)
	x, y := p.Term(""), p.Term("")
	p.Prop("true")
	a := p.Prop(fmt.Sprintf("(and (= (bvmul %s %s) #x7ce66c50e2840001) (bvugt %s #x0000000000000001) (bvult %s %s))", x, y, x, x, y))
	b := p.Prop(fmt.Sprintf("(and (bvult %s #x00000000ffffffff) (bvult %s #x00000000ffffffff))", x, y))
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	begin := time.Now()
	r, _, err := p.Solve(ctx, []int{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); r == sat.Unknown && took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestKilled loses its solver: an error, no hang.
func TestKilled(t *testing.T) {
	p := start(t)
	p.Fresh()
	_ = exec.Command("kill", "-9", fmt.Sprint(p.cmd.Process.Pid)).Run()
	time.Sleep(50 * time.Millisecond)
	if _, _, err := p.Solve(context.Background(), nil); err == nil {
		t.Error("no error from a dead solver")
	}
}

// TestAgainstSAT compares the two solvers on random clauses under assumptions.
func TestAgainstSAT(t *testing.T) {
	p := start(t)
	rnd := rand.New(rand.NewSource(2))
	for round := 0; round < 60; round++ {
		p.Reset()
		s := sat.New()
		for i := 0; i < 8; i++ {
			p.Fresh()
			s.Fresh()
		}
		random := func() int { return (1 + rnd.Intn(8)) * (1 - 2*rnd.Intn(2)) }
		for i := 0; i < 30; i++ {
			c := []int{random(), random(), random()}
			p.Clause(c...)
			s.Clause(c...)
		}
		assume := []int{random(), random(), random()}
		a, _, err1 := p.Solve(context.Background(), assume)
		b, _, err2 := s.Solve(context.Background(), assume)
		if err1 != nil || err2 != nil || a != b {
			t.Fatalf("round %d: z3 %v, gini %v (%v %v)", round, a, b, err1, err2)
		}
	}
}
