package effects

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

const mean = `#include <stdio.h>
int main(void)
{
    int n, x, sum = 0, most = 0;
    if (scanf("%d", &n) != 1 || n < 1)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &x) != 1)
            return 1;
        sum += x;
        if (i == 0 || x > most)
            most = x;
    }
    printf("%d %.2f\n", most, (double)sum / n);
    return 0;
}
`

// TestRank: the line whose edit makes the failing runs right, and keeps the others, comes first;
// a program that meets its runs gives no ranking, and says so; locked lines are not edited.
func TestRank(t *testing.T) {
	for _, x := range []struct {
		name, from, to string
		line           int
		behind         int // lines that may come before it: what is inserted there does the same
		none           string
	}{
		{"bound", "i < n; i++", "i < n - 1; i++", 7, 0, ""},
		{"division", "(double)sum / n", "(double)sum / (n + 1)", 14, 0, ""},
		{"first value", "i == 0 || x > most", "x > most", 11, 1, ""},
		{"right", "", "", 0, 0, "the program meets all"},
	} {
		t.Run(strings.ReplaceAll(x.name, " ", "-"), func(t *testing.T) {
			list, none := rankOf(t, strings.Replace(mean, x.from, x.to, 1), nil)
			if x.none != "" {
				if len(list) > 0 || !strings.Contains(none, x.none) {
					t.Errorf("%v, %q", list, none)
				}
				return
			}
			if at := slices.Index(list, x.line); at < 0 || at > x.behind {
				t.Errorf("lines %v, %d not among the first %d; %s", list, x.line, x.behind+1, none)
			}
		})
	}
	rankOf(t, strings.Replace(mean, "i < n; i++", "i < n - 1; i++", 1), []int{7})
}

// rankOf ranks the lines of a program by four tests. No edit of a locked line may be among them.
func rankOf(t *testing.T, text string, lock []int) (lines []int, none string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("p.c", text)
	for name, io := range map[string][2]string{
		"one": {"1 5\n", "5 5.00\n"}, "three": {"3 1 9 4\n", "9 4.67\n"}, "falling": {"4 8 6 4 2\n", "8 5.00\n"}, "below": {"2 -3 -8\n", "-3 -5.50\n"},
	} {
		write("tests/"+name+".in", io[0])
		write("tests/"+name+".out", io[1])
	}
	ctx := context.Background()
	set, err := cases.Make(ctx, &job.Job{Files: []string{filepath.Join(dir, "p.c")}, Spec: job.Spec{Tests: filepath.Join(dir, "tests")}, Lock: lock, Limit: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	list, none, err := Rank(ctx, set, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if slices.Contains(lock, s.Line) && s.What != "insert" { // before the line
			t.Errorf("%s in the locked line %d", s.What, s.Line)
		}
		lines = append(lines, s.Line)
	}
	return lines, none
}

// TestHalves: edits that are only half of one, as reading a link before its node is freed, are not
// measured, and the faulty line is found all the same.
func TestHalves(t *testing.T) {
	dir := filepath.Join("..", "..", "bench", "outside", "programs", "orders_two_ways")
	ctx := context.Background()
	set, err := cases.Make(ctx, &job.Job{Files: []string{filepath.Join(dir, "faulty.c")}, Spec: job.Spec{Tests: filepath.Join(dir, "tests")}, Limit: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	list, none, err := Rank(ctx, set, 2*time.Minute)
	if err != nil || len(list) == 0 {
		t.Fatal(none, err)
	}
	for _, s := range list {
		if s.Line == 0 {
			t.Errorf("a suspect without a place: %+v", s)
		}
	}
}
