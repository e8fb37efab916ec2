package runs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// folder writes a program and its tests, and returns a job for them.
func folder(t *testing.T, text string, tests map[string]string) *job.Job {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "tests"), 0o755); err != nil {
		t.Fatal(err)
	}
	put("prog.c", text)
	for in, want := range tests {
		name := "tests/" + strings.ReplaceAll(in, " ", "_")
		put(name+".in", in+"\n")
		put(name+".out", want)
	}
	return &job.Job{Files: []string{filepath.Join(dir, "prog.c")}, Spec: job.Spec{Tests: filepath.Join(dir, "tests")}, Limit: time.Minute}
}

// parted sorts by parting at the first element. Both inner loops go beyond the array.
const parted = `#include <stdio.h>
#include <stdlib.h>

static int part(int *v, int len)
{
    int low = 0, high = len - 1, first = v[0];
    while (low < len && high >= 0) {
        while (v[low] <= first)
            low++;
        while (v[high] >= first)
            high--;
        if (low >= high)
            break;
        int keep = v[low];
        v[low] = v[high];
        v[high] = keep;
        low++;
        high--;
    }
    v[0] = v[low - 1];
    v[low - 1] = first;
    return low - 1;
}

static void sort(int *v, int len)
{
    if (len <= 1)
        return;
    int at = part(v, len);
    sort(v, at);
    sort(v + at + 1, len - at - 1);
}

int main(void)
{
    int n;
    scanf("%d", &n);
    int *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        scanf("%d", &v[i]);
    sort(v, n);
    for (int i = 0; i < n; i++)
        printf("%d ", v[i]);
    printf("\n");
    free(v);
    return 0;
}
`

// TestTwoErrors repairs the error behind an error where it shows: what removes the first is no repair, and natively
// many edits meet all tests.
func TestTwoErrors(t *testing.T) {
	ctx := steady()
	w, err := New(ctx, folder(t, parted, map[string]string{
		"5 1 2 3 4 5": "1 2 3 4 5 \n", "5 5 4 3 2 1": "1 2 3 4 5 \n", "1 7": "7 \n",
		"20 24 16 35 38 31 9 36 59 54 17 41 5 39 1 46 13 28 2 50 33": "1 2 5 9 13 16 17 24 28 31 33 35 36 38 39 41 46 50 54 59 \n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	rep, _, err := w.ByErrors(ctx)
	switch {
	case err != nil:
		t.Fatal(err)
	case rep.Result != report.Repaired || len(rep.Repairs[0].Edits) != 2:
		t.Errorf("%v, %s", rep.Result, rep.Cause)
	}
}

// TestBlankBehindEach: where white space at the ends of lines does not count, a blank behind each number is the same as
// one between each two, and simpler.
func TestBlankBehindEach(t *testing.T) {
	q := folder(t, `#include <stdio.h>

int main(void)
{
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        printf("%d", i * i);
    printf("\n");
    return 0;
}
`, map[string]string{"3": "0 1 4\n", "4": "0 1 4 9\n", "2": "0 1\n"})
	q.Space = job.SpaceJudge
	rep, err := Fix(steady(), q)
	switch {
	case err != nil:
		t.Fatal(err)
	case rep.Result != report.Repaired || !strings.Contains(rep.Repairs[0].Diff, `+        printf("%d ", i * i);`):
		t.Errorf("%v, %s %+v", rep.Result, rep.Cause, rep.Repairs)
	}
}
