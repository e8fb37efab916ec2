package native

import (
	"context"
	"strings"
	"testing"
	"time"
)

// wrongs is a program that makes one error of memory or another.
const wrongs = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    char *p = malloc(4), *q = strdup("ab");
    strcpy(p, "abc");
    switch (argc > 1 ? argv[1][0] : 'n') {
    case 'd': free(q); break;
    case 'o': p[4] = 'x'; break;
    case 'w': free(p); p[1] = 'y'; p = malloc(4); strcpy(p, "abc"); break;
    case 'r': free(p); break;
    case 'l': q = NULL; break;
    case 'u': free(p); p = malloc(4); p[3] = 0; break;
    case 'm': free(p); p = malloc(2); strcpy(p, "abc"); p = realloc(p, 4); break;
    case 'g': p = realloc(p, 90); memset(p + 4, 'z', 86); break;
    }
    printf("%.3s\n", p);
    free(q);
    if (argc <= 1 || argv[1][0] != 'r')
        free(p);
    return 3;
}
`

// TestGuard: on a heap that guards, errors of memory end a run or change what it prints.
func TestGuard(t *testing.T) {
	p, err := Build(context.Background(), map[string]string{"a.c": wrongs}, Config{Heap: Guarding})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ses := &Session{}
	ses.Limit(10*time.Second, 0)
	names := strings.Split("n d o w r l u g m", " ")
	for _, n := range names {
		ses.Add(&Test{Args: []string{n}, Stdout: "abc\n", Exit: 3, Blocks: 1})
	}
	ses.Order([]int{0, 1, 2, 3, 4, 5, 6, 7, 8})
	ses.Profile(0, 0)
	for i := range names {
		ses.Print(i)
	}
	a, err := p.Run(context.Background(), ses, time.Minute)
	if err != nil || len(a.Profiled) != 1 || len(a.Printed) != len(names) {
		t.Fatalf("%v, %+v", err, a)
	}
	for i, n := range names {
		good := n == "n" || n == "g"
		o := a.Printed[i]
		if met := o.Status == 3 && o.Stdout == "abc\n"; met != good || a.Profiled[0].Met[i] != good {
			t.Errorf("%s: %d %q, met %v", n, o.Status, o.Stdout, a.Profiled[0].Met[i])
		}
	}
}

// TestAny: a test whose output is only known at its beginning is met by a run that ends by itself and begins so.
func TestAny(t *testing.T) {
	p, err := Build(context.Background(), map[string]string{"a.c": "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { printf(\"a %s\\n\", v[1]); if (c > 2) abort(); return 7; }\n"}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ses := &Session{}
	ses.Limit(10*time.Second, 0)
	for _, args := range [][]string{{"b"}, {"b", "c"}, {"d"}} {
		ses.Add(&Test{Args: args, Stdout: "a b", Any: true})
	}
	ses.Order([]int{0, 1, 2})
	ses.Profile(0, 0)
	a, err := p.Run(context.Background(), ses, time.Minute)
	if err != nil || len(a.Profiled) != 1 {
		t.Fatalf("%v, %+v", err, a)
	}
	if m := a.Profiled[0].Met; !m[0] || m[1] || m[2] {
		t.Errorf("met: %v", m)
	}
}
