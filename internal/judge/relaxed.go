package judge

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/timing"
	"gulo/internal/trust"
)

// This file judges beside a reference that was written apart: what a repair must do are the
// runs in hand and what the program does as the reference does (cases.Set.Demands); how many of
// the other runs it mends says how good it is.

// Relaxed is a judge that demands no more than that, and the runs that are hints. It shares the
// reference's runs with t, which must live as long.
func (t *Judge) Relaxed() (*Judge, []*oracle.Case, error) {
	s, hints, err := t.Demands()
	if err != nil {
		return nil, nil, err
	}
	given, held := *s.Given, *s.Given
	given.Cases, held.Cases = nil, nil
	for _, c := range s.Given.Cases {
		if s.InHandCase(c) {
			given.Cases = append(given.Cases, c)
		} else {
			held.Cases = append(held.Cases, c)
		}
	}
	if s.Held != nil {
		held.Cases = append(held.Cases, s.Held.Cases...)
	}
	s.Given, s.Held, s.By = &given, &held, "the reference"
	return &Judge{Set: s, Until: t.Until, duel: t.duel, lent: true, relaxed: true}, hints, nil
}

// What the program itself does is found out on some of the duel's inputs at a time: where it is
// wrong it may run long.
const (
	ownRuns = 500
	ownTime = 800 * time.Millisecond
	stride  = 7919 // from one input to the next: neighbours are of one kind
)

// own finds out, once, what the program itself does on inputs of the duel, those for which there is
// time.
func (t *Judge) own(ctx context.Context) error {
	if !t.relaxed || t.duel.own != nil {
		return nil
	}
	defer timing.Begin(ctx, "judge: the program beside the reference").End("")
	t.duel.own = map[int]uint64{}
	p := t.duel.self
	if p == nil { // gcc does not take it with its steps counted
		return nil
	}
	inputs, _ := t.duel.runs()
	order := t.duel.order()
	end := budget.After(ctx, ownTime)
	for len(order) > 0 && !budget.Over(ctx, end) {
		which := order[:min(ownRuns, len(order))]
		order = order[len(which):]
		var some []cases.Input
		for _, i := range which {
			some = append(some, inputs[i])
		}
		did, err := t.outcomes(ctx, p, some, t.duel.patience(), false)
		if err != nil {
			return err
		}
		for k := range did {
			t.duel.own[which[k]] = did[k]
		}
	}
	return nil
}

// order is in which order what the program does on the duel's inputs is found out: first on all that
// keep to the conventions of those in hand; of each kind some, whenever the time is over.
func (d *duel) order() []int {
	var out []int
	mixed := func(from, n int) {
		for k := range n {
			i := k
			if n%stride != 0 {
				i = k * stride % n
			}
			out = append(out, from+i)
		}
	}
	mixed(0, d.plain)
	mixed(d.plain, len(d.inputs)-d.plain)
	return out
}

// astray are the inputs of the duel on which the program is known to differ from the reference, and
// those on which it is known not to.
func (t *Judge) astray(ctx context.Context) (differ, alike []int, err error) {
	if err := t.own(ctx); err != nil {
		return nil, nil, err
	}
	_, want := t.duel.runs()
	for i := range want {
		if did, ok := t.duel.own[i]; ok && did != want[i] {
			differ = append(differ, i)
		} else if ok {
			alike = append(alike, i)
		}
	}
	return differ, alike, nil
}

// fewPlain are so few that others must tell, too.
const fewPlain = 10

// telling divides some inputs: those that say most keep to the conventions of the runs in hand, on
// which a right program hardly ever differs from a reference. Where there are few, all say as much.
func (t *Judge) telling(list []int) (most, others []int) {
	n := t.duel.plainOf(list)
	if n < fewPlain {
		return list, nil
	}
	return list[:n], list[n:]
}

// plainOf counts those of some inputs that keep to the conventions of the runs in hand; they come first.
func (d *duel) plainOf(list []int) int {
	n := 0
	for n < len(list) && list[n] < d.plain {
		n++
	}
	return n
}

// Hints are up to so many runs of the reference on which the program does something else, as tests:
// those that were made for the duel, evenly drawn. The first plain of them keep to the conventions of the runs in hand.
func (t *Judge) Hints(ctx context.Context, most int) (out []native.Test, plain int, err error) {
	d := t.duel
	if d == nil {
		return nil, 0, nil
	}
	defer timing.Begin(ctx, "judge: hints").End("")
	d.wait()
	inputs, _ := d.runs()
	differ, _, err := t.astray(ctx)
	if len(differ) == 0 || err != nil {
		return nil, 0, err
	}
	some, others := differ[:d.plainOf(differ)], differ[d.plainOf(differ):]
	n, rest := min(len(some), most), max(len(some), leastOthers)
	if len(some) < fewPlain { // others tell as much
		rest = most
	}
	some = slices.Concat(evenly(some, most), evenly(others, rest))
	ses := &native.Session{}
	ses.Limit(duelTime, duelSteps)
	for _, i := range some {
		in := inputs[i]
		out = append(out, native.Test{Args: in.Args, Stdin: in.Stdin, Judged: t.Job.Space == job.SpaceJudge})
	}
	ses.PrintAll(out)
	a, err := d.ref.Run(ctx, ses, duelLimit)
	if err != nil {
		return nil, 0, err
	}
	kept := 0
	for i := range a.Printed {
		if o := &a.Printed[i]; o.Ended() {
			out[kept] = out[i]
			out[kept].Stdout, out[kept].Exit = o.Stdout, o.Status
			if kept++; i < n {
				plain = kept
			}
		}
	}
	return out[:kept], plain, nil
}

// leastOthers are the hints that do not keep to those conventions, where others are fewer.
const leastOthers = 200

// evenly draws up to n of a list.
func evenly(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	out := make([]int, 0, n)
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}

// Even a right program may differ from a reference where the wrong one does not: of what the
// program did right, one run in so many may be lost where three times as many are mended.
const (
	lostShare  = 50
	lostMended = 3

	lostMost    = 20  // of a repair that loses one run where it mends so many nothing good is said
	repairShare = 0.9 // of the telling runs on which the program fails; what mends less is called a part
)

// mostly holds a program against a suite of made-up runs on which it may differ on a few, but not
// come to an error; c refutes it.
func (t *Judge) mostly(s *oracle.Suite, ev *trust.Facts) (c *oracle.Case, err error) {
	run, err := oracle.NewRunner(s)
	if err != nil {
		return nil, err
	}
	t.excused = nil
	for _, c := range s.Cases {
		r, err := run.Run(c, nil)
		switch {
		case err != nil:
			return nil, err
		case r.Unmodelled() != "":
			ev.Held--
		case r.Meets(c.Want):
			ev.HeldMet++
		case r.Fault != nil || lostShare*(len(t.excused)+1) > len(s.Cases):
			return c, nil
		default:
			t.excused = append(t.excused, c)
		}
	}
	return nil, nil
}

// mostExamples are the runs that the machine is asked about for one that can be named.
const mostExamples = 10

// stands counts what a repaired program makes of the runs on which the program differs from the
// reference, and of those on which it does not; c refutes it, met is on how many of those it does
// what the reference does.
func (t *Judge) stands(ctx context.Context, p *lower.Program, ev *trust.Facts) (c *oracle.Case, met int, err error) {
	t.duel.wait()
	differ, alike, err := t.astray(ctx)
	if err != nil || len(differ)+len(alike) == 0 {
		return nil, 0, err
	}
	inputs, want := t.duel.runs()
	run, err := compiled(ctx, p, t.Job.Options)
	if err != nil {
		return nil, 0, err
	}
	defer run.Close()
	likeLeft := 0
	other := func(which []int) (out []cases.Input, asked bool, err error) {
		if len(which) == 0 {
			return nil, true, nil
		}
		var ask []cases.Input
		for _, i := range which {
			ask = append(ask, inputs[i])
		}
		got, err := t.outcomes(ctx, run, ask, t.duel.patience(), false)
		for k := range got {
			if got[k] != want[which[k]] {
				if out = append(out, inputs[which[k]]); which[k] < t.duel.plain {
					likeLeft++
				}
			}
		}
		sort.SliceStable(out, func(a, b int) bool { return out[a].Size() < out[b].Size() })
		return out, len(got) == len(which), err
	}
	telling, others := t.telling(differ)
	left, asked, err := other(telling)
	if err != nil || !asked { // there was no time: nothing is said
		return nil, 0, err
	}
	far, asked, err := other(others)
	if err != nil || !asked {
		return nil, 0, err
	}
	ev.PlainLeft = likeLeft
	n := t.duel.plainOf(alike)
	plain, asked, err := other(alike[:n])
	if err != nil || !asked {
		return nil, 0, err
	}
	odd, asked, err := other(alike[n:])
	if err != nil || !asked {
		return nil, 0, err
	}
	ev.Left, ev.Mended, ev.Lost = len(left), len(telling)-len(left), len(plain)+len(odd)
	ev.Plain, ev.FarMended, ev.FarLeft = t.duel.plainOf(differ) >= fewPlain, len(others)-len(far), len(far)
	tolerable := lostShare*len(odd) <= len(alike) && lostMended*len(odd) <= ev.Mended
	first, by, err := t.asked(p, plain, mostDispute, func(*oracle.Run) bool { return true })
	if by != nil || err != nil {
		return by, 0, err
	}
	most := mostExamples
	if len(odd) <= mostDispute {
		most = len(odd)
	}
	other1, by, err := t.asked(p, odd, most, func(r *oracle.Run) bool { return !tolerable || r.Fault != nil })
	if by != nil || err != nil {
		return by, 0, err
	}
	if ev.LostOn = cmp.Or(first, other1); ev.LostOn == "" { // what C does not define
		ev.Lost = 0
	}
	ev.Part = ev.Plain && float64(ev.Mended) < repairShare*float64(len(telling)) || lostMost*ev.Lost > ev.Mended+ev.FarMended
	ev.Beyond, _, err = t.asked(p, append(left, far...), mostExamples, func(*oracle.Run) bool { return false })
	return nil, len(alike) - ev.Lost, err
}

// asked asks the machine about runs on which a program differs from the reference natively: named
// is the first on which it does there, too, by is one that refutes it.
func (t *Judge) asked(p *lower.Program, list []cases.Input, most int, refutes func(*oracle.Run) bool) (named string, by *oracle.Case, err error) {
	for _, in := range list[:min(len(list), most)] {
		x, steps, ok, err := oracle.Expect(t.Ref.Prog, in.String(), in.Args, in.Stdin, -1)
		if err != nil {
			return "", nil, err
		}
		if !ok {
			continue
		}
		s := t.SuiteOf([]*cases.Run{{Input: in, Test: x, Steps: steps}})
		s.Prog, s.Edited = p, nil
		run, err := oracle.NewRunner(s)
		if err != nil {
			return "", nil, err
		}
		c := s.Cases[0]
		r, err := run.Run(c, nil)
		switch {
		case err != nil:
			return "", nil, err
		case r.Meets(c.Want):
			continue
		case refutes(r):
			return "", c, nil
		case named == "":
			named = c.Name
		}
	}
	return named, nil, nil
}

// Natives are cases as tests to run natively.
func Natives(list []*oracle.Case) []native.Test {
	out := make([]native.Test, 0, len(list))
	for _, c := range list {
		out = append(out, Test(c))
	}
	return out
}
