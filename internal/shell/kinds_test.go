package shell_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file has sessions about memory that is neither a plain variable nor a node: the arguments of the program,
// tagged pointers, and unions.

const kindsProgram = `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
union word { int n; char text[8]; };
struct node { int value; struct node *next; };
static const char *const names[] = {"zero", "one", "two"};
static int letters(const char *s)
{
    int n = 1;
    for (; *s; s++)
        if (*s >= 'a')
            n++;
    return n;
}
static void mark(struct node *n)
{
    n->next = (struct node *)((uintptr_t)n->next & 1);
}
static void set(union word *w, int digit)
{
    w->text[0] = names[digit][1];
    w->text[1] = '\0';
}
int main(int argc, char **argv)
{
    union word w = {0};
    struct node *y = malloc(sizeof *y), *x = malloc(sizeof *x);
    x->value = 1;
    x->next = y;
    y->value = argc;
    y->next = NULL;
    int a = letters(argv[1]);
    mark(x);
    set(&w, 2);
    printf("%d %s %d\n", a, w.text, y->value);
    return 0;
}
`

// TestKinds draws such memory on both engines: apart from unions they print the same.
func TestKinds(t *testing.T) {
	for _, tt := range []struct{ script, picture, want string }{
		{"break letters\nstart\ncontinue\nfinish\nchange a 3\nspec\nrepair", `argv { "`, "n = 1  =>  n = 0"},
		{"break letters\nstart\ncontinue\nprint s\nprint s[1]", ` s "tea"`, "s[1] = 'e'"},
		{"break mark\nstart\ncontinue\nprint offsetof(union word, text[3])\nprint (struct node *)((char *)&main.x->next - offsetof(struct node, next))", "text[3]) = 3", "next)) = n2"},
		{"break mark\nstart\nprint offsetof(struct node, nex)\nprint offsetof(struct node next)", `no member "nex" that has an address`, "offsetof takes a type and a member"},
		{"break mark\nstart\ncontinue\nfinish\nchange n2->next n1+1\nspec\nrepair", "next →n1+1*", "n->next | 1)"},
		{"break set\nstart\ncontinue\nfinish\nchange w.text \"t\"\nspec\nrepair", `text "t"*`, "names[digit][0]"},
	} {
		var outs []string
		path := write(t, kindsProgram)
		for _, engine := range engines {
			out := run(t, newSession(t, engine, []string{"tea", "two"}, path), tt.script)
			for _, want := range []string{tt.picture, tt.want} {
				if !strings.Contains(out, want) {
					t.Errorf("%s: no %q in:\n%s", engine, want, out)
				}
			}
			outs = append(outs, out)
		}
		if d := cmp.Diff(besideUnions(outs[0]), besideUnions(outs[1])); d != "" {
			t.Errorf("-machine +gdb\n%s", d)
		}
	}
}

// unionShown matches what a picture shows of a union, with the member that is known to be in use or with all of them,
// and the lines of boxes, whose width depends on it.
var unionShown = regexp.MustCompile(`w(\.\w+ (\d+\*?|"[^"]*"\*?)| \{[^}]*\})|(?m)^ *[│┌└].*$`)

// besideUnions returns the output of a session without what is in unions: the machine knows for every store which
// member it writes, gdb only for the statements that were executed one by one. Line breaks, which may differ, are
// left out, too.
func besideUnions(out string) string {
	return strings.Join(strings.Fields(unionShown.ReplaceAllString(out, "")), " ")
}

// TestListed: the page about the sessions names every archive.
func TestListed(t *testing.T) {
	page, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.txtar", "threads/*.txtar", "terminal/*.txtar", "forks/*.txtar"} {
		paths, err := filepath.Glob("testdata/" + pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal("no sessions", err)
		}
		for _, p := range paths {
			name, _ := filepath.Rel("testdata", strings.TrimSuffix(p, ".txtar"))
			if !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("testdata/README.md does not name %s", name)
			}
		}
	}
}

const taggedProgram = `#include <stdlib.h>
struct item { enum { NUMBER, TEXT } tag; union { int n; const char *s; char raw[8]; } as; };
static void name(struct item *it, const char *s)
{
    it->tag = NUMBER;
    it->as.s = s;
}
static void count(struct item *it, int n)
{
    it->tag = NUMBER;
    it->as.s = NULL;
    it->as.n = n;
}
int main(void)
{
    struct item *it = calloc(1, sizeof *it);
    count(it, 7);
    name(it, "late");
    return it->tag;
}
`

// TestBesidePointers: in a union that holds a pointer, the numbers are parts of its address and are not shown; the
// tag is drawn, and repaired.
func TestBesidePointers(t *testing.T) {
	var outs []string
	path := write(t, taggedProgram)
	for _, engine := range engines {
		out := run(t, newSession(t, engine, nil, path), "break name\nstart\ncontinue\nprint it->as\nfinish\nprint it->as\nchange it->tag TEXT\nspec\nrepair")
		for _, want := range []string{"{n = 7, s = ", `it->as = {n = ?, s = "late", raw = ?}`, "it->tag = NUMBER  =>  it->tag = TEXT"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", engine, want, out)
			}
		}
		outs = append(outs, out)
	}
	if d := cmp.Diff(besideUnions(outs[0]), besideUnions(outs[1])); d != "" {
		t.Errorf("-machine +gdb\n%s", d)
	}
}
