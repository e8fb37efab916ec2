package runs

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestUnattempted tells programs that do nothing from those that are wrong.
func TestUnattempted(t *testing.T) {
	for text, want := range map[string]bool{
		"int main(void) { return 0; }": true,
		"int twice(int n) { return 2 * n; }\nint main(void) { int n = 0; n = twice(n); return 0; }":                 true,
		"#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); return n; }":                                false,
		"#include <stdio.h>\nstatic void show(int n) { printf(\"%d\", n); }\nint main(void) { show(1); return 0; }": false,
	} {
		dir := t.TempDir()
		for name, s := range map[string]string{"a.c": text, "1.in": "4", "1.out": "8\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, err := New(context.Background(), &job.Job{Files: []string{filepath.Join(dir, "a.c")}, Spec: job.Spec{Tests: dir}})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := w.Unattempted()
		w.Close()
		if err != nil || (rep != nil) != want || rep != nil && rep.Result != report.None {
			t.Errorf("%s: %v %v", text, rep, err)
		}
	}
}
