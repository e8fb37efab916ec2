package states

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// runs writes tests: name, standard input, output.
func runs(t *testing.T, list ...[3]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, x := range list {
		for ext, text := range map[string]string{".in": x[1], ".out": x[2]} {
			if err := os.WriteFile(filepath.Join(dir, x[0]+ext), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

const signs = `#include <stdio.h>
static int size(int n)
{
    if (n < 0)
        return 0 + n;
    return n;
}
int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    printf("%d\n", size(n));
    return 0;
}
`

// TestFewTests holds that an answer from two tests says that they are two, which of
// them never comes to the change, and what the program does otherwise beside them.
func TestFewTests(t *testing.T) {
	rep, err := Fix(context.Background(), &job.Job{
		Files: []string{write(t, "size.c", signs)}, Spec: job.Spec{Tests: runs(t, [3]string{"minus", "-3", "3\n"}, [3]string{"plus", "4", "4\n"})}, Entry: "size", Limit: 20 * time.Second,
	})
	if err != nil || rep.Result != report.Repaired {
		t.Fatalf("%+v, %v", rep, err)
	}
	ev := rep.Repairs[0].Evidence
	if !strings.Contains(ev.Text, "both tests") || !strings.Contains(ev.Text, "tried on nothing else") {
		t.Error(ev.Text)
	}
	if ev.Near == nil || ev.Near.Inputs < few || ev.Near.Differ == 0 || ev.Near.Before == ev.Near.After || ev.Near.Example == "" {
		t.Errorf("%+v", ev.Near)
	}
	if strings.Join(ev.Exercise, " ") != "plus" {
		t.Errorf("not exercised: %v by\n%s", ev.Exercise, rep.Repairs[0].Diff)
	}
}

const few = 5

// TestMet holds what is said when nothing fails: with tests alone all that was asked
// is met; with a reference that is known only when the text is the same.
func TestMet(t *testing.T) {
	list := func(more string) string {
		return "#include <stddef.h>\nstruct n { int v; struct n *next; };\nstatic int calls = 0;\nint sum(struct n *p)\n{\n    int s = 0;\n    calls++;\n    while (p != NULL) {\n" + more + "        p = p->next;\n    }\n    return s;\n}\n"
	}
	right := write(t, "right.c", list("        s += p->v;\n"))
	for _, x := range []struct {
		name   string
		req    job.Job
		result string
		want   string
	}{
		{"tests", job.Job{Files: []string{write(t, "size.c", strings.Replace(signs, "0 +", "0 -", 1))}, Spec: job.Spec{Tests: runs(t, [3]string{"plus", "4", "4\n"})}}, report.Right, "meets the only test, and nothing else was asked"},
		{"the same text", job.Job{Files: []string{write(t, "a.c", list("        /* add */ s += p->v;\n"))}, Spec: job.Spec{Reference: []string{write(t, "b.c", list("        /* add */ s +=   p->v;\n"))}}, Entry: "sum"}, report.Right, "the text is the reference's"},
		{"another text", job.Job{Files: []string{write(t, "a.c", list("        s = p->v + s;\n"))}, Spec: job.Spec{Reference: []string{right}}, Entry: "sum"}, report.Alike, "no difference found, which is no proof"},
		{"calls in a row", job.Job{Files: []string{write(t, "a.c", list("        s = p->v + s;\n"))}, Spec: job.Spec{Reference: []string{right}}, Entry: "sum"}, report.Alike, "not looked at: several calls in a row"},
		{"initial values", job.Job{Files: []string{write(t, "a.c", strings.Replace(list("        s += p->v;\n"), "calls = 0", "calls = 1", 1))}, Spec: job.Spec{Reference: []string{right}}, Entry: "sum"}, report.Alike, "initial values that differ"},
	} {
		rep, err := Fix(context.Background(), &x.req)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if rep.Result != x.result || rep.Evidence == nil || !strings.Contains(rep.Evidence.Text, x.want) {
			t.Errorf("%s: %s %+v", x.name, rep.Result, rep.Evidence)
		}
	}
}

// TestVary holds that varied tests are others than the given ones, and each another.
