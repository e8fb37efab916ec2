package pipeline

import (
	"context"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/report"
	"gulo/internal/trust"
)

// TestInterim: when the time is up, a repair that meets everything given is shown, one that was refuted is not, and
// the result of a search that came to its end counts.
func TestInterim(t *testing.T) {
	now := time.Now()
	texts := map[string]string{"a.c": "int main(void) { return 0; }\n"}
	one := report.Repair{Diff: "+x", Evidence: trust.Facts{Given: 3, Kind: "test", Held: 9, HeldMet: 9}}
	for _, x := range []struct {
		what    string
		until   time.Time
		result  string
		cause   string
		offered bool
		refuted bool
		want    int
	}{
		{"cut", now.Add(time.Hour), report.Unknown, report.TimeLimit, true, false, 1},
		{"over", now.Add(-time.Hour), report.None, "none of 9 edits", true, false, 1},
		{"complete", now.Add(time.Hour), report.None, "none of 9 edits", true, false, 0},
		{"refuted", now.Add(-time.Hour), report.None, "none of 9 edits", true, true, 0},
		{"nothing", now.Add(-time.Hour), report.Unknown, report.TimeLimit, false, false, 0},
		{"repaired", now.Add(-time.Hour), report.Repaired, "", true, false, 0},
	} {
		p := &pipe{j: &job.Job{Best: report.NewSoFar(context.Background())}, until: x.until}
		if x.offered {
			p.j.Best.Offer(report.Meets, one, texts)
		}
		if x.refuted {
			p.j.Best.Drop(texts)
		}
		got := p.interim(context.Background(), &Answer{Report: &report.Report{Result: x.result, Cause: x.cause, Failing: 1, Cases: 3, Example: "on 5"}}).Report
		if len(got.Repairs) != x.want || got.SoFar != (x.want > 0) || x.want == 0 && got.Result != x.result {
			t.Errorf("%s: %+v", x.what, got)
			continue
		}
		if x.want > 0 {
			if text := got.Repairs[0].Evidence.Text; got.Result != report.Unknown || got.Example != "on 5" || text != "meets all 3 tests (only 3); the search was stopped before the repair was tried on other inputs" {
				t.Errorf("%s: %q %+v", x.what, text, got)
			}
		}
	}
}

// late is an engine that uses up all time, and says that there is no repair.
type late struct{}

func (late) Engine() string      { return "runs" }
func (late) Accepts(*pipe) error { return nil }
func (late) Search(ctx context.Context, p *pipe) (*Answer, error) {
	budget.Spend(ctx, budget.Of(time.Hour))
	return &Answer{Report: &report.Report{Result: report.None, Cause: "none of 9 edits meets all runs"}}, nil
}

// TestLate: an engine that ends because the time is up cannot know that there is no repair.
func TestLate(t *testing.T) {
	ctx := budget.Begin(context.Background(), time.Hour)
	for _, x := range []struct {
		left time.Duration
		want string
	}{{2 * time.Hour, "none of 9 edits meets all runs"}, {time.Minute, report.TimeLimit}} {
		p := &pipe{j: &job.Job{Best: report.NewSoFar(ctx)}, until: budget.After(ctx, x.left)}
		if _, err := p.ask(ctx, late{}); err != nil {
			t.Fatal(err)
		}
		if r := p.best.Report; r.Cause != x.want || (r.Result == report.None) != (x.want != report.TimeLimit) {
			t.Errorf("%v: %s, %q", x.left, r.Result, r.Cause)
		}
	}
}
