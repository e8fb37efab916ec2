package check

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFigure6 asks the rules of Figure 6, about leaks and a collector, on both
// engines. A block's first word has its mark in the lowest bit.
func TestFigure6(t *testing.T) {
	const collector = `#include <stdlib.h>
struct cell { long alive; struct cell *next; };
static struct cell *all;
static struct cell *make(struct cell *list) { struct cell *c = malloc(sizeof *c); c->alive = 1; c->next = list; return c; }
static int gc(void)
{
    struct cell **at = &all;
    int n = 0;
    while (*at != NULL) {
        struct cell *c = *at;
        if (c->alive != KEEP) { *at = c->next; free(c); n++; }
        else at = &c->next;
    }
    return n;
}
int main(void)
{
    for (int i = 0; i < 4; i++)
        all = make(all);
    all->alive = 0;
    all->next->next->alive = 0;
    int n = gc();
    while (all != NULL) { struct cell *c = all; all = all->next; free(c); }
    return n != 2;
}
`
	const serving = `#include <stdlib.h>
static int *session, *kept;
static void serve(int n)
{
    int *scratch = malloc(sizeof(int));
    *scratch = n;
    if (n == 2)
        kept = malloc(sizeof(int));
    free(scratch);
}
int main(void)
{
    session = malloc(8);
    for (int i = 0; i < LAST; i++)
        serve(i);
    FREE
    return 0;
}
`
	define := strings.NewReplacer
	for _, x := range []struct {
		name, text string
		rules      []string
		ts, want   string
	}{
		{"collector", define("KEEP", "1").Replace(collector), []string{"figure6"}, "serve", ""},
		{"collector that keeps the dead", define("c->alive != KEEP", "c->alive != 1 && n == 0").Replace(collector), []string{"figure6"}, "serve", "gc_bug"},
		{"nothing leaks", define("LAST", "2", "FREE", "free(session);").Replace(serving), []string{"leaks"}, "serve", ""},
		{"possible leak", define("LAST", "2", "FREE", "").Replace(serving), []string{"leaks"}, "serve", "possible_leak"},
		{"leak in a transaction", define("LAST", "3", "FREE", "free(session); free(kept);").Replace(serving), []string{"leaks"}, "serve", "leak_in_ts"},
		{"lost", define("LAST", "3", "FREE", "free(session); kept = NULL;").Replace(serving), nil, "", "definite_leak"},
	} {
		file := filepath.Join(t.TempDir(), "p.c")
		text := x.text
		if x.ts != "" && !strings.Contains(text, "serve") {
			text += "void serve(void) { }\n"
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, engine := range engines(t) {
			t.Run(x.name+"/"+engine, func(t *testing.T) {
				var out bytes.Buffer
				rep, err := Run(context.Background(), &Request{Files: []string{file}, Native: engine == "native", Rules: x.rules, Function: x.ts, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if len(rep.Findings) > 0 {
					got = rep.Findings[0].Rule
				}
				if got != x.want {
					t.Errorf("%q fires, want %q; %s %s", got, x.want, rep.Stopped, out.String())
				}
			})
		}
	}
}
