package schema

import (
	"context"
	"testing"
	"time"

	"gulo/internal/native"
	"gulo/internal/native/nativetest"
)

// TestHeld: a held-back run whose output is unknown and on which no repair ends says nothing, and is forgotten; one on
// which they end with something else refutes them.
func TestHeld(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    unsigned n = atoi(argv[1]), sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += 2;
    printf("%u\n", sum + 2);
    return 0;
}
`
	for _, x := range []struct {
		held    native.Test
		forgets int
		repairs bool
	}{
		{native.Test{Args: []string{"2000000000"}, Any: true}, 1, true},
		{native.Test{Args: []string{"2000000000"}, Stdout: "0\n"}, 0, false},
		{native.Test{Args: []string{"4"}, Any: true, Stdout: "10"}, 0, false},
	} {
		p, _ := nativetest.Load(t, text)
		forgets := 0
		tests := []native.Test{{Args: []string{"3"}, Stdout: "7\n"}, {Args: []string{"5"}, Stdout: "11\n"}}
		s := Start(context.Background(), &Problem{Tree: p, Funcs: nativetest.Own(p), Tests: tests, Held: []native.Test{x.held}, Single: true, Limit: time.Minute,
			Forget: func(native.Test) { forgets++ }, Try: func(context.Context, *Repair) (Verdict, error) { return Verdict{Enough: true}, nil }})
		res, err := s.Solve(context.Background(), nil, false, time.Now().Add(time.Minute))
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		if forgets != x.forgets || len(res.Repairs) > 0 != x.repairs {
			t.Errorf("%v: forgotten %d times, %d repairs", x.held, forgets, len(res.Repairs))
		}
	}
}
