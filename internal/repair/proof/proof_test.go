package proof_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair/proof"
	"gulo/internal/repair/trace"
	"gulo/internal/session"
	"gulo/internal/smt"
	"gulo/internal/target/sim"
)

const reverse = `#include <stdlib.h>
struct node { int data; struct node *next, *prev; } *head;
void push(int d)
{
    struct node *n = malloc(sizeof *n);
    n->data = d;
    n->prev = NULL;
    n->next = head;
    if (head != NULL)
        head->prev = n;
    head = n;
}
void reverse(void)
{
    struct node *current, *temp1 = NULL, *temp2 = NULL;
    current = head;
    while (current != NULL) {
        temp1 = current->prev;
        temp2 = current->prev;
        current->prev = temp2;
        current->next = temp1;
        current = current->prev;
    }
    head = temp1->prev;
}
int count;
void number(void)
{
    struct node *n;
    for (n = head; n != NULL; n = n->next)
        n->data = count;
}
int main(void)
{
    push(2);
    push(4);
    push(8);
    number();
    reverse();
    return 0;
}
`

// play runs commands and returns the program with what is asserted.
func play(t *testing.T, commands ...string) (*lower.Program, *session.Session) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(reverse), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	s := session.New(p, sim.New(p, sim.Config{Name: path}), session.Config{})
	t.Cleanup(s.Close)
	for _, c := range commands {
		if _, _, err := s.Exec(context.Background(), c); err != nil {
			t.Fatalf("%s: %v", c, err)
		}
	}
	return p, s
}

func problem(p *lower.Program, s *session.Session) *proof.Problem {
	return &proof.Problem{Program: p, Segments: s.Segments(), Deferred: trace.Deferred(p, s.Segments()), Slots: 1, Explain: true, Limit: 3 * time.Minute}
}

// twice is the session of Wolverine2 section 2.1 up to its first repair.
var twice = []string{
	"start; next 4; step; next 3", "spec", "enter; next 5; change current n2; change n3->prev n2; change n3->next null; spec",
	"enter; next 5; change current n1; change n2->prev n1; change n2->next n3; spec",
}

// TestStrategies gives the same query to all strategies and both solvers; every
// repair must meet the assertions when it is executed.
func TestStrategies(t *testing.T) {
	p, s := play(t, twice...)
	engines := []proof.Engine{proof.SAT}
	if smt.Available() {
		engines = append(engines, proof.Z3)
	}
	for _, e := range engines {
		for _, st := range []proof.Strategy{proof.Minimal, proof.Algorithm3, proof.AlgVar} {
			q := problem(p, s)
			q.Engine, q.Strategy, q.Seed = e, st, 3
			r := proof.Solve(context.Background(), q)
			if r.Patch == nil {
				t.Errorf("engine %d, strategy %d: no repair: %s", e, st, r.Cause)
				continue
			}
			if k := trace.Replay(p, s.Segments(), r.Patch); k >= 0 {
				t.Errorf("engine %d, strategy %d: the repair fails segment %d", e, st, k)
			}
			if st == proof.Minimal && r.Cost != 1 {
				t.Errorf("engine %d: minimal cost %d, want 1", e, r.Cost)
			}
		}
	}
}

// TestConflict asserts that the same statements, from the same state, end in
// two different ones: the core names both checkpoints and the entity.
func TestConflict(t *testing.T) {
	p, s := play(t, "start; next 4; step; next 3", "spec", "enter; next 5; change current n2; change n3->prev n2; change n3->next null; spec",
		"resume 0", "enter; next 5; change current n2; change n3->prev null; change n3->next n1; spec", "resume 1")
	first := s.Segments()
	if _, _, err := s.Exec(context.Background(), "resume 2"); err != nil {
		t.Fatal(err)
	}
	q := problem(p, s)
	q.Segments = append(append(q.Segments[:0:0], first...), s.Segments()[len(s.Segments())-1])
	for _, e := range []proof.Engine{proof.SAT, proof.Z3} {
		if e == proof.Z3 && !smt.Available() {
			continue
		}
		q.Engine = e
		r := proof.Solve(context.Background(), q)
		if r.Patch != nil || !r.Proved {
			t.Fatalf("engine %d: patch %v, proved %v (%s)", e, r.Patch, r.Proved, r.Cause)
		}
		segs := map[int]bool{}
		key := ""
		for _, c := range r.Conflict {
			segs[c.Segment] = true
			key = c.Cell.Key
		}
		if len(segs) != 2 || !segs[len(q.Segments)-1] || !strings.HasPrefix(key, "n3->") {
			t.Errorf("engine %d: conflict %v, want the two ends of the first iteration", e, r.Conflict)
		}
	}
}

// TestConstant needs a constant that the program does not mention.
func TestConstant(t *testing.T) {
	if !smt.Available() {
		t.Skip(smt.ErrMissing)
	}
	p, s := play(t, "start; next 3; step; spec", "next 2; next; change n3->data 4711; spec")
	q := problem(p, s)
	q.Engine, q.Constants = proof.Z3, true
	r := proof.Solve(context.Background(), q)
	if r.Patch == nil {
		t.Fatalf("no repair: %s %v", r.Cause, r.Conflict)
	}
	if d := r.Patch.Edits()[0].Describe(p); !strings.Contains(d, "4711") {
		t.Errorf("the repair is %s", d)
	}
	q.Constants, q.Engine = false, proof.SAT
	if r := proof.Solve(context.Background(), q); r.Patch != nil {
		t.Errorf("without constants of the solver's: %s", r.Patch.Edits()[0].Describe(p))
	}
}

// TestSlots needs an insertion; without slots the core says so.
func TestSlots(t *testing.T) {
	p, s := play(t, "start; next 3; step; spec", "finish; change head n1; spec")
	q := problem(p, s)
	q.Slots = 0
	q.Free = func(int32) bool { return false }
	if r := proof.Solve(context.Background(), q); r.Patch != nil || !r.Proved {
		t.Errorf("patch %v, proved %v (%s)", r.Patch, r.Proved, r.Cause)
	}
	q.Slots = 1
	if r := proof.Solve(context.Background(), q); r.Patch == nil || r.Cost != 1 {
		t.Errorf("with a slot: %+v", r)
	}
}
