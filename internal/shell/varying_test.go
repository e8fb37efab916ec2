package shell_test

import (
	"strings"
	"testing"
)

// This file has sessions about types whose sizes are computed in each call, and about addresses of labels.

const logProgram = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A log whose entries are as long as its longest word. */
static int keep(int width, int most, const char **words)
{
    struct entry { short number; char word[width]; };
    struct page {
        struct entry title, lines[most];
        struct page *back;
        struct { int used; int marks[most]; };
        struct entry *last;
    };
    union either { char bytes[width]; int number; } first, *same = &first;
    struct page pages[2], *top = NULL;
    int (*seen)[most] = malloc(2 * sizeof *seen);
    first.number = 0;
    memset(first.bytes, '-', width);
    for (int i = 0; i < 2; i++) {
        struct page *p = &pages[i];
        p->title.number = 100 + i;
        strcpy(p->title.word, "top");
        p->used = 0;
        for (int k = 0; k < most; k++) {
            p->lines[k].number = 10 * i + k;
            strcpy(p->lines[k].word, words[k]);
            p->marks[k] = -k;
            seen[i][k] = i + k;
            p->used++;
        }
        p->back = top;
        p->last = &p->lines[most - 1];
        top = p;
    }
    struct page *copy = malloc(sizeof *copy);
    *copy = pages[1];
    copy->back = &pages[0];
    int total = copy->used + copy->last->number + (int)sizeof *copy + same->bytes[0] + seen[1][1];
    free(copy);
    free(seen);
    return total;
}

int main(void)
{
    const char *words[] = { "oak", "elm", "ash", "fir" };
    printf("%d\n", keep(5, 2, words));
    printf("%d\n", keep(4, 3, words));
    return 0;
}
`

const stepsProgram = `#include <stdio.h>

struct op { void *code; int arg; };

static int run(const int *prog, int n)
{
    static void *const table[] = { &&push, &&add, &&halt };
    struct op ops[4];
    int stack[8], sp = 0, i;
    for (i = 0; i < n; i++) {
        ops[i].code = table[prog[i]];
        ops[i].arg = i;
    }
    i = 0;
    void *next = ops[i].code;
    goto *next;
push:
    stack[sp++] = ops[i].arg + 5;
    next = ops[++i].code;
    goto *next;
add:
    sp--;
    stack[sp - 1] += stack[sp];
    next = ops[++i].code;
    goto *next;
halt:
    return stack[0];
}

int main(void)
{
    int prog[] = { 0, 0, 1, 2 };
    printf("%d\n", run(prog, 4));
    return 0;
}
`

// TestVarying draws, prints and changes what has another size in each call, alike on both engines.
func TestVarying(t *testing.T) {
	for _, tt := range []struct {
		program, script string
		want            []string
	}{
		{logProgram, "break 39\nstart\ncontinue\nprint pages[1]\nprint *top->last\nprint seen[1][1]\nprint copy->lines[1].word\nprint sizeof *copy\nprint sizeof pages[0].lines\ncontinue\nprint pages\nprint copy->marks[2]", []string{
			`pages[1] = {title = {number = 101, word = "top"}, lines = {{number = 10, word = "oak"}, {number = 11, word = "elm"}}, back = &pages[0], {used = 2, marks = {0, -1}}, last = &pages[1].lines[1]}`,
			"top →&pages[1]", `*top->last = {number = 11, word = "elm"}`, "seen[1][1] = 2", `first { number 757935405, bytes "-----" }`, `copy->lines[1].word = "elm"`,
			"sizeof *copy = 56", "sizeof pages[0].lines = 16",
			`lines = {{number = 0, word = "oak"}, {number = 1, word = "elm"}, {number = 2, word = "ash"}}, back = null, {used = 3, marks = {0, -1, -2}}, last = &pages[0].lines[2]}`,
			"copy->marks[2] = -2"}},
		{logProgram, "break 39\nstart\ncontinue\nchange pages[1].lines[0].number 77\nchange top &pages[0]\nprint top->lines[0].number\nundo\nundo\nprint top->lines[0].number", []string{
			"lines[0].number 77*", "top->lines[0].number = 0\n", "top->lines[0].number = 10\n"}},
		{stepsProgram, "break 15\nstart\ncontinue\nprint ops[2]\nprint table\nnext\nnext\nnext 2", []string{
			"ops[2] { code &&add, arg 2 }", "ops[2] = {code = &&add, arg = 2}", "table = {&&push, &&add, &&halt}", "next &&push", "stack[sp++] = ops[i].arg + 5"}},
	} {
		var outs []string
		path := write(t, tt.program)
		for _, engine := range engines {
			out := run(t, newSession(t, engine, nil, path), tt.script)
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("%s: no %q in:\n%s", engine, want, out)
				}
			}
			outs = append(outs, out)
		}
		if outs[0] != outs[1] {
			t.Errorf("machine\n%s\ngdb\n%s", outs[0], outs[1])
		}
	}
}

const statementExpressions = `#include <stdio.h>
#include <stdlib.h>

#define larger(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define take(list) ({ struct item *_i = (list); (list) = _i->next; _i; })

struct item { int cost; struct item *next; };

static int calls;

static int twice(int x)
{
    calls++;
    return x * 2;
}

static struct item *push(struct item *rest, int cost)
{
    struct item *i = malloc(sizeof *i);
    *i = (struct item){ cost, rest };
    return i;
}

int main(void)
{
    int sum = 0, row[3] = { 1, 2, 3 };
    struct item *todo = push(push(NULL, 4), larger(row[0], row[2]));
    int first = ({ int t = row[1]; t += calls; t; });
    sum += first;
    sum += larger(sum, 9);
    sum = twice(2) + ({ int k = 0; for (int i = 0; i < 2; i++) k += row[i]; k; });
    if (({ int q = sum; q > 2; }) && twice(1))
        sum--;
    while (({ sum++; sum < 9; }))
        row[0]++;
    for (int i = ({ int z = 2; z; }); i < 4; i++)
        row[2] += ({ twice(i); });
    while (todo) {
        struct item *done = take(todo);
        sum += done->cost;
        free(done);
    }
    printf("%d %d\n", ({ int a = sum; a + row[2]; }), calls);
    return sum > 5 ? ({ exit(0); 1; }) : 2;
}
`

// TestStatementExpressions steps through statement expressions of GNU C: both engines halt at the same statements.
func TestStatementExpressions(t *testing.T) {
	for _, step := range []string{"next", "step"} {
		var outs []string
		path := write(t, statementExpressions)
		for _, engine := range engines {
			outs = append(outs, run(t, newSession(t, engine, nil, path), "start\n"+strings.Repeat(step+"\n", 75)))
		}
		if outs[0] != outs[1] {
			t.Errorf("machine\n%s\ngdb\n%s", outs[0], outs[1])
		}
		if n := strings.Count(outs[0], "p.c:"); n < 70 && step == "step" {
			t.Errorf("%d steps:\n%s", n, outs[0])
		}
	}
}

// TestChosen prints conditional expressions of every type, and what library functions compute.
func TestChosen(t *testing.T) {
	const program = `#include <stdio.h>
#include <time.h>
struct n { int v; struct n *next; };
int main(void)
{
    struct n a = { 1, NULL }, b = { 2, &a };
    int c = 1;
    double x = 2.25;
    time_t from = 100, to = 160;
    printf("%g\n", difftime(to, from) + x + a.v + b.v + c);
    return 0;
}
`
	script := "break 10\nstart\ncontinue\n"
	asked := [][2]string{
		{"c ? a.v : b.v", "1"}, {"c ? x : 3", "2.25"}, {"!c ? x : 3", "3"}, {"c == 2 ? &a : b.next", "&a"}, {"(c ? &b : &a)->v", "2"},
		{"c ? a : b", "{v = 1, next = null}"}, {"(c ? b : a).next", "&a"}, {"x > 3 ? &a.v : NULL", "null"}, {"difftime(to, from)", "60"},
		{"difftime(from, to)", "-60"}, {"sqrt(x)", "1.5"}, {"labs(0 - 5)", "5"}, {"toupper('q')", "81"}, {"fmod(x, 2)", "0.25"}, {"floor(0 - x)", "-3"},
	}
	for _, q := range asked {
		script += "print " + q[0] + "\n"
	}
	script += "print c ? a : 3\nchange b.next c ? &b : &a\n"
	path := write(t, program)
	for _, engine := range engines {
		out := run(t, newSession(t, engine, nil, path), script)
		for _, q := range asked {
			if want := q[0] + " = " + q[1] + "\n"; !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", engine, want, out)
			}
		}
		for _, want := range []string{"do not fit: struct n and int", "next →&b*"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", engine, want, out)
			}
		}
	}
}

// TestOtherDebuggers: gdb's commands do here what they do in gdb, and types and notations are shown.
func TestOtherDebuggers(t *testing.T) {
	const program = `#include <stdio.h>
struct n { int v; unsigned flag : 3; char name[6]; struct n *next; };
static int total(struct n *h)
{
    int s = 0;
    for (; h; h = h->next)
        s += h->v;
    return s;
}
int main(int argc, char **argv)
{
    struct n a = { argc, 5, "ab", NULL }, b = { -2, 1, "cd", &a };
    printf("%d\n", total(&b));
    return 0;
}
`
	script := "b total\nrun x y\nc\ninfo locals\np/x h->v\nprint/d h->v\np/t h->flag + 8\np/c h->name[0]\nptype struct n\nwhatis *h\ntype h->next->v\n" +
		"info b\nn\nset var s = 7\nset h->v = 4\np s == 7\ncall total(h)\np/q s\ninfo stack\nq\n"
	path := write(t, program)
	var outs []string
	for _, engine := range engines {
		out := run(t, newSession(t, engine, nil, path), script)
		outs = append(outs, out)
		for _, want := range []string{"h->v = 0xfffffffe\n", "h->v = -2\n", "h->flag + 8 = 1001\n", "h->name[0] = 'c'\n", "    unsigned int flag : 3;           // at 4, bit 0\n", "    char name[6];", "*h is of type struct n, 24 bytes\n",
			"h->next->v is of type int, 4 bytes\n", "s 7*", "v 4*", "s == 7 = 1\n", "total(h) = 7\n", "/q is not known", "#1 main at"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", engine, want, out)
			}
		}
	}
	if outs[0] != outs[1] {
		t.Errorf("machine\n%s\ngdb\n%s", outs[0], outs[1])
	}
}

// TestStartAfterRepair: a repair that was found for the run from its beginning still meets what was drawn in that run
// when the program is started with other arguments.
func TestStartAfterRepair(t *testing.T) {
	const program = `#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *h, int v)
{
	struct node *n = malloc(sizeof *n);
	n->v = v;
	n->next = NULL;
	return n;
}
static int total(struct node *h)
{
	int s = 0;
	for (; h; h = h->next)
		s += h->v;
	return s;
}
int main(int argc, char **argv)
{
	struct node *h = NULL;
	for (int i = 1; i < argc; i++)
		h = push(h, atoi(argv[i]));
	printf("%d\n", total(h));
	return 0;
}
`
	path := write(t, program)
	script := "break push if h != 0\nstart 3 4\ncontinue\nspec\nnext 3\nchange n->next n1\nspec\nstart 10 20 30\ncontinue\nspec\nnext 3\nchange n->next n1\nspec\nrepair\nstart 9 8 7\nrepair"
	for _, engine := range engines {
		out := run(t, newSession(t, engine, nil, path), script)
		for _, want := range []string{"n->next = NULL  =>  n->next = h", "the 3 asserted states still count", "nothing to repair in this run: the repaired program leads to all 3 pictures you asserted"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", engine, want, out)
			}
		}
	}
}
