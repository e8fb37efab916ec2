package space

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower/lowertest"
)

const program = `
#include <stdio.h>

struct node { struct node *next; int value; };

int count(struct node *list, int value)
{
    int n = 0, more = list && list->next;
    for (struct node *p = list; p != 0; p = p->next)
        if (p->value == value)
            n++;
    for (struct node *p = list; more && p->next->value < value; p = p->next)
        more = p->next->next != 0;
    return n;
}

int main(void)
{
    int a, b;
    scanf("%d%d", &a, &b);
    a = a - b;
    b = a - 1;
    return count(0, a);
}
`

// candidates lists what a statement may become.
func candidates(u *Unit) []string {
	u.Build()
	var out []string
	for i := range u.Pairs {
		out = append(out, cfront.Text(u.Candidate(i)))
	}
	for _, x := range slices.Concat(u.Wholes, u.Conds) {
		if x != nil {
			out = append(out, cfront.Text(x))
		}
	}
	return out
}

func TestCandidates(t *testing.T) {
	p, _ := lowertest.Load(t, program)
	s := New(Config{Program: p, Rich: true, Numbers: true})
	unit := func(text string) *Unit { return s.Unit(lowertest.Statement(t, p, text).ID) }
	for _, c := range []struct {
		at          string
		some, never []string
	}{
		{"p != 0", []string{"p == NULL", "p->next != NULL"}, nil},
		{"p->value == value", []string{"p->value != value", "p->value > value"}, nil},
		{"p = p->next", []string{"p = list", "list = p->next"}, []string{"p = p->value", "value = p"}},
		{"more && p->next->value < value", []string{"more && p->next->value > value", "more || p->next->value < value"}, nil},
		{"n++", []string{"n--"}, []string{"p++"}},
		{"a = a - b", []string{"a = b - a", "a = a + b"}, nil},
		{"scanf", nil, []string{`a = scanf("%d%d", &a, &b)`, `b = scanf("%d%d", &a, &b)`}},
	} {
		u := unit(c.at)
		if u.Locked {
			t.Errorf("%s is locked", c.at)
			continue
		}
		got := candidates(u)
		seen := map[string]bool{}
		for _, x := range got {
			if seen[x] {
				t.Errorf("%s: %s twice", c.at, x)
			}
			seen[x] = true
		}
		for _, x := range c.some {
			if !seen[x] && !seen[strings.ReplaceAll(x, "NULL", "0")] {
				t.Errorf("%s cannot become %s: %q", c.at, x, got)
			}
		}
		for _, x := range c.never {
			if seen[x] {
				t.Errorf("%s becomes %s", c.at, x)
			}
		}
	}
	if u := New(Config{Program: p, Free: func(int32) bool { return false }}).Unit(unit("n++").ID); !u.Locked {
		t.Error("a statement that is not free is changed")
	}
}

// TestZeros: where a constant becomes 0 the sum becomes what is left of it.
func TestZeros(t *testing.T) {
	p, _ := lowertest.Load(t, program)
	var got []string
	for _, x := range New(Config{Program: p}).Unit(lowertest.Statement(t, p, "b = a - 1").ID).Neighbours() {
		got = append(got, cfront.Text(x))
	}
	if !slices.Contains(got, "b = a") || !slices.Contains(got, "b = a - 2") || slices.Contains(got, "b = a - 0") {
		t.Errorf("%q", got)
	}
}

// TestTokenDistance: it is a metric.
func TestTokenDistance(t *testing.T) {
	words := []string{"p", "next", "->", "=", "0", "head"}
	text := func(choice []byte) string {
		var out []string
		for _, c := range choice[:min(len(choice), 8)] {
			out = append(out, words[int(c)%len(words)])
		}
		return strings.Join(out, " ")
	}
	property := func(x, y, z []byte) bool {
		a, b, c := text(x), text(y), text(z)
		ab, bc, ac := TokenDistance(a, b), TokenDistance(b, c), TokenDistance(a, c)
		return (ab == 0) == (a == b) && ab == TokenDistance(b, a) && ac <= ab+bc
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
}

// TestSameKind: what may stand where an operator does is of its kind, and goes back.
func TestSameKind(t *testing.T) {
	for op := ctype.Add; op <= ctype.Ne; op++ {
		for _, other := range SameKind(op, ctype.IntT) {
			if other == op || !slices.Contains(SameKind(other, ctype.IntT), op) || other.IsCompare() != op.IsCompare() {
				t.Errorf("%v for %v", other, op)
			}
		}
	}
	if slices.Contains(SameKind(ctype.Div, ctype.DoubleT), ctype.Rem) {
		t.Error("the remainder of doubles")
	}
}

// TestNumbersFirst: in the place of a number another number is nearer than a variable, and in the place of a
// null pointer a variable is as near as it was.
func TestNumbersFirst(t *testing.T) {
	p, _ := lowertest.Load(t, "struct n { struct n *next; }; static struct n *list;\nint main(void)\n{\n    int i = 0, sum = 2;\n    struct n *p = list;\n    i = 0;\n    p = 0;\n    sum = i;\n    return p == list;\n}\n")
	orig := func(text string) cfront.Expr { return lowertest.Statement(t, p, text).X }
	with := func(text string, x cfront.Expr) int {
		a := orig(text).(*cfront.Assign)
		return Distance(a, cfront.NewAssign(a.L, x))
	}
	sum, list := orig("sum = i;").(*cfront.Assign).L, p.Tree.Globals[0]
	one := cfront.NewConst(ctype.IntT, 1)
	if n, v := with("i = 0;", one), with("i = 0;", sum); n >= v {
		t.Errorf("i = 1 is %d away and i = sum %d", n, v)
	}
	if n, v := with("p = 0;", cfront.NewRef(list)), with("i = 0;", one); n != v {
		t.Errorf("p = list is %d away and i = 1 %d", n, v)
	}
	if n, v := with("sum = i;", one), with("sum = i;", cfront.NewRef(orig("i = 0;").(*cfront.Assign).L.(*cfront.Ref).Var)); v >= n {
		t.Errorf("sum = i is %d away from itself, sum = 1 %d", v, n)
	}
}

// TestOperandsOfMacros: what stands in a macro's body is written as such, never as the whole use of the macro; what
// has no text is no candidate; and a computed goto is left alone.
func TestOperandsOfMacros(t *testing.T) {
	p, _ := lowertest.Load(t, `
struct pair { int key, value; };
struct table { struct pair *at; long left; int used; };
#define MOVING(t) ((t)->left != -1)
#define PUT(t, ...) ((t)->at[(t)->used++] = (__VA_ARGS__))

static int moved(struct table *t, int n)
{
    static void *const to[] = {&&low, &&high};
    int old = MOVING(t) ? n : 0;
    PUT(t, (struct pair){n, old});
    goto *to[n > 7];
low:
    return old;
high:
    return n;
}

int main(void)
{
    struct pair room[4];
    struct table t = {room, -1, 0};
    return moved(&t, 5);
}
`)
	s := New(Config{Program: p, Rich: true, Donors: true, Numbers: true})
	unit := func(text string) *Unit { return s.Unit(lowertest.Statement(t, p, text).ID) }
	if got := candidates(unit("old = MOVING(t)")); !slices.Contains(got, "t->left == -1 ? n : 0") {
		t.Errorf("the test of a macro is not turned: %q", got)
	}
	for _, at := range []string{"old = MOVING(t)", "PUT(t", "return old"} {
		for _, x := range candidates(unit(at)) {
			if strings.Contains(x, "left == MOVING") || strings.Contains(x, "<*") {
				t.Errorf("%s becomes %s", at, x)
			}
		}
	}
	if !unit("goto *").Locked {
		t.Error("a computed goto is changed")
	}
}
