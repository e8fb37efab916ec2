package textedit

import (
	"testing"

	"gulo/internal/native/nativetest"
)

const gauges = `#include <stdio.h>
#define LIMIT 40
#define IDLE 0
#define BUSY 1
#define SPARE 7

static int level, state, on;

static int high(int x) { return x >= LIMIT; }

static int next(int step, int mode)
{
    level = level + step;
    state = mode;
    on = high(level) && state != IDLE;
    if (level < LIMIT)
        state = BUSY;
    return level;
}

int main(int argc, char **argv)
{
    int a[2] = {3, 1};
    (void)argv;
    if (argc > 1)
        a[0] = argc;
    printf("%d %d\n", next(a[0], a[1]), on);
    return 0;
}
`

// TestKinds: levels and states are both int, and are told apart.
func TestKinds(t *testing.T) {
	p, _ := nativetest.Load(t, gauges)
	k := inferKinds(p)
	fn := p.Func("next")
	for _, c := range []struct {
		a, b  string
		apart bool
	}{
		{"level", "step", false},
		{"level", "LIMIT", false},
		{"level", "next(1, 2)", false},
		{"level", "state", true},
		{"LIMIT", "BUSY", true},
		{"state", "mode", false},
		{"step", "mode", true},
		{"state", "IDLE", false},
		{"level", "SPARE", false}, // nothing is known of it
		{"level", "level + 1", false},
	} {
		if got := k.apart(fn, c.a, c.b); got != c.apart {
			t.Errorf("%s and %s: apart %v", c.a, c.b, got)
		}
	}
}

// TestTruths: nobody adds one to a truth value, and nobody stores 2 as one.
func TestTruths(t *testing.T) {
	p, _ := nativetest.Load(t, gauges)
	tr := findTruths(p)
	for name, want := range map[string]bool{"on": true, "level": false, "state": false} {
		for _, v := range p.Globals {
			if v.Name == name && tr.vars[v] != want {
				t.Errorf("%s: truth value %v", name, tr.vars[v])
			}
		}
	}
	if !tr.funcs[p.Func("high")] || tr.funcs[p.Func("next")] {
		t.Error("high returns truth values, and next does not")
	}
	for _, e := range listed(t, gauges) {
		for _, c := range e.Changes {
			if c.Text == "high(level) + 1" || c.Text == "on - 1" {
				t.Errorf("%q is listed", c.Text)
			}
		}
	}
}

// TestMacroOperands: a macro's name is an operand like any other, and one that nobody uses is missing somewhere.
func TestMacroOperands(t *testing.T) {
	want := map[string]bool{"x > LIMIT": false, "level <= LIMIT": false, "state == IDLE": false, "SPARE": false}
	for _, e := range listed(t, gauges) {
		for _, c := range e.Changes {
			if _, ok := want[c.Text]; ok {
				want[c.Text] = true
			}
		}
	}
	for text, ok := range want {
		if !ok {
			t.Errorf("%q is not listed", text)
		}
	}
}
