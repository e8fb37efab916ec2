package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"sort"

	"gulo/internal/locate/gradient"
	"gulo/internal/locate/spectrum"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file compares localization from one trace with spectrum-based methods on
// generated tests: Wolverine2, Figure 17 and Table 6.

// EffortOptions say what is measured.
type EffortOptions struct {
	Seed     int64
	Progress func(done, all int)
}

// Bounds of the experiment, as in the paper.
const (
	effortPrograms = 10
	effortVariants = 20
	effortTests    = 60
)

// Effort prints, for every method, how much of the program a developer reads before she meets the fault, and returns
// the curves as SVG.
func Effort(ctx context.Context, w io.Writer, o EffortOptions) ([]byte, error) {
	rnd := rand.New(rand.NewSource(o.Seed))
	large := Large()
	perm := rnd.Perm(len(large))[:effortPrograms]
	sort.Ints(perm)
	efforts := map[string][]float64{}
	fmt.Fprintf(w, "Developer effort: %d large programs, %d single faults each, seed %d; statements of the whole program, average rank of ties\n", effortPrograms, effortVariants, o.Seed)
	fmt.Fprintf(w, "%-5s %-22s %6s %8s %8s   (Table 6: 10 programs, 13 to 335 tests, 89 to 100%% of lines)\n", "", "", "tests", "lines", "branches")
	for n, k := range perm {
		e := &large[k]
		sub, err := newSubject(ctx, e)
		if err != nil {
			return nil, err
		}
		tests, err := effortSuite(e, sub.prog)
		if err != nil {
			return nil, err
		}
		lines, branches, err := coverage(e, sub.prog, tests)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(w, "%-5s %-22s %6d %7.0f%% %7.0f%%\n", e.ID, e.Name, len(tests), lines, branches)
		for v := 0; v < effortVariants; v++ {
			if err := sub.effort(ctx, rnd, tests, efforts); err != nil {
				return nil, err
			}
			if o.Progress != nil {
				o.Progress(n*effortVariants+v+1, effortPrograms*effortVariants)
			}
		}
	}
	return printEffort(w, efforts), nil
}

func effortSuite(e *Entry, p *lower.Program) ([]oracle.Test, error) {
	var out []oracle.Test
	for _, args := range e.Shape.Arguments(effortTests, 3) {
		t, _, ok, err := oracle.Expect(p, fmt.Sprint(args), args, "", 2)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, t)
		}
	}
	return out, nil
}

// statements lists the statements of a program.
func statements(p *lower.Program) []int32 {
	var out []int32
	for _, st := range p.Stmts {
		if st != nil && st.Stop && st.Kind != lower.End && st.Range.File.Name[0] != '@' {
			out = append(out, st.ID)
		}
	}
	return out
}

// coverage returns the percentages of lines and branches of the function under repair that tests execute.
func coverage(e *Entry, p *lower.Program, tests []oracle.Test) (lines, branches float64, err error) {
	s := oracle.Runs(p, tests, 0)
	r, err := oracle.NewRunner(s)
	if err != nil {
		return 0, 0, err
	}
	seen := map[int32]bool{}
	ways := map[[2]int32]bool{}
	for _, c := range s.Cases {
		if _, err := r.Trace(c, func(prev, at int32) { seen[at] = true; ways[[2]int32{prev, at}] = true }); err != nil {
			return 0, 0, err
		}
	}
	all, hit, allWays, hitWays := 0, 0, 0, 0
	for _, st := range p.Stmts {
		if st == nil || !st.Stop || st.Func.Name != e.Func || st.Kind == lower.End {
			continue
		}
		all++
		if seen[st.ID] {
			hit++
		}
		if st.Kind == lower.Cond {
			for _, edge := range p.Edges(st) {
				allWays++
				if ways[[2]int32{st.ID, edge.Next}] {
					hitWays++
				}
			}
		}
	}
	return 100 * float64(hit) / float64(max(all, 1)), 100 * float64(hitWays) / float64(max(allWays, 1)), nil
}

// effort draws one fault and records where every method ranks it.
func (b *subject) effort(ctx context.Context, rnd *rand.Rand, tests []oracle.Test, efforts map[string][]float64) error {
	for try := 0; try < maxDraws; try++ {
		f := b.in.Draw(rnd, 1, 0)
		_, text, err := f.Source(b.prog)
		if err != nil {
			continue
		}
		faulty, err := b.e.Parse(ctx, []byte(text))
		if err != nil {
			continue
		}
		same, err := b.e.Align(b.prog, faulty, nil)
		if err != nil {
			continue
		}
		bad := same[f.Mutations[0].Stmt]
		stmts := statements(faulty)
		rank, shown, err := b.gradientRank(ctx, faulty, same, bad)
		if err != nil || !shown {
			continue
		}
		runs, failing, err := spectra(faulty, tests)
		if err != nil {
			return err
		}
		if failing == 0 {
			continue
		}
		if rank == 0 {
			rank = float64(len(stmts))
		}
		efforts["gulo"] = append(efforts["gulo"], 100*rank/float64(len(stmts)))
		for _, m := range spectrum.Methods {
			for _, s := range spectrum.Rank(m, runs, stmts) {
				if s.Stmt == bad {
					efforts[string(m)] = append(efforts[string(m)], 100*s.Rank/float64(len(stmts)))
				}
			}
		}
		return nil
	}
	return fmt.Errorf("%s: no fault found that the run shows", b.e.Name)
}

// gradientRank plays the session and returns the average rank of a statement among the suspicious ones, or 0 if it is
// not suspicious.
func (b *subject) gradientRank(ctx context.Context, faulty *lower.Program, same map[int32]int32, bad int32) (rank float64, shown bool, err error) {
	s := b.e.Machine(faulty)
	defer s.Close()
	if err := b.e.NewUser(b.right, faulty, s, same).Play(ctx, true); err != nil {
		return 0, false, nil
	}
	loc := gradient.Locate(faulty, s.Segments(), nil)
	for _, x := range loc.Suspects {
		if x.Stmt.ID != bad {
			continue
		}
		before, ties := 0, 0
		for _, y := range loc.Suspects {
			switch {
			case y.Score > x.Score:
				before++
			case y.Score == x.Score:
				ties++
			}
		}
		return float64(before) + float64(ties+1)/2, true, nil
	}
	return 0, len(loc.Suspects) > 0, nil
}

// spectra runs the tests and records what they execute.
func spectra(p *lower.Program, tests []oracle.Test) (runs []spectrum.Run, failing int, err error) {
	s := oracle.Runs(p, tests, 0)
	r, err := oracle.NewRunner(s)
	if err != nil {
		return nil, 0, err
	}
	for _, c := range s.Cases {
		run, err := r.Cover(c, nil)
		if err != nil {
			return nil, 0, err
		}
		bad := !run.Meets(c.Want)
		if bad {
			failing++
		}
		runs = append(runs, spectrum.Run{Covered: r.Covered, Failed: bad})
	}
	return runs, failing, nil
}

func printEffort(w io.Writer, efforts map[string][]float64) []byte {
	names := []string{"gulo"}
	for _, m := range spectrum.Methods {
		names = append(names, string(m))
	}
	paper := map[string]string{"gulo": "150 within 10%, 200 within 25% of 200", "tarantula": "33 within 25% of 200"}
	fmt.Fprintf(w, "\n%-10s %6s %8s %8s %8s %8s   paper\n", "method", "faults", "<= 5%", "<= 10%", "<= 25%", "median")
	var cs []curve
	for _, n := range names {
		v := efforts[n]
		sort.Float64s(v)
		within := func(t float64) int { return sort.SearchFloat64s(v, t+1e-9) }
		fmt.Fprintf(w, "%-10s %6d %8d %8d %8d %7.1f%%   %s\n", n, len(v), within(5), within(10), within(25), quantile(v, 0.5), paper[n])
		c := curve{name: n}
		for t := 0.0; t <= 100; t++ {
			c.x, c.y = append(c.x, t), append(c.y, float64(within(t)))
		}
		cs = append(cs, c)
	}
	return plot("Faults met within an effort", "effort: percent of the program read", "faults", false, cs)
}
