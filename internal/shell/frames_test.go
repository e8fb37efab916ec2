package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const framesProgram = `#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *head, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    return n;
}
static double half(int v)
{
    int head = v;
    return head / 2.0;
}
int main(int argc, char **argv)
{
    struct node *list = NULL;
    int v;
    while (scanf("%d", &v) == 1)
        list = push(list, v);
    double h = half(7);
    printf("%d %s %.1f\n", argc, argc > 1 ? argv[1] : "-", h);
    return list == NULL;
}
`

// TestFrames: callers are selected, and their variables typed; finish says what was returned; start takes arguments
// and input, and keeps what is asserted. Both engines say the same.
func TestFrames(t *testing.T) {
	input := filepath.Join(t.TempDir(), "in put.txt")
	if err := os.WriteFile(input, []byte("4 5 6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := `break push if head != 0
break half
start "one two" < '` + input + `'
continue
where full
print v
up
print list
print v
up
down
continue
finish
step
next 2
finish
continue
start -- < nowhere
start > out
start < '` + input + `'
continue
print v
spec
next 3
spec
start x < '` + input + `'
where extra
`
	wants := []string{
		"#0 push at ", "\n     head n1   v 5\n", "\n     argc 2   list n1   v 5\n",
		"v = 5\n#1 main at ", "list = n1\nv = 5\nerror: main is the outermost function\n#0 push at",
		"argv { ", ", \"one two\" }",
		"push returned n3\n", "half returned 3.5\n", "2 one two 3.5\n",
		"error: open nowhere: no such file or directory",
		"error: start takes arguments and < FILE",
		"the asserted state still counts\n", ", \"x\" }\nerror: where [full]",
	}
	var outs []string
	file := write(t, framesProgram)
	for _, engine := range engines {
		s := newSession(t, engine, nil, file)
		out := run(t, s, script)
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", engine, want, out)
			}
		}
		outs = append(outs, out)
		s.Close()
	}
	if outs[0] != outs[1] {
		t.Errorf("machine\n%s\ngdb\n%s", outs[0], outs[1])
	}
}
