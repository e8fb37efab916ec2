package logic

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/smt"
)

// ticket is a program whose fee is what tests change.
const ticket = `#include <stdio.h>
#include <stdlib.h>
#define LIMIT 65
int sold;
int fee(int age)
{
    if (age >= LIMIT)
        return 200;
    return 300;
}
int price(int age, int count)
{
    sold = sold + count;
    if (age < 0)
        return 0;
    return fee(age) * 2;
}
int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    printf("%d\n", price(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
`

// ticketWith returns ticket with some text in place of another.
func ticketWith(t *testing.T, subs ...string) *lower.Program {
	text := ticket
	for i := 0; i < len(subs); i += 2 {
		if strings.Count(text, subs[i]) != 1 {
			t.Fatalf("%q is not there once", subs[i])
		}
		text = strings.Replace(text, subs[i], subs[i+1], 1)
	}
	p, _ := lowertest.Load(t, text)
	return p
}

func TestCompare(t *testing.T) {
	if !smt.Available() {
		t.Skip("no z3")
	}
	for _, x := range []struct {
		name  string
		subs  []string
		proof string // begins so; empty: nothing may be proved
		entry string // that differs; empty: none is known
	}{
		{"the same tree", []string{"fee(int age)\n{\n    if (age >= LIMIT)", "fee(int years)\n{\n\n    if (years >= 65)"}, "proved for all inputs", ""},
		{"other text", []string{"age >= LIMIT", "!(age < LIMIT)"}, "proved: fee does what", ""},
		{"another macro", []string{"LIMIT 65", "LIMIT 66"}, "", "price"},
		{"what the caller never passes", []string{"    if (age >= LIMIT)", "    if (age < -5)\n        return 7;\n    if (age >= LIMIT)"}, "proved: price does what", ""},
		{"one number", []string{"age >= LIMIT", "age >= LIMIT && age != 77"}, "", "price"},
		{"a variable that is left", []string{"sold = sold + count;", "sold = sold + count + (age == 12345);"}, "", "price"},
		{"a variable that begins otherwise", []string{"int sold;", "int sold = 1;"}, "", ""},
		{"main", []string{"argc != 3", "argc < 3"}, "", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			ref, p := ticketWith(t), ticketWith(t, x.subs...)
			c := NewComparer(&job.Job{Files: []string{"a.c"}}, ref)
			defer c.Close()
			e, err := c.Compare(context.Background(), p, time.Now().Add(time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Proof(); x.proof == "" && got != "" || !strings.HasPrefix(got, x.proof) {
				t.Errorf("proof %q", got)
			}
			entry := ""
			if f := e.Entry(); f != nil {
				entry = f.Name
			}
			if entry != x.entry {
				t.Errorf("differs: %q", entry)
			}
		})
	}
}

// TestDiffering asks for numbers with which a function differs when some are given.
func TestDiffering(t *testing.T) {
	if !smt.Available() {
		t.Skip("no z3")
	}
	ctx := context.Background()
	c := NewComparer(&job.Job{Files: []string{"a.c"}}, ticketWith(t))
	defer c.Close()
	e, err := c.Compare(ctx, ticketWith(t, "age >= LIMIT", "age >= LIMIT && age != 77"), time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.Differing(ctx, map[string]int64{"sold": 0, "count": 3})
	if err != nil || m["age"] != 77 || m["count"] != 3 {
		t.Errorf("%v %v", m, err)
	}
	if m, err = e.Differing(ctx, map[string]int64{"age": 5}); m != nil || err != nil {
		t.Errorf("at 5 they do not differ: %v %v", m, err)
	}
	// What is left in a variable differs nearly always, what is returned at 77 alone.
	e, err = c.Compare(ctx, ticketWith(t, "sold = sold + count;", "sold = count;", "age >= LIMIT", "age >= LIMIT && age != 77"), time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if m, err = e.Differing(ctx, nil); err != nil || m["age"] != 77 {
		t.Errorf("%v %v", m, err)
	}
	if m, err = e.Differing(ctx, map[string]int64{"age": 5}); err != nil || m == nil {
		t.Errorf("at 5 the variable differs: %v %v", m, err)
	}
	if _, err := c.Compare(ctx, ticketWith(t), time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if m, err = e.Differing(ctx, nil); m != nil || err != nil {
		t.Errorf("the solver knows another program: %v %v", m, err)
	}
}

// TestNotTheSame: programs whose functions have the same text and mean something else, for what
// stands outside of them, on an input that no run of a test comes to. Nothing may be proved of them.
func TestNotTheSame(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>
%TOP%
int main(int argc, char **argv)
{
    int a = argc > 1 ? atoi(argv[1]) : 0, b = 0;
    if ((unsigned)a * 2654435761u == 12345u) {
        %USE%
    }
    printf("%d\n", b);
    return 0;
}
`
	for _, x := range []struct{ name, one, other, use string }{
		{"a static variable", "static int lim = 3;", "static int lim = 4;", "b = lim;"},
		{"a string", `static const char *msg = "x";`, `static const char *msg = "y";`, "b = msg[0];"},
		{"a macro", "#define LIM 3", "#define LIM 4", "b = LIM;"},
		{"an enumerator", "enum { LIM = 3 };", "enum { LIM = 4 };", "b = LIM;"},
		{"a typedef", "typedef int num;", "typedef unsigned num;", "b = (num)-1 < 0;"},
		{"a table of functions", "static int f(int x) { return x; } static int g(int x) { return -x; } static int (*t[])(int) = {f, g};",
			"static int f(int x) { return x; } static int g(int x) { return -x; } static int (*t[])(int) = {g, f};", "b = t[0](a);"},
		{"a packed struct", "struct s { char c; int i; };", "struct __attribute__((packed)) s { char c; int i; };", "b = sizeof(struct s);"},
		{"a bit-field", "struct s { int i : 5; };", "struct s { int i : 6; };", "struct s q; q.i = 31; b = q.i;"},
		{"the length of an array", "static char buf[8];", "static char buf[9];", "b = sizeof buf;"},
		{"the order of members", "struct s { int x, y; };", "struct s { int y, x; };", "union { struct s s; int k[2]; } u = {.k = {1, 2}}; b = u.s.x;"},
		{"alignment", "struct s { char c; };", "struct s { char c __attribute__((aligned(8))); };", "b = sizeof(struct s);"},
		{"a constructor", "static int g;", "static int g; __attribute__((constructor)) static void set(void) { g = 5; }", "b = g;"},
		{"a destructor", "static int g;", `static int g; __attribute__((destructor)) static void say(void) { if (g) puts("end"); }`, "g = 1;"},
		{"a static variable of a function", "static int f(void) { static int n = 1; return n++; }", "static int f(void) { static int n = 2; return n++; }", "b = f();"},
		{"a constant of another type", "static double d = 0.1;", "static double d = 0.1f;", "b = d == 0.1;"},
		{"a name that is another function's", "static int f(int x) { return x; } static int g(int x) { return -x; }\n#define h f", "static int f(int x) { return x; } static int g(int x) { return -x; }\n#define h g", "b = h(a);"},
	} {
		t.Run(x.name, func(t *testing.T) {
			load := func(top string) *lower.Program {
				p, _ := lowertest.Load(t, strings.NewReplacer("%TOP%", top, "%USE%", x.use).Replace(text))
				return p
			}
			for _, top := range []string{x.one, x.other} {
				c := NewComparer(&job.Job{Files: []string{"a.c"}}, load(x.one))
				defer c.Close()
				e, err := c.Compare(context.Background(), load(top), time.Now().Add(time.Minute))
				if err != nil {
					t.Fatal(err)
				}
				if got := e.Proof(); (got == same) != (top == x.one) {
					t.Errorf("%s beside %s: proof %q", top, x.one, got)
				}
				if got := e.Proof(); top != x.one && got != "" {
					t.Errorf("%s beside %s: proof %q", top, x.one, got)
				}
			}
		})
	}
}
