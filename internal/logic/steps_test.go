package logic

import (
	"context"
	"fmt"

	"sync/atomic"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/report"
)

// busy has four goroutines work until the function that it returns is called.
func busy() (stop func()) {
	var over atomic.Bool
	for range 4 {
		go func() {
			for n := 0; !over.Load(); n++ {
			}
		}()
	}
	return func() { over.Store(true) }
}

// TestSteps: a search that its time ends in the middle has done the same on a busy machine, to the step.
func TestSteps(t *testing.T) {
	need(t)
	const text = `int search(const int *a, int n, int key)
{
    int lo = %s;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
`
	wrong, right := file(t, "wrong.c", fmt.Sprintf(text, "1, hi = n - 1")), file(t, "right.c", fmt.Sprintf(text, "0, hi = n"))
	inputs := file(t, "inputs.json", `{"inputs": [{"name": "a", "len": 3, "min": -1000, "max": 1000}, {"name": "n", "min": 0, "max": 3}]}`)
	does := func(limit time.Duration) string {
		ctx := budget.Begin(context.Background(), time.Hour)
		rep, err := Fix(ctx, &job.Job{
			Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Entry: "search", Inputs: inputs, Limit: limit, Logic: job.Logic{Random: 100},
		})
		if err != nil {
			return err.Error()
		}
		if rep.Result != report.Unknown || rep.Cause != "time" {
			t.Errorf("%v: %s, %s, and not ended by its time", limit, rep.Result, rep.Cause)
		}
		return fmt.Sprintf("%d candidates, %d questions, %v, %v", rep.Tried, rep.Queries, rep.Diagnoses, rep.Repairs)
	}
	const limit = 100 * time.Millisecond
	idle := does(limit)
	stop := busy()
	beside := does(limit)
	stop()
	if beside != idle {
		t.Errorf("on a busy machine: %s\nelse: %s", beside, idle)
	}
}
