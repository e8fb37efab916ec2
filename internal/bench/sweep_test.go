package bench

import (
	"context"
	"os"
	"testing"
	"time"
)

// TestSweep plays a small sample of the sessions and holds every repair found to
// print what the right program prints.
func TestSweep(t *testing.T) {
	o := SweepOptions{Entries: Table5(), Classes: Classes, Variants: *nFlag, Seed: 1, Limit: 10 * time.Second}
	if *onlyFlag != "" {
		o.Entries = []Entry{*Find(*onlyFlag)}
	}
	ss, err := Sweep(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	PrintSweep(os.Stdout, ss, o)
	for _, s := range ss {
		if !s.Found || !s.Output || !s.Sound || s.Took > 1000 {
			t.Logf("%s %s: sound %v found %v right %v %.0f ms %s | %v | %v", s.ID, s.Class, s.Sound, s.Found, s.Output, s.Took, s.Where, s.Faults, s.Patch)
		}
	}
}
