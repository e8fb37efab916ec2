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

// larger is to print the larger of two numbers, or what else two tests leave open.
const larger = `#include <stdio.h>

int main(void)
{
    int a, b;
    if (scanf("%d %d", &a, &b) != 2)
        return 0;
    printf("%d\n", a);
    return 0;
}
`

// TestGuessed: where two tests are met by the second as by the larger of two numbers, to show one of
// them would be a guess; a third test tells. What a rival does by an unset variable says nothing.
func TestGuessed(t *testing.T) {
	for _, x := range []struct {
		name, program string
		tests         map[string]string
		guess         bool
	}{
		{"two tests", strings.Replace(larger, "a);\n    return", "a < b ? a : b);\n    return", 1), map[string]string{"1 2": "2\n", "3 7": "7\n"}, true},
		{"a third one", strings.Replace(larger, "a);\n    return", "a < b ? a : b);\n    return", 1), map[string]string{"1 2": "2\n", "3 7": "7\n", "9 4": "9\n"}, false},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "larger.c")
		if err := os.WriteFile(file, []byte(x.program), 0o600); err != nil {
			t.Fatal(err)
		}
		for in, out := range x.tests {
			base := filepath.Join(dir, strings.ReplaceAll(in, " ", "_"))
			if os.WriteFile(base+".in", []byte(in+"\n"), 0o600) != nil || os.WriteFile(base+".out", []byte(out), 0o600) != nil {
				t.Fatal("cannot write")
			}
		}
		ctx := steady()
		w, err := New(ctx, &job.Job{Files: []string{file}, Spec: job.Spec{Tests: dir}, Limit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := w.ByOutput(ctx, budget.After(ctx, time.Minute))
		if err == nil && rep.Result != report.Repaired {
			rep, err = w.ByText(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		why := w.Guessed(rep)
		w.Close()
		if rep.Result != report.Repaired || (why != "") != x.guess {
			t.Errorf("%s: %s, guessed %q, %v", x.name, rep.Result, why, rep.Notes)
		}
		if x.guess && (!strings.Contains(why, "two repairs meet all 2 tests") || !strings.Contains(why, "On <<<")) {
			t.Error(why)
		}
	}
}
