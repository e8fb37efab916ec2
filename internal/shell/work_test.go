package shell_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/shell"
)

// slowQueue forgets the tail of a queue that becomes empty; each call computes for a while.
const slowQueue = `#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };
struct queue { struct node *head, *tail; int size; };

static int mix(int v)
{
    for (int i = 0; i < 300; i++)
        v = (v * 31 + i) % 10007;
    return v;
}

static void enqueue(struct queue *q, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    if (q->tail != NULL)
        q->tail->next = n;
    else
        q->head = n;
    q->tail = n;
    q->size++;
}

static int dequeue(struct queue *q)
{
    struct node *c = q->head;
    int v = 0;
    if (c == NULL)
        return -1;
    v = mix(c->v);
    q->head = c->next;
    q->size--;
    free(c);
    return v;
}

int main(void)
{
    struct queue q = { NULL, NULL, 0 };
    enqueue(&q, 1);
    enqueue(&q, 2);
    printf("%d\n", dequeue(&q));
    printf("%d\n", dequeue(&q));
    enqueue(&q, 3);
    printf("%d\n", dequeue(&q));
    return 0;
}
`

// TestWork: what a search does is bounded by its work. One that its limit cuts does and says the same while other
// processes take the processors.
func TestWork(t *testing.T) {
	file := filepath.Join(t.TempDir(), "queue.c")
	if err := os.WriteFile(file, []byte(slowQueue), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	play := func(repair string) (text string, work time.Duration) {
		s := session.New(p, newTarget(t, "machine", p, []string{file}, nil), session.Config{Name: file})
		defer s.Close()
		ctx := budget.Begin(context.Background(), time.Hour)
		begin := budget.Now(ctx)
		script := "start\nbreak dequeue\ncontinue\ncontinue\nfinish\nchange q.tail null\nspec\n" + repair + "\nlocate\n"
		var out strings.Builder
		if _, _, err := shell.Script(ctx, s, strings.NewReader(script), &out); err != nil {
			t.Fatal(err)
		}
		return out.String(), budget.Since(ctx, begin)
	}
	text, work := play("repair --limit 100ms")
	if _, more := play("repair --limit 150ms"); work >= more {
		t.Errorf("100 ms are not too short: %v of %v are done", work, more)
	}
	stop := make(chan struct{})
	defer close(stop)
	for range 2 * runtime.GOMAXPROCS(0) {
		go func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
					n *= 3
				}
			}
		}()
	}
	if busy, did := play("repair --limit 100ms"); busy != text || did != work {
		t.Errorf("beside busy loops %v are done:\n%s\nwithout %v:\n%s", did, busy, work, text)
	}
}
