package machine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/machine"
)

// TestSlices: a slice shows where an index came from, through a call, a struct that is copied, and the library. It
// leaves out a variable that only lay in the same registers, and a condition that was not evaluated.
func TestSlices(t *testing.T) {
	const text = `#include <stdlib.h>
#include <string.h>
struct span { int from, to; };
static int half(int n) { int unused = n * 3; (void)unused; return n / 2; }
static struct span make(int n)
{
    struct span s;
    s.from = half(n);
    s.to = n + 4;
    return s;
}
int main(int argc, char **argv)
{
    struct span a = make(argc + 7), b = a, c;
    memcpy(&c, &b, sizeof c);
    int other = 99, limit = 12;
    int *v = malloc(8 * sizeof *v);
    for (int i = c.from; i < c.to; i++)
        if (argc > 5 && i < other || i < limit)
            v[i] = other;
    return 0;
}
`
	prog, _ := lowertest.Load(t, text)
	m, err := machine.New(prog, machine.Config{Name: "a", Trace: true, Numbers: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Run()
	var f *machine.Fault
	if !errors.As(err, &f) || f.Kind != machine.HeapOverflow {
		t.Fatal(err)
	}
	var conditions []int32
	for _, s := range prog.Stmts {
		if s != nil && s.Kind == lower.Cond {
			conditions = append([]int32{s.ID}, conditions...)
		}
	}
	var said []string
	for _, s := range m.Slices(0, conditions) {
		for _, l := range s.Links {
			said = append(said, fmt.Sprintf("%s: %s %d", s.Of, l.What, prog.Stmts[l.Stmt].Range.Position().Line))
		}
	}
	want := []string{
		"the index: stored 18", "the index: stored 18", "the index: stored 8", "the index: returned 4", "the index: passed 14",
		"the bound: compared 19", "the bound: stored 16", "the bound: compared 18", "the bound: stored 9",
	}
	if got := strings.Join(said, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("it says\n%s\nand is to say\n%s", got, strings.Join(want, "\n"))
	}
}
