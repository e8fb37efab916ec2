package trust

import (
	"strings"
	"testing"
)

// TestString holds the words of every kind of fact.
func TestString(t *testing.T) {
	for _, x := range []struct {
		name string
		f    Facts
		want string
	}{
		{"two tests", Facts{Given: 2, Kind: "test"}, "meets both tests; tried on nothing else"},
		{"beside a reference written apart", Facts{Given: 1, Held: 9, HeldMet: 9, Mended: 40, Plain: true, FarMended: 7, FarLeft: 20, Beyond: "x 0"},
			"meets the only case; agrees on 9 of 9 inputs that the search had not seen; does what the reference does on 40 of 40 made-up inputs like the given run on which the program does not, and on 7 of 27 unlike it; " +
				"both differ from the reference on x 0: another mistake, or something that the task does not ask for"},
		{"one test", Facts{Given: 1, Kind: "test"}, "meets the only test; tried on nothing else"},
		{"a reference", Facts{Given: 79, From: "the reference's insert", Held: 397, HeldMet: 397, Bound: 4, All: 1585, AllMet: 1585},
			"meets all 79 cases from the reference's insert; agrees on 397 of 397 inputs that the search had not seen and on all 1585 of up to 4 nodes"},
		{"not all small ones", Facts{Given: 79, Held: 9, HeldMet: 9, Bound: 1, All: 30, AllMet: 7},
			"meets all 79 cases; agrees on 9 of 9 inputs that the search had not seen and on 7 of all 30 of up to 1 node"},
		{"few held back", Facts{Given: 9, Held: 2, HeldMet: 2}, "meets all 9 cases; agrees on 2 of 2 inputs (only 2) that the search had not seen"},
		{"refuted", Facts{Given: 9, Held: 50, HeldMet: 3, Counter: "n = 7"}, "meets all 9 cases; refuted on an input that the search had not seen: n = 7"},
		{"proved", Facts{Given: 9, Proof: "proved for all n", Held: 2000, HeldMet: 2000, Native: 2000}, "proved for all n; compiled and run on 2000 random and boundary inputs"},
		{"proved, not run", Facts{Given: 9, Proof: "proved for all n", Missing: "no gcc"}, "proved for all n; not run natively: no gcc"},
		{"exercised", Facts{Given: 6, Kind: "test", Held: 8, HeldMet: 8, Exercise: []string{}}, "meets all 6 tests; agrees on 8 of 8 inputs that the search had not seen; every given test executes what is changed"},
		{"not by one", Facts{Given: 6, Kind: "test", Exercise: []string{"t3"}}, "meets all 6 tests; tried on nothing else; t3 never executes what is changed"},
		{"not by two", Facts{Given: 6, Kind: "test", Exercise: []string{"t3", "t4"}}, "meets all 6 tests; tried on nothing else; t3, t4 never execute what is changed"},
		{"not by many", Facts{Given: 6, Kind: "test", Exercise: []string{"a", "b", "c", "d", "e"}}, "meets all 6 tests; tried on nothing else; 5 of the given tests never execute what is changed: a, b, c and 2 more"},
		{"by none", Facts{Given: 2, Kind: "test", Exercise: []string{"a", "b"}}, "meets both tests; tried on nothing else; no given test executes what is changed"},
		{"near", Facts{Given: 6, Kind: "test", Near: &Near{30, 4, "stdin 3", "it prints 1", "it prints 2"}},
			"meets all 6 tests; tried on nothing else; behaves differently on 4 of 30 inputs made by varying the given ones, as on stdin 3: it prints 2, before: it prints 1; gulo cannot tell which is right"},
		{"near, the same", Facts{Given: 6, Kind: "test", Near: &Near{Inputs: 30}}, "meets all 6 tests; tried on nothing else; behaves as before on 30 inputs made by varying the given ones"},
		{"nothing near", Facts{Given: 6, Kind: "test", Near: &Near{}}, "meets all 6 tests; tried on nothing else; no other inputs were made"},
		{"unseen", Facts{Given: 6, Unseen: []string{"standard error", "main"}}, "meets all 6 cases; tried on nothing else; not looked at: standard error, main"},
	} {
		if got := x.f.String(); got != x.want {
			t.Errorf("%s:\n got %s\nwant %s", x.name, got, x.want)
		}
	}
}

// TestAnswers holds the words of answers without a repair, and of generated
// inputs: what is little must not read like what is much.
func TestAnswers(t *testing.T) {
	f := Facts{Given: 79, From: "the reference's f", Held: 397, HeldMet: 397, Unseen: []string{"calls in a row"}}
	if got, want := f.NoDifference(), "no difference found, which is no proof: the program meets all 79 cases from the reference's f; agrees on 397 of 397 inputs that the search had not seen; not looked at: calls in a row"; got != want {
		t.Errorf("%s", got)
	}
	if got, want := (&Facts{Given: 15, Kind: "call", From: "t.txt", Why: "add one"}).NoDifference(), "no call found that breaks the contract, which is no proof: the program keeps the contract on all 15 calls from t.txt; add one"; got != want {
		t.Errorf("%s", got)
	}
	if got, want := (&Facts{Given: 2, Kind: "test"}).Met(), "the program meets both tests, and nothing else was asked"; got != want {
		t.Errorf("%s", got)
	}
	for _, x := range []struct {
		g    Generated
		want string
	}{
		{Generated{Inputs: 120, Shapes: "lists", Differ: 13}, "120 made-up lists: no error, no newly lost node, every shape kept; on 13 the result changed, and gulo cannot tell which is right"},
		{Generated{Inputs: 120, Differ: 1, Among: true}, "120 made-up inputs: no error, no newly lost node, every shape kept; on 1 the result changed"},
		{Generated{Inputs: 116, Differ: 2, Mended: 71}, "116 made-up inputs: no error, no newly lost node, every shape kept; 71 ended in an error before; on 2 the result changed, and gulo cannot tell which is right"},
		{Generated{Inputs: 116, Mended: 71}, "116 made-up inputs: no error, no newly lost node, every shape kept; 71 ended in an error before; the others end as before"},
		{Generated{Inputs: 120, Errors: 28, Spoilt: 3}, "120 made-up inputs: 28 end in an error, no newly lost node, every shape kept; 3 ended without an error before; the others end as before"},
		{Generated{Inputs: 120, Losing: 60, Most: 5, Usual: 1, Differ: 60}, "120 made-up inputs: no error, 60 lose nodes, up to 5 (your run loses 1), every shape kept; on 60 the result changed, and gulo cannot tell which is right"},
		{Generated{Inputs: 3, Errors: 1, Broken: 1, Losing: 1, Most: 1, Differ: -1}, "3 made-up inputs (only 3): 1 ends in an error, 1 loses nodes, up to 1, 1 leaves another shape"},
		{Generated{Inputs: 8, Errors: 8, Differ: -1}, "8 made-up inputs: 8 end in an error"},
		{Generated{Inputs: 8, Unkept: 2}, "8 made-up inputs: no error, 2 break what must be kept, no newly lost node, every shape kept; all end as before"},
	} {
		if got := x.g.String(); got != x.want {
			t.Errorf("\n got %s\nwant %s", got, x.want)
		}
	}
	if got := States(1) + ", " + States(2) + ", " + States(7); got != "leads to the picture you asserted, leads to both pictures you asserted, leads to all 7 pictures you asserted" {
		t.Error(got)
	}
	for n := range 3 {
		if !strings.Contains(Count(n, "test"), "only") {
			t.Errorf("%d is not called small", n)
		}
	}
}
