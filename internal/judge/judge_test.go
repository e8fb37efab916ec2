package judge

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

const lists = `#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
int seen, limits[3] = {1, 2, 3};
static struct node *keep(struct node *h, int least)
{
    struct node **p = &h;
    while (*p != NULL) {
        struct node *n = *p;
        seen++;
        if (n->v < least) {
            *p = n->next;
            free(n);
        } else {
            p = &n->next;
        }
    }
    return h;
}
int count(struct node *h, int least)
{
    int n = 0;
    for (h = keep(h, least); h != NULL; h = h->next)
        n += h->v > limits[1];
    printf("kept %d\n", n);
    return n + seen % 2;
}
int main(void)
{
    struct node *h = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = calloc(1, sizeof *n);
        n->v = i;
        n->next = h;
        h = n;
    }
    return count(h, 2);
}
`

// made loads a program, and makes the judge of its repairs and cases of calls of entry.
func made(t *testing.T, text, entry string) (string, *Calls, []*oracle.Case) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := p.Tree.Func(entry)
	im, err := oracle.Entered(context.Background(), p, f, oracle.Start{})
	if err != nil || im == nil {
		t.Fatal("main does not come to the entry", err)
	}
	states, why := oracle.Inputs(im, f, 30, 1)
	if why != "" {
		t.Fatal(why)
	}
	s, _, err := (&oracle.Reference{Prog: p, Entry: f}).Suite(p, states)
	if err != nil || len(s.Cases) < 10 {
		t.Fatal(len(s.Cases), err)
	}
	side := Side{Prog: p, Entry: f, Files: []string{file}}
	return file, &Calls{Own: side, Control: side}, s.Cases
}

// TestCalls makes calls natively, in states of lists and globals: behaviour that C leaves undefined ends them, and
// what they print and return counts.
func TestCalls(t *testing.T) {
	file, c, cases := made(t, lists, "count")
	for _, x := range []struct{ name, old, new, how string }{
		{"as it was", "", "", ""},
		{"memory after its end", "*p = n->next;\n            free(n);", "free(n);\n            *p = n->next;", "is stopped by a sanitizer"},
		{"behind an array", "limits[1]", "limits[least > 1 ? 3 + (h->v & 0) : 1]", "is stopped by a sanitizer"},
		{"another result", "return n + seen % 2", "return n + seen % 2 + 1", "returns "},
		{"other output", "kept %d", "%d kept", "prints "},
		{"null", "n += h->v", "n += h->next->v > 9999; n += h->v", "is stopped by a sanitizer"},
	} {
		text := strings.Replace(lists, x.old, x.new, 1)
		if x.old != "" && text == lists {
			t.Fatal(x.name)
		}
		n, err := c.Try(context.Background(), map[string]string{file: text}, cases)
		if err != nil || n.Missing != "" {
			t.Fatal(x.name, err, n)
		}
		if x.how == "" {
			if n.Bad != nil || n.Met != len(cases) {
				t.Errorf("%s: %d of %d, %s", x.name, n.Met, len(cases), n.How)
			}
			continue
		}
		if n.Bad == nil || !strings.HasPrefix(n.How, x.how) {
			t.Errorf("%s: %+v, want %q", x.name, n, x.how)
		}
	}
	n, err := c.Try(context.Background(), map[string]string{file: strings.Replace(lists, "int n = 0;", "int n = ;", 1)}, cases)
	if err != nil || n.Bad != nil || !strings.Contains(n.Missing, "cannot be compiled") {
		t.Errorf("%+v %v", n, err)
	}
}

// TestControl: a case on which the machine and gcc do not agree about the given program refutes nothing.
func TestControl(t *testing.T) {
	text := strings.Replace(lists, "int n = 0;", "int n = sizeof(void *) == 8 ? 0 : 1; if (__builtin_constant_p(n)) n = 0;\n#ifdef __SANITIZE_ADDRESS__\n    n = 100;\n#endif\n", 1)
	file, c, cases := made(t, text, "count")
	n, err := c.Try(context.Background(), map[string]string{file: text}, cases)
	if err != nil || n.Bad != nil || n.Met != 0 {
		t.Errorf("%+v %v", n, err)
	}
}
