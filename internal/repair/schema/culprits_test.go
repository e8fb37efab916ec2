package schema

import (
	"strings"
	"testing"

	"gulo/internal/source"
)

// TestMissingFunction: a call of what no file has fails when the program is linked, without a
// line. The edits that call it are taken out, and no other is lost.
func TestMissingFunction(t *testing.T) {
	calls, names := &Edit{alt: "s->key = key (s->low);"}, &Edit{alt: "s->key = monkey(s->low);"}
	for _, linker := range []string{
		"/tmp/x.o:1_a.c:function settle: error: undefined reference to 'key'\n",
		"/usr/bin/ld: /tmp/x.o: in function `settle':\na.c:(.text+0x12): undefined reference to `key'\n",
	} {
		if got := culprits(nil, linker, nil, []*Edit{nil, calls, names}); len(got) != 1 || got[0] != calls {
			t.Errorf("%d edits of %s", len(got), linker)
		}
	}
}

// TestUndeclared: gcc says once for a function that a name is unknown in it. All edits that
// name it where it is not visible are taken out, those of its own block are not, nor those of a
// member or a text.
func TestUndeclared(t *testing.T) {
	p, _ := tree(t, `struct s { int j; };
int f(struct s *x, int n)
{
    if (n > 1) {
        int j = 0;
        n = j + 1;
    }
    n = n + x->j;
    return n;
}
int main(void) { struct s x = {1}; return f(&x, 2); }
`)
	fn := p.Func("f")
	file := fn.Range.File
	at := func(text string) *site {
		i := strings.Index(string(file.Text), text)
		return &site{file: file, start: i, end: i + len(text)}
	}
	list := []*Edit{nil,
		{Func: fn, alt: "n = j;", site: at("n = n + x->j;")},
		{Func: fn, alt: "return j;", site: at("return n;")},
		{Func: fn, alt: "n = j + j;", site: at("n = j + 1;")},
		{Func: fn, alt: "n = n - x->j - x->j;", site: at("n = n + x->j;")},
		{Func: fn, alt: `puts("j");`, site: at("return n;")},
	}
	gcc := "1_t.c:8:5: error: ‘j’ undeclared (first use in this function)\n1_t.c:8:5: note: each undeclared identifier is reported only once\n"
	got := culprits(p, gcc, map[string]map[int]int{"t.c": {8: 1}}, list)
	if len(got) != 2 || got[0] != list[1] || got[1] != list[2] {
		t.Errorf("%d edits", len(got))
	}
}

// TestZero: a variable may stand for a zero, as where an inner loop begins.
func TestZero(t *testing.T) {
	p, _ := tree(t, `int f(int *a, int n, int from)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
int main(void) { int a[3] = {1, 2, 3}; return f(a, 3, 1); }
`)
	sp := newSpace(&Problem{Tree: p, Free: func(*source.File, int) bool { return true }})
	sp.function(p.Func("f"))
	for _, st := range sp.order {
		for _, e := range st.edits {
			if string(st.file.Text[st.start:st.end]) == "0" && strings.HasSuffix(string(st.file.Text[:st.start]), "int i = ") && e.alt == "from" {
				return
			}
		}
	}
	t.Error("no variable stands where the loop begins")
}

// TestExchange: a member, a function and a variable of one name are three things.
func TestExchange(t *testing.T) {
	text := "if (top(s->top) > top) s->top = top(top);"
	if got, want := (exchange{"top", "key", true}).in(text), "if (top(s->key) > top) s->key = top(top);"; got != want {
		t.Errorf("members: %s, want %s", got, want)
	}
	if got, want := (exchange{"top", "key", false}).in(text), "if (top(s->top) > key) s->top = top(key);"; got != want {
		t.Errorf("variables: %s, want %s", got, want)
	}
}
