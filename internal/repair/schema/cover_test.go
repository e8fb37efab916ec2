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

// TestCover: what failing tests do not execute is known, and where they go and others do not.
func TestCover(t *testing.T) {
	const program = `#include <stdio.h>
#include <stdlib.h>
static int rest(int a, int b)
{
    if (b == 0)
        return -1;
    if (a < 0) {
        a = -a + 1;
    }
    return a % b;
}
int main(int argc, char **argv)
{
    (void)argc;
    printf("%d\n", rest(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
`
	p, _ := nativetest.Load(t, program)
	pr := &Problem{Tree: p, Funcs: p.Funcs, Limit: time.Minute, Tests: []native.Test{
		{Args: []string{"5", "3"}, Stdout: "2\n"}, {Args: []string{"-5", "3"}, Stdout: "2\n"}, {Args: []string{"7", "4"}, Stdout: "3\n"},
	}}
	s := &Search{p: pr, until: time.Now().Add(time.Minute), res: &Result{}}
	h, err := s.measure(context.Background())
	if err != nil || h.cover == nil {
		t.Fatal(h, err)
	}
	at := func(text string) *textedit.Site {
		k := strings.Index(program, text)
		return &textedit.Site{Kind: textedit.Statement, File: p.Files[0], Start: k, End: k + len(text), Func: p.Func("rest")}
	}
	for _, c := range []struct {
		text string
		idle bool
		away int
	}{{"return -1;", true, idleCost}, {"a = -a + 1;", false, 0}, {"-a", false, 0}, {"return a % b;", false, 1}} {
		if st := at(c.text); h.cover.idle(st) != c.idle || h.cover.away(st) != c.away {
			t.Errorf("%s: idle %v, away %d", c.text, h.cover.idle(st), h.cover.away(st))
		}
	}
	k := strings.Index(program, "a = -a + 1;") + len("a = -a + 1;")
	behind := &textedit.Site{Kind: textedit.Gap, File: p.Files[0], Start: k, End: k, Func: p.Func("rest")}
	if h.cover.away(behind) != 0 {
		t.Errorf("behind the statement that only the failing test executes: away %d", h.cover.away(behind))
	}
}
