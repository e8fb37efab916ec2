package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSpace: repairs are found for tests that were written without a last newline, without blanks at line ends, or
// with CRLF, and the answer says that white space does not count.
func TestSpace(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	most := file("most.c", `#include <stdio.h>
int main(void)
{
    int n, x, best = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &x);
        if (i == 0 || x < best)
            best = x;
        printf("%d ", x);
    }
    printf("\n%d\n", best);
    return 0;
}
`)
	for name, x := range map[string][2]string{"a": {"3\n1 5 2\n", "1 5 2\n5"}, "b": {"1\n7\n", "7\n7"}, "c": {"4 9 8 7 6", "9 8 7 6\n9"}} {
		file("wrong/"+name+".in", x[0])
		file("wrong/"+name+".out", strings.ReplaceAll(x[1], "\n", "\r\n"))
		file("same/"+name+".in", x[0])
		file("same/"+name+".out", map[string]string{"a": "1 5 2\n1", "b": "7\n7", "c": "9 8 7 6\n6"}[name])
	}
	for name, out := range map[string]string{"a": "1 5 2\n5", "b": "1 5 2 \n5\n"} {
		file("twice/"+name+".in", "3\n1 5 2\n")
		file("twice/"+name+".out", out)
	}
	file("twice/c.in", "4 9 8 7 6")
	file("twice/c.out", "9 8 7 6 \n9\n")
	const said = "white space at the ends of lines and outputs does not count"
	for _, x := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"fix", "--tests", filepath.Join(dir, "wrong"), most}, 0, []string{said, `2 of 3 cases fail; on a: it prints "1 5 2\n1" instead of "1 5 2\n5"`, "+        if (i == 0 || x > best)"}},
		{[]string{"fix", "--tests", filepath.Join(dir, "same"), most}, 0, []string{said, "nothing to repair: the program meets all 3 tests"}},
		{[]string{"fix", "--space", "exact", "--tests", filepath.Join(dir, "same"), most}, 0, []string{`on a: it prints "1 5 2 \n1\n" instead of "1 5 2\n1"`, `printf("\n%d", best)`}},
		{[]string{"fix", "--tests", filepath.Join(dir, "twice"), most}, 0, []string{said + ", since tests a and b have the same input and differ in nothing else", "x > best)"}},
		{[]string{"fix", "--space", "exact", "--tests", filepath.Join(dir, "twice"), most}, 2, []string{"tests a and b contradict each other"}},
		{[]string{"locate", "--tests", filepath.Join(dir, "wrong"), most}, 0, []string{said, "2 of 3 cases fail"}},
		{[]string{"fix", "--space", "loose", "--tests", filepath.Join(dir, "same"), most}, 2, []string{"--space loose: it is exact or judge"}},
	} {
		code, out, errs := gulo(t, "", x.args...)
		for _, want := range x.want {
			if code != x.code || !strings.Contains(out+errs, want) {
				t.Errorf("%s: code %d, and %q is not in\n%s%s", strings.Join(x.args, " "), code, want, out, errs)
			}
		}
	}
}
