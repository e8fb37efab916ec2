package randc

import (
	"fmt"
	"math/rand"
	"strings"
)

// Copies writes functions that copy values between variables, members, elements and whole structs, through temporary
// variables, branches and loops. Some of the places were never written. Most functions end with a use of one value, of
// every kind of use. main calls the function that its argument selects.
func Copies(rnd *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString(`#include <stdlib.h>
#include <string.h>
struct all { char c; unsigned char b; short h; int i; unsigned u; long l; float f; double d; int *p; int a[3]; };
static struct all kept;
static int numbers[2];
static int take(long v) { return v > 3; }
static void leave(struct all *p) { kept.i = p != NULL; }
`)
	for i := range n {
		c := copies{b: &b, rnd: rnd}
		c.line("static int f%d(int n)\n{\n    struct all *p = malloc(sizeof *p), *q = malloc(sizeof *q), s, t;\n    int k = 0, i, j, a[4];\n    char c;\n    unsigned char b;\n    short h;\n    unsigned u;\n    long l;\n    float f;\n    double d;\n    int *r;", i)
		c.line("    a[0] = n;\n    j = n;\n    l = n;\n    p->i = n;\n    q->d = n;\n    s.l = n;\n    t.a[1] = n;")
		for range 3 + rnd.Intn(12) {
			c.statement()
		}
		if rnd.Intn(5) > 0 {
			c.use()
		}
		c.line("    free(p);\n    free(q);\n    return k > 5;\n}")
	}
	chosen(&b, n, func() string { return "argc" })
	return b.String()
}

type copies struct {
	b   *strings.Builder
	rnd *rand.Rand
}

func (c *copies) one(xs ...string) string { return xs[c.rnd.Intn(len(xs))] }

func (c *copies) line(format string, args ...any) { fmt.Fprintf(c.b, format+"\n", args...) }

// kinds are the types of values, with the members of struct all of that type. Adjacent types convert into each other by
// moving bits.
var kinds = [...]struct{ typ, name, value string }{
	{"char", "c", "1"}, {"unsigned char", "b", "2"}, {"short", "h", "3"}, {"int", "i", "4"}, {"unsigned", "u", "5"}, {"long", "l", "6"},
	{"float", "f", "7"}, {"double", "d", "8"}, {"int *", "p", "numbers"},
}

const (
	integers = 6 // the first kinds are integers
	intKind  = 3
)

// at returns an lvalue of a kind.
func (c *copies) at(kind int) string {
	name := kinds[kind].name
	if kind == intKind && c.rnd.Intn(3) == 0 {
		return c.one("a[0]", "a[1]", "a[n]", "a[n + 1]", "p->a[1]", "q->a[n]", "s.a[2]", "t.a[n]", "j")
	}
	variable := name
	if name == "p" {
		variable = "r"
	}
	return c.one("p->"+name, "q->"+name, "s."+name, "t."+name, variable, variable)
}

// to returns an lvalue to write to. Global variables are only written: natively their values count as initialized.
func (c *copies) to(kind int) string {
	if c.rnd.Intn(6) == 0 {
		return "kept." + kinds[kind].name
	}
	return c.at(kind)
}

func (c *copies) statement() {
	k := c.rnd.Intn(len(kinds))
	typ := kinds[k].typ
	x, y, z := c.at(k), c.at(k), c.at(k)
	switch c.rnd.Intn(20) {
	case 0, 1, 2, 3:
		c.line("    %s = %s;", c.to(k), kinds[k].value)
	case 4, 5, 6, 7:
		c.line("    %s = %s;", c.to(k), y)
	case 8:
		c.line("    {\n        %s old = %s;\n        %s = %s;\n        %s = old;\n    }", typ, x, x, y, y)
	case 9:
		c.line("    %s = n ? %s : %s;", c.to(k), y, z)
	case 10:
		c.line("    if (n)\n        %s = %s;", c.to(k), y)
	case 11:
		c.line("    %s = %s = %s;", x, y, z)
	case 12:
		c.line("    %s", c.one("*p = *q;", "*q = s;", "s = *p;", "t = s;", "s = t;", "kept = *q;"))
	case 13:
		c.line("    memcpy(%s, %s, sizeof *p);", c.one("p", "q", "&s"), "&t")
	case 14:
		c.line("    for (int m = 0; m < 2; m++)\n        %s = %s;", c.one("p->a[m]", "a[m + 1]", "s.a[m]"), c.one("q->a[m]", "a[m]", "t.a[m + 1]"))
	case 15:
		c.line("    %s = %s;", c.at(c.rnd.Intn(integers)), c.at(c.rnd.Intn(integers)))
	case 16:
		c.line("    leave(%s);", c.one("p", "&s"))
	case 17:
		c.line("    {\n        %s old = %s;\n        leave(&s);\n        %s = old;\n    }", typ, x, y)
	case 18:
		c.line("    {\n        %s old = %s;\n        if (n > 1)\n            old = %s;\n        %s = old;\n    }", typ, x, z, y)
	case 19:
		c.line("    p->i = n;\n    q->i = n;\n    s.i = n;")
	}
}

// use writes a use of a value.
func (c *copies) use() {
	k := c.rnd.Intn(len(kinds))
	x := c.at(k)
	if k < integers {
		switch c.rnd.Intn(6) {
		case 0:
			c.line("    k += take(%s);", x)
			return
		case 1:
			c.line("    k += numbers[%s & 1];", x)
			return
		case 2:
			c.line("    switch (%s) {\n    case 1:\n        k++;\n    }", x)
			return
		case 3:
			c.line("    k = %s * 2;", x)
			return
		}
	}
	if kinds[k].name == "p" && c.rnd.Intn(2) == 0 {
		c.line("    k = *%s;", x)
		return
	}
	c.line("    %s", c.one(
		fmt.Sprintf("if (%s)\n        k++;", x),
		fmt.Sprintf("if (%s == %s)\n        k++;", x, kinds[k].value),
		fmt.Sprintf("while (%s)\n        break;", x),
		fmt.Sprintf("k = !%s;", x),
		fmt.Sprintf("k = n && %s;", x),
	))
}
