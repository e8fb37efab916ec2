package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestExcerpts compares texts that differ behind what a message quotes.
func TestExcerpts(t *testing.T) {
	menu := strings.Repeat("1. Insert\n2. Display\n", 5)
	for _, x := range []struct{ a, b, wantA, wantB string }{
		{"1\n", "2\n", "1\n", "2\n"},
		{menu + "5 6 7\n", menu + "5 7 6\n", "...5 6 7\n", "...5 7 6\n"},
		{menu, menu + "more\n", "...", "...more\n"},
		{strings.Repeat("x", 90) + "a", strings.Repeat("x", 90) + "b", "..." + strings.Repeat("x", 20) + "a", "..." + strings.Repeat("x", 20) + "b"},
		{strings.Repeat("ä", 90) + "ö", strings.Repeat("ä", 90) + "ü", "..." + strings.Repeat("ä", 20) + "ö", "..." + strings.Repeat("ä", 20) + "ü"},
	} {
		a, b := Excerpts(x.a, x.b)
		if a != x.wantA || b != x.wantB {
			t.Errorf("%q, %q: got %q, %q", x.a, x.b, a, b)
		}
	}
}

// FuzzExcerpts: different texts have different excerpts, which are short and valid where the texts are.
func FuzzExcerpts(f *testing.F) {
	f.Add("a\nb", "a\nc")
	f.Add(strings.Repeat("é", 80), strings.Repeat("é", 80)+"è")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Excerpts(a, b)
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		if !utf8.ValidString(x) || !utf8.ValidString(y) || utf8.RuneCountInString(x) > excerptRunes || utf8.RuneCountInString(y) > excerptRunes {
			t.Errorf("%q, %q: got %q, %q", a, b, x, y)
		}
		if a != b && x == y {
			t.Errorf("%q, %q: both are %q", a, b, x)
		}
	})
}
