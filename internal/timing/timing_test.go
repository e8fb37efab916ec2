package timing

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestRecord: spans are kept in the order in which they began, and summed up by name; without a
// record nothing is.
func TestRecord(t *testing.T) {
	ctx, r := With(context.Background())
	outer := Begin(ctx, "all")
	inner := Begin(ctx, "gcc")
	inner.Took(30 * time.Millisecond)
	inner.End("%d edits", 7)
	again := Begin(ctx, "gcc")
	again.Took(12 * time.Millisecond)
	again.End("")
	outer.End("")
	if s := r.Spans(); len(s) != 3 || s[0].What != "all" || s[1].Detail != "7 edits" || s[1].CPU != 30 {
		t.Errorf("%+v", s)
	}
	var b strings.Builder
	r.Print(&b)
	sums := b.String()[strings.Index(b.String(), "times"):]
	if f := strings.Fields(sums[strings.Index(sums, "\n"):]); len(f) != 8 || !strings.Contains(sums, "       2 ") || !strings.Contains(sums, " 42  gcc") {
		t.Errorf("%q", sums)
	}
	x := Begin(context.Background(), "nothing")
	x.Used(nil)
	x.Took(time.Second)
	x.End("")
}
