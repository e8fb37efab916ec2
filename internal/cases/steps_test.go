package cases

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/lower"
)

// rounds takes 2,000 rounds for each number that it reads.
const rounds = `#include <stdio.h>
static int spun(int x)
{
    int s = 0;
    for (int i = 0; i < 2000; i++)
        s += i % (x ? x : 1);
    return s;
}
int main(void)
{
    int n = 0, s = 0, x;
    while (scanf("%d", &x) == 1) {
        s += spun(x);
        printf("%d %d\n", ++n, s);
    }
    return 0;
}
`

// made are the runs that are made up of a program that takes long, in words.
func made(t *testing.T, p *lower.Program) string {
	t.Helper()
	ctx := context.Background()
	in := Input{Stdin: "3 9 4 1 7\n"}
	ex, err := Explore(ctx, p, []Input{in}, Config{Want: 500, Steps: budget.Of(30 * time.Millisecond)})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintln(ex.Tried, ex.LeftOut)
	for _, r := range ex.Runs {
		text += r.Input.String() + r.Test.Stdout + "\n"
	}
	return text
}

// TestBusy: a machine that is busy makes the same runs as one that is idle, although it takes longer: a
// program that takes long was varied as often as there was time for.
func TestBusy(t *testing.T) {
	p := load(t, rounds)
	idle := made(t, p)
	var end atomic.Bool
	var busy sync.WaitGroup
	for range 3 {
		busy.Add(1)
		go func() {
			defer busy.Done()
			for x := 1; !end.Load(); x = 3*x + 1 {
			}
		}()
	}
	loaded := made(t, p)
	end.Store(true)
	busy.Wait()
	if idle != loaded {
		t.Errorf("idle:\n%s\nbusy:\n%s", idle, loaded)
	}
	if ex, err := Explore(context.Background(), p, []Input{{Stdin: "3\n"}}, Config{Want: 500, Until: time.Now().Add(-time.Hour)}); err != nil || len(ex.Runs) != 1 {
		t.Errorf("the guard: %v, %v", ex, err)
	}
}
