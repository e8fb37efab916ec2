package schema

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
