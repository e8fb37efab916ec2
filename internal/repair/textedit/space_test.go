package textedit

import (
	"fmt"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/native/nativetest"
	"gulo/internal/source"
)

// TestIntegersStay keeps what printf is given an integer, whatever constants the program has.
func TestIntegersStay(t *testing.T) {
	p, _ := nativetest.Load(t, "#include <stdio.h>\nint main(int argc, char **argv)\n{\n    double x = argc * 2.5;\n    printf(\"%d %.1f\\n\", argc + 1, x < 0.5 ? 0.0 : x);\n    return 0;\n}\n")
	sp := New(Config{Tree: p})
	sp.Function(p.Func("main"))
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			old := st.Text()
			if st.Kind == Value && old == "1" && strings.Contains(e.Alt, ".") {
				t.Errorf("%s for %s", e.Alt, old)
			}
		}
	}
}

// TestZero: a variable may stand for a zero, as where an inner loop begins.
func TestZero(t *testing.T) {
	p, _ := nativetest.Load(t, `int f(int *a, int n, int from)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
int main(void) { int a[3] = {1, 2, 3}; return f(a, 3, 1); }
`)
	sp := New(Config{Tree: p})
	sp.Function(p.Func("f"))
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			if string(st.File.Text[st.Start:st.End]) == "0" && strings.HasSuffix(string(st.File.Text[:st.Start]), "int i = ") && e.Alt == "from" {
				return
			}
		}
	}
	t.Error("no variable stands where the loop begins")
}

// TestWindows: in a file whose lines end with a carriage return all lines do after an edit, too.
func TestWindows(t *testing.T) {
	p, _ := nativetest.Load(t, strings.ReplaceAll(`#include <stdio.h>
int main(int argc, char **argv)
{
    int n = 0, last = 0;
    for (int i = 0; i < argc; i++) {
        last = i;
        n += i;
    }
    if (n > 3)
        puts("more");
    printf("%d %d\n", n, last);
    return 0;
}
`, "\n", "\r\n"))
	sp := New(Config{Tree: p})
	sp.Function(p.Func("main"))
	lines := 0
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			texts, ok := Apply(e)
			if !ok {
				t.Fatal(e.What)
			}
			for _, x := range texts {
				if strings.Count(x, "\n") != strings.Count(x, "\r\n") || strings.Contains(x, "\r\r") {
					t.Fatalf("%s: %q", e.What, x)
				}
				if strings.Count(x, "\n") > p.Func("main").Range.File.Lines()-1 {
					lines++
				}
			}
		}
	}
	if lines == 0 {
		t.Error("no edit adds a line")
	}
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

// TestAsStored compares what is then stored: a part gives way to the whole that it is part of elsewhere.
func TestAsStored(t *testing.T) {
	p, _ := nativetest.Load(t, `int w[9], d[9];
int far(int u, int v)
{
    if (w[v] < d[v])
        d[v] = d[u] + w[v];
    return w[u] * u;
}
int main(void) { return far(1, 2); }
`)
	sp := New(Config{Tree: p})
	sp.Function(p.Func("far"))
	costs := map[string]int{}
	for _, st := range sp.Sites {
		old := string(st.File.Text[st.Start:st.End])
		for _, e := range st.Edits {
			costs[fmt.Sprintf("%d %s => %s", st.File.Position(st.Start).Line, old, e.Alt)] = e.Cost
		}
	}
	if _, ok := costs["4 w[v] => d[u] + w[v]"]; !ok {
		t.Error("the condition is not as it is stored then")
	}
	if _, ok := costs["6 w[u] => w[u] * u"]; ok {
		t.Error("a part of its own whole")
	}
	if c := costs["4 w[v] => w[u] * u"]; c != 0 {
		t.Error("another part's whole")
	}
}

// TestTurnedUnsigned: a loop over an unsigned counter runs the other way without going below 0; and the
// link of a new first node is what the list began with, computed by a call.
func TestTurnedUnsigned(t *testing.T) {
	f := source.NewFile("prog.c", []byte(`typedef unsigned long size_t;
struct entry { struct entry *next; };
struct entry *table[4];
unsigned hash(const char *s);
char data[9];
static void shift(size_t at, size_t n)
{
    for (size_t i = at; i < n; i++)
        data[i + 1] = data[i];
}
static void add(struct entry *e, const char *word)
{
    e->next = (void *)0;
    table[hash(word)] = e;
}
int main(void)
{
    struct entry e;
    shift(1, 3);
    add(&e, "a");
    return 0;
}
`))
	tree, err := cfront.Parse([]*source.File{f}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Tree: tree})
	for _, fn := range tree.Funcs {
		s.Function(fn)
	}
	want := map[string]bool{"for (size_t i = n; i-- > at; ) data[i + 1] = data[i];": true, "e->next = table[hash(word)];": true}
	for _, st := range s.Sites {
		for _, e := range st.Edits {
			delete(want, strings.Join(strings.Fields(e.Alt), " "))
		}
	}
	for w := range want {
		t.Errorf("no edit gives %s", w)
	}
}

// TestAsksNumber: what kind of character a counter is nobody asks.
func TestAsksNumber(t *testing.T) {
	p, _ := nativetest.Load(t, `#include <stdio.h>
#include <ctype.h>
int main(void)
{
    int c, prev = ' ', words = 0;
    while ((c = getchar()) != EOF) {
        if (!isspace(c) && isspace(prev))
            words++;
    }
    printf("%d\n", words);
    return 0;
}
`)
	main := p.Func("main")
	sp := New(Config{Tree: p})
	sp.Function(main)
	seen := false
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			if strings.Contains(e.Alt, "isspace(words)") {
				t.Errorf("%s for %s", e.Alt, st.Text())
			}
			seen = seen || strings.Contains(e.Alt, "isspace(c)") || strings.Contains(e.Alt, "isspace(prev)")
		}
	}
	if !seen {
		t.Error("nothing asks about characters")
	}
}

func TestCollapsed(t *testing.T) {
	for text, want := range map[string]string{
		"if (a)     b();":           "if (a) b();",
		"if (a)\tb(\"x  y\");":      `if (a) b("x  y");`,
		`p("  \"  ",  ' ',  '\'');`: `p("  \"  ", ' ', '\'');`,
		"a  ":                       "a",
		"plain":                     "plain",
	} {
		if got := collapsed(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// TestHalves takes half of an edit for an edit by itself where it is one, too: to delete a statement.
func TestHalves(t *testing.T) {
	p, _ := nativetest.Load(t, `#include <stdlib.h>
struct cell { int size; struct cell *next; };
void join(struct cell *s)
{
	while (s != NULL) {
		struct cell *n = s->next;
		if (n != NULL && n->size == 0) {
			s->size += n->size;
			free(n);
			s->next = n->next;
		} else {
			s = n;
		}
	}
}
int main(void) { return 0; }
`)
	sp := New(Config{Tree: p})
	sp.Function(p.Func("join"))
	deleted := false
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			if e.Cost < HalfCost && len(e.Changes) == 0 {
				t.Errorf("%s => %s changes nothing", st.Text(), e.Alt)
			}
			deleted = deleted || strings.HasPrefix(st.Text(), "s->next = n->next") && e.Alt == "" && e.Cost < HalfCost
		}
	}
	for _, e := range sp.Moves {
		if len(e.Changes) == 0 {
			t.Errorf("%s: %s => %s changes nothing", e.What, e.Site.Text(), e.With.Alt)
		}
	}
	if !deleted {
		t.Error("the last statement is not deleted by itself")
	}
}

// TestOtherSign lists a minus before what is passed, stored and returned, and none before truth values and
// what has no sign.
func TestOtherSign(t *testing.T) {
	p, _ := nativetest.Load(t, `struct term { int coef; unsigned exp; struct term *next; };
static long sum;
static void add(int coef, unsigned exp) { sum += coef * (int)exp; }
static int found(const struct term *t) { return t != 0; }
static long f(const struct term *t, double x)
{
	int seen = found(t);
	add(t->coef, t->exp);
	if (seen)
		sum = t->coef;
	x = -x;
	return x > 1 ? sum : -sum;
}
int main(void) { return f(0, 1) > 0; }
`)
	sp := New(Config{Tree: p})
	sp.Function(p.Func("f"))
	got := map[string]bool{}
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			if e.What == "the other sign" || e.What == "without the minus" {
				got[st.Text()+" => "+e.Alt] = true
			}
		}
	}
	for _, want := range []string{"t->coef => -t->coef", "-x => x"} {
		if !got[want] {
			t.Errorf("no %s in %v", want, got)
		}
	}
	for e := range got {
		if strings.Contains(e, "exp") || strings.Contains(e, "seen") || strings.Contains(e, "found") {
			t.Errorf("%s: what has no sign, or is a truth value", e)
		}
	}
}

// TestSigned: a number with a minus is one constant, whose neighbours are listed; nobody adds or subtracts a negative one.
func TestSigned(t *testing.T) {
	p, _ := nativetest.Load(t, "int f(int *a, int n)\n{\n    for (int i = -1; i < n; i++)\n        a[i] = *(a + n - 5);\n    return n;\n}\nint main(void) { return 0; }\n")
	s := New(Config{Tree: p})
	s.Function(p.Func("f"))
	alts := map[string]map[string]int{}
	for _, st := range s.Sites {
		for _, e := range st.Edits {
			if e.What == AnotherConstant {
				was := string(st.File.Text[st.Start:st.End])
				if alts[was] == nil {
					alts[was] = map[string]int{}
				}
				alts[was][e.Alt] = e.Cost
			}
		}
	}
	if c := alts["-1"]; c["0"] != costStep || c["-2"] != costStep || c["1"] == 0 {
		t.Errorf("in place of -1: %v", c)
	}
	if c := alts["1"]; c != nil {
		t.Errorf("in place of the number behind a minus: %v", c)
	}
	if c := alts["5"]; c["4"] != costStep || c["-1"] != 0 || c["-5"] != 0 {
		t.Errorf("in place of 5: %v", c)
	}
}
