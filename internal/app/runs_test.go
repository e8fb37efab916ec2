package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWholeRuns compares answers that nothing is wrong with whole runs: if those differ, that is the answer. main is
// compared by its runs.
func TestWholeRuns(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("no z3")
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const shown = "#include <stdio.h>\nint n;\nint f(int x) { return x / 2; }\nint main(void) { n = 8; printf(\"%d\\n\", f(n)); return 0; }\n"
	right := file("right.c", shown)
	wrong := file("wrong.c", strings.Replace(shown, "f(n))", "f(n) + 1)", 1))
	status := file("status.c", strings.Replace(shown, "return 0", "return 3", 1))
	const sums = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) { int s = 0; for (int i = 1; i < argc; i++) s += atoi(argv[i]); printf(\"%d\\n\", s); return 0; }\n"
	adds := file("adds.c", sums)
	skips := file("skips.c", strings.Replace(sums, "i = 1", "i = 2", 1))
	const reads = "#include <stdio.h>\nint main(void) { int a, b; if (scanf(\"%d %d\", &a, &b) != 2) return 1; printf(\"%d\\n\", a + b); return 0; }\n"
	sum := file("sum.c", reads)
	minus := file("minus.c", strings.Replace(reads, "a + b", "a - b", 1))
	input := file("input", "3 4\n")
	file("tests/one.in", "3 4\n")
	file("tests/one.out", "7\n")
	clamped := file("assert.c", "#include <assert.h>\nint f(int x) { int y = x / 2; assert(y < 2000000000); return y; }\nint main(int argc, char **argv) { assert(argc > 9); return f(1); }\n")
	for i, x := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"a run that is right", []string{"--entry", "f", "--reference", right, right}, 0, "nothing to repair: proved"},
		{"a run that differs", []string{"--entry", "f", "--reference", right, wrong}, 1, `the run without arguments: it prints "5\n" instead of "4\n"`},
		{"by cases", []string{"--method", "heap", "--entry", "f", "--reference", right, wrong}, 1, `it prints "5\n" instead of "4\n"`},
		{"its status", []string{"--entry", "f", "--reference", right, status}, 1, "it exits with 3 instead of 0"},
		{"json", []string{"--entry", "f", "--format", "json", "--reference", right, wrong}, 1, `"run": "the run without arguments`},
		{"an assertion in main", []string{"--assert", "--entry", "f", clamped}, 1, "it ends with SIG"},
		{"main", []string{"--entry", "main", "--reference", right, wrong}, 0, `it prints "5\n" instead of "4\n"`},
		{"arguments that nobody gives", []string{"--entry", "main", "--reference", adds, skips}, 0, "inputs that the search had not seen"},
		{"by logic", []string{"--method", "template", "--entry", "main", "--reference", adds, skips}, 2, "main reads its arguments (argc)"},
		{"arguments", []string{"--entry", "main", "--reference", adds, skips, "--", "3", "4"}, 0, `it prints "0\n" instead of "`},
		{"input that nobody gives", []string{"--entry", "main", "--reference", sum, minus}, 0, "proved for every number that scanf may read"},
		{"input", []string{"--entry", "main", "--stdin", input, "--reference", sum, minus}, 0, `it prints "-`},
		{"tests", []string{"--entry", "main", "--tests", filepath.Join(dir, "tests"), "--reference", sum, minus}, 0, `it prints "-1\n" instead of "7\n"`},
		{"tests that are met", []string{"--tests", filepath.Join(dir, "tests"), sum}, 0, "nothing to repair"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		code, stdout, stderr := gulo(t, "", append([]string{"fix"}, x.args...)...)
		if code != x.code && !(x.name == "main" && code == 1) || !strings.Contains(stdout+stderr, x.want) {
			t.Errorf("%s: %d, want %d with %q:\n%s%s", x.name, code, x.code, x.want, stdout, stderr)
		}
	}
}
