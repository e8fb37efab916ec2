package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRoot: on both engines the chain of a value leads over copies to where it came from: from a variable that has got an
// uninitialized field, to the block; from the second argument of a library function, to where that pointer was stored.
func TestRoot(t *testing.T) {
	for name, x := range map[string]struct {
		text  string
		lines []int // which the chain must name
	}{
		"field": {`#include <stdio.h>
#include <stdlib.h>
struct node { int key, height; struct node *next; };
static struct node *leaf(int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = NULL;
    return n;
}
static int taller(struct node *n)
{
    int h = n->height;
    if (h > 1)
        return 1;
    return 0;
}
int main(void)
{
    struct node *n = leaf(3);
    printf("%d\n", taller(n));
    free(n);
    return 0;
}
`, []int{6, 13}},
		"second argument": {`#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct doc { char *text, *saved; };
static void set(struct doc *d, char *t)
{
    free(d->text);
    d->text = t;
}
static void save(struct doc *d)
{
    d->saved = d->text;
}
int main(void)
{
    struct doc d = {0};
    set(&d, strdup("one"));
    save(&d);
    set(&d, strdup("two"));
    printf("%d\n", strcmp(d.text, d.saved) != 0);
    free(d.text);
    return 0;
}
`, []int{8, 12, 17}},
	} {
		file := filepath.Join(t.TempDir(), "a.c")
		if err := os.WriteFile(file, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, engine := range engines(t) {
			rep, _, err := play(t, engine, file)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			rep.Text(&b)
			_, chain, ok := strings.Cut(b.String(), "the value came from")
			chain, _, _ = strings.Cut(chain, "r1 came from")
			for _, line := range x.lines {
				if at := fmt.Sprintf("a.c:%d ", line); !ok || !strings.Contains(chain, at) {
					t.Errorf("%s, %s: the chain does not name line %d\n%s", name, engine, line, &b)
				}
			}
		}
	}
}
