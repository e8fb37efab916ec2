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

// TestOwnFunctions: where tests give input and main is the student's own, the functions of the reference are
// nobody else's business: a right program without them is right. Where main comes with the exercise they
// are asked for.
func TestOwnFunctions(t *testing.T) {
	half := strings.Replace(sums, "int main", "int six(int x)\n{\n    return x + 6;\n}\n\nint main", 1)
	reference := strings.Replace(half, "SUM", "six(x)", 1)
	for text, want := range map[string]Category{
		strings.Replace(sums, "SUM", "6 + x", 1):                                    Right,
		strings.Replace(strings.Replace(sums, "SUM", "six(x)", 1), "#", "/**/#", 1): Lacks,
		strings.ReplaceAll(reference, "return x", "return 0 + x"):                   Right,
	} {
		out, err := Judge(context.Background(), &Submission{Name: "a", File: "a.c", Text: []byte(text), Reference: []byte(reference), Limit: time.Minute,
			Tests: map[string][]byte{"1.in": []byte("2 2\n"), "1.out": []byte("8\n8\n"), "2.in": []byte("3\n"), "2.out": []byte("9\n")}})
		if err != nil {
			t.Fatal(err)
		}
		if out.Category != want {
			t.Errorf("%s: %s, want %s\n%s", out.Category, out.Why, want, text)
		}
	}
}

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
