package schema

import (
	"strings"
	"testing"

	"gulo/internal/native"
)

func TestLikelySteps(t *testing.T) {
	for _, x := range []struct {
		stdin, args string
		want        int64
	}{
		{"3 4\n", "", 2_000},
		{"5000\n", "", 100_000},
		{"", "700", 14_000},
		{"99999999999\n", "", mostLikelySteps},
		{strings.Repeat("a line of text\n", 20), "", 30_000},
	} {
		got := likelySteps([]native.Test{{Stdin: x.stdin, Args: strings.Fields(x.args), Stdout: ""}})
		if got != x.want {
			t.Errorf("%.20q %s: %d, not %d", x.stdin, x.args, got, x.want)
		}
	}
}
