package runs

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestByOneOnMachine finds an edit of links that the text does not have, from tests, and none of
// numbers.
func TestByOneOnMachine(t *testing.T) {
	const programs = "../../bench/outside/programs/"
	for _, x := range []struct{ program, has string }{
		{"skiplist_set", "before[i]->next[i]"},
		{"weekday", ""},
	} {
		req := &job.Job{Files: []string{programs + x.program + "/faulty.c"}, Spec: job.Spec{Tests: programs + x.program + "/tests"}, Limit: time.Minute}
		w, err := New(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := w.Begin(context.Background()); err != nil { // of the text none is one
			t.Fatal(err)
		}
		rep, err := w.ByOneOnMachine(context.Background(), time.Now().Add(time.Minute))
		switch {
		case err != nil:
			t.Fatal(err)
		case x.has == "" && rep.Result != report.None:
			t.Errorf("%s: %v", x.program, rep.Result)
		case x.has != "" && (rep.Result != report.Repaired || !strings.Contains(rep.Repairs[0].Diff, x.has)):
			t.Errorf("%s: %v, %s", x.program, rep.Result, rep.Cause)
		}
	}
}
