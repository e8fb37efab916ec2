package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

const listOf = `#include <stdlib.h>

struct node { int val; struct node *next; };

`

// byContract are functions of lists and trees with a contract, each with a mistake, and a line of
// what mends it; an empty line: nothing is wrong.
var byContract = []struct{ name, text, want string }{
	{"delete_val", listOf + `/* pre:  acyclic(x)
   post: acyclic(result) && implies(!contains(old(x), a), length(result) == length(old(x)))
   post: implies(contains(old(x), a), length(result) == length(old(x)) - 1) */
struct node *delete_val(struct node *x, int a)
{
    if (x == NULL)
        return x;
    if (x->val == a)
        return NULL;
    x->next = delete_val(x->next, a);
    return x;
}
`, "return x->next;"},
	{"insert_at", listOf + `/* pre:  acyclic(l) && pos >= 0 && pos <= length(l)
   post: length(result) == length(old(l)) + 1
   post: implies(pos == 0, result->val == v && result->next == old(l))
   post: implies(pos == 1, result->next->val == v && result == old(l)) */
struct node *insert_at(struct node *l, int pos, int v)
{
    struct node *n = malloc(sizeof(struct node));
    struct node *p = l;
    int i;
    n->val = v;
    if (pos == 0) {
        n->next = l;
        return n;
    }
    for (i = 0; i < pos; i++)
        p = p->next;
    n->next = p->next;
    p->next = n;
    return l;
}
`, "for (i = 1; i < pos; i++)"},
	{"size", `#include <stdlib.h>

struct tree { int val; struct tree *left, *right; };

/* post: implies(t == NULL, result == 0) && implies(t != NULL, result >= 1)
   post: implies(t != NULL && t->left != NULL && t->right != NULL, result >= 3) */
int size(struct tree *t)
{
    if (t == NULL)
        return 1;
    return 1 + size(t->left) + size(t->right);
}
`, "return 0;"},
	{"right", `#include <stdlib.h>

struct tree { int val; struct tree *left, *right; };

/* post: result >= 0 && implies(t != NULL, result >= 1) */
int size(struct tree *t)
{
    if (t == NULL)
        return 0;
    return 1 + size(t->left) + size(t->right);
}
`, ""},
	{"two lists", `#include <stdlib.h>

struct item { struct item *before, *after; int key; };

/* pre:  x != NULL
   post: result == x && implies(y != NULL, y->before != NULL) */
struct item *join(struct item *x, struct item *y)
{
    struct item *p = x;
    while (p->after != NULL)
        p = p->after;
    p->after = y;
    y->before = p;
    return x;
}
`, "if (y"},
}

// TestContractsOfLists: contracts of functions of lists and trees are met by edits of the text,
// and right functions are not said to break theirs.
func TestContractsOfLists(t *testing.T) {
	for _, x := range byContract {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a.c")
			if err := os.WriteFile(file, []byte(x.text), 0o600); err != nil {
				t.Fatal(err)
			}
			a, err := Fix(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Contracts: true}, Limit: 90 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if x.want == "" {
				if !a.Report.Met() {
					t.Fatalf("a right function: %s, %s", a.Report.Result, a.Report.Example)
				}
				return
			}
			if a.Report.Result != report.Repaired {
				t.Fatalf("%s, %s", a.Report.Result, a.Report.Cause)
			}
			got := a.Sources()[file]
			if !strings.Contains(got, x.want) || strings.Contains(got, "gulo") {
				t.Errorf("the repaired text has no %q:\n%s", x.want, a.Report.Repairs[0].Diff)
			}
		})
	}
}
