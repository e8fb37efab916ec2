package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/report"
)

// TestByReference takes a branch over from the reference, with the program's names, and says
// how much of it is the reference's.
func TestByReference(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ref := write("reference.c", `#include <stdio.h>
int main(void)
{
    int c, words = 0, inside = 0;
    while ((c = getchar()) != EOF) {
        if (c == ' ' || c == '\n') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    printf("%d\n", words);
    return 0;
}
`)
	file := write("program.c", `#include <stdio.h>
int main(void)
{
    int ch, in = 0, count = 0;
    while ((ch = getchar()) != EOF) {
        if (ch == ' ' || ch == '\n')
            in = 0;
    }
    printf("%d\n", count);
    return 0;
}
`)
	for in, out := range map[string]string{"one two": "2\n", "a": "1\n", " b  c d\n": "3\n"} {
		name := strings.Fields(in)[0]
		write("tests/"+name+".in", in)
		write("tests/"+name+".out", out)
	}
	ctx := steady()
	w, err := New(ctx, &job.Job{Files: []string{file}, Spec: job.Spec{Tests: filepath.Join(dir, "tests"), Reference: []string{ref}}, Limit: 3 * time.Minute, Repairs: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	rep, err := w.ByReference(ctx, budget.After(ctx, 2*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired {
		t.Fatalf("%s: %s", rep.Result, rep.Cause)
	}
	if text := rep.Sources(0)[file]; !strings.Contains(text, "} else if (!in) {\n            in = 1;\n            count++;\n        }") {
		t.Errorf("%s", text)
	}
	if n := strings.Join(rep.Notes, "\n"); !strings.Contains(n, "taken over from the reference: 3 of 8 statements") || rep.Failing == 0 {
		t.Errorf("%d fail: %s", rep.Failing, n)
	}
}

// TestByOthers: of several right programs the one nearest in structure gives its statements, with the program's own names;
// where all of them are other programs nothing is taken over.
func TestByOthers(t *testing.T) {
	const wrong = `#include <stdio.h>
int main(void)
{
    int count, v, most = 0;
    scanf("%d", &count);
    for (int k = 0; k < count; k++) {
        scanf("%d", &v);
        if (v > most)
            most = v;
    }
    printf("%d\n", most);
    return 0;
}
`
	const near = `#include <stdio.h>
int main(void)
{
    int n, x, best;
    scanf("%d", &n);
    best = -1000;
    for (int i = n; i > 0; i--) {
        scanf("%d", &x);
        if (x > best)
            best = x;
    }
    printf("%d\n", best);
    printf("%d\n", n);
    return 0;
}
`
	const far = `#include <stdio.h>
#include <stdlib.h>
static int larger(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
int main(void)
{
    int n, *all;
    scanf("%d", &n);
    all = malloc(n * sizeof *all);
    for (int i = 0; i < n; i++)
        scanf("%d", all + i);
    qsort(all, n, sizeof *all, larger);
    printf("%d\n%d\n", all[0], n);
    free(all);
    return 0;
}
`
	for _, x := range []struct {
		right []string
		want  string // empty: no repair
	}{
		{[]string{far, near}, "taken over from another program: 2 of 9 statements"},
		{[]string{far}, ""},
	} {
		dir := t.TempDir()
		put := func(name, text string) string {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		}
		j := &job.Job{Files: []string{put("wrong.c", wrong)}, Limit: 3 * time.Minute, Repairs: 1}
		j.Tests = filepath.Join(dir, "tests")
		for i, in := range []string{"2 3 9", "3 -4 -1 -2", "1 5", "4 7 1 8 2"} {
			put(fmt.Sprintf("tests/%d.in", i), in+"\n")
			put(fmt.Sprintf("tests/%d.out", i), []string{"9\n2\n", "-1\n3\n", "5\n1\n", "8\n4\n"}[i])
		}
		for i, text := range x.right {
			j.Right = append(j.Right, put(fmt.Sprintf("right/%d.c", i), text))
		}
		ctx := steady()
		w, err := New(ctx, j)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := w.ByReference(ctx, budget.After(ctx, 2*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(rep.Notes, "\n"); (rep.Result == report.Repaired) != (x.want != "") || !strings.Contains(notes, x.want) {
			t.Errorf("%s %s: %s", rep.Result, rep.Cause, notes)
		}
		if x.want == "" || rep.Result != report.Repaired {
			w.Close()
			continue
		}
		if !strings.Contains(rep.Sources(0)[j.Files[0]], `    printf("%d\n", count);`) {
			t.Errorf("%s", rep.Sources(0)[j.Files[0]])
		}
		w.Close()
	}
}
