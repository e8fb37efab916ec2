package pwp

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/report"
)

// TestSteps: what the search tries until its time is over is the same each time.
func TestSteps(t *testing.T) {
	text := strings.NewReplacer("s < a[i]", "s > a[i]", "int i = 1", "int i = 2").Replace(largest)
	tried := 0
	for range 3 {
		rep, err := Fix(budget.Begin(context.Background(), time.Hour), &job.Job{Files: []string{file(t, "p.c", text)}, Limit: 30 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if tried == 0 {
			tried = rep.Tried
		}
		if rep.Tried != tried || rep.Tried == 0 || rep.Result != report.Unknown || rep.Cause != "time" {
			t.Errorf("%d tried, %d at first; %s, %s", rep.Tried, tried, rep.Result, rep.Cause)
		}
	}
}
