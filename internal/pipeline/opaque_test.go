package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/locate"
	"gulo/internal/report"
)

// opaqueJob is a job about a program whose test b reaches inline assembly once the program is right.
func opaqueJob(t *testing.T, wrong string) *job.Job {
	t.Helper()
	const program = `#include <stdio.h>
static int twice(int x)
{
	int r;
	__asm__(".set one, 1; leal (%1,%1), %0" : "=r"(r) : "r"(x));
	return r;
}
static int sum(const int *a, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += a[i];
	return s;
}
int main(void)
{
	int a[10], n = 0;
	while (n < 10 && scanf("%d", &a[n]) == 1)
		n++;
	int s = sum(a, n);
	if (s > 100)
		printf("big %d\n", twice(s));
	else
		printf("%d\n", s);
	return 0;
}
`
	dir := t.TempDir()
	files := map[string]string{"wrong.c": strings.Replace(program, "i = 0", wrong, 1), "tests/a.in": "1 2 3\n", "tests/a.out": "6\n",
		"tests/b.in": "100 2 3\n", "tests/b.out": "big 210\n", "tests/c.in": "4 5\n", "tests/c.out": "9\n"}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &job.Job{Files: []string{filepath.Join(dir, "wrong.c")}, Spec: job.Spec{Tests: filepath.Join(dir, "tests")}, Limit: 2 * time.Minute}
}

// TestOpaqueGiven: a test with which the program, as it is, reaches what gulo has no model of is run natively. A
// repair is searched with the other tests, and has to meet this one, too.
func TestOpaqueGiven(t *testing.T) {
	// With the mistake, too, test b comes to inline assembly, and test c shows it.
	j := opaqueJob(t, "i = n < 3")
	rep, err := locate.Locate(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	const aside = "only run natively, since the program comes to what gulo has no model of: b ("
	if len(rep.Ranking) == 0 || !strings.Contains(strings.Join(rep.Notes, "\n"), aside) {
		t.Errorf("locate ranks %v and says %q", rep.Ranking, rep.Notes)
	}
	a, err := Fix(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result != report.Repaired {
		t.Fatalf("%s: %s", a.Report.Result, a.Report.Cause)
	}
	ev := &a.Report.Repairs[0].Evidence
	if ev.Given != 3 || ev.Alone != 1 || ev.Guarded < 3 || !strings.Contains(strings.Join(a.Report.Notes, "\n"), aside) {
		t.Errorf("%+v, notes %q", ev, a.Report.Notes)
	}
}

// TestOpaqueGivenRefutes: a repair for the tests that the machine can run is refuted by the other one. If a program
// meets all that the machine can run, nothing is known about it.
func TestOpaqueGivenRefutes(t *testing.T) {
	j := opaqueJob(t, "i = 1")
	// With 100 in the second place the program comes to inline assembly as it is.
	for name, text := range map[string]string{"b.in": "2 100 3\n", "b.out": "big 999\n"} {
		if err := os.WriteFile(filepath.Join(j.Spec.Tests, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	j.Limit = 4 * time.Second // twice what a repair takes where there is one
	a, err := Fix(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result == report.Repaired {
		t.Errorf("repaired, and test b cannot be: %+v", a.Report.Repairs[0])
	}
	j = opaqueJob(t, "i = 0")
	if err := os.WriteFile(filepath.Join(j.Spec.Tests, "b.out"), []byte("big 999\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if a, err := Fix(t.Context(), j); err == nil {
		t.Errorf("%s: %s", a.Report.Result, a.Report.Cause)
	}
	if rep, err := locate.Locate(t.Context(), j); err == nil {
		t.Errorf("locate ranks %v", rep.Ranking)
	}
}

const noModel = "wrong.c:5:2 (gulo has no model of it: inline assembly is not supported)"

// TestOpaqueRepaired: a repair that was run natively is not refuted when the machine ends at what it has no model of;
// the answer says so.
func TestOpaqueRepaired(t *testing.T) {
	a, err := Fix(t.Context(), opaqueJob(t, "i = 1"))
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result != report.Repaired {
		t.Fatalf("%s: %s", a.Report.Result, a.Report.Cause)
	}
	ev := &a.Report.Repairs[0].Evidence
	if ev.Alone != 1 || ev.Guarded < 3 || !strings.Contains(ev.Text, "1 of these run as the compiled program alone: they take too long on the machine, or reach code that it has no model of") || !strings.Contains(strings.Join(ev.Unseen, "\n"), noModel) {
		t.Errorf("%+v", ev)
	}
	if n := ev.Near; n != nil && strings.Contains(n.Before+n.After, "not supported") {
		t.Errorf("what is not known is told as what the program does: %+v", n)
	}
}

// TestOpaqueLeftOut: if no repair is found, and when lines are ranked, the answer says what was not looked at.
func TestOpaqueLeftOut(t *testing.T) {
	j := opaqueJob(t, "i = 1")
	rep, err := locate.Locate(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(rep.Notes, "\n"), "not looked at: ") || !strings.Contains(strings.Join(rep.Notes, "\n"), noModel) {
		t.Errorf("locate says %q", rep.Notes)
	}
	for line := 1; line <= 26; line++ {
		j.Lock = append(j.Lock, line)
	}
	j.Limit = 5 * time.Second
	a, err := Fix(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result == report.Repaired || !strings.Contains(strings.Join(a.Report.Notes, "\n"), noModel) {
		t.Errorf("%s, notes %q", a.Report.Result, a.Report.Notes)
	}
}
