package cases

import (
	"slices"
	"strings"
	"testing"
)

// TestKindred: runs that are nearly the one in hand keep its form; each mark that the program
// knows stands where another stood.
func TestKindred(t *testing.T) {
	seeds := []Input{{Stdin: "a = 1 + 2 + 3\n"}, {Args: []string{"x+1", "two words"}}}
	words := []string{"+", "-", "*", "(", ")"}
	list := Kindred(1, seeds, words, 800)
	if len(list) != 800 {
		t.Errorf("%d inputs", len(list))
	}
	for _, want := range []string{"a = 1 - 2 + 3\n", "a = 1 + 2 - 3\n", "a = 1 + 2 * 3\n"} {
		if !slices.ContainsFunc(list, func(in Input) bool { return in.Stdin == want }) {
			t.Errorf("no %q", want)
		}
	}
	two, chain := 0, 0
	for _, in := range list {
		if len(in.Args) == 2 {
			two++
		}
		if strings.Count(in.Stdin, "-") > 1 {
			chain++
		}
	}
	if two < 100 || chain == 0 {
		t.Errorf("%d with two arguments, %d with several minus signs", two, chain)
	}
	if again := Kindred(1, seeds, words, 800); !slices.EqualFunc(list, again, func(a, b Input) bool { return a.key() == b.key() }) {
		t.Error("the same seed makes other inputs")
	}
	if list := Kindred(1, nil, words, 10); len(list) != 0 {
		t.Errorf("of nothing: %v", list)
	}
}

// TestNearest: each word and line stands twice, is missing, is exchanged with the next and has another blank behind it.
func TestNearest(t *testing.T) {
	seed := Input{Stdin: "2x2 1 ;\nend\n"}
	list := Nearest([]Input{seed}, 100)
	for _, want := range []string{"2x2 1 1 ;\nend\n", "2x2 ;\nend\n", "2x2 1 ; \nend\n", "1 2x2 ;\nend\n", "2x2 1 ;\n2x2 1 ;\nend\n", "end\n2x2 1 ;\n", "end\n"} {
		if !slices.ContainsFunc(list, func(in Input) bool { return in.Stdin == want }) {
			t.Errorf("no %q", want)
		}
	}
	seen := map[string]bool{seed.key(): true}
	for _, in := range list {
		if seen[in.key()] {
			t.Errorf("twice: %q", in.Stdin)
		}
		seen[in.key()] = true
	}
	if few := Nearest([]Input{seed}, 3); len(few) != 3 || len(Nearest([]Input{{}}, 3)) != 0 {
		t.Errorf("%d where 3 are asked for", len(few))
	}
}

func TestMirrored(t *testing.T) {
	got := mirrored(Input{Args: []string{"3", "-4", "x5"}, Stdin: "2 0\nsize -7  n8\n"})
	if want := "-2 0\nsize 7  n8\n"; got.Stdin != want || got.Args[0] != "-3" || got.Args[1] != "4" || got.Args[2] != "x5" {
		t.Errorf("%q %q", got.Args, got.Stdin)
	}
}
