package textedit

import (
	"strings"
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

// TestStoredNext lets a new node lead to what led to the list before it does, where its pointer is not set.
func TestStoredNext(t *testing.T) {
	p, _ := nativetest.Load(t, `#include <stdlib.h>
struct pile { struct leaf *top; };
struct leaf { int n; struct leaf *under; };
void put(struct pile *s, int n)
{
    struct leaf *l = malloc(sizeof *l);
    l->n = n;
    s->top = l;
}
int main(void) { struct pile s = {0}; put(&s, 1); return s.top == 0; }
`)
	sp := New(Config{Tree: p})
	sp.Function(p.Func("put"))
	n := 0
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			if e.Alt == "l->under = s->top;" {
				n++
				if texts, ok := Apply(e); !ok || !strings.Contains(texts[p.Files[0].Name], "l->n = n;\n    l->under = s->top;\n    s->top = l;") {
					t.Errorf("%v", texts)
				}
			}
		}
	}
	if n != 1 {
		t.Errorf("%d edits", n)
	}
}
