package testgen_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/session"
	"gulo/internal/target/sim"
	"gulo/internal/testgen"
)

const trees = `#include <stdlib.h>
struct tree { int key, height; struct tree *left, *right, *parent; } *root;
struct tree *leaf(int key, struct tree *up)
{
    struct tree *t = calloc(1, sizeof *t);
    t->key = key;
    t->height = 1;
    t->parent = up;
    return t;
}
void visit(struct tree *t, int key)
{
    while (t != NULL && t->key != key)
        t = key < t->key ? t->left : t->right;
    if (t == NULL)
        return;
    t->key = key;
}
int main(void)
{
    root = leaf(5, NULL);
    root->left = leaf(3, root);
    root->right = leaf(8, root);
    root->height = 2;
    visit(root, 3);
    return 0;
}
`

const lists = `#include <stdlib.h>
struct node { int data; struct node *next, *prev; };
struct list { struct node *first, *last; int length; };
void append(struct list *l, int d)
{
    struct node *n = malloc(sizeof *n);
    n->data = d;
    n->next = NULL;
    n->prev = l->last;
    l->last->next = n;
    l->last = n;
    l->length++;
}
int main(void)
{
    struct list l = {NULL, NULL, 2};
    l.first = calloc(1, sizeof *l.first);
    l.last = calloc(1, sizeof *l.last);
    l.first->next = l.last;
    l.last->prev = l.first;
    append(&l, 7);
    return 0;
}
`

func plan(t *testing.T, text, fn string) (*testgen.Plan, *lower.Program) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	s := session.New(p, sim.New(p, sim.Config{Name: path}), session.Config{})
	t.Cleanup(s.Close)
	if _, _, err := s.Exec(context.Background(), "start; break "+fn+"; continue; spec; next; spec"); err != nil {
		t.Fatal(err)
	}
	pl := testgen.Infer(s.Segments()[0].Start, tree.Func(fn))
	if len(pl.Shapes()) == 0 {
		t.Fatal(pl.Why)
	}
	return pl, p
}

func TestTrees(t *testing.T) {
	pl, p := plan(t, trees, "visit")
	s := pl.Shapes()[0]
	if s.Kind != testgen.Tree || s.Parent == nil || s.Order != testgen.Rising || !s.Balanced {
		t.Fatalf("recognized %+v", s)
	}
	shapes := map[string]bool{}
	for _, in := range pl.Inputs(150, 1) {
		tree, _, _ := strings.Cut(in.Text, "; t:")
		shapes[tree] = true
	}
	// Balanced trees of 0 to 4 nodes: 1, 1, 2, 1 and 4 of them.
	for _, want := range []string{"root: empty", "root: 0", "root: (0 2 .)", "root: (. 0 2)", "root: (0 2 4)", "root: ((0 2 .) 4 6)", "root: (0 2 (4 6 .))"} {
		if !shapes[want] {
			t.Errorf("no input %q among %d", want, len(shapes))
		}
	}
	if shapes["root: (. 0 (. 2 4))"] {
		t.Error("an input is not balanced")
	}
	// The function meets its own shape on all of them.
	v := (&oracle.Trials{Prog: p, Plan: pl}).Run(repair.NewPatch())
	if v.Unknown != "" || v.Errors != 0 || v.Broken != 0 {
		t.Errorf("%+v", v)
	}
}

func TestLists(t *testing.T) {
	pl, p := plan(t, lists, "append")
	s := pl.Shapes()[0]
	if s.Kind != testgen.DList || s.Next.Name != "next" || s.Circular {
		t.Fatalf("recognized %+v", s)
	}
	v := (&oracle.Trials{Prog: p, Plan: pl}).Run(repair.NewPatch())
	inputs := (&oracle.Trials{Prog: p, Plan: pl}).Inputs()
	for i, o := range v.Outcomes {
		empty := strings.Contains(inputs[i], "empty")
		switch {
		case empty && !strings.Contains(o.Error, "null pointer dereference at"):
			t.Errorf("%s: append to an empty list gives %+v", inputs[i], o)
		case !empty && (o.Bad() || o.Shape != "" || o.Lost > 0):
			t.Errorf("%s: %+v", inputs[i], o)
		}
	}
	if v.Errors == 0 || v.Errors == len(v.Outcomes) {
		t.Errorf("%d of %d end in an error", v.Errors, len(v.Outcomes))
	}
}

const stops = `#include <stdlib.h>
struct stop { int id; struct stop *next; } *line;
int between(int from, int to)
{
    struct stop *s = line;
    int n = 0;
    while (s != NULL && s->id != from)
        s = s->next;
    while (s != NULL && s->id != to) {
        s = s->next;
        n++;
    }
    return s != NULL ? n : -1;
}
int main(void)
{
    for (int i = 3; i > 0; i--) {
        struct stop *s = malloc(sizeof *s);
        s->id = 10 * i;
        s->next = line;
        line = s;
    }
    return between(10, 30) == 2 ? 0 : 1;
}
`

// TestTwoKeys: a function that looks for two keys is mostly called with keys that are there, and
// with others, too.
func TestTwoKeys(t *testing.T) {
	pl, _ := plan(t, stops, "between")
	both, neither := 0, 0
	ins := pl.Inputs(60, 1)
	for _, in := range ins {
		line, from, _ := strings.Cut(strings.Trim(in.Text, "; "), "; from = ")
		from, to, _ := strings.Cut(from, "; to = ")
		_, line, _ = strings.Cut(line, "line: ")
		keys := strings.Fields(strings.Trim(line, "[]"))
		a, b := slices.Contains(keys, from), slices.Contains(keys, to)
		switch {
		case a && b:
			both++
		case !a && !b:
			neither++
		}
	}
	if both < len(ins)/3 || neither < 3 {
		t.Errorf("of %d inputs both keys are in the list in %d, neither is in %d", len(ins), both, neither)
	}
}

const seats = `#include <stdlib.h>
struct seat { int row; struct seat *next; } *seats;
void leave(int row)
{
    struct seat **at = &seats;
    while (*at != NULL && (*at)->row != row)
        at = &(*at)->next;
    if (*at != NULL)
        *at = (*at)->next;
}
int main(void)
{
    for (int i = 3; i > 0; i--) {
        struct seat *s = malloc(sizeof *s);
        s->row = 4 * i;
        s->next = seats;
        seats = s;
    }
    leave(8);
    return seats->next->row == 12 ? 0 : 1;
}
`

// TestKeysMet: where that is asked for, a function that looks for a key is called with one that is there half of the
// time, and with others as often.
func TestKeysMet(t *testing.T) {
	shares := map[bool]int{} // in per cent
	for _, asked := range []bool{false, true} {
		pl, _ := plan(t, seats, "leave")
		pl.Met = asked
		there, all := 0, 0
		for _, in := range pl.Inputs(200, 1) {
			line, row, _ := strings.Cut(strings.Trim(in.Text, "; "), "; row = ")
			_, line, _ = strings.Cut(line, "seats: ")
			if line == "empty" {
				continue
			}
			if all++; slices.Contains(strings.Fields(strings.Trim(line, "[]")), row) {
				there++
			}
		}
		shares[asked] = 100 * there / all
	}
	if shares[true] < 50 || shares[true] > 75 || shares[true] < shares[false]+15 {
		t.Errorf("the key is in the list in %d of 100 inputs, and in %d where that is asked for", shares[false], shares[true])
	}
}

// TestAll: every input up to a size, each once, and none when they are too many.
func TestAll(t *testing.T) {
	pl, _ := plan(t, lists, "append")
	ins, complete := pl.All(3, 10_000)
	seen := map[string]bool{}
	for _, in := range ins {
		seen[in.Text] = true
	}
	// Lists of 0 to 3 nodes with values 0 to n-1: 1 + 1 + 4 + 27, and the
	// argument from -1 to one above the greatest.
	want := 3 + 3 + (3 + 4 + 4 + 4)
	for a := 0; a < 3; a++ {
		for b := 0; b < 3; b++ {
			for c := 0; c < 3; c++ {
				want += max(a, b, c) + 3
			}
		}
	}
	if !complete || len(seen) != len(ins) || len(ins) != want {
		t.Errorf("%d inputs, %d of them different, complete: %v; want %d", len(ins), len(seen), complete, want)
	}
	if ins, complete = pl.All(3, 20); complete || len(ins) > 20 {
		t.Errorf("%d inputs, complete: %v", len(ins), complete)
	}
}

// FuzzInputs builds inputs from any seed: the same seed gives the same inputs.
func FuzzInputs(f *testing.F) {
	f.Add(int64(1), uint8(20))
	f.Fuzz(func(t *testing.T, seed int64, n uint8) {
		pl, _ := plan(t, lists, "append")
		a, b := pl.Inputs(int(n), seed), pl.Inputs(int(n), seed)
		if len(a) != int(n) || len(b) != int(n) {
			t.Fatalf("%d and %d inputs, want %d", len(a), len(b), n)
		}
		for i := range a {
			if a[i].Text != b[i].Text {
				t.Fatalf("input %d: %q and %q", i, a[i].Text, b[i].Text)
			}
		}
	})
}
