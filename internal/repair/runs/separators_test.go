package runs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// days prints days of a week and hours of a day, each with a comma in front.
const days = `#include <stdio.h>

int main(void)
{
    int day, first, hour, from, n, k;
    if (scanf("%d %d %d", &first, &from, &n) != 3)
        return 0;
    k = 0;
    for (day = first; k < n; day = (day + 1) % 7) {
        printf(",%d", day);
        k++;
    }
    printf("\n");
    k = 0;
    for (hour = from; k < n; hour = (hour + 1) % 24) {
        printf(" %d", hour);
        k++;
    }
    printf("\n");
    return 0;
}
`

// TestSecondSeparators: where one set of separators meets the tests and what others do refutes it,
// the next one is tried. "day > first" is wrong behind the end of the week, "day != first" is not.
func TestSecondSeparators(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := put("days.c", days)
	for in, want := range map[string]string{"0 8 3": "0,1,2\n8 9 10\n", "2 0 4": "2,3,4,5\n0 1 2 3\n", "1 5 1": "1\n5\n"} {
		name := "tests/" + strings.ReplaceAll(in, " ", "")
		put(name+".in", in+"\n")
		put(name+".out", want)
	}
	for in, want := range map[string]string{"5 8 4": "5,6,0,1\n8 9 10 11\n", "3 22 3": "3,4,5\n22 23 0\n"} {
		name := "agreed/" + strings.ReplaceAll(in, " ", "")
		put(name+".in", in+"\n")
		put(name+".out", want)
	}
	rep, err := Fix(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Tests: filepath.Join(dir, "tests"), Agreed: filepath.Join(dir, "agreed"), Others: 5}, Limit: 60 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired {
		t.Fatalf("%s, %s", rep.Result, rep.Cause)
	}
	fixed, bin := put("fixed.c", rep.Texts[0][file]), filepath.Join(dir, "fixed")
	if out, err := exec.Command("gcc", "-o", bin, fixed).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for in, want := range map[string]string{"6 23 5": "6,0,1,2,3\n23 0 1 2 3\n", "0 0 2": "0,1\n0 1\n"} {
		c := exec.Command(bin)
		c.Stdin = strings.NewReader(in)
		if out, err := c.Output(); err != nil || string(out) != want {
			t.Errorf("on %q it prints %q (%v), want %q, with\n%s", in, out, err, want, rep.Repairs[0].Diff)
		}
	}
}
