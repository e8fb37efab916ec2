package target_test

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"testing"

	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
	"gulo/internal/target/sim"
)

const busy = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; const char *key; int value; struct { short a, b[3]; } in; };
struct point { int x, y; struct point *to; };

static struct entry *table[5];
static char name[40] = "nobody";
static double sums[3];
static long *numbers;
static int used;

static unsigned seed = 7;
static unsigned any(unsigned n) { seed = seed * 1103515245 + 12345; return seed / 65536 % n; }

static void put(const char *key, int value)
{
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->value = value;
    e->in.b[1] = value;
    e->next = table[value % 5];
    table[value % 5] = e;
}

static int drop(int slot)
{
    struct entry *e = table[slot];
    if (e == NULL)
        return 0;
    table[slot] = e->next;
    if (any(3))
        free(e);
    return 1;
}

static int length(struct entry *e) { return e ? 1 + length(e->next) : 0; }

static struct point *far(struct point *p) { p->to = p; p->x++; return p->to; }

static void grow(void)
{
    numbers = realloc(numbers, (used + 1) * sizeof *numbers);
    numbers[used] = used * 3;
    used++;
}

int main(void)
{
    const char *keys[] = {"one", "two", "three"};
    struct point here = {1, 2, NULL};
    char *copy = NULL;
    int i;
    for (i = 0; i < 40; i++) {
        switch (any(7)) {
        case 0:
        case 1:
        case 2: put(keys[any(3)], i); break;
        case 3: drop(any(5)); break;
        case 4: grow(); break;
        case 5: sums[i % 3] += length(table[i % 5]); strcpy(name, keys[any(3)]); break;
        default: free(copy); copy = strdup(name); far(&(struct point){i, i, &here}); break;
        }
    }
    printf("%d %s\n", used, name);
    return 0;
}
`

// TestCamera steps a program at random, there and back, on both engines: what a camera sees is
// what a new capture does, and the graph that is made with the one before is the one made anew.
func TestCamera(t *testing.T) {
	p, file := lowertest.Load(t, busy)
	ctx := context.Background()
	t.Run("machine", func(t *testing.T) {
		watch(t, p, sim.New(p, sim.Config{}))
	})
	t.Run("gdb", func(t *testing.T) {
		if _, err := exec.LookPath("gdb"); err != nil {
			t.Skip("no gdb")
		}
		native, err := gdb.New(ctx, p, gdb.Config{Files: []string{file}})
		if err != nil {
			t.Fatal(err)
		}
		watch(t, p, native)
	})
}

func watch(t *testing.T, p *lower.Program, run target.Target) {
	defer run.Close()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(3, 4))
	c := &target.Camera{Target: run}
	var graphs heap.Grapher
	var saved []target.Snapshot
	shared, all := 0, 0
	begin := func() target.Stop {
		s, err := run.Start(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	stop := begin()
	var last *heap.Image
	for i := range 260 {
		im, err := c.Capture()
		if err != nil {
			t.Fatal(err)
		}
		whole, err := target.Capture(run)
		if err != nil {
			t.Fatal(err)
		}
		sameImages(t, im, whole)
		show := func(o *heap.Object) bool { return o.Kind == heap.Global || o.Frame < 2 }
		a, b := graphs.Graph(im, show), heap.NewGraph(whole, show)
		if !reflect.DeepEqual(a.Nodes, b.Nodes) || !reflect.DeepEqual(a.Vars, b.Vars) {
			t.Errorf("the graphs differ: %v and %v", a.Keys(), b.Keys())
		}
		if t.Failed() {
			t.Fatalf("step %d, at %s", i, p.Stmts[stop.Stmt].Range)
		}
		if last != nil {
			for _, o := range im.All() {
				if all++; last.Find(o.Addr) == o {
					shared++
				}
			}
		}
		last = im
		switch k := r.IntN(12); {
		case k == 0:
			s, err := run.Save()
			if err != nil {
				t.Fatal(err)
			}
			saved = append(saved, s)
		case k == 1 && len(saved) > 0:
			if err := run.Restore(saved[r.IntN(len(saved))]); err != nil {
				t.Fatal(err)
			}
			continue
		case k == 2:
			if o := im.All()[r.IntN(len(im.All()))]; o.Kind == heap.Node && o.Live {
				if err := run.Write(o.Addr, make([]byte, min(len(o.Data), 4))); err != nil {
					t.Fatal(err)
				}
			}
			continue
		case k == 3:
			if _, err := run.Alloc(24); err != nil {
				t.Fatal(err)
			}
			continue
		}
		mode := target.Into
		if r.IntN(3) == 0 {
			mode = target.Next
		}
		if stop, err = run.Resume(ctx, mode, nil); err != nil {
			t.Fatal(err)
		}
		if stop.Reason != target.Stepped {
			stop, saved = begin(), nil
		}
	}
	if all == 0 || shared*10 < all*8 {
		t.Errorf("only %d of %d objects are those of the image before", shared, all)
	}
}

func sameImages(t *testing.T, a, b *heap.Image) {
	t.Helper()
	for i := range max(len(a.All()), len(b.All())) {
		if i >= len(a.All()) || i >= len(b.All()) {
			t.Errorf("%d objects, and %d in a new image", len(a.All()), len(b.All()))
			return
		}
		x, y := *a.All()[i], *b.All()[i]
		if x.Addr != y.Addr || x.Kind != y.Kind || x.Seq != y.Seq || x.Live != y.Live || x.Var != y.Var || x.Frame != y.Frame || x.ReadOnly != y.ReadOnly ||
			x.Type != y.Type || !reflect.DeepEqual(x.Data, y.Data) || !reflect.DeepEqual(x.Undef, y.Undef) {
			t.Errorf("object %d is %+v, and %+v in a new image", i, x, y)
			return
		}
	}
	if !reflect.DeepEqual(a.Frames, b.Frames) || !reflect.DeepEqual(a.Vars(), b.Vars()) {
		t.Errorf("frames or variables differ: %v and %v", a.Frames, b.Frames)
	}
}
