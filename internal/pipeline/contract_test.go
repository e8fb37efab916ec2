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

// byContract are functions of lists and trees with a contract, each with a mistake, and a line of the repair; "":
// nothing is wrong.
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

// TestContractsOfLists: functions of lists and trees are edited so that they meet their contracts, and right
// functions are not said to break theirs.
func TestContractsOfLists(t *testing.T) {
	for i, x := range byContract {
		if testing.Short() && i%3 != 0 {
			continue
		}
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

// rooms has a function that the initial values have nothing to do with.
const rooms = `#include <stdio.h>
#include <stdlib.h>

static int from[8], to[8], room[8], count;

/* pre:  count >= 0 && count <= 8 && forall(i, 0, count, from[i] < to[i]) && forall(i, 1, count, from[i - 1] <= from[i])
   post: result >= 0 && result <= count
   post: forall(i, 0, count, room[i] >= 0 && room[i] < result)
   post: count == 0 || exists(i, 0, count, count(k, 0, count, from[k] <= from[i] && from[i] < to[k]) == result) */
static int assign(void)
{
    int used = 0, free_at[8];
    for (int i = 0; i < count; i++) {
        int r;
        for (r = 0; r < used; r++)
            if (free_at[r] < from[i])
                break;
        if (r == used)
            used++;
        free_at[r] = to[i];
        room[i] = r;
    }
    return used;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc && count < 8; i += 2) {
        int k = count++, a = atoi(argv[i]), b = atoi(argv[i + 1]);
        for (; k > 0 && from[k - 1] > a; k--) {
            from[k] = from[k - 1];
            to[k] = to[k - 1];
        }
        from[k] = a;
        to[k] = b > a ? b : a + 1;
    }
    if (count == 0)
        return 1;
    printf("%d rooms\n", assign());
    for (int i = 0; i < count; i++)
        printf("%d to %d in %d\n", from[i], to[i], room[i]);
    return 0;
}
`

// TestContractInRuns: if the run in hand breaks the contract, it is no answer that logic finds nothing wrong from the
// initial values. A repair is checked on runs like that one.
func TestContractInRuns(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rooms.c")
	if err := os.WriteFile(name, []byte(rooms), 0o600); err != nil {
		t.Fatal(err)
	}
	j := &job.Job{Files: []string{name}, Spec: job.Spec{Contracts: true}, Entry: "assign", Args: []string{"9", "10", "10", "11"}, Limit: 90 * time.Second}
	one := *j
	one.Engines = []string{"template"}
	a, err := Fix(context.Background(), &one)
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result != report.Unknown || !strings.Contains(a.Report.Cause, "a run is wrong: in the run with 9 10 10 11") {
		t.Errorf("by logic alone: %s: %s", a.Report.Result, a.Report.Cause)
	}
	if a, err = Fix(context.Background(), j); err != nil {
		t.Fatal(err)
	}
	if a.Report.Result != report.Repaired || !strings.Contains(a.Sources()[name], "free_at[r] <= from[i]") {
		t.Errorf("%s: %s: %s", a.Report.Result, a.Report.Cause, a.Sources()[name])
	}
}
