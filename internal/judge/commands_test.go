package judge

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
)

// best prints the best mark and, for LO:HI, how many lie in between; a mark of HI is not counted.
const best = `#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int marks[40], count = 0, best = 0, lo, hi;
    for (int i = 1; i < argc && count < 40; i++)
        if (sscanf(argv[i], "%d:%d", &lo, &hi) == 2) {
            int n = 0;
            for (int k = 0; k < count; k++)
                n += marks[k] >= lo && marks[k] < hi;
            printf("%d to %d: %d\n", lo, hi, n);
        } else {
            marks[count] = atoi(argv[i]);
            if (marks[count] > best)
                best = marks[count];
            count++;
        }
    printf("%cbest: %d\n", best == 100 ? '/' : ' ', best);
    return 0;
}
`

// bestApart is a program for the same task by another author.
const bestApart = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int value[40], have, top;

static void range(char *text, char *colon)
{
    int from = atoi(text), to = atoi(colon + 1), found = 0;
    for (int i = 0; i < have; i++)
        if (value[i] >= from && value[i] <= to)
            found++;
    printf("%d to %d: %d\n", from, to, found);
}

int main(int argc, char *argv[])
{
    while (--argc > 0 && have < 40) {
        char *arg = *++argv, *colon = strchr(arg, ':');
        if (colon != NULL) {
            range(arg, colon);
            continue;
        }
        value[have] = atoi(arg);
        top = value[have] > top ? value[have] : top;
        have++;
    }
    printf("%sbest: %d\n", top == 100 ? "/" : " ", top);
    return 0;
}
`

// TestCommandsOfShapes: the run in hand has no argument LO:HI, but both programs look for a colon, so that such
// arguments are tried. Signs that they only print, and any other signs within a word, are not.
func TestCommandsOfShapes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ctx := context.Background()
	req := &job.Job{Files: []string{write("p.c", best)}, Spec: job.Spec{Reference: []string{write("r.c", bestApart)}}, Args: []string{"7", "3", "12"}, Limit: time.Minute}
	set, err := cases.OfRuns(ctx, req, nil)
	if err != nil {
		t.Fatal(err)
	}
	j := &Judge{Set: set}
	own, err := compiled(ctx, set.Prog, req.Options)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	ref, err := compiled(ctx, set.Ref.Prog, req.Options)
	if err != nil {
		t.Fatal(err)
	}
	defer ref.Close()
	pair, number := regexp.MustCompile(`^-?\d+:-?\d+$`), regexp.MustCompile(`^-?\d+$`)
	pairs := 0
	for _, in := range j.commands(ctx, own, ref, nil) {
		for _, a := range in.Args {
			if pair.MatchString(a) {
				pairs++
			} else if !number.MatchString(a) {
				t.Errorf("%q", in.Args)
			}
		}
	}
	if pairs < 20 {
		t.Errorf("%d pairs", pairs)
	}
}
