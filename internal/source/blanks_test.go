package source

import "testing"

// TestJudged: what judges do not count is taken away, and nothing else.
func TestJudged(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "\n\n": "", "a": "a", "a \t\r\n": "a", " a  b \r\n\n c\f\v\n \n\n": " a  b\n\n c", "a\rb\n": "a\rb",
	} {
		if got := Judged(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
	for _, x := range []struct {
		a, b string
		want bool
	}{
		{"1\n", "1\n", false}, {"1\n", "1", true}, {"1\n", "2", true}, {"1\n", "2\n", false}, {"1 \n2\n", "1\n3\n", true},
		{"1\r\n2\r\n", "1\n3\n", true}, {"1 2\n", "12\n", false}, {"", "1\n", false}, {" 1\n", "1\n", false}, {"1\n\n", "2\n", false}, {"1\n\n", "1\n", true},
	} {
		if got := Noise(x.a, x.b); got != x.want {
			t.Errorf("%q, %q: %v", x.a, x.b, got)
		}
	}
}
