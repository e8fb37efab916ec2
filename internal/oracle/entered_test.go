package oracle

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/heap"
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
		im, err := Entered(ctx, p, p.Tree.Func("twice"), Start{Stdin: stdin})
		if err != nil || (im != nil) != called {
			t.Errorf("stdin %q: called %v, not %v; %v", stdin, im != nil, called, err)
		}
	}
}

// TestEnteredPointers looks at a state whose machine is gone: what points to a
// function is named, what points nowhere is no reason to crash.
func TestEnteredPointers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	text := `#include <stdlib.h>
struct op { int (*call)(int); struct op *gone; };
static int half(int n) { return n / 2; }
static int run(struct op *o) { return o->call(4); }
int main(void)
{
    struct op *o = malloc(sizeof *o);
    o->call = half;
    o->gone = malloc(sizeof *o);
    o->gone->gone = NULL;
    o->gone->call = half;
    o->gone = (struct op *)((char *)o->gone + 4096);
    return run(o);
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
	f := p.Tree.Func("run")
	im, err := Entered(ctx, p, f, Start{})
	if err != nil || im == nil {
		t.Fatal(im, err)
	}
	Shaped(im, f)
	named := false
	for _, n := range heap.NewGraph(im, func(*heap.Object) bool { return true }).Nodes {
		for _, c := range n.Cells {
			named = named || c.Value.Name == "half"
		}
	}
	if !named {
		t.Error("the function is not named")
	}
}
