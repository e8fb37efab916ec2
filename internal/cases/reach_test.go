package cases

import (
	"context"
	"slices"
	"strings"
	"testing"
)

const bag = `#include <stdio.h>
int main(void)
{
    int in[10] = {0}, x;
    char op;
    while (scanf(" %c", &op) == 1) {
        if (op == 'n') {
            int n = 0;
            for (x = 0; x < 10; x++) n += in[x];
            printf("%d\n", n);
            continue;
        }
        if (scanf("%d", &x) != 1 || x < 0 || x > 9) break;
        if (op == 'i') in[x]++;
        else if (op == 'd' && in[x] > 2)
            puts("many");
        else if (op == 'd' && in[x] > 0)
            in[x]--;
    }
    return 0;
}
`

// TestReach finds inputs for statements that few runs of another kind have not come to.
func TestReach(t *testing.T) {
	p := load(t, bag)
	seeds := []Input{{Stdin: "i 5\ni 4\n"}}
	ex, err := Explore(context.Background(), p, seeds, Config{Want: 20, Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	many := func(r *Run) bool { return strings.Contains(r.Test.Stdout, "many") }
	if slices.ContainsFunc(ex.Runs, many) {
		t.Fatal("few runs have come to it already")
	}
	found, err := Reach(context.Background(), p, seeds, ex.Runs, Config{Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Explore(context.Background(), p, found, Config{Want: 1, Tries: 1, Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(again.Runs, many) {
		t.Errorf("none of %d inputs takes one of many away: %q", len(found), found)
	}
}

// TestScripts writes texts of commands, among them ones that no run in hand has, of as many
// words as the program reads.
func TestScripts(t *testing.T) {
	p := load(t, bag)
	list, err := Scripts(1, p, []Input{{Stdin: "i 5\ni 4\n"}}, LanguageOf(p.Tree), 300)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, in := range list {
		for l := range strings.Lines(in.Stdin) {
			seen[strings.TrimRight(l, "0123456789-\n")]++
		}
	}
	if len(list) != 300 || seen["i "] < 300 || seen["d "] < 300 || seen["n"] < 300 {
		t.Errorf("%d scripts of lines %v", len(list), seen)
	}
	if seen["d"] > 0 || seen["n "] > seen["n"] {
		t.Errorf("lines behind which nothing is read: %v", seen)
	}
	for _, in := range []Input{{Args: []string{"5"}}, {}} {
		if list, err := Scripts(1, p, []Input{in}, LanguageOf(p.Tree), 5); err != nil || len(list) > 0 {
			t.Errorf("%v: %v %v", in, list, err)
		}
	}
}
