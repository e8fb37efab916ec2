package native

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gulo/internal/budget"
)

// worker has edits that take some work, and some that overwrite what the harness counts by.
const worker = `#include <stdio.h>
#include <unistd.h>
extern int gulo_g, gulo_h;
extern long gulo_steps, gulo_limit;
extern void gulo_over(void);
int main(void)
{
	switch (gulo_g) {
	case 1: gulo_limit = 1L << 60; _exit(85);
	case 2: gulo_steps = 1L << 59; gulo_limit = 1L << 60; return 1;
	case 3: gulo_steps = -(1L << 60); return 1;
	}
	for (int i = 0; i < 1000; i++) if (++gulo_steps > gulo_limit) gulo_over();
	puts("done");
	return 0;
}
`

// TestWork: in a search a session ends by the work of its runs, at the same answer each time and in both ways of
// running, and one answer is always given. What it charges is what it may take and a run more.
func TestWork(t *testing.T) {
	p := build(t, worker, Config{})
	const steps = budget.Quick + 1000*budget.Round // of a run
	limit := 100 * steps * time.Second / budget.PerSecond
	for _, x := range []struct {
		limit time.Duration
		jobs  int
	}{{limit, 100}, {limit / 2, 50}, {0, 1}, {time.Minute, 400}} {
		for _, show := range []bool{false, true} {
			s := &Session{}
			s.Limit(time.Second, 10_000)
			for range 10 {
				s.Add(&Test{Stdout: "done\n"})
			}
			for i := range 400 {
				if show {
					s.Show(0, 0, i%10)
				} else {
					s.Order([]int{i % 10})
					s.Screen(0, 0)
				}
			}
			ctx := budget.Begin(context.Background(), time.Hour)
			a, err := p.Run(ctx, s, x.limit)
			if err != nil {
				t.Fatal(err)
			}
			n := len(a.Printed) + len(a.Screened)
			if n > x.jobs+1 || n < x.jobs-20 || n == 0 || a.Cut != (x.jobs < 400) { // some runs compare the two ways of running
				t.Errorf("%v, shown %v: %d answers, want about %d; cut is %v", x.limit, show, n, x.jobs, a.Cut)
			}
			if charged := a.runs*budget.Quick + a.steps*budget.Round; x.jobs < 400 && charged > budget.Of(x.limit)+20*steps {
				t.Errorf("%v: %d steps are charged", x.limit, charged)
			}
		}
	}
}

// TestOverwritten: what a run writes over the harness's own variables is not what is charged.
func TestOverwritten(t *testing.T) {
	p := build(t, worker, Config{})
	s := &Session{}
	s.Limit(time.Second, 10_000)
	for range 6 {
		s.Add(&Test{Stdout: "done\n"})
	}
	for g := range 4 {
		s.Profile(g, 0)
	}
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Profiled) != 4 || a.runs < 24 || a.steps > a.runs*10_000 || a.steps < 6*1000 {
		t.Errorf("%s: %d runs, %d steps", fmt.Sprint(a.Profiled), a.runs, a.steps)
	}
}
