package plural

import "testing"

func TestN(t *testing.T) {
	for _, x := range []struct {
		n          int
		noun, want string
	}{
		{0, "run", "0 runs"}, {1, "run", "1 run"}, {2, "other run", "2 other runs"}, {1, "entry", "1 entry"}, {3, "entry", "3 entries"},
		{2, "array", "2 arrays"}, {2, "branch", "2 branches"}, {2, "process", "2 processes"}, {2, "suffix", "2 suffixes"}, {2, "push", "2 pushes"},
	} {
		if got := N(x.n, x.noun); got != x.want {
			t.Errorf("%q, not %q", got, x.want)
		}
	}
	if N(uint64(1), "byte") != "1 byte" || Verb(1, "is", "are") != "is" || Verb(0, "is", "are") != "are" || All(1, "run") != "the only run" || All(3, "run") != "all 3 runs" {
		t.Error("a number is written wrongly")
	}
}
