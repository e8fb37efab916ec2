package pwp

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/states"
	"gulo/internal/report"
)

const (
	rightArray = `int count(const int *a, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            k = k + 1;
    return k;
}
`
	rightList = `struct node { int data; struct node *next; };
struct node *last(struct node *head)
{
    if (!head)
        return 0;
    while (head->next)
        head = head->next;
    return head;
}
`
	rightNumbers = `int fare(int age, int days)
{
    int p = 10 * days;
    if (age < 18)
        p = p / 2;
    if (days >= 7)
        p = p - 20;
    return p;
}
`
	countCalls = "a=[1,0,2] n=3\na=[0] n=1\na=[0,0] n=2\na=[-1,4] n=2\na=[5] n=1\na=[-3] n=1\n"
)

// changed writes a right program and a variant of it, and returns their names.
func changed(t *testing.T, right string, edits ...string) *job.Job {
	t.Helper()
	wrong := right
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(wrong, edits[i]) {
			t.Fatalf("there is no %q", edits[i])
		}
		wrong = strings.Replace(wrong, edits[i], edits[i+1], 1)
	}
	return &job.Job{Files: []string{file(t, "wrong.c", wrong)}, Spec: job.Spec{Reference: []string{file(t, "right.c", right)}}, Limit: 20 * time.Second}
}

// TestFixCases corrects an array, a list and numbers from a reference, in each the
// statement that was changed, with the evidence that asked for it.
const rightInsert = `#include <stdlib.h>

struct node { int value; struct node *next; };

struct node *insert(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    if (head == NULL || value < head->value) {
        n->next = head;
        return n;
    }
    struct node *p = head;
    while (p->next != NULL && p->next->value < value)
        p = p->next;
    n->next = p->next;
    p->next = n;
    return head;
}

int main(void) { return insert(insert(insert(0, 3), 1), 2)->value; }
`

func TestFixCases(t *testing.T) {
	for _, x := range []struct {
		name, right string
		edits       []string
		calls       string
		want        string
		held        bool
	}{
		{"array", rightArray, []string{"a[i] > 0", "a[i] >= 0"}, countCalls, "+        if (a[i] > 0)", false},
		{"list", rightList, []string{"return 0;", "return head->next;"}, "", "+        return ", true}, /* head is null there, too */
		{"loop of a list", rightList, []string{"head = head->next;", "head = head->next->next;"}, "", "+        head = head->next;", true},
		{"a pointer that is no number", rightInsert, []string{"return head;", "return p;"}, "", "+    return head;", true},
		{"numbers", rightNumbers, []string{"days >= 7", "days > 7"}, "", "+    if (days >= 7)", true},
		{"result of numbers", rightNumbers, []string{"return p;", "return days;"}, "", "+    return p;", true},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			req := changed(t, x.right, x.edits...)
			if x.calls != "" {
				req.Tests = file(t, "calls.txt", x.calls)
			}
			rep, err := FixCases(context.Background(), req, false)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Result != report.Repaired || len(rep.Repairs) != 1 {
				t.Fatalf("%s: %s", rep.Result, rep.Cause)
			}
			r := rep.Repairs[0]
			if !strings.Contains(r.Diff, x.want) {
				t.Errorf("%s, not %s", r.Diff, x.want)
			}
			e := r.Evidence
			if e.Why == "" || !strings.Contains(e.Text, e.Why) || !e.Compiled || e.HeldMet != e.Held || x.held != (e.Held > 0) {
				t.Errorf("%+v", e)
			}
			if rep.Failing == 0 || rep.Example == "" || rep.Trace == "" || len(rep.Explanation) == 0 || rep.Tried == 0 || len(rep.Sources(0)) != 1 {
				t.Errorf("%+v", rep)
			}
		})
	}
}

// TestFixCasesNone: two faults, and a fault in a line that is said to be right, have no
// repair, and nothing is claimed.
func TestFixCasesNone(t *testing.T) {
	two := changed(t, rightNumbers, "10 * days", "11 * days", "p / 2", "p / 3")
	locked := changed(t, rightNumbers, "p - 20", "p + 20")
	locked.Lock = []int{7}
	const class = "../../examples/class/delete/"
	late := &job.Job{Files: []string{class + "fritz.c"}, Spec: job.Spec{Reference: []string{class + "reference.c"}}, Limit: time.Nanosecond}
	for _, x := range []struct {
		name   string
		req    *job.Job
		result string
		cause  string
	}{
		{"two faults", two, report.None, "of one statement that evidences ask for were tried, and none meets all cases"},
		{"locked", locked, report.None, "were tried"},
		{"no time", late, report.Unknown, "time limit"},
	} {
		rep, err := FixCases(context.Background(), x.req, false)
		if err != nil {
			t.Fatal(x.name, err)
		}
		if rep.Result != x.result || !strings.Contains(rep.Cause, x.cause) || len(rep.Repairs) > 0 || rep.Failing == 0 {
			t.Errorf("%s: %s, %s, %d repairs, %d fail", x.name, rep.Result, rep.Cause, len(rep.Repairs), rep.Failing)
		}
	}
	whole := changed(t, "int main(void)\n{\n    return 0;\n}\n", "0", "1")
	whole.Entry = "main"
	if rep, err := FixCases(context.Background(), whole, false); err == nil || !strings.Contains(err.Error(), "an --entry that is not main") {
		t.Errorf("%+v, %v", rep, err)
	}
	same, err := FixCases(context.Background(), &job.Job{Files: two.Reference, Spec: job.Spec{Reference: two.Reference}, Entry: "fare"}, false)
	if err != nil || same.Result != report.Right || same.Evidence.Proof == "" {
		t.Errorf("%+v, %v", same, err)
	}
}

const above = `struct node { int data; struct node *next; };
int above(struct node *head, int bound)
{
    int n = 0;
    for (struct node *p = head; p; p = p->next)
        if (p->data > bound)
            n = n + 1;
    return n;
}
`

// TestFixCasesRefuted: a change that meets the given calls and not one held back is no
// repair, and what refutes it becomes a given case.
func TestFixCasesRefuted(t *testing.T) {
	req := changed(t, rightArray, "a[i] > 0", "a[i] >= 0")
	req.Tests = file(t, "calls.txt", countCalls)
	s := &search{req: req, why: map[report.Changed]string{}}
	cases := 0
	by := &states.Search{None: s.none, Want: 1, Solve: func(ctx context.Context, p *natural.Problem, _ refuter) (*natural.Result, error) {
		before := len(p.Suite.Cases)
		res, err := s.solve(ctx, p, func([]*lower.Overlay) (*oracle.Case, error) { return p.Suite.Cases[0], nil })
		cases = len(p.Suite.Cases) - before
		return res, err
	}}
	rep, err := states.FixBy(context.Background(), req, by)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.None || !strings.Contains(rep.Cause, "met all given cases and failed on some that were held back") || cases == 0 || cases != len(s.unsure) {
		t.Errorf("%s, %s; %d more cases, %d refuted", rep.Result, rep.Cause, cases, len(s.unsure))
	}
}

// TestFixCasesHeld: what is shown agrees on every input that was held back, with dices
// first and without.
func TestFixCasesHeld(t *testing.T) {
	for _, dices := range []bool{false, true} {
		for _, edits := range [][]string{{"> bound", ">= bound"}, {"n + 1", "n + 2"}} {
			rep, err := FixCases(context.Background(), changed(t, above, edits...), dices)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Result != report.Repaired {
				t.Errorf("%v: %s, %s", edits, rep.Result, rep.Cause)
				continue
			}
			e := rep.Repairs[0].Evidence
			if e.Counter != "" || e.HeldMet < e.Held || e.AllMet < e.All || e.Held < 100 {
				t.Errorf("%v: %s", edits, e.Text)
			}
		}
	}
}
