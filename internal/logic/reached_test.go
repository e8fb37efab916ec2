package logic

import (
	"gulo/internal/job"
	"gulo/internal/report"
	"strings"
	"testing"
	"time"
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
