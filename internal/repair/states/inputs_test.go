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

// TestInputsTell holds that what is held back tells repairs apart that agree on most
// numbers: none that is shown differs on the calls that each line names.
func TestInputsTell(t *testing.T) {
	for _, c := range []struct{ name, head, right, wrong, not string }{
		{"equal arguments", "", "int f(int a, int b, int c) { if (a == b && b == c) return 1; if (a == b || b == c || a == c) return 2; return 3; }",
			"int f(int a, int b, int c) { if (a == b && b == c) return 1; if (a == b || b == c) return 2; return 3; }", "(a == c || b == c)"},
		{"multiples of a divisor", "", "int f(int y) { if (y % 400 == 0) return 1; if (y % 100 == 0) return 0; return y % 4 == 0; }",
			"int f(int y) { if (y % 100 == 0) return 0; return y % 4 == 0; }", "y == 100"},
		{"standard error", "#include <stdio.h>\n", "int f(int v) { if (v < 0) { fprintf(stderr, \"%d\\n\", v); return 0; } return v; }",
			"int f(int v) { if (v < 0) { printf(\"%d\\n\", v); return 0; } return v; }", "-int"},
		{"errno", "#include <errno.h>\n", "int f(int v) { if (v < 0) { errno = EINVAL; return -1; } return v; }",
			"int f(int v) { if (v < 0) { return -1; } return v; }", "no difference"},
	} {
		dir := t.TempDir()
		own, ref := filepath.Join(dir, "wrong.c"), filepath.Join(dir, "right.c")
		for name, text := range map[string]string{own: c.wrong, ref: c.right} {
			if err := os.WriteFile(name, []byte(c.head+text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		rep, err := Fix(context.Background(), &job.Job{Files: []string{own}, Spec: job.Spec{Reference: []string{ref}}, Entry: "f", Limit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Result == report.Right || rep.Result == report.Alike {
			t.Errorf("%s: no difference: %+v", c.name, rep.Evidence)
		}
		for _, r := range rep.Repairs {
			if rep.Result == report.Repaired && strings.Contains(r.Diff, c.not) {
				t.Errorf("%s: this is shown as a repair:\n%s%s", c.name, r.Diff, r.Evidence.Text)
			}
		}
	}
}
