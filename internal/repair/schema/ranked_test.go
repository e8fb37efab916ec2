package schema

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"gulo/internal/native"
	"gulo/internal/repair/textedit"
)

// crowded is a program of some thousand lines: a list with a mistake in it, among functions that no test executes.
func crowded(others int) string {
	var b strings.Builder
	b.WriteString(`#include <stdio.h>
#include <stdlib.h>

struct item {
    struct item *next, *prev;
    int n;
};

`)
	for i := range others {
		fmt.Fprintf(&b, `int other%d(struct item *a, struct item *b, int n)
{
    int s = 5;
    if (a == NULL || b == NULL)
        return n;
    if (a->n > b->n)
        s += a->n;
    else
        s -= b->n;
    while (a->next != NULL && s < n) {
        s += a->n * 2;
        a = a->next;
    }
    b->n = s;
    a->prev = b;
    return s + n;
}

`, i)
	}
	b.WriteString(`static void insert(struct item *at, struct item *x)
{
    x->next = at;
    x->prev = at->prev;
    at->prev->prev = x;
    at->prev = x;
}

int main(int argc, char **argv)
{
    struct item list = {&list, &list, 0};
    for (int i = 1; i < argc; i++) {
        struct item *x = malloc(sizeof *x);
        x->n = atoi(argv[i]);
        insert(&list, x);
    }
    for (struct item *p = list.next; p != &list; p = p->next)
        printf("%d\n", p->n);
    return 0;
}
`)
	return b.String()
}

// TestRanked repairs a function of a program of 3,000 lines. How many edits are listed before the first is tried does
// not depend on how long the program is, but on what the failing test executes.
func TestRanked(t *testing.T) {
	tests := []native.Test{
		{Args: []string{"1", "2", "3"}, Stdout: "1\n2\n3\n"},
		{Args: []string{"7"}, Stdout: "7\n"},
		{Stdout: ""},
	}
	first := map[int]int{}
	for _, others := range []int{90, 170} {
		text := crowded(others)
		if n := strings.Count(text, "\n"); others == 170 && n < 3_000 {
			t.Fatalf("the program has %d lines only", n)
		}
		p := load(t, []string{"c.c"}, map[string]string{"c.c": text})
		s := Prepare(context.Background(), &Problem{Tree: p, Funcs: p.Funcs, Tests: tests, Limit: time.Minute})
		s.Compile(context.Background(), nil)
		res, err := s.Solve(context.Background(), nil, false, s.until)
		tried := s.Tried()
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range res.Repairs {
			found = found || strings.Contains(r.Texts[p.Files[0].Name], "at->prev->next = x;")
		}
		if !found {
			t.Errorf("%d other functions: at->prev->next = x is not among %d repairs", others, len(res.Repairs))
		}
		first[others] = tried.Edits
		if tried.Edits == 0 || len(tried.Funcs) > 2 || tried.Left > 0 {
			t.Errorf("%d other functions: %d edits of %d functions were tried and %d functions left; failing tests execute two", others, tried.Edits, len(tried.Funcs), tried.Left)
		}
	}
	if first[90] != first[170] {
		t.Errorf("%d edits were tried among 90 other functions, %d among 170", first[90], first[170])
	}
}

// TestCheapSpace says that a space of cheap edits has all of them that the whole one has.
func TestCheapSpace(t *testing.T) {
	p := load(t, []string{"c.c"}, map[string]string{"c.c": crowded(3)})
	texts := func(cheap bool) (out map[string]bool, total int) {
		sp := textedit.New(textedit.Config{Tree: p, Cheap: cheap})
		out = map[string]bool{}
		for _, f := range p.Funcs {
			sp.Function(f)
		}
		for _, st := range sp.Sites {
			for _, e := range st.Edits {
				if e.Cost <= textedit.Cheapest {
					out[fmt.Sprint(st.Start, st.End, st.Kind, e.Alt)] = true
				}
			}
		}
		return out, sp.Total
	}
	all, n := texts(false)
	cheap, few := texts(true)
	for e := range all {
		if !cheap[e] {
			t.Errorf("%s is listed in the whole space only", e)
		}
	}
	if few*2 > n {
		t.Errorf("%d of %d edits are listed", few, n)
	}
}
