package textedit

import (
	"strings"
	"testing"

	"gulo/internal/native/nativetest"
)

const spans = `#include <stdio.h>
struct span { int from, to; };
static struct span list[8];
static int n;
static void add(int from, int to) { list[n].from = from; list[n].to = to; n++; }
static int merge(void)
{
	int i, k = 0;
	for (i = 1; i < n; i++) {
		if (list[i].from <= list[k].to)
			list[k].to = list[i].to;
		else
			list[++k] = list[i];
	}
	return k + 1;
}
int main(int argc, char **argv)
{
	int a, b, i;
	while (scanf("%d %d", &a, &b) == 2)
		add(a, b);
	for (i = 1; i < argc; i++)
		printf("%s\n", argv[i]);
	printf("%d\n", merge());
	return 0;
}
`

// TestCompared: where a forced outcome mends a test, and only there, values of one kind are compared.
func TestCompared(t *testing.T) {
	tree, _ := nativetest.Load(t, spans)
	at := strings.Index(spans, "list[k].to = list[i].to;")
	made := func(forced []*Site) (n int) {
		sp := New(Config{Tree: tree, Forced: forced})
		sp.Function(tree.Func("merge"))
		for _, st := range sp.Sites {
			for _, e := range st.Edits {
				if strings.Join(strings.Fields(e.Alt), " ") == "if (list[i].to > list[k].to) list[k].to = list[i].to;" {
					n++
				}
				if strings.Contains(e.Alt, "k > list[k].to") {
					t.Errorf("an index is compared with an end: %s", e.Alt)
				}
			}
		}
		return n
	}
	var here []*Site
	for _, st := range Forced(tree.Funcs, 500) {
		if len(st.Edits) != ForcedWays {
			t.Fatalf("%d ways, want %d", len(st.Edits), ForcedWays)
		}
		if st.Start == at && st.Kind == Statement {
			here = append(here, st)
		}
	}
	if len(here) != 1 {
		t.Fatalf("%d places, want 1", len(here))
	}
	if n := made(nil); n != 0 {
		t.Errorf("without a place %d conditions are made up, want 0", n)
	}
	if n := made(here); n != 1 {
		t.Errorf("%d conditions are made up, want 1", n)
	}
}

// TestMixed: comparisons of numbers of different kinds are counted, those of one kind and those that stood
// there are not.
func TestMixed(t *testing.T) {
	tree, _ := nativetest.Load(t, spans)
	k, fn := inferKinds(tree), tree.Func("main")
	for _, c := range []struct {
		old, text string
		want      int
	}{
		{"", "if (a == argc) continue;", 1},
		{"", "if (a == list[i].from) continue;", 0},
		{"", "if (i == argc) continue;", 0},
		{"a == argc", "a == argc && b > 0", 0},
	} {
		if n := k.mixed(fn, c.old, c.text); n != c.want {
			t.Errorf("%q: %d, want %d", c.text, n, c.want)
		}
	}
}
