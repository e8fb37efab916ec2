package campaign

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sums is a program that is all in main.
const sums = `#include <stdio.h>

int main(void)
{
    int x;
    while (scanf("%d", &x) == 1)
        printf("%d\n", SUM);
    return 0;
}
`

// TestBeside: where the reference is all in main, what a few tests let pass is held against it. What
// meets the tests is right: with them alone x * 4 is as good.
func TestBeside(t *testing.T) {
	with := func(sum string) string { return strings.Replace(sums, "SUM", sum, 1) }
	for _, x := range []struct {
		name, reference, submission string
		want                        Category
		noted                       bool
	}{
		{"wrong", with("x + 6"), with("x + 4"), Fixed, false},
		{"meets the tests", with("x + 6"), with("x * 4"), Right, true},
		{"right", with("x + 6"), with("6 + x"), Right, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			tests := filepath.Join(dir, "tests")
			for name, text := range map[string]string{
				"class/reference.c": x.reference, "class/ann.c": x.submission,
				"tests/a.in": "2 2\n", "tests/a.out": "8\n8\n", "tests/b.in": "2\n", "tests/b.out": "8\n",
			} {
				file := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			class := &Class{Folder: filepath.Join(dir, "class"), Tests: tests, Limit: 2 * time.Minute}
			jobs, err := class.Jobs()
			if err != nil {
				t.Fatal(err)
			}
			q, err := Open(context.Background(), "", t.TempDir(), "c")
			if err != nil {
				t.Fatal(err)
			}
			defer q.Close()
			sum := judged(t, q, class.Folder, jobs)
			if len(sum.Outcomes) != 1 || sum.Outcomes[0].Category != x.want {
				t.Fatalf("%+v", sum.Outcomes[0])
			}
			if notes := strings.Join(sum.Outcomes[0].Notes, "; "); x.noted != strings.Contains(notes, "it meets the tests, and differs from the reference on") {
				t.Errorf("notes: %s", notes)
			}
			if rep := sum.Outcomes[0].Report; x.want == Fixed && strings.Contains(rep.Repairs[0].Diff, "x * 4") {
				t.Errorf("%s", rep.Repairs[0].Diff)
			}
		})
	}
}
