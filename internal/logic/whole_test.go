package logic

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/symbolic"
)

const stacked = `#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; struct node *min; };
struct node *push(struct node *top, int v)
{
    struct node *n = malloc(sizeof *n);
    n->data = v;
    n->next = top;
    n->min = top == NULL || top->min->data > v ? n : top->min;
    return n;
}
`

const summed = `#include <stdio.h>
int main(void)
{
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += i;
    printf("sum %d\n", s);
    return s > 5;
}
`

// TestNeverRight: a stack whose nodes know the least value, and programs without input
// that print or end otherwise.
func TestNeverRight(t *testing.T) {
	need(t)
	for _, c := range []struct{ right, entry, old, new string }{
		{stacked, "push", "data > v", "data < v"},
		{strings.NewReplacer("struct node *min;", "int min;", "top->min->data", "top->min", "? n :", "? v :").Replace(stacked), "push", "min > v", "min < v"},
		{summed, "main", "i < 4", "i < 3"},
		{summed, "main", "sum %", "Sum %"},
		{summed, "main", "s > 5", "s > 7"},
	} {
		wrong := strings.Replace(c.right, c.old, c.new, 1)
		if wrong == c.right {
			t.Fatalf("%s is not there", c.old)
		}
		rep, err := answer(&job.Job{Files: []string{file(t, "wrong.c", wrong)}, Spec: job.Spec{Reference: []string{file(t, "right.c", c.right)}}, Entry: c.entry, Limit: 20 * time.Second, Logic: job.Logic{Random: 50}})
		var un *symbolic.Unsupported
		if errors.As(err, &un) && c.entry != "main" {
			continue
		}
		if err != nil || rep.Met() {
			t.Errorf("%s: %+v, %v", c.new, rep, err)
		}
	}
}
