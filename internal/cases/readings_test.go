package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/job"
)

// TestReadings: a program that does not look at what scanf returns is not held against runs in
// which the reference finds a word where it reads a number, unless the run in hand is of that
// kind.
func TestReadings(t *testing.T) {
	const right = `#include <stdio.h>
int main(void)
{
    char op;
    int x, sum = 0;
    while (scanf(" %c", &op) == 1 && op != 'q') {
        if (scanf("%d", &x) != 1) {
            printf("bad\n");
            return 1;
        }
        sum = op == 'a' ? sum + x : sum - x;
        printf("%d\n", sum);
    }
    return 0;
}
`
	wrong := strings.NewReplacer("if (scanf(\"%d\", &x) != 1) {\n            printf(\"bad\\n\");\n            return 1;\n        }", "scanf(\"%d\", &x);", "sum - x", "sum + x").Replace(right)
	if strings.Contains(wrong, "bad") || !strings.Contains(wrong, "? sum + x : sum + x") {
		t.Fatal(wrong)
	}
	dir := t.TempDir()
	files := map[string]string{"right.c": right, "wrong.c": wrong}
	for name, text := range files {
		files[name] = filepath.Join(dir, name)
		if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		stdin string
		bad   bool
	}{{"a 5\ns 3\na 2\nq\n", false}, {"a 5\ns x\nq\n", true}} {
		s, err := OfRuns(context.Background(), &job.Job{Files: []string{files["wrong.c"]}, Spec: job.Spec{Reference: []string{files["right.c"]}}, Stdin: x.stdin}, nil)
		if err != nil {
			t.Fatal(err)
		}
		bad := 0
		for _, c := range s.Given.Cases {
			if strings.Contains(c.Want.Output, "bad") {
				bad++
			}
		}
		if (bad > 0) != x.bad || s.Failing == 0 {
			t.Errorf("%q: %d of %d cases end with what cannot be read; %d fail", x.stdin, bad, len(s.Given.Cases), s.Failing)
		}
		if noted := strings.Contains(strings.Join(s.Notes, "\n"), "scanf finds something else"); !noted && !x.bad {
			t.Errorf("%q: %q", x.stdin, s.Notes)
		}
	}
}
