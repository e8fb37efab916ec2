package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFewTests: one test shows little of the task, and the text of the reference shows the rest: large numbers, signs
// that no test has, operators in a row. A right program that reads its input in another way is not called wrong.
func TestFewTests(t *testing.T) {
	for _, x := range []struct {
		name, test, printed string
		reference, program  string
		stray               bool
	}{
		{"large numbers", "30\n", "0 30\n",
			"#define WEEK (7 * 24 * 60)\nint main(void) { int m; if (scanf(\"%d\", &m) != 1) return 1; printf(\"%d %d\\n\", m / WEEK, m % WEEK); return 0; }",
			"int main(void) { int m, w; scanf(\"%d\", &m); w = m / 60 / 20 / 7; printf(\"%d %d\\n\", w, m % 10080); return 0; }", true},
		{"a sign that says that the next one is text", "[ab]\n", "ab\n", quoted,
			"int main(void) { int c, last = ' ', in = 0; while ((c = getchar()) != EOF) { if (!in) in = c == '['; else if (c == ']' && last != '^') { putchar('\\n'); in = 0; }" +
				" else if (c != '^' || last == '^') putchar(c); last = c; } return 0; }", true},
		{"operators", "6 * 2\n", "12\n", operators,
			"int main(void) { int n, x; char op; scanf(\"%d\", &x); while (scanf(\" %c %d\", &op, &n) == 2) if (op == '*') x *= n; printf(\"%d\\n\", x); return 0; }", true},
		{"operators, right", "6 * 2\n", "12\n", operators,
			"int main(void) { int n, x; char op; scanf(\"%d\", &x); while (scanf(\" %c %d\", &op, &n) == 2) x = op == '*' ? x * n : x + n; printf(\"%d\\n\", x); return 0; }", false},
		{"reads to the end", "3 4\n", "7\n",
			"int main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); return 0; }",
			"int main(void) { int x, s = 0; while (scanf(\"%d\", &x) == 1) s += x; printf(\"%d\\n\", s); return 0; }", false},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			if err := os.Mkdir(filepath.Join(dir, "tests"), 0o700); err != nil {
				t.Fatal(err)
			}
			write("tests/a.in", x.test)
			write("tests/a.out", x.printed)
			const head = "#include <stdio.h>\n"
			b, err := Strays(context.Background(), &Job{Files: []string{write("p.c", head+x.program+"\n")}, Limit: time.Minute,
				Spec: Spec{Tests: filepath.Join(dir, "tests"), Reference: []string{write("r.c", head+x.reference+"\n")}}})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(b.Strays) > 0; got != x.stray {
				t.Errorf("told apart: %v, by %+v; the same on %d", got, b.Strays, b.Same)
			}
		})
	}
}

// quoted prints texts between brackets.
const quoted = `int main(void)
{
    int c, inside = 0;
    while ((c = getchar()) != EOF)
        if (!inside) {
            inside = c == '[';
        } else if (c == ']') {
            putchar('\n');
            inside = 0;
        } else {
            if (c == '^' && (c = getchar()) == EOF)
                break;
            putchar(c);
        }
    return 0;
}`

// operators computes from left to right.
const operators = `int main(void)
{
    int c, n = 0, total = 0, op = '+';
    while ((c = getchar()) != EOF && c != '\n') {
        if (c >= '0' && c <= '9') {
            n = 10 * n + c - '0';
        } else if (c == '*' || c == '+') {
            total = op == '+' ? total + n : total * n;
            op = c;
            n = 0;
        }
    }
    printf("%d\n", op == '+' ? total + n : total * n);
    return 0;
}`
