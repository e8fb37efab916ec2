package cases

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/job"
	"gulo/internal/oracle"
)

// memorySet makes the cases of a program from memory rules and from tests, inputs with the output that they want.
func memorySet(t *testing.T, text string, tests map[string]string) *Set {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "p.c")
	files := map[string]string{file: text}
	n := 0
	for in, out := range tests {
		n++
		name := filepath.Join(dir, "tests", string(rune('a'+n)))
		files[name+".in"], files[name+".out"] = in, out
	}
	if err := os.Mkdir(filepath.Join(dir, "tests"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := OfRuns(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Memory: true, Tests: filepath.Join(dir, "tests")}, Space: job.SpaceJudge}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// madeUp returns the made-up cases on which the program fails.
func madeUp(t *testing.T, s *Set) (out []*oracle.Case) {
	t.Helper()
	run, err := oracle.NewRunner(s.Given)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(s.Given.Cases[s.inHand:])
	if s.Held != nil {
		all = append(all, s.Held.Cases...)
	}
	for _, c := range all {
		r, err := run.Run(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Fault != nil {
			out = append(out, c)
		}
	}
	return out
}

// TestConfirmed: what a program prints where its error does no harm is wanted of made-up runs, too, if a test wants it of
// a run with the same error; not if a test wants something else, or none says anything about that error.
func TestConfirmed(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>
int a[3];
int main(void)
{
    int n, x, sum = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    KEEP
    for (int i = 0; i < n && scanf("%d", &x) == 1; i++)
        b[i] = x;
    for (int i = 0; i < n; i++)
        sum += b[i];
    printf("%d\n", sum);
    return 0;
}
`
	for _, x := range []struct {
		keep, out string
		known     bool
	}{
		{"int *b = a;", "10\n", true},
		{"int *b = a;", "6\n", false},
		{"int *b = malloc(3 * sizeof *b);", "10\n", true},
		{"int *b = malloc(3 * sizeof *b);", "6\n", false},
	} {
		s := memorySet(t, strings.Replace(text, "KEEP", x.keep, 1), map[string]string{"4\n1 2 3 4\n": x.out, "2\n1 5\n": "6\n"})
		list := madeUp(t, s)
		if len(list) == 0 {
			t.Fatalf("%s: no made-up run fails", x.keep)
		}
		for _, c := range list {
			if c.Want.Any == x.known {
				t.Errorf("%s, a test wants %q: of %q is known what it should print: %v", x.keep, x.out, c.Stdin, !c.Want.Any)
			}
		}
	}
}

// TestEnding: a made-up run that comes to no end where the error does no harm is left out; if the given one comes to none
// either, nothing is.
func TestEnding(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n, rounds;
    long sum = 0;
    if (scanf("%d %d", &n, &rounds) != 2)
        return 1;
    int *b = malloc(2 * sizeof *b);
    for (int i = 0; i < n; i++)
        b[i] = i;
    for (int i = 0; i < rounds; i++)
        sum += i;
    printf("%ld\n", sum + b[0]);
    free(b);
    return 0;
}
`
	for _, x := range []struct {
		in   map[string]string
		long bool
	}{
		{map[string]string{"3 4\n": "6\n", "1 900000\n": "404999550000\n"}, false},
		{map[string]string{"3 900000\n": "404999550000\n", "1 4\n": "6\n"}, true},
	} {
		s := memorySet(t, text, x.in)
		long, all := 0, 0
		for _, c := range madeUp(t, s) {
			if all++; strings.Contains(c.Stdin, "900000") {
				long++
			}
		}
		said := strings.Contains(strings.Join(s.Notes, "\n"), "take very long there, too")
		if all == 0 || long > 0 != x.long || said == x.long {
			t.Errorf("%v: %d of %d made-up runs take long; %q", x.in, long, all, s.Notes)
		}
	}
}
