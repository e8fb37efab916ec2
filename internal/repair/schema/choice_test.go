package schema

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/native"
	"gulo/internal/native/nativetest"
)

// chosen returns the text of the first repair of a program by tests: inputs and what a right
// program prints on them. near are inputs like those of the tests.
func chosen(t *testing.T, text, right string, given, near []native.Test) string {
	t.Helper()
	for i, o := range nativetest.Outputs(t, right, given) {
		given[i].Stdout, given[i].Exit = o.Stdout, o.Status
	}
	p, path := nativetest.Load(t, text)
	funcs := nativetest.Own(p)
	s := Start(context.Background(), &Problem{Tree: p, Funcs: funcs, Tests: given, Near: near, Limit: 3 * time.Minute,
		Try: func(context.Context, *Repair) (Verdict, error) { return Verdict{Enough: true}, nil }})
	defer s.Close()
	res, err := s.Solve(context.Background(), nil, false, time.Now().Add(3*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Repairs) == 0 {
		t.Fatal("no repair")
	}
	return res.Repairs[0].Texts[path]
}

func args(list ...string) (out []native.Test) {
	for _, l := range list {
		out = append(out, native.Test{Args: strings.Fields(l)})
	}
	return out
}

// TestJointly changes all operands that are alike, where the tests ask for one of them only.
func TestJointly(t *testing.T) {
	const fees = `#include <stdio.h>
#include <stdlib.h>
static int visits(int day)
{
    return 3 * day + day / 5 - day / 50 + day / 250;
}
int main(int argc, char **argv)
{
    printf("%d\n", visits(atoi(argv[1])));
    return 0;
}
`
	right := strings.Replace(fees, "day / 5 - day / 50 + day / 250", "(day + 1)/5 - (day + 1)/50 + (day + 1)/250", 1)
	got := chosen(t, fees, right, args("3", "4", "9", "14", "11", "0", "16", "24"), args("1", "2", "5", "7", "24", "6", "10", "18"))
	if !strings.Contains(got, "(day + 1) / 5 - (day + 1) / 50 + (day + 1) / 250") {
		t.Errorf("not all operands that are alike are changed:\n%s", got)
	}
}

// TestWrapped compares magnitudes where the signs were forgotten, on both sides.
func TestWrapped(t *testing.T) {
	const peak = `#include <stdio.h>
#include <stdlib.h>
#include <math.h>
int main(int argc, char **argv)
{
    int at = 1;
    for (int i = 2; i < argc; i++)
        if (atof(argv[i]) > atof(argv[at]))
            at = i;
    double most = fabs(atof(argv[at]));
    if (most < 0.001)
        printf("flat\n");
    else
        printf("%d %.1f %.1f\n", at + 1, most, fabs(most - 10.0));
    return 0;
}
`
	right := strings.Replace(peak, "atof(argv[i]) > atof(argv[at])", "fabs(atof(argv[i])) > fabs(atof(argv[at]))", 1)
	got := chosen(t, peak, right, args("1 2 3", "3 2 1", "-5 2 3", "0 -4", "0 -0.5 -2 -1", "-1 -7 4"), args("1 5", "2 0", "-1 2", "4 4", "0 0", "3 -1 2"))
	if !strings.Contains(got, "fabs(atof(argv[i])) > fabs(atof(argv[at]))") {
		t.Errorf("the magnitudes are not compared:\n%s", got)
	}
}

// TestWhereItHardlyMatters puts a statement where several places do the same, rather than into one
// of two branches.
func TestWhereItHardlyMatters(t *testing.T) {
	const longest = `#include <stdio.h>
#include <string.h>
int seen = 0;
static int repeated(const char *s, char c)
{
    for (; *s; s++)
        if (*s == c)
            seen++;
    return seen > 1;
}
int main(int argc, char **argv)
{
    int i, shown;
    shown = 0;
    for (i = 2; i < argc; i++) {
        shown++;
        if (repeated(argv[i], argv[1][0]))
            printf("%s: %d\n", argv[i], seen);
        else
            printf("%s: no\n", argv[i]);
    }
    printf("%d words\n", shown);
    return 0;
}
`
	right := strings.Replace(longest, "argc; i++) {\n", "argc; i++) {\n        seen = 0;\n", 1)
	given := args("a banana", "a banana aha", "x axx xx", "o foo bar", "e bee eel", "q a b")
	near := args("a aa aa", "b abb b ab", "x x ax", "o oo", "e a b", "n nan ann n nn", "c d", "u uu a b")
	got := chosen(t, longest, right, given, near)
	given = append(slices.Clone(near), args("a b a ba aa", "a a a a", "z z zz z zz z")...)
	for i, o := range nativetest.Outputs(t, got, given) {
		if want := nativetest.Outputs(t, right, given[i:i+1])[0]; o.Stdout != want.Stdout {
			t.Errorf("%v: %q, not %q, of\n%s", given[i].Args, o.Stdout, want.Stdout, got)
		}
	}
}
