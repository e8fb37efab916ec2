// Package randc writes random C programs that use memory, most of them wrongly. Tests use
// them to compare the engines of memory debuggers.
package randc

import (
	"fmt"
	"math/rand"
	"strings"
)

// Program writes functions that use memory at random, and a main that calls the function that its argument selects.
func Program(rnd *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString(`#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; int a[3]; };
static struct node *g[3], whole;
static int numbers[4];
static char text[6] = "abc";
static struct node *same(struct node *p) { return p; }
static int *leave(int n) { int local[2]; local[0] = n; local[1] = n; int *p = local; return p; }
`)
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, "static int f%d(void)\n{\n    struct node *p[3] = {NULL, NULL, NULL}, local;\n    int k = 0, *q = numbers, some[3];\n    char *s = text, buffer[4];\n    some[0] = 1;\n", i)
		for k := 5 + rnd.Intn(20); k > 0; k-- {
			statement(&b, rnd)
		}
		b.WriteString("    return k;\n}\n")
	}
	b.WriteString("int main(int argc, char **argv)\n{\n    switch (atoi(argv[1])) {\n")
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, "    case %d: return f%d() & 1;\n", i, i)
	}
	b.WriteString("    }\n    return argc;\n}\n")
	return b.String()
}

func statement(b *strings.Builder, rnd *rand.Rand) {
	one := func(xs ...string) string { return xs[rnd.Intn(len(xs))] }
	ptr := func() string { return one("p[0]", "p[1]", "p[2]", "g[0]", "g[1]", "g[2]") }
	index := func(most int) string {
		if rnd.Intn(8) == 0 {
			return one("-1", fmt.Sprint(most))
		}
		return fmt.Sprint(rnd.Intn(most))
	}
	safe := func(s, p string) string { // most dereferences are guarded
		if rnd.Intn(12) > 0 {
			return "if (" + p + " != NULL) " + s
		}
		return s
	}
	x, y := ptr(), ptr()
	b.WriteString("    ")
	switch rnd.Intn(28) {
	case 0, 1, 2:
		fmt.Fprintf(b, "%s = malloc(sizeof(struct node));", x)
	case 3, 4, 5:
		fmt.Fprintf(b, "%s = calloc(%d, sizeof(struct node));", x, 1+rnd.Intn(2))
	case 6:
		fmt.Fprintf(b, "free(%s);%s", x, one("", " "+x+" = NULL;"))
	case 7:
		fmt.Fprintf(b, "free(%s); %s = NULL;", x, x)
	case 8:
		b.WriteString(safe(fmt.Sprintf("%s->data = k;", x), x))
	case 9:
		b.WriteString(safe(fmt.Sprintf("k += %s->data;", x), x))
	case 10:
		b.WriteString(safe(fmt.Sprintf("%s->next = %s;", x, y), x))
	case 11:
		b.WriteString(safe(fmt.Sprintf("%s = %s->next;", y, x), x))
	case 12:
		b.WriteString(safe(fmt.Sprintf("%s->a[%s] = 1;", x, index(4)), x))
	case 13:
		fmt.Fprintf(b, "%s = same(%s);", x, y)
	case 14:
		b.WriteString(safe(fmt.Sprintf("%s = *%s;", one("local", "whole"), x), x))
	case 15:
		b.WriteString(safe(fmt.Sprintf("memcpy(%s, &%s, sizeof(struct node));", x, one("local", "whole")), x))
	case 16:
		fmt.Fprintf(b, "some[%s] = k; q = some + %s;", index(3), index(3))
	case 17:
		fmt.Fprintf(b, "numbers[%s] = k; q = numbers + %s;", index(4), index(4))
	case 18:
		fmt.Fprintf(b, "k += q[%s];", index(2))
	case 19:
		fmt.Fprintf(b, "q = leave(k);")
	case 20:
		fmt.Fprintf(b, "%s", safe(fmt.Sprintf("%s = realloc(%s, %d * sizeof(struct node));", x, x, 1+rnd.Intn(3)), x))
	case 21:
		fmt.Fprintf(b, "k += (int)strlen(s); strcpy(buffer, %s); s = %s;", one("\"ab\"", "\"ab\"", "\"abc\"", "\"abcd\""), one("buffer", "text", "s"))
	case 22:
		fmt.Fprintf(b, "memset(text, 'x', %s);", one("2", "3", "6", "7"))
	case 23:
		fmt.Fprintf(b, "free(%s);", one(x, y, x, y, "q", x+" + 1"))
	case 24:
		fmt.Fprintf(b, "for (int i = 0; i < %d; i++) k += some[i];", 1+rnd.Intn(4))
	case 25:
		b.WriteString(safe(fmt.Sprintf("k = %s[%d].data;", x, rnd.Intn(2)), x))
	case 26:
		fmt.Fprintf(b, "free(%s); free(%s); %s = NULL;", x, y, x)
	case 27:
		fmt.Fprintf(b, "local.data = 1; %s = &local;", x)
	}
	b.WriteByte('\n')
}
