package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/batch"
	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// A table of children, which no shape of lists or trees is, and a command language.
const words = `#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *kids[26];
    int ends;
};

static struct node *fresh(void) { return calloc(1, sizeof(struct node)); }

static void add(struct node *t, const char *s)
{
    for (; *s; s++) {
        if (t->kids[*s - 'a'] == NULL)
            t->kids[*s - 'a'] = fresh();
        t = t->kids[*s - 'a'];
    }
    t->ends++;
}

static int count(const struct node *t, const char *s)
{
    while (*s) {
        t = t->kids[*s++ - 'a'];
        if (t == NULL)
            return 0;
    }
    return t->ends;
}

static void drop(struct node *t)
{
    for (int i = 0; i < 26; i++)
        if (t->kids[i] != NULL)
            drop(t->kids[i]);
    free(t);
}

int main(int argc, char **argv)
{
    struct node *t = fresh();
    for (int i = 1; i < argc; i++) {
        const char *w = argv[i] + (argv[i][0] == '?');
        for (const char *p = w; *p; p++)
            if (*p < 'a' || *p > 'z')
                return 2;
        if (argv[i][0] == '?')
            printf("%s %d\n", w, count(t, w));
        else
            add(t, w);
    }
    drop(t);
    return 0;
}
`

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFix repairs what cases of states cannot: the run in hand and those made up from it
// decide, and what is shown was run with the sanitizers.
func TestFix(t *testing.T) {
	dir := t.TempDir()
	right := write(t, dir, "right.c", words)
	for _, x := range []struct{ name, old, new, args string }{
		{"a null check", "        if (t == NULL)\n            return 0;\n", "", "ab ?ac ?ab"},
		{"a step", "t->kids[*s++ - 'a']", "t->kids[*s - 'a'];\n        s += t != NULL ? t->ends + 1 : 1", "ab abc ?abc ?ab"},
		{"a leak", "            drop(t->kids[i]);\n    free(t);", "            drop(t->kids[i]);", "ab ?ab"},
	} {
		text := strings.Replace(words, x.old, x.new, 1)
		if text == words {
			t.Fatal(x.name)
		}
		wrong := write(t, dir, "wrong.c", text)
		req := func() *batch.Request {
			return &batch.Request{Files: []string{wrong}, Reference: []string{right}, Args: strings.Fields(x.args), Repairs: 1}
		}
		a, err := Fix(context.Background(), &Request{Runs: req(), States: req(), Limit: 30 * time.Second})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if x.name == "a leak" { // nothing that is printed shows it
			if a.Report.Result == batch.Right {
				t.Errorf("%s: %s", x.name, a.Report.Result)
			}
			continue
		}
		if a.Report.Result != batch.Repaired {
			t.Errorf("%s: %s: %s", x.name, a.Report.Result, a.Report.Cause)
			continue
		}
		if ev := a.Report.Repairs[0].Evidence; ev.Guarded == 0 || !ev.Compiled || ev.HeldMet != ev.Held || ev.Held < 20 {
			t.Errorf("%s: %+v", x.name, ev)
		}
	}
}

// TestNothing says why there is no answer when no engine takes a request.
func TestNothing(t *testing.T) {
	dir := t.TempDir()
	right := write(t, dir, "right.c", "struct s; int f(struct s *p) { return p != 0; }\n")
	wrong := write(t, dir, "wrong.c", "struct s; int f(struct s *p) { return p == 0; }\n")
	req := func() *batch.Request { return &batch.Request{Files: []string{wrong}, Reference: []string{right}} }
	a, err := Fix(context.Background(), &Request{Runs: req(), States: req(), Limit: 5 * time.Second})
	if err == nil && a.Report.Met() {
		t.Errorf("%s", a.Report.Result)
	}
}
