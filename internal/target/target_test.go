package target_test

import (
	"context"
	"os/exec"
	"slices"
	"testing"
	"testing/quick"

	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
	"gulo/internal/target/sim"
)

const program = `#include <stdlib.h>
#include <string.h>

struct name {
    struct name *next;
    const char *text;
    char *copy;
    short marks[3];
    double mean;
};

static struct name *all;
static const char *const titles[] = {"Dr", "Prof"};

static struct name *add(const char *text, int n)
{
    struct name *x = calloc(1, sizeof *x);
    x->text = text;
    x->copy = malloc(strlen(text) + 1);
    strcpy(x->copy, text);
    for (int i = 0; i < 3; i++)
        x->marks[i] = n + i;
    x->mean = (x->marks[0] + x->marks[2]) / 2.0;
    x->next = all;
    all = x;
    return x;
}

static int drop(void)
{
    struct name *x = all;
    if (x == NULL)
        return 0;
    all = x->next;
    free(x->copy);
    free(x);
    return 1;
}

int main(void)
{
    struct name *first = add("Ada", 1), *second = add(titles[1], -7);
    int *lengths = malloc(2 * sizeof *lengths);
    lengths[1] = strlen(second->copy);
    first->copy[0] = 'I';
    while (drop())
        ;
    free(lengths);
    return 0;
}
`

// picture is what a program can reach, with the variables that are in scope.
func picture(t *testing.T, p *lower.Program, run target.Target) *heap.Graph {
	t.Helper()
	im, err := target.Capture(run)
	if err != nil {
		t.Fatal(err)
	}
	return heap.NewGraph(im, func(o *heap.Object) bool {
		return o.Kind == heap.Global || target.Visible(o.Var, p.Stmts[im.Frames[o.Frame].Stmt])
	})
}

// TestEngines steps a program on the machine and under gdb: at every statement both are
// at the same place, in the same functions, with the same picture of the memory.
func TestEngines(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("no gdb")
	}
	p, file := lowertest.Load(t, program)
	ctx := context.Background()
	native, err := gdb.New(ctx, p, gdb.Config{Files: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	machine := sim.New(p, sim.Config{})
	defer machine.Close()
	a, err := native.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, err := machine.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for ; a == b && a.Reason == target.Stepped && steps < 200; steps++ {
		x, y := picture(t, p, native), picture(t, p, machine)
		if d := heap.Diff(x, y); len(d) > 0 {
			for _, key := range d {
				c, _ := x.Cell(key)
				e, _ := y.Cell(key)
				t.Errorf("%s: %s is %+v under gdb, %+v on the machine", p.Stmts[a.Stmt].Range, key, c, e)
			}
			return
		}
		if a, err = native.Resume(ctx, target.Into, nil); err != nil {
			t.Fatal(err)
		}
		if b, err = machine.Resume(ctx, target.Into, nil); err != nil {
			t.Fatal(err)
		}
	}
	if a != b && a.Stmt != 0 && b.Stmt != 0 {
		t.Logf("%s under gdb, %s on the machine", p.Stmts[a.Stmt].Range, p.Stmts[b.Stmt].Range)
	}
	if a != b || a.Reason != target.Exited || steps < 50 {
		t.Errorf("after %d steps: %+v under gdb, %+v on the machine", steps, a, b)
	}
}

const allocations = `#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int aligned(void *p, size_t a) { return p != NULL && (uintptr_t)p % a == 0; }

int main(void)
{
    void *p = NULL, *q;
    if (posix_memalign(&p, 256, 100) != 0 || !aligned(p, 256))
        return 1;
    memset(p, 7, 100);
    p = realloc(p, 5000);
    if (p == NULL || ((char *)p)[99] != 7)
        return 2;
    free(p);
    p = aligned_alloc(64, 640);
    q = memalign(32, 5);
    if (!aligned(p, 64) || !aligned(q, 32))
        return 3;
    free(p);
    free(q);
    p = valloc(10);
    q = pvalloc(10);
    if (!aligned(p, 4096) || !aligned(q, 4096))
        return 4;
    free(p);
    free(q);
    p = malloc(13);
    if (malloc_usable_size(p) < 13 || malloc_usable_size(NULL) != 0)
        return 5;
    memset(p, 1, malloc_usable_size(p));
    q = reallocarray(p, 3, 100);
    if (q == NULL || ((char *)q)[12] != 1)
        return 6;
    if (realloc(q, 0) != NULL)
        return 7;
    if (posix_memalign(&p, 24, 8) != EINVAL || posix_memalign(&p, 4, 8) != EINVAL)
        return 8;
    errno = 0;
    if (malloc((size_t)-1 / 4) != NULL || errno != ENOMEM)
        return 9;
    errno = 0;
    if (calloc((size_t)-1 / 2, 3) != NULL || errno != ENOMEM)
        return 10;
    return 0;
}
`

// TestAllocators: what every function of the allocator's family returns can be used as C
// says, and freed, on both engines.
func TestAllocators(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("no gdb")
	}
	p, file := lowertest.Load(t, allocations)
	ctx := context.Background()
	native, err := gdb.New(ctx, p, gdb.Config{Files: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]target.Target{"gdb": native, "machine": sim.New(p, sim.Config{})} {
		defer run.Close()
		if _, err := run.Start(ctx); err != nil {
			t.Fatal(err)
		}
		s, err := run.Resume(ctx, target.Continue, nil)
		if err != nil || s.Reason != target.Exited || s.Status != 0 {
			t.Errorf("%s: %+v %v %s", name, s, err, run.Output())
		}
	}
}

// TestCells: the answer marks four bytes for each question that is answered yes, and is
// nil where none is.
func TestCells(t *testing.T) {
	property := func(data []byte, yes uint64) bool {
		asked := 0
		got := target.Cells(data, func(off, n int) bool {
			if off != 4*asked || n != min(4, len(data)-off) {
				t.Errorf("question about %d bytes at %d of %d", n, off, len(data))
			}
			asked++
			return yes>>(off/4%64)&1 == 1
		})
		if got == nil {
			got = make([]bool, len(data))
		} else if !slices.Contains(got, true) {
			return false
		}
		for i, g := range got {
			if g != (yes>>(i/4%64)&1 == 1) {
				return false
			}
		}
		return len(got) == len(data) && asked == (len(data)+3)/4
	}
	if err := quick.Check(property, nil); err != nil {
		t.Error(err)
	}
}

type memory map[ctype.Word]byte

func (m memory) Read(a ctype.Word, buf []byte) bool {
	for i := range buf {
		b, ok := m[a+ctype.Word(i)]
		if !ok {
			return false
		}
		buf[i] = b
	}
	return true
}

func TestLoadScalar(t *testing.T) {
	m := memory{8: 0xfe, 9: 0xff, 10: 1, 11: 0}
	if w, err := target.LoadScalar(m, 8, ctype.ShortT); err != nil || int64(w) != -2 {
		t.Error(int64(w), err)
	}
	if w, err := target.LoadScalar(m, 8, ctype.UIntT); err != nil || w != 0x1fffe {
		t.Error(w, err)
	}
	if _, err := target.LoadScalar(m, 10, ctype.IntT); err == nil {
		t.Error("read behind the memory")
	}
}
