package shape

import (
	"strings"
	"testing"
)

// TestShape tells outputs that have the shape of those that tests want from others.
func TestShape(t *testing.T) {
	texts := func(list ...string) (out []Text) {
		for _, x := range list {
			in, want, _ := strings.Cut(x, "|")
			out = append(out, Text{Read: in, Printed: want})
		}
		return out
	}
	median := texts("2 6 8|Enter 3 > 6 is the median\n", "8 6 2|Enter 3 > 6 is the median\n", "0 0 0|Enter 3 > 0 is the median\n", "1 0 2|Enter 3 > 1 is the median\n")
	sums := texts("1 2|sum 3\n", "4 5|sum 9\n", "0 7|sum 7\n", "3 3|sum 6\n")
	names := texts("ann 3|ann\n1\n2\n3\nend\n", "bob 1|bob\n1\nend\n", "eve 2|eve\n1\n2\nend\n", "kim 4|kim\n1\n2\n3\n4\nend\n")
	digits := texts("12|digits:\n2\n1\n", "345|digits:\n5\n4\n3\n", "8|digits:\n8\n", "40|digits:\n0\n4\n")
	for _, x := range []struct {
		texts   []Text
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
		f := Of(x.texts)
		if f == nil {
			t.Fatal("no shape", x.texts)
		}
		if got := f.Has(x.in, x.out); got != x.want {
			t.Errorf("%q on %q: %v, shape %v", x.out, x.in, got, f)
		}
	}
	for _, list := range [][]Text{
		texts("1|one\n", "2|two\n", "3|three\n", "4|four\n"), // each has a text of its own
		median[:3],
	} {
		if f := Of(list); f != nil {
			t.Errorf("%v: %v", list, f)
		}
	}
}
