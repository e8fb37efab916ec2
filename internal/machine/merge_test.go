package machine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// behaves describes all that a run shows.
func behaves(prog *lower.Program, p program, cfg machine.Config) string {
	var out, errs bytes.Buffer
	cfg.Name, cfg.Args, cfg.Stdin, cfg.Stdout, cfg.Stderr = p.name, strings.Fields(p.args), strings.NewReader(p.stdin), &out, &errs
	cfg.MaxSteps = 2_000_000
	m, err := machine.New(prog, cfg)
	if err != nil {
		return err.Error()
	}
	status, err := m.Run()
	var f *machine.Fault
	if errors.As(err, &f) {
		if f.Kind == machine.LimitFault {
			return "" // steps are counted differently
		}
		err = fmt.Errorf("%s: %s: %s in %s", f.Pos, f.Kind, f.Message, f.Func)
	}
	return fmt.Sprintf("%d %v\n%s\n%s", status, err, out.String(), errs.String())
}

// TestMerged runs every program with merged code, and with code over which edits can be laid, which is not merged.
// Both behave the same, up to the text of a fault.
func TestMerged(t *testing.T) {
	all := programs(t)
	var compared atomic.Int64
	dir := t.TempDir()
	for i, text := range merged {
		p := program{name: fmt.Sprintf("merged%d", i), path: filepath.Join(dir, fmt.Sprintf("merged%d.c", i))}
		if err := os.WriteFile(p.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	t.Cleanup(func() {
		if n := compared.Load(); n < 400 && !t.Failed() {
			t.Errorf("only %d runs were compared", n)
		}
	})
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			tree, err := cfront.Load(t.Context(), []string{p.path}, cfront.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, opt := range []lower.Options{{}, {Memory: true}} {
				prog, err := lower.Lower(tree, opt)
				if err != nil {
					t.Fatal(err)
				}
				for _, cfg := range []machine.Config{{}, {Wrap: true, UninitOK: true}} {
					got := behaves(prog, p, cfg)
					cfg.Overlays = true
					switch want := behaves(prog, p, cfg); {
					case got == "" || want == "":
					case got != want:
						t.Errorf("memory %v, wrap %v: merged\n%s\nnot merged\n%s", opt.Memory, cfg.Wrap, got, want)
					default:
						compared.Add(1)
					}
				}
			}
		})
	}
}

// merged are programs with copies of values that merging follows or leaves alone.
var merged = []string{
	// What i++ was before, and what a variable was before it changed.
	`#include <stdio.h>
int main(void) { int i = 3, j = i++, k = j + i--, a[5] = {1, 2, 3, 4, 5}; int *p = a; int x = *p++ + *p++ * 2; a[i++ % 5] = i; k ^= (j = k, k = 7, j);
	int s = i, t = s; s = t + 1; t = s + t; i = (s = t, t = s + 1, s) + t; printf("%d %d %d %d %ld %d %d %d %d\n", i, j, k, x, (long)(p - a), a[3], a[4], s, t); return 0; }`,
	// Every width, signed and not, and what does not fit.
	`#include <stdio.h>
#define ALL(T, f) { T a = (T)v[i], b = (T)v[j]; T c = a + b, d = a - b, e = a * b; T h = a; h += b; h >>= 1; printf(f f f f " ", c, d, e, h); \
	if (b != 0 && b != (T)-1) printf(f f, (T)(a / b), (T)(a % b)); printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b); int n = 0; \
	if (a < b) n |= 1; if (a <= b) n |= 2; if (a > b) n |= 4; if (a >= b) n |= 8; if (a == b) n |= 16; if (!(a != b)) n |= 32; if (a) n |= 64; if (!b) n |= 128; printf("%d\n", n); }
int main(void) { long v[] = {0, 1, -1, 2, 127, 128, 255, 256, -128, 32767, 32768, 65535, 40000, 2147483647, -2147483647, 4294967295, 1099511627776};
	for (int i = 0; i < 17; i++) for (int j = 0; j < 17; j++) { ALL(unsigned char, "%u ") ALL(unsigned short, "%u ") ALL(unsigned, "%u ") ALL(unsigned long, "%lu ") ALL(signed char, "%d ") ALL(_Bool, "%d ") }
	return 0; }`,
	// Signed overflow, divisions and shifts that C does not define; with --wrap it goes on.
	`#include <stdio.h>
int main(void) { volatile int m = 2147483647, z = 33; int s = 1; for (int i = 0; i < 3; i++) { s = s << i; printf("%d\n", s); } printf("%d\n", m - 1 + 1); printf("%d\n", 1 << z); printf("%d\n", m * m); return m + 1 < 0; }`,
	`int main(int argc, char **argv) { int a = -2147483647 - argc, b = -argc; return a / b; }`,
	`int main(int argc, char **argv) { unsigned a = 5, b = argc - 1; return a % b; }`,
	`int main(int argc, char **argv) { long a = 5; return (int)(a >> (63 + argc)); }`,
	// Elements of arrays: in bounds, before, behind, freed, never written, read-only.
	`#include <stdlib.h>
int main(int argc, char **argv) { short *p = malloc(8); for (int i = 0; i < 4; i++) p[i] = (short)(i * 20000); return p[3] + p[argc * 4]; }`,
	`#include <stdlib.h>
int main(int argc, char **argv) { long *p = malloc(32); p[-argc] = 3; return 0; }`,
	`#include <stdlib.h>
int main(int argc, char **argv) { unsigned char *p = malloc(8); p[argc] = 3; free(p); return p[argc]; }`,
	`#include <stdlib.h>
int main(int argc, char **argv) { int *p = malloc(8); p[argc] = 3; return p[argc] + p[argc - 1]; }`,
	`#include <stdlib.h>
struct s { char c; int n; } __attribute__((packed)); int main(int argc, char **argv) { struct s *p = malloc(20); p[argc].n = 5; p[argc + 1].c = 1; int r = p[argc].n; return r + p[argc + 2].n; }`,
	`int main(int argc, char **argv) { char *p = "abc"; p[argc] = 'x'; return 0; }`,
	// Calls that return twice; a jump into the middle of a loop; numbers that are no integers.
	`#include <setjmp.h>
#include <stdio.h>
static jmp_buf b; static void f(int n) { longjmp(b, n); }
int main(void) { int k = 0, last = 5; int r = setjmp(b); k = k + 1; last = r; if (k < 4) f(k); printf("%d %d\n", k, last); return 0; }`,
	`#include <stdio.h>
int main(int argc, char **argv) { int i = 7; double x = 0, y = 3.5; float g = 0.1f; if (argc) goto in; for (i = 0; i < 10; i++) { x = x * y - i / y; in: x += i; g *= 3; if (x > 50 || -x > 50) break; if (x) y += 0; } printf("%g %g %d %g\n", x, y, i, g); return x != x; }`,
	`#include <stdio.h>
int main(int argc, char **argv) { static void *to[] = {&&a, &&b, &&c}; int n = 0, k = argc; goto *to[k]; a: n += 1; b: n += 10; c: n += 100; if (n < 200) goto *to[n % 3]; switch (n) { case 1 ... 50: n = 1; break; case 210: n = 2; default: n++; } printf("%d\n", n); return 0; }`,
}
