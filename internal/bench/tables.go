package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"sort"
	"time"

	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/proof"
	"gulo/internal/repair/trace"
	"gulo/internal/session"
	"gulo/internal/spec"
	"gulo/internal/target/sim"
	"gulo/internal/testgen"
)

// This file prints the tables that compare repair engines, and that show what trying repairs on generated inputs is
// worth.

// Options say what is measured.
type Options struct {
	Faults int // for each class
	Seed   int64
	Limit  time.Duration // for one repair; 0 means 10 s
}

// engine is a column of the table.
type engine struct {
	name string
	run  func(ctx context.Context, p *Program, f *Fault, cost int, limit time.Duration) (found bool, size int, unknown bool)
}

func solvers(seed int64) []engine {
	withProof := func(st proof.Strategy) func(context.Context, *Program, *Fault, int, time.Duration) (bool, int, bool) {
		return func(ctx context.Context, p *Program, f *Fault, cost int, limit time.Duration) (bool, int, bool) {
			r := proof.Solve(ctx, &proof.Problem{Program: p.Prog, Segments: f.Segments, Base: f.Base, Free: p.mine, FreeGap: p.myGaps, MaxCost: cost, Slots: 2, Strategy: st, Seed: seed, Limit: limit})
			ok := r.Patch != nil && trace.Replay(p.Prog, f.Segments, f.Base.Merge(r.Patch)) < 0
			return ok, r.Cost, r.Cause != ""
		}
	}
	return []engine{
		{"enumeration", func(ctx context.Context, p *Program, f *Fault, cost int, limit time.Duration) (bool, int, bool) {
			r := trace.Solve(ctx, &trace.Problem{Program: p.Prog, Segments: f.Segments, Base: f.Base, Free: p.mine, FreeGap: p.myGaps, MaxCost: cost, Slots: 2, Limit: limit})
			return len(r.Repairs) > 0, r.Cost, !r.Complete
		}},
		{"gini, minimal", withProof(proof.Minimal)},
		{"gini, Algorithm 3", withProof(proof.Algorithm3)},
		{"gini, AlgVar", withProof(proof.AlgVar)},
	}
}

// mine allows edits of statements in the function under repair only.
func (p *Program) mine(id int32) bool { return p.Prog.Stmts[id].Func.Name == p.Func }

func (p *Program) myGaps(id int32) bool { return p.Prog.Gaps[id].Func.Name == p.Func }

// row gathers the results of one engine on one class.
type row struct {
	times                  []time.Duration
	found, unknown, failed int
	size                   int
}

func (r *row) print(w io.Writer, name string) {
	sort.Slice(r.times, func(i, j int) bool { return r.times[i] < r.times[j] })
	at := func(q float64) time.Duration {
		if len(r.times) == 0 {
			return 0
		}
		return r.times[min(int(q*float64(len(r.times))), len(r.times)-1)]
	}
	mean := 0.0
	if r.found > 0 {
		mean = float64(r.size) / float64(r.found)
	}
	fmt.Fprintf(w, "  %-18s %4d found %3d none %3d unknown  median %9s  95%% %9s  max %9s  edits %.2f\n",
		name, r.found, r.failed, r.unknown, round(at(0.5)), round(at(0.95)), round(at(1)), mean)
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

func loadAll(ctx context.Context, names []string) ([]*Program, error) {
	var out []*Program
	for _, n := range names {
		p, err := Load(ctx, n)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// Repair prints repair time and success of the engines by class of faults (Wolverine2, Figure 16a-c) and by number of
// bugs (Figure 16d). Localization does not confine the search. progress may be nil.
func Repair(ctx context.Context, w io.Writer, o Options, progress func(done, all int)) error {
	if o.Limit == 0 {
		o.Limit = 10 * time.Second
	}
	ps, err := loadAll(ctx, Names())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Repair over %s, %s a class, seed %d, limit %v a repair, not confined; paper: most under 5 s, all repaired\n", plural.N(len(ps), "program"), plural.N(o.Faults, "fault"), o.Seed, o.Limit)
	done, all := 0, (4+10)*o.Faults
	for _, c := range [][2]int{{1, 0}, {1, 1}, {2, 0}, {2, 1}} {
		fmt.Fprintf(w, "faults <%d,%d>\n", c[0], c[1])
		faults, ofs := draw(ps, o, c[0], c[1])
		if err := compare(ctx, w, o, faults, ofs, c[0]+c[1], func() {
			if done++; progress != nil {
				progress(done, all)
			}
		}); err != nil {
			return err
		}
	}
	large, err := loadAll(ctx, []string{"dll_reverse", "rb_rotate_left", "sll_merge", "sll_partition", "sll_swap_pairs"})
	if err != nil {
		return err
	}
	for n := 1; n <= 10; n++ {
		fmt.Fprintf(w, "%s (5 larger programs)\n", plural.N(n, "bug"))
		q := o
		q.Faults = max(o.Faults/4, 5)
		faults, ofs := draw(large, q, n, 0)
		if err := compare(ctx, w, q, faults, ofs, n, func() {
			if done++; progress != nil {
				progress(done, all)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

func draw(ps []*Program, o Options, x, y int) (faults []*Fault, of []*Program) {
	rnd := rand.New(rand.NewSource(o.Seed + int64(100*x+y)))
	for i := 0; i < o.Faults; i++ {
		p := ps[i%len(ps)]
		if f := Inject(p, p.Dense, rnd, x, y); f != nil {
			faults, of = append(faults, f), append(of, p)
		}
	}
	return faults, of
}

func compare(ctx context.Context, w io.Writer, o Options, faults []*Fault, of []*Program, cost int, tick func()) error {
	if n := o.Faults - len(faults); n > 0 {
		fmt.Fprintf(w, "  %s left out: no fault that the assertions show was found\n", plural.N(n, "draw"))
	}
	es := solvers(o.Seed)
	rows := make([]row, len(es))
	for i, f := range faults {
		for k, e := range es {
			if err := ctx.Err(); err != nil {
				return err
			}
			begin := time.Now()
			found, size, unknown := e.run(ctx, of[i], f, cost, o.Limit)
			rows[k].times = append(rows[k].times, time.Since(begin))
			switch {
			case found:
				rows[k].found++
				rows[k].size += size
			case unknown:
				rows[k].unknown++
			default:
				rows[k].failed++
			}
		}
		tick()
	}
	for k := range es {
		rows[k].print(w, es[k].name)
	}
	return nil
}

// Trust prints how many of the repairs that would be shown first are right, with and without trying the candidates on
// generated inputs. A repair is right if it behaves like the program without the fault on inputs that the ranking did
// not see. Only the end of the run is asserted.
func Trust(ctx context.Context, w io.Writer, o Options) error {
	ps, err := loadAll(ctx, Names())
	if err != nil {
		return err
	}
	var plain, verified, total, left, none int
	rnd := rand.New(rand.NewSource(o.Seed))
	for i := 0; i < o.Faults; i++ {
		p := ps[i%len(ps)]
		plan, err := entryPlan(ctx, p)
		if err != nil {
			return err
		}
		f := Inject(p, p.Sparse, rnd, 1, 0)
		if f == nil || len(plan.Shapes()) == 0 {
			left++
			continue
		}
		r := trace.Solve(ctx, &trace.Problem{Program: p.Prog, Segments: f.Segments, Base: f.Base, Free: p.mine, FreeGap: p.myGaps, MaxCost: 2, Slots: 1, Limit: 5 * time.Second})
		if len(r.Repairs) == 0 {
			none++
			continue
		}
		seen := &oracle.Trials{Prog: p.Prog, Plan: plan}
		held := &oracle.Trials{Prog: p.Prog, Plan: plan, Seed: 1000, N: 200}
		truth := held.Run(repair.NewPatch())
		if truth.Unknown != "" {
			left++
			continue
		}
		total++
		right := func(patch *repair.Patch) bool { return oracle.Differ(truth, held.Run(patch)) < 0 }
		first := f.Base.Merge(r.Repairs[0].Patch)
		if right(first) {
			plain++
		}
		best, bestV := first, seen.Run(first)
		for _, c := range r.Repairs[1:min(len(r.Repairs), 20)] {
			q := f.Base.Merge(c.Patch)
			if v := seen.Run(q); v.Better(bestV) {
				best, bestV = q, v
			}
		}
		if right(best) {
			verified++
		}
	}
	fmt.Fprintf(w, "First-shown repairs that are right on 200 held-back inputs, %s <1,0> with only the end asserted, seed %d:\n", plural.N(total, "fault"), o.Seed)
	fmt.Fprintf(w, "  by distance alone            %4d of %d\n", plain, total)
	fmt.Fprintf(w, "  tried on generated inputs    %4d of %d\n", verified, total)
	fmt.Fprintf(w, "  left out: %d without a visible fault or shape; %d without repair of up to 2 edits\n", left, none)
	return nil
}

// entryPlan infers the shapes of the data with which the function under repair is called.
func entryPlan(ctx context.Context, p *Program) (*testgen.Plan, error) {
	s := session.New(p.Prog, sim.New(p.Prog, sim.Config{Name: p.Name, Args: p.Args()}), session.Config{Name: p.Name})
	defer s.Close()
	if _, _, err := s.Exec(ctx, "start; break "+p.Func+"; continue; spec; next; spec"); err != nil {
		return nil, err
	}
	var first *spec.Segment
	for _, seg := range s.Segments() {
		first = seg
		break
	}
	if first == nil {
		return nil, fmt.Errorf("%s: no segment", p.Name)
	}
	return testgen.Infer(first.Start, p.Prog.Tree.Func(p.Func)), nil
}
