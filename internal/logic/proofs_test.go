package logic

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
	"gulo/internal/symbolic"
)

// pair is a program with a reference. What differs on some input, output or state must
// never be called right; what does not must be, where it is in reach.
type pair struct {
	name, head      string // head stands before both
	wrong, right    string
	differs         bool
	says            string // in the example, the cause or what the proof covers
	unsupported     bool   // the logic may refuse it
	unknown, inputs string
	beyond          string // holds for what was looked at, and this was not
}

const stdio = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"

var pairs = []pair{
	// State that only the reference reads.
	{name: "global read by the reference only", head: "int limit, rate;\n", wrong: "int f(int x) { return x > 3; }", right: "int f(int x) { return x > 3 && rate <= 600; }", differs: true, says: "rate="},
	{name: "field read by the reference only", head: "struct c { int a, b; } g;\n", wrong: "int f(void) { return g.a > 0; }", right: "int f(void) { return g.a > g.b; }", differs: true, says: "g.b="},
	{name: "element read by the reference only", head: "int a[4];\n", wrong: "int f(int i) { return i >= 0 && i < 4 ? a[0] : 0; }", right: "int f(int i) { return i >= 0 && i < 4 ? a[i] : 0; }", differs: true, says: "a[0]="},
	{name: "static of the file", head: "static int on;\nvoid set(int x) { on = x; }\n", wrong: "int f(int x) { return x; }", right: "int f(int x) { return on ? 0 : x; }", differs: true, says: "on="},
	{name: "static that nothing sets", head: "static int on;\n", wrong: "int f(int x) { return x; }", right: "int f(int x) { return on ? 0 : x; }", says: "all x; checked: result"},
	{name: "bit-field", head: "struct { unsigned a : 3, b : 5; } g;\n", wrong: "int f(void) { return g.a; }", right: "int f(void) { return g.a + (g.b == 31); }", differs: true},
	{name: "union", head: "union { int i; unsigned char b[4]; } g;\n", wrong: "int f(void) { return g.i > 0; }", right: "int f(void) { return g.i > 0 && g.b[1] != 7; }", differs: true},
	{name: "through a function", head: "int rate;\n", wrong: "static int ok(void) { return 1; }\nint f(int x) { return x > 3 && ok(); }", right: "static int ok(void) { return rate != 77; }\nint f(int x) { return x > 3 && ok(); }", differs: true, says: "rate=77"},
	{name: "state compared from any value", head: "int hits;\n", wrong: "int f(int x) { if (x > 4) hits = hits + 1; return x; }", right: "int f(int x) { if (x > 4) hits++; return x; }", says: "all x, hits that the reference's f accepts; checked: result and hits"},
	{name: "written by one", head: "int last;\n", wrong: "int f(int x) { return x / 2; }", right: "int f(int x) { last = x; return x / 2; }", differs: true, says: "last is"},
	// Static variables of functions.
	{name: "static local", wrong: "int f(int x) { static int n; n++; return n > 3 ? x : 0; }", right: "int f(int x) { static int n; n++; return n > 2 ? x : 0; }", differs: true, says: "f::n=2"},
	{name: "static local, the same", wrong: "int f(int x) { static int n; n = n + 1; return n > 2 ? x : 0; }", right: "int f(int x) { static int n; n++; return n > 2 ? x : 0; }", says: "f::n"},
	{name: "static local from another value", wrong: "int f(int x) { static int n = 1; n++; return n > 2 ? x : 0; }", right: "int f(int x) { static int n = 0; n++; return n > 2 ? x : 0; }", differs: true, says: "the initial value of f::n"},
	{name: "static local of one", wrong: "int f(int x) { return x; }", right: "int f(int x) { static int n; return n++ > 2 ? 0 : x; }", differs: true, says: "f::n, which only the reference has"},
	{name: "static local that is only scratch", wrong: "int f(int x) { return x / 2; }", right: "int f(int x) { static int t; t = x / 2; return t; }", says: "all x; checked: result"},
	// Printed text.
	{name: "printed", head: stdio, wrong: "int f(int x) { putchar(x > 4 ? 'a' : 'b'); return x; }", right: "int f(int x) { putchar(x > 3 ? 'a' : 'b'); return x; }", differs: true, says: `it prints "b", the reference "a"`},
	{name: "printed number", head: stdio, wrong: "void f(int x) { printf(\"%d\\n\", x); }", right: "void f(int x) { printf(\"%d\\n\", x == 5 ? 6 : x); }", differs: true, says: `prints "5\n"`},
	{name: "printed in another order", head: stdio, wrong: "void f(int x) { printf(\"a\"); if (x) printf(\"b\"); }", right: "void f(int x) { if (x) printf(\"b\"); printf(\"a\"); }", differs: true},
	{name: "printed to another stream", head: stdio, wrong: "void f(int x) { if (x > 2) fprintf(stdout, \"no\"); }", right: "void f(int x) { if (x > 2) fprintf(stderr, \"no\"); }", differs: true},
	{name: "another format", head: stdio, wrong: "void f(int x) { printf(\"%3d\", x); }", right: "void f(int x) { printf(\"%2d\", x); }", differs: true},
	{name: "another text", head: stdio, wrong: "void f(int x) { puts(x > 0 ? \"yes\" : \"no\"); }", right: "void f(int x) { puts(x >= 0 ? \"yes\" : \"no\"); }", differs: true},
	{name: "text in other pieces", head: stdio, wrong: "void f(int x) { printf(\"<%d>\\n\", x); }", right: "void f(int x) { putchar('<'); printf(\"%i\", x); fputs(\">\", stdout); puts(\"\"); }", says: "all x; checked: printed text"},
	{name: "numbers that run together", head: stdio, wrong: "void f(int x) { if (x == 1) printf(\"%d%d\", x, x + 22); }", right: "void f(int x) { if (x == 1) printf(\"%d%d\", x + 11, x + 2); }", unknown: "differs is not known"},
	{name: "a digit for a number", head: stdio, wrong: "void f(int x) { if (x >= 0 && x < 10) printf(\"%d\", x); }", right: "void f(int x) { if (x >= 0 && x < 10) putchar('0' + x); }", unknown: "prints the same"},
	{name: "printed in a loop", head: stdio, wrong: "void f(unsigned n) { for (unsigned i = 0; i < (n & 7); i++) printf(\"%u \", i); }", right: "void f(unsigned n) { for (unsigned i = 0; i <= (n & 7); i++) printf(\"%u \", i); }", differs: true},
	{name: "written", head: stdio, wrong: "void f(int x) { char c = 'a'; if (x == 9) c = 'b'; write(1, &c, 1); }", right: "void f(int x) { char c = 'a'; write(1, &c, 1); }", differs: true},
	{name: "printf's result", head: stdio, wrong: "int f(int x) { return printf(\"%d\", x) > 3; }", right: "int f(int x) { return printf(\"%d\", x) > 4; }", differs: true, unsupported: true},
	{name: "padded text", head: stdio, wrong: "void f(int x) { printf(\"%-5s|%.2s\", x ? \"ab\" : \"ab\", \"xyz\"); }", right: "void f(int x) { printf(\"ab   |xy\"); }", says: "printed text"},
	// How it ends.
	{name: "exit", head: stdio, wrong: "int f(int x) { if (x == 7) return 1; return 0; }", right: "int f(int x) { if (x == 7) exit(1); return 0; }", differs: true},
	{name: "exit status", head: stdio, wrong: "int f(int x) { if (x == 7) exit(2); return 0; }", right: "int f(int x) { if (x == 7) exit(1); return 0; }", differs: true},
	{name: "abort in the program", head: stdio, wrong: "int f(int x) { if (x == 7) abort(); return 0; }", right: "int f(int x) { return 0; }", differs: true},
	{name: "abort in the reference", head: stdio, wrong: "int f(int x) { return 0; }", right: "int f(int x) { if (x == 7) abort(); return 0; }", says: "that the reference's f accepts"},
	{name: "no return", wrong: "int f(int x) { if (x == 7) return 1; if (x != 3) return 0; }", right: "int f(int x) { if (x == 7) return 1; return 0; }", differs: true},
	// Other results.
	{name: "a struct", head: "struct p { int a, b; };\n", wrong: "struct p f(int x) { struct p r = {x, 0}; return r; }", right: "struct p f(int x) { struct p r = {x, x == 3}; return r; }", differs: true},
	{name: "a struct, the same", head: "struct p { int a, b; };\n", wrong: "struct p f(int x) { struct p r = {x, x == 3}; return r; }", right: "struct p f(int x) { struct p r; r.b = x == 3; r.a = x; return r; }", says: "all x; checked: result"},
	{name: "a pointer", wrong: "int *f(int *a, int n) { return a; }", right: "int *f(int *a, int n) { return n ? a + n - 1 : a; }", differs: true},
	{name: "a pointer, the same", wrong: "int *f(int *a, int n) { return &a[n]; }", right: "int *f(int *a, int n) { return a + n; }", says: "a[5], n in 0..5; checked: result and a", beyond: "arrays a of more than 5 elements"},
	{name: "a text", wrong: "const char *f(int x) { return x > 3 ? \"big\" : \"small\"; }", right: "const char *f(int x) { return x > 4 ? \"big\" : \"small\"; }", differs: true},
	{name: "a text, the same", wrong: "const char *f(int x) { return x < 4 ? \"small\" : \"big\"; }", right: "const char *f(int x) { return x > 3 ? \"big\" : \"small\"; }", says: "all x; checked: result"},
	{name: "null", wrong: "const char *f(int x) { return x > 3 ? \"big\" : 0; }", right: "const char *f(int x) { return x > 3 ? \"big\" : \"\"; }", differs: true},
	{name: "memory", head: stdio, wrong: "int *f(int x) { int *p = malloc(4); *p = x; return p; }", right: "int *f(int x) { int *p = malloc(4); *p = x + 1; return p; }", differs: true, says: "what the result leads to"},
	{name: "a global pointer", head: "int a, b; int *p;\n", wrong: "void f(int x) { p = x > 3 ? &a : &b; }", right: "void f(int x) { p = x > 4 ? &a : &b; }", differs: true},
	{name: "a number that is no integer", wrong: "double f(void) { return 1.5; }", right: "double f(void) { return 2.5; }", differs: true},
	{name: "narrow result", wrong: "unsigned char f(int x) { return x & 255; }", right: "unsigned char f(int x) { return x; }", says: "all x; checked: result"},
	// Tables and pointers to functions.
	{name: "a constant table", wrong: "static const int d[4] = {1, 2, 3, 4};\nint f(unsigned i) { return d[i & 3]; }", right: "static const int d[4] = {1, 2, 5, 4};\nint f(unsigned i) { return d[i & 3]; }", differs: true},
	{name: "a table that nothing changes", wrong: "int d[4] = {1, 2, 3, 4};\nint f(unsigned i) { return d[i & 3]; }", right: "int d[4] = {1, 2, 5, 4};\nint f(unsigned i) { return d[i & 3]; }", differs: true},
	{name: "a table, the same", head: "int d[4] = {1, 2, 3, 4};\n", wrong: "int f(unsigned i) { return d[i & 3]; }", right: "int f(unsigned i) { return (int)(i & 3) + 1; }", says: "with d as declared"},
	{name: "pointers to functions", wrong: "int rate;\nstatic int a(int x) { return x; }\nstatic int b(int x) { return x; }\nstatic int (*const ops[2])(int) = {a, b};\nint f(int x) { return ops[x & 1](x); }", right: "int rate;\nstatic int a(int x) { return x; }\nstatic int b(int x) { return rate == 5 ? 0 : x; }\nstatic int (*const ops[2])(int) = {a, b};\nint f(int x) { return ops[x & 1](x); }", differs: true, says: "rate=5"},
	{name: "a pointer to a global", wrong: "int rate; static int *const p = &rate;\nint f(int x) { return x; }", right: "int rate; static int *const p = &rate;\nint f(int x) { return *p == 5 ? 0 : x; }", differs: true},
	{name: "a pointer that another function sets", wrong: "int *p; void set(int *q) { p = q; }\nint f(int x) { return p ? x + 1 : x; }", right: "int *p; void set(int *q) { p = q; }\nint f(int x) { return x; }", differs: true, says: "at the start"},
	// Arguments.
	{name: "through a pointer", wrong: "void f(int *a, int x) { a[0] = x; }", right: "void f(int *a, int x) { a[0] = x; a[1] = 0; }", differs: true},
	{name: "arrays apart", wrong: "void f(int *a, int *b) { a[0] = 1; b[0] = a[0] + 1; }", right: "void f(int *a, int *b) { b[0] = 2; a[0] = 1; }", beyond: "calls in which a and b overlap"},
	{name: "arrays that are only read", wrong: "int f(const int *a, const int *b) { return a[0] > b[0]; }", right: "int f(const int *a, const int *b) { return b[0] < a[0]; }", says: "where a and b do not overlap"},
	{name: "null, which the reference accepts", wrong: "int f(const int *a) { return *a > 3; }", right: "int f(const int *a) { return a && *a > 3; }", beyond: "calls in which a is NULL, on which it does something else"},
	{name: "null, which both accept", wrong: "int f(const int *a) { if (!a) return 0; return *a > 3; }", right: "int f(const int *a) { return a && *a > 3; }", says: "also where a is NULL"},
	{name: "two that may be null", wrong: "int f(const int *a, const int *b) { return a && b && *a > 3; }", right: "int f(const int *a, const int *b) { return a && *a > 3; }", beyond: "calls in which b is NULL, on which"},
	{name: "a length", wrong: "int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] > 0; return s; }", right: "int f(const int *a, int n) { int s = 0; for (int i = n - 1; i >= 0; i--) s += a[i] > 0; return s; }", says: "a[5], n in 0..5", beyond: "arrays a of more than 5 elements"},
	{name: "a range", wrong: "int f(int x) { return x > 0; }", right: "int f(int x) { return x != 0; }", inputs: `{"inputs": [{"name": "x", "min": 0, "max": 600}]}`, says: "all x in 0..600"},
	{name: "a range of a global", head: "int inhibit; void set(int x) { inhibit = x; }\n", wrong: "int f(int x) { if (inhibit > 0) return x; return 0; }", right: "int f(int x) { if (inhibit) return x; return 0; }", inputs: `{"inputs": [{"name": "inhibit", "min": 0, "max": 1}]}`, says: "inhibit in 0..1"},
	{name: "without the range", head: "int inhibit; void set(int x) { inhibit = x; }\n", wrong: "int f(int x) { if (inhibit > 0) return x; return 0; }", right: "int f(int x) { if (inhibit) return x; return 0; }", differs: true, says: "inhibit=-"},
	{name: "longer than the reference", wrong: "int f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < (n & 255); i++) s++; return s; }", right: "int f(unsigned n) { return n & 255; }", unknown: "limits"},
	{name: "calls instead of a number", wrong: "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }", right: "int f(int n) { return n <= 0 ? 0 : n; }", inputs: `{"inputs": [{"name": "n", "max": 1000}]}`, unknown: "limits"},
	{name: "without end", wrong: "int f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < (n & 255); i += n != 200) s++; return s; }", right: "int f(unsigned n) { return n & 255; }", differs: true},
	{name: "loops of any length", wrong: "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s > 1000; }", right: "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s > 1001; }", unknown: "limits"},
	// Longer than what is made when nothing is said, and beside what is called.
	{name: "a longer text", head: stdio, wrong: "int f(const char *s) { int i = 0, j = (int)strlen(s) - 1; while (i < j) { if (s[i] != s[j]) return 0; if (i < 2) i++; j--; } return 1; }", right: "int f(const char *s) { int i = 0, j = (int)strlen(s) - 1; while (i < j) { if (s[i] != s[j]) return 0; i++; j--; } return 1; }", beyond: "texts s of more than 6 characters"},
	{name: "a longer array", wrong: "int f(const int *a, int n) { return n < 7 && n > 0 ? a[n - 1] : 0; }", right: "int f(const int *a, int n) { return n > 0 ? a[n - 1] : 0; }", beyond: "arrays a of more than 5 elements"},
	{name: "an element beyond", wrong: "int f(const int *a, unsigned k) { return k == 6 ? 0 : a[k & 7]; }", right: "int f(const int *a, unsigned k) { return a[k & 7]; }", beyond: "arrays a of more than 5 elements"},
	{name: "a length that is said", wrong: "int f(const int *a, int n) { return n > 0 ? a[n - 1] : 0; }", right: "int f(const int *a, int n) { if (n <= 0) return 0; return a[n - 1]; }", inputs: `{"inputs": [{"name": "a", "len": 4}, {"name": "n", "min": 0, "max": 4}]}`, says: "a[4], n in 0..4"},
	{name: "a range beyond the type", wrong: "int f(unsigned char x) { return x < 240; }", right: "int f(unsigned char x) { return 1; }", inputs: `{"inputs": [{"name": "x", "min": 0, "max": 1000}]}`, differs: true, says: "x="},
	{name: "a range beyond a signed type", wrong: "int f(signed char x) { return x > -60; }", right: "int f(signed char x) { return 1; }", inputs: `{"inputs": [{"name": "x", "min": -300, "max": 300}]}`, differs: true, says: "x=-"},
	{name: "another function of the state", head: "int members;\n", wrong: "void join(void) { }\nint f(int x) { return members % 10 ? x : 0; }", right: "void join(void) { members++; }\nint f(int x) { return members % 10 ? x : 0; }", beyond: "join, which differs"},
	{name: "a function that only the reference has", head: "int members;\n", wrong: "int f(int x) { return members % 10 ? x : 0; }", right: "void join(void) { members++; }\nint f(int x) { return members % 10 ? x : 0; }", beyond: "join, which differs"},
	// Nothing is known.
	{name: "random numbers", head: stdio, wrong: "int f(int x) { return rand() % 2 ? x : 0; }", right: "int f(int x) { return x; }", differs: true, unsupported: true},
	{name: "the environment", head: stdio, wrong: "int f(int x) { return getenv(\"A\") ? x : 0; }", right: "int f(int x) { return x; }", differs: true, unsupported: true},
	{name: "the reference fails always", wrong: "int f(int x) { return x; }", right: "int f(int x) { int *p = 0; return *p; }", differs: true, unsupported: true},
}

// TestPairs holds the word "proved": what differs is never right, and what does not is
// proved with what that covers.
func TestPairs(t *testing.T) {
	need(t)
	for i, p := range pairs {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			req := &job.Job{Files: []string{file(t, "wrong.c", p.head+p.wrong+"\n")}, Spec: job.Spec{Reference: []string{file(t, "right.c", p.head+p.right+"\n")}}, Entry: "f", Limit: 20 * time.Second, Logic: job.Logic{Random: 200}}
			if p.inputs != "" {
				req.Inputs = file(t, "inputs.json", p.inputs)
			}
			rep, err := answer(req)
			var un *symbolic.Unsupported
			if p.unsupported && errors.As(err, &un) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text := rep.Result + ": " + rep.Example + " " + rep.Cause
			if rep.Covers != nil {
				text += "; " + rep.Covers.String()
			}
			switch {
			case p.unknown != "":
				if rep.Result != report.Unknown {
					t.Errorf("%s", text)
				}
			case p.beyond != "":
				if rep.Result != report.Alike || rep.Proof != "bounded" || !strings.Contains(rep.Cause, p.beyond) {
					t.Errorf("%s, %s", text, rep.Proof)
				}
			case p.differs && (rep.Result == report.Right):
				t.Errorf("called right: %s", text)
			case !p.differs && (rep.Result != report.Right || rep.Proof != "proved" || rep.Calls == 0):
				t.Errorf("not proved: %s, %d runs, %v", text, rep.Calls, rep.Notes)
			}
			if !strings.Contains(text, p.says) {
				t.Errorf("%s: want %q", text, p.says)
			}
		})
	}
}

// answer is what Fix says before it looks for a repair.
func answer(req *job.Job) (*Answer, error) {
	t, err := prepare(context.Background(), req)
	if err != nil {
		return nil, err
	}
	defer t.close()
	rep := &Answer{}
	f, err := t.findFailure(context.Background())
	if err != nil {
		return nil, err
	}
	rep.Result, rep.Cause, rep.Covers, rep.Example = f.Result, f.Why, f.covers, f.Example
	if f.Result != "wrong" {
		if f.Proved {
			rep.Proof = "proved"
		} else if f.Result == report.Alike {
			rep.Proof = "bounded"
		}
		t.hold(context.Background(), rep, f)
	}
	rep.Notes = t.notes
	return rep, nil
}
