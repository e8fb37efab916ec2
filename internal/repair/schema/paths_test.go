package schema

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/native"
)

// listed are the edits of a program, pruned as a search does it.
func listed(t *testing.T, text string) []*Edit {
	t.Helper()
	p, _ := tree(t, text)
	sp := newSpace(&Problem{Tree: p})
	for _, f := range p.Funcs {
		sp.function(f)
	}
	sp.prune(mostEdits)
	var out []*Edit
	for _, st := range sp.order {
		out = append(out, st.edits...)
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
		all = append(all, e.Func.Name+": "+strings.Join(strings.Fields(e.alt), " "))
	}
	for _, want := range []string{
		"take: if (x == q->tail) q->tail = y;",
		"take: if (q->mark == NULL) q->mark = q->tail;",
		"take: if (x == q->head) return;",
		"stop: if (*link != FREE) slot[*link].wait += slot[id].wait;",
		"start: q->head->rank",
		"end: HEAD + q->tail->n",
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

// TestCover: what failing tests do not execute is known, and where they go and others do not.
func TestCover(t *testing.T) {
	const program = `#include <stdio.h>
#include <stdlib.h>
static int rest(int a, int b)
{
    if (b == 0)
        return -1;
    if (a < 0) {
        a = -a + 1;
    }
    return a % b;
}
int main(int argc, char **argv)
{
    (void)argc;
    printf("%d\n", rest(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
`
	p, _ := tree(t, program)
	pr := &Problem{Tree: p, Funcs: p.Funcs, Limit: time.Minute, Tests: []native.Test{
		{Args: []string{"5", "3"}, Stdout: "2\n"}, {Args: []string{"-5", "3"}, Stdout: "2\n"}, {Args: []string{"7", "4"}, Stdout: "3\n"},
	}}
	s := &Search{p: pr, until: time.Now().Add(time.Minute), res: &Result{}}
	h, err := s.measure(context.Background())
	if err != nil || h.cover == nil {
		t.Fatal(h, err)
	}
	at := func(text string) *site {
		k := strings.Index(program, text)
		return &site{kind: statement, file: p.Files[0], start: k, end: k + len(text), fn: p.Func("rest")}
	}
	for _, c := range []struct {
		text string
		idle bool
		away int
	}{{"return -1;", true, idleCost}, {"a = -a + 1;", false, 0}, {"-a", false, 0}, {"return a % b;", false, 1}} {
		if st := at(c.text); h.cover.idle(st) != c.idle || h.away(st) != c.away {
			t.Errorf("%s: idle %v, away %d", c.text, h.cover.idle(st), h.away(st))
		}
	}
	k := strings.Index(program, "a = -a + 1;") + len("a = -a + 1;")
	behind := &site{kind: gap, file: p.Files[0], start: k, end: k, fn: p.Func("rest")}
	if h.away(behind) != 0 {
		t.Errorf("behind the statement that only the failing test executes: away %d", h.away(behind))
	}
}

// TestWider: numbers at file scope get the next larger type; not those that are constant, large
// enough, pointed to or never computed.
func TestWider(t *testing.T) {
	p, _ := tree(t, `#include <stdint.h>
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
	for _, e := range Retyped(&Problem{Tree: p, Funcs: p.Funcs}, Retype{Small: true}) {
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
	p, _ := tree(t, "enum kind { NUMBER, PAIR };\nstruct value { enum kind kind; int n; };\nint weight(struct value *v)\n{\n    enum kind k = v->kind;\n    if (k == PAIR)\n        return v->n / 60;\n    return v->n;\n}\nint main(void) { struct value v = {PAIR, 120}; return weight(&v); }\n")
	s := newSpace(&Problem{Tree: p, Funcs: p.Funcs})
	for _, f := range p.Funcs {
		s.function(f)
	}
	numbers := 0
	for _, st := range s.order {
		for _, e := range st.edits {
			if e.What != "combined with a constant" {
				continue
			}
			if numbers++; strings.Contains(e.alt, "k ") || strings.Contains(e.alt, "kind ") {
				t.Errorf("%s", e.alt)
			}
		}
	}
	if numbers == 0 {
		t.Error("nothing is combined with 60")
	}
}
