package runs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
)

// TestNumbers: where tests are met with other numbers than the one that a repair puts in, a note
// says with which.
func TestNumbers(t *testing.T) {
	const text = `#include <stdio.h>
int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    if (n > 12)
        puts("big");
    if (n == 5)
        puts("five");
    puts("done");
    return 0;
}
`
	dir := t.TempDir()
	files := map[string]string{"a.c": text, "tests/a.in": "2\n", "tests/a.out": "done\n", "tests/b.in": "8\n", "tests/b.out": "big\ndone\n", "tests/c.in": "20\n", "tests/c.out": "big\ndone\n", "tests/d.in": "1\n", "tests/d.out": "done\n"}
	for name, text := range files {
		files[name] = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(files[name]), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[name], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	w, err := New(ctx, &job.Job{Files: []string{files["a.c"]}, Spec: job.Spec{Tests: filepath.Join(dir, "tests")}, Limit: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f := w.t.Prog.Tree.Files[0]
	for _, x := range []struct{ before, after, want string }{
		{"12", "5", "line 7: with every number from 2 to 7 in place of 5, the tests are met; they do not say which is right"},
		{"n > 12", "n > 7 && n > 3", ""}, // two numbers
		{"12", "9", ""},                  // with which the tests are not met
		{"puts(\"big\");", "if (n > 3) puts(\"big 4\");", ""},
	} {
		at := strings.Index(text, x.before)
		e := &textedit.Edit{Changes: []textedit.Change{{File: f, Start: at, End: at + len(x.before), Text: x.after}}}
		w.t.Notes = nil
		rep := &report.Report{}
		if err := w.numbers(ctx, rep, &schema.Repair{Edits: []*textedit.Edit{e}}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(rep.Notes, "\n"); got != x.want {
			t.Errorf("%s for %s: %q", x.after, x.before, got)
		}
	}
}
