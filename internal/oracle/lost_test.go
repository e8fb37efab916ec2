package oracle

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// TestToEnd counts what nothing leads to where main ends: not what its variables, globals and
// other nodes lead to, into the middle or not.
func TestToEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	text := `#include <stdio.h>
#include <stdlib.h>
struct n { int v; struct n *next; };
static struct n *kept;
int main(int argc, char **argv)
{
    struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = NULL;
    kept = malloc(sizeof *kept);
    kept->next = malloc(sizeof *kept);
    kept->next->next = NULL;
    struct n **inside = &kept->next->next;
    if (argc > 1) {
        a->next = NULL;
        b = NULL;
        kept = NULL;
    }
    free(malloc(3));
    printf("done");
    return inside == NULL;
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for lost, args := range map[int][]string{0: nil, 2: {"x"}} {
		c := ToEnd(p, &Case{Args: args})
		r, err := NewRunner(&Suite{Prog: p, Cases: []*Case{c}})
		if err != nil {
			t.Fatal(err)
		}
		x, err := r.Run(c, nil)
		if err != nil || x.Fault != nil || x.Lost != lost || x.Printed != "done" {
			t.Errorf("%v: lost %d, printed %q, %v, %v; want %d lost", args, x.Lost, x.Printed, x.Fault, err, lost)
		}
		before := "nothing"
		c.Until.Printed = &before
		if x, err = r.Run(c, nil); err != nil || x.Meets(c.Want) {
			t.Errorf("%v: printed %q, and that is taken for %q", args, x.Printed, before)
		}
	}
}
