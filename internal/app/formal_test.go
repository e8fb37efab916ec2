package app

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/logic"
)

// TestByLogic checks the exit codes and formats of fix, locate and explore for what logic decides.
func TestByLogic(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("no z3")
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const max = "../../examples/max.c"
	const run = "int main(void) { return sign(3) + sign(-2) + sign(0); }\n"
	right := file("right.c", "int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }\n"+run)
	wrong := file("wrong.c", "int sign(int x) { return x > 0 ? 1 : x < 0 ? 1 : 0; }\n"+run)
	inMain := file("in_main.c", "#include <assert.h>\nint sign(int x) { return x > 0 ? 1 : x < 0 ? 1 : 0; }\nint main(void) { assert(sign(-2) == -1); return 0; }\n")
	floats := file("floats.c", "int sign(int x) { double d = x; return d > 1 ? 1 : d < 0 ? -1 : 0; }\n"+run)
	loop := file("loop.c", "#include <assert.h>\nint f(int x) { int n = 0; while (n < x) n++; assert(n < 100000); return n; }\n")
	endless := file("endless.c", "#include <assert.h>\nint f(int x) { int n = 0; while (n < x) n++; assert(n >= 0); return n; }\n")
	out := filepath.Join(dir, "fixed.c")
	for i, x := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"assert", []string{"fix", "--assert", "--rewrite", out, max}, 0, "proved for all x, y; checked: assertions and errors"},
		{"diff", []string{"fix", "--assert", "--format", "diff", max}, 0, "+        r = y;"},
		{"sarif", []string{"fix", "--assert", "--format", "sarif", max}, 0, `"startLine": 9`},
		{"reference", []string{"fix", "--reference", right, wrong}, 0, "proved for all x; checked: result; compiled and run on 2000 "},
		{"nothing wrong", []string{"fix", "--reference", right, "--entry", "sign", right}, 0, "nothing to repair: proved for all x; checked: result; compiled and run on 2000 "},
		{"cases", []string{"fix", "--method", "heap", "--reference", right, wrong}, 0, "meets all"},
		{"floats by cases", []string{"fix", "--reference", right, floats}, 0, "meets all"},
		{"floats by logic", []string{"fix", "--method", "template", "--reference", right, floats}, 2, "floats.c:1:"},
		{"limit", []string{"fix", "--assert", "--unroll", "3", "--work", "2s", endless}, 3, "a loop runs longer than the limit"},
		{"beyond the limit", []string{"fix", "--assert", "--unroll", "3", loop}, 1, "f fails natively on x="},
		{"two specifications", []string{"fix", "--assert", "--reference", right, max}, 1, "no repair: every edit that meets the 1 given case fails elsewhere: an assertion fails"},
		{"template", []string{"fix", "--assert", "--templates", "magic", max}, 2, "there is no magic"},
		{"method", []string{"fix", "--assert", "--method", "luck", max}, 2, "--method is one of heap, runs, template, evidence, not"},
		{"no assertion", []string{"fix", "--assert", right}, 2, "no function of"},
		{"an assertion in main alone", []string{"fix", "--assert", inMain}, 2, "but main calls assert"},
		{"locate", []string{"locate", "--assert", max}, 0, "max.c:9: another value here"},
		{"locate by reference", []string{"locate", "--method", "diagnosis", "--reference", right, wrong}, 0, "wrong.c:1:"},
		{"locate, nothing wrong", []string{"locate", "--reference", right, "--entry", "sign", right}, 0, "right"},
		{"explore", []string{"explore", max}, 1, "2 paths of max, 1 fail"},
		{"explore all", []string{"explore", "--search", "coverage", right}, 0, "these are all paths"},
		{"explore some", []string{"explore", "--paths", "1", right}, 3, "the limit of paths was reached"},
		{"search", []string{"explore", "--search", "deep", right}, 2, "--search is"},
	} {
		if testing.Short() && x.code != exitUsage && i%3 != 0 {
			continue
		}
		code, stdout, stderr := gulo(t, "", x.args...)
		if code != x.code || !strings.Contains(stdout+stderr, x.want) {
			t.Errorf("%s: %d, want %d with %q:\n%s%s", x.name, code, x.code, x.want, stdout, stderr)
		}
	}
	if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), "r = y;") {
		t.Error("--rewrite:", err, string(text))
	}
	_, text, _ := gulo(t, "", "fix", "--assert", "--format", "json", max)
	var rep logic.Answer
	if err := json.Unmarshal([]byte(text), &rep); err != nil || rep.Result != "repaired" || rep.Proof != "proved" || len(rep.Diagnoses) == 0 || rep.Repairs[0].Edits[0].Line != 9 {
		t.Errorf("json: %v\n%s", err, text)
	}
	t.Setenv("PATH", "/nowhere")
	if code, _, stderr := gulo(t, "", "explore", right); code != 3 {
		t.Errorf("without tools: %d %s", code, stderr)
	}
}

// TestNoSolver: without z3, commands that need it say what to install.
func TestNoSolver(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	if err := os.Symlink(gcc, filepath.Join(dir, "gcc")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for _, args := range [][]string{{"fix", "--assert", "../../examples/max.c"}, {"locate", "--assert", "../../examples/max.c"}, {"explore", "../../examples/max.c"}} {
		code, stdout, stderr := gulo(t, "", args...)
		if code != 3 || !strings.Contains(stderr, "apt-get install z3") {
			t.Errorf("%v: %d\n%s%s", args, code, stdout, stderr)
		}
	}
}
