package logic

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
	"gulo/internal/symbolic"
)

// TestEdits are faults that no other expression in a component's place corrects:
// missing statements, wrong left sides; and loops that do not end.
func TestEdits(t *testing.T) {
	need(t)
	const sum = "int sum(const int *a, int n)\n{\n    int s = 0;\n    int i = 0;\n    while (i < n) {\n        s += a[i];\n        i++;\n    }\n    return s;\n}\n"
	const search = "int search(const int *a, int n, int key)\n{\n    int lo = 0, hi = n;\n    while (lo < hi) {\n        int mid = lo + (hi - lo) / 2;\n        if (a[mid] < key)\n            lo = mid + 1;\n        else\n            hi = mid;\n    }\n    return lo;\n}\n"
	for i, c := range []struct{ name, entry, right, from, to, want string }{
		{"missing", "sum", sum, "        s += a[i];\n", "", "s += a[i]"},
		{"left side", "sum", sum, "s += a[i]", "i += a[i]", "s +="},
		{"endless", "sum", sum, "        i++;\n", "", "i++"},
		{"endless search", "search", search, "lo = mid + 1", "lo = mid", "mid + 1"},
		{"two", "search", search, "int lo = 0, hi = n", "int lo = 1, hi = n - 1", ""},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		wrong := strings.Replace(c.right, c.from, c.to, 1)
		if wrong == c.right {
			t.Fatal(c.name)
		}
		rep, err := Fix(context.Background(), &job.Job{
			Files: []string{file(t, "wrong.c", wrong)}, Spec: job.Spec{Reference: []string{file(t, "right.c", c.right)}}, Entry: c.entry, Logic: job.Logic{Random: 500}, Limit: time.Minute,
			Inputs: file(t, "inputs.json", `{"inputs": [{"name": "a", "len": 4, "min": -1000, "max": 1000}, {"name": "n", "min": 0, "max": 4}]}`),
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if rep.Result != report.Repaired || rep.Proof != "proved" || !strings.Contains(rep.Repairs[0].Diff, c.want) {
			t.Errorf("%s: %s %s %+v, want %s", c.name, rep.Result, rep.Cause, rep.Repairs, c.want)
		}
	}
}

// TestOwnTemplates: a user's template is tried before all others, and must make sense.
func TestOwnTemplates(t *testing.T) {
	need(t)
	req := &job.Job{
		Files:  []string{file(t, "wrong.c", "int scale(int x) { return x; }\n")},
		Spec:   job.Spec{Reference: []string{file(t, "right.c", "int scale(int x) { return x > 5 ? 12 * x + 7 : 12 * x - 3; }\n")}},
		Inputs: file(t, "in.json", `{"entry": "scale", "inputs": [{"name": "x", "min": -100, "max": 100}]}`), Logic: job.Logic{Random: 300, TemplateFile: file(t, "mine.txt", "# a line with a bend\nk0 * x + (x > k1 ? k2 : k3)\n")},
	}
	rep, err := Fix(context.Background(), req)
	if err != nil || rep.Result != report.Repaired || rep.Repairs[0].Edits[0].After != "12 * x + (x > 5 ? 7 : -3)" {
		t.Errorf("%+v, %v", rep, err)
	}
	var use *job.UsageError
	for text, want := range map[string]string{"\nk0 * y": "mine.txt:2: no component can be this", "k0 +": "mine.txt:1", "x = k0": "mine.txt:1"} {
		req.TemplateFile = file(t, "mine.txt", text)
		if _, err := Fix(context.Background(), req); !errors.As(err, &use) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

const listed = `#include <assert.h>
#include <stddef.h>
struct node { int value; struct node *next; };
struct node *last(struct node *l)
{
    while (l != NULL && l->next != NULL)
        l = l->next;
    return l;
}
int order(struct node *l)
{
    struct node *p = l;
    int n = 0;
    while (p != NULL) {
        n++;
        p = p->next;
    }
    assert(n == 0 || last(l)->next == NULL);
    assert(n < 4 || l->value != 7 || l->next->value != 8);
    return n;
}
`

const unlinked = `#include <assert.h>
#include <stddef.h>
struct node { int value; struct node *next; };
static int length(struct node *l)
{
    int n = 0;
    for (; l != NULL; l = l->next)
        n++;
    return n;
}
static void unlink_after(struct node *p)
{
    if (p != NULL && p->next != NULL) {
        p->next = p->next->next;
    }
}
int check(struct node *l)
{
    int n = length(l);
    unlink_after(l);
    assert(length(l) == (n > 1 ? n - 1 : n));
    return n;
}
`

// TestStructures: lists and trees as inputs, all of them up to a depth.
func TestStructures(t *testing.T) {
	need(t)
	x, err := Explore(context.Background(), &job.Job{Files: []string{file(t, "list.c", listed)}, Entry: "order"}, symbolic.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	// Lists of none to four nodes, and what the last assertion asks of four.
	if len(x.Paths) != 7 || x.Failing != 1 || !x.Complete {
		t.Errorf("%d paths, %d fail, complete %v", len(x.Paths), x.Failing, x.Complete)
	}
	for _, p := range x.Paths {
		if p.Failed && (p.Inputs["l->value"] != 7 || p.Inputs["l->next->value"] != 8) {
			t.Errorf("%+v", p)
		}
	}
	tree := "struct tree { int key; struct tree *left, *right, *parent; };\nint depth(struct tree *t)\n{\n    if (t == 0)\n        return 0;\n    if (t->parent != 0 && t->parent->left != t && t->parent->right != t)\n        return -1;\n    int l = depth(t->left), r = depth(t->right);\n    return l > r ? l + 1 : r + 1;\n}\n"
	x, err = Explore(context.Background(), &job.Job{Files: []string{file(t, "tree.c", tree)}, Entry: "depth", Inputs: file(t, "in.json", `{"inputs": [{"name": "t", "len": 2}]}`)}, symbolic.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]int{}
	for _, p := range x.Paths {
		results[p.Result]++
	}
	if !x.Complete || results["returns 0"] != 1 || results["returns 1"] != 1 || results["returns 2"] < 3 || results["returns -1"] != 0 {
		t.Errorf("%v, complete %v", results, x.Complete)
	}
	// A list that is cut where it must be joined is corrected, too.
	unlink := strings.Replace(unlinked, "p->next = p->next->next", "p->next = p->next", 1)
	rep, err := Fix(context.Background(), &job.Job{Entry: "check", Logic: job.Logic{Random: 300}, Files: []string{file(t, "unlink.c", unlink)}})
	if err != nil || rep.Result != report.Repaired || rep.Proof != "bounded" || !strings.Contains(rep.Repairs[0].Diff, "+        p->next = p->next->next;") {
		t.Errorf("%+v, %v", rep, err)
	}
}

// TestShapesLeftOut: nothing is proved of the nodes that were never made, in which links
// share nodes or lead back.
func TestShapesLeftOut(t *testing.T) {
	need(t)
	for _, c := range []struct{ fields, left string }{
		{"int data; struct node *next;", "cycles"},
		{"int data; struct node *next, *min;", "nodes of it that several links lead to"},
	} {
		link := c.fields[strings.LastIndex(c.fields, "*")+1 : len(c.fields)-1]
		text := fmt.Sprintf("#include <assert.h>\n#include <stddef.h>\nstruct node { %s };\nint f(struct node *top)\n{\n    assert(top == NULL || top->%s != top);\n    return 0;\n}\n", c.fields, link)
		rep, err := Fix(context.Background(), &job.Job{Entry: "f", Logic: job.Logic{Random: 100}, Files: []string{file(t, "shape.c", text)}})
		if err != nil || rep.Result != report.Alike || rep.Proof != "bounded" || !strings.Contains(rep.Cause, c.left) {
			t.Errorf("%s: %+v, %v", c.fields, rep, err)
		}
	}
}
