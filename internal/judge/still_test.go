package judge

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/report"
)

// TestStill: a repair with which all tests are met is refuted by a run like them that still reads what was
// freed; one with which none does is not.
func TestStill(t *testing.T) {
	const dir = "../bench/outside/fresh/history_tabs/"
	req := &job.Job{Files: []string{dir + "faulty.c"}, Spec: job.Spec{Tests: dir + "tests"}, Limit: time.Minute}
	set, err := cases.OfRuns(context.Background(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	j := &Judge{Set: set, Until: time.Now().Add(time.Minute)}
	defer j.Close()
	faulty, err := os.ReadFile(dir + "faulty.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name, old, new string
		ok             bool
	}{
		{"once", "        moved++;\n", "        moved++;\n        if (h->current == h->oldest)\n            return moved;\n", false},
		{"always", "    h->oldest = p->next;\n", "    h->oldest = p->next;\n    if (h->oldest)\n        h->oldest->prev = NULL;\n", true},
	} {
		text := strings.Replace(string(faulty), x.old, x.new, 1)
		if text == string(faulty) {
			t.Fatal(x.name)
		}
		var out report.Repair
		ok, err := j.Natively(context.Background(), map[string]string{set.Prog.Tree.Files[0].Name: text}, &out)
		if err != nil || ok != x.ok {
			t.Errorf("%s: %v, %v", x.name, ok, err)
		}
	}
}
