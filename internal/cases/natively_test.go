package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/native"
	"gulo/internal/oracle"
)

// TestLongTests: a test that takes a million rounds of a loop is waited for, since it ends natively; one
// with a billion steps is only run natively; one without an end is not waited for.
func TestLongTests(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.c")
	const text = `#include <stdio.h>
int main(void)
{
    long n, i, v = 0;
    scanf("%ld", &n);
    for (i = 0; i != n; i++)
        v = v % 1000 + 1;
    printf("%ld\n", v);
    return 0;
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := filepath.Join(dir, "tests")
	list := []oracle.Test{
		{Name: "few", Stdin: "7\n", Stdout: "8\n"}, {Name: "million", Stdin: "700000\n", Stdout: "1\n"},
		{Name: "more", Stdin: "20000000\n", Stdout: "1000\n"}, {Name: "none", Stdin: "-1\n", Stdout: "0\n"},
	}
	if err := SaveTests(tests, list); err != nil {
		t.Fatal(err)
	}
	s, err := OfRuns(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Tests: tests}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := oracle.NewRunner(s.Given)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range s.Given.Cases {
		names = append(names, c.Name)
		got, err := run.Run(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]string{"few": `it prints "7\n" instead of "8\n"`, "million": `it prints "1000\n" instead of "1\n"`}[c.Name]; c.Name != "none" && got.Differs(c.Want) != want || c.Name == "none" && !got.Endless() {
			t.Errorf("%s: %s", c.Name, got.Differs(c.Want))
		}
	}
	if got := strings.Join(names, " "); got != "few million none" || len(s.Aside) != 1 || !strings.Contains(strings.Join(s.Notes, ";"), "only run natively, since they take more than 30 million steps: more") {
		t.Errorf("on the machine: %s; aside: %d; %q", got, len(s.Aside), s.Notes)
	}
}

// TestNoneEnds: where none of a part of the native runs comes to an end the rest is not waited for.
func TestNoneEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	const text = "#include <stdio.h>\nint main(void)\n{\n    int n;\n    if (scanf(\"%d\", &n) != 1)\n        return 1;\n    while (n > 9)\n        n = 10 + n % 7;\n    printf(\"%d\\n\", n);\n    return 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := OfRuns(context.Background(), &job.Job{Files: []string{file}, Stdin: "3\n", Spec: job.Spec{Memory: true}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		inputs string // one digit ends
		asked  int
	}{
		{"10 10 10 10 10 10 10 10", 2},
		{"10 1 10 10 10 10 10 10 10 10", 6},
		{"10 1 10 10 10 2 3 4", 8},
		{"10", 1},
	} {
		var tests []native.Test
		for _, n := range strings.Fields(x.inputs) {
			tests = append(tests, native.Test{Stdin: n + "\n"})
		}
		out, err := s.natively(context.Background(), s.Prog, tests, 20*time.Millisecond, native.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if len(out) != x.asked {
			t.Errorf("%s: %d asked, want %d", x.inputs, len(out), x.asked)
		}
		for i, o := range out {
			if in := strings.TrimSpace(tests[i].Stdin); o.Ended() != (len(in) == 1) {
				t.Errorf("%s: of %s: %+v", x.inputs, in, o)
			}
		}
	}
}
