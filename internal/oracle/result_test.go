package oracle

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// TestStructResult: every member of a struct that is returned counts, and so does what its
// pointers lead to. Arguments stay what they are.
func TestStructResult(t *testing.T) {
	const text = `#include <stdlib.h>
struct pair { int least; long most; int *copy; };
struct pair both(int a, int b)
{
    struct pair p = { a < b ? a : b, a > b ? a : b, malloc(sizeof(int)) };
    if (p.copy != NULL)
        *p.copy = b;
    return p;
}
int main(void) { return both(3, 5).least; }
`
	load := func(name, text string) *lower.Program {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	ref := load("ref.c", text)
	entry := ref.Tree.Func("both")
	im, err := Entered(context.Background(), ref, entry, Start{})
	if err != nil {
		t.Fatal(err)
	}
	states, why := Inputs(im, entry, 20, 1)
	if why != "" {
		t.Fatal(why)
	}
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{"a > b ? a : b", "a > b ? b : a", " most:"},
		{"*p.copy = b", "*p.copy = a", "#1: "},
	} {
		p := load("own.c", strings.Replace(text, c.from, c.to, 1))
		s, dropped, err := (&Reference{Prog: ref, Entry: entry}).Suite(p, states)
		if err != nil || dropped != 0 || len(s.Cases) < 10 {
			t.Fatalf("%q: %d cases, %d dropped: %v", c.to, len(s.Cases), dropped, err)
		}
		r, err := NewRunner(s)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, x := range s.Cases {
			run, err := r.Run(x, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !run.Meets(x.Want) {
				said = run.Differs(x.Want)
			}
		}
		if (said == "") != (c.want == "") || !strings.Contains(said, c.want) {
			t.Errorf("%q: %q", c.to, said)
		}
	}
}
