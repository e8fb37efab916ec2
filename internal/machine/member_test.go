package machine_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// TestMembers runs a program up to a call of stop, and asks which member of the union in each block on the heap was
// written last; "-" where that is not known. A saved state has this knowledge, too.
func TestMembers(t *testing.T) {
	const text = `
#include <stdlib.h>
#include <string.h>
union u { int i; float f; struct { char c; short s; } p; char t[12]; };
struct s { long head; union u u; };
struct a { union { long n; double d; }; int tail; };
static int stops;
static void stop(void) { stops++; }
static void put(struct s v, struct s *to) { *to = v; }
static union u get(void) { union u x = { .f = 1 }; return x; }
int main(void)
{
    struct s *named = malloc(sizeof *named); named->u.i = 1; named->u.p.s = 3;
    struct s *element = malloc(sizeof *element); element->u.i = 1; element->u.t[2] = 'x';
    struct s *counted = malloc(sizeof *counted); counted->u.f = 1; counted->u.i++;
    struct s *copied = malloc(sizeof *copied); *copied = *named;
    struct s *passed = malloc(sizeof *passed); put(*counted, passed);
    struct s *returned = malloc(sizeof *returned); returned->u = get();
    struct s *moved = malloc(sizeof *moved); moved->u.f = 1; moved = realloc(moved, 64);
    struct s *cleared = malloc(sizeof *cleared); cleared->u.f = 1; memset(cleared, 0, sizeof *cleared);
    struct s *pointed = malloc(sizeof *pointed); pointed->u.f = 1; int *q = &pointed->u.i; *q = 4;
    struct s *bytes = malloc(sizeof *bytes); bytes->u.f = 1; memcpy(&bytes->u, "abcd", 4);
    struct s *beside = malloc(sizeof *beside); beside->u.f = 1; beside->head = 2;
    struct s *never = malloc(sizeof *never); never->head = 1;
    struct a *nameless = malloc(sizeof *nameless); nameless->d = 2; nameless->tail = 1;
    stop();
    named->u.f = 2;
    stop();
    return 0;
}
`
	file := filepath.Join(t.TempDir(), "u.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(p, machine.Config{Name: file, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Debug: true, KeepFreed: true})
	if err != nil {
		t.Fatal(err)
	}
	known := func() string {
		var out []string
		for _, b := range m.HeapBlocks() {
			if b.Freed {
				continue
			}
			name := "-"
			for _, x := range m.Members(b.Addr) {
				name = x.Union.Fields[x.Index].Name
			}
			out = append(out, name)
		}
		return strings.Join(out, " ")
	}
	run := func() {
		t.Helper()
		outside := false // a stop is where the run goes on, too
		if f := m.RunUntil(func(id int32, lib bool) bool {
			outside = outside || !lib && p.Stmts[id].Func.Name == "main"
			return outside && !lib && p.Stmts[id].Func.Name == "stop"
		}); f != nil {
			t.Fatal(f)
		}
	}
	const first = "p t i p i f f - - - f - d"
	run()
	if got := known(); got != first {
		t.Errorf("%s\n%s", got, first)
	}
	s := m.Save()
	run()
	if got := known(); got != "f"+first[1:] {
		t.Errorf("%s\nf%s", got, first[1:])
	}
	m.Restore(s)
	if got := known(); got != first {
		t.Errorf("after going back: %s\n%s", got, first)
	}
	run()
	if got := known(); got != "f"+first[1:] {
		t.Errorf("once more: %s\nf%s", got, first[1:])
	}
}
