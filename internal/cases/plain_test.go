package cases

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPlain: plain inputs have the commands, the shapes of lines and the range of numbers of those
// in hand, and are all different.
func TestPlain(t *testing.T) {
	seed := Input{Stdin: "add tea 3\nadd cup 12\nlist\ntake tea 2\nlist\n"}
	list := Plain(1, []Input{seed}, &Language{Words: []string{"add", "list", "take"}}, 200)
	if len(list) != 200 {
		t.Fatalf("%d inputs", len(list))
	}
	shapes := map[string]int{"add": 3, "list": 1, "take": 3}
	seen := map[string]bool{seed.key(): true}
	for _, in := range list {
		if seen[in.key()] {
			t.Errorf("%q twice", in.Stdin)
		}
		seen[in.key()] = true
		for _, l := range strings.Split(strings.TrimSuffix(in.Stdin, "\n"), "\n") {
			w := strings.Split(l, " ")
			if shapes[w[0]] != len(w) {
				t.Fatalf("%q: no line is like %q", in.Stdin, l)
			}
			if len(w) < 3 {
				continue
			}
			if n, err := strconv.Atoi(w[2]); err != nil || n < 0 || n > 24 || !slices.Contains([]string{"tea", "cup"}, w[1]) {
				t.Fatalf("%q: no name or number is like those in %q", in.Stdin, l)
			}
		}
	}
}

// TestPlainCounts: a count of the lines that follow stays true.
func TestPlainCounts(t *testing.T) {
	for _, in := range Plain(2, []Input{{Stdin: "3\n4 9\n5 7\n6 8\n"}}, nil, 100) {
		lines := strings.Split(strings.TrimSuffix(in.Stdin, "\n"), "\n")
		n, err := strconv.Atoi(lines[0])
		if err != nil {
			t.Fatalf("%q", in.Stdin)
		}
		if n != len(lines)-1 {
			t.Errorf("%q counts %d lines", in.Stdin, n)
		}
	}
}

// TestPlainInside: where little can be made of whole words, words change within, and keep their kind.
func TestPlainInside(t *testing.T) {
	list := Plain(3, []Input{{Args: []string{"08:00-12:30", "ABBA"}}}, nil, 100)
	if len(list) < 50 {
		t.Fatalf("%d inputs", len(list))
	}
	for _, in := range list {
		if len(in.Args) != 2 || wordKind(in.Args[0]) != "N:N-N:N" {
			t.Errorf("%q", in.Args)
		}
		for _, c := range in.Args[len(in.Args)-1] {
			if c != 'A' && c != 'B' {
				t.Errorf("%q", in.Args)
				break
			}
		}
	}
}

// TestPlainEdges: numbers next to those of the program's text are tried.
func TestPlainEdges(t *testing.T) {
	seen := map[string]bool{}
	for _, in := range Plain(5, []Input{{Args: []string{"5000"}}}, &Language{Words: []string{"1234", "99999"}}, 100) {
		seen[in.Args[0]] = true
	}
	for _, w := range []string{"1233", "1234", "1235"} {
		if !seen[w] {
			t.Errorf("%s is not tried", w)
		}
	}
	if seen["99999"] {
		t.Error("a number that is much greater than those in hand is tried")
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("add a 1\nlist\n", "")
	f.Add("2\n1 2\n\n", "x y")
	f.Fuzz(func(t *testing.T, stdin, args string) {
		in := Input{Args: strings.Fields(args), Stdin: stdin}
		for _, x := range Plain(1, []Input{in}, &Language{Words: []string{"add"}}, 20) {
			if x.key() == in.key() {
				t.Errorf("%q is no other input", in.Stdin)
			}
		}
	})
}
