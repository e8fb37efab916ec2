package posixre

import "testing"

func TestCompile(t *testing.T) {
	for _, x := range []struct {
		text  string
		flags int64
		in    string
		match string // what is found; "" for nothing
	}{
		{"a+", Extended, "caaat", "aaa"},
		{"a+", 0, "caaat a+", "a+"}, // + is itself in a basic expression
		{"\\(ab\\)*c", 0, "ababc", "ababc"},
		{"(a|ab)(c|bcd)", Extended, "abcd", "abcd"}, // the longest one
		{"[[:digit:]]{2,3}", Extended, "a12345", "123"},
		{"HELLO", IgnoreCase, "say hello", "hello"},
		{"^b", Newline, "a\nb", "b"},
		{"^b", 0, "a\nb", ""},
	} {
		e := Compile(x.text, x.flags)
		if e.Errno != 0 || e.Regexp == nil {
			t.Errorf("%q: %+v", x.text, e)
			continue
		}
		if got := e.FindString(x.in); got != x.match {
			t.Errorf("%q in %q: %q, not %q", x.text, x.in, got, x.match)
		}
	}
}

// TestRefused holds that what has no equal is never translated into something else.
func TestRefused(t *testing.T) {
	for _, x := range []struct {
		text  string
		flags int64
		errno int
	}{{"(a", Extended, unmatchedParen}, {"[a", 0, unmatchedBracket}, {"a\\", 0, trailingEscape}, {"[[:nope:]]", 0, badClass}} {
		if e := Compile(x.text, x.flags); e.Errno != x.errno || e.Regexp != nil {
			t.Errorf("%q: %+v", x.text, e)
		}
	}
	if e := Compile("\\(a\\)\\1", 0); e.Refused == "" || e.Regexp != nil {
		t.Errorf("a back reference: %+v", e)
	}
}
