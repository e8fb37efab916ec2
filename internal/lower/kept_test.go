package lower

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"unsafe"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// constructs has something of everything that a tree has.
const constructs = `
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <complex.h>
#include <string.h>
#include "own.h"
enum color { RED, GREEN = 5 };
typedef struct { int a : 3; unsigned b : 7; union { float f; long l; }; } bits;
static struct list { struct list *next; bits b; char name[8]; } first = { .name = "first", .b = { -1, 3, { .l = 4 } } };
int table[] = { [3] = 1, 2 }, (*handler)(int), *inside = &table[2];
static const char *words[] = { "one", "two", 0 };
wchar_t wide[] = L"wide";
static double complex z = 1.0;
static long double ld = 1.5L;
__int128 big = 1;
static int vary(int n, ...) { va_list l; va_start(l, n); int k = va_arg(l, int); va_end(l); return k; }
static int chosen(int n) { static void *at[] = { &&a, &&b }; goto *at[n & 1]; a: return 1; b: return 2; }
static void gone(int *p) { printf("%d", *p); }
static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int grow(int n, int m[n][n]) {
	int v[n];
	memset(v, 0, sizeof v);
	for (int i = 0; i < n; i++) { v[i] = m[i][i]++; if (i & 1) continue; else v[i] <<= 2; }
	qsort(v, n, sizeof *v, compare);
	return v[0] + ({ int t = n; t * 2; });
}
int main(int argc, char **argv) {
	int done __attribute__((cleanup(gone))) = 0, i = 0;
	struct list *l = malloc(sizeof *l), two = { 0 };
	*l = first; l->next = &two; two.b.a += 2;
	struct list *lit = &(struct list){ .next = l, .name = { 'x' } };
	do { i++; switch (i) { case 1: break; case 2 ... 4: done |= 1; default: done = !done; } } while (i < 6);
	while (i-- > 0) { if (i == 2) goto out; ; }
out:
	z += creal(z) * 2; ld = -ld; big <<= 70; SQUARE(done);
	handler = argc > 1 ? 0 : abs;
	asm("" : "+r"(i));
	asm("nop");
	return vary(1, 2) + chosen(argc) + (int)lit->next->b.l, offsetof(struct list, b);
}
__attribute__((constructor)) static void begin(void) { first.next = 0; }
`

func keptProgram(t *testing.T) (dir string, files []string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir = t.TempDir()
	put := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("a.c", constructs)
	put("late/own.h", "#define SQUARE(x) ((x) = (x) * (x))\n")
	if err := os.Mkdir(filepath.Join(dir, "early"), 0o700); err != nil {
		t.Fatal(err)
	}
	files = []string{filepath.Join(dir, "a.c")}
	for i := range 3 { // as many files as make a program worth keeping
		put(fmt.Sprintf("f%d.c", i), fmt.Sprintf("static int n = %d; struct list { int other; } x%d; int f%d(void) { return n++; }\n", i, i, i))
		files = append(files, filepath.Join(dir, fmt.Sprintf("f%d.c", i)))
	}
	return dir, files
}

// TestKept: a kept program is the one that was read.
func TestKept(t *testing.T) {
	for _, how := range []Options{{}, {Memory: true}, {Memory: true, Native: true}} {
		dir, files := keptProgram(t)
		opt := cfront.Options{Flags: []string{"-I" + dir + "/early", "-I" + dir + "/late"}}
		p, err := Open(context.Background(), files, opt, how)
		if err != nil {
			t.Fatal(err)
		}
		q := openKept(files, opt, how).read()
		if q == nil {
			t.Fatal("nothing was kept")
		}
		tree, err := cfront.Load(context.Background(), files, opt)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := Lower(tree, how)
		if err != nil {
			t.Fatal(err)
		}
		for what, r := range map[string]*Program{"as it was kept": p, "as it would be read": fresh} {
			c := &comparison{same: map[[2]unsafe.Pointer]reflect.Type{}, to: map[unsafe.Pointer]unsafe.Pointer{}}
			c.value("program", reflect.ValueOf(r).Elem(), reflect.ValueOf(q).Elem())
			for len(c.later) > 0 {
				l := c.later
				c.later = nil
				for _, f := range l {
					f()
				}
			}
			if c.diff != "" {
				t.Errorf("not %s: %s", what, c.diff)
			}
			if len(c.to) < 1000 {
				t.Errorf("%d values were compared", len(c.to))
			}
		}
	}
}

// TestKeptCounts: what is kept counts while nothing has changed of which it was made.
func TestKeptCounts(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"a source": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "f1.c"), []byte("int f1(void) { return 1; }\n"), 0o600)
		},
		"a header": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "late/own.h"), []byte("#define SQUARE(x) ((x) = 2 * (x))\n"), 0o600)
		},
		"a header in front of another": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "early/own.h"), []byte("#define SQUARE(x) ((x) = 3 * (x))\n"), 0o600)
		},
		"a file that is gone": func(dir string) error { return os.Remove(filepath.Join(dir, "f2.c")) },
		"a folder that is gone": func(dir string) error {
			return os.Remove(filepath.Join(dir, "early"))
		},
		"nothing": func(string) error { return nil },
	} {
		dir, files := keptProgram(t)
		opt := cfront.Options{Flags: []string{"-I" + dir + "/early", "-I", dir + "/late"}}
		if _, err := Open(context.Background(), files, opt, Options{Memory: true, Native: true}); err != nil {
			t.Fatal(err)
		}
		if openKept(files, opt, Options{Memory: true}).read() != nil || openKept(files, cfront.Options{Flags: append([]string{"-DX"}, opt.Flags...)}, Options{Memory: true, Native: true}).read() != nil {
			t.Error("another program's is taken")
		}
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		if got := openKept(files, opt, Options{Memory: true, Native: true}).read() != nil; got != (name == "nothing") {
			t.Errorf("%s: counts: %v", name, got)
		}
	}
	dir, files := keptProgram(t)
	opt := cfront.Options{Flags: []string{"-I" + dir + "/late"}}
	if _, err := Open(context.Background(), files, opt, Options{Memory: true, Native: true}); err != nil {
		t.Fatal(err)
	}
	k := openKept(files, opt, Options{Memory: true, Native: true})
	b, err := os.ReadFile(k.file)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 7, 100, len(b) / 2, len(b) - 1} {
		if err := os.WriteFile(k.file, b[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if k.read() != nil {
			t.Errorf("%d of %d bytes are taken", n, len(b))
		}
	}
}

// TestKeptDated: a program that says when it was compiled is read anew.
func TestKeptDated(t *testing.T) {
	for text, keep := range map[string]bool{
		`const char *when = __DATE__ "," __TIME__;`:                       false,
		`const char *when = __TIMESTAMP__;`:                               false,
		"#define PASTE(a, b) a##b\nconst char *when = PASTE(__DA, TE__);": false,
		`const char *when = "__DATE__"; /* __TIME__ */`:                   true,
		"#define BUILT __DATE__\nconst char *when = 0;":                   true,
	} {
		dir, files := keptProgram(t)
		name := filepath.Join(dir, "f1.c")
		if err := os.WriteFile(name, []byte(text+"\nint f1(void) { return 1; }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		opt := cfront.Options{Flags: []string{"-I" + dir + "/late"}}
		if _, err := Open(context.Background(), files, opt, Options{Memory: true}); err != nil {
			t.Fatal(err)
		}
		if got := openKept(files, opt, Options{Memory: true}).read() != nil; got != keep {
			t.Errorf("%s: kept: %v", text, got)
		}
	}
}

// comparison compares two graphs: what points to one thing in one of them does so in the other.
type comparison struct {
	same  map[[2]unsafe.Pointer]reflect.Type
	to    map[unsafe.Pointer]unsafe.Pointer
	later []func() // maps, whose keys may be pointers that are met only afterwards
	diff  string
}

func (c *comparison) differ(at string, a, b any) {
	if c.diff == "" {
		c.diff = fmt.Sprintf("%s: %v, %v", at, a, b)
	}
}

func (c *comparison) value(at string, a, b reflect.Value) {
	if c.diff != "" {
		return
	}
	if a.Type() != b.Type() {
		c.differ(at, a.Type(), b.Type())
		return
	}
	switch a.Type() {
	case reflect.TypeFor[sync.Mutex](), reflect.TypeFor[sync.Map]():
		return
	case reflect.TypeFor[*source.File]():
		if x, y := a.Elem(), b.Elem(); a.IsNil() != b.IsNil() || !a.IsNil() && (x.Field(0).String() != y.Field(0).String() || x.Field(1).Len() != y.Field(1).Len()) {
			c.differ(at, a, b)
		} else if q, ok := c.to[a.UnsafePointer()]; ok && q != b.UnsafePointer() {
			c.differ(at, "one file", "two")
		} else if !a.IsNil() {
			c.to[a.UnsafePointer()] = b.UnsafePointer()
		}
		return
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				c.differ(at, a, b)
			}
			return
		}
		p := [2]unsafe.Pointer{a.UnsafePointer(), b.UnsafePointer()}
		if c.same[p] == a.Type() {
			return
		}
		c.same[p] = a.Type()
		if q, ok := c.to[p[0]]; ok && q != p[1] && a.Elem().Kind() == reflect.Struct && a.Elem().Type().Name() != "Field" {
			c.differ(at, "one thing", "two")
			return
		}
		c.to[p[0]] = p[1]
		c.later = append(c.later, func() { c.value(at, a.Elem(), b.Elem()) })
	case reflect.Interface:
		if a.IsNil() != b.IsNil() {
			c.differ(at, a, b)
		} else if !a.IsNil() {
			c.value(at, a.Elem(), b.Elem())
		}
	case reflect.Struct:
		for i := range a.NumField() {
			c.value(at+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			c.differ(at, a.Len(), b.Len())
			return
		}
		for i := range a.Len() {
			c.value(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i))
		}
	case reflect.Map:
		c.mapping(at, a, b, 0)
	case reflect.String:
		if a.String() != b.String() {
			c.differ(at, a, b)
		}
	case reflect.Bool:
		if a.Bool() != b.Bool() {
			c.differ(at, a, b)
		}
	default:
		if a.CanInt() && a.Int() != b.Int() || a.CanUint() && a.Uint() != b.Uint() || a.CanFloat() && a.Float() != b.Float() {
			c.differ(at, a, b)
		}
	}
}

// mapping compares maps when the keys that are pointers have been met.
func (c *comparison) mapping(at string, a, b reflect.Value, waited int) {
	if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
		c.differ(at, a.Len(), b.Len())
		return
	}
	other := map[unsafe.Pointer]reflect.Value{}
	key := func(k reflect.Value) reflect.Value {
		for k.Kind() == reflect.Interface {
			k = k.Elem()
		}
		return k
	}
	for it := b.MapRange(); it.Next(); {
		if k := key(it.Key()); k.Kind() == reflect.Pointer {
			other[k.UnsafePointer()] = it.Value()
		}
	}
	for it := a.MapRange(); it.Next(); {
		k := key(it.Key())
		v := b.MapIndex(it.Key())
		if k.Kind() == reflect.Pointer {
			to, ok := c.to[k.UnsafePointer()]
			if !ok && waited < 200 {
				c.later = append(c.later, func() { c.mapping(at, a, b, waited+1) })
				return
			}
			v = other[to]
		}
		if !v.IsValid() {
			c.differ(at, "a key", "none")
			return
		}
		c.value(at, it.Value(), v)
	}
}
