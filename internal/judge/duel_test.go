package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
)

// TestFight counts runs on which a program agrees with the reference where they read
// something; thousands of runs that all do the same are one, and
// refute nevertheless.
func TestFight(t *testing.T) {
	const reads, deaf = "while (scanf(\"%d\", &x) == 1)\n        printf(\"%d\\n\", x + ONE);", "printf(\"%d\\n\", 4 + ONE);"
	for _, c := range []struct {
		name, body, one string
		refuted, many   bool
	}{
		{"reads", reads, "1", false, true},
		{"reads, wrong", reads, "(x > 70 ? 2 : 1)", true, false},
		{"deaf", deaf, "1", false, false},
		{"always the same, wrong", "while (scanf(\"%d\", &x) == 1)\n        if (x + ONE < x)\n            puts(\"never\");\n    puts(\"end\");", "(x > 70 ? -1 : 1)", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, one string) string {
				path := filepath.Join(dir, name)
				text := fmt.Sprintf("#include <stdio.h>\n#define ONE %s\nint main(void)\n{\n    int x = 0;\n    %s\n    return x * 0;\n}\n", one, c.body)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			req := &job.Job{Files: []string{write("p.c", c.one)}, Spec: job.Spec{Reference: []string{write("r.c", "1")}}, Stdin: "3\n5\n", Limit: time.Minute}
			set, err := cases.OfRuns(context.Background(), req, nil)
			if err != nil {
				t.Fatal(err)
			}
			j := &Judge{Set: set}
			j.Challenge(context.Background())
			defer j.Close()
			refuting, met, err := j.Fight(context.Background(), set.Prog)
			if err != nil {
				t.Fatal(err)
			}
			if (refuting != nil) != c.refuted || (met > 1000) != c.many || !c.many && met != 0 {
				t.Errorf("refuted %v, agrees on %d runs", refuting != nil, met)
			}
		})
	}
}
