package template

import (
	"slices"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower/lowertest"
)

// TestRandomNeighbours: what takes a random number takes one in all candidates, and how many numbers there are
// between two variables comes before another variable.
func TestRandomNeighbours(t *testing.T) {
	p, _ := lowertest.Load(t, `#include <stdlib.h>
int between(int low, int high) { return low + rand() % high; }
int coin(int n) { return rand() % 3 == n; }
int plain(int x) { return x + 1; }
`)
	tree := p.Tree
	list := func(of string) (out []string) {
		for _, c := range Components([]*cfront.Func{tree.Func(of)}, Choice{}) {
			for _, n := range Neighbours(c, tree) {
				if len(cfront.Drawn(n.X)) != len(cfront.Drawn(c.X)) {
					t.Errorf("%s: %s takes other random numbers than %s", of, cfront.Text(n.X), c)
				}
				out = append(out, cfront.Text(n.X))
			}
		}
		return out
	}
	between, coin := list("between"), list("coin")
	right, other := slices.Index(between, "low + rand() % (high - low + 1)"), slices.Index(between, "low + rand() % low")
	if right < 0 || other >= 0 && other < right {
		t.Errorf("%d %d in %q", right, other, between)
	}
	if k := slices.Index(coin, "rand() % 2 == n"); k < 0 || k > 8 {
		t.Errorf("%d in %q", k, coin)
	}
	if len(list("plain")) == 0 {
		t.Error("nothing listed for x + 1")
	}
}
