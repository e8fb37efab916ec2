package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/native"
)

// TestFight counts the runs on which a program that reads something agrees with the reference. Thousands of runs that
// all do the same count as one, and refute all the same.
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

// TestHeavy: a run that takes the reference long is not made, and a program that takes a few times as many steps as
// the reference is not refuted.
func TestHeavy(t *testing.T) {
	const text = "#include <stdio.h>\nint main(void)\n{\n    int n = 0, i, s = 0;\n    if (scanf(\"%%d\", &n) != 1)\n        return 1;\n    for (i = 0; i < %s; i++)\n        s += i %% 2;\n    printf(\"%%d\\n\", s / %s + %s);\n    return 0;\n}\n"
	for _, c := range []struct {
		name, rounds, by, more string
		refuted                bool
	}{
		{"slower", "n * 4", "4", "0", false},
		{"slower, wrong for some", "n * 4", "4", "(n == 200)", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, rounds, by, more string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(fmt.Sprintf(text, rounds, by, more)), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			req := &job.Job{Files: []string{write("p.c", c.rounds, c.by, c.more)}, Spec: job.Spec{Reference: []string{write("r.c", "n", "1", "0")}}, Stdin: "20\n", Limit: time.Minute}
			set, err := cases.OfRuns(context.Background(), req, nil)
			if err != nil {
				t.Fatal(err)
			}
			j := &Judge{Set: set}
			j.Challenge(context.Background())
			defer j.Close()
			<-j.duel.ready
			if _, want := j.duel.runs(); slices.Contains(want, native.CutOutcome) || len(want) < 1000 {
				t.Errorf("%d runs, or one that was cut", len(want))
			}
			refuting, _, err := j.Fight(context.Background(), set.Prog)
			if err != nil {
				t.Fatal(err)
			}
			if (refuting != nil) != c.refuted {
				t.Errorf("refuted by %+v", refuting)
			}
		})
	}
}
