package judge

import (
	"strings"
	"testing"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/lower/lowertest"
	"gulo/internal/oracle"
)

// total reads the length of an array and adds its elements, one too many.
const total = `#include <stdio.h>
#include <stdlib.h>
static int total(int *a, int n)
{
    int s = 0;
    for (int i = 0; i <= n; i++)
        s += a[i];
    return s;
}
int main(void)
{
    int n;
    if (scanf("%d", &n) == 1) {
        int *a = calloc(n, sizeof(int));
        printf("%d\n", total(a, n));
        free(a);
    }
    return 0;
}
`

// TestHides: a repair that keeps the failing runs away from the function at fault is told from one that repairs the
// function.
func TestHides(t *testing.T) {
	for _, x := range []struct{ name, old, now, want string }{
		{"mended", "i <= n", "i < n", ""},
		{"guarded inside", "int s = 0;\n", "int s = 0;\n    if (n > 0)\n        return s;\n", ""},
		{"never called", "== 1", "> 1", "total"},
	} {
		wrong, _ := lowertest.Load(t, total)
		now, _ := lowertest.Load(t, strings.Replace(total, x.old, x.now, 1))
		tests := []oracle.Test{{Stdin: "3\n"}, {Stdin: "x\n"}}
		for _, memory := range []bool{true, false} {
			j := &Judge{Set: &cases.Set{Prog: wrong, Given: oracle.Runs(wrong, tests, 0)}}
			j.Job = &job.Job{Spec: job.Spec{Memory: memory}}
			want := x.want
			if !memory {
				want = ""
			}
			if got, err := j.Hides(now); err != nil || got != want {
				t.Errorf("%s, memory %v: %q, want %q, %v", x.name, memory, got, want, err)
			}
		}
	}
}
