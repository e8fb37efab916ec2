package textedit

import (
	"strings"
	"testing"

	"gulo/internal/native/nativetest"
)

// listed are the edits of a program, pruned as a search does it.
func listed(t *testing.T, text string) []*Edit {
	t.Helper()
	p, _ := nativetest.Load(t, text)
	sp := New(Config{Tree: p})
	for _, f := range p.Funcs {
		sp.Function(f)
	}
	sp.Prune(MostEdits)
	var out []*Edit
	for _, st := range sp.Sites {
		out = append(out, st.Edits...)
	}
	return out
}

// TestForgotten: what a function forgets about the objects that it names can be put in.
func TestForgotten(t *testing.T) {
	const program = `#include <stdio.h>
#include <stdlib.h>
#define HEAD 8
#define FREE 99

struct item { int n, rank; struct item *next; };
struct queue { struct item *head, *tail, *mark; int count; };
struct slot { unsigned char next; unsigned short wait; };
static struct slot slot[9];
static unsigned char first = FREE;

static int sum(int n), twice(int n);

static int half(int n) { return n > 1 ? sum(n / 2) : n; }
static int twice(int n) { return 2 * n; }
static int sum(int n)
{
    int s = 0;
    while (n > 0) {
        s += n;
        n--;
    }
    return s;
}
static void take(struct queue *q)
{
    struct item *x = q->head, *y = NULL;
    while (x != NULL && x->n > 0) {
        y = x;
        x = x->next;
    }
    if (x == NULL)
        return;
    if (y == NULL)
        q->head = x->next;
    else
        y->next = x->next;
    q->count--;
    free(x);
}
static int start(struct queue *q) { return q->head ? q->head->rank + HEAD : 0; }
static int end(struct queue *q) { return q->tail->n + q->tail->rank; }
static void wait(unsigned char id, unsigned short ticks)
{
    unsigned char *link = &first;
    while (*link != FREE && slot[*link].wait <= ticks) {
        ticks -= slot[*link].wait;
        link = &slot[*link].next;
    }
    slot[id].wait = ticks;
    slot[id].next = *link;
    if (*link != FREE)
        slot[*link].wait -= ticks;
    *link = id;
}
static void stop(unsigned char id)
{
    unsigned char *link = &first;
    while (*link != id)
        link = &slot[*link].next;
    *link = slot[id].next;
}
int main(void)
{
    static struct queue q;
    take(&q);
    wait(1, 2);
    stop(1);
    return start(&q) + end(&q) + half(2);
}
`
	var all []string
	for _, e := range listed(t, program) {
		all = append(all, e.Func.Name+": "+strings.Join(strings.Fields(e.Alt), " "))
	}
	for _, want := range []string{
		"take: if (x == q->tail) q->tail = y;",
		"take: if (q->mark == NULL) q->mark = q->tail;",
		"take: if (x == q->head) return;",
		"stop: if (*link != FREE) slot[*link].wait += slot[id].wait;",
		"start: q->head->rank",
		"half: twice(n / 2)",
		"sum: if (n > 0) { s += n; n--; }",
	} {
		if !containsLoosely(all, want) {
			t.Errorf("there is no edit %q", want)
		}
	}
}

// containsLoosely finds an edit; the sides of == may stand the other way round.
func containsLoosely(all []string, want string) bool {
	other := want
	if a, b, ok := strings.Cut(want, "if ("); ok {
		if l, r, ok := strings.Cut(b[:strings.Index(b, ")")], " == "); ok && r != "NULL" {
			other = a + "if (" + r + " == " + l + b[strings.Index(b, ")"):]
		}
	}
	for _, x := range all {
		if x == want || x == other {
			return true
		}
	}
	return false
}

// TestWider: numbers at file scope get the next larger type; not those that are constant, large
// enough, pointed to or never computed.
func TestWider(t *testing.T) {
	p, _ := nativetest.Load(t, `#include <stdint.h>
static uint8_t  credit, seen;
static unsigned char level = 3;
static const uint8_t most = 9;
static uint32_t sum;
static uint16_t at;
static uint16_t *where = &at;
static short never;
static void add(uint8_t n) { credit += n; level = level + n; sum += n; at++; }
int main(void) { add(most); return *where + never + credit + seen; }
`)
	var got []string
	for _, e := range Retyped(Config{Tree: p}, p.Funcs, Retype{Small: true}) {
		if e.Func == nil {
			t.Error("no function for", e.Changes[0].Text)
		}
		got = append(got, e.Changes[0].File.Line(e.Line())+" -> "+e.Changes[0].Text)
	}
	if want := []string{"static uint8_t  credit, seen; -> uint16_t", "static unsigned char level = 3; -> unsigned"}; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
}

// TestEnumerations: no number is made of one of an enumeration.
func TestEnumerations(t *testing.T) {
	p, _ := nativetest.Load(t, "enum kind { NUMBER, PAIR };\nstruct value { enum kind kind; int n; };\nint weight(struct value *v)\n{\n    enum kind k = v->kind;\n    if (k == PAIR)\n        return v->n / 60;\n    return v->n;\n}\nint main(void) { struct value v = {PAIR, 120}; return weight(&v); }\n")
	s := New(Config{Tree: p})
	for _, f := range p.Funcs {
		s.Function(f)
	}
	numbers := 0
	for _, st := range s.Sites {
		for _, e := range st.Edits {
			if e.What != "combined with a constant" {
				continue
			}
			if numbers++; strings.Contains(e.Alt, "k ") || strings.Contains(e.Alt, "kind ") {
				t.Errorf("%s", e.Alt)
			}
		}
	}
	if numbers == 0 {
		t.Error("nothing is combined with 60")
	}
}
