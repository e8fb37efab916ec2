package judge

import (
	"strings"
	"testing"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/lower/lowertest"
	"gulo/internal/oracle"
)

// logbook reads a variable that is only stored on one path.
const logbook = `#include <stdio.h>
#include <stdlib.h>
struct log { int *data; int n, max; };
static int grow(struct log *l)
{
    l->max *= 2;
    l->data = realloc(l->data, l->max * sizeof *l->data);
    return l->data != NULL;
}
static void record(struct log *l, int x)
{
    int room;
    if (l->n == l->max)
        room = grow(l);
    if (!room)
        return;
    if (l->n > 0 && l->data[l->n - 1] == x)
        return;
    l->data[l->n] = x;
    l->n++;
    printf("%d noted\n", x);
}
int main(void)
{
    struct log l = { malloc(2 * sizeof(int)), 0, 2 };
    int x;
    while (scanf("%d", &x) == 1)
        record(&l, x);
    printf("%d\n", l.n);
    free(l.data);
    return 0;
}
`

// TestParting compares two initial values of a variable: where the runs part, and whether the function with the error
// only returns with the one.
func TestParting(t *testing.T) {
	both := strings.NewReplacer("    if (!room)\n        return;\n", "    if (room)\n        l->max++;\n    else\n        l->n = 0;\n")
	same := strings.NewReplacer("    if (!room)\n        return;\n", "    l->max += room;\n")
	second := strings.NewReplacer("malloc(2 * sizeof(int)), 0, 2", "malloc(2 * sizeof(int)), 1, 2") // what the other value goes on to is an error, too
	for _, x := range []struct {
		name         string
		change       *strings.Replacer
		now, rival   string
		skips, parts bool
	}{
		{"only returns", strings.NewReplacer(), "room = 0", "room = 1", true, true},
		{"goes on", strings.NewReplacer(), "room = 1", "room = 0", false, true},
		{"the other one goes on to another error", second, "room = 0", "room = 1", true, true},
		{"each does something", both, "room = 0", "room = 1", false, true},
		{"each does something, turned round", both, "room = 1", "room = 0", false, true},
		{"nothing is decided", same, "room = 0", "room = 1", false, false},
	} {
		text := x.change.Replace(logbook)
		wrong, _ := lowertest.Load(t, text)
		now, _ := lowertest.Load(t, strings.Replace(text, "int room;", "int "+x.now+";", 1))
		rival, _ := lowertest.Load(t, strings.Replace(text, "int room;", "int "+x.rival+";", 1))
		j := &Judge{Set: &cases.Set{Prog: wrong, Given: oracle.Runs(wrong, []oracle.Test{{Stdin: "3\n"}, {Stdin: "x\n"}}, 0)}}
		j.Job = &job.Job{Spec: job.Spec{Memory: true}}
		got, ok, err := j.Parting(now, rival)
		if err != nil || !ok || got.Skips != x.skips || (got.At != nil) != x.parts {
			t.Errorf("%s: %+v, %v, %v", x.name, got, ok, err)
		}
		if got.At != nil && !strings.Contains(got.At.Range.Text(), "room") {
			t.Errorf("%s: they part at %s", x.name, got.At.Range.Text())
		}
	}
}
