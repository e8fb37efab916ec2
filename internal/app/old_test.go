package app

import (
	"fmt"
	"strings"
	"testing"
)

// olds are functions whose postconditions speak of entry in every way there is; in each
// body @ is the right statement, and wrong is one that breaks the contract.
var olds = []struct{ name, post, head, right, wrong, call string }{
	{"element", "forall(i, 0, n, a[i] == old(a[n - 1 - i]))", "void f(int *a, int n)", swap, "a[0] = a[0];", "int a[] = {1, 2, 3}; f(a, 3);"},
	{"array", "forall(i, 0, n, a[i] == old(a)[n - 1 - i])", "void f(int *a, int n)", swap, "a[0] = a[0];", "int a[] = {1, 2, 3}; f(a, 3);"},
	{"pointer", "forall(i, 0, n, a[i] == *(old(a) + (n - 1 - i)))", "void f(int *a, int n)", swap, "a[0] = a[0];", "int a[] = {1, 2, 3}; f(a, 3);"},
	{"deref", "*p == *old(p) + 1", "void f(int *p)", "*p += 1;", "*p += 2;", "int x = 4; f(&x);"},
	{"deref inside", "*p == old(*p) + 1", "void f(int *p)", "*p += 1;", "*p += 2;", "int x = 4; f(&x);"},
	{"member", "s->x == old(s->x) + 1", "void f(struct s *s)", "s->x += 1;", "s->x += 2;", "struct s v = {4, 5, 0}; f(&v);"},
	{"member outside", "s->x == old(s)->x + 1", "void f(struct s *s)", "s->x += 1;", "s->x += 2;", "struct s v = {4, 5, 0}; f(&v);"},
	{"two members", "s->x == old(s)->y && s->y == old(s->x)", "void f(struct s *s)", "int t = s->x; s->x = s->y; s->y = t;", "s->x = s->y; s->y = s->x;", "struct s v = {4, 5, 0}; f(&v);"},
	{"struct by star", "s->x == old(*s).x + 1", "void f(struct s *s)", "s->x += 1;", "s->x += 2;", "struct s v = {4, 5, 0}; f(&v);"},
	{"global struct", "g.x == old(g).x + 1", "void f(void)", "g.x += 1;", "g.x += 2;", "f();"},
	{"global array", "t[1] == old(t)[1] + old(t[0])", "void f(void)", "t[1] += t[0];", "t[1] += t[0] + 1;", "t[0] = 3; t[1] = 4; f();"},
	{"index now", "t[k] == old(t)[k] + 1 && k == old(k) + 1", "void f(void)", "k++; t[k]++;", "t[k]++; k++;", "t[0] = 1; t[1] = 7; f();"},
	{"chain", "s->next->x == old(s)->next->x + 1", "void f(struct s *s)", "s->next->x += 1;", "s->next->x += 2;", "struct s w = {1, 2, 0}, v = {4, 5, &w}; f(&v);"},
	{"chain of then", "s->x == old(s)->next->x", "void f(struct s *s)", "s->x = s->next->x; s->next = s;", "s->next = s; s->x = s->next->x;", "struct s w = {1, 2, 0}, v = {4, 5, &w}; f(&v);"},
	{"sorted", "implies(sorted(old(a), 0, n), a[0] == 1)", "void f(int *a, int n)", "a[n - 1] = 0; a[0] = 1;", "a[n - 1] = 0;", "int a[] = {3, 4, 5}; f(a, 3);"},
	{"length", "result == length(old(s))", "int f(struct s *s)", "int n = 0; for (struct s *p = s; p != NULL; p = p->next) n++; s->next = NULL; return n;", "s->next = NULL; return 1;", "struct s w = {1, 2, 0}, v = {4, 5, &w}; f(&v);"},
	{"value of a pointer", "result == old(s) && old(s) != NULL", "struct s *f(struct s *s)", "struct s *r = s; s = s->next; return r;", "s = s->next; return s;", "struct s w = {1, 2, 0}, v = {4, 5, &w}; f(&v);"},
}

const swap = "for (int i = 0; i < n / 2; i++) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }"

func oldProgram(t *testing.T, post, head, body, call string) string {
	pre := "1"
	switch {
	case strings.Contains(head, "int n"):
		pre = "n > 0"
	case strings.Contains(head, "struct s *s"):
		pre = "s != NULL"
	}
	return writeFile(t, "p.c", fmt.Sprintf("#include <stddef.h>\nstruct s { int x, y; struct s *next; };\nstruct s g;\nint t[3], k;\n/* post: %s\n   pre: %s */\n%s\n{\n    %s\n}\nint main(void)\n{\n    %s\n    return 0;\n}\n", post, pre, head, body, call))
}

// TestOld: on the machine, every way of writing the value on entry means that value.
func TestOld(t *testing.T) {
	for _, x := range olds {
		if code, o, e := gulo(t, "", "run", "--contracts", oldProgram(t, x.post, x.head, x.right, x.call)); code != 0 {
			t.Errorf("%s: the right one ends with %d\n%s%s", x.name, code, o, e)
		}
		if code, o, e := gulo(t, "", "run", "--contracts", oldProgram(t, x.post, x.head, x.wrong, x.call)); code != 1 || !strings.Contains(o+e, "old(") {
			t.Errorf("%s: the wrong one ends with %d\n%s%s", x.name, code, o, e)
		}
	}
}

// TestOldEngines: neither evidence nor logic calls the wrong functions right or the right ones wrong; an engine that
// cannot express a contract refuses it.
func TestOldEngines(t *testing.T) {
	said, asked := 0, 0
	for i, x := range olds {
		if testing.Short() && i%3 != 0 {
			continue
		}
		asked++
		for _, method := range []string{"evidence", "template"} {
			args := func(body string) []string {
				return []string{"fix", "--method", method, "--contracts", "--limit", "150ms", oldProgram(t, x.post, x.head, body, x.call)}
			}
			code, o, e := gulo(t, "", args(x.right)...)
			if strings.Contains(o, "--- a/") || code == 70 || code == 1 && strings.Contains(o, "fails") {
				t.Errorf("%s: %s changes the right one: %d\n%s%s", x.name, method, code, o, e)
			}
			code, o, e = gulo(t, "", args(x.wrong)...)
			if strings.Contains(o, "nothing to repair") || code == 70 {
				t.Errorf("%s: %s finds nothing in the wrong one: %d\n%s%s", x.name, method, code, o, e)
			}
			if code != 2 {
				said++
			} else {
				t.Logf("%s: %s: %s", x.name, method, strings.TrimSpace(o+e))
			}
		}
	}
	if said < asked {
		t.Errorf("only %d answers", said)
	}
}

// TestOldRefused: an old(...) without a meaning is refused, with its place.
func TestOldRefused(t *testing.T) {
	for post, want := range map[string]string{
		"old(g) == 1":                      "name a member",
		"permutation(old(a), 0, n)":        "leave old(...) away",
		"(n > 0 ? old(a) : a)[0] == 1":     "? : are integers",
		"old(a)[0] == 1 && old(b)[0] == 1": `no variable "b"`,
	} {
		code, o, e := gulo(t, "", "run", "--contracts", oldProgram(t, post, "void f(int *a, int n)", "a[0] = 1;", "int a[] = {1}; f(a, 1);"))
		if code != 2 || !strings.Contains(o+e, want) || !strings.Contains(o+e, "p.c:5:") {
			t.Errorf("%s: %d %s%s", post, code, o, e)
		}
	}
}
