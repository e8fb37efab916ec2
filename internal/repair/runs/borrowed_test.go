package runs

import (
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
