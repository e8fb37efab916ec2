package logic

import (
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestAssertionsReached: an answer says when no input comes to an assertion.
func TestAssertionsReached(t *testing.T) {
	need(t)
	for _, c := range []struct{ name, text, says, not string }{
		{"reached", "int f(int x) { if (x > 5) assert(x != 4); return x; }", "assertions and errors", "no input"},
		{"never", "int f(int x) { if (x > 5 && x < 3) assert(x != 4); return x; }", "no input comes to any assertion", ""},
		{"one of two", "int f(int x) { if (x > 5 && x < 3) assert(x != 4);\n assert(x == x); return x; }", "no input comes to the assertion in line 2", ""},
	} {
		rep, err := answer(&job.Job{Files: []string{file(t, "a.c", "#include <assert.h>\n"+c.text+"\n")}, Entry: "f", Limit: 20 * time.Second, Logic: job.Logic{Random: 50}})
		if err != nil {
			t.Fatal(err)
		}
		if text := rep.Covers.String(); rep.Result != report.Right || !strings.Contains(text, c.says) || c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s: %s, %s: want %q", c.name, rep.Result, text, c.says)
		}
	}
}

// TestPrecondition: of a contract whose precondition no input meets nothing is said to hold, and
// inputs outside of it do not count as run.
func TestPrecondition(t *testing.T) {
	need(t)
	for _, c := range []struct{ name, pre, inputs, says string }{
		{"contradiction", "x > 5 && x < 3", "", "a.c:1:9: no call of next among those that are looked at, "},
		{"of an array", "forall(i, 0, 3, a[i] > 0 && a[i] < 0)", "", "meets the precondition; --inputs FILE"},
		{"beyond the usual numbers", "x > 5000", "", "with numbers from -1000 to 1000, meets"},
		{"more than is looked at", "x > 5000", `[{"name": "x", "min": 0, "max": 9}]`, "no call of next among those that are looked at meets"},
		{"numbers that are given", "x > 5000", `[{"name": "x", "min": 4000, "max": 6000}]`, ""},
		{"few", "x > 5 && x % 7 == 3", "", ""},
		{"all", "x == x", "", ""},
	} {
		text := "/* pre: " + c.pre + "\n   post: result == x + 1 */\nint next(int x, const int *a) { return x + 1; }\n"
		req := &job.Job{Files: []string{file(t, "a.c", text)}, Spec: job.Spec{Contracts: true}, Limit: 20 * time.Second, Logic: job.Logic{Random: 500}}
		if c.inputs != "" {
			req.Inputs = file(t, "in.json", `{"inputs": `+c.inputs+`}`)
		}
		rep, err := answer(req)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, %v, want %q", c.name, rep, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		switch n := rep.Calls; {
		case n == 0, c.name == "few" && n > 250, c.name == "all" && n < 500:
			t.Errorf("%s: %s, %d inputs were run", c.name, rep.Result, n)
		}
	}
}
