package output

import "testing"

// TestOtherBase: a number that is the right one in octal digits by chance says nothing of a base.
func TestOtherBase(t *testing.T) {
	uses := func(list ...string) (us []use) {
		for i := 0; i < len(list); i += 2 {
			us = append(us, use{old: list[i], text: list[i+1]})
		}
		return us
	}
	for _, x := range []struct {
		us   []use
		want string
	}{
		{uses("31", "37", "7", "7", "5", "5"), "%d"},
		{uses("31", "1f", "7", "7"), "%x"},
		{uses("31", "37", "8", "10", "9", "11", "7", "7"), "%o"},
		{uses("31", "37", "31", "37", "31", "37"), "%d"},
		{uses("7", "007", "12", "012"), "%03d"},
	} {
		if got := reformatted("%d", x.us); got != x.want {
			t.Errorf("%v: %s, not %s", x.us, got, x.want)
		}
	}
}
