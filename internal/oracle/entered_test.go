package oracle

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// TestEnteredInput sees the call of a function that only a run with standard input
// makes.
func TestEnteredInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	text := `#include <stdio.h>
static int twice(int n) { return 2 * n; }
int main(void)
{
    int n;
    if (scanf("%d", &n) == 1)
        printf("%d\n", twice(n));
    return 0;
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	p, err := lower.Load(ctx, []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for stdin, called := range map[string]bool{"": false, "21\n": true} {
		im, err := Entered(ctx, p, p.Tree.Func("twice"), nil, stdin)
		if err != nil || (im != nil) != called {
			t.Errorf("stdin %q: called %v, not %v; %v", stdin, im != nil, called, err)
		}
	}
}
