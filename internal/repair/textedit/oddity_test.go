package textedit

import "testing"

// TestNamesakes counts what stands beside a member of its name.
func TestNamesakes(t *testing.T) {
	for text, want := range map[string]int{
		"strcmp(e->key, key) == 0":   1,
		"strcmp(e->key, value) == 0": 0,
		"strcmp(key, e->key) == 0":   1,
		"p->key == key->next":        0,
		"a->key < b->key":            1,
		"n->key = key":               1,
		"n->key + key":               0,
		"key":                        0,
		"":                           0,
	} {
		if got := namesakes(lexemes(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"strcmp(e->key, key) == 0", "strcmp(e->section, section) == 0", true},
		{"strcmp(e->key, key) == 0", "strcmp(e->section, key) == 0", false},
		{"strcmp(e->key, key) == 0", "strcmp(e->key, key) == 0", false},
		{"e->key == 1", "e->value == 1", false},
	} {
		if got := renamed(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// TestFoolish counts comparisons that say nothing.
func TestFoolish(t *testing.T) {
	for _, x := range []struct {
		text          string
		twice, itself int
	}{
		{"return a < b->n || (a == b->n && c < d)", 0, 0},
		{"return a < b->n && (a == b->n && c < d)", 1, 0},
		{"return (a < b || b == a) && c < d", 1, 0},
		{"x = a < b || a > c", 0, 0},
		{"a[i] != a[i]", 0, 1},
		{"n - n", 0, 1},
		{"(a - b) < (b - a)", 0, 0},
		{"a < b || c == d || a >= b", 1, 0},
	} {
		if got := foolish(x.text); got != (folly{x.twice, x.itself}) {
			t.Errorf("%s: %+v", x.text, got)
		}
	}
}
