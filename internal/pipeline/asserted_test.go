package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// departures is a program whose assertions are about a list, which logic does not accept.
const departures = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct train { int minute; struct train *next; };

static struct train *board;

static int in_order(const struct train *t)
{
    for (; t != NULL && t->next != NULL; t = t->next)
        if (t->minute > t->next->minute)
            return 0;
    return 1;
}

static int trains(void)
{
    int n = 0;
    for (struct train *t = board; t != NULL; t = t->next)
        n++;
    return n;
}

static void announce(int minute)
{
    int had = trains();
    struct train **p = &board, *t = malloc(sizeof *t);
    while (*p != NULL && (*p)->minute < minute)
        p = &(*p)->next;
    t->minute = minute;
    t->next = *p;
    *p = t;
    assert(in_order(board));
    assert(trains() == had + 1);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        announce(atoi(argv[i]));
    for (struct train *t = board; t != NULL; t = t->next)
        printf("%02d:%02d\n", t->minute / 60, t->minute % 60);
    return 0;
}
`

// TestAsserted: assertions about a list are checked on whole runs. A repair changes neither them, nor what they call,
// nor what only they read, and it does not avoid them.
func TestAsserted(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct{ name, right, wrong, want string }{
		{"comparison.c", "(*p)->minute < minute", "(*p)->minute > minute", "(*p)->minute <"},
		{"end.c", "(*p)->minute < minute)", "(*p)->minute < minute && (*p)->next != NULL)", "(*p)->minute < minute)"},
	} {
		if testing.Short() && i > 0 {
			continue
		}
		text := strings.Replace(departures, c.right, c.wrong, 1)
		j := &job.Job{Files: []string{write(t, dir, c.name, text)}, Spec: job.Spec{Assert: true}, Args: []string{"20", "70", "45"}, Limit: time.Minute, Seed: 1, Engines: []string{"runs"}}
		a, err := Fix(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		if a.Report.Result != report.Repaired {
			t.Errorf("%s: %s: %s", c.name, a.Report.Result, a.Report.Cause)
			continue
		}
		fixed := a.Sources()[j.Files[0]]
		if !strings.Contains(fixed, c.want) {
			t.Errorf("%s:\n%s", c.name, a.Report.Repairs[0].Diff)
		}
		begin, end := strings.Index(departures, "static int in_order"), strings.Index(departures, "static void announce")
		if !strings.Contains(fixed, departures[begin:end]) || !strings.Contains(fixed, "    assert(in_order(board));\n") || strings.Count(fixed, "had") != 2 || strings.Contains(fixed, "gulo") {
			t.Errorf("%s: what asserts is changed:\n%s", c.name, a.Report.Repairs[0].Diff)
		}
		if ev := a.Report.Repairs[0].Evidence.Text; !strings.Contains(ev, "runs from the given run and runs made from it") {
			t.Errorf("%s: %s", c.name, ev)
		}
		if len(j.Lock) > 0 || !j.Assert {
			t.Errorf("the job is changed: %+v", j)
		}
	}
}

// TestAssertedInMain: assertions at the beginning of main test what main calls, and every run fails.
func TestAssertedInMain(t *testing.T) {
	name := write(t, t.TempDir(), "leap.c", `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int is_leap(int year)
{
    return year % 4 == 0 && year % 100 != 0 && year % 400 == 0;
}

int main(int argc, char **argv)
{
    assert(is_leap(1996) && is_leap(2000));
    assert(!is_leap(1900) && !is_leap(1999));
    for (int i = 1; i < argc; i++)
        printf("%s: %d days\n", argv[i], is_leap(atoi(argv[i])) ? 366 : 365);
    return 0;
}
`)
	a, err := Fix(context.Background(), &job.Job{Files: []string{name}, Spec: job.Spec{Assert: true}, Args: []string{"2024"}, Limit: time.Minute, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result != report.Repaired || !strings.Contains(a.Sources()[name], "year % 100 != 0 || year % 400 == 0") {
		t.Errorf("%s: %s: %s", a.Report.Result, a.Report.Cause, a.Sources()[name])
	}
}

// TestAssertedBare: if a program prints next to nothing until the assertion fails, no statement is deleted to avoid
// the assertion.
func TestAssertedBare(t *testing.T) {
	name := write(t, t.TempDir(), "ring.c", `#include <assert.h>
#include <stdio.h>
#include <string.h>

struct ring { char words[4][16]; int first, n; };

static void put(struct ring *r, const char *w)
{
    if (r->n == 4) {
        r->first = (r->first + 1) % 4;
        r->n--;
    }
    strcpy(r->words[(r->first + r->n) % 4], w);
    r->n++;
}

static const char *last(const struct ring *r)
{
    return r->words[(r->first + r->n) % 4];
}

int main(void)
{
    struct ring r = {0};
    char w[16];
    while (scanf("%15s", w) == 1) {
        put(&r, w);
        assert(strcmp(last(&r), w) == 0);
    }
    for (int i = 0; i < r.n; i++)
        printf("%s ", r.words[(r.first + i) % 4]);
    printf("\n");
    return 0;
}
`)
	a, err := Fix(context.Background(), &job.Job{Files: []string{name}, Spec: job.Spec{Assert: true}, Stdin: "one two three four five six\n", Limit: time.Minute, Seed: 1, Engines: []string{"runs"}})
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result == report.Repaired && !strings.Contains(a.Sources()[name], "    r->n++;\n") {
		t.Errorf("a statement is taken out:\n%s", a.Report.Repairs[0].Diff)
	}
}

// TestAssertedByAll: the run in hand counts, although logic, which only looks at the empty list, finds nothing. A
// program that is right is not repaired.
func TestAssertedByAll(t *testing.T) {
	dir := t.TempDir()
	j := &job.Job{Files: []string{write(t, dir, "wrong.c", strings.Replace(departures, "(*p)->minute < minute", "(*p)->minute > minute", 1))}, Spec: job.Spec{Assert: true}, Args: []string{"20", "70", "45"}, Limit: time.Minute, Seed: 1}
	a, err := Fix(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result != report.Repaired {
		t.Errorf("%s: %s", a.Report.Result, a.Report.Cause)
	}
	right := &job.Job{Files: []string{write(t, dir, "right.c", departures)}, Spec: job.Spec{Assert: true}, Args: []string{"20", "70", "45"}, Limit: time.Minute, Seed: 1, Engines: []string{"runs"}}
	if a, err = Fix(context.Background(), right); err == nil && a.Report.Result == report.Repaired {
		t.Errorf("right: %+v", a.Report)
	}
	alone := &job.Job{Files: right.Files, Spec: job.Spec{Assert: true}, Limit: time.Minute, Engines: []string{"runs"}}
	var use *job.UsageError
	if _, err := Fix(context.Background(), alone); !errors.As(err, &use) {
		t.Errorf("without a run: %v", err)
	}
}
