package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/job"
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
