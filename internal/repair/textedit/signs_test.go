package textedit

import (
	"strings"
	"testing"

	"gulo/internal/native/nativetest"
)

// TestSigns: no edit compares strcmp's result with another number than zero, or computes with
// it; to ask for an order where equality was asked for costs most.
func TestSigns(t *testing.T) {
	p, path := nativetest.Load(t, `#include <string.h>
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
	sp := New(Config{Tree: p})
	for _, f := range p.Funcs {
		sp.Function(f)
	}
	n := 0
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			switch {
			case !strings.Contains(e.Alt, "strcmp"):
				if old := string(st.File.Text[st.Start:st.End]); old == "0" && strings.HasSuffix(strings.TrimSpace(string(st.File.Text[:st.Start])), "==") {
					t.Errorf("%q for %q beside strcmp", e.Alt, old)
				}
			case strings.Contains(e.Alt, "!= 0") && st.Kind != Statement:
				n++
			case strings.Contains(e.Alt, "> 0") || strings.Contains(e.Alt, "< 0"):
				if e.Cost < costSigns {
					t.Errorf("%q costs %d", e.Alt, e.Cost)
				}
			case strings.Contains(e.Alt, "strcmp(list[i], name) +"), strings.Contains(e.Alt, "strcmp(list[i], name) %"), strings.Contains(e.Alt, "- strcmp"):
				t.Errorf("%q", e.Alt)
			}
		}
	}
	if n == 0 {
		t.Error("== is not exchanged for !=")
	}
}
