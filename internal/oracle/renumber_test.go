package oracle

import (
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// TestRenumbered: other numbers, and nothing else, in a state that a run came to: links and names stay, digits are
// digits and letters letters.
func TestRenumbered(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(`#include <stdlib.h>
struct item { char name[6]; int price; struct item *next; };
static struct item *first;
static int items = 2, stock[3] = {4, 5, 6};
int count(const char *code, int least)
{
    int n = items + stock[0];
    for (struct item *i = first; i; i = i->next)
        n += i->price >= least && i->name[0] == code[0];
    return n;
}
int main(void)
{
    struct item *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->name[0] = 'n'; a->name[1] = 'u'; a->name[2] = 't'; a->price = 12; a->next = b;
    b->name[0] = 'b'; b->name[1] = '4'; b->name[2] = '-'; b->price = 30;
    first = a;
    return count("n7", 3) == 0;
}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(t.Context(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := p.Tree.Func("count")
	states, err := Met(t.Context(), p, f, Start{}, "the run", 1)
	if err != nil || len(states) != 1 {
		t.Fatal(states, err)
	}
	was := states[0]
	before := was.Identity()
	rnd := rand.New(rand.NewSource(1))
	run, err := NewRunner(&Suite{Prog: p, Entry: f})
	if err != nil {
		t.Fatal(err)
	}
	other, args := 0, 0
	for range 300 {
		s := Renumbered(was, f, Named(p, f, was), rnd)
		if s == nil {
			t.Fatal("there are integers")
		}
		if s.Identity() != before {
			other++
		}
		if s.Args[1].Word != was.Args[1].Word {
			args++
		}
		if len(s.Objects) != len(was.Objects) || s.Args[0] != was.Args[0] {
			t.Fatal("a link has changed")
		}
		for i := range s.Objects {
			for k, c := range s.Objects[i].Cells {
				w := was.Objects[i].Cells[k].Value
				if c.Value.Object != w.Object || c.Value.Name != w.Name {
					t.Fatalf("%s leads elsewhere", c.Path)
				}
				if v := c.Value.Word; len(c.Path) > 4 && c.Path[:4] == "name" && v != w.Word && (kindOf(byte(v)) != kindOf(byte(w.Word)) || kindOf(byte(v)) == 2) {
					t.Fatalf("%s is %q and was %q", c.Path, rune(v), rune(w.Word))
				}
			}
		}
		if _, err := run.Run(&Case{Name: s.Text, State: s}, nil); err != nil {
			t.Fatalf("the state cannot be built: %v", err)
		}
	}
	if other < 200 || args == 0 {
		t.Errorf("%d of 300 states differ, %d in the argument", other, args)
	}
	if was.Identity() != before {
		t.Error("the state itself has changed")
	}
}

// kindOf tells digits, letters and others apart.
func kindOf(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return 0
	case c >= 'a' && c <= 'z':
		return 1
	}
	return 2
}
