package schema

import (
	"strings"
	"testing"

	"gulo/internal/native"
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
