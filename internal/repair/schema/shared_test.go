package schema

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/native"
	"gulo/internal/native/nativetest"
	"gulo/internal/repair/textedit"
)

// TestShared: statements that are compiled once do what they do where each stands at its place.
// The program has blocks in blocks, names that hide others, a recursive function, a switch and
// loops that edits leave.
func TestShared(t *testing.T) {
	p, _ := nativetest.Load(t, `#include <stdio.h>
#include <stdlib.h>
static int total, depth;
static int walk(int n, int *seen)
{
    static int calls;
    int left = n, right = 1;
    calls++;
    if (n <= 0)
        return total;
    for (int i = 0; i < n; i++) {
        int n = i * right;
        if (n > 4) {
            int right = left - n;
            total += right;
            left--;
        }
        *seen += n;
    }
    switch (left % 3) {
    case 0:
        left--;
        break;
    default:
        right += calls;
    }
    depth = right;
    return walk(left - 2, seen) + right;
}
int main(int argc, char **argv)
{
    int sum = 0, seen = 0;
    for (int i = 1; i < argc; i++)
        sum += walk(atoi(argv[i]), &seen);
    printf("%d %d %d %d\n", sum, seen, total, depth);
    return 0;
}
`)
	s := &Search{p: &Problem{Tree: p, Funcs: p.Funcs, Progress: func(string, ...any) {}}, until: time.Now().Add(time.Minute), res: &Result{}, steps: 5_000}
	s.sp = textedit.New(textedit.Config{Tree: p})
	s.sp.Function(p.Func("walk"))
	for _, args := range [][]string{nil, {"9"}, {"6", "7", "5", "3"}} {
		s.p.Tests = append(s.p.Tests, native.Test{Args: args})
	}
	ctx := context.Background()
	if err := s.compile(ctx, s.sp.Sites); err != nil { // what gcc refuses is taken out
		t.Fatal(err)
	}
	defer s.prog.Close()
	apart := map[bool][]native.Profiled{}
	_, _, sh := schemata(p, s.sp.Sites, false)
	if common := len(sh.of); common < len(s.byID)/4 {
		t.Errorf("%d of %d edits are compiled with others", common, len(s.byID)-1)
	}
	for _, each := range []bool{false, true} {
		texts, _, _ := schemata(p, s.sp.Sites, each)
		prog, err := native.Build(ctx, texts, native.Config{Unset: true})
		if err != nil {
			t.Fatal(err)
		}
		ses := s.session(s.p.Tests)
		for id := range s.byID {
			ses.Profile(id, 0)
		}
		a, err := prog.Run(ctx, ses, time.Minute)
		prog.Close()
		if err != nil {
			t.Fatal(err)
		}
		apart[each] = a.Profiled
	}
	if len(apart[true]) != len(s.byID) || len(apart[false]) != len(s.byID) {
		t.Fatalf("%d and %d answers for %d edits", len(apart[true]), len(apart[false]), len(s.byID))
	}
	for id := range s.byID {
		if id > 0 && (s.byID[id].Site.Kind == textedit.Value || strings.Contains(s.byID[id].Alt, "int ")) { // int n = n reads what is there by accident
			continue
		}
		if apart[true][id].All != apart[false][id].All {
			t.Errorf("%q behaves otherwise with others, at %s", s.byID[id].Alt, s.byID[id].Changes[0].File.Position(s.byID[id].Changes[0].Start))
		}
	}
}
