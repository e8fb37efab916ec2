package lower

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ir"
	"gulo/internal/source"
)

// This file tests lowering itself: the shape of the code, the location map,
// initial bytes. What the code does is tested in package machine, against gcc.

func lowered(t *testing.T, text string, opt Options) (*Program, error) {
	t.Helper()
	tree, err := cfront.Parse([]*source.File{source.NewFile("t.c", []byte(text))}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Lower(tree, opt)
	if err == nil {
		err = ir.Check(p.IR)
	}
	return p, err
}

func function(t *testing.T, p *Program, name string) *ir.Func {
	t.Helper()
	f, ok := p.IR.ByName[name]
	if !ok {
		t.Fatalf("there is no function %s", name)
	}
	return p.IR.Funcs[f]
}

func count(f *ir.Func, want func(in *ir.Instr) bool) int {
	n := 0
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			if want(&b.Instrs[i]) {
				n++
			}
		}
	}
	return n
}

// TestValid: whatever control flow there is, the code is valid, with variables
// in registers and in memory.
func TestValid(t *testing.T) {
	for _, body := range []string{
		"return x ? 1 : 2;", "for (;;) { if (x) break; else continue; }", "l: if (x--) goto l; return x;", "do x--; while (x > 0 && x != 3 || x == 9);",
		"switch (x) { case 1 ... 3: x = 2; case 5: break; default: return 1; } return x;", "return ({ int y = x; y + 1; }) ?: 3;", "int a[x]; a[0] = sizeof a; return a[0];",
		"struct { int a : 3; } s = { x }; return s.a++;", "goto in; { int y; in: y = x; return y; }", "switch (x) { int z; case 1: z = 2; return z; } return 0;", "return 1; x = 2;",
		"while (1) ; return 0;", "static int n = sizeof(int) + 2; return n++;", "return x && (x, x++) || !x;", "void *p = &x; return *(int *)p;",
	} {
		for _, opt := range []Options{{}, {Memory: true}} {
			if _, err := lowered(t, "int f(int x) { "+body+" }", opt); err != nil {
				t.Errorf("%s: %v", body, err)
			}
		}
	}
}

// TestRegisters: scalars live in registers unless their address is taken, they
// may be read before they are written, or everything is to be in memory.
func TestRegisters(t *testing.T) {
	for text, want := range map[string]int{
		"int f(int x) { int y = x; return y; }":               0,
		"int f(int x) { int y = x; int *p = &y; return *p; }": 1,
		"int f(int x) { int y; if (x) y = 1; return y; }":     1,
		"int f(int x) { int a[2] = { x }; return a[0]; }":     1,
	} {
		p, err := lowered(t, text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(function(t, p, "f").Objects); n != want {
			t.Errorf("%s: %d objects, expected %d", text, n, want)
		}
		p, _ = lowered(t, text, Options{Memory: true})
		if n := len(function(t, p, "f").Objects); n < 2 {
			t.Errorf("%s: %d objects with everything in memory", text, n)
		}
	}
}

// TestCleanupCalls: how many calls of bye there are in the code: one a way out.
func TestCleanupCalls(t *testing.T) {
	const v = "int v __attribute__((cleanup(bye))) = 1; "
	for body, want := range map[string]int{
		v + "return x;":                  1,
		v + "if (x) return 1; return 2;": 2,
		"for (;;) { " + v + "if (x) break; if (x > 2) continue; } return 0;": 3,
		"{ " + v + "goto out; } out: return 0;":                              1,
		"{ " + v + "} return 0;":                                             1,
		v + v[:4] + "w" + v[5:] + "return 0;":                                2,
		"return ({ " + v + "v; });":                                          1,
		v + "for (;;) { if (x) goto out; } out: return 0;":                   1,
	} {
		p, err := lowered(t, "void bye(int *p) {} int f(int x) { "+body+" }", Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		bye := p.IR.ByName["bye"]
		if n := count(function(t, p, "f"), func(in *ir.Instr) bool { return in.Op == ir.Call && in.CallX.Func == bye }); n != want {
			t.Errorf("%s: %d calls, expected %d", body, n, want)
		}
	}
	p, err := lowered(t, "void bye(int *p) {} int f(int x) { if (x) goto in; { "+v+"in: x++; } return 0; }", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if o := p.Tree.Opaque; len(o) != 1 || o[0].Func != "f" || !strings.HasSuffix(o[0].At.String(), "t.c:1:43") {
		t.Errorf("a goto into the scope: %+v", o)
	}
}

// TestStatics: initial bytes and addresses of variables of static storage.
func TestStatics(t *testing.T) {
	for text, want := range map[string]string{
		"int v = -2;":         "fe ff ff ff",
		"char v[4] = \"ab\";": "61 62 00 00",
		"struct { unsigned a : 3, b : 5; char c; } v = { 5, 3, 7 };": "1d 07 00 00",
		"double v = 1 / 4.0;":                             "00 00 00 00 00 00 d0 3f",
		"struct { char n; char a[]; } v = { 1, \"xy\" };": "01 78 79 00",
		"int g[4]; long v = &g[3] - &g[1];":               "02 00 00 00 00 00 00 00",
		"int g; char v = &g != 0 ? 3 : 4;":                "03",
		"int g[3]; int *v = g + 2;":                       "00 00 00 00 00 00 00 00 g+8",
		"int *v = (int[]){ 1, 2 };":                       "00 00 00 00 00 00 00 00 +0",
		"void f(void) {} void (*v)(void) = f;":            "00 00 00 00 00 00 00 00 f",
	} {
		p, err := lowered(t, text, Options{})
		if err != nil {
			if strings.Contains(text, "!= 0 ?") {
				continue // refused, which is allowed
			}
			t.Errorf("%s: %v", text, err)
			continue
		}
		for _, o := range p.IR.Globals {
			if o.Name != "v" {
				continue
			}
			got := fmt.Sprintf("% x", o.Data)
			for _, r := range o.Relocs {
				if r.Func {
					got += " " + p.IR.Funcs[r.Index].Name
				} else {
					got += fmt.Sprintf(" %s+%d", p.IR.Globals[r.Index].Name, r.Addend)
				}
			}
			if got != want {
				t.Errorf("%s: %s, expected %s", text, got, want)
			}
		}
	}
}

// TestNotConstant: what no evaluator here knows is refused at its place.
func TestNotConstant(t *testing.T) {
	_, err := lowered(t, "struct s { int a; } x = { 1 };\nconst struct s y = { 2 };\nint v = (int)1.5 + sizeof x;\nlong w = (long)&x.a * 2;\n", Options{})
	var se *source.Error
	if !errors.As(err, &se) || se.List[0].Pos.Line != 4 {
		t.Errorf("%v", err)
	}
}

// TestVariableArguments: how much room va_arg takes for each type.
func TestVariableArguments(t *testing.T) {
	p, err := lowered(t, `#include <stdarg.h>
struct e {}; struct c3 { char c[3]; }; struct l2 { long a, b; };
int f(int n, ...) { va_list ap; va_start(ap, n); va_arg(ap, struct e); va_arg(ap, struct c3); va_arg(ap, int); va_arg(ap, double); va_arg(ap, struct l2); va_end(ap); return n; }`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	count(function(t, p, "f"), func(in *ir.Instr) bool {
		if in.Op == ir.VaArg {
			got = append(got, in.Imm)
		}
		return false
	})
	if fmt.Sprint(got) != "[0 8 8 8 16]" {
		t.Errorf("room: %v", got)
	}
}

// TestMap: every statement that a debugger stops at begins where its code does,
// and control goes from each to another one or to the function's end.
func TestMap(t *testing.T) {
	p, err := lowered(t, "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    if (i % 2)\n      s += i;\n  return s;\n}\n", Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[Kind][]int{}
	for _, s := range p.Stmts[1:] {
		if !s.Stop {
			continue
		}
		lines[s.Kind] = append(lines[s.Kind], s.Range.Position().Line)
		in := function(t, p, "f").Blocks[s.Block].Instrs[s.At]
		if !in.Start || in.Stmt != s.ID {
			t.Errorf("statement %d does not start at its instruction", s.ID)
		}
		edges := p.Edges(s)
		if s.Kind == Cond && len(edges) != 2 || s.Kind != End && len(edges) == 0 {
			t.Errorf("statement %d has %d ways out", s.ID, len(edges))
		}
	}
	want := map[Kind][]int{Decl: {2, 3}, Cond: {3, 4}, Expr: {5}, Post: {3}, Return: {6}, End: {7}}
	if fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("lines %v, expected %v", lines, want)
	}
}

// TestInsertedReturn: an edit may return a word, and is refused where the function returns a struct, for which the
// machine has no register.
func TestInsertedReturn(t *testing.T) {
	p, err := lowered(t, `struct pair { int a, b; };
static struct pair swap(struct pair p) { struct pair q = {p.b, p.a}; p.a = 0; return q; }
static int twice(int n) { int m = 2 * n; n = 0; return m; }
int main(void) { struct pair p = {1, 2}; return swap(p).a + twice(p.b); }
`, Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{"swap": false, "twice": true} {
		tried := 0
		for _, g := range p.Gaps {
			if g == nil || g.Func.Name != name || g.Index != 1 {
				continue
			}
			tried++
			_, err := p.Overlay(Change{Gap: g.ID, New: cfront.NewRef(g.Func.Locals[0]), Return: true})
			if (err == nil) != ok {
				t.Errorf("%s: %v", name, err)
			}
		}
		if tried == 0 {
			t.Errorf("%s has no place for it", name)
		}
	}
}
