package logic

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

const stairs = `#include <stdio.h>

void stairs(int n)
{
    for (int i = 1; i <= n; i++) {
        for (int j = 0; j < n - i; j++)
            putchar(' ');
        for (int j = 0; j < i; j++)
            putchar('#');
        putchar('\n');
    }
}

int main(void)
{
    stairs(3);
    return 0;
}
`

// TestEndless: a loop that never ends does not print anything else than the reference in
// the rounds that are looked at. It is no repair all the same.
func TestEndless(t *testing.T) {
	need(t)
	wrong := strings.Replace(stairs, "            putchar('#');\n        putchar('\\n');", "        putchar('\\n');\n            putchar('#');", 1)
	if wrong == stairs {
		t.Fatal("the same program")
	}
	rep, err := Fix(context.Background(), &job.Job{
		Files: []string{file(t, "wrong.c", wrong)}, Spec: job.Spec{Reference: []string{file(t, "right.c", stairs)}}, Entry: "stairs", Limit: 10 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rep.Repairs {
		t.Errorf("%s\n%s", r.Diff, r.Evidence.Text)
	}
}

// TestCompareSlow: inputs on which the reference takes long are left out, and the others
// are compared; a program that does not end on one of them differs.
func TestCompareSlow(t *testing.T) {
	need(t)
	const counts = "volatile int sink;\nint f(int n) { int s = 0; for (int i = 0; i < n; i++) { sink = i; s += i & 1; } return s; }\n"
	right := file(t, "right.c", counts)
	compare := func(old, new string) (int, string) { // each slow input takes five milliseconds
		t.Helper()
		n, bad, err := Compare(context.Background(), &job.Job{Files: []string{file(t, "own.c", strings.Replace(counts, old, new, 1))}, Spec: job.Spec{Reference: []string{right}}, Entry: "f", Logic: job.Logic{Random: 300}, Limit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return n, bad
	}
	if n, bad := compare("s += i & 1", "s += i % 2"); n < 150 || bad != "" {
		t.Errorf("the same: %d inputs, %s", n, bad)
	}
	if n, bad := compare("i < n; i++", "i < n; i += n != 7"); bad == "" || !strings.Contains(bad, "n=7") {
		t.Errorf("without end for 7: %d inputs, %q", n, bad)
	}
}

// TestCrowded: rounds of loops in loops are followed only so often in all. What that leaves
// out, a staircase of two, is not held to be looked at; natively it is.
func TestCrowded(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches for ten seconds; TestEndless looks at the same loops")
	}
	need(t)
	right := file(t, "right.c", stairs)
	for _, x := range []struct{ name, new string }{{"one sign", "j = -1; j < 0"}, {"one too many", "j = -1; j < i"}} {
		wrong := strings.Replace(stairs, "j = 0; j < i", x.new, 1)
		rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "wrong.c", wrong)}, Spec: job.Spec{Reference: []string{right}}, Entry: "stairs", Limit: 10 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Proof == "proved" || rep.Proof == "bounded" {
			t.Errorf("%s: %s", x.name, rep.Proof)
		}
		for _, r := range rep.Repairs {
			if strings.Contains(r.Evidence.Text, "holds for") || strings.Contains(r.Evidence.Text, "proved") {
				t.Errorf("%s: %s", x.name, r.Evidence.Text)
			}
		}
		if x.name == "one sign" && (rep.Result != report.None || !strings.Contains(rep.Example, "natively on n=")) {
			t.Errorf("%s: %s: %s, %s", x.name, rep.Result, rep.Cause, rep.Example)
		}
	}
}
