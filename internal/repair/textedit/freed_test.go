package textedit

import (
	"strings"
	"testing"
)

// TestReleased: what is dropped before a return, a text that strncpy leaves without an end, and memory that may overlap.
func TestReleased(t *testing.T) {
	const text = `#include <stdlib.h>
#include <string.h>
#define ROOM 8
struct node { int v; struct node *left, *right; char name[ROOM]; };
static void drop(struct node *n)
{
    if (n == NULL)
        return;
    drop(n->left);
    drop(n->right);
    free(n);
}
static struct node *pair(struct node *(*next)(void), const char *name)
{
    struct node *left = next();
    struct node *right = next();
    if (right == NULL)
        return NULL;
    struct node *both = calloc(1, sizeof *both);
    both->left = left;
    both->right = right;
    strncpy(both->name, name, ROOM);
    memcpy(both->name + 1, both->name, 3);
    return both;
}
int main(void) { return pair(NULL, "x") == NULL; }
`
	list := listed(t, text)
	for _, want := range []string{
		"drop(left);",
		"both->name[ROOM - 1] = '\\0';",
		"memmove(both->name + 1, both->name, 3)",
	} {
		found := false
		for _, e := range list {
			for _, c := range e.Changes {
				found = found || strings.Contains(c.Text, want)
			}
		}
		if !found {
			t.Errorf("no edit writes %s", want)
		}
	}
	s := &Space{}
	if s.releasing = map[string]bool{"free": true, "drop": true}; !s.releases("drop(left);") || !s.releases("free(x);") || s.releases("show(x);") || s.releases("x = drop(y);") {
		t.Error("what releases is a call of free or of what calls it")
	}
}
