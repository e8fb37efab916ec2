package smt

import (
	"context"
	"math/rand"
	"os/exec"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/sat"
)

// TestSimplify holds what is made of terms against their meaning: with numbers for
// the symbols the simplified term has the value that the operators have.
func TestSimplify(t *testing.T) {
	rnd := rand.New(rand.NewSource(5))
	for range 400 {
		ts := NewTerms()
		m := Model{}
		var terms []*Term // of 8 bits
		var vals []uint64
		var conds []*Term
		var truth []uint64
		add := func(x *Term, v uint64) { terms, vals = append(terms, x), append(vals, v) }
		say := func(x *Term, v uint64) { conds, truth = append(conds, x), append(truth, v) }
		for _, n := range []string{"x", "y"} {
			m[n] = uint64(rnd.Intn(256))
			add(ts.Var(n, 8), m[n])
		}
		add(ts.Const(0, 8), 0)
		add(ts.Const(1, 8), 1)
		add(ts.Const(0xff, 8), 0xff)
		say(ts.True, 1)
		m["p"] = uint64(rnd.Intn(2))
		say(ts.Var("p", 0), m["p"])
		for range 60 {
			i, j, c, d := rnd.Intn(len(terms)), rnd.Intn(len(terms)), rnd.Intn(len(conds)), rnd.Intn(len(conds))
			a, b, x, y := terms[i], terms[j], vals[i], vals[j]
			switch rnd.Intn(10) {
			case 0, 1, 2:
				op := []Op{OpAdd, OpSub, OpMul, OpUDiv, OpURem, OpSDiv, OpSRem, OpBitAnd, OpBitOr, OpBitXor, OpShl, OpLShr, OpAShr}[rnd.Intn(13)]
				add(ts.Bin(op, a, b), apply(op, 8, 8, x, y, 0, 0))
			case 3:
				add(ts.BitNot(a), ^x&0xff)
			case 4:
				from := uint8(rnd.Intn(5))
				signed := rnd.Intn(2) == 0
				w := ts.Extend(a, signed, 13)
				e := ts.Extract(w, from, 8)
				wide := x
				if signed {
					wide = uint64(int64(int8(x))) & 0x1fff
				}
				add(e, wide>>from&0xff)
			case 5:
				lo := ts.Extract(a, 0, 4)
				add(ts.Concat(lo, ts.Extract(b, 4, 4)), (x&15)<<4|y>>4)
			case 6:
				v := y
				if truth[c] == 1 {
					v = x
				}
				add(ts.Ite(conds[c], a, b), v)
			case 7:
				say(ts.Eq(a, b), apply(OpEq, 0, 8, x, y, 0, 0))
			case 8:
				isSigned, orEqual := rnd.Intn(2) == 0, rnd.Intn(2) == 0
				op := map[[2]bool]Op{{true, true}: OpSLe, {true, false}: OpSLt, {false, true}: OpULe, {false, false}: OpULt}[[2]bool{isSigned, orEqual}]
				say(ts.Less(a, b, isSigned, orEqual), apply(op, 0, 8, x, y, 0, 0))
			default:
				say(ts.And(conds[c], ts.Not(conds[d])), truth[c]&(1-truth[d]))
				say(ts.Or(conds[c], conds[d]), truth[c]|truth[d])
			}
		}
		p := NewTape(append(terms, conds...)...)
		p.Run(m)
		lazy := &Lazy{}
		lazy.Use(m)
		for i, x := range terms {
			if p.Value(x) != vals[i] || lazy.Value(x) != vals[i] {
				t.Fatalf("%s with %v: %d and %d, want %d", x, m, p.Value(x), lazy.Value(x), vals[i])
			}
		}
		for i, x := range conds {
			if p.Value(x) != truth[i] || lazy.Value(x) != truth[i] {
				t.Fatalf("%s with %v: %d, want %d", x, m, p.Value(x), truth[i])
			}
		}
	}
}

// TestUnknown makes the solver time out, die and answer nonsense: never is anything
// reported as proved, and the next question is answered.
func TestUnknown(t *testing.T) {
	if !Available() {
		t.Skip("no z3")
	}
	fake := func(script string) func() (*Process, error) {
		return func() (*Process, error) { return startCommand(exec.Command("sh", "-c", script)) }
	}
	for name, script := range map[string]string{
		"dies":          "exit 0",
		"nonsense":      "while read -r x; do case $x in *check-sat*) echo '(error \"what\")';; esac; done",
		"wrong model":   "while read -r x; do case $x in *check-sat*) echo sat;; *get-value*) echo '((x2 #x00000000))';; esac; done",
		"no model":      "while read -r x; do case $x in *check-sat*) echo sat;; *get-value*) echo '()';; esac; done",
		"strange core":  "while read -r x; do case $x in *check-sat*) echo unsat;; *get-unsat*) echo '(q17)';; esac; done",
		"never answers": "while read -r x; do :; done",
	} {
		s := &Solver{start: fake(script), Limit: 10 * time.Millisecond}
		if err := s.restart(); err != nil {
			t.Fatal(err)
		}
		ts := NewTerms()
		c := ts.Eq(ts.Bin(OpAdd, ts.Var("x", 32), ts.Const(1, 32)), ts.Bin(OpMul, ts.Var("x", 32), ts.Var("x", 32)))
		r, _, err := s.Check(context.Background(), c)
		if r != sat.Unknown || err != nil || s.Cause == "" {
			t.Errorf("%s: %v, %v, cause %q", name, r, err, s.Cause)
		}
		s.start = Start // what was lost comes back
		if err := s.restart(); err != nil {
			t.Fatal(err)
		}
		s.Limit = 0
		if r, _, err := s.Check(context.Background(), ts.Eq(ts.Var("x", 32), ts.Const(7, 32))); r != sat.Satisfiable || err != nil || s.Model()["x"] != 7 {
			t.Errorf("%s, afterwards: %v %v %v", name, r, err, s.Model())
		}
		s.Close()
	}
	s, err := NewSolver()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Limit = 50 * time.Millisecond
	ts := NewTerms()
	x, y := ts.Var("x", 64), ts.Var("y", 64)
	hard := ts.And(ts.Eq(ts.Bin(OpMul, x, y), ts.Const(0xfffffffb3e8af5f1, 64)), ts.And(ts.Less(ts.Const(1, 64), x, false, false), ts.Less(x, y, false, false)))
	hard = ts.And(hard, ts.Less(y, ts.Const(1<<33, 64), false, false))
	if r, _, err := s.Check(context.Background(), hard); r != sat.Unknown || err != nil || s.Cause != OutOfSteps {
		t.Errorf("a hard question: %v %v, cause %q", r, err, s.Cause)
	}
	left := Units(s.Limit) * 3 / 2 // the second question gets half
	s.Left = &left
	for n, want := range []bool{true, false, false} {
		if r, _, err := s.Check(context.Background(), hard); r != sat.Unknown || err != nil || (left > 0) != want {
			t.Errorf("question %d: %v %v, %d left", n, r, err, left)
		}
	}
	if r, _, err := s.Check(context.Background(), ts.Eq(x, y)); r != sat.Unknown || err != nil {
		t.Errorf("with nothing left: %v %v", r, err)
	}
}

// TestSpends: what a question takes is work of the search, counted from the first one after a Reset, and a question takes no
// longer than what is left.
func TestSpends(t *testing.T) {
	if !Available() {
		t.Skip("no z3")
	}
	s, err := NewSolver()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ts := NewTerms()
	x, y := ts.Var("x", 64), ts.Var("y", 64)
	hard := ts.And(ts.Eq(ts.Bin(OpMul, x, y), ts.Const(0xfffffffb3e8af5f1, 64)), ts.And(ts.Less(ts.Const(1, 64), x, false, false), ts.Less(x, y, false, false)))
	ctx := budget.Begin(context.Background(), time.Hour)
	before := budget.Now(ctx)
	if ts.Spend(ctx); !budget.Now(ctx).After(before) {
		t.Error("terms are made for nothing")
	}
	const most = 20 * time.Millisecond
	var first time.Duration
	for range 3 {
		s.Reset()
		begin := budget.Now(ctx)
		part, free := budget.WithDeadline(ctx, begin.Add(most))
		r, _, err := s.Check(part, hard)
		over := part.Err() != nil
		free()
		took := budget.Since(ctx, begin)
		if r != sat.Unknown || err != nil || s.Cause != "time" || !over || took < most || took > 2*most {
			t.Errorf("a hard question with %v: %v %v, cause %q, over: %v, after %v", most, r, err, s.Cause, over, took)
		}
		if first == 0 {
			first = took
		}
		if took != first {
			t.Errorf("the same question took %v, and %v before", took, first)
		}
	}
}
