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
	r, _, _, err := p.Solve(context.Background(), []int{a, b, -d}, 0)
	if err != nil || r != sat.Satisfiable || p.TermValue(y) != 7 || !p.Value(b) || p.Value(d) {
		t.Fatalf("%v %v: y = %d", r, err, p.TermValue(y))
	}
	r, core, _, err := p.Solve(context.Background(), []int{-d, a, b, c}, 0)
	if err != nil || r != sat.Unsatisfiable || fmt.Sprint(core) == "" || len(core) != 3 {
		t.Fatalf("%v %v core %v", r, err, core)
	}
	p.Clause(d)
	if _, core, _, _ := p.Solve(context.Background(), []int{-d, a}, 0); len(core) != 1 || core[0] != -d {
		t.Errorf("core %v, want only %d", core, -d)
	}
	p.Reset()
	if r, _, _, _ := p.Solve(context.Background(), nil, 0); r != sat.Satisfiable {
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
	r, _, _, err := p.Solve(ctx, []int{a, b}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); r == sat.Unknown && took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestWork asks the same with limits of work: each limit has its answer, and takes as much, each time.
func TestWork(t *testing.T) {
	ask := func(limit int64) (sat.Result, int64) {
		p := start(t)
		x, y := p.Term(""), p.Term("")
		a := p.Prop(fmt.Sprintf("(= (bvmul %s %s) #x0000000000004a4b)", x, y))
		b := p.Prop(fmt.Sprintf("(and (bvult #x0000000000000001 %s) (bvult %s %s) (bvult %s #x0000000000001000))", x, x, y, y))
		r, _, work, err := p.Solve(context.Background(), []int{a, b}, limit)
		if err != nil {
			t.Fatal(err)
		}
		if r, _, _, err := p.Solve(context.Background(), nil, 0); err != nil || r != sat.Satisfiable {
			t.Errorf("the question after one with limit %d: %v, %v", limit, r, err)
		}
		return r, work
	}
	r, took := ask(0)
	if r == sat.Unknown || took < 1000 {
		t.Fatalf("%v after %d", r, took)
	}
	for _, limit := range []int64{took / 2, 2 * took} {
		first, work := ask(limit)
		if (first == sat.Unknown) != (limit < took) {
			t.Errorf("limit %d of %d: %v", limit, took, first)
		}
		if again, w := ask(limit); again != first || w != work {
			t.Errorf("limit %d: %v after %d, then %v after %d", limit, first, work, again, w)
		}
	}
}

// TestAnswersLate asks on after answers that came when their time was up: what would have
// ended the solver had it been silent must leave the next question alone.
func TestAnswersLate(t *testing.T) {
	p := start(t)
	p.Fresh()
	for late := 0; late < 5; late++ {
		// The time of a question is over before its answer is read.
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, _, _, err := p.Solve(ctx, nil, 0); err != nil {
			t.Fatal(err)
		}
		if p.err != nil { // the answer took more than the overtime, too: so busy is the machine
			p = start(t)
			p.Fresh()
		}
	}
	time.Sleep(2 * overtime)
	if r, _, _, err := p.Solve(context.Background(), nil, 0); err != nil || r != sat.Satisfiable {
		t.Error(r, err)
	}
}

// TestKilled loses its solver: an error, no hang.
func TestKilled(t *testing.T) {
	p := start(t)
	p.Fresh()
	_ = exec.Command("kill", "-9", fmt.Sprint(p.cmd.Process.Pid)).Run()
	time.Sleep(50 * time.Millisecond)
	if _, _, _, err := p.Solve(context.Background(), nil, 0); err == nil {
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
		a, _, _, err1 := p.Solve(context.Background(), assume, 0)
		b, _, _, err2 := s.Solve(context.Background(), assume, 0)
		if err1 != nil || err2 != nil || a != b {
			t.Fatalf("round %d: z3 %v, gini %v (%v %v)", round, a, b, err1, err2)
		}
	}
}

// TestBounds: with bounds on symbols terms are narrower, and mean the same within
// them.
func TestBounds(t *testing.T) {
	rnd := rand.New(rand.NewSource(5))
	for round := range 400 {
		free, bound := NewTerms(), NewTerms()
		m := Model{}
		var fs, bs []*Term
		for i := range 3 {
			name := fmt.Sprint("v", i)
			lo := int64(rnd.Intn(80) - 60)
			hi := lo + int64(rnd.Intn(90))
			x := lo + int64(rnd.Intn(int(hi-lo)+1))
			m[name] = uint64(x) & mask(32)
			fs = append(fs, free.Var(name, 32))
			v := bound.Var(name, 32)
			bound.Bound(v, lo, hi)
			bs = append(bs, bound.Narrow(v))
		}
		for range 12 {
			i, j := rnd.Intn(len(fs)), rnd.Intn(len(fs))
			build := func(ts *Terms, l []*Term, op int) *Term {
				a, b := l[i], l[j]
				ops := []Op{OpAdd, OpSub, OpMul, OpSDiv, OpSRem, OpUDiv, OpURem, OpBitAnd, OpBitOr, OpBitXor}
				switch {
				case op < len(ops):
					return ts.Bin(ops[op], a, b)
				case op == len(ops):
					return ts.Ite(ts.Less(a, b, true, false), a, b)
				case op == len(ops)+1:
					return ts.Ite(ts.Less(a, b, false, true), b, ts.Const(3, 32))
				case op == len(ops)+2:
					return ts.Bin(OpShl, a, ts.Const(3, 32))
				case op == len(ops)+3:
					return ts.Bin(OpAShr, a, ts.Const(2, 32))
				case op == len(ops)+4:
					return ts.Bin(OpLShr, a, ts.Const(1, 32))
				case op == len(ops)+5:
					return ts.Number(ts.Or(ts.Eq(a, b), ts.MulOverflow(a, b)), 32)
				}
				return ts.Extend(ts.Extract(a, 0, 8), false, 32)
			}
			op := rnd.Intn(17)
			f, b := build(free, fs, op), build(bound, bs, op)
			fs, bs = append(fs, f), append(bs, b)
			got, want := Eval(b, m), Eval(f, m)
			if got != want {
				t.Fatalf("round %d: %s is %d, %s %d for %v", round, f, int32(want), b, int32(got), m)
			}
			if n := signed(got, 32); n < b.rng.lo || n > b.rng.hi {
				t.Fatalf("round %d: %s is %d, not in %v", round, b, n, b.rng)
			}
		}
	}
}
