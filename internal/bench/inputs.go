package bench

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"
)

// This file makes the arguments that programs of the corpus are run with.

// Shape says what the arguments of a program mean.
type Shape uint8

// The shapes.
const (
	None         Shape = iota // no arguments
	List                      // the values of a list
	Sorted                    // the values of an ascending list
	KeyList                   // a key, then the values of a list
	KeySorted                 // a key, then the values of an ascending list
	TwoKeysList               // two different keys, then the values of a list
	TwoLists                  // two lists with "/" between
	SortedLists               // two ascending lists with "/" between
	AbsoluteList              // a list that ascends by absolute values
	Tree                      // different keys, added to a search tree in this order
	KeyTree                   // one of the keys, then as Tree
)

func (s Shape) String() string {
	return [...]string{"no arguments", "a list", "a sorted list", "a key and a list", "a key and a sorted list", "two keys and a list",
		"two lists", "two sorted lists", "a list sorted by absolute values", "a search tree", "a key and a search tree"}[s]
}

// Arguments makes n different argument lists: small ones first, then random ones. The same seed gives the same lists.
func (s Shape) Arguments(n int, seed int64) [][]string {
	if s == None {
		return [][]string{nil}
	}
	rnd := rand.New(rand.NewSource(seed))
	seen := map[string]bool{}
	var out [][]string
	for try := 0; len(out) < n && try < 50*n; try++ {
		size := try * 8 / (n + 1)
		if size > 7 {
			size = rnd.Intn(9)
		}
		a := strings.Fields(s.one(size, rnd))
		if k := strings.Join(a, " "); !seen[k] {
			seen[k] = true
			out = append(out, a)
		}
	}
	return out
}

func (s Shape) one(size int, rnd *rand.Rand) string {
	var vals []int
	for i := 0; i < size; i++ {
		vals = append(vals, 1+rnd.Intn(9))
	}
	key := 1 + rnd.Intn(9)
	if size > 0 && rnd.Intn(3) > 0 {
		key = vals[rnd.Intn(size)]
	}
	switch s {
	case Sorted, KeySorted:
		sort.Ints(vals)
	case TwoKeysList:
		vals = rnd.Perm(9)[:size]
		a, b := rnd.Intn(9), rnd.Intn(8)
		if size > 1 && rnd.Intn(4) > 0 {
			a, b = vals[0], vals[size-1]
			if i := rnd.Intn(size - 1); rnd.Intn(2) == 0 {
				b, a = vals[i], vals[i+1]
			}
		}
		if a == b {
			b++
		}
		return fmt.Sprint(a, b, " ") + words(vals)
	case TwoLists:
		return words(vals) + " / " + words(rnd.Perm(9)[:rnd.Intn(6)])
	case SortedLists:
		b := rnd.Perm(9)[:rnd.Intn(6)]
		sort.Ints(b)
		sort.Ints(vals)
		return words(vals) + " / " + words(b)
	case AbsoluteList:
		sort.Ints(vals)
		for i := range vals {
			if rnd.Intn(2) == 0 {
				vals[i] = -vals[i]
			}
		}
	case Tree, KeyTree:
		size = 2 + size
		vals = rnd.Perm(size + 6)[:size]
		for i := range vals {
			vals[i]++
		}
		key = vals[rnd.Intn(size)]
	}
	switch s {
	case KeyList, KeySorted, KeyTree:
		return fmt.Sprint(key, " ") + words(vals)
	}
	return words(vals)
}

func words(vals []int) string { return strings.Trim(fmt.Sprint(vals), "[]") }
