package contract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

func load(t *testing.T, text string) *cfront.Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const program = `struct node { int value; struct node *next; };
int total;
/* The largest element.
   pre:  n > 0
   post: forall(i, 0, n, result >= a[i])
         && exists(i, 0, n, result == a[i])
   post: total == old(total) + sum(i, 0, n, a[i]) */
int max(int *a, int n) { return a[0]; }
int len(struct node *l) { return 0; }
`

// array is a memory with one array at 4096 and a global at 64.
type array struct {
	elems []int64
	total int64
}

func (m *array) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	if a == 64 {
		return ctype.Wrap(t, ctype.Word(m.total)), true
	}
	i := (int64(a) - 4096) / 4
	if i < 0 || i >= int64(len(m.elems)) {
		return 0, false
	}
	return ctype.Wrap(t, ctype.Word(m.elems[i])), true
}
func (m *array) Store(ctype.Word, *ctype.Type, ctype.Word) bool { return false }
func (m *array) VarAddr(v *cfront.Var) (ctype.Word, bool)       { return 64, v.Name == "total" }

// TestHolds computes the contract above max, and says what exactly does not hold.
func TestHolds(t *testing.T) {
	tree := load(t, program)
	f := tree.Func("max")
	c, err := Of(tree, f)
	if err != nil || len(c.Pre) != 1 || len(c.Post) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	if got := c.Text(c.Post[0].X); got != "forall(i, 0, n, result >= a[i]) && exists(i, 0, n, result == a[i])" {
		t.Error(got)
	}
	if none, err := Of(tree, tree.Func("len")); none != nil || err != nil {
		t.Errorf("len: %v, %v", none, err)
	}
	for _, x := range []struct {
		elems      []int64
		result     int64
		total, old int64
		post       int
		want       string
	}{
		{[]int64{-2, 5, 3}, 5, 16, 10, 0, ""},
		{[]int64{-2, 5, 3}, 5, 16, 10, 1, ""},
		{[]int64{-2, 5, 3}, 3, 0, 0, 0, "result >= a[i] (3 >= 5), for i = 1"},
		{[]int64{-2, 5, 3}, 9, 0, 0, 0, "exists(i, 0, n, result == a[i])"},
		{[]int64{1, 1}, 1, 5, 4, 1, "total == old(total) + sum(i, 0, n, a[i]) (5 == 6)"},
	} {
		now := &array{elems: x.elems, total: x.total}
		e := &Env{Contract: c, Now: now, Old: &array{elems: x.elems, total: x.old}, Result: ctype.Word(x.result),
			Params: map[*cfront.Var]ctype.Word{f.Params[0]: 4096, f.Params[1]: ctype.Word(len(x.elems))}}
		ok, why, err := e.Holds(c.Post[x.post])
		if err != nil || ok != (x.want == "") || why != x.want {
			t.Errorf("%v: %v %q %v, want %q", x.elems, ok, why, err, x.want)
		}
	}
	e := &Env{Contract: c, Now: &array{elems: []int64{1}}, Result: 5, Params: map[*cfront.Var]ctype.Word{f.Params[0]: 4096, f.Params[1]: 3}}
	if _, _, err := e.Holds(c.Post[0]); err == nil {
		t.Error("an element outside has a value")
	}
}

// TestErrors are contracts that make no sense, and where.
func TestErrors(t *testing.T) {
	tree := load(t, program)
	for _, c := range []struct{ text, want string }{
		{"{\n \"entry\": \"max\",\n \"post\": \"result >= b[0]\"}", `c.json:3:21: no variable "b" here`},
		{`{"entry": "max", "post": "forall(i, result >= a[i])"}`, "forall has no bound"},
		{`{"entry": "max", "post": "forall(i, 0, result >= a[i])"}`, "forall has no bound"},
		{`{"entry": "max", "post": "result > a"}`, "compares a int with a int *"},
		{`{"entry": "max", "post": "acyclic(a)"}`, "has no pointer to its own kind"},
		{`{"entry": "max", "pre": "old(n) > 1", "post": "1"}`, "old(...) belongs into a postcondition"},
		{`{"entry": "max", "pre": "result > 1", "post": "1"}`, `no variable "result" here`},
		{`{"entry": "max", "post": "twice(n) > 1"}`, "nothing is known of twice(...)"},
		{`{"entry": "min", "post": "1"}`, `no function "min"`},
		{`{"entry": "max"}`, `"post" is missing`},
		{`{"entry": "max", "post": }`, "c.json:1:"},
		{`{"entry": "max", "posts": "1"}`, "unknown field"},
	} {
		path := filepath.Join(t.TempDir(), "c.json")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path, tree, "")
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
