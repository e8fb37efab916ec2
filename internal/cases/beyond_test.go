package cases

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/job"
)

// TestBeyondForm makes runs with numbers that no test has where the reference answers them as it
// answers others.
func TestBeyondForm(t *testing.T) {
	const head = "#include <stdio.h>\nint main(void)\n{\n    int a, b;\n    if (scanf(\"%d %d\", &a, &b) != 2)\n        return 1;\n    "
	for _, x := range []struct {
		body  string
		tests []string
		some  bool
	}{
		{`printf("%d\n", a > b ? a : b);`, []string{"3 4\n", "9 1\n", "5 5\n", "12 30\n"}, true},
		{`printf("%d\n", a > b ? a : b);`, []string{"3 4\n", "9 0\n", "0 5\n", "12 30\n"}, true},
		{`printf("%d\n", a > b ? a : b);`, []string{"3 4\n", "9 -1\n", "5 5\n", "12 30\n"}, false}, // they have some
		{`printf("%d\n", a > b ? a : b);`, []string{"3 4\n", "9 1\n"}, false},                      // too few to have a form
		{`if (a < 1 || b < 1) printf("none below one\n"); else printf("%d\n", a > b ? a : b);`, []string{"3 4\n", "9 1\n", "5 5\n", "12 30\n"}, false},
		{`if (a > 0 && b > 0) printf("%d\n", a > b ? a : b);`, []string{"3 4\n", "9 1\n", "5 5\n", "12 30\n"}, false},
	} {
		file := filepath.Join(t.TempDir(), "right.c")
		if err := os.WriteFile(file, []byte(head+x.body+"\n    return 0;\n}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := programs(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Reference: []string{file}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range x.tests {
			s.seeds = append(s.seeds, Input{Stdin: in})
		}
		if len(x.tests) >= FormSeeds {
			s.Form = FormOf(s.seeds)
		}
		ex, err := Explore(context.Background(), s.Ref.Prog, s.seeds, Config{Seed: 1, Want: 60, Form: s.Form})
		if err != nil {
			t.Fatal(err)
		}
		s.Explored = ex.Runs
		list, err := s.Beyond(20)
		if err != nil || (len(list) > 0) != x.some {
			t.Errorf("%s, %v: %v, %v", x.body, x.tests, list, err)
		}
		for i := range list {
			if n := list[i].numbers(func(_ int, v int64) int64 { return v }); n.count != 2 || s.Form.Has(&list[i]) {
				t.Errorf("%s: %q", x.body, list[i].Stdin)
			}
		}
	}
}
