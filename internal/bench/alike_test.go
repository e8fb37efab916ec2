package bench

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestAgree plays sessions under gdb and on the machine: what is repaired is the same. In the first one a
// literal that a picture led to for the first time kept a statement from being computed on the machine.
func TestAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("sessions under gdb take half a minute; make nightly plays them")
	}
	var list []Entry
	for _, e := range Corpus {
		if e.ID == "B16" || e.ID == "L4" {
			list = append(list, e)
		}
	}
	var out strings.Builder
	differ, err := Agree(context.Background(), &out, SweepOptions{Entries: list, Classes: []Class{{2, 0}}, Variants: 1, Seed: 1, Limit: time.Minute})
	if err != nil || differ > 0 || !strings.Contains(out.String(), "on the machine: 2, the same repair (or none) in 2") {
		t.Errorf("%s, %v", out.String(), err)
	}
}

// TestStepped: the sweep's sessions ask for what the statements stepped through say, as the paper does. Over whole calls
// and in the text this fault has one edit, which takes a hundred times as long to find.
func TestStepped(t *testing.T) {
	var list []Entry
	for _, e := range Corpus {
		if e.ID == "L1" {
			list = append(list, e)
		}
	}
	sessions, err := Sweep(context.Background(), SweepOptions{Entries: list, Classes: []Class{{1, 1}}, Variants: 1, Seed: 1, Limit: time.Minute})
	if err != nil || len(sessions) != 1 || sessions[0].Edits != 2 {
		t.Errorf("%+v, %v", sessions, err)
	}
}
