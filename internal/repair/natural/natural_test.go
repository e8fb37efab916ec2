package natural

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair"
)

// A list that keeps its members sorted, on the command line: add 3, remove 3.
const sorted = `#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list;

static void add(int value)
{
    struct node *n = malloc(sizeof *n);
    struct node **at = &list;
    while (*at != NULL && (*at)->value < value)
        at = &(*at)->next;
    n->value = value;
    n->next = *at;
    *at = n;
}

static void drop(int value)
{
    struct node **at = &list;
    while (*at != NULL && (*at)->value != value)
        at = &(*at)->next;
    if (*at != NULL) {
        struct node *gone = *at;
        *at = gone->next;
        free(gone);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int value = atoi(argv[i]);
        if (value > 0)
            add(value);
        else
            drop(-value);
    }
    for (struct node *n = list; n != NULL; n = n->next)
        printf("%d ", n->value);
    printf("\n");
    return 0;
}
`

func load(t *testing.T, text string) *lower.Program {
	t.Helper()
	p, _ := lowertest.Load(t, text)
	return p
}

// problem has tests whose outputs the right program gives.
func problem(t *testing.T, wrong string) *Problem {
	t.Helper()
	right := load(t, sorted)
	var tests []oracle.Test
	for _, args := range []string{"", "3", "3 1 2", "1 2 3 -2", "5 -5", "5 -4", "2 2 1 -2", "4 1 3 -1 -4"} {
		x, _, ok, err := oracle.Expect(right, args, strings.Fields(args), "", -1)
		if !ok || err != nil {
			t.Fatal(args, err)
		}
		tests = append(tests, x)
	}
	p := load(t, wrong)
	return &Problem{Prog: p, Suite: oracle.Runs(p, tests, 20_000), Funcs: []*cfront.Func{p.Tree.Func("add"), p.Tree.Func("drop")}, Limit: 2 * time.Minute, Workers: 1, MaxRuns: 300_000}
}

// met reports whether a program meets the tests of a problem, on the machine.
func met(t *testing.T, p *Problem, pt *repair.Patch) bool {
	t.Helper()
	os, err := Overlays(p.Prog, pt)
	if err != nil {
		t.Fatal(err)
	}
	run, err := oracle.NewRunner(p.Suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Suite.Cases {
		r, err := run.Run(c, os)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Meets(c.Want) {
			return false
		}
	}
	return true
}

// TestSolve corrects one mistake and two; what is shown meets every test, is written as C
// that gcc takes, and changes nothing that is locked.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new string // one mistake; two with a bar between
		edits    int
	}{
		{"a comparison", "(*at)->value < value", "(*at)->value > value", 1},
		{"a missing link", "    n->next = *at;\n", "", 1},
		{"a link of its own", "*at = gone->next", "gone->next = *at", 1},
		{"two", "(*at)->value < value|(*at)->value != value", "(*at)->value > value|(*at)->value == value", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong, olds, news := sorted, strings.Split(c.old, "|"), strings.Split(c.new, "|")
			for i := range olds {
				wrong = strings.Replace(wrong, olds[i], news[i], 1)
			}
			p := problem(t, wrong)
			res, err := Solve(context.Background(), p)
			if err != nil || len(res.Repairs) == 0 {
				t.Fatal(res, err)
			}
			if met(t, p, repair.NewPatch()) || res.Failing == 0 {
				t.Error("the program was right")
			}
			for _, r := range res.Repairs {
				if n := len(r.Patch.Edits()); n != c.edits || len(Describe(p.Prog, r.Patch)) != n {
					t.Errorf("%d edits: %q", n, Describe(p.Prog, r.Patch))
				}
				if !met(t, p, r.Patch) {
					t.Errorf("%q does not meet the tests", Describe(p.Prog, r.Patch))
				}
			}
			texts, err := patch.Rewrite(p.Prog, res.Repairs[0].Patch)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range texts { // read again it is a program that meets them, too
				q := *p
				s := *p.Suite
				q.Prog = load(t, text)
				s.Prog, q.Suite = q.Prog, &s
				if !met(t, &q, repair.NewPatch()) {
					t.Errorf("as it is written it does not meet the tests:\n%s", text)
				}
			}
		})
	}
}

// TestLocked: where the mistake may not be touched, nothing else is touched in its place
// that does not meet every test, and nothing that is locked.
func TestLocked(t *testing.T) {
	p := problem(t, strings.Replace(sorted, "    *at = n;\n", "", 1))
	p.MaxRuns = 60_000
	in := func(f *cfront.Func) bool { return f.Name == "drop" }
	p.Free = func(id int32) bool { return in(p.Prog.Stmts[id].Func) }
	p.FreeGap = func(id int32) bool { return in(p.Prog.Gaps[id].Func) }
	res, err := Solve(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Repairs) != 0 || res.Failing == 0 {
		t.Errorf("%d repairs in a function that is right", len(res.Repairs))
	}
}

// TestNothing: a program that meets its tests is not changed.
func TestNothing(t *testing.T) {
	res, err := Solve(context.Background(), problem(t, sorted))
	if err != nil || res.Failing != 0 || len(res.Repairs) != 0 {
		t.Error(res, err)
	}
}

// TestWork: a search that its work ends ends at the same place, however many workers there are and however long they take.
func TestWork(t *testing.T) {
	wrong := strings.NewReplacer("(*at)->value < value", "(*at)->value > value", "(*at)->value != value", "(*at)->value == value").Replace(sorted)
	var first *Result
	for _, workers := range []int{1, 3} {
		p := problem(t, wrong)
		p.Limit, p.MaxRuns, p.Workers = 40*time.Millisecond, 0, workers
		res, err := Solve(budget.Begin(context.Background(), time.Hour), p)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			if first = res; res.Cause != "time limit" || res.Runs == 0 {
				t.Errorf("its work does not end it: %+v", res)
			}
		}
		if res.Runs != first.Runs || res.Bases != first.Bases || len(res.Repairs) != len(first.Repairs) {
			t.Errorf("%d workers: %+v, and one: %+v", workers, res, first)
		}
	}
}
