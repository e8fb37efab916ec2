package session

import "testing"

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
	for line, want := range map[string]int{"next # on": 5, `keys "#"`: -1, `keys "a" # "b"`: 9, "next": -1} {
		if got := comment(line); got != want {
			t.Errorf("%s: %d, not %d", line, got, want)
		}
	}
}
