package campaign

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/oracle"
)

// TestByTests decides whether white space at the ends of lines and outputs counts, by what tests want.
func TestByTests(t *testing.T) {
	for _, x := range []struct {
		name   string
		wanted []string
		judged bool
	}{
		{"with newlines", []string{"1\n", "2 3\n"}, false},
		{"without", []string{"1", "2 3"}, true},
		{"one of them without", []string{"1", "2 3\n"}, false},
		{"nothing is printed", []string{""}, false},
		{"without, and nothing", []string{"1", ""}, true},
		{"carriage returns", []string{"1\r\n2\r\n", "3\r\n"}, true},
	} {
		var tests []oracle.Test
		for _, w := range x.wanted {
			tests = append(tests, oracle.Test{Stdout: w})
		}
		if got := byTests(tests) != ""; got != x.judged {
			t.Errorf("%s: %v", x.name, got)
		}
	}
}

// TestSpace judges submissions by tests whose outputs have no last newline: who prints what is right is right,
// with and without the reference, and who does not gets the edit that is meant, not one of white space.
func TestSpace(t *testing.T) {
	sums := "#include <stdio.h>\nint main(void)\n{\n    int n, s = 0, x;\n    scanf(\"%d\", &n);\n    while (n-- > 0 && scanf(\"%d\", &x) == 1) {\n        s += x;\n        printf(\"%d \", s);\n    }\n    printf(\"\\n\");\n    return 0;\n}\n"
	wrong := "#include <stdio.h>\nint main(void)\n{\n    int n, s = 0, x;\n    scanf(\"%d\", &n);\n    while (n-- > 0 && scanf(\"%d\", &x) == 1) {\n        s = x;\n        printf(\"%d \", s);\n    }\n    printf(\"\\n\");\n    return 0;\n}\n"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"class/ann.c": sums, "class/bob.c": wrong, "ref.c": sums,
		"tests/a.in": "3 1 2 3\n", "tests/a.out": "1 3 6", "tests/b.in": "2 5 5\n", "tests/b.out": "5 10",
		"twice/a.in": "3 1 2 3\n", "twice/a.out": "1 3 6 \n", "twice/b.in": "3 1 2 3\n", "twice/b.out": "1 3 6",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, by := range [][2]string{{"tests"}, {"tests", "ref.c"}, {"twice"}, {"twice", "ref.c"}} {
		tests, ref := filepath.Join(dir, by[0]), ""
		if by[1] != "" {
			ref = filepath.Join(dir, by[1])
		}
		c := &Class{Folder: filepath.Join(dir, "class"), Tests: tests, Reference: ref}
		jobs, err := c.Jobs()
		if err != nil {
			t.Fatal(err)
		}
		for _, sub := range jobs {
			out, err := Judge(context.Background(), sub)
			if err != nil {
				t.Fatal(err)
			}
			want := Right
			if sub.Name == "bob" {
				want = Fixed
			}
			if out.Category != want || out.Spaced == "" {
				t.Errorf("%v, %s: %s (%s), white space: %q", by, sub.Name, out.Category, out.Why, out.Spaced)
			}
		}
	}
}
