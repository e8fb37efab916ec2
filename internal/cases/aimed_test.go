package cases

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gulo/internal/lower/lowertest"
)

// TestAim has an argument that is changed on its way, one that is the same everywhere, and calls
// in a loop.
func TestAim(t *testing.T) {
	p, _ := lowertest.Load(t, `#include <stdio.h>
#include <stdlib.h>
int total;
int add(int unit, int price, int count, int scale)
{
    total += price * count;
    return total / scale + unit;
}
int main(int argc, char **argv)
{
    int r = 0;
    for (int i = 1; i + 1 < argc; i += 2)
        r = add(7, atoi(argv[i]) - 1, atoi(argv[i + 1]), 10);
    printf("%d\n", r);
    return 0;
}
`)
	var runs []Input
	for _, s := range []string{"5 2 30 4", "x 3 9 9", "12 -1 8 6 70 5", "100 40"} {
		runs = append(runs, Input{Args: strings.Fields(s)})
	}
	a, err := NewAim(context.Background(), p, p.Tree.Func("add"), runs)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := a.places["count"]; !ok || got != (place{1, 2}) || len(a.places) != 1 {
		t.Fatalf("places %v", a.places)
	}
	k := slices.IndexFunc(a.calls, func(c seen) bool { return c.run == 2 && c.call == 1 })
	if k < 0 {
		t.Fatalf("calls %v", a.calls)
	}
	if g := a.Given(k); g["price"] != 7 || g["unit"] != 7 || g["total"] != -11 {
		t.Errorf("given %v", g)
	}
	var texts []string
	for _, in := range a.At(k, map[string]int64{"count": -65, "price": 3}) {
		texts = append(texts, in.String())
	}
	if want := "12 -1 8 -65 70 5, 12 -1 8 -64 70 5, 12 -1 8 -66 70 5"; strings.Join(texts, ", ") != want {
		t.Errorf("made %v", texts)
	}
}

func TestNumerals(t *testing.T) {
	in := Input{Args: []string{"2024-02-29", "-7", "a=-3"}, Stdin: "1 -2\n"}
	if _, got := in.numerals(); !slices.Equal(got, []int64{2024, 2, 29, -7, -3, 1, -2}) {
		t.Errorf("%v", got)
	}
	if got := in.with(map[int]int64{1: 11, 3: 8, 6: 100}); got.String() != `2024-11-29 8 a=-3 <<< "1 100\n"` {
		t.Errorf("%s", got.String())
	}
}
