package declared_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/repair/runs"
	"gulo/internal/report"
)

// TestEntry: whole runs with a function that may change, which the reference need not have.
func TestEntry(t *testing.T) {
	const right = "#include <stdio.h>\n#define BONUS 5\nint price(int a) { return 3 * a + BONUS; }\nint main(void)\n{\n    printf(\"%d\\n\", price(7));\n    return 0;\n}\n"
	for _, name := range []string{"price", "cost"} {
		dir := t.TempDir()
		own, ref := filepath.Join(dir, "wrong.c"), filepath.Join(dir, "right.c")
		for file, text := range map[string]string{own: strings.ReplaceAll(strings.Replace(right, "BONUS 5", "BONUS 6", 1), "price", name), ref: right} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		rep, err := runs.Fix(context.Background(), &job.Job{Files: []string{own}, Spec: job.Spec{Reference: []string{ref}}, Entry: name, Limit: time.Minute})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if rep.Result != report.Repaired {
			t.Errorf("%s: %s: %s", name, rep.Result, rep.Cause)
		}
	}
}
