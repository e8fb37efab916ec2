package logic

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/report"
	"gulo/internal/sandbox"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func need(t *testing.T) {
	t.Helper()
	if !smt.Available() {
		t.Skip("no z3")
	}
}

const maximum = `#include <assert.h>
int max(int x, int y)
{
    int r = x;
    if (y > x)
        r = x;
    assert(r >= x && r >= y);
    return r;
}
`

// TestExample is the paper's running example: its diagnoses, and y as the first
// repair.
func TestExample(t *testing.T) {
	need(t)
	for _, no := range []bool{false, true} {
		rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "max.c", maximum)}, Logic: job.Logic{NoConditions: no, Random: 500}})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Result != report.Repaired || rep.Proof != "proved" || rep.Repairs[0].Edits[0].After != "y" || rep.Repairs[0].Edits[0].Line != 6 {
			t.Errorf("%+v", rep)
		}
		if !strings.Contains(rep.Repairs[0].Evidence.Text, "compiled and run on 500 ") {
			t.Error(rep.Repairs[0].Evidence.Text)
		}
		_, loc, err := Locate(context.Background(), &job.Job{Files: []string{file(t, "max.c", maximum)}, Logic: job.Logic{NoConditions: no}})
		if err != nil {
			t.Fatal(err)
		}
		want := 2
		if no {
			want = 1
		}
		if len(loc.Diagnoses) != want || loc.Diagnoses[0][0].Line != 6 || !no && (loc.Diagnoses[1][0].Line != 4 || loc.Diagnoses[1][1].Line != 5) {
			t.Errorf("conditions %v: %v", !no, loc.Diagnoses)
		}
	}
}

// TestCallInFault corrects an expression that calls a function of the program. What a
// call computes is asked for after the execution that made the problem is over.
func TestCallInFault(t *testing.T) {
	need(t)
	const wrong = `static int limits[3] = {10, 20, 40};
static int kind;
static int limit(void) { return limits[kind]; }
int passes(int k, int weight, int urgent)
{
    kind = k;
    return urgent && weight < 99 || weight < limit();
}
`
	rep, err := Fix(context.Background(), &job.Job{
		Files: []string{file(t, "wrong.c", wrong)}, Entry: "passes", Limit: 40 * time.Second,
		Spec:   job.Spec{Reference: []string{file(t, "right.c", strings.Replace(wrong, "weight < limit()", "weight <= limit()", 1))}},
		Inputs: file(t, "inputs.json", `{"inputs": [{"name": "k", "min": 0, "max": 2}, {"name": "weight", "min": 0, "max": 200}]}`),
		Logic:  job.Logic{NoEdits: true, Random: 300},
	})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired || rep.Proof != "proved" || !strings.Contains(rep.Repairs[0].Edits[0].After, "weight <= limit()") {
		t.Errorf("%s %s %+v", rep.Result, rep.Cause, rep.Repairs)
	}
}

// TestRepairs are small programs with one fault, and what the first repair is.
func TestRepairs(t *testing.T) {
	need(t)
	for _, c := range []struct{ name, wrong, right, inputs, want string }{
		{"clamp", "int clamp(int v, int lo, int hi) { if (v < lo) return lo; if (v > hi) return lo; return v; }",
			"int clamp(int v, int lo, int hi) { if (v < lo) return lo; if (v > hi) return hi; return v; }", "", "hi"},
		{"leap", "int leap(int y) { return y % 4 == 0 && y % 100 != 0; }",
			"int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }", `{"inputs": [{"name": "y", "min": 0, "max": 4000}]}`, "|| y % "},
		{"parity", "int parity(unsigned v) { int p = 0; for (int i = 0; i < 7; i++) p ^= v >> i & 1; return p; }",
			"int parity(unsigned v) { int p = 0; for (int i = 0; i < 8; i++) p ^= v >> i & 1; return p; }", "", "i <"},
		{"sum", "int sum(const int *a, int n) { int s = 0; for (int i = 1; i < n; i++) s += a[i]; return s; }",
			"int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }", `{"inputs": [{"name": "a", "len": 4, "min": -1000, "max": 1000}, {"name": "n", "min": 0, "max": 4}]}`, "0"},
		{"swap", "struct pair { int a, b; }; static struct pair p; int swap(int x, int y) { p.a = x; p.b = y; int t = p.a; p.a = p.b; p.b = x + y - t; return p.a * 3 - p.b; }",
			"struct pair { int a, b; }; static struct pair p; int swap(int x, int y) { p.a = x; p.b = y; int t = p.a; p.a = p.b; p.b = t; return p.a * 3 - p.b; }", `{"inputs": [{"name": "x", "min": -99, "max": 99}, {"name": "y", "min": -99, "max": 99}]}`, "t"},
	} {
		req := &job.Job{Files: []string{file(t, "wrong.c", c.wrong+"\n")}, Spec: job.Spec{Reference: []string{file(t, "right.c", c.right+"\n")}}, Entry: c.name, Logic: job.Logic{Random: 300}, Limit: 40 * time.Second}
		if c.inputs != "" {
			req.Inputs = file(t, "inputs.json", c.inputs)
		}
		rep, err := Fix(context.Background(), req)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if rep.Result != report.Repaired || !strings.Contains(rep.Repairs[0].Edits[0].After, c.want) {
			t.Errorf("%s: %s %s %+v, want %s", c.name, rep.Result, rep.Cause, rep.Repairs, c.want)
		}
	}
}

// TestAssertions has two repairs with which no assertion fails; the first shown does
// not go round them.
func TestAssertions(t *testing.T) {
	need(t)
	rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "days.c", `#include <assert.h>
int input(void);
static int days(int m, int leap)
{
    static const int d[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return d[m] + (leap && m == 2);
}
int main(void)
{
    int m = input(), leap = input();
    if (m < 1 || m > 12 || leap < 0 || leap > 1)
        return 1;
    int n = days(m, leap);
    assert(n >= 28 && n <= 31);
    assert(m != 2 || n == 28 + leap);
    return 0;
}
`)}, Logic: job.Logic{Random: 300}})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired || rep.Repairs[0].Edits[0].Line != 6 || !strings.Contains(rep.Repairs[0].Edits[0].After, "d[m - 1]") {
		t.Errorf("%s %+v", rep.Result, rep.Repairs)
	}
}

// TestRequests are requests that make no sense or have no answer.
func TestRequests(t *testing.T) {
	need(t)
	right := file(t, "right.c", "int f(int x) { return x > 3 ? x : 3; }\n")
	var use *job.UsageError
	for _, c := range []struct {
		name string
		req  job.Job
		want string
	}{
		{"no assertion", job.Job{Files: []string{right}, Entry: "f"}, "there is no assert in f"},
		{"no such function", job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{right}}, Entry: "g"}, "no function g"},
		{"another signature", job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{file(t, "r.c", "int f(int x, int y) { return x + y; }\n")}}, Entry: "f"}, "f takes 1 argument, in the reference 2"},
		{"unknown input", job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{right}}, Entry: "f", Inputs: file(t, "i.json", `{"inputs": [{"name": "z", "min": 1}]}`)}, "z is no parameter of f"},
		{"bad document", job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{right}}, Entry: "f", Inputs: file(t, "i.json", "{\"inputs\":\n [{\"nam\": 1}]}")}, "i.json:2"},
		{"bad precondition", job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{right}}, Entry: "f", Inputs: file(t, "i.json", `{"pre": "x >"}`)}, "pre: "},
		{"an empty range", job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{right}}, Entry: "f", Inputs: file(t, "i.json", `{"inputs": [{"name": "x", "min": 5, "max": -5}]}`)}, "no number is x"},
		{"nothing meets the precondition", job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{right}}, Entry: "f", Inputs: file(t, "i.json", `{"pre": "x > 7 && x < 3"}`)}, "no input of f is as it is said to be"},
		{"a range outside of the type", job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{right}}, Entry: "f", Inputs: file(t, "i.json", `{"inputs": [{"name": "x", "min": 5000000000}]}`)}, "no input of f is as it is said to be"},
	} {
		if _, err := Fix(context.Background(), &c.req); !errors.As(err, &use) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	var un *symbolic.Unsupported
	_, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "u.c", "#include <assert.h>\n#include <math.h>\nint f(int x)\n{\n    double d = x;\n    assert(d < 3);\n    return 0;\n}\n")}, Entry: "f"})
	if !errors.As(err, &un) || !strings.Contains(err.Error(), "u.c:5:") {
		t.Errorf("floating point: %v", err)
	}
	for _, c := range []struct{ name, text, result, cause string }{
		{"never fails", "#include <assert.h>\nint f(int x) { int y = x / 2; assert(y <= 1073741823); return y; }\n", report.Right, ""},
		{"always fails", "#include <assert.h>\nint f(int x) { int y = x; assert(0); return y; }\n", report.None, "up to 2 expressions"},
	} {
		rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "p.c", c.text)}, Entry: "f"})
		if err != nil || rep.Result != c.result || !strings.Contains(rep.Cause, c.cause) {
			t.Errorf("%s: %+v, %v", c.name, rep, err)
		}
	}
	// Beyond the limit of rounds nothing is proved.
	rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "p.c", "#include <assert.h>\nint f(signed char x) { int n = 0; while (n < x) n++; assert(n < 1000); return n; }\n")}, Entry: "f", Logic: job.Logic{Unroll: 3}})
	if err != nil || rep.Result != report.Unknown || !strings.Contains(rep.Cause, "a loop runs longer than the limit") {
		t.Errorf("limit: %+v, %v", rep, err)
	}
}

// TestExploreDocument executes a program's paths and names what no path covers.
func TestExploreDocument(t *testing.T) {
	need(t)
	f := file(t, "sign.c", "int input(void);\nint main(void)\n{\n    int x = input();\n    if (x > 10) {\n        if (x < 5)\n            return 7;\n        return 1;\n    }\n    return x == 3 ? 2 : 0;\n}\n")
	x, err := Explore(context.Background(), &job.Job{Files: []string{f}, Options: cfront.Options{}}, symbolic.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Paths) != 3 || !x.Complete || x.Failing != 0 || len(x.Uncovered) != 1 || x.Uncovered[0].Line != 7 {
		t.Errorf("%+v", x)
	}
}

// TestEnds is the time limit over recursion that branches four ways at every level.
func TestEnds(t *testing.T) {
	need(t)
	const flood = `int cells[64];
int flood(int x, int y)
{
    if (x < 0 || y < 0 || x > 7 || y > 7 || cells[8 * y + x] != 0)
        return 0;
    cells[8 * y + x] = 1;
    return 1 + flood(x + 1, y) + flood(x - 1, y) + flood(x, y + 1) + flood(x, y - 1);
}
`
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	right, wrong := file(t, "right.c", flood), file(t, "wrong.c", strings.Replace(flood, "1 + flood", "2 + flood", 1))
	_, _, err := Locate(ctx, &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Limit: time.Second})
	if ctx.Err() != nil {
		t.Errorf("still at work after a minute: %v", err)
	}
}

// TestSmall: what is shown is small, whatever the solver came upon.
func TestSmall(t *testing.T) {
	need(t)
	for _, x := range []struct{ right, old, new, want string }{
		{"int pick(int x, int y) { return y > x ? y : x; }\n", "? y : x", "? y : y", "x=0 y=-1"},
		{"unsigned mix(unsigned a, unsigned b) { return a * 3 + b; }\n", "a * 3 + b", "a * 3 - b", "a=0 b=1"},
		{"int over(int n) { return n > 1000 ? n - 1000 : 0; }\n", "n - 1000", "n - 999", "n=1001"},
	} {
		right, wrong := file(t, "right.c", x.right), file(t, "wrong.c", strings.Replace(x.right, x.old, x.new, 1))
		rep, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Logic: job.Logic{Random: -1}})
		if err != nil || !strings.Contains(rep.Example, x.want) {
			t.Errorf("%s: %v, want %s in %q", x.right, err, x.want, rep.Example)
		}
	}
	list := smaller(-7)
	for _, v := range list {
		if v < -7 {
			t.Errorf("%v", list)
		}
	}
	if len(smaller(0)) != 0 {
		t.Error(smaller(0))
	}
}
