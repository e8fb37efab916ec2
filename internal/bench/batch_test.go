package bench

import (
	"context"
	"flag"
	"math/rand"
	"sort"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair/natural"
)

var (
	nFlag    = flag.Int("variants", 1, "faulty variants of each program and class")
	xFlag    = flag.Int("x", 1, "mutations")
	onlyFlag = flag.String("only", "", "one program, by its ID")
	yFlag    = flag.Int("y", 0, "deletions")
)

func TestNatural(t *testing.T) {
	ctx := context.Background()
	var times []time.Duration
	var fixed, wrong, failed, total int
	for i := range Table5() {
		e := &Corpus[i]
		if *onlyFlag != "" && *onlyFlag != e.ID {
			continue
		}
		j, err := Judge(ctx, e, 60, 200)
		if err != nil {
			t.Error(err)
			continue
		}
		rnd := rand.New(rand.NewSource(int64(i)))
		for k := 0; k < *nFlag; k++ {
			b, err := j.Break(ctx, rnd, *xFlag, *yFlag)
			if err != nil {
				t.Fatal(e.Name, err)
			}
			if b == nil {
				t.Log(e.Name, "no visible fault")
				continue
			}
			total++
			begin := time.Now()
			res, err := natural.Solve(ctx, &natural.Problem{Prog: b.Prog, Suite: b.Given, Funcs: []*cfront.Func{b.Given.Entry}, Limit: 20 * time.Second})
			if err != nil {
				t.Fatal(e.Name, err)
			}
			d := time.Since(begin)
			times = append(times, d)
			state := "FAILED " + res.Cause
			if len(res.Repairs) > 0 {
				state = "fixed"
				r, _ := oracle.NewRunner(b.Held)
				for _, c := range b.Held.Cases {
					os, err := natural.Overlays(b.Prog, res.Repairs[0].Patch)
					if err != nil {
						t.Fatal(err)
					}
					run, err := r.Run(c, os)
					if err != nil {
						t.Fatal(err)
					}
					if !run.Meets(c.Want) {
						state = "WRONG on " + c.Name + ": " + run.Differs(c.Want)
						break
					}
				}
				if state == "fixed" {
					fixed++
				} else {
					wrong++
				}
			} else {
				failed++
			}
			var what []string
			for _, m := range b.Fault.Mutations {
				what = append(what, m.Text)
			}
			t.Logf("%-4s %-22s %4d+%d cases %3d failing %8v %6d runs %3d bases  %s | %v", e.ID, e.Name, len(b.Given.Cases), len(b.Held.Cases), res.Failing, d.Round(100*time.Microsecond), res.Runs, res.Bases, state, what)
			if len(res.Repairs) > 0 && testing.Verbose() {
				diff, err := patch.Diff(b.Prog, res.Repairs[0].Patch)
				if err != nil {
					t.Error(err)
				}
				_ = diff
			}
		}
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	if len(times) > 0 {
		t.Logf("%d: %d fixed, %d wrong, %d failed; median %v, 95%% %v, max %v", total, fixed, wrong, failed, times[len(times)/2], times[len(times)*95/100], times[len(times)-1])
	}
}
