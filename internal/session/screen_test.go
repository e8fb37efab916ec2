package session

import (
	"slices"
	"testing"
)

func TestEdited(t *testing.T) {
	for _, c := range []struct{ text, keys, want string }{
		{"", "ab\r", "ab\n"}, {"one\n", "tw\x7fhree\r", "one\nthree\n"}, {"one\n", "\x7f\x7f", "one\n"}, {"a\n", "bé\x7f\x7fc", "a\nc"}, {"a\n", "bcd\x15e", "a\ne"},
	} {
		if got := edited(c.text, c.keys); got != c.want {
			t.Errorf("%q and %q: %q, not %q", c.text, c.keys, got, c.want)
		}
	}
}

func TestComment(t *testing.T) {
	for line, want := range map[string]int{"next # on": 5, `keys "#"`: -1, `keys "a" # "b"`: 9, "next": -1, "change c '#' # yes": 13, "change c '#'": -1, `change c '"' # it's`: 13} {
		if got := comment(line); got != want {
			t.Errorf("%s: %d, not %d", line, got, want)
		}
	}
}

func TestSplitCommands(t *testing.T) {
	for line, want := range map[string][]string{
		"n; n": {"n", "n"}, `keys "a;b"; n`: {`keys "a;b"`, "n"}, `change c ';'; n`: {"change c ';'", "n"}, `change c '\'';n`: {`change c '\''`, "n"}, "a 'b; c'": {"a 'b", "c'"}, "": nil,
	} {
		if got := splitCommands(line); !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
	for line, want := range map[string]bool{"n; rew fixed.c": true, "state": false, "state x.json": false, "state save x.json": true, `keys "; rewrite"`: false, "share a.html": true, "nonsense": false} {
		if Writes(line) != want {
			t.Errorf("%s: writes: %v", line, !want)
		}
	}
}
