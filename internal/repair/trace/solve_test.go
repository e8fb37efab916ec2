package trace_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/repair/trace"
	"gulo/internal/session"
	"gulo/internal/spec"
	"gulo/internal/target/sim"
)

const program = `#include <stdlib.h>

struct node {
    struct node *next, *prev;
};

struct node *a, *b, *c;

void insert(struct node *at, struct node *x)
{
    x->next = at->next;
    x->prev = at;
    at->next->prev = x;
    at->next = x;
}

int main(void)
{
    a = calloc(1, sizeof *a);
    b = calloc(1, sizeof *b);
    c = calloc(1, sizeof *c);
    a->next = b;
    b->prev = a;
    insert(a, c);
    return 0;
}
`

// right is what the picture shows at the end of the right program.
const right = "change a->next n3; change b->prev n3; change c->next n2; change c->prev n1; change a->prev null; change b->next null; spec"

func play(t *testing.T, text string, steps int) (*lower.Program, []*spec.Segment) {
	t.Helper()
	p, file := lowertest.Load(t, text)
	s := session.New(p, sim.New(p, sim.Config{Name: file}), session.Config{Name: file})
	t.Cleanup(s.Close)
	lines := append([]string{"start", "break insert", "continue", "spec"}, slices.Repeat([]string{"next"}, steps)...)
	for _, line := range append(lines, strings.Split(right, "; ")...) {
		if _, _, err := s.Exec(context.Background(), line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return p, s.Segments()
}

// TestSolve: every repair that is found ends as was drawn, executed again by Replay, which
// shares nothing with the search; the program's own statement is among them.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           string
	}{
		{"another node", "at->next = x;", "at->next = at;", "at->next = x"},
		{"another field", "x->prev = at;", "x->next = at;", "x->prev = at"},
		{"another path", "at->next->prev = x;", "at->prev = x;", "at->next->prev = x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, segs := play(t, strings.Replace(program, c.old, c.new, 1), 4)
			if trace.Replay(p, segs, nil) < 0 {
				t.Fatal("the program ends as was drawn")
			}
			r := trace.Solve(context.Background(), &trace.Problem{Program: p, Segments: segs, Limit: time.Minute})
			if len(r.Repairs) == 0 {
				t.Fatal(r.Cause)
			}
			said := ""
			for _, x := range r.Repairs {
				if at := trace.Replay(p, segs, x.Patch); at >= 0 {
					t.Errorf("segment %d does not end as was drawn", at)
				}
				for _, e := range x.Patch.Edits() {
					said += e.Describe(p) + "\n"
				}
				if x.Cost != r.Cost || len(x.Patch.Edits()) > x.Cost {
					t.Errorf("%d edits cost %d, not %d", len(x.Patch.Edits()), x.Cost, r.Cost)
				}
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("%s is not among\n%s", c.want, said)
			}
		})
	}
}

// TestRight: where the trace ends as drawn nothing is changed; where nothing may change,
// nothing is found.
func TestRight(t *testing.T) {
	p, segs := play(t, program, 4)
	if at := trace.Replay(p, segs, nil); at >= 0 {
		t.Errorf("segment %d", at)
	}
	p, segs = play(t, strings.Replace(program, "at->next = x;", "at->next = at;", 1), 4)
	no := func(int32) bool { return false }
	if r := trace.Solve(context.Background(), &trace.Problem{Program: p, Segments: segs, Free: no, FreeGap: no, Limit: time.Minute}); len(r.Repairs) != 0 {
		t.Errorf("%d repairs where everything is locked", len(r.Repairs))
	}
}

// TestSteps: in a search, what the limit leaves time for is a number of states, the same each time.
func TestSteps(t *testing.T) {
	p, segs := play(t, strings.NewReplacer("at->next = x;", "at->next = at;", "x->prev = at;", "x->prev = x;", "x->next = at->next;", "x->next = at;").Replace(program), 4)
	nodes := int64(0)
	for range 3 {
		r := trace.Solve(budget.Begin(context.Background(), time.Hour), &trace.Problem{Program: p, Segments: segs, Limit: 20 * time.Millisecond})
		if nodes == 0 {
			nodes = r.Nodes
		}
		if r.Nodes != nodes || r.Nodes == 0 || r.Complete || r.Cause != "time limit" {
			t.Errorf("%d states, complete: %v, %s; %d at first", r.Nodes, r.Complete, r.Cause, nodes)
		}
	}
}
