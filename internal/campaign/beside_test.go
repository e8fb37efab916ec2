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

// TestBeside: what a few tests let pass is held against the reference on runs made from them, whether
// it meets the tests or not.
func TestBeside(t *testing.T) {
	with := func(sum string) string { return strings.Replace(sums, "SUM", sum, 1) }
	for _, x := range []struct {
		name, reference, submission string
		want                        Category
		stray                       bool // it meets the tests
	}{
		{"wrong", with("x + 6"), with("x + 4"), Fixed, false},
		{"meets the tests", with("x + 6"), with("x * 4"), Fixed, true},
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
			o := sum.Outcomes[0]
			if x.stray != (o.Stray != nil) || x.stray && (o.Stray.Want == o.Stray.Got || !strings.Contains(o.Why, "it meets all 2 tests; on ")) {
				t.Errorf("%s: %+v", o.Why, o.Stray)
			}
			if x.want == Right && o.Checked.Made < 100 {
				t.Errorf("held against the reference on %d runs", o.Checked.Made)
			}
			if rep := o.Report; x.want == Fixed && strings.Contains(rep.Repairs[0].Diff, "+        printf(\"%d\\n\", x * 4)") {
				t.Errorf("%s", rep.Repairs[0].Diff)
			}
		})
	}
}
