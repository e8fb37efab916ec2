package locate

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const reverse = `#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *reverse(struct node *head)
{
    struct node *prev = NULL;
    while (head != NULL) {
        struct node *next = head->next;
        head->next = prev;
        prev = head;
        head = next;
    }
    return prev;
}
int main(void)
{
    struct node *l = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->data = i;
        n->next = l;
        l = n;
    }
    l = reverse(l);
    return l == NULL;
}
`

const total = `/* post: result == sum(i, 0, n, a[i]) */
int total(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = s + a[i];
    return s;
}
`

const nearest = `int nearest(int x)
{
    int low = x / 10 * 10;
    if (x - low < 5)
        return low;
    return low + 10;
}
int main(void) { return nearest(7) != 10; }
`

// TestLocate asks for single faults: which methods answer, and that the faulty line is
// among the first of those that do.
func TestLocate(t *testing.T) {
	for _, c := range []struct {
		name, right, old, new string
		contract, reference   bool
		line                  int
		methods               []string
		within                map[string]float64
	}{
		{"a list against a reference", reverse, "head->next = prev;", "head->next = next;", false, true, 8, []string{"gradient", "evidence", "spectrum", "edits"}, map[string]float64{"gradient": 3, "evidence": 3}},
		{"a sum against its contract", total, "s = s + a[i]", "s = s - a[i]", true, false, 6, []string{"gradient", "diagnosis", "evidence", "spectrum", "edits"}, map[string]float64{"gradient": 3, "evidence": 2, "edits": 1.5}},
		{"numbers against a reference", nearest, "low + 10", "low + 9", false, true, 6, []string{"gradient", "diagnosis", "evidence", "spectrum", "edits"}, map[string]float64{"gradient": 2, "diagnosis": 2, "evidence": 1.5}},
	} {
		if strings.Count(c.right, c.old) != 1 {
			t.Fatal(c.name)
		}
		req := &job.Job{Files: []string{file(t, "p.c", strings.Replace(c.right, c.old, c.new, 1))}, Spec: job.Spec{Contracts: c.contract}, Logic: job.Logic{Size: 1}}
		req.Limit, req.Guard = 20*time.Second, 10*time.Minute // of work, on however busy a machine
		if c.reference {
			req.Reference = []string{file(t, "right.c", c.right)}
		}
		rep, err := Locate(context.Background(), req)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, m := range Names {
			if rep.Lists[m] != nil {
				got = append(got, m)
			} else if rep.Left[m] == "" {
				t.Errorf("%s: %s says nothing, and not why", c.name, m)
			}
		}
		if !slices.Equal(got, c.methods) {
			t.Errorf("%s: %v answer, want %v; left: %v", c.name, got, c.methods, rep.Left)
		}
		i := slices.IndexFunc(rep.Ranking, func(l Line) bool { return l.Line == c.line })
		if i < 0 || i > 1 {
			t.Errorf("%s: line %d is not one of the first two: %+v", c.name, c.line, rep.Ranking)
			continue
		}
		for m, most := range c.within {
			if r := rep.Ranking[i].Ranks[m]; r == 0 || r > most {
				t.Errorf("%s: %s gives line %d rank %v, want at most %v", c.name, m, c.line, r, most)
			}
		}
	}
}

const stack = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int value[8], size;

static int push(int v)
{
    if (size == 8)
        return -1;
    value[size++] = v;
    return 0;
}

static int pop(int *v)
{
    if (size == 0)
        return -1;
    *v = value[--size];
    return 0;
}

static int apply(const char *w)
{
    int a, b;
    if (strcmp(w, "dup") == 0)
        return pop(&a) || push(a) || push(a);
    if (strcmp(w, "-") == 0) {
        if (pop(&b) || pop(&a))
            return -1;
        return push(a - b);
    }
    return push(atoi(w));
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (apply(argv[i])) {
            printf("error at %s\n", argv[i]);
            return 1;
        }
    int v;
    while (pop(&v) == 0)
        printf("%d\n", v);
    return 0;
}
`

// TestRuns localizes from a run in hand and what is made of it: a program that is no list,
// takes commands, and has functions that no call in a made-up state would tell apart.
func TestRuns(t *testing.T) {
	right := file(t, "right.c", stack)
	for _, c := range []struct {
		name, old, new, args string
		lines                []int
	}{
		{"operands", "push(a - b)", "push(b - a)", "7 2 -", []int{31}},
		{"a check is missing", "    if (size == 0)\n        return -1;\n", "", "-", []int{16, 17}},
		{"a loop's bound", "i < argc; i++", "i < argc - 1; i++", "4 dup", []int{38}},
	} {
		text := strings.Replace(stack, c.old, c.new, 1)
		if text == stack {
			t.Fatal(c.name)
		}
		req := &job.Job{Files: []string{file(t, "p.c", text)}, Spec: job.Spec{Reference: []string{right}}, Args: strings.Fields(c.args), Limit: 2 * time.Minute, Logic: job.Logic{Size: 1}}
		rep, err := Locate(context.Background(), req)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		i := slices.IndexFunc(rep.Ranking, func(l Line) bool { return slices.Contains(c.lines, l.Line) })
		if i < 0 || i > 2 {
			t.Errorf("%s: none of lines %v is one of the first three: %+v", c.name, c.lines, rep.Ranking)
			continue
		}
		if l := rep.Ranking[i]; l.What == "" || l.Ranks["spectrum"] == 0 {
			t.Errorf("%s: %+v", c.name, l)
		}
	}
}

// TestNothing is requests without an answer.
func TestNothing(t *testing.T) {
	right := file(t, "right.c", reverse)
	var use *job.UsageError
	if _, err := Locate(context.Background(), &job.Job{Files: []string{right}}); !errors.As(err, &use) || !strings.Contains(err.Error(), "what is right?") {
		t.Error(err)
	}
	if _, err := Locate(context.Background(), &job.Job{Files: []string{right}, Spec: job.Spec{Reference: []string{right}}}); err == nil || !strings.Contains(err.Error(), "no function") {
		t.Error(err)
	}
	rep, err := Locate(context.Background(), &job.Job{Files: []string{file(t, "p.c", total)}, Spec: job.Spec{Contracts: true}})
	if err != nil || len(rep.Ranking) != 0 || rep.Left["evidence"] == "" {
		t.Errorf("%+v, %v", rep, err)
	}
}

func TestCombine(t *testing.T) {
	s := func(line int, score float64) report.Suspect {
		return report.Suspect{File: "p.c", Line: line, Score: score}
	}
	got := Combine(map[string][]report.Suspect{
		"evidence": {s(3, 9), s(4, 5), s(4, 2), s(7, 1)},
		"spectrum": {s(4, 1), s(7, 1), s(9, 0.5)},
	})
	if len(got) != 4 || got[0].Line != 4 || math.Abs(got[0].Score-(1/2.0+1/1.5)/2) > 1e-9 || got[0].Agree != 2 || got[0].Ranks["spectrum"] != 1.5 || got[1].Line != 3 {
		t.Errorf("%+v", got)
	}
	got = Combine(map[string][]report.Suspect{"spectrum": {s(4, 1), s(7, 0.5)}, "edits": {s(7, 1), s(4, 0.5)}})
	if got[0].Line != 7 || math.Abs(got[0].Score-(1/2.0+editsCount)/(1+editsCount)) > 1e-9 {
		t.Errorf("edits do not count more: %+v", got)
	}
}
