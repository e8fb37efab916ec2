package symbolic

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/sat"
	"gulo/internal/smt"
)

// expressions is how many random expressions are compared; GULO_EXPRESSIONS changes
// it.
const expressions = 1500

var variables = []struct{ name, typ string }{
	{"a", "int"}, {"b", "unsigned"}, {"c", "long"}, {"d", "unsigned long"}, {"e", "short"}, {"f", "unsigned char"}, {"g", "signed char"}, {"h", "_Bool"},
}

func randomExpr(rnd *rand.Rand, depth int) string {
	if depth == 0 || rnd.Intn(7) == 0 {
		if rnd.Intn(3) == 0 {
			return strconv.Itoa(rnd.Intn(300) - 100)
		}
		return variables[rnd.Intn(len(variables))].name
	}
	x, y := randomExpr(rnd, depth-1), randomExpr(rnd, depth-1)
	switch rnd.Intn(10) {
	case 0:
		return fmt.Sprintf("(%s %s (%s & 7))", x, []string{"<<", ">>"}[rnd.Intn(2)], y)
	case 1:
		return fmt.Sprintf("(%s %s ((%s & 31) | 1))", x, []string{"/", "%"}[rnd.Intn(2)], y)
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", randomExpr(rnd, depth-1), x, y)
	case 3:
		return fmt.Sprintf("(%s(%s))", []string{"-", "~", "!"}[rnd.Intn(3)], x)
	case 4:
		return fmt.Sprintf("((%s)%s)", variables[rnd.Intn(len(variables))].typ, x)
	case 5:
		return fmt.Sprintf("(%s %s %s)", x, []string{"&&", "||"}[rnd.Intn(2)], y)
	case 6:
		return fmt.Sprintf("(%s %s %s)", x, []string{"<", "<=", ">", ">=", "==", "!="}[rnd.Intn(6)], y)
	}
	return fmt.Sprintf("(%s %s %s)", x, []string{"+", "-", "*", "&", "|", "^"}[rnd.Intn(6)], y)
}

func load(t *testing.T, text string) *lower.Program {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Load(context.Background(), []string{name}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func native(t *testing.T, text string) []string {
	t.Helper()
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "native.c"), filepath.Join(dir, "native")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-fwrapv", "-O1", "-o", bin, src).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// TestExpressions holds the formula of random expressions, computed by us and by Z3,
// against what gcc makes of them.
func TestExpressions(t *testing.T) {
	n := expressions
	if k, err := strconv.Atoi(os.Getenv("GULO_EXPRESSIONS")); err == nil {
		n = k
	}
	rnd := rand.New(rand.NewSource(11))
	model := smt.Model{}
	var decl, set, funcs, main strings.Builder
	for _, v := range variables {
		k := rnd.Uint64()
		if rnd.Intn(2) == 0 {
			k = uint64(int64(rnd.Intn(40) - 20))
		}
		if v.typ == "_Bool" {
			k &= 1
		}
		model[v.name] = k
		fmt.Fprintf(&decl, "%s %s;\n", v.typ, v.name)
		fmt.Fprintf(&set, "    %s = (%s)%dULL;\n", v.name, v.typ, k)
	}
	for i := range n {
		fmt.Fprintf(&funcs, "long f%d(void) { return (long)%s; }\n", i, randomExpr(rnd, 4))
		fmt.Fprintf(&main, "    printf(\"%%ld\\n\", f%d());\n", i)
	}
	p := load(t, decl.String()+funcs.String())
	want := native(t, "#include <stdio.h>\n"+decl.String()+funcs.String()+"int main(void)\n{\n"+set.String()+main.String()+"    return 0;\n}\n")
	ts := smt.NewTerms()
	e := New(p, ts, Options{Wrap: true})
	var differs []*smt.Term
	for i := range n {
		st := e.Start()
		for _, v := range p.Tree.Globals {
			e.Write(st, v, 0, v.Type, ts.Var(v.Name, uint8(8*v.Type.Size)))
		}
		outs, err := e.Run(context.Background(), st, p.Tree.Func(fmt.Sprintf("f%d", i)), nil)
		if err != nil {
			t.Fatalf("f%d: %v", i, err)
		}
		o := outs[len(outs)-1] // before it are divisions by what cannot be zero
		if o.Kind != Passed || smt.Eval(o.Cond, model) != 1 {
			t.Fatalf("f%d: %v", i, outs)
		}
		got := smt.Eval(o.Result, model)
		if fmt.Sprint(int64(got)) != want[i] {
			t.Errorf("f%d: %d, gcc says %s: %s", i, int64(got), want[i], p.Tree.Func(fmt.Sprintf("f%d", i)).Whole.Text())
		}
		differs = append(differs, ts.Not(ts.Eq(o.Result, ts.Const(got, 64))))
	}
	z3(t, ts, model, differs)
}

// z3 asks whether any of some conditions can hold with the variables as they are.
func z3(t *testing.T, ts *smt.Terms, model smt.Model, differs []*smt.Term) {
	t.Helper()
	if !smt.Available() {
		t.Skip("no z3")
	}
	s, err := smt.NewSolver()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	widths := map[string]uint8{}
	for _, v := range smt.Vars(differs...) {
		widths[v.Name] = v.Width
	}
	for len(differs) > 0 {
		k := min(len(differs), 250)
		any := ts.False
		for _, d := range differs[:k] {
			any = ts.Or(any, d)
		}
		differs = differs[k:]
		s.Reset()
		for name, w := range widths {
			s.Assert(ts.Eq(ts.Var(name, w), ts.Const(model[name], w)))
		}
		if r, _, err := s.Check(context.Background(), any); err != nil || r != sat.Unsatisfiable {
			t.Errorf("Z3 computes another value: %v, %v (%s)", r, err, s.Cause)
		}
	}
}

// scanners are programs whose every path is executed, and natively again.
var scanners = []string{
	`int f(int x, int y) { int r = 0; while (x > 0 && r < 4) { x -= y > 2 ? 2 : 1; r++; } return r * 10 + (x < 0); }`,
	`struct point { int x, y; }; static struct point ps[3];
int f(int i, int v) { if (i < 0 || i > 2) return -1; ps[i].x = v; ps[(i + 1) % 3].y = v / 2; int s = 0; for (int k = 0; k < 3; k++) s += ps[k].x - ps[k].y; return ps[i].x > 5 ? s : -s; }`,
	`static int state; static void next(unsigned char c) { switch (state) { case 0: state = c == '-' ? 1 : c >= '0' && c <= '9' ? 2 : 3; break; case 1: case 2: state = c >= '0' && c <= '9' ? 2 : 3; break; default: break; } }
int f(unsigned char a, unsigned char b, unsigned char c) { next(a); next(b); next(c); return state; }`,
	`static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int f(int n) { return n < 0 || n > 6 ? -1 : fib(n); }`,
	`typedef int (*op)(int, int); static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return a * b; }
int f(int k, int a) { op ops[2] = {add, mul}; if (k != 0 && k != 1) return 0; short s = (short)a; return ops[k](s, 3) > 100 ? 1 : 2; }`,
	`#include <stdlib.h>
int f(int n, int v) { if (n < 1 || n > 3) return 0; int *p = malloc(3 * sizeof *p), s = 0; for (int i = 0; i < n; i++) p[i] = v + i; for (int i = 0; i < n; i++) if (p[i] & 1) s += p[i] >> 1; free(p); return s; }`,
}

// TestPaths executes programs path by path and natively with the inputs found: the
// results are the same, and the merged formula says so, too.
func TestPaths(t *testing.T) {
	if !smt.Available() {
		t.Skip("no z3")
	}
	s, err := smt.NewSolver()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, text := range scanners {
		for _, by := range []Search{Depth, Breadth, Coverage, Random} {
			p := load(t, text)
			f := p.Tree.Func("f")
			ts := smt.NewTerms()
			start := func(e *Engine) (*State, []*smt.Term) {
				var args []*smt.Term
				for _, v := range f.Params {
					args = append(args, e.Wide(ts.Var(v.Name, uint8(8*v.Type.Size)), v.Type))
				}
				return e.Start(), args
			}
			e := New(p, ts, Options{Wrap: true})
			x, err := e.Explore(context.Background(), s, Limits{Paths: 200, Search: by, Seed: 3}, f, func() (*State, []*smt.Term) { return start(e) }, nil)
			if err != nil || !x.Complete {
				t.Fatalf("%d, %s: %v %v", i, by, x, err)
			}
			prune, err := smt.NewSolver()
			if err != nil {
				t.Fatal(err)
			}
			merged := New(p, ts, Options{Wrap: true, Feasible: func(c *smt.Term) bool {
				r, _, _ := prune.Check(context.Background(), c)
				return r != sat.Unsatisfiable
			}})
			st, args := start(merged)
			outs, err := merged.Run(context.Background(), st, f, args)
			prune.Close()
			if err != nil {
				t.Fatal(err)
			}
			var main strings.Builder
			conds := map[*smt.Term]bool{}
			for _, q := range x.Paths {
				var list []string
				for _, v := range f.Params {
					list = append(list, fmt.Sprint(int64(ctype.Wrap(v.Type, q.Inputs[v.Name]))))
				}
				fmt.Fprintf(&main, "memcpy(__data_start, data, _edata - __data_start); memset(__bss_start, 0, _end - __bss_start); say(f(%s));\n", strings.Join(list, ", "))
				conds[q.Condition(ts)] = true
			}
			if len(conds) != len(x.Paths) {
				t.Errorf("%d, %s: %d paths, %d conditions", i, by, len(x.Paths), len(conds))
			}
			got := native(t, "#include <unistd.h>\n#include <stdio.h>\n#include <string.h>\nextern char __data_start[], _edata[], __bss_start[], _end[];\n"+text+`
static void say(int v) { char line[32]; write(1, line, sprintf(line, "%d\n", v)); }
int main(void) { char data[_edata - __data_start]; memcpy(data, __data_start, sizeof data);
`+main.String()+"_exit(0); }\n")
			for k, q := range x.Paths {
				want := got[k]
				if r := fmt.Sprint(int32(smt.Eval(q.Outcome.Result, q.Inputs))); q.Outcome.Kind != Passed || r != want {
					t.Errorf("%d, %s, path %d %v: %s, natively %s", i, by, k, q.Inputs, r, want)
				}
				for _, o := range outs {
					if smt.Eval(o.Cond, q.Inputs) == 1 && fmt.Sprint(int32(smt.Eval(o.Result, q.Inputs))) != want {
						t.Errorf("%d, path %d %v: merged %d, natively %s", i, k, q.Inputs, int32(smt.Eval(o.Result, q.Inputs)), want)
					}
				}
			}
		}
	}
}

// TestFaults finds an input for each error that a program can end in.
func TestFaults(t *testing.T) {
	if !smt.Available() {
		t.Skip("no z3")
	}
	s, err := smt.NewSolver()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for text, want := range map[string]string{
		`int f(int x) { return 10 / (x - 3); }`:                                "division_by_zero",
		`int f(int x) { return x + 1; }`:                                       "signed_overflow",
		`int f(int x) { return 1 << x; }`:                                      "bad_shift",
		`int f(int x) { int a[3] = {1, 2, 3}; return a[x & 3]; }`:              "stack_buffer_overflow",
		`static int g[4]; int f(int x) { if (x < 0) x = 0; return g[x & 7]; }`: "global_buffer_overflow",
		`#include <stdlib.h>
int f(int x) { int *p = malloc(8), v; p[0] = 1; if (x == 77) free(p); v = p[0]; return v; }`: "dangling_pointer_deref",
		`#include <stdlib.h>
int f(int x) { int *p = malloc(8); free(p); if (x == -5) free(p); return 0; }`: "double_free",
		`int f(int x) { int v = 1, *p = x > 9 ? 0 : &v; return *p; }`:          "null_pointer_deref",
		`int f(int x) { int v; if (x != 4) v = 1; return v; }`:                 "uninitialized_read",
		"#include <assert.h>\nint f(int x) { assert(x * x != 49); return 0; }": "assertion_failed",
	} {
		p := load(t, text)
		f := p.Tree.Func("f")
		ts := smt.NewTerms()
		e := New(p, ts, Options{Wrap: strings.Contains(text, "x * x")})
		outs, err := e.Run(context.Background(), e.Start(), f, []*smt.Term{e.Wide(ts.Var("x", 32), ctype.IntT)})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		found := false
		for _, o := range outs {
			if o.Kind != Failed || string(o.Fault) != want {
				continue
			}
			s.Reset()
			r, _, err := s.Check(context.Background(), o.Cond)
			found = found || err == nil && r == sat.Satisfiable
		}
		if !found {
			t.Errorf("%s: %s is not found among %v", text, want, outs)
		}
	}
}
