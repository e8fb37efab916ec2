package runs

import (
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/report"
)

// TestByOneOnMachine finds an edit of links that the text does not have, from tests, and of numbers
// that of the text. Edits of the text that meet the tests by luck, with an index beyond an array, stand
// in no way.
func TestByOneOnMachine(t *testing.T) {
	const programs = "../../bench/outside/programs/"
	for _, x := range []struct{ program, has string }{
		{"skiplist_set", "before[i]->next[i]"},
		{"weekday", "y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)"},
	} {
		req := &job.Job{Files: []string{programs + x.program + "/faulty.c"}, Spec: job.Spec{Tests: programs + x.program + "/tests"}, Limit: time.Minute}
		ctx := steady()
		w, err := New(ctx, req)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := w.Begin(ctx); err != nil {
			t.Fatal(err)
		}
		rep, err := w.ByOneOnMachine(ctx, budget.After(ctx, time.Minute))
		switch {
		case err != nil:
			t.Fatal(err)
		case rep.Result != report.Repaired || !strings.Contains(rep.Repairs[0].Diff, x.has):
			t.Errorf("%s: %v, %s", x.program, rep.Result, rep.Cause)
		}
	}
}
