package judge

import (
	"strings"
	"testing"

	"gulo/internal/oracle"
)

func TestVary(t *testing.T) {
	given := []oracle.Test{{Args: []string{"3", "x"}}, {Stdin: "1 2\n3\n"}, {}}
	seen := map[string]bool{"3 x": true, "1 2\n3\n": true, "": true}
	list := vary(given, 30)
	if len(list) != 30 {
		t.Errorf("only %d", len(list))
	}
	for _, v := range list {
		k := strings.Join(v.Args, " ") + v.Stdin
		if seen[k] && v.Stdin != "" {
			t.Errorf("%q again", k)
		}
		seen[k] = true
	}
}

// TestUncommented holds that texts in quotes are no comments.
