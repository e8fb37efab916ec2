package woven

import (
	"context"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair/textedit"
)

const queue = `#include <stdio.h>
#include <stdlib.h>
#define NONE (-1)
struct job { int no; struct job *next; };
static struct job *head, *tail;
static void add(int no)
{
	struct job *j = malloc(sizeof *j);
	j->no = no;
	j->next = NULL;
	if (tail == NULL)
		head = j;
	else
		tail->next = j;
	tail = j;
}
static int first(void)
{
	int n = NONE;
	if (head != NULL) {
		struct job *j = head;
		n = j->no;
		head = j->next;
		if (head == NULL)
			tail = NULL;
		free(j);
	}
	return n;
}
int main(void)
{
	for (int i = 3; i > 0; i--)
		add(i);
	printf("%d ", first());
	add(7);
	while (head != NULL)
		printf("%d ", first());
	printf("%d\n", first());
	return 0;
}
`

// TestAsRewritten holds that the woven program does with an edit in force what the rewritten
// program does, and without one what the program does.
func TestAsRewritten(t *testing.T) {
	does := func(p *lower.Program) *oracle.Run {
		t.Helper()
		r, err := oracle.NewRunner(&oracle.Suite{Prog: p})
		if err != nil {
			t.Fatal(err)
		}
		run, err := r.Run(&oracle.Case{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	p := parsed(t, queue)
	var last *lower.Stmt
	for _, st := range p.Stmts {
		if st != nil && st.Func.Name == "main" && st.Kind == lower.Return {
			last = st
		}
	}
	none := func(*cfront.Var, int) bool { return false }
	s, err := prepare(context.Background(), &Problem{
		Prog: p, Funcs: p.Tree.Funcs[:2],
		Suite: &oracle.Suite{Prog: p, Cases: []*oracle.Case{{Until: &oracle.Until{Func: last.Func, Call: 1, Stmt: last.ID, Inside: true, Visit: 1, Want: &heap.Image{}, Counts: none}}}},
	})
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	same := func(a, b *oracle.Run) bool {
		if a.Fault != nil || b.Fault != nil {
			return a.Fault != nil && b.Fault != nil // a recursion without end meets one bound or another
		}
		return a.Output == b.Output && a.Status == b.Status
	}
	plain, err := s.chosen(&oracle.Case{}, 0, 0)
	if err != nil || !same(plain, does(p)) {
		t.Fatalf("without an edit: %+v, %v", plain, err)
	}
	tried, patches := 0, 0
	for i := 0; i < len(s.woven.Choices); i += max(1, len(s.woven.Choices)/30) {
		c := s.woven.Choices[i]
		texts, ok := textedit.Apply(c.Edit)
		if !ok {
			continue
		}
		got, err := s.chosen(&oracle.Case{}, c.First, c.Second)
		if err != nil {
			t.Fatal(err)
		}
		if want := does(parsed(t, texts["queue.c"])); !same(got, want) {
			t.Errorf("%s: %q %v, and rewritten %q %v", c.Shown(), got.Output, got.Fault, want.Output, want.Fault)
		}
		tried++
		if s.patch(c) != nil {
			patches++
		}
	}
	if tried < 20 || patches < tried/2 {
		t.Errorf("%d edits tried, %d of them patches of statements", tried, patches)
	}
}
