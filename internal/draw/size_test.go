package draw

import (
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTreeSize: a search tree of twelve nodes takes at most 20 lines of 80 columns where it has up to
// six levels, and three lines for each level where it is a longer chain.
func TestTreeSize(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 100 {
		const n = 12
		left, right := make([]int, n), make([]int, n)
		keys := r.Perm(n)
		for _, k := range keys[1:] {
			for at := keys[0]; ; {
				side := left
				if k > at {
					side = right
				}
				if side[at] == 0 {
					side[at] = k + 1
					break
				}
				at = side[at] - 1
			}
		}
		var deep func(i int) int
		deep = func(i int) int {
			d := 0
			for _, k := range []int{left[i], right[i]} {
				if k > 0 {
					d = max(d, deep(k-1))
				}
			}
			return d + 1
		}
		levels := deep(keys[0])
		var l Layout
		text := strings.TrimRight(l.Text(tree(left, right, keys[0]+1), Options{Width: 80}), "\n")
		lines := strings.Split(text, "\n")
		wide := 0
		for _, s := range lines {
			wide = max(wide, utf8.RuneCountInString(s))
		}
		if len(lines) > max(20, 3*levels) || wide > 80 {
			t.Fatalf("keys %v: %d lines of %d columns\n%s", keys, len(lines), wide, text)
		}
	}
}
