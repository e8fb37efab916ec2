package judge

import (
	"strings"
	"testing"

	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// TestBecame compares what two runs did. Outputs that differ after a long menu are told apart, and two runs that do
// not end are the same.
func TestBecame(t *testing.T) {
	menu := strings.Repeat("1. Insert\n2. Display\n", 10)
	a, b := Became(&oracle.Run{Output: menu + "5 6\n"}, &oracle.Run{Output: menu + "6 5\n"})
	if want := `it prints "...5 6\n"`; a != want {
		t.Errorf("first: %s, want %s", a, want)
	}
	if want := `it prints "...6 5\n"`; b != want {
		t.Errorf("second: %s, want %s", b, want)
	}
	long := func(steps int64) *oracle.Run {
		return &oracle.Run{Steps: steps, Fault: &machine.Fault{Kind: machine.LimitFault, Message: "step limit", Steps: true}}
	}
	if x := long(200_006); !x.Endless() {
		t.Fatal("not endless")
	}
	if a, b := Became(long(200_006), long(200_017)); a != b {
		t.Errorf("two endless runs: %q, %q", a, b)
	}
}
