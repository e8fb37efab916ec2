package judge

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/report"
)

// TestStill: a repair that meets all tests is refuted by another run like them that still reads freed memory; a
// repair after which no such run does is not refuted.
func TestStill(t *testing.T) {
	const dir = "../bench/outside/fresh/history_tabs/"
	req := &job.Job{Files: []string{dir + "faulty.c"}, Spec: job.Spec{Tests: dir + "tests"}, Limit: time.Minute}
	set, err := cases.OfRuns(context.Background(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	j := &Judge{Set: set, Until: time.Now().Add(time.Minute)}
	defer j.Close()
	faulty, err := os.ReadFile(dir + "faulty.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name, old, new string
		ok             bool
	}{
		{"once", "        moved++;\n", "        moved++;\n        if (h->current == h->oldest)\n            return moved;\n", false},
		{"always", "    h->oldest = p->next;\n", "    h->oldest = p->next;\n    if (h->oldest)\n        h->oldest->prev = NULL;\n", true},
	} {
		text := strings.Replace(string(faulty), x.old, x.new, 1)
		if text == string(faulty) {
			t.Fatal(x.name)
		}
		var out report.Repair
		ok, err := j.Natively(context.Background(), map[string]string{set.Prog.Tree.Files[0].Name: text}, &out)
		if err != nil || ok != x.ok {
			t.Errorf("%s: %v, %v", x.name, ok, err)
		}
	}
}

// TestStillUnset: in a run whose input ends early nothing is stored in an array. That its elements are read then is
// not the error that the tests show, which is that the array was too small.
func TestStillUnset(t *testing.T) {
	const wrong = `#include <stdio.h>
#include <string.h>
int main(void)
{
    char s[8];
    int n = 0;
    scanf("%s", s);
    for (int i = 0; i < strlen(s); i++)
        n += s[i] == 'a';
    printf("%d\n", n);
    return 0;
}
`
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrong.c": wrong, "t/a.in": "abracadabraabracadabra\n", "t/a.out": "10\n", "t/b.in": "abc\n", "t/b.out": "1\n", "t/c.in": "banana\n", "t/c.out": "3\n",
	} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	req := &job.Job{Files: []string{filepath.Join(dir, "wrong.c")}, Spec: job.Spec{Tests: filepath.Join(dir, "t")}, Limit: time.Minute}
	set, err := cases.OfRuns(context.Background(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	j := &Judge{Set: set, Until: time.Now().Add(time.Minute)}
	defer j.Close()
	for size, right := range map[string]bool{"1000": true, "16": false} {
		var out report.Repair
		text := strings.Replace(wrong, "s[8]", "s["+size+"]", 1)
		ok, err := j.Natively(context.Background(), map[string]string{set.Prog.Tree.Files[0].Name: text}, &out)
		if err != nil || ok != right {
			t.Errorf("%s elements: %v, %v", size, ok, err)
		}
	}
}
