package oracle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/testgen"
)

// TestSynthesize makes states for functions that nothing calls: of lists by a pointer to their
// head, and of nodes whose link back or upwards stands before the others.
func TestSynthesize(t *testing.T) {
	for name, c := range map[string]struct {
		text, shown string
		kind        testgen.Kind
		order       testgen.Order
	}{
		"head":   {"struct node { int n; struct node *next; };\nint f(struct node **head, unsigned at) { return *head != 0 && (*head)->n == (int)at; }\n", "*head: [", testgen.List, testgen.Any},
		"back":   {"struct node { int n; struct node *prev, *next; };\nint f(struct node **list) { return *list != 0; }\n", "*list: [", testgen.DList, testgen.Any},
		"parent": {"struct node { int n; struct node *parent, *left, *right; };\nint f(struct node *t) { return t != 0; }\n", "t: (", testgen.Tree, testgen.Any},
		"search": {"struct node { int n; struct node *left, *right; };\nint f(struct node *t, int n) { while (t && t->n != n) t = n < t->n ? t->left : t->right; return t != 0; }\n", "t: (", testgen.Tree, testgen.Rising},
	} {
		file := filepath.Join(t.TempDir(), "a.c")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := lower.Load(t.Context(), []string{file}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := p.Tree.Func("f")
		im := Synthesize(p, f)
		if im == nil {
			t.Errorf("%s: nothing was made", name)
			continue
		}
		shapes := testgen.Infer(im, f).Shapes()
		if len(shapes) != 1 || shapes[0].Kind != c.kind || shapes[0].Order != c.order {
			t.Errorf("%s: %+v, want one %s of order %d", name, shapes, c.kind, c.order)
			continue
		}
		states, why := Inputs(im, f, 40, 1)
		if len(states) < 15 {
			t.Errorf("%s: %d states: %s", name, len(states), why)
		}
		text := ""
		for _, s := range states {
			text += s.Text + "\n"
		}
		if !strings.Contains(text, c.shown) || !strings.Contains(text, "empty") {
			t.Errorf("%s: %q or an empty structure is not among the states:\n%s", name, c.shown, text)
		}
	}
}
