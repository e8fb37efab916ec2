package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClassOfRuns repairs submissions of which only whole runs say what is right, in the
// worker's sandbox, with the sanitizers in it, and hands back the table and the texts.
func TestClassOfRuns(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := func(body string) string {
		return "#include <stdio.h>\nint main(void)\n{\n    int n;\n    scanf(\"%d\", &n);\n    " + body + "\n    return 0;\n}\n"
	}
	for in, out := range map[string]string{"3": "6\n", "5": "10\n", "0": "0\n"} {
		write("tests/"+in+".in", in)
		write("tests/"+in+".out", out)
	}
	write("class/ann.c", program(`printf("%d", 2 * n);`))
	write("class/ben.c", program(`printf("%d\n", n + n);`))
	class, table, texts := filepath.Join(dir, "class"), filepath.Join(dir, "class.csv"), filepath.Join(dir, "texts")
	code, o, e := gulo(t, "", "campaign", "run", class, "--tests", filepath.Join(dir, "tests"), "--csv", table, "--feedback", texts, "--limit", "60s")
	if code != 0 || !strings.Contains(o, "1 right  1 fixed") {
		t.Fatalf("%d %s%s", code, o, e)
	}
	b, err := os.ReadFile(table)
	if err != nil || !strings.Contains(string(b), "ann,fixed,no newline at the end,6,") {
		t.Errorf("%v %s", err, b)
	}
	b, err = os.ReadFile(filepath.Join(texts, "ann.md"))
	if err != nil || !strings.Contains(string(b), "## Why\n\nNo newline at the end.") {
		t.Errorf("%v %s", err, b)
	}
}
