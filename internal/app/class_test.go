package app

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gulo/internal/campaign"
)

// TestClassOfRuns repairs submissions of which only whole runs say what is right. It does so in the sandbox of a
// worker, with the sanitizers, and compares the table and the texts that come back.
func TestClassOfRuns(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { folders(t, dir, map[string]string{name: text}) }
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
	b, err = os.ReadFile(filepath.Join(texts, "ann.html"))
	if err != nil || !strings.Contains(string(b), "<h2>Why</h2></summary><ul>\n<li>No newline at the end.") {
		t.Errorf("%v %s", err, b)
	}
	b, err = os.ReadFile(filepath.Join(texts, "ann.md"))
	if err != nil || !strings.Contains(string(b), "## Why\n\n- No newline at the end.") {
		t.Errorf("%v %s", err, b)
	}
}

// folders writes files into a folder.
func folders(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestClassOfFolders repairs a submission of several files with a Makefile. The mistake is in a file without main,
// and the answer names that file.
func TestClassOfFolders(t *testing.T) {
	dir := t.TempDir()
	half := "#include \"half.h\"\nint half(int n)\n{\n    return n / PARTS;\n}\n"
	folders(t, dir, map[string]string{
		"tests/a.in": "4", "tests/a.out": "2\n", "tests/b.in": "10", "tests/b.out": "5\n", "tests/c.in": "0", "tests/c.out": "0\n",
		"class/hw-ann/Makefile":       "CFLAGS = -Wall -DPARTS=2 -Iinclude\n",
		"class/hw-ann/include/half.h": "int half(int n);\nvoid show(int n);\n",
		"class/hw-ann/src/half.c":     half,
		"class/hw-ann/src/main.c":     "#include <stdio.h>\n#include \"half.h\"\nint main(void)\n{\n    int n;\n    scanf(\"%d\", &n);\n    show(half(n));\n    return 0;\n}\n",
		"class/hw-ann/src/show.c":     "#include <stdio.h>\n#include \"half.h\"\nvoid show(int n)\n{\n    printf(\"%d\", n);\n}\n",
		"class/hw-ben/half.h":         "int half(int n);\n",
		"class/hw-ben/half.c":         strings.Replace(half, "PARTS", "2", 1),
		"class/hw-ben/main.c":         "#include <stdio.h>\n#include \"half.h\"\nint main(void)\n{\n    int n;\n    scanf(\"%d\", &n);\n    printf(\"%d\\n\", half(n));\n    return 0;\n}\n",
	})
	texts := filepath.Join(dir, "texts")
	code, o, e := gulo(t, "", "campaign", "run", filepath.Join(dir, "class"), "--tests", filepath.Join(dir, "tests"), "--feedback", texts, "--limit", "60s")
	if code != 0 || !strings.Contains(o, "1 right  1 fixed") {
		t.Fatalf("%d %s%s", code, o, e)
	}
	b, err := os.ReadFile(filepath.Join(texts, "hw-ann.md"))
	for _, want := range []string{"printed by line 5 of src/show.c", "--- a/src/show.c", "No newline at the end."} {
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%q is not told: %v %s", want, err, b)
		}
	}
}

// TestClassKilled kills a campaign, with all that it has started, in the middle. The same command then goes on, and
// does nothing again that has a result.
func TestClassKilled(t *testing.T) {
	dir := t.TempDir()
	texts := map[string]string{"tests/a.in": "4", "tests/a.out": "8\n", "tests/b.in": "5", "tests/b.out": "10\n"}
	const all = 6
	for i := range all {
		texts[fmt.Sprintf("class/s%02d.c", i)] = fmt.Sprintf("#include <stdio.h>\nint main(void)\n{\n    int n;\n    scanf(\"%%d\", &n);\n    printf(\"%%d\\n\", n + n + %d);\n    return 0;\n}\n", i%2)
	}
	folders(t, dir, texts)
	class := filepath.Join(dir, "class")
	run := []string{"campaign", "run", class, "--tests", filepath.Join(dir, "tests"), "--limit", "60s", "--workers", "1"}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, run...)
	c.Env, c.SysProcAttr = append(os.Environ(), asCommand+"=1"), &syscall.SysProcAttr{Setpgid: true}
	says, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(says)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "1/") { // until one has a result
	}
	if err := syscall.Kill(-c.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	done := 0
	code, o, e := gulo(t, "", "campaign", "status", class)
	if _, err := fmt.Sscanf(o, "%d of", &done); code != 0 || err != nil || done == 0 || done == all {
		t.Fatalf("%d %v %s%s", code, err, o, e)
	}
	t.Logf("%d of %d were done when it was killed", done, all)
	code, o, e = gulo(t, "", run...)
	if code != 0 || !strings.Contains(o, "3 right  3 fixed") || !strings.Contains(o, fmt.Sprintf("%d judged in", all-done)) {
		t.Errorf("%d %s%s", code, o, e)
	}
}

// TestClassElsewhere: if the folder for a campaign is read-only, gulo says how to keep it elsewhere.
func TestClassElsewhere(t *testing.T) {
	code, _, e := gulo(t, "", "campaign", "run", insert, "--state", "/sys/gulo")
	if code != exitOutside || !strings.Contains(e, "the campaign cannot be kept in /sys/gulo") || !strings.Contains(e, "--state DIR") {
		t.Errorf("%d %s", code, e)
	}
}

// TestUnjudged: a campaign in which submissions could not be judged ends with the exit code for that.
func TestUnjudged(t *testing.T) {
	sum := &campaign.Summary{Total: 3, Counts: map[campaign.Category]int{campaign.Right: 3}}
	if err := unjudged(sum); err != nil {
		t.Error(err)
	}
	sum.Counts = map[campaign.Category]int{campaign.Right: 1, campaign.NotJudged: 2}
	var e strings.Builder
	if code := exitCode(unjudged(sum), &e); code != exitOutside || !strings.Contains(e.String(), "2 of 3 submissions could not be judged") {
		t.Errorf("%d %s", code, e.String())
	}
}
