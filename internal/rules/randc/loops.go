package randc

import (
	"fmt"
	"math/rand"
	"strings"
)

// Loops writes functions that walk through blocks in loops of all shapes. About half of them have an error: one element
// too far, an uninitialized element, or a block that is freed on the way. main calls the function that its argument
// selects.
func Loops(rnd *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("#include <stdlib.h>\n#include <string.h>\n")
	for i := range n {
		walk(&b, rnd, i)
	}
	chosen(&b, n, func() string { return fmt.Sprint(9 + rnd.Intn(30)) })
	return b.String()
}

// chosen writes a main that calls the function that its argument selects.
func chosen(b *strings.Builder, n int, given func() string) {
	b.WriteString("int main(int argc, char **argv)\n{\n    switch (atoi(argv[1])) {\n")
	for i := range n {
		fmt.Fprintf(b, "    case %d: return f%d(%s) & 1;\n", i, i, given())
	}
	b.WriteString("    }\n    return argc;\n}\n")
}

// heads are the heads of loops in which i goes through 0..n-1 or n-1..0, some in larger steps; n is at least 9.
var heads = []string{
	"for (int i = 0; i < n; i++)",
	"for (long i = 0; i != n; i++)",
	"for (unsigned i = 0; i < (unsigned)n; i++)",
	"for (size_t i = 0; i <= (size_t)n - 1; i++)",
	"for (unsigned char i = 0; i < n; i++)",
	"for (int i = n - 1; i >= 0; i--)",
	"for (unsigned i = n; i-- > 0;)",
	"for (long i = n - 1; i > -1; --i)",
	"for (int i = n; i--;)",
	"for (int i = 0; i < n; i += 2)",
	"for (short i = n - 1; i >= 0; i -= 3)",
	"for (int i = 0, m = n; m > 0; i++, m--)",
	"for (int i = 0; n > i; ++i)",
}

func walk(b *strings.Builder, rnd *rand.Rand, k int) {
	one := func(xs ...string) string { return xs[rnd.Intn(len(xs))] }
	t := one("int", "int", "char", "short", "long", "double", "unsigned")
	fmt.Fprintf(b, "static int f%d(int n)\n{\n    %s *a = malloc((n + 2) * sizeof *a), *b = calloc(n + %s, sizeof *b), *c = b;\n    int s = 0;\n", k, t, one("0", "0", "1", "2", "-1"))
	// Initialize a part of a.
	switch rnd.Intn(5) {
	case 0:
		b.WriteString("    memset(a, 1, n * sizeof *a);\n")
	case 1:
		fmt.Fprintf(b, "    for (int i = 0; i < n + 2; i++)\n        if (i != %d)\n            a[i] = i;\n", rnd.Intn(60))
	default:
		fmt.Fprintf(b, "    for (int i = 0; i < n%s; i++)\n        a[i] = i;\n", one("", "", " + 2", " + 3"))
	}
	index := func() string {
		return one("i", "i", "i", "i + 1", "i + 2", "n - 1 - i", "n - i", "i * 2 / 2", "(i & 7)", "i - 1 + 1")
	}
	for range 1 + rnd.Intn(3) {
		if rnd.Intn(4) == 0 {
			byPointer(b, rnd, t)
			continue
		}
		fmt.Fprintf(b, "    %s {\n", one(heads...))
		for kind := range 1 + rnd.Intn(2) {
			b.WriteString("        ")
			if rnd.Intn(5) == 0 {
				fmt.Fprintf(b, "if (%s)\n            ", one("i % 3", "s & 1", "i < 5", "s != 77"))
			}
			x, y := index(), index()
			// At most one use writes: natively, tests are inserted after optimization has removed a store that the next
			// one makes dead.
			switch 3*kind + rnd.Intn(9-3*kind) {
			case 0:
				fmt.Fprintf(b, "a[%s] = i;\n", x)
			case 1:
				fmt.Fprintf(b, "b[%s] = a[%s];\n", x, y)
			case 2:
				fmt.Fprintf(b, "b[%s] += a[%s] + 1;\n", x, y)
			case 3:
				fmt.Fprintf(b, "s += a[%s] > b[%s];\n", x, y)
			case 4:
				fmt.Fprintf(b, "if ((int)i == %d)\n            free(%s);\n", rnd.Intn(40), one("b", "c"))
			case 5:
				fmt.Fprintf(b, "if (s > %d)\n            break;\n", 50+rnd.Intn(500))
			default:
				fmt.Fprintf(b, "s += (int)%s[%s];\n", one("a", "b", "c"), x)
			}
		}
		b.WriteString("    }\n")
	}
	b.WriteString("    return s;\n}\n")
}

func byPointer(b *strings.Builder, rnd *rand.Rand, t string) {
	one := func(xs ...string) string { return xs[rnd.Intn(len(xs))] }
	x := one("a", "b")
	use := one("s += (int)*p;", "*p = s;", "s ^= *p > 0;")
	end := one("n", "n", "n + 1", "n + 2")
	switch rnd.Intn(4) {
	case 0:
		fmt.Fprintf(b, "    for (%s *p = %s, *e = %s + %s; p != e; p++)\n        %s\n", t, x, x, end, use)
	case 1:
		fmt.Fprintf(b, "    for (%s *p = %s, *e = %s + %s; p < e; p += 2)\n        %s\n", t, x, x, end, use)
	case 2:
		fmt.Fprintf(b, "    for (%s *p = %s + n - 1; p >= %s; p--)\n        %s\n", t, x, x, use)
	default:
		fmt.Fprintf(b, "    {\n        %s *p = %s;\n        int m = %s;\n        do {\n            %s\n            p++;\n        } while (--m);\n    }\n", t, x, end, use)
	}
}
