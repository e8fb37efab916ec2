package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/job"
)

const summed = `#include <stdio.h>

static int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 1; i < n; i++)
        s += a[i];
    return s;
}

int main(void)
{
    int a[100], n = 0;
    while (n < 100 && scanf("%d", &a[n]) == 1)
        n++;
    printf("sum %d\n", sum(a, n));
    return 0;
}
`

// added adds up as it reads, and says so where there is nothing.
const added = `#include <stdio.h>

int main(void)
{
    long total = 0, number, count = 0;
    for (; scanf(" %ld", &number) > 0; count++)
        total = total + number;
    if (!count)
        printf("nothing\n");
    else
        printf("sum %ld\n", total);
    return 0;
}
`

// TestDemands: beside a reference that somebody else wrote, runs that were made up and that the
// program fails on are hints; the run in hand and what the program does right are demands.
func TestDemands(t *testing.T) {
	for _, x := range []struct {
		name, reference string
		apart           bool
	}{
		{"another program", added, true},
		{"the same with the mistake mended", strings.Replace(summed, "i = 1", "i = 0", 1), false},
	} {
		dir := t.TempDir()
		file, ref := filepath.Join(dir, "sum.c"), filepath.Join(dir, "ref.c")
		for name, text := range map[string]string{file: summed, ref: x.reference} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := OfRuns(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Reference: []string{ref}}, Stdin: "3 4\n"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.WrittenApart() != x.apart {
			t.Errorf("%s: written apart: %v", x.name, !x.apart)
		}
		d, hints, err := s.Demands()
		if err != nil {
			t.Fatal(err)
		}
		if len(hints) == 0 || len(hints)+len(d.Given.Cases)+len(d.Held.Cases) != len(s.Given.Cases)+len(s.Held.Cases) {
			t.Errorf("%s: %d hints, %d and %d demands of %d and %d cases", x.name, len(hints), len(d.Given.Cases), len(d.Held.Cases), len(s.Given.Cases), len(s.Held.Cases))
		}
		inHand := 0
		for _, c := range d.Given.Cases {
			if s.InHandCase(c) {
				inHand++
				continue
			}
			if hint, err := s.Hinting(c); hint || err != nil {
				t.Errorf("%s: %s is demanded, and the program fails on it (%v)", x.name, c.Name, err)
			}
		}
		if inHand != 1 {
			t.Errorf("%s: %d runs in hand are demanded", x.name, inHand)
		}
		for _, c := range hints {
			if s.InHandCase(c) {
				t.Errorf("%s: the run in hand is a hint", x.name)
			}
		}
	}
}
