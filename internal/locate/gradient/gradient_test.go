package gradient_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gulo/internal/locate/gradient"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/report"
	"gulo/internal/session"
	"gulo/internal/spec"
	"gulo/internal/target/sim"
)

const program = `#include <stdlib.h>

struct node {
    struct node *next, *prev;
    int value;
};

struct node *a, *b, *c;

void insert(struct node *at, struct node *x)
{
    int count = 0;
    x->next = at->next;
    x->prev = at;
    at->next = x;
    count = count + 1;
    x->next->prev = x;
}

int main(void)
{
    a = malloc(sizeof *a);
    b = malloc(sizeof *b);
    c = malloc(sizeof *c);
    a->next = b;
    a->prev = NULL;
    b->next = NULL;
    b->prev = a;
    a->value = b->value = c->value = 0;
    c->next = c->prev = NULL;
    insert(a, c);
    return 0;
}
`

// play runs the commands of a user in insert, from its entry to its end.
func play(t *testing.T, text, commands string) (*lower.Program, []*spec.Segment) {
	t.Helper()
	p, file := lowertest.Load(t, text)
	ctx := context.Background()
	s := session.New(p, sim.New(p, sim.Config{Name: file}), session.Config{Name: file})
	t.Cleanup(s.Close)
	for _, line := range append([]string{"start", "break insert", "continue", "spec"}, strings.Split(commands, "; ")...) {
		if _, _, err := s.Exec(ctx, line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return p, s.Segments()
}

// ends goes to the closing brace of insert.
const ends = "next; next; next; next; next; next"

// TestRight: a trace that ends as it is asserted makes nothing suspicious (section 5: what
// is asserted is what the forward execution leaves).
func TestRight(t *testing.T) {
	p, segs := play(t, program, ends+"; spec")
	if r := gradient.Locate(p, segs, nil); len(r.Suspects) != 0 || r.Missing || r.Total < 4 || len(r.Rows) < r.Total {
		t.Errorf("%+v", r)
	}
}

// TestWrong asserts what the right program leaves after a wrong one: the wrong statement is
// among the first that are suspected, behind what it leads astray, and what did not take
// part in it is not suspected at all.
func TestWrong(t *testing.T) {
	for _, c := range []struct {
		name, old, new, change string
		rank                   int // at least
	}{
		{"another node", "at->next = x;", "at->next = at;", "change a->next n3; change b->prev n3; change n1->prev null", 1},
		{"another field", "x->prev = at;", "x->next = at;", "change c->next n2; change c->prev n1; change b->prev n3; change n1->prev null", 3},
		{"another value", "x->prev = at;", "x->prev = x;", "change c->prev n1", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(program, c.old, c.new, 1)
			p, segs := play(t, text, ends+"; "+c.change+"; spec")
			r := gradient.Locate(p, segs, nil)
			line := 1 + strings.Count(text[:strings.Index(text, c.new)], "\n")
			rank := 1 + slices.IndexFunc(r.Suspects, func(s report.Suspect) bool { return s.Stmt.Range.Position().Line == line })
			if rank == 0 || rank > c.rank {
				t.Errorf("line %d has rank %d: %+v", line, rank, r.Suspects)
			}
			for i, s := range r.Suspects {
				st := s.Stmt
				if strings.Contains(st.Range.Text(), "count") {
					t.Errorf("%s is suspected: %s", st.Range.Text(), s.Reason)
				}
				if s.Reason == "" || s.Score <= 0 || i > 0 && s.Score > r.Suspects[i-1].Score || !r.Suspicious(s.Stmt.ID) {
					t.Errorf("%s: %+v", st.Range.Text(), s)
				}
			}
		})
	}
}

// TestMissing: where nothing writes what is asserted, a statement is missing.
func TestMissing(t *testing.T) {
	p, segs := play(t, strings.Replace(program, "    x->prev = at;\n", "", 1), "next; next; next; next; next; change c->prev n1; spec")
	if r := gradient.Locate(p, segs, nil); !r.Missing {
		t.Errorf("%+v", r)
	}
}
