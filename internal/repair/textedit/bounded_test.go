package textedit

import (
	"slices"
	"strings"
	"testing"

	"gulo/internal/native/nativetest"
)

// altsOf returns all edits of a function as the whole statement or expression they make, with single blanks.
func altsOf(t *testing.T, program, name string) (alts []string) {
	t.Helper()
	tree, _ := nativetest.Load(t, program)
	sp := New(Config{Tree: tree})
	sp.Function(tree.Func(name))
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			alts = append(alts, strings.Join(strings.Fields(e.Alt), " "))
		}
	}
	for _, e := range sp.Moves {
		alts = append(alts, strings.Join(strings.Fields(e.With.Alt), " "))
	}
	return alts
}

// TestBounded: conditions get the ends of what they look into, and loops those of what they fill.
func TestBounded(t *testing.T) {
	const program = `#include <stdio.h>
#include <string.h>
#define MOST 8
static int list[MOST];
static void strip(char *s)
{
	char *e = s + strlen(s) - 1;
	while (*e == ' ')
		*e-- = '\0';
}
static int trimmed(const char *s, int n)
{
	while (s[n - 1] == ' ')
		n--;
	return n;
}
static int first(int x)
{
	int i = 0;
	while (list[i] != x)
		i++;
	return i;
}
static int fill(void)
{
	int n = 0, x;
	while (scanf("%d", &x) == 1)
		list[n++] = x;
	return n;
}
int main(void) { char s[] = "a "; strip(s); return trimmed(s, 2) + first(0) + fill(); }
`
	for _, c := range []struct{ in, want string }{
		{"strip", "(e >= s) && (*e == ' ')"}, {"strip", "(e > s) && (*e == ' ')"},
		{"trimmed", "(n > 0) && (s[n - 1] == ' ')"},
		{"first", "(i < MOST) && (list[i] != x)"}, {"first", "(i >= 0) && (list[i] != x)"},
		{"fill", `(n < MOST) && (scanf("%d", &x) == 1)`},
	} {
		if got := altsOf(t, program, c.in); !slices.Contains(got, c.want) {
			t.Errorf("%s: no %q", c.in, c.want)
		}
	}
}

// TestAround: a loop may ask behind its body, a statement may become one in which it stands, a block is freed before its
// pointer is overwritten in a branch without braces, or behind a step that leaves it, what is returned or stepped to is
// read before it is freed, and where nothing stands before, the walk's beginning is set.
func TestAround(t *testing.T) {
	const program = `#include <stdlib.h>
#include <string.h>
struct node { struct node *prev, *next; };
struct list { struct node *first, *last; };
static int digits(int n)
{
	int k = 0;
	while (n != 0) {
		k++;
		n /= 10;
	}
	return k;
}
static int skipped(int n)
{
	while (n > 0) {
		n--;
		if (n == 5)
			continue;
	}
	return n;
}
static void unlink(struct list *l, struct node *t)
{
	t->prev->next = t->next;
	if (t->next)
		t->next->prev = t->prev;
	else
		l->last = t->prev;
	free(t);
}
static char *quoted(const char *w)
{
	char *q = strdup(w);
	if (strchr(w, '-'))
		q = strdup("-");
	return q;
}
static struct node *behind(struct node *t)
{
	free(t);
	return t->next;
}
static void without(struct list *l, struct node *n)
{
	struct node *t;
	for (t = l->first; t != NULL; t = t->next) {
		if (t == n)
			continue;
		l->first = t->next;
		free (t);
	}
}
static void drop(struct list *l)
{
	l->first = l->first->next;
}
struct room { int *list; size_t room; };
static int grow(struct room *r, size_t n)
{
	int *list = realloc(r->list, n * sizeof *list);
	if (list == NULL)
		return 0;
	r->list = list;
	r->room = n;
	return 1;
}
static int again(struct room *r, size_t n)
{
	int *list;
	list = realloc(r->list, sizeof *list * n);
	r->list = list;
	r->room = n;
	return 1;
}
static struct node *rows[4];
static void clear(int r, struct node *n)
{
	struct node *before = NULL, *t = rows[r];
	while (t != n) {
		before = t;
		t = t->next;
	}
	if (before)
		before->next = t->next;
	free(t);
	t = before->next;
}
int main(void)
{
	struct list l = {0};
	char *q = quoted("a");
	free(q);
	unlink(&l, behind(NULL));
	without(&l, NULL);
	drop(&l);
	clear(0, NULL);
	struct room r = {0};
	grow(&r, 1);
	again(&r, 2);
	return digits(1) + skipped(9);
}
`
	for _, c := range []struct{ in, want string }{
		{"digits", "do { k++; n /= 10; } while (n != 0);"},
		{"skipped", "do { n--; if (n == 5) continue; } while (n > 0);"},
		{"unlink", "if (t->prev) t->prev->next = t->next; else l->first = t->next;"},
		{"quoted", `{ free(q); q = strdup("-"); }`},
		{"behind", "{ struct node *tmp = t->next; free(t); return tmp; }"},
		{"without", "{ struct node *tmp; for (t = l->first; t != NULL; t = tmp) { tmp = t->next; { if (t == n) continue; l->first = t->next; free (t); } } }"},
		{"grow", "for (unsigned long tmp = r->room; tmp < n; tmp++) list[tmp] = 0; r->room = n;"},
		{"again", "for (unsigned long tmp = r->room; tmp < n; tmp++) list[tmp] = 0; r->room = n;"},
		{"clear", "before ? before->next : NULL"},
		{"drop", "{ struct node *tmp = l->first; l->first = l->first->next; free(tmp); }"},
		{"clear", "if (before) before->next = t->next; else { rows[r] = t->next; }"},
	} {
		if got := altsOf(t, program, c.in); !slices.Contains(got, c.want) {
			t.Errorf("%s: no %q", c.in, c.want)
		}
	}
}
