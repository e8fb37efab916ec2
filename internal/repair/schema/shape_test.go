package schema

import (
	"context"
	"time"

	"strings"
	"testing"

	"gulo/internal/native"
	"gulo/internal/native/nativetest"
	"gulo/internal/source"
)

// TestShapely keeps answers as they are where what fails has none, also where the ends of outputs do not count.
func TestShapely(t *testing.T) {
	for _, judged := range []bool{false, true} {
		shapely(t, judged)
	}
}

func shapely(t *testing.T, judged bool) {
	t.Helper()
	const text = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int a = atoi(argv[1]), b = atoi(argv[2]);
    if (a > b)
        printf("%d is more\n", a);
    if (a < b)
        printf("%d is more\n", b);
    if (a == b + 1)
        printf("%d is as much\n", b);
    return argc - 3;
}
`
	right := strings.Replace(text, "a == b + 1", "a == b", 1)
	given, alike := args("4 4", "1 9", "9 1", "7 3", "2 2"), args("5 5", "8 8", "3 9", "9 3", "5 4", "4 5", "6 6", "1 2", "2 1", "8 7", "7 8", "12 5")
	for i, o := range nativetest.Outputs(t, right, given) {
		given[i].Stdout, given[i].Exit = o.Stdout, o.Status
		if judged {
			given[i].Judged, given[i].Stdout = true, source.Judged(o.Stdout)
		}
	}
	p, path := nativetest.Load(t, text)
	var first *Repair
	s := Start(context.Background(), &Problem{Tree: p, Funcs: nativetest.Own(p), Tests: given, Near: alike, Alike: func() []native.Test { return alike }, Limit: 3 * time.Minute,
		Try: func(_ context.Context, r *Repair) (Verdict, error) {
			if first == nil {
				first = r
			}
			return Verdict{Refuted: true}, nil
		}})
	defer s.Close()
	if _, err := s.Solve(context.Background(), nil, false, time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if first == nil || !strings.Contains(first.Texts[path], "if (a == b)") || first.Loses != nil {
		t.Fatalf("judged %v: the likeliest: %+v", judged, first)
	}
}
