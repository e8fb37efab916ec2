package bench

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"gulo/internal/repair"
	"gulo/internal/repair/proof"
	"gulo/internal/repair/trace"
	"gulo/internal/smt"
	"gulo/internal/spec"
)

var (
	faults  = flag.Int("faults", 132, "random faults for TestAgreement; with -short a third of them")
	seed    = flag.Int64("seed", 7, "of the random faults")
	z3limit = flag.Duration("z3", 2*time.Second, "limit of one query to z3")
)

func corpus(t testing.TB) []*Program {
	t.Helper()
	var out []*Program
	for _, n := range Names() {
		p, err := Load(context.Background(), n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// TestCorpus checks that every right run meets what was asserted of it, and
// how much of it is modelled.
func TestCorpus(t *testing.T) {
	for _, p := range corpus(t) {
		items, concrete := 0, 0
		for _, segs := range [][]*spec.Segment{p.Dense, p.Sparse} {
			if k := trace.Replay(p.Prog, segs, repair.NewPatch()); k >= 0 {
				t.Errorf("%s: segment %d of %d does not end as recorded", p.Name, k, len(segs))
			}
			for _, s := range segs {
				for i := range s.Items {
					items++
					if s.Items[i].Concrete != nil {
						concrete++
					}
				}
			}
		}
		t.Logf("%-22s %3d segments, %4d items, %d concrete, integers %v", p.Name, len(p.Dense), items, concrete, p.Integers)
	}
}

// confine leaves the faulty places free and some others.
func confine(p *Program, f *Fault, rnd *rand.Rand, others int) (func(int32) bool, func(int32) bool) {
	free, gaps := map[int32]bool{}, map[int32]bool{}
	for id := range f.Stmts {
		free[id] = true
	}
	for g := range f.Gaps {
		gaps[g] = true
	}
	ids := visited(p, f.Segments)
	for i := 0; i < others; i++ {
		free[ids[rnd.Intn(len(ids))]] = true
		g := 1 + rnd.Intn(len(p.Prog.Gaps))
		if g < len(p.Prog.Gaps) && p.Prog.Gaps[g] != nil && p.Prog.Gaps[g].Func.Name == p.Func && len(f.Gaps) > 0 && i == 0 {
			gaps[int32(g)] = true
		}
	}
	return func(id int32) bool { return free[id] }, func(g int32) bool { return gaps[g] }
}

// TestAgreement compares the three engines on random faults: the same minimal
// cost, or none; and every repair meets every assertion when it is executed
// again. Every fifth specification has one asserted entity changed, so that
// many have no repair.
func TestAgreement(t *testing.T) {
	ps := corpus(t)
	rnd := rand.New(rand.NewSource(*seed))
	classes := [][2]int{{1, 0}, {0, 1}, {2, 0}, {1, 1}}
	z3 := smt.Available()
	if !z3 {
		t.Log("z3 is not installed: only enumeration and gini are compared")
	}
	type tally struct{ n, none, sat, z3, skipped, unknown int }
	count := map[string]*tally{}
	var spent [3]time.Duration
	step := 1
	if testing.Short() {
		step = 13 // all programs and classes of edits take turns
	}
	for i := 0; i < *faults; i += step {
		p := ps[i%len(ps)]
		c := classes[(i/len(ps))%len(classes)]
		segs := p.Dense
		if rnd.Intn(3) == 0 {
			segs = p.Sparse
		}
		f := Inject(p, segs, rnd, c[0], c[1])
		if count[p.Name] == nil {
			count[p.Name] = &tally{}
		}
		ta := count[p.Name]
		if f == nil {
			ta.skipped++
			continue
		}
		if i%5 == 4 {
			f.Segments = spoil(f.Segments, rnd)
		}
		free, gaps := confine(p, f, rnd, rnd.Intn(4)/3)
		name := fmt.Sprintf("fault %d: %s <%d,%d> %v", i, p.Name, c[0], c[1], describe(p, f.Base))
		begin := time.Now()
		e := trace.Solve(context.Background(), &trace.Problem{Program: p.Prog, Segments: f.Segments, Base: f.Base, Free: free, FreeGap: gaps, MaxCost: 2, Slots: 1, Limit: 20 * time.Second})
		spent[0] += time.Since(begin)
		if !e.Complete {
			ta.unknown++
			continue
		}
		ta.n++
		want := -1
		if len(e.Repairs) > 0 {
			want = e.Cost
			if k := trace.Replay(p.Prog, f.Segments, f.Base.Merge(e.Repairs[0].Patch)); k >= 0 {
				t.Errorf("%s: the repair of the enumeration fails segment %d", name, k)
			}
		} else {
			ta.none++
		}
		for k, engine := range []proof.Engine{proof.SAT, proof.Z3} {
			if engine == proof.Z3 && !z3 {
				continue
			}
			limit := 20 * time.Second
			if engine == proof.Z3 {
				limit = *z3limit
			}
			begin := time.Now()
			r := proof.Solve(context.Background(), &proof.Problem{Program: p.Prog, Segments: f.Segments, Base: f.Base, Free: free, FreeGap: gaps, MaxCost: 2, Slots: 1, Engine: engine, Limit: limit})
			spent[k+1] += time.Since(begin)
			if r.Cause != "" || r.Partial && r.Cost != e.Cost {
				ta.unknown++
				if testing.Verbose() {
					t.Logf("%s: %s", name, r.Cause)
				}
				continue
			}
			if engine == proof.SAT {
				ta.sat++
			} else {
				ta.z3++
			}
			got := -1
			if r.Patch != nil {
				got = r.Cost
				if k := trace.Replay(p.Prog, f.Segments, f.Base.Merge(r.Patch)); k >= 0 {
					t.Errorf("%s: engine %d: the repair fails segment %d: %v", name, engine, k, describe(p, r.Patch))
				}
			}
			if got != want {
				first := ""
				if len(e.Repairs) > 0 {
					first = fmt.Sprint(describe(p, e.Repairs[0].Patch))
				}
				t.Errorf("%s: enumeration finds cost %d %s, engine %d cost %d", name, want, first, engine, got)
				if r.Patch != nil {
					t.Logf("   %v", describe(p, r.Patch))
				}
			}
		}
	}
	for _, n := range Names() {
		if c := count[n]; c != nil {
			t.Logf("%-22s %4d compared (%d gini, %d z3), %d without repair, %d without visible fault, %d unknown", n, c.n, c.sat, c.z3, c.none, c.skipped, c.unknown)
		}
	}
	t.Logf("time: enumeration %v, gini %v, z3 %v", spent[0], spent[1], spent[2])
}

func describe(p *Program, patch *repair.Patch) []string {
	var out []string
	for _, e := range patch.Edits() {
		s := e.Describe(p.Prog)
		out = append(out, s[len(s)-min(len(s), 80):])
	}
	return out
}

// spoil changes one asserted pointer or integer to the value of another.
func spoil(segs []*spec.Segment, rnd *rand.Rand) []*spec.Segment {
	out := append([]*spec.Segment(nil), segs...)
	k := rnd.Intn(len(out))
	c := *out[k]
	c.End = append([]spec.Cell(nil), c.End...)
	if len(c.End) == 0 {
		return out
	}
	i, j := rnd.Intn(len(c.End)), rnd.Intn(len(c.End))
	if c.End[i].Type.Size == c.End[j].Type.Size {
		c.End[i].Word = c.End[j].Word
	}
	out[k] = &c
	return out
}
