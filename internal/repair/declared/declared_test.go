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
	"gulo/internal/repair/states"
	"gulo/internal/report"
)

// TestDeclared: what differs from the reference beside functions is repaired where it
// shows, by calls and by whole runs, in files with either kind of line end.
func TestDeclared(t *testing.T) {
	const right = "#include <stdio.h>\n#define LIMIT 10\nstatic const int days[] = {31, 28, 31, 30};\nint clip(int v)\n{\n    if (v > LIMIT)\n        return LIMIT;\n    return v;\n}\n" +
		"int month(int m)\n{\n    return m >= 0 && m < 4 ? days[m] : -1;\n}\nint main(void)\n{\n    for (int i = 0; i < 20; i++)\n        printf(\"%d %d\\n\", clip(i), month(i));\n    return 0;\n}\n"
	const add = "#include <stdio.h>\nstatic unsigned total;\nvoid add(unsigned n) { total += n; }\nint main(void)\n{\n    for (unsigned i = 0; i < 20; i++)\n        add(i * 20);\n    printf(\"%u\\n\", total);\n    return 0;\n}\n"
	for _, c := range []struct{ name, right, old, new, line string }{
		{"macro", right, "LIMIT 10", "LIMIT 11", "+#define LIMIT 10"},
		{"initializer", right, "28, 31", "29, 31", "+static const int days[] = {31, 28, 31, 30};"},
		{"type", add, "static unsigned total", "static unsigned char total", "+static unsigned total;"},
	} {
		for _, cr := range []bool{false, true} {
			dir := t.TempDir()
			own, ref := filepath.Join(dir, "wrong.c"), filepath.Join(dir, "right.c")
			wrong := strings.Replace(c.right, c.old, c.new, 1)
			if cr {
				wrong = strings.ReplaceAll(wrong, "\n", "\r\n")
			}
			for name, text := range map[string]string{own: wrong, ref: c.right} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for method, fix := range map[string]func(context.Context, *job.Job) (*report.Report, error){"calls": states.Fix, "runs": runs.Fix} {
				rep, err := fix(context.Background(), &job.Job{Files: []string{own}, Spec: job.Spec{Reference: []string{ref}}, Limit: 60 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				if rep.Result != report.Repaired || len(rep.Repairs) != 1 || !strings.Contains(rep.Repairs[0].Diff, c.line) || rep.Failing == 0 || strings.Count(rep.Repairs[0].Diff, "\n+") != 2 {
					t.Errorf("%s, %s, %v: %s %s %+v", c.name, method, cr, rep.Result, rep.Cause, rep.Repairs)
				}
			}
		}
	}
}
