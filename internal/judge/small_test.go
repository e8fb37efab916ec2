package judge

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cases"
	"gulo/internal/job"
)

func TestReduce(t *testing.T) {
	for _, x := range []struct{ list, needed string }{
		{"a b c d e f g", "c f"}, {"a b", "a b"}, {"a", ""}, {"", ""}, {"x y z w v", "v"}, {"1 2 3 4 5 6 7 8 9", "1 9"},
	} {
		tries := 0
		got, err := reduce(strings.Fields(x.list), func(l []string) (bool, error) {
			if tries++; tries > 1000 {
				t.Fatal("no end")
			}
			for _, n := range strings.Fields(x.needed) {
				if !slices.Contains(l, n) {
					return false, nil
				}
			}
			return true, nil
		})
		if err != nil || strings.Join(got, " ") != x.needed {
			t.Errorf("%s, needed %s: %v %v", x.list, x.needed, got, err)
		}
	}
}

const sums = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "twice") == 0)
            sum *= 2;
        else
            sum += atoi(argv[i]);
    printf("%d\n", sum);
    return 0;
}
`

// TestShrunk: the run that is shown is the smallest that shows the fault, not the run in hand.
func TestShrunk(t *testing.T) {
	dir := t.TempDir()
	right, wrong := filepath.Join(dir, "right.c"), filepath.Join(dir, "wrong.c")
	for name, text := range map[string]string{right: sums, wrong: strings.Replace(sums, "sum *= 2", "sum += 2", 1)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := cases.OfRuns(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Args: strings.Fields("4 9 twice 11 3 8 twice")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := (&Judge{Set: s}).Example()
	if err != nil || !strings.HasPrefix(text, "on twice: ") {
		t.Errorf("%q %v", text, err)
	}
}
