package cases

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// TestRelations finds what holds between the numbers of all inputs, and nothing that holds by chance.
func TestRelations(t *testing.T) {
	for name, x := range map[string]struct {
		inputs   []string
		has, not []string
	}{
		"a line in order": {
			[]string{"4\n-5 -2 2 7\n", "2\n-1 1\n", "3\n1 2 6\n", "5\n1 4 5 9 12\n"},
			[]string{"3\n-9 0 4\n"}, []string{"3\n4 0 9\n"},
		},
		"numbers of places": {
			[]string{"3\n2 0 1\n", "4\n3 1 2 0\n", "2\n1 0\n", "5\n0 4 1 3 2\n", "6\n5 3 4 0 1 2\n", "3\n1 2 0\n", "2\n0 1\n"},
			[]string{"4\n1 3 0 2\n"}, []string{"4\n4 3 0 2\n", "4\n1 1 0 2\n"},
		},
		"the first of two is smaller": {
			[]string{"1 2\n", "4 9\n", "3 4\n", "7 30\n", "2 3\n", "5 8\n", "10 12\n"},
			[]string{"20 21\n"}, []string{"21 20\n", "5 5\n"},
		},
		"so few inputs say nothing": {[]string{"1 2\n", "4 9\n", "3 4\n"}, []string{"9 2\n", "5 5\n"}, nil},
		"edges between nodes": {
			[]string{"3 2\n1 2\n2 3\n", "4 3\n1 4\n2 4\n3 4\n", "5 4\n1 2\n1 3\n1 4\n1 5\n", "2 1\n2 1\n", "3 3\n3 2\n2 1\n3 1\n", "6 2\n6 1\n5 4\n", "4 2\n2 1\n4 3\n", "5 1\n5 2\n"},
			[]string{"3 1\n3 1\n"}, []string{"3 1\n4 1\n", "3 1\n2 2\n"},
		},
		"flags": {
			[]string{"4\n" + strings.Repeat("0 1 1 0\n", 4), "3\n" + strings.Repeat("1 1 0\n", 3), "2\n0 1\n1 1\n", "1\n0\n"},
			[]string{"2\n1 0\n0 0\n"}, []string{"2\n1 0\n2 0\n"},
		},
		"counts from 1": {
			[]string{"1\n5\n", "2\n5 5\n", "1\n-7\n", "3\n5 1 2\n", "4\n9 9 9 9\n", "6\n1 1 1 1 1 1\n", "9\n1 1 1 1 1 1 1 1 1\n"},
			[]string{"1\n0\n"}, []string{"0\n", "-1\n"},
		},
		"one 1 may be chance": {
			[]string{"1\n5\n", "2\n5 5\n", "5\n-7 1 1 1 1\n", "3\n5 1 2\n", "4\n9 9 9 9\n", "6\n1 1 1 1 1 1\n", "9\n1 1 1 1 1 1 1 1 1\n"},
			[]string{"0\n"}, nil,
		},
		"words":    {[]string{"ann 3\n", "bob 4\n", "cy 5\n"}, []string{"dora -1\n", "\n", ""}, nil},
		"no input": {nil, []string{"1 2 3\n"}, nil},
	} {
		var list []Input
		for _, s := range x.inputs {
			list = append(list, Input{Stdin: s})
		}
		r := relationsOf(list)
		for _, s := range slices.Concat(x.inputs, x.has) {
			if !r.Has(&Input{Stdin: s}) {
				t.Errorf("%s: %q should have the relations", name, s)
			}
		}
		for _, s := range x.not {
			if r.Has(&Input{Stdin: s}) {
				t.Errorf("%s: %q should not have the relations", name, s)
			}
		}
	}
}

// TestRelationsOfItself: the inputs from which relations were learned have them, whatever the inputs are.
func TestRelationsOfItself(t *testing.T) {
	rnd := rand.New(rand.NewSource(5))
	some := 0
	for range 400 {
		var list []Input
		lines, width, most := 1+rnd.Intn(3), 1+rnd.Intn(5), 1+rnd.Intn(12)
		for range 4 + rnd.Intn(16) {
			var b strings.Builder
			for range lines + rnd.Intn(2) {
				for k := range width + rnd.Intn(3)*rnd.Intn(2) {
					if v := rnd.Intn(most); rnd.Intn(300) == 0 {
						b.WriteString("x ")
					} else {
						fmt.Fprint(&b, v+k*rnd.Intn(most), " ")
					}
				}
				b.WriteByte('\n')
			}
			list = append(list, Input{Stdin: b.String()})
		}
		r := relationsOf(list)
		if r != nil {
			some++
		}
		for i := range list {
			if !r.Has(&list[i]) {
				t.Fatalf("%q, learned from it, does not have %+v", list[i].Stdin, r)
			}
		}
	}
	if some < 20 {
		t.Errorf("%d of 400 have relations", some)
	}
}
