package schema

import (
	"strings"
	"testing"

	"gulo/internal/source"
)

// TestSigns: no edit compares strcmp's result with another number than zero, or computes with
// it; to ask for an order where equality was asked for costs most.
func TestSigns(t *testing.T) {
	p, path := tree(t, `#include <string.h>
int find(char **list, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0)
            return i;
    return -1;
}
int main(int argc, char **argv) { return find(argv, argc, "7") + 2; }
`)
	_ = path
	sp := newSpace(&Problem{Tree: p, Free: func(*source.File, int) bool { return true }})
	for _, f := range p.Funcs {
		sp.function(f)
	}
	n := 0
	for _, st := range sp.order {
		for _, e := range st.edits {
			switch {
			case !strings.Contains(e.alt, "strcmp"):
				if old := string(st.file.Text[st.start:st.end]); old == "0" && strings.HasSuffix(strings.TrimSpace(string(st.file.Text[:st.start])), "==") {
					t.Errorf("%q for %q beside strcmp", e.alt, old)
				}
			case strings.Contains(e.alt, "!= 0") && st.kind != statement:
				n++
			case strings.Contains(e.alt, "> 0") || strings.Contains(e.alt, "< 0"):
				if e.Cost < costSigns {
					t.Errorf("%q costs %d", e.alt, e.Cost)
				}
			case strings.Contains(e.alt, "strcmp(list[i], name) +"), strings.Contains(e.alt, "strcmp(list[i], name) %"), strings.Contains(e.alt, "- strcmp"):
				t.Errorf("%q", e.alt)
			}
		}
	}
	if n == 0 {
		t.Error("== is not exchanged for !=")
	}
}
