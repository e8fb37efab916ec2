package judge

import (
	"strings"
	"testing"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/oracle"
)

// coaches takes coaches out of a train; the first one has none ahead.
const coaches = `#include <stdio.h>
#include <stdlib.h>
struct coach { int number; struct coach *ahead, *behind; };
static struct coach *first, *last;
static void add(int number)
{
    struct coach *c = calloc(1, sizeof *c);
    c->number = number;
    c->ahead = last;
    if (last)
        last->behind = c;
    else
        first = c;
    last = c;
}
static void take(int number)
{
    struct coach *c = first;
    while (c && c->number != number)
        c = c->behind;
    if (!c)
        return;
    c->ahead->behind = c->behind;
    if (c->behind)
        c->behind->ahead = c->ahead;
    else
        last = c->ahead;
    free(c);
}
int main(void)
{
    int x;
    while (scanf("%d", &x) == 1)
        if (x > 0)
            add(x);
        else
            take(-x);
    if (first)
        printf("the first: ");
    for (struct coach *c = first; c; c = c->behind)
        printf("%d\n", c->number);
    return 0;
}
`

// TestUse: a repair may not end an error by doing nothing on any run, and may step round the failing statement where it
// does something else instead.
func TestUse(t *testing.T) {
	wrong, _ := lowertest.Load(t, coaches)
	given := oracle.Runs(wrong, []oracle.Test{{Stdin: "1 2 -1\n"}, {Stdin: "1 2 3 -2\n"}, {Stdin: "7\n"}}, 0)
	given.Cases[0].Want.Any = true
	j := &Judge{Set: &cases.Set{Prog: wrong, Given: given}}
	j.Job = &job.Job{Spec: job.Spec{Memory: true}}
	for _, x := range []struct {
		name, old, new  string
		outOfUse, gives bool
	}{
		{"else", "    c->ahead->behind = c->behind;\n", "    if (c->ahead)\n        c->ahead->behind = c->behind;\n    else\n        first = c->behind;\n", false, false},
		{"only a guard", "    c->ahead->behind = c->behind;\n", "    if (c->ahead)\n        c->ahead->behind = c->behind;\n", false, false}, // the run counts as made up
		{"a way out that is always taken", "if (!c)", "if (!c || c)", true, true},
		{"another number", "c->number != number", "c->number != number + 9", true, true},
	} {
		repaired, _ := lowertest.Load(t, strings.Replace(coaches, x.old, x.new, 1))
		c, err := j.outOfUse(repaired)
		if err != nil || (c != nil) != x.outOfUse {
			t.Errorf("%s: out of use: %v, %v", x.name, c, err)
		}
		c, err = j.gaveUp(repaired, map[string]string{wrong.Tree.Files[0].Name: strings.Replace(coaches, x.old, x.new, 1)})
		if err != nil || (c != nil) != x.gives {
			t.Errorf("%s: gives up: %v, %v", x.name, c, err)
		}
	}
}

// ends calls one of several functions, as the harness of a collection of exercises does.
const ends = `#include <stdlib.h>
#include <string.h>
static int which = 2;
static int last;
static void sum(void)
{
    int *all = calloc(5, sizeof *all);
    if (all)
        last = all[-1];
    free(all);
}
static void copy(void)
{
    char *text = malloc(8);
    if (text)
        strcpy(text, "seven");
    if (last < 0)
        free(text);
}
static void count(void)
{
    int n[4], all = 0;
    n[0] = 1;
    for (int i = 0; i < 4; i++)
        all += n[i];
    last = all;
}
int main(void)
{
    if (which == 1)
        sum();
    if (which == 2)
        copy();
    if (which == 3)
        count();
    return 0;
}
`

// TestGivesUp: a repair may not keep memory from being lost by not asking for it, nor end an error by another value in place
// of what is read outside a block or was never written.
func TestGivesUp(t *testing.T) {
	for _, x := range []struct {
		name, which, old, new string
		gives                 bool
	}{
		{"the call is skipped", "2", "which == 2", "which == 1", true},
		{"the block is freed", "2", "last < 0", "last == 0", false},
		{"a variable instead", "1", "last = all[-1]", "last = which", true},
		{"a number instead", "1", "last = all[-1]", "last = 0", true},
		{"the statement is gone", "1", "        last = all[-1];\n", "        ;\n", true},
		{"the first element", "1", "all[-1]", "all[0]", false},
		{"it is read, and not used", "3", "all += n[i]", "all = n[i]", true},
		{"a variable instead of the element", "3", "all += n[i]", "all += i", true},
		{"all elements are set", "3", "int n[4]", "int n[4] = {0}", false},
	} {
		text := strings.Replace(ends, "which = 2", "which = "+x.which, 1)
		wrong, _ := lowertest.Load(t, text)
		given := oracle.Runs(wrong, []oracle.Test{{}}, 0)
		given.Cases[0].Want.Any = x.which != "2"
		j := &Judge{Set: &cases.Set{Prog: wrong, Given: given}}
		j.Job = &job.Job{Spec: job.Spec{Memory: true}}
		text = strings.Replace(text, x.old, x.new, 1)
		repaired, _ := lowertest.Load(t, text)
		c, err := j.gaveUp(repaired, map[string]string{wrong.Tree.Files[0].Name: text})
		if err != nil || (c != nil) != x.gives {
			t.Errorf("%s: gives up: %v, %v", x.name, c, err)
		}
	}
}

// TestDone: what a run does from when a block was freed that it uses later does not count.
func TestDone(t *testing.T) {
	p, _ := lowertest.Load(t, strings.Replace(coaches, "    c->ahead->behind = c->behind;\n", "    if (c->ahead)\n        c->ahead->behind = c->behind;\n", 1))
	has := func(p *lower.Program, stdin string) bool {
		list, f, err := done(p, &oracle.Case{Stdin: stdin})
		if err != nil || f == nil == strings.Contains(stdin, "-1") {
			t.Fatal(f, err)
		}
		return list[`main: printf("the first: ")`] || list[`main: printf("the first: ");`]
	}
	if has(p, "1 2 -1\n") {
		t.Error("it prints a heading, since a pointer to a freed block is left")
	}
	if !has(p, "1 2 -2\n") {
		t.Error("nothing is wrong here, and the heading is not counted")
	}
}
