package states

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestStorage has pairs that differ only in what a call finds in storage, or in what
// large numbers do.
func TestStorage(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const main = "int main(void) { return 0; }\n"
	for _, c := range []struct{ name, head, wrong, right, result string }{
		{"global", "int rate;\n", "int f(int x) { return x > 3; }", "int f(int x) { return x > 3 && rate <= 600; }", report.None},
		{"field", "struct c { int a, b; } g;\n", "int f(void) { return g.a > 0; }", "int f(void) { return g.a > g.b; }", report.Repaired},
		{"static local", "", "int f(int x) { static int n; n++; return n > 3 ? x : 0; }", "int f(int x) { static int n; n++; return n > 2 ? x : 0; }", report.Repaired},
		{"large numbers", "", "int f(int n) { return n > 1000; }", "int f(int n) { return n >= 1000; }", report.Repaired},
		{"reals", "", "double f(double x) { return x > 2.5 ? 1 : 0; }", "double f(double x) { return x >= 2.5 ? 1 : 0; }", report.Repaired},
		{"the same", "int hits;\n", "int f(int x) { hits = hits + 1; return x + 1; }", "int f(int x) { hits++; return 1 + x; }", report.Alike},
		{"a table", "int d[3] = {1, 2, 3};\n", "int f(int x) { return d[x & 1]; }", "int f(int x) { return (x & 1) + 1; }", report.Alike},
		{"settings of lists", "struct n { int v; struct n *next; };\nint most;\n", "int f(struct n *l) { int s = 0; for (; l; l = l->next) s += l->v; return s; }", "int f(struct n *l) { int s = 0; for (; l; l = l->next) if (l->v != most) s += l->v; return s; }", report.None},
	} {
		head := c.head
		rep, err := Fix(context.Background(), &job.Job{Files: []string{file("wrong.c", head+c.wrong+"\n"+main)}, Spec: job.Spec{Reference: []string{file("right.c", head+c.right+"\n"+main)}}, Entry: "f", Limit: 4e9, MaxEdits: 1})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if rep.Result != c.result && (c.result == report.Alike || rep.Result == report.Right || rep.Result == report.Alike) {
			t.Errorf("%s: %s, want %s: %s %s", c.name, rep.Result, c.result, rep.Example, rep.Cause)
		}
	}
}
