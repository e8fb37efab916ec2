package textedit

import (
	"testing"

	"gulo/internal/native/nativetest"
)

// TestHalfSet sets a member of a new block that is forgotten where others are set, and none where the whole block may
// have been set.
func TestHalfSet(t *testing.T) {
	for _, x := range []struct {
		set  string
		want int
	}{
		{"b->item = 0; b->room = 4;", 1},
		{"*b = *from; b->room = 4;", 0},
		{"memcpy(b, from, sizeof *b); b->room = 4;", 0},
		{"b->item = 0; b->room = 4; b->count = 1;", 0},
	} {
		p, _ := nativetest.Load(t, "#include <stdlib.h>\n#include <string.h>\nstruct bag { int item, count, room; };\nstruct bag *make(struct bag *from)\n{\n    struct bag *b = malloc(sizeof *b);\n    "+x.set+"\n    return b;\n}\nint main(void) { struct bag c = {1, 2, 3}; free(make(&c)); return 0; }\n")
		sp := New(Config{Tree: p})
		sp.Function(p.Func("make"))
		n := 0
		for _, st := range sp.Sites {
			for _, e := range st.Edits {
				if e.What == "a member that is not set" && e.Alt == "b->count = 0;" {
					n++
				}
			}
		}
		if n != x.want {
			t.Errorf("%s: %d edits, want %d", x.set, n, x.want)
		}
	}
}
