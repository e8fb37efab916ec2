package textedit

import (
	"strings"
	"testing"

	"gulo/internal/native/nativetest"
)

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
		{"k = 1 * k + 1", 0, 1},
		{"k = k / 1 + 0", 0, 2},
		{"f(1, *p) + a[0] - 10", 0, 0},
		{"return 0 - k", 0, 0},
		{"return strcmp(a->s, a->s) == 0", 0, 1},
		{"memcpy(p, p[0], n) + f(g(x, x)[i], g(x, y))", 0, 1},
		{"f(0, 0); if (h()) k(a, b, b)", 0, 0},
	} {
		if got := foolish(x.text); got != (folly{x.twice, x.itself}) {
			t.Errorf("%s: %+v", x.text, got)
		}
	}
}

// TestLost: a value that nothing reads is stored by mistake.
func TestLost(t *testing.T) {
	const program = `static int table[4], level;

void set_up(int from)
{
    table[0] = 4;
    table[1] = 5;
    level = from;
    level += 2;
}

int main(void) { set_up(1); return table[level]; }
`
	tree, _ := nativetest.Load(t, program)
	v, fn := WordsOf(tree), tree.Func("set_up")
	for _, x := range []struct {
		old, now string
		lost     bool
	}{
		{"table[0]", "table[1]", true},
		{"table[1]", "table[0]", true},
		{"table[1]", "table[2]", false},
		{"level = from", "from = level", true},
		{"level = from", "level = 2", false},
		{"4", "3", false},
	} {
		at := strings.Index(program[30:], x.old) + 30
		c := Change{tree.Files[0], at, at + len(x.old), x.now}
		if odd := v.Oddity([]*Edit{{Func: fn, Changes: []Change{c}}}); (odd >= oddLost) != x.lost {
			t.Errorf("%s for %s: %d", x.now, x.old, odd)
		}
	}
}
