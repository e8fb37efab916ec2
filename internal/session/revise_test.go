package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/target/sim"
)

// typed returns what the last command of a session of a program answers. INPUT stands for the name of a file with input.
func typed(t *testing.T, text, input, commands string) string {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	file, in := filepath.Join(dir, "p.c"), filepath.Join(dir, "in")
	for name, text := range map[string]string{file: text, in: input} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := lower.Open(ctx, []string{file}, cfront.Options{Nested: true}, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	s := session.New(p, sim.New(p, sim.Config{Name: "p.c"}), session.Config{Name: "p.c", Options: cfront.Options{Nested: true}})
	defer s.Close()
	answer := ""
	for _, c := range strings.Split(strings.ReplaceAll(commands, "INPUT", in), "; ") {
		if answer, _, err = s.Exec(ctx, c); err != nil {
			answer += err.Error()
		}
	}
	return answer
}

// TestOneEditForAllRuns holds that a patch that does not give what is drawn in another run makes room for one edit that gives
// both pictures, whether that was found before or not.
func TestOneEditForAllRuns(t *testing.T) {
	t.Parallel()
	const board = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int i, j, flag = 0, n = atoi(argv[1]), m = atoi(argv[2]);
    char c[4][4] = {{0}};
    for (i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            if (flag == 0)
                c[i][j] = 'B';
            else
                c[i][j] = 'W';
            flag = (flag + 1) % 2;
        }
    }
    for (i = 0; i < n; i++)
        printf("%s\n", c[i]);
    return 0;
}
`
	for name, x := range map[string]struct{ commands, where string }{
		"found before": {"start 2 2; next 19; change flag 1; spec; repair; choose 7; start 3 1; next 15; change flag 1; spec; repair", "searched among the repairs found before"},
		"searched":     {"start 2 2; next 19; change flag 1; spec; repair --scope 8-8; start 3 1; next 15; change flag 1; spec; repair", "searched anywhere in the functions stepped into"},
		// Only with the patch does the run come to the halt from which the second picture is recorded.
		"recorded under the patch": {`start 2 2; next 19; change flag 1; spec; repair --scope 8-8; start 3 1; break 9; continue; continue; next 8; change c[1] "W"; spec; repair`, "among edits of the text"},
	} {
		t.Run(name, func(t *testing.T) {
			got := typed(t, board, "", x.commands)
			for _, want := range []string{"the earlier patches do not meet all assertions and are revised", "flag = (flag + 1) % 2  =>  flag = (i + 1) % 2", "both pictures", x.where} {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in:\n%s", want, got)
				}
			}
		})
	}
}

// TestPictureByText holds that pictures are also repaired by edits of the catalogue of mistakes, and by drawn numbers.
func TestPictureByText(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ text, input, commands, want string }{
		"a line": {"#include <stdio.h>\nint main(void)\n{\n    char s[20];\n    int n = 0;\n    scanf(\"%s\", s);\n    while (s[n])\n        n++;\n    printf(\"%d\\n\", n);\n    return 0;\n}\n", "8 + 1\n",
			`start < INPUT; next 2; change s "8 + 1\n"; spec; repair`, `scanf("%s", s);  =>  fgets(s, sizeof s, stdin);`},
		"a number": {"#include <stdio.h>\nint main(void)\n{\n    double d = 2, pi = 3.14, a;\n    a = pi * d * d / 4;\n    printf(\"%.4f\\n\", a);\n    return 0;\n}\n", "",
			"start; next 2; change pi 3.14159; spec; repair", "pi = 3.14  =>  pi = 3.14159"},
		"a whole number": {"#include <stdio.h>\nint main(void)\n{\n    double d = 2, k = 2.5, a;\n    a = k * d;\n    printf(\"%.4f\\n\", a);\n    return 0;\n}\n", "",
			"start; next 2; change k 7; spec; repair", "k = 2.5  =>  k = 7"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := typed(t, x.text, x.input, x.commands); !strings.Contains(got, x.want) {
				t.Errorf("no %q in:\n%s", x.want, got)
			}
		})
	}
}
