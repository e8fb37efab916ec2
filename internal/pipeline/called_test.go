package pipeline

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

// byFunction are functions without main, each beside a reference, with a line of the repair; "": the function is
// right.
var byFunction = []struct{ name, ref, own, want string }{
	{"text", `#include <string.h>
void trim(char *s)
{
    size_t n = strlen(s);
    while (n > 0 && s[n - 1] == ' ')
        n--;
    s[n] = '\0';
}
`, `void trim(char *s)
{
    int i, end = 0;
    for (i = 0; s[i] != '\0'; i++)
        if (s[i] != ' ')
            end = i;
    s[end] = '\0';
}
`, "end = i + 1;"},
	{"structure", `struct vec { int *data; int len; };
int total(struct vec v)
{
    int i, sum = 0;
    for (i = 0; i < v.len; i++)
        sum += v.data[i];
    return sum;
}
`, `struct vec { int len; int *data; };
int total(struct vec v)
{
    int sum = 0, i = 1;
    while (i < v.len) {
        sum += v.data[i];
        i++;
    }
    return sum;
}
`, "int sum = 0, i = "}, // 0, or sum
	{"list", listOf + `int count(struct node *l, int v)
{
    int n = 0;
    for (; l; l = l->next)
        n += l->val == v;
    return n;
}
`, listOf + `int count(struct node *l, int v)
{
    int n = 0;
    while (l->next != NULL) {
        if (l->val == v)
            n++;
        l = l->next;
    }
    return n;
}
`, "while (l != NULL)"},
	{"right", `int most(const int *a, int n)
{
    int i, m = 0;
    for (i = 1; i < n; i++)
        m = a[i] > a[m] ? i : m;
    return n > 0 ? a[m] : 0;
}
`, `int most(const int *a, int n)
{
    int i, m;
    if (n <= 0)
        return 0;
    m = a[0];
    for (i = 1; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}
`, ""},
}

// TestByFunction: calls of a function beside a reference become whole runs of both, whatever the function is given
// and however its structures order their members.
func TestByFunction(t *testing.T) {
	for i, x := range byFunction {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			ref, own := filepath.Join(dir, "ref.c"), filepath.Join(dir, "own.c")
			for name, text := range map[string]string{ref: x.ref, own: x.own} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			j := &job.Job{Files: []string{own}, Spec: job.Spec{Reference: []string{ref}}, Engines: []string{"runs"}, Limit: 2 * time.Minute}
			a, err := Fix(context.Background(), j)
			if x.want == "" {
				if err == nil && a.Report.Result == report.Repaired {
					t.Errorf("a right function is repaired: %s", a.Report.Repairs[0].Diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if a.Report.Result != report.Repaired || !strings.Contains(a.Report.Repairs[0].Diff, x.want) {
				t.Fatalf("%s %s %+v", a.Report.Result, a.Report.Cause, a.Report.Repairs)
			}
			one := a.Report.Repairs[0]
			if one.Evidence.HeldMet != one.Evidence.Held || one.Evidence.Held == 0 || one.Evidence.Guarded == 0 {
				t.Errorf("the repair is held against too little: %s", one.Evidence.Text)
			}
			for name, text := range a.Sources() {
				if name != own || strings.Contains(text, "gulo_") {
					t.Errorf("%s is changed:\n%s", name, text)
				}
			}
			for _, e := range one.Edits {
				if e.File != own {
					t.Errorf("an edit stands in %s", e.File)
				}
			}
		})
	}
}
