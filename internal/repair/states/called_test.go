package states

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestCallsOfRuns has functions for which no inputs can be made from a shape, so that they are called
// in the states that runs come to: structs by value, nodes with texts, links inside of nodes,
// a heap in an array, a literal. Each answer runs natively, too.
func TestCallsOfRuns(t *testing.T) {
	for _, c := range []struct{ name, text, right, wrong, args string }{
		{"struct by value", `#include <stdio.h>
#include <stdlib.h>
typedef struct { int hour, minute; } when;
static int earlier(when a, when b)
{
	return RIGHT;
}
int main(int argc, char **argv)
{
	when best = {24, 0};
	for (int i = 1; i + 1 < argc; i += 2) {
		when w = {atoi(argv[i]), atoi(argv[i + 1])};
		if (earlier(w, best))
			best = w;
	}
	printf("%d:%02d\n", best.hour, best.minute);
	return 0;
}
`, "a.hour < b.hour || (a.hour == b.hour && a.minute < b.minute)", "a.hour < b.hour || (a.hour == b.hour && a.minute > b.minute)", "7 30 7 15 9 0"},
		{"links inside", `#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
struct link { struct link *next, *prev; };
struct job { const char *kind; int cost; struct link run; };
#define JOB(l) ((struct job *)((char *)(l) - offsetof(struct job, run)))
static struct link queue = {&queue, &queue};
static void enqueue(struct job *j)
{
	struct link *at = queue.next;
	while (at != &queue && RIGHT)
		at = at->next;
	j->run.next = at;
	j->run.prev = at->prev;
	at->prev->next = &j->run;
	at->prev = &j->run;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct job *j = malloc(sizeof *j);
		j->cost = atoi(argv[i]);
		j->kind = j->cost > 9 ? "long" : "short";
		enqueue(j);
	}
	for (struct link *l = queue.next; l != &queue; l = l->next)
		printf("%s %d\n", JOB(l)->kind, JOB(l)->cost);
	return 0;
}
`, "JOB(at)->cost <= j->cost", "JOB(at)->cost >= j->cost", "3 12 5 3 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			right := write(t, "right.c", strings.Replace(c.text, "RIGHT", c.right, 1))
			wrong := write(t, "wrong.c", strings.Replace(c.text, "RIGHT", c.wrong, 1))
			rep, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Args: strings.Fields(c.args), Limit: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Result != report.Repaired || len(rep.Repairs) == 0 {
				t.Fatalf("%s: %s %s", rep.Result, rep.Example, rep.Cause)
			}
			ev := rep.Repairs[0].Evidence
			if ev.Missing != "" || ev.Guarded == 0 || ev.HeldMet != ev.Held || ev.Held < 50 {
				t.Errorf("%s\n%s", rep.Repairs[0].Diff, ev.Text)
			}
			if text := strings.Join(rep.Notes, "; "); !strings.Contains(text, "in the states that runs came to") {
				t.Errorf("notes: %s", text)
			}
		})
	}
}
