package pwp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// TestContractAsC runs calls of right and wrong programs against their contracts as
// they are, and as C: the assertion fails exactly when the contract is broken.
func TestContractAsC(t *testing.T) {
	files, err := filepath.Glob("../bench/contracts/*.c")
	if err != nil || len(files) < 20 {
		t.Fatal(err, len(files))
	}
	broken, written := 0, 0
	for _, name := range files {
		right, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Index(string(right), "{")
		for _, change := range [][2]string{{"", ""}, {" < ", " <= "}, {" + ", " - "}, {"= 0;", "= 1;"}} {
			text := string(right)[:body] + strings.Replace(string(right)[body:], change[0], change[1], 1)
			n, ok := contractAsC(t, file(t, "p.c", text))
			broken += n
			if ok {
				written++
			}
		}
	}
	if broken < 500 || written < 4*len(files)*3/4 {
		t.Errorf("%d calls broke a contract; %d programs of %d could be written", broken, written, 4*len(files))
	}
}

// namesakes are functions whose parameters are called like what the C of contracts needs, with
// lists as they were.
var namesakes = []string{
	`/* pre:  acyclic(p)
   post: result == length(p) && length(p) == length(old(p)) */
int count(struct node *p)
{
    int n = 0;
    while (p != NULL) {
        n++;
        p = p->next;
    }
    return n;
}
`, `/* pre:  acyclic(p) && n >= 0
   post: acyclic(result) && length(result) <= length(old(p))
   post: implies(contains(old(p), n), length(result) < length(old(p)))
   post: implies(!contains(old(p), n), length(result) == length(old(p)))
   post: implies(sorted(old(p)), sorted(result)) */
struct node *drop(struct node *p, int n)
{
    struct node *r = p;
    if (p != NULL && p->value == n)
        return p->next;
    for (; p != NULL && p->next != NULL; p = p->next)
        if (p->next->value == n) {
            p->next = p->next->next;
            return r;
        }
    return r;
}
`,
}

// TestNamesakes: names of parameters do not clash with those of the C of a contract, and what
// was is what it was.
func TestNamesakes(t *testing.T) {
	broken := 0
	for _, text := range namesakes {
		head := "#include <stddef.h>\nstruct node { int value; struct node *next; };\n"
		for _, change := range [][2]string{{"", ""}, {"n++", "n += 2"}, {"= p->next->next", "= NULL"}, {"return p->next", "return p"}} {
			n, ok := contractAsC(t, file(t, "p.c", head+strings.Replace(text, change[0], change[1], 1)))
			if !ok {
				t.Errorf("cannot be written as C:\n%s", text)
			}
			if change[0] == "" && n > 0 {
				t.Errorf("%d calls of a right function break its contract:\n%s", n, text)
			}
			broken += n
		}
	}
	if broken < 20 {
		t.Errorf("%d calls broke a contract", broken)
	}
}

// TestTreesAndLists: calls have trees where a function takes trees, and lists of any length
// beside each other.
func TestTreesAndLists(t *testing.T) {
	name := file(t, "p.c", `#include <stddef.h>
struct tree { int key; struct tree *left, *right; };
/* post: implies(t == NULL, result == 0) && implies(t != NULL, result > 0) && implies(t != NULL && t->left != NULL, result > 1) */
int height(struct tree *t)
{
    if (t == NULL)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}
`)
	if n, ok := contractAsC(t, name); n > 0 || !ok {
		t.Errorf("%d calls of a right function of trees break its contract", n)
	}
	name = file(t, "p.c", `#include <stddef.h>
struct node { int value; struct node *next; };
/* post: implies(a != NULL && b == NULL, result == 1) */
int which(struct node *a, struct node *b)
{
    return a != NULL && b != NULL ? 0 : 2;
}
`)
	if n, _ := contractAsC(t, name); n == 0 {
		t.Error("no call has a list beside none")
	}
}

// usualLen is how long arrays are made that nothing is said of.
const usualLen = 6

// contractAsC returns how many calls break the contract.
func contractAsC(t *testing.T, name string) (broken int, ok bool) {
	t.Helper()
	return asC(t, name, func(ct *contract.Contract) (string, error) {
		return ct.C(func(*cfront.Var) int { return usualLen })
	})
}

func asC(t *testing.T, name string, write func(*contract.Contract) (string, error)) (broken int, ok bool) {
	t.Helper()
	prog, err := lower.Load(context.Background(), []string{name}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ct, err := contract.Find(prog.Tree, "", "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := write(ct)
	if err != nil {
		return 0, false // lists as they were
	}
	with := file(t, "with.c", fmt.Sprintf("#include \"%s\"\n%s", filepath.Base(name), text))
	same, err := lower.Load(context.Background(), []string{with}, cfront.Options{Flags: []string{"-I" + filepath.Dir(name)}})
	if err != nil {
		t.Fatal(err)
	}
	one, err := oracle.NewRunner(&oracle.Suite{Prog: prog, Entry: ct.Func})
	if err != nil {
		t.Fatal(err)
	}
	other, err := oracle.NewRunner(&oracle.Suite{Prog: same, Entry: same.Tree.Func(contract.Keeps)})
	if err != nil {
		t.Fatal(err)
	}
	g, err := (&task{req: &job.Job{}, prog: prog, ct: ct}).values()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range g.States(60, 7) {
		pad(s)
		c := &oracle.Case{Name: s.Text, State: s, Want: &oracle.Run{Any: true, Steps: 2000}}
		k, err := one.Hold(c, nil, ct, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := other.Run(&oracle.Case{Name: s.Text, State: s, Want: &oracle.Run{Any: true, Steps: 4000}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		wrong := !k.Outside && !k.Passed()
		if wrong != (r.Fault != nil) {
			t.Errorf("%s, %s: %s; as C: %v\n%s", name, s.Text, k, r.Fault, text)
			return broken, true
		}
		if wrong {
			broken++
		}
	}
	return broken, true
}

// pad gives arrays the length that copies of them have.
func pad(s *oracle.State) {
	for i := range s.Objects {
		o := &s.Objects[i]
		if !o.Type.IsInteger() || o.Count >= usualLen {
			continue
		}
		if o.Count == 1 {
			o.Cells[0].Path = "[0]"
		}
		for ; o.Count < usualLen; o.Count++ {
			o.Cells = append(o.Cells, oracle.Cell{Path: fmt.Sprintf("[%d]", o.Count)})
		}
	}
}
