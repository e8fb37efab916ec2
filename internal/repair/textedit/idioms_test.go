package textedit_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/native/nativetest"
	"gulo/internal/repair/schema"
)

// TestIdioms puts a mistake into small programs and corrects it: the repair does what the
// program did on inputs that were not given.
func TestIdioms(t *testing.T) {
	repairs(t, []mistake{
		{"integers divided", "int main(int c, char **v)\n{\n    int a = atoi(v[1]), b = atoi(v[2]);\n    double d = b ? (double) a / b : 0;\n    printf(\"%.2f\\n\", d);\n    return 0;\n}\n",
			"(double) a / b", "a / b", "4 2|7 2|1 3|5 0", "9 4|2 8"},
		{"addresses of strings", "int main(int c, char **v)\n{\n    puts(strcmp(v[1], v[2]) == 0 ? \"same\" : \"other\");\n    return 0;\n}\n",
			"strcmp(v[1], v[2]) == 0", "v[1] == v[2]", "a a|a b", "xy xy|xy x"},
		{"and and or", "int main(int c, char **v)\n{\n    int y = atoi(v[1]);\n    printf(\"%d\\n\", y % 4 == 0 && (y % 100 != 0 || y % 400 == 0));\n    return 0;\n}\n",
			"y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)", "y % 4 == 0 || (y % 100 != 0 && y % 400 == 0)", "1900|2000|1999|2004|2100", "1600|1800|1996"},
		{"values lost", "int main(int c, char **v)\n{\n    int a = atoi(v[1]), b = atoi(v[2]);\n    if (a > b) {\n        int t = a;\n        a = b;\n        b = t;\n    }\n    printf(\"%d %d\\n\", a, b);\n    return 0;\n}\n",
			"        int t = a;\n        a = b;\n        b = t;\n", "        a = b;\n        b = a;\n", "1 2|2 1|9 -3", "5 4|4 4"},
		{"before the end", "int main(int c, char **v)\n{\n    char *e = v[1] + strlen(v[1]);\n    while (e > v[1] && *(e - 1) == '.')\n        e--;\n    *e = 0;\n    puts(v[1]);\n    return 0;\n}\n",
			"*(e - 1)", "*e", "a..|b|..", "a.b..|x."},
		{"one array of two", "static int a[4], b[4];\nstatic void reset(void)\n{\n    for (int i = 0; i < 4; i++) {\n        a[i] = 1;\n        b[i] = -1;\n    }\n}\nstatic int ask(int k)\n{\n    for (int i = 0; i < 4; i++)\n        b[i] = -1;\n    b[k] = a[k];\n    a[k]++;\n    return b[0] + 10 * b[1] + 100 * b[2] + 1000 * b[3];\n}\nint main(int c, char **v)\n{\n    reset();\n    for (int i = 1; i < c; i++)\n        printf(\"%d\\n\", ask(atoi(v[i])));\n    return 0;\n}\n",
			"    for (int i = 0; i < 4; i++)\n        b[i] = -1;\n    b[k]", "    b[k]", "0|1 2|3 3 1", "2 0 1|1 1"},
		{"another array", "static int older[4], newer[4];\nint main(int c, char **v)\n{\n    int n = atoi(v[1]);\n    older[n] = n + 1;\n    newer[n] = 7 - n;\n    printf(\"%d\\n\", newer[n]);\n    return 0;\n}\n",
			"newer[n])", "older[n])", "0|1|2", "3"},
		{"a remainder", "int main(int c, char **v)\n{\n    int sum = atoi(v[1]);\n    printf(\"%d\\n\", (10 - sum % 10) % 10);\n    return 0;\n}\n",
			"(10 - sum % 10) % 10", "10 - sum % 10", "0|20|14|7|9|1", "30|11"},
		{"rows for columns", "#define ROWS 3\n#define COLUMNS 5\nenum edge { OPEN, WALL = 4 };\nint main(int c, char **v)\n{\n    int x = atoi(v[1]), y = atoi(v[2]);\n    printf(\"%d\\n\", (y + ROWS) % ROWS * 10 + (x + COLUMNS) % COLUMNS + (x > 2 ? WALL : OPEN));\n    return 0;\n}\n",
			"(x + COLUMNS) % COLUMNS", "(x + COLUMNS) % ROWS", "0 0|4 1|3 2|1 2", "2 1|3 0|-1 -1"},
		{"an array whose size a macro has", "#define N n\nint main(int c, char **v)\n{\n    int n = atoi(v[1]), i;\n    int row[N][N];\n    for (i = 0; i < n; i++)\n        row[i][i] = i + 1;\n    printf(\"%d\\n\", row[n - 1][n - 1]);\n    return 0;\n}\n",
			"i + 1", "i", "1|2|5", "3|4"},
		{"bits", "int main(int c, char **v)\n{\n    unsigned m = (unsigned) atoi(v[1]), s = (unsigned) atoi(v[2]);\n    printf(\"%u\\n\", m & ~(7u << s));\n    return 0;\n}\n",
			"~(7u << s)", "~7u << s", "255 0|255 3|4095 6", "511 1|77 2"},
	})
}

// TestFreed takes a node out of a list as people do: it is freed.
func TestFreed(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>
struct term { int n, k; struct term *next; };
static struct term *all;
static void add(int k, int n)
{
    struct term **p = &all;
    while (*p && (*p)->k < k)
        p = &(*p)->next;
    if (*p && (*p)->k == k) {
        (*p)->n += n;
        return;
    }
    struct term *t = malloc(sizeof *t);
    t->k = k;
    t->n = n;
    t->next = *p;
    *p = t;
}
int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2)
        add(atoi(argv[i]), atoi(argv[i + 1]));
    for (struct term *t = all; t; t = t->next)
        printf("%d*%d ", t->n, t->k);
    puts("");
    return 0;
}
`
	given := []native.Test{
		{Args: strings.Fields("1 2 3 4"), Stdout: "2*1 4*3 \n"}, {Args: strings.Fields("1 2 1 -2 3 1"), Stdout: "1*3 \n"},
		{Args: strings.Fields("1 2 1 3"), Stdout: "5*1 \n"}, {Args: strings.Fields("2 1 2 -1 2 4"), Stdout: "4*2 \n"},
	}
	p, path := nativetest.Load(t, text)
	r, err := schema.Solve(context.Background(), &schema.Problem{Tree: p, Funcs: []*cfront.Func{p.Func("add")}, Tests: given, Limit: 3 * time.Minute, Single: true})
	if err != nil || len(r.Repairs) == 0 {
		t.Fatalf("no repair of %d edits: %v", r.Edits, err)
	}
	if best := r.Repairs[0].Texts[path]; !strings.Contains(best, "free(") {
		t.Errorf("nothing is freed:\n%s", best)
	}
}

// TestAsNeighbours prefers what is done to the same variable elsewhere in the function.
func TestAsNeighbours(t *testing.T) {
	p, path := nativetest.Load(t, `#include <stdio.h>
int main(int argc, char **argv)
{
    unsigned b = 0;
    for (char *s = argv[1]; *s; s++) {
        if (*s == 'r') b = 4;
        if (*s == 'w') b |= 2;
        if (*s == 'x') b |= 1;
    }
    printf("%u\n", b);
    return 0;
}
`)
	var given []native.Test
	for _, x := range [][2]string{{"r", "4\n"}, {"wr", "6\n"}, {"xr", "5\n"}, {"wx", "3\n"}} {
		given = append(given, native.Test{Args: x[:1], Stdout: x[1]})
	}
	r, err := schema.Solve(context.Background(), &schema.Problem{Tree: p, Funcs: []*cfront.Func{p.Func("main")}, Tests: given, Limit: 3 * time.Minute, Single: true})
	if err != nil || len(r.Repairs) == 0 {
		t.Fatalf("no repair: %v", err)
	}
	if best := r.Repairs[0].Texts[path]; !strings.Contains(best, "b |= 4") {
		t.Errorf("%s", best)
	}
}
