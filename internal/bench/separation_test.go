package bench

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/logic"
	"gulo/internal/report"
	"gulo/internal/smt"
)

// TestSeparation corrects those mutants of the controller whose stories the paper
// tells, and two with more than one fault.
func TestSeparation(t *testing.T) {
	if !smt.Available() {
		t.Skip("no z3")
	}
	program, list, err := Mutants()
	if err != nil || len(list) != 41 {
		t.Fatal(len(list), err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	in, err := separation.ReadFile("separation/inputs.json")
	if err != nil {
		t.Fatal(err)
	}
	right, inputs := write("right.c", program), write("inputs.json", string(in))
	want := map[string]string{"2": "climb_blocked ? up_gap + CROSS_MARGIN : up_gap", "18": "640", "15": "400", "36": "CLIMB"}
	ctx := budget.Begin(context.Background(), time.Hour) // the minute of each search is counted, and not by the clock
	for _, m := range list {
		first, ok := want[m.Name]
		if !ok || testing.Short() && m.Name != "2" && m.Name != "36" {
			continue
		}
		rep, err := logic.Fix(ctx, &job.Job{
			Files: []string{write("m.c", m.Text)}, Spec: job.Spec{Reference: []string{right}}, Entry: "advise", Inputs: inputs, Limit: time.Minute, Logic: job.Logic{Random: -1},
		})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Result != report.Repaired || rep.Proof != "proved" || rep.Repairs[0].Edits[0].After != first {
			t.Errorf("mutant %s: %s %s %+v", m.Name, rep.Result, rep.Cause, rep.Repairs)
		}
	}
}
