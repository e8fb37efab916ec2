package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/locate"
	"gulo/internal/lower"
	"gulo/internal/report"
)

// TestOneLoad: a job reads a text once, whichever engines it asks, and none of them changes what was read.
func TestOneLoad(t *testing.T) {
	dir := t.TempDir()
	right := write(t, dir, "right.c", strings.Replace(larger, "ASSERT", "", 1))
	wrong := write(t, dir, "wrong.c", strings.Replace(strings.Replace(larger, "ASSERT", "assert(r >= a && r >= b);", 1), "a < b", "a > b", 1))
	few := tests(t, map[string]string{"3 5": "larger: 5\n", "4 4": "larger: 4\n"})
	for i, x := range []struct {
		name string
		spec job.Spec
		args []string
	}{
		{"reference", job.Spec{Reference: []string{right}}, []string{"3", "5"}},
		{"reference and tests", job.Spec{Reference: []string{right}, Tests: few}, nil},
		{"reference and assertions", job.Spec{Reference: []string{right}, Assert: true}, []string{"3", "5"}},
		{"contract and tests", job.Spec{Contracts: true, Tests: few}, nil},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		for _, what := range []string{"fix", "locate"} {
			j := &job.Job{Files: []string{wrong}, Spec: x.spec, Args: x.args, Limit: 2 * time.Minute, Texts: &job.Texts{}}
			var err error
			if what == "fix" {
				_, err = Fix(context.Background(), j)
			} else {
				_, err = locate.Locate(context.Background(), j)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", what, x.name, err)
				continue
			}
			if n := j.Texts.Times(); n != 1 {
				t.Errorf("%s, %s: a text was read %d times", what, x.name, n)
			}
			for _, file := range []string{wrong, right} {
				fresh, err := lower.Load(context.Background(), []string{file}, j.Options)
				if err != nil {
					t.Fatal(err)
				}
				kept, err := j.Texts.Load(context.Background(), []string{file}, j.Options)
				if err != nil {
					t.Fatal(err)
				}
				if a, b := lowered(fresh), lowered(kept); a != b {
					t.Errorf("%s, %s: what was read of %s has changed:\n%s\nnow\n%s", what, x.name, file, a, b)
				}
			}
		}
	}
}

// lowered prints a program as it was lowered.
func lowered(p *lower.Program) string {
	var b strings.Builder
	for _, f := range p.IR.Funcs {
		b.WriteString(f.String())
	}
	for _, g := range p.IR.Globals {
		fmt.Fprintf(&b, "%s %s %x\n", g.Name, g.Type, g.Data)
	}
	fmt.Fprintf(&b, "%d statements, %d gaps, %d opaque\n", len(p.Stmts), len(p.Gaps), len(p.Tree.Opaque))
	return b.String()
}

// TestDeclined: an engine that is asked alone searches, or the answer says why it does not.
func TestDeclined(t *testing.T) {
	dir := t.TempDir()
	faulty := strings.Replace(strings.Replace(larger, "ASSERT", "", 1), "a < b", "a > b", 1)
	wrong := write(t, dir, "wrong.c", faulty)
	few := tests(t, map[string]string{"3 5": "larger: 5\n", "4 4": "larger: 4\n", "7 1": "larger: 7\n"})
	a, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Tests: few}, Engines: []string{"heap"}, Limit: time.Minute})
	if err != nil || a.Report.Result != report.Repaired {
		t.Errorf("heap: %+v, %v", a, err)
	}
	_, err = Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Contracts: true}, Engines: []string{"heap"}, Limit: time.Minute})
	var use *job.UsageError
	if !errors.As(err, &use) || !strings.Contains(err.Error(), "heap: no reference is given") {
		t.Errorf("heap, of a contract: %v", err)
	}
}
