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

// TestSharedMain: what a program prints with a main that the reference has, too, is not mended
// in that main.
func TestSharedMain(t *testing.T) {
	const head = "#include <stdio.h>\nstruct pair { int left, right; };\n"
	const right = "static int other(const struct pair *p, int x)\n{\n    if (p->left == x)\n        return p->right;\n    return p->left;\n}\n"
	const main = "int main(void)\n{\n    struct pair p = { 12, 128 };\n    printf(\"%d\\n\", other(&p, 12));\n    printf(\"%d\\n\", other(&p, 128));\n    return 0;\n}\n"
	wrong := strings.Replace(right, "    if (p->left == x)\n        return p->right;\n", "", 1)
	dir := t.TempDir()
	files := map[string]string{"right.c": head + right + main, "wrong.c": head + wrong + main, "tests/a.out": "128\n12\n", "tests/a.in": ""}
	for name, text := range files {
		files[name] = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(files[name]), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[name], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx := steady()
	w, err := New(ctx, &job.Job{Files: []string{files["wrong.c"]}, Spec: job.Spec{Reference: []string{files["right.c"]}, Tests: filepath.Join(dir, "tests")}, Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	rep, err := w.ByOutput(ctx, budget.After(ctx, 30*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired {
		return // left to others
	}
	for _, texts := range rep.Texts {
		for _, text := range texts {
			if !strings.HasSuffix(text, main) {
				t.Errorf("main is changed:\n%s", text)
			}
		}
	}
}
