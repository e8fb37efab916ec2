package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/job"
	"gulo/internal/lower/lowertest"
	"gulo/internal/oracle"
)

// TestLearn: one test is all that shows what is asked, and the reference's text says the rest.
func TestLearn(t *testing.T) {
	const (
		week  = "#define DAY (24 * 60)\nint main(void) { int m; scanf(\"%d\", &m); return m / (7 * DAY); }"
		twice = "int main(void) { int m; scanf(\"%d\", &m); return m / 60 / 60; }"
		sum   = "int main(void) { int c; while ((c = getchar()) != EOF) if (c == '*' || c == '+') putchar(c); return 0; }"
		texts = "#define BEGIN '\"'\nint main(void) { int c, in = 0; while ((c = getchar()) != EOF) if (!in) in = c == BEGIN; else if (c == BEGIN) in = 0, putchar('\\n'); else putchar(c == '^' ? getchar() : c); return 0; }"
	)
	for _, x := range []struct {
		reference, test string
		in, out         []string
	}{
		{week, "30\n", []string{"10080\n", "12345\n"}, []string{"5000000\n", "-30\n", "0\n"}},
		{twice, "30\n", []string{"3600\n", "4000\n"}, []string{"-1\n"}},
		{sum, "6 * 2\n", []string{"6 + 2\n", "16 + 2 * 3\n"}, []string{"6\n", "6 - 2\n", "6 * -2\n", "+ 6\n", "6 + + 2\n", "a * 2\n"}},
		{sum, "6*2\n", []string{"6+2\n", "16+2*3\n"}, []string{"6-2\n", "6**2\n", "6 * 2\n"}},
		{texts, `"ab"`, []string{`"abc"`, `"a^^"`, `"a^"b"`}, []string{`"a@"`, `"a b"`, `"a1"`, `"^a"`, `^"ab"`, `"ab"^`, `"ab^"`}},
	} {
		p, _ := lowertest.Load(t, "#include <stdio.h>\n"+x.reference+"\n")
		seeds := []Input{{Stdin: x.test}}
		f := FormOf(seeds)
		f.Learn(LanguageOf(p.Tree), seeds)
		set := &Set{Ref: &oracle.Reference{Prog: p}, Like: f}
		var err error
		if set.signs, err = set.newSigns(seeds); err == nil {
			err = set.signs.learn(f)
		}
		if err != nil {
			t.Fatal(err)
		}
		has := func(s string) bool {
			asked, err := set.Asks(&Input{Stdin: s})
			if err != nil {
				t.Fatal(err)
			}
			return asked
		}
		for _, s := range x.in {
			if !has(s) {
				t.Errorf("%q: %q is not expected", x.test, s)
			}
		}
		for _, s := range x.out {
			if has(s) {
				t.Errorf("%q: %q is expected", x.test, s)
			}
		}
	}
}

// TestRefuses: a right program may refuse a number that no test has, and leave input unread that the reference reads
// to its end, or the other way round.
func TestRefuses(t *testing.T) {
	const square = "#include <stdio.h>\nint main(void)\n{\n    int n;\n    scanf(\"%d\", &n);\n    CHECK\n    for (int i = 0; i < n; i++)\n        printf(\"%d\\n\", i * i);\n    return 0;\n}\n"
	for _, x := range []struct {
		name, check string
		refused     bool
		fails       bool
	}{
		{"as the reference", "", false, false},
		{"prints nothing", "if (n < 2) return 0;", true, false},
		{"ends with an error", "if (n < 2) return 1;", true, false},
		{"asks again", "if (n < 2 && scanf(\"%d\", &n) != 1) return printf(\"?\\n\");", true, false},
		{"is wrong", "n++;", false, true},
		{"is wrong for some", "if (n == 4) return 0;", false, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			write("tests/a.in", "3\n")
			write("tests/a.out", "0\n1\n4\n")
			write("tests/b.in", "5\n")
			write("tests/b.out", "0\n1\n4\n9\n16\n")
			with := func(check string) string { return strings.Replace(square, "CHECK", check, 1) }
			s, err := OfRuns(context.Background(), &job.Job{Files: []string{write("p.c", with(x.check))}, Spec: job.Spec{Tests: filepath.Join(dir, "tests"), Reference: []string{write("r.c", with(""))}}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if refused := len(s.Refused) > 0; refused != x.refused || s.Failing > 0 != x.fails {
				t.Errorf("%d runs refused, %d fail, %q", len(s.Refused), s.Failing, s.Notes)
			}
		})
	}
}
