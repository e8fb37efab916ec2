package states

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestOpaque: a run that comes to what gulo has no model of is no failure, and nothing is
// claimed of it.
func TestOpaque(t *testing.T) {
	const right = `#include <stdio.h>
int f(int x) { int y = x; __asm__(".set one, 1; addl $1, %0" : "+r"(y)); return y; }
int g(int x) { return x > 3 ? f(x) : x; }
int main(void) { int n = 0; if (scanf("%d", &n) == 1) printf("%d\n", g(n)); return 0; }
`
	file := write(t, "right.c", right)
	_, err := Fix(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Tests: runs(t, [3]string{"four", "4", "5\n"}, [3]string{"one", "1", "1\n"})}, Limit: time.Minute})
	if err == nil || !strings.Contains(err.Error(), "whether the program fails is not known") {
		t.Errorf("a right program whose test gulo cannot execute: %v", err)
	}
	_, err = Fix(context.Background(), &job.Job{Files: []string{write(t, "wrong.c", strings.Replace(right, "$1", "$2", 1))}, Spec: job.Spec{Reference: []string{file}}, Entry: "f", Limit: time.Minute})
	if err == nil || !strings.Contains(err.Error(), "right.c:2:27 (gulo has no model of it: inline assembly is not supported)") {
		t.Errorf("a function of nothing else: %v", err)
	}
	rep, err := Fix(context.Background(), &job.Job{Files: []string{write(t, "other.c", strings.Replace(right, "$1", "$2", 1))}, Spec: job.Spec{Reference: []string{file}}, Entry: "g", Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Alike || !strings.Contains(rep.Cause, "not looked at") || !strings.Contains(rep.Cause, "right.c:2:27") {
		t.Errorf("%s: %s", rep.Result, rep.Cause)
	}
}
