package pwp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gulo/internal/job"
	"gulo/internal/report"
)

// parking is a program whose function works on variables that only runs fill.
const parking = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct car { int plate; struct car *behind; };

static struct car *lane;
static int parked, turned_away;

/* pre:  acyclic(lane)
   post: implies(old(parked) < 3, result == 1 && parked == old(parked) + 1 && lane->plate == plate && lane->behind == old(lane))
   post: implies(old(parked) >= 3, result == 0 && parked == old(parked) && turned_away == old(turned_away) + 1) */
static int enter(int plate)
{
    struct car *c;
    if (parked >= 3) {
        turned_away++;
        return 0;
    }
    c = malloc(sizeof *c);
    c->plate = plate;
    c->behind = lane;
    lane = c;
    parked++;
    return 1;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%s %s\n", argv[i], enter(atoi(argv[i])) ? "in" : "full");
    printf("%d parked, %d turned away\n", parked, turned_away);
    while (lane) {
        struct car *c = lane;
        lane = c->behind;
        free(c);
    }
    return 0;
}
`

// TestCallsOfRuns: the calls of a run are the tests where calls cannot be made up: the fourth car
// is turned away only when three are parked.
func TestCallsOfRuns(t *testing.T) {
	name := file(t, "p.c", strings.Replace(parking, "turned_away++;", "parked++;", 1))
	with := &job.Job{Files: []string{name}, Args: []string{"11", "12", "13", "14", "15"}}
	rep, err := Fix(context.Background(), with)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Failing == 0 || rep.Cases < 4 || !strings.Contains(rep.Example, "call 4 of enter in the run with 11 12 13 14 15") && !strings.Contains(rep.Example, "parked") {
		t.Errorf("%d of %d calls fail: %s", rep.Failing, rep.Cases, rep.Example)
	}
	if !strings.Contains(strings.Join(rep.Notes, "; "), "enter is called in the states that runs came to") {
		t.Errorf("no note says where the states come from: %q", rep.Notes)
	}
	if rep.Result == report.Repaired && !strings.Contains(rep.Repairs[0].Evidence.Text, "from runs of the program") {
		t.Errorf("the evidence does not say where the calls come from: %s", rep.Repairs[0].Evidence.Text)
	}
	tk, err := prepare(context.Background(), with)
	if err != nil {
		t.Fatal(err)
	}
	inRun := 0
	for _, c := range tk.tests[:tk.bad] {
		if strings.HasSuffix(c.Name, "in the run with 11 12 13 14 15") {
			inRun++
		}
	}
	if inRun != 1 {
		t.Errorf("%d failing calls of the run in hand are tests; after the first, the program is not what it should be", inRun)
	}
	right, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "p.c", parking)}, Args: with.Args})
	if err != nil || right.Result != report.Alike || !strings.Contains(right.Cause, "runs of the program") {
		t.Errorf("a right program: %+v, %v", right, err)
	}
}

// TestNoCall is a function that is given what nobody can make up, in a program that never calls it.
func TestNoCall(t *testing.T) {
	_, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "p.c", "/* post: result >= 0 */\nint f(void *p) { return p ? 1 : -1; }\nint main(void) { return 0; }\n")}})
	var use *job.UsageError
	if !errors.As(err, &use) || !strings.Contains(err.Error(), "no run that was tried calls f") {
		t.Errorf("%v", err)
	}
}
