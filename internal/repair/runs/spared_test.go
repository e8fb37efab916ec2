package runs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestLoses: where the tests miss white space alone, no repair loses letters.
func TestLoses(t *testing.T) {
	const erase = `#include <stdio.h>
void erase(char *s, char c)
{
    int i;
    for (i = 0; s[i] != '\0'; i++)
        if (s[i] == c)
            s[i] = ' ';
}
int main(void)
{
    char line[60], c;
    scanf("%59s %c", line, &c);
    erase(line, c);
    printf("%s\n", line);
    return 0;
}
`
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p.c": erase, "tests/a.in": "ooo\no\n", "tests/a.out": "\n", "tests/b.in": "abc\nx\n", "tests/b.out": "abc\n", "tests/c.in": "yy y\n", "tests/c.out": "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := New(context.Background(), &job.Job{Files: []string{filepath.Join(dir, "p.c")}, Spec: job.Spec{Tests: filepath.Join(dir, "tests")}, Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	one := &report.Repair{Edits: []report.Edit{{Line: 7, Before: "' '", After: `'\0'`}}}
	file := filepath.Join(dir, "p.c")
	for _, x := range []struct {
		now  string
		lost bool
	}{
		{strings.Replace(erase, "= ' '", `= '\0'`, 1), true},
		{strings.Replace(erase, "        if (s[i] == c)\n            s[i] = ' ';", "        if (s[i] == c) {\n            int k;\n            for (k = i--; s[k] != '\\0'; k++)\n                s[k] = s[k + 1];\n        }", 1), false},
	} {
		why, err := w.loses(context.Background(), one, map[string]string{file: x.now})
		if err != nil || (why != "") != x.lost {
			t.Errorf("%v, %q of\n%s", err, why, x.now)
		}
	}
	blank := &report.Repair{Edits: []report.Edit{{Line: 14, Before: `"%s\n"`, After: `"%s"`}}}
	if why, err := w.loses(context.Background(), blank, map[string]string{file: strings.Replace(erase, "= ' '", `= '\0'`, 1)}); err != nil || why != "" {
		t.Errorf("an edit of white space: %q, %v", why, err)
	}
	short, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	rep, err := w.ByOutput(short, time.Now().Add(15*time.Second))
	if err != nil && short.Err() == nil {
		t.Fatal(err)
	}
	if err == nil && rep.Result == report.Repaired && strings.Contains(rep.Repairs[0].Diff, `= '\0'`) {
		t.Errorf("shown:\n%s", rep.Repairs[0].Diff)
	}
}
