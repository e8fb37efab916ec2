package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// ring is a ring of numbers with two mistakes: the number of its elements is never set to zero, which no native run
// shows, and it advances by two.
const ring = `#include <stdio.h>
#include <stdlib.h>

struct ring { int *cell; int first, n, room; };

static struct ring *begin(int room)
{
    struct ring *r = malloc(sizeof *r);
    r->cell = malloc(room * sizeof(int));
    r->room = room;
    r->first = 0;
    return r;
}

static void put(struct ring *r, int x)
{
    r->cell[(r->first + r->n) % r->room] = x;
    r->n++;
}

static int take(struct ring *r)
{
    int x = r->cell[r->first];
    r->first = (r->first + 2) % r->room;
    r->n--;
    return x;
}

int main(void)
{
    struct ring *r = begin(8);
    int x;
    while (scanf("%d", &x) == 1)
        if (x > 0)
            put(r, x);
        else if (r->n > 0)
            printf("%d\n", take(r));
    printf("%d left\n", r->n);
    return 0;
}
`

// pile holds brackets, with two mistakes: a node is below itself, so that freed memory is read again, and an empty
// pile returns nothing. It frees nothing if brackets do not match, which no test is about.
const pile = `#include <stdio.h>
#include <stdlib.h>

struct node { char what; struct node *below; };
struct pile { struct node *top; };

static void put(struct pile *p, char what)
{
    struct node *n = malloc(sizeof *n);
    n->what = what;
    p->top = n;
    n->below = p->top;
}

static char look(struct pile *p)
{
    if (p->top != NULL)
        return p->top->what;
}

static void drop(struct pile *p)
{
    struct node *n = p->top;
    p->top = n->below;
    free(n);
}

static char closes(char what)
{
    return what == '(' ? ')' : what == '[' ? ']' : '}';
}

int main(void)
{
    struct pile p = { NULL };
    int c, good = 1;
    while (good && (c = getchar()) != EOF && c != '\n')
        if (c == '(' || c == '[' || c == '{')
            put(&p, closes(c));
        else if (look(&p) == c)
            drop(&p);
        else
            good = 0;
    puts(good && p.top == NULL ? "balanced" : "not balanced");
    return 0;
}
`

// names counts words, with two mistakes: the copy of a word has no room for its end, and each word is counted twice.
const names = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { char *name; int count; struct entry *next; };

static struct entry *first;

static char *kept(const char *s)
{
    char *t = malloc(strlen(s));
    strcpy(t, s);
    return t;
}

static struct entry *find(const char *name)
{
    for (struct entry *e = first; e != NULL; e = e->next)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

static void count(const char *name)
{
    struct entry *e = find(name);
    if (e == NULL) {
        e = malloc(sizeof *e);
        e->name = kept(name);
        e->count = 0;
        e->next = first;
        first = e;
    }
    e->count += 2;
}

int main(void)
{
    char word[20];
    int n = 0;
    while (scanf("%19s", word) == 1) {
        count(word);
        n++;
    }
    for (struct entry *e = first; e != NULL; e = e->next)
        printf("%s %d\n", e->name, e->count);
    printf("%d in all\n", n);
    return 0;
}
`

// TestTwoSteps: from tests alone, an error of memory and another mistake are repaired, each by the intended edit.
func TestTwoSteps(t *testing.T) {
	for i, x := range []struct {
		name, text string
		tests      [][2]string // standard input, what is printed
		repair     []string
	}{
		{"ring", ring, [][2]string{{"4 7 9 0 0", "4\n7\n1 left\n"}, {"5", "1 left\n"}, {"3 0 6 0 0 8 1 0", "3\n6\n8\n1 left\n"}},
			[]string{"+    r->n = 0;", "+    r->first = (r->first + 1) % r->room;"}},
		{"pile", pile, [][2]string{{"()", "balanced\n"}, {"([]{})", "balanced\n"}, {"(]", "not balanced\n"}, {")", "not balanced\n"}, {"((", "not balanced\n"}, {"[]", "balanced\n"}},
			[]string{"+    n->below = p->top;\n     p->top = n;", "+    return "}},
		{"names", names, [][2]string{{"to be or not to be", "not 1\nor 1\nbe 2\nto 2\n6 in all\n"}, {"", "0 in all\n"}, {"a a a", "a 3\n3 in all\n"}},
			[]string{"malloc(strlen(s) + 1)", "+    e->count"}},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tests := filepath.Join(dir, "tests")
			if err := os.Mkdir(tests, 0o755); err != nil {
				t.Fatal(err)
			}
			for i, c := range x.tests {
				write(t, tests, fmt.Sprintf("%d.in", i), c[0])
				write(t, tests, fmt.Sprintf("%d.out", i), c[1])
			}
			j := &job.Job{Files: []string{write(t, dir, x.name+".c", x.text)}, Spec: job.Spec{Tests: tests}, Limit: 3 * time.Minute}
			a, err := Fix(context.Background(), j)
			if err != nil {
				t.Fatal(err)
			}
			r := a.Report
			if r.Result != report.Repaired {
				t.Fatalf("%s %s %+v", r.Result, r.Cause, r.Repairs)
			}
			for _, want := range x.repair {
				if !strings.Contains(r.Repairs[0].Diff, want) {
					t.Errorf("no %q in\n%s", want, r.Repairs[0].Diff)
				}
			}
		})
	}
}
