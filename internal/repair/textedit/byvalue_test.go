package textedit

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
)

// TestAddressed hands addresses to functions that change copies, and to no others.
func TestAddressed(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{`#include <stdio.h>
void swap(int x, int y);
void swap(int x, int y)
{
    int t = x;
    x = y;
    y = t;
}
int main(void)
{
    int a = 1, b[2] = {2, 3};
    swap(a, b[1]);
    printf("%d %d\n", a, b[1]);
    return 0;
}
`, `#include <stdio.h>
void swap(int *x, int *y);
void swap(int *x, int *y)
{
    int t = *x;
    *x = *y;
    *y = t;
}
int main(void)
{
    int a = 1, b[2] = {2, 3};
    swap(&a, &b[1]);
    printf("%d %d\n", a, b[1]);
    return 0;
}
`},
		{`#include <stdio.h>
void ask(int n)
{
    scanf("%d", &n);
}
int main(void)
{
    int n;
    ask(n);
    printf("%d\n", n);
    return 0;
}
`, `#include <stdio.h>
void ask(int *n)
{
    scanf("%d", n);
}
int main(void)
{
    int n;
    ask(&n);
    printf("%d\n", n);
    return 0;
}
`},
		{"#include <stdio.h>\nvoid down(int n) { while (n > 0) printf(\"%d\\n\", n--); }\nint main(void) { int n = 3; down(n); return 0; }\n", ""},
	} {
		file := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(file, []byte(c.before), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := cfront.Load(context.Background(), []string{file}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list := Addressed(Config{Tree: p}, p.Funcs)
		if c.after == "" {
			if len(list) > 0 {
				t.Errorf("an edit of\n%s", c.before)
			}
			continue
		}
		if len(list) != 1 {
			t.Fatalf("%d edits of\n%s", len(list), c.before)
		}
		texts, ok := Apply(list[0])
		if !ok || texts[file] != c.after {
			t.Errorf("%v:\n%s\nnot\n%s", ok, texts[file], c.after)
		}
	}
}
