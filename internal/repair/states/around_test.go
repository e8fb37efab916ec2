package states

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestAround: when only what stands around functions differs, that is repaired where a call
// shows it, and said, with both lines, where none does.
func TestAround(t *testing.T) {
	const right = "#define BONUS 5\nint rate = 3;\nstruct s { int x; };\n/* price */\nint price(int a)\n{\n    return a * rate + BONUS;\n}\n"
	dir := t.TempDir()
	fix := func(text string) string {
		own, ref := filepath.Join(dir, "own.c"), filepath.Join(dir, "ref.c")
		for name, text := range map[string]string{own: text, ref: right} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		rep, err := Fix(context.Background(), &job.Job{Files: []string{own}, Spec: job.Spec{Reference: []string{ref}}})
		if err == nil && rep.Result == report.Repaired {
			return rep.Repairs[0].Diff
		}
		if err == nil && rep.Evidence != nil {
			return rep.Evidence.Text
		}
		var use *job.UsageError
		if !errors.As(err, &use) {
			t.Fatalf("%q: %v", text, err)
		}
		return use.Message
	}
	for _, x := range [][3]string{
		{"BONUS 5", "BONUS 6", "+#define BONUS 5\n"},
		{"rate = 3", "rate = 4", "+int rate = 3;\n"},
		{"int x;", "long x;", "a declaration, " + dir + "/own.c:3: struct s { long x; };"},
	} {
		if got := fix(strings.Replace(right, x[0], x[1], 1)); !strings.Contains(got, x[2]) {
			t.Errorf("%s: %q, want %q", x[1], got, x[2])
		}
	}
	if got := fix(strings.Replace(right, "/* price */", "// the price,\n", 1)); strings.Contains(got, "other things do") {
		t.Errorf("a comment: %q", got)
	}
}
