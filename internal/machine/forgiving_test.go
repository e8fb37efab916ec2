package machine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/lower"
	"gulo/internal/machine"
)

const forgiven = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int unset(int n)
{
	int room, more[2];
	if (n > 3)
		room = 0;
	if (n == 2)
		more[5] = 1;
	return n == 2 ? more[5] : room;
}

static int behind[3];
static int next = 5;
struct node { int v; struct node *next; };

int main(int argc, char **argv)
{
	char *p = malloc(4), *q = p;
	int local[3], other = 7, i, sum = 0;

	(void)argc;
	strcpy(p, "abc");
	switch (argv[1][0]) {
	case 'd': free(p); break;
	case 'o': strcpy(p, "0123456789"); printf("%s %zu\n", p, strlen(p)); break;
	case 'w': free(p); strcpy(p, "xyz"); printf("%s\n", p); break;
	case 'm': for (i = 0; i < 50; i++) p[i] = 'a' + i % 26; p[50] = 0; p = realloc(p, 20); q = NULL; printf("%s\n", p); break;
	case 's': for (i = 0; i < 9; i++) local[i] = i; for (i = 0; i < 9; i++) sum += local[i]; printf("%d %d\n", sum, other); break;
	case 'g': for (i = 0; i < 9; i++) behind[i] = i; for (i = 0; i < 9; i++) sum += behind[i]; printf("%d %d\n", sum, next); break;
	case 'b': q[-3] = 'x'; printf("%c%d\n", q[-3], q[-2]); break;
	case 'u': printf("%d\n", p[4] + local[0]); break;
	case 'c': unset(2); printf("%d\n", unset(1)); break;
	case 'f': free(p + 1); free(&other); q = NULL; printf("on\n"); break;
	case 'n': q = NULL; printf("%c\n", *q); break;
	case 'l': {
		struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c;
		*a = (struct node){1, b}, *b = (struct node){2, NULL};
		for (c = a; c; c = c->next) { sum += c->v; free(c); }
		printf("%d\n", sum);
	}
	}
	free(p);
	free(q);
	return 0;
}
`

// TestForgiving: errors of memory do no harm, but a null pointer is one.
func TestForgiving(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(forgiven), 0o600); err != nil {
		t.Fatal(err)
	}
	p := load(t, lower.Options{Memory: true}, file)
	debug := false
	run := func(name string, fill byte, forgiving bool) (string, *machine.Fault) {
		var out bytes.Buffer
		m, err := machine.New(p, machine.Config{Args: []string{name}, Stdout: &out, Forgiving: forgiving, Fill: fill, MaxSteps: 1e6, Debug: debug, Overlays: debug})
		if err != nil {
			t.Fatal(err)
		}
		f := m.RunUntil(nil)
		m.FlushOutput()
		return out.String(), f
	}
	for name, want := range map[string]string{
		"d": "", "o": "0123456789 10\n", "w": "xyz\n", "m": "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwx\n", "s": "36 7\n", "g": "36 5\n",
		"b": "x0\n", "u": "0\n", "c": "0\n", "f": "on\n", "l": "3\n",
	} {
		if _, f := run(name, 0, false); f == nil {
			t.Errorf("%s: no error where errors are not forgiven", name)
		}
		for _, debug = range []bool{false, true} { // other code is run where statements can be stopped at
			if got, f := run(name, 0, true); got != want || f != nil {
				t.Errorf("%s, debug %v: %q, %v, want %q", name, debug, got, f, want)
			}
		}
	}
	for _, name := range []string{"u", "c"} {
		if got, f := run(name, 0xa5, true); f != nil || got == "0\n" || !strings.HasSuffix(got, "\n") {
			t.Errorf("%s, what was never written: %q, %v", name, got, f)
		}
	}
	if _, f := run("n", 0, true); f == nil || f.Kind != machine.NullDeref {
		t.Errorf("a null pointer: %v", f)
	}
}
