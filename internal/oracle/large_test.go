package oracle

import (
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// TestLargeArrays runs a program with arrays of 180 MB again and again: each run finds them as the
// program begins, and one that fills all of them meets the limit of memory.
func TestLargeArrays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(`#include <stdio.h>
#include <string.h>
int dp[5000][5000];
char seen[400000000];
int main(void)
{
    int n = 0;
    scanf("%d", &n);
    if (n < 0)
        memset(seen, n, sizeof seen);
    dp[n][n]++;
    seen[100000 * n] += 3;
    printf("%d %d %d\n", dp[n][n], dp[n + 1][n + 1], seen[100000 * n]);
    return 0;
}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(t.Context(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	suite := Runs(p, []Test{{Name: "a", Stdin: "5", Stdout: "1 0 3\n"}, {Name: "b", Stdin: "400", Stdout: "1 0 3\n"}, {Name: "c", Stdin: "-1"}}, 0)
	run, err := NewRunner(suite)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for i, c := range suite.Cases {
			did, err := run.Run(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			if i < 2 && !did.Meets(c.Want) || i == 2 && (did.Fault == nil || did.Fault.Message != "memory limit of 256 MiB reached") {
				t.Errorf("%s: %s", c.Name, did.Differs(c.Want))
			}
		}
	}
}

// TestLargeBlocks: what a run leaves in large blocks of malloc is given back before the next one.
func TestLargeBlocks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(`#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 0;
    scanf("%d", &n);
    char *p = malloc(n);
    p[n - 1] = 7;
    printf("%d\n", p[n - 1]);
    return 0;
}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(t.Context(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	suite := Runs(p, []Test{{Name: "a", Stdin: "3000000", Stdout: "7\n"}, {Name: "b", Stdin: "1000000", Stdout: "7\n"}}, 0)
	run, err := NewRunner(suite)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		for _, c := range suite.Cases {
			if did, err := run.Run(c, nil); err != nil || !did.Meets(c.Want) {
				t.Errorf("%s: %v %s", c.Name, err, did.Differs(c.Want))
			}
		}
	}
}
