package budget

import (
	"testing"
	"time"
)

func TestSteps(t *testing.T) {
	if n := Of(time.Second); n != PerSecond {
		t.Errorf("a second is %d steps, want %d", n, PerSecond)
	}
	if n := Of(1500 * time.Microsecond); n != PerSecond*15/10_000 {
		t.Errorf("1.5 ms are %d steps", n)
	}
	s, n := For(time.Millisecond), 0
	for ; !s.Over(); n++ {
		s.Spend(Run)
	}
	if want := PerSecond / 1000 / Run; n != want {
		t.Errorf("%d runs in a millisecond, want %d", n, want)
	}
	if none := (Steps{}); !none.Over() {
		t.Error("something is left of nothing")
	}
}
