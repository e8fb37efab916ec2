package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
)

// TestByInputs: a repair that whole runs found is compared natively with the reference's function on the inputs that
// the user describes. The program reads nothing: its only run prints two values.
func TestByInputs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	program := func(body string) string {
		return "#include <stdio.h>\n\nint fare(int km, int night)\n{\n" + body + "}\n\nint main(void)\n{\n    printf(\"%d %d\\n\", fare(3, 0), fare(12, 1));\n    return 0;\n}\n"
	}
	right := "    int cents = 300 + 120 * km;\n    if (km > 10)\n        cents -= 20 * (km - 10);\n    return night ? cents + cents / 5 : cents;\n"
	file := write("fare.c", program(strings.Replace(right, "20 * (km", "25 * (km", 1)))
	inputs := write("fare.json", `{"inputs": [{"name": "km", "min": 0, "max": 60}, {"name": "night", "min": 0, "max": 1}]}`)
	j := &job.Job{Files: []string{file}, Spec: job.Spec{Reference: []string{write("right.c", program(right))}}, Entry: "fare", Inputs: inputs, Limit: time.Minute}
	p := &pipe{j: j, until: time.Now().Add(j.Limit)}
	for _, x := range []struct{ body, counter, note string }{
		{strings.Replace(right, "cents -= 20 * (km - 10)", "cents -= 40", 1), "on km=", ""}, // prints the same
		{strings.Replace(right, "20 * (km - 10)", "20 * km - 200", 1), "", "does what the reference does on"},
	} {
		v := &verdict{p: p, engine: "runs"}
		if err := v.judge(context.Background(), map[string]string{file: program(x.body)}); err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(v.notes, "; "); !strings.HasPrefix(v.counter, x.counter) || (v.counter == "") != (x.counter == "") || !strings.HasPrefix(notes, x.note) {
			t.Errorf("%s: refuted by %q, notes %q", x.body, v.counter, notes)
		}
	}
}
