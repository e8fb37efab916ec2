package schema

import (
	"context"
	"path/filepath"
	"time"

	"strings"
	"testing"

	"gulo/internal/native"
	"gulo/internal/native/nativetest"
)

// TestShape tells outputs that have the shape of those that tests want from others.
func TestShape(t *testing.T) {
	tests := func(list ...string) (out []native.Test) {
		for _, x := range list {
			in, want, _ := strings.Cut(x, "|")
			out = append(out, native.Test{Stdin: in, Stdout: want})
		}
		return out
	}
	median := tests("2 6 8|Enter 3 > 6 is the median\n", "8 6 2|Enter 3 > 6 is the median\n", "0 0 0|Enter 3 > 0 is the median\n", "1 0 2|Enter 3 > 1 is the median\n")
	sums := tests("1 2|sum 3\n", "4 5|sum 9\n", "0 7|sum 7\n", "3 3|sum 6\n")
	names := tests("ann 3|ann\n1\n2\n3\nend\n", "bob 1|bob\n1\nend\n", "eve 2|eve\n1\n2\nend\n", "kim 4|kim\n1\n2\n3\n4\nend\n")
	digits := tests("12|digits:\n2\n1\n", "345|digits:\n5\n4\n3\n", "8|digits:\n8\n", "40|digits:\n0\n4\n")
	for _, x := range []struct {
		tests   []native.Test
		in, out string
		want    bool
	}{
		{median, "9 1 5", "Enter 3 > 5 is the median\n", true},
		{median, "9 1 5", "Enter 3 > 7 is the median\n", false}, // in all tests it was read
		{median, "9 1 5", "Enter 3 > \n", false},
		{median, "9 1 5", "Enter 3 > 5 is the median\n9 is the median\n", false},
		{sums, "4 9", "sum 13\n", true},
		{sums, "4 9", "sum -5\n", true},
		{sums, "4 9", "", false},
		{names, "joe 2", "joe\n1\n2\nend\n", true},
		{names, "joe 2", "joe\n1\n2\n", false},
		{digits, "", "digits:\n", true}, // an empty list
		{digits, "0", "", false},
		{digits, "77", "digits:\n7\n7\n", true},
		{names, "joe 2", "ann\n1\n2\nend\n", false},
	} {
		f := shapeOfOutputs(x.tests)
		if f == nil {
			t.Fatal("no shape", x.tests)
		}
		if got := f.has(&native.Test{Stdin: x.in}, x.out); got != x.want {
			t.Errorf("%q on %q: %v, shape %v", x.out, x.in, got, f)
		}
	}
	for _, list := range [][]native.Test{
		tests("1|one\n", "2|two\n", "3|three\n", "4|four\n"), // each has a text of its own
		median[:3],
	} {
		if f := shapeOfOutputs(list); f != nil {
			t.Errorf("%v: %v", list, f)
		}
	}
}

// TestShapely keeps answers as they are where what fails has none.
func TestShapely(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int a = atoi(argv[1]), b = atoi(argv[2]);
    if (a > b)
        printf("%d is more\n", a);
    if (a < b)
        printf("%d is more\n", b);
    if (a == b + 1)
        printf("%d is as much\n", b);
    return argc - 3;
}
`
	right := strings.Replace(text, "a == b + 1", "a == b", 1)
	given, alike := args("4 4", "1 9", "9 1", "7 3", "2 2"), args("5 5", "8 8", "3 9", "9 3", "5 4", "4 5", "6 6", "1 2", "2 1", "8 7", "7 8", "12 5")
	for i, o := range nativetest.Outputs(t, right, given) {
		given[i].Stdout, given[i].Exit = o.Stdout, o.Status
	}
	p, path := nativetest.Load(t, text)
	var first *Repair
	s := Start(context.Background(), &Problem{Tree: p, Dir: filepath.Dir(path), Funcs: nativetest.Own(p), Tests: given, Near: alike, Alike: func() []native.Test { return alike }, Limit: 3 * time.Minute,
		Try: func(_ context.Context, r *Repair) (Verdict, error) {
			if first == nil {
				first = r
			}
			return Verdict{Refuted: true}, nil
		}})
	defer s.Close()
	if _, err := s.Solve(context.Background(), nil, false, time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if first == nil || !strings.Contains(first.Texts[path], "if (a == b)") || first.Loses != nil {
		t.Fatalf("the likeliest: %+v", first)
	}
}
