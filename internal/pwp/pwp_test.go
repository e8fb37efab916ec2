package pwp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/contract"
	"gulo/internal/job"
	"gulo/internal/report"
	"gulo/internal/sandbox"
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

const largest = `/* pre:  n > 0
   post: forall(i, 0, n, result >= a[i]) && exists(i, 0, n, result == a[i]) */
int max(const int *a, int n)
{
    int i = 1, s = a[0];
    while (i < n) {
        if (s < a[i])
            s = a[i];
        i = i + 1;
    }
    return s;
}
`

// TestFix corrects one fault, a loop that does not end, an access outside, a null
// pointer, and two faults one after the other.
func TestFix(t *testing.T) {
	const list = "#include <stddef.h>\nstruct node { int value; struct node *next; };\n/* pre: acyclic(l)\n   post: result == length(l) */\nint len(struct node *l)\n{\n    int n = 0;\n    while (l != NULL) {\n        n = n + 1;\n        l = l->next;\n    }\n    return n;\n}\n"
	const fib = "/* pre:  n >= 0 && n <= 12\n   post: implies(n < 2, result == n) && implies(n == 2, result == 1) && implies(n == 7, result == 13) && implies(n == 10, result == 55) */\nint fib(int n)\n{\n    if (n < 2)\n        return n;\n    return fib(n - 1) + fib(n - 2);\n}\n"
	const vowels = "/* pre:  n >= 0 && n <= 5 && s[n] == 0 && forall(i, 0, n, s[i] != 0)\n   post: result == sum(i, 0, n, s[i] == 97 || s[i] == 101) */\nint vowels(const char *s, int n)\n{\n    int k = 0;\n    for (; *s; s++)\n        if (*s == 97 || *s == 101)\n            k++;\n    return k;\n}\n"
	const reals = "/* post: implies(c >= -2.5, result == c * 1.5 + 32) && implies(c < -2.5, result == 0.0) */\ndouble scale(double c)\n{\n    double f = 0;\n    if (c >= -2.5)\n        f = c * 1.5 + 32;\n    return f;\n}\n"
	for _, c := range []struct {
		name, text string
		edits      []string // pairs
		want       []string
	}{
		{"operator", largest, []string{"s < a[i]", "s > a[i]"}, []string{"+        if (s < a[i])"}},
		{"endless", largest, []string{"i = i + 1", "s = i + 1"}, []string{"+        i = i + 1;"}},
		{"outside", largest, []string{"i < n", "i <= n"}, []string{"+    while (i "}},
		{"null", list, []string{"l != NULL", "l->next != NULL"}, []string{"l"}},
		{"recursion", fib, []string{"n - 2", "n - 3"}, []string{"fib(n - 1) + fib(n - 2)"}},
		{"numbers that matter", vowels, []string{"*s == 101", "*s == 102"}, []string{"*s == 101"}},
		{"reals", reals, []string{"if (c >= -2.5)", "if (c > -2.5)"}, []string{"+    if (c >= -2.5)"}},
		{"a real constant", reals, []string{"f = c * 1.5 + 32", "f = c * 1.5 + 31"}, []string{"+        f = c * 1.5 + 32;"}},
		{"two", largest, []string{"s < a[i]", "s > a[i]", "int i = 1", "int i = 2"}, []string{"if (s < a[i])", "int i = 1"}},
	} {
		text := c.text
		for i := 0; i < len(c.edits); i += 2 {
			next := strings.Replace(text, c.edits[i], c.edits[i+1], 1)
			if next == text {
				t.Fatal(c.name)
			}
			text = next
		}
		rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "p.c", text)}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if rep.Result != report.Repaired || rep.Repairs[0].Evidence.Held < 10 {
			t.Errorf("%s: %s %s %+v", c.name, rep.Result, rep.Cause, rep.Repairs)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(rep.Repairs[0].Diff, w) {
				t.Errorf("%s: %s, want %s", c.name, rep.Repairs[0].Diff, w)
			}
		}
		fixed := ""
		for _, x := range rep.Sources(0) {
			fixed = x
		}
		if n, bad, err := Check(context.Background(), &job.Job{Files: []string{file(t, "fixed.c", fixed)}}); err != nil || bad != "" || n < 10 {
			t.Errorf("%s: the repaired program: %d calls, %q, %v", c.name, n, bad, err)
		}
	}
}

// TestLocate puts the faulty line first and explains.
func TestLocate(t *testing.T) {
	f := file(t, "p.c", strings.Replace(largest, "s < a[i]", "s > a[i]", 1))
	rank, rep, err := Locate(context.Background(), &job.Job{Files: []string{f}, Spec: job.Spec{Tests: file(t, "calls.txt", "a=[-2,5,3] n=3\na=[7] n=1\na=[1,1] n=2\n")}}, true)
	if err != nil || len(rank.Ranking) == 0 || rank.Ranking[0].Line != 7 || rank.Failing != 1 || len(rep.Spectrum) == 0 {
		t.Fatalf("%+v %+v %v", rank, rep, err)
	}
	if len(rep.Explanation) == 0 || !strings.Contains(rep.Explanation[0], "they exclude each other") || !strings.Contains(rep.Trace, "postcondition") {
		t.Errorf("%v", rep.Explanation)
	}
}

// TestRequests are requests that make no sense or have no answer.
func TestRequests(t *testing.T) {
	good := file(t, "good.c", largest)
	for _, c := range []struct {
		name string
		req  job.Job
		want string
	}{
		{"no contract", job.Job{Files: []string{file(t, "p.c", "int f(int x) { return x; }\n")}}, "there is no contract"},
		{"no test meets the precondition", job.Job{Files: []string{good}, Spec: job.Spec{Tests: file(t, "t.txt", "a=[1] n=0\n")}}, "p.c:1:"},
		{"no test", job.Job{Files: []string{good}, Spec: job.Spec{Tests: file(t, "t.txt", "# none\n")}}, "there is no call"},
		{"unknown variable", job.Job{Files: []string{good}, Spec: job.Spec{Contract: file(t, "c.json", `{"entry": "max", "post": "result >= b[0]"}`)}}, `no variable "b"`},
		{"unknown input", job.Job{Files: []string{good}, Spec: job.Spec{Contract: file(t, "c.json", `{"entry": "max", "post": "result >= a[0]", "inputs": [{"name": "z"}]}`)}}, "z is no parameter"},
	} {
		_, err := Fix(context.Background(), &c.req)
		var use *job.UsageError
		var bad *contract.Error
		want := strings.Replace(c.want, "p.c:1:", "good.c:1:", 1)
		if !(errors.As(err, &use) || errors.As(err, &bad)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", c.name, err, want)
		}
	}
	rep, err := Fix(context.Background(), &job.Job{Files: []string{good}, Spec: job.Spec{Tests: file(t, "t.txt", "a=[1,2] n=2\n")}})
	if err != nil || rep.Result != report.Alike || !strings.Contains(rep.Cause, "the only call from") || !strings.Contains(rep.Cause, "t.txt:1:1: add a call that breaks it") {
		t.Errorf("%+v, %v", rep, err)
	}
	rep, err = Fix(context.Background(), &job.Job{Files: []string{file(t, "p.c", "/* post: result == x * x * x */\nint cube(int x)\n{\n    return 7;\n}\n")}})
	if err != nil || rep.Result != report.None {
		t.Errorf("%+v, %v", rep, err)
	}
}
