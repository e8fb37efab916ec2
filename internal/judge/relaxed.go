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

// This file judges repairs if the reference was written independently. A repair must meet the given runs, and keep what
// the program already does as the reference does (cases.Set.Demands). How many other runs it fixes says how good it is.

// Relaxed returns a judge that demands no more than that, and the runs that are only hints. It shares the reference's
// runs with t, which must live as long.
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

// The unrepaired program is run on the duel's inputs in batches, as it may run long where it is wrong.
const (
	ownRuns = 500
	ownTime = 800 * time.Millisecond
	stride  = 7919 // step from one input to the next, since neighbouring inputs are of one kind
)

// own runs the unrepaired program on the inputs of the duel, once, as far as time allows, and stores what it does.
func (t *Judge) own(ctx context.Context) error {
	if !t.relaxed || t.duel.own != nil {
		return nil
	}
	defer timing.Begin(ctx, "judge: the program beside the reference").End("")
	t.duel.own = map[int]uint64{}
	p := t.duel.self
	if p == nil { // gcc rejects it with counted steps
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

// order returns the order in which own visits the inputs: first those that keep to the conventions of the given runs,
// then the others. Within each part it mixes the kinds, so that some of each are seen whenever time runs out.
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

// astray returns the inputs of the duel on which the unrepaired program is known to differ from the reference, and
// those on which it is known to agree.
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

// fewPlain is how many plain inputs there must be for the others to matter less.
const fewPlain = 10

// telling splits a list of inputs by how much they say. Those that keep to the conventions of the given runs say most:
// on them a right program hardly ever differs from a reference. If there are few of those, all inputs count alike.
func (t *Judge) telling(list []int) (most, others []int) {
	n := t.duel.plainOf(list)
	if n < fewPlain {
		return list, nil
	}
	return list[:n], list[n:]
}

// plainOf counts the inputs of a list that keep to the conventions of the given runs. They come first in the list.
func (d *duel) plainOf(list []int) int {
	n := 0
	for n < len(list) && list[n] < d.plain {
		n++
	}
	return n
}

// Hints returns runs of the reference on which the unrepaired program does something else, as tests. They are drawn
// evenly from the duel's inputs, about as many as most. The first plain of them keep to the conventions of the given
// runs.
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
	if len(some) < fewPlain { // then the others say as much
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

// leastOthers is the least number of hints drawn from inputs that do not keep to the conventions.
const leastOthers = 200

// evenly returns at most n elements of a list, evenly spaced.
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

// Even a right program may differ from the reference where the wrong one does not. So a repair may lose one in
// lostShare of the runs that the program did right, if it fixes at least lostMended times as many.
const (
	lostShare  = 50
	lostMended = 3

	lostMost    = 20  // a repair is called a part if it loses more than one run for so many fixed
	repairShare = 0.9 // or if it fixes less than this share of the telling runs on which the program fails
)

// mostly runs a program on a suite of made-up runs. The program may differ on a few of them, but must not end in an
// error. c is the case that refutes it.
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

// mostExamples bounds the runs that the machine is asked about to find one that can be named.
const mostExamples = 10

// stands counts on how many runs a repair changes the outcome, for better or worse: of the runs on which the unrepaired
// program differs from the reference, and of those on which it agrees. c is a run that refutes the repair; met counts
// the runs of the second kind on which the repaired program still agrees.
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
	if err != nil || !asked { // there was no time, so nothing is said
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
	if ev.LostOn = cmp.Or(first, other1); ev.LostOn == "" { // then all differ only in what C does not define
		ev.Lost = 0
	}
	ev.Part = ev.Plain && float64(ev.Mended) < repairShare*float64(len(telling)) || lostMost*ev.Lost > ev.Mended+ev.FarMended
	ev.Beyond, _, err = t.asked(p, append(left, far...), mostExamples, func(*oracle.Run) bool { return false })
	return nil, len(alike) - ev.Lost, err
}

// asked asks the machine about runs on which a program differs from the reference natively. named is the first run on
// which they differ there, too, and by is one that refutes the program.
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

// Natives converts cases to tests for native runs.
func Natives(list []*oracle.Case) []native.Test {
	out := make([]native.Test, 0, len(list))
	for _, c := range list {
		out = append(out, Test(c))
	}
	return out
}
