package cases

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/job"
	"gulo/internal/oracle"
)

// TestUnmatched: a test whose input breaks off with dots is only run natively, if another test fails.
func TestUnmatched(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.c")
	const text = `#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n, i, most = 0;
    scanf("%d", &n);
    int *v = malloc(n * sizeof *v);
    for (i = 0; i < n; i++)
        scanf("%d", &v[i]);
    for (i = 1; i < n; i++)
        if (v[i] > most)
            most = v[i];
    printf("%d\n", most);
    free(v);
    return 0;
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name  string
		list  []oracle.Test
		aside int
	}{
		{"another fails", []oracle.Test{{Name: "a", Stdin: "2\n7 3\n", Stdout: "7\n"}, {Name: "b", Stdin: "3\n1 2 3\n", Stdout: "3\n"}, {Name: "dots", Stdin: "9\n3 4 5...", Stdout: "5\n"}}, 1},
		{"no other fails", []oracle.Test{{Name: "b", Stdin: "3\n1 2 3\n", Stdout: "3\n"}, {Name: "dots", Stdin: "9\n3 4 5...", Stdout: "5\n"}}, 0},
		{"all break off", []oracle.Test{{Name: "a", Stdin: "4\n7 3 ...", Stdout: "7\n"}, {Name: "dots", Stdin: "9\n3 4 5...", Stdout: "5\n"}}, 0},
		{"it ends", []oracle.Test{{Name: "a", Stdin: "2\n7 3\n", Stdout: "7\n"}, {Name: "end", Stdin: "9\n3 4 5", Stdout: "5\n"}}, 0},
	} {
		tests := filepath.Join(t.TempDir(), "tests")
		if err := SaveTests(tests, x.list); err != nil {
			t.Fatal(err)
		}
		s, err := OfRuns(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Tests: tests}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Aside) != x.aside || len(s.Given.Cases) != len(x.list)-x.aside {
			t.Errorf("%s: %d of %d tests are only run natively, want %d", x.name, len(s.Aside), len(x.list), x.aside)
		}
	}
}
