package gdb

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/process"
)

// ownText has functions that begin in all the ways that gcc writes: with a frame, a large one, in the red zone with parameters of all
// kinds, without any variable. Each adds up what its variables hold before they are written, so that what filled them is seen.
const ownText = `#include <stdio.h>
struct pair { long a, b; };
int none(void) { return 3; }
unsigned in_red(int a, char c, short s, long l, float f, double d) { unsigned x, y; if (a + c + s + l + f + d != 21) return 0; return x & y; }
unsigned small(int a) { unsigned x[4]; none(); return x[0] & x[1] & x[2] & x[3] + 0 * a; }
unsigned large(void) { volatile unsigned x[500]; unsigned all = -1u; for (int i = 0; i < 500; i++) all &= x[i]; none(); return all; }
long pairs(struct pair p) { long x; return p.a + p.b + 0 * x; }
int main(void)
{
    struct pair p = {1, 2};
    for (int i = 0; i < 2; i++)
        printf("%x %x %x %ld %d\n", in_red(1, 2, 3, 4, 5, 6), small(1), large(), pairs(p), none());
    return 0;
}
`

// TestOwn: an object of the program's own build does the same with its frames filled; one that is not current, or not compiled as build
// compiles, is refused.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	source, object, changed, program := filepath.Join(dir, "own.c"), filepath.Join(dir, "own.o"), filepath.Join(dir, "changed.o"), filepath.Join(dir, "program")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-time.Minute)
		if err := os.Chtimes(source, then, then); err != nil {
			t.Fatal(err)
		}
	}
	u := &cfront.Unit{Name: source, Object: object}
	take := func(flags ...string) bool {
		t.Helper()
		if err := gcc(ctx, nil, append(append([]string{"-c", source, "-o", object}, flags...), "-w")...); err != nil {
			t.Fatal(err)
		}
		return own(ctx, u, []string{source}, changed)
	}
	write(ownText)
	for _, flags := range [][]string{{"-g"}, {"-g", "-O0", "-fPIC"}, {"-ggdb3", "-fcf-protection=full"}, {"-g", "-gdwarf-4", "-mno-red-zone"}} {
		if !take(flags...) {
			t.Error("refused:", flags)
			continue
		}
		if err := gcc(ctx, nil, "-no-pie", "-o", program, changed); err != nil {
			t.Fatal(err)
		}
		out, err := process.Program(ctx, program).Output()
		if want := "fefefefe fefefefe fefefefe 3 3\n"; err != nil || string(out) != want+want {
			t.Errorf("%v: %v\n%s", flags, err, out)
		}
	}
	for _, flags := range [][]string{nil, {"-g", "-O1"}, {"-g", "-Og"}, {"-g", "-fsanitize=address"}, {"-g", "-fstack-protector-all"}, {"-g", "-pg"}, {"-g1"}, {"-g", "-gno-column-info"}, {"-g", "-ffunction-sections"}, {"-g", "-flto"}} {
		if take(flags...) {
			t.Error("taken:", flags)
		}
	}
	for what, text := range map[string]string{
		"a register":                "int f(int n) { register int i = n; return i; }\n",
		"an array of variable size": "int f(int n) { int a[n]; a[0] = n; return a[0]; }\n",
		"no parameter to move":      "int f(void) { int a = 1; return a; }\n",
		"code of the user's":        "__asm__(\".type g, @function\\ng: ret\\n.size g, 1\");\nint f(int n) { return n; }\n",
	} {
		write(text)
		if take("-g") {
			t.Error("taken:", what)
		}
	}
	write(ownText)
	if !take("-g") {
		t.Fatal("refused")
	}
	now := time.Now().Add(time.Minute)
	if err := os.Chtimes(source, now, now); err != nil {
		t.Fatal(err)
	}
	if own(ctx, u, []string{source}, changed) {
		t.Error("taken: an object older than its source")
	}
}
