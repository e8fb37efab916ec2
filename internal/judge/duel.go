package judge

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/process"
	"gulo/internal/repair/schema"
	"gulo/internal/report"
	"gulo/internal/source"
	"gulo/internal/timing"
)

// This file holds repaired programs against the reference on thousands of runs that are
// made natively, where a run costs microseconds: what no search saw and nobody chose.
// Where the two differ the machine has the last word on both, so that a run in which the
// reference does what C does not define says nothing.

// Bounds of a duel.
const (
	duelRuns    = 5000
	aroundRuns  = 1500 // more, like one in which a repair was wrong
	kindredRuns = 1500 // more, nearly those in hand
	rareRuns    = 1500 // more, that come to what others do not
	scriptRuns  = 2000 // more, of commands
	beyondRuns  = 150  // more, with numbers that no test has
	likeRuns    = 1500 // more, like those in hand, where one or two tests are all that shows what is asked
	plainRuns   = 1500 // more, that keep to the conventions of those in hand, beside a reference written apart
	apartLess   = 4    // times as few others there
	rareLimit   = 400 * time.Millisecond
	duelSteps   = 400_000
	lightSteps  = 5_000                  // that the reference may take in any case, and times as many as it takes
	lightShare  = 5                      // in the runs in hand: what takes longer tells no more and costs more
	slowShare   = 10                     // times as many for a program that is held against it
	duelTime    = 100 * time.Millisecond // of a run that no count of steps ends
	duelLimit   = 10 * time.Second
	addRuns     = 2000 // that the reference makes at once
	addTime     = 2 * time.Second
	mostUnread  = 400 // differing runs that the reference is run on once more, to see how it reads
	mostDispute = 40  // differing runs that the machine is asked about
)

// duel is the reference's runs.
type duel struct {
	inputs []cases.Input
	want   []uint64
	speaks *cases.Language // what the programs say about their input
	ref    *native.Program // the reference
	self   *native.Program // the program as it is, beside a reference written apart
	own    map[int]uint64  // what the program itself does on inputs, where that was asked
	plain  int             // so many of the inputs, the first ones, keep to the conventions of those in hand
	steps  int64           // that the reference may take
	once   sync.Once
	make   func()        // makes the runs, in the background
	asked  atomic.Bool   // for the runs: until then they take what others leave of the processors
	ready  chan struct{} // closed when they are made
	cancel context.CancelFunc

	sync.Mutex               // of inputs, want and grown
	grown      chan struct{} // closed, and another one made, when there are more runs
}

// Challenge prepares a duel with the reference. Where a repair may turn out to be the reference
// (same), which needs no runs, they are made when the first other repair asks for them; else
// at once, in the background.
func (t *Judge) Challenge(ctx context.Context) {
	if t.Ref == nil || t.duel != nil {
		return
	}
	t.duel = newDuel(ctx, t)
	if t.Compare == nil || t.WrittenApart() {
		t.duel.begin()
	}
}

// fewExpected are as many candidates as the first may well be shown of.
const fewExpected = 3

// Expect says that candidates will be judged, the first one first: the reference's runs are made
// meanwhile, and it is compiled. Where one is written as the reference is they will likely not be
// asked for (same).
func (t *Judge) Expect(ctx context.Context, list []map[string]string) {
	if len(list) > 0 && len(list) <= fewExpected {
		t.Foresee(ctx, list[0])
	}
	if t.duel == nil {
		return
	}
	written := func(files []*source.File, texts map[string]string) string {
		var out strings.Builder
		for _, f := range files {
			text, ok := texts[f.Name]
			if !ok {
				text = string(f.Text)
			}
			out.WriteString(strings.Join(strings.Fields(text), ""))
		}
		return out.String()
	}
	ref := written(t.Ref.Prog.Tree.Files, nil)
	if !slices.ContainsFunc(list, func(texts map[string]string) bool { return written(t.Prog.Tree.Files, texts) == ref }) {
		t.duel.begin()
	}
}

// Prepare has the reference's runs made where there is more than one processor, of which they take
// what others leave.
func (t *Judge) Prepare() {
	if t.duel != nil && runtime.GOMAXPROCS(0) > 1 {
		t.duel.once.Do(t.duel.make)
	}
}

// Begin begins to compile a reference written apart for Challenge, while runs are made up. The
// caller calls forget.
func Begin(ctx context.Context, s *cases.Set) (forget func()) {
	if s.Ref == nil || !s.WrittenApart() {
		return func() {}
	}
	texts, conf := counted(s.Ref.Prog, s.Job.Options)
	return native.Begin(ctx, texts, conf)
}

// Close ends what goes on in the background.
func (t *Judge) Close() {
	t.forget(nil)
	if t.duel != nil && !t.lent {
		t.duel.close()
	}
}

// begin has the runs made, if nobody did: they will be asked for.
func (d *duel) begin() {
	d.asked.Store(true)
	d.once.Do(d.make)
}

// wait waits for the runs.
func (d *duel) wait() {
	d.begin()
	<-d.ready
}

// newDuel prepares the reference's runs, which begin makes.
func newDuel(ctx context.Context, t *Judge) *duel {
	d := &duel{ready: make(chan struct{}), grown: make(chan struct{}), steps: t.light()}
	ctx, d.cancel = context.WithCancel(budget.Beside(ctx))
	var grounds []cases.Input
	for _, s := range []*oracle.Suite{t.Given, t.Held} {
		if s != nil {
			for _, c := range s.Cases {
				grounds = append(grounds, cases.Input{Args: c.Args, Stdin: c.Stdin})
			}
		}
	}
	d.speaks = cases.LanguageOf(t.Ref.Prog.Tree).With(cases.LanguageOf(t.Prog.Tree))
	runs, kindred := duelRuns, kindredRuns
	var plain []cases.Input
	apart := t.WrittenApart()
	if apart { // of what is unlike the runs in hand little can be said
		if plain = cases.Plain(t.Job.Seed+5, t.InHand(), d.speaks, plainRuns); len(plain) >= plainRuns/apartLess {
			runs, kindred = duelRuns/apartLess, kindredRuns/apartLess
		}
	}
	d.make = func() {
		made, rare, beyond := make(chan []cases.Input, 1), make(chan []cases.Input, 1), make(chan []cases.Input, 1)
		process.Go(func() { made <- t.more(t.Job.Seed+7, grounds, d.speaks, runs) })
		process.Go(func() { rare <- t.rare(ctx, d.speaks) })
		process.Go(func() {
			list, _ := t.Beyond(beyondRuns) // without a reference that the machine runs there are none
			beyond <- list
		})
		process.Go(func() {
			defer close(d.ready)
			// Without the reference's runs there is no duel, and the evidence does not speak of one.
			p, err := compiled(ctx, t.Ref.Prog, t.Job.Options)
			more, seldom, others := <-made, <-rare, <-beyond // nothing is made behind the back of who closes it
			if err != nil {
				return
			}
			d.ref = p
			t.add(ctx, d, plain)
			if apart {
				if self, err := compiled(ctx, t.Prog, t.Job.Options); err == nil {
					d.self = self
					t.add(ctx, d, t.commands(ctx, self, p, plain))
				}
			}
			d.plain = len(d.inputs)
			t.add(ctx, d, t.Expected(d.speaks, likeRuns))
			t.add(ctx, d, more)
			t.add(ctx, d, others)
			t.add(ctx, d, append(seldom, t.Form.Those(cases.Kindred(t.Job.Seed+3, t.InHand(), d.speaks.Words, kindred))...))
		})
	}
	return d
}

// rare makes inputs that come to statements of the reference that no run has come to so far,
// more of their kind, and scripts of commands.
func (t *Judge) rare(ctx context.Context, speaks *cases.Language) []cases.Input {
	found, err := cases.Reach(ctx, t.Ref.Prog, t.InHand(), t.Explored, cases.Config{Seed: t.Job.Seed, Form: t.Form, Steps: budget.Of(rareLimit)})
	if err != nil {
		return nil // the time is up: there is no duel
	}
	if len(found) > 0 {
		found = append(found, t.more(t.Job.Seed+9, found, speaks, rareRuns)...)
	}
	scripts, err := cases.Scripts(t.Job.Seed, t.Ref.Prog, t.InHand(), speaks, scriptRuns)
	if err != nil {
		return nil
	}
	return append(found, t.Form.Those(scripts)...)
}

// more makes inputs of the form that runs must have.
func (t *Judge) more(seed int64, grounds []cases.Input, speaks *cases.Language, n int) []cases.Input {
	if t.Form == nil {
		return cases.More(seed, grounds, speaks, n)
	}
	return cases.MoreOf(t.Form, seed, grounds, speaks, n, formShare*n)
}

// formShare is how many times as many inputs are made where most do not have the form.
const formShare = 8

func (d *duel) close() {
	d.cancel()
	d.once.Do(func() { close(d.ready) })
	<-d.ready
	for _, p := range []*native.Program{d.ref, d.self} {
		if p != nil {
			p.Close()
		}
	}
}

// light is how many steps the reference may take in a run that is made up.
func (t *Judge) light() int64 {
	n := int64(lightSteps)
	for _, r := range t.Explored {
		if t.Given != nil && slices.ContainsFunc(t.InHand(), func(in cases.Input) bool { return in.String() == r.Input.String() }) {
			n = max(n, lightShare*r.Steps)
		}
	}
	return min(n, duelSteps)
}

// patience is how many steps a program may take that is held against the reference.
func (d *duel) patience() int64 { return min(slowShare*d.steps, duelSteps) }

// nativeShare: natively so many steps, of those that a run may take, count as one.
const nativeShare = 8

// add adds runs of the reference, as many as can be made in addTime, nominally. Those that take it long are left
// out: a program that is run on them tells nothing that others do not, and takes as long.
func (t *Judge) add(ctx context.Context, d *duel, inputs []cases.Input) {
	left := budget.For(addTime)
	for len(inputs) > 0 && !left.Over() && ctx.Err() == nil {
		some := inputs[:min(len(inputs), addRuns)]
		inputs = inputs[len(some):]
		want, err := t.outcomes(ctx, d.ref, some, d.steps, !d.asked.Load())
		left.Spend(int64(len(some)) * (budget.Native + d.steps/nativeShare))
		if err == nil && want != nil {
			d.Lock()
			for i := range want {
				if want[i] != native.CutOutcome {
					d.inputs, d.want = append(d.inputs, some[i]), append(d.want, want[i])
				}
			}
			close(d.grown)
			d.grown = make(chan struct{})
			d.Unlock()
		}
	}
}

// runs returns the reference's runs so far.
func (d *duel) runs() ([]cases.Input, []uint64) {
	d.Lock()
	defer d.Unlock()
	return d.inputs, d.want
}

// after returns the reference's runs behind the first n, once there are some or all were made.
func (d *duel) after(n int) []cases.Input {
	for {
		d.Lock()
		inputs, grown := d.inputs[n:], d.grown
		d.Unlock()
		if len(inputs) > 0 {
			return inputs
		}
		select {
		case <-grown:
		case <-d.ready:
			inputs, _ := d.runs()
			return inputs[n:]
		}
	}
}

// follow runs a program on all inputs of the duel, while the reference still makes its runs;
// nil where the time is too short.
func (t *Judge) follow(ctx context.Context, p *native.Program) (all []uint64, err error) {
	defer func(ctx context.Context) { budget.Spend(ctx, int64(len(all))*budget.Native) }(ctx)
	ctx = budget.Beside(ctx) // in how many parts the runs come says nothing
	end := budget.After(ctx, duelLimit)
	for {
		inputs := t.duel.after(len(all))
		if len(inputs) == 0 {
			return all, nil
		}
		some, err := t.sideBySide(ctx, p, inputs)
		if some == nil || err != nil || budget.Over(ctx, end) {
			return nil, err
		}
		all = append(all, some...)
	}
}

// manyRuns are as many as it takes for one more process to be worth its start.
const manyRuns = 1000

// sideBySide runs a program on inputs, many of them in as many processes as there are processors;
// nil where the time is too short.
func (t *Judge) sideBySide(ctx context.Context, p *native.Program, inputs []cases.Input) ([]uint64, error) {
	n := max(1, min(runtime.GOMAXPROCS(0), len(inputs)/manyRuns))
	parts := make([][]uint64, n)
	err := process.Parallel(ctx, n, n, func(ctx context.Context, i int) (err error) {
		parts[i], err = t.outcomes(ctx, p, inputs[i*len(inputs)/n:(i+1)*len(inputs)/n], t.duel.patience(), false)
		return err
	})
	if err != nil || slices.ContainsFunc(parts, func(x []uint64) bool { return x == nil }) {
		return nil, err
	}
	return slices.Concat(parts...), nil
}

// compiled builds a program whose steps are counted.
func compiled(ctx context.Context, p *lower.Program, opt cfront.Options) (*native.Program, error) {
	texts, conf := counted(p, opt)
	return native.Build(ctx, texts, conf)
}

// counted is what such a program is compiled of, and how.
func counted(p *lower.Program, opt cfront.Options) (map[string]string, native.Config) {
	return schema.Counted(p.Tree), native.Config{Units: p.Tree.Units(), Options: opt}
}

// outcomes runs a program on inputs, each for so many steps; nil where the time is too short.
// yield: with what others leave of the processors.
func (t *Judge) outcomes(ctx context.Context, p *native.Program, inputs []cases.Input, steps int64, yield bool) ([]uint64, error) {
	ses := &native.Session{}
	if yield {
		ses.Yield()
	}
	ses.Limit(duelTime, steps)
	lead := t.lead()
	for _, in := range slices.Concat(lead, inputs) {
		ses.Add(&native.Test{Args: in.Args, Stdin: in.Stdin, Judged: t.Job.Space == job.SpaceJudge})
	}
	ses.Outcomes()
	a, err := p.Run(ctx, ses, duelLimit)
	if err != nil || len(a.Outcomes) != len(lead)+len(inputs) {
		return nil, err
	}
	return a.Outcomes[len(lead):], nil
}

// leadRuns are run before others: by the first ones the harness sees whether one process may do
// many runs. Of runs that were made up most may read what was never stored, which is one thing
// in a process of its own and another one in such a process.
const leadRuns = 5

func (t *Judge) lead() (out []cases.Input) {
	for _, r := range t.Explored[:min(len(t.Explored), leadRuns)] {
		out = append(out, r.Input)
	}
	return out
}

// Holds holds a repaired program against what it is run on natively, with the sanitizers and
// beside the reference, side by side. c refutes it; ok without it: it does what it should.
// Parts that the machine takes were held against the cases there, which is all that is asked.
func (t *Judge) Holds(ctx context.Context, texts map[string]string, out *report.Repair) (ok bool, c *oracle.Case, err error) {
	if ok, c, err = t.holds(ctx, texts, out); err != nil {
		return ok, c, err
	}
	if ok {
		t.offer(report.Holds, out, texts)
	} else {
		t.Job.Best.Drop(texts)
	}
	return ok, c, nil
}

// offer shows who waits what a search has in hand. What mends a part, in a program of its own, is nothing to show.
func (t *Judge) offer(stage report.Stage, r *report.Repair, texts map[string]string) {
	if t.part {
		return
	}
	if stage == report.Meets {
		t.Job.Say("trying a repair that meets the specification on other inputs")
	}
	t.Job.Best.Offer(stage, *r, texts)
}

func (t *Judge) holds(ctx context.Context, texts map[string]string, out *report.Repair) (ok bool, c *oracle.Case, err error) {
	if t.part {
		if p, err := t.Reloaded(ctx, texts); p != nil || err != nil {
			return err == nil, nil, err
		}
	}
	if t.Job.Memory {
		if c, err := t.ruled(ctx, texts); c != nil || err != nil {
			return false, c, err
		}
	}
	if t.duel == nil {
		if ok, err = t.Natively(ctx, texts, out); ok && err == nil {
			c, err = t.besideOthers(ctx, texts, out)
		}
		return ok && c == nil, c, err
	}
	var beside report.Repair
	err = process.Parallel(ctx, 2, 2, func(ctx context.Context, i int) (err error) {
		if i == 0 {
			ok, err = t.Natively(ctx, texts, out)
		} else {
			c, err = t.fought(ctx, texts, &beside)
		}
		return err
	})
	if err != nil {
		return false, nil, err
	}
	out.Evidence.Held += beside.Evidence.Held
	out.Evidence.HeldMet += beside.Evidence.HeldMet
	if t.relaxed {
		out.Evidence.Stands(&beside.Evidence)
	}
	if ok && c == nil {
		if c, err = t.ByLogic(ctx, texts, out); err != nil {
			return false, nil, err
		}
	}
	out.Evidence.Text = out.Evidence.String()
	return ok && c == nil, c, nil
}

// fought holds a repaired program against the reference and returns a run that refutes
// it, nil for none. Where all functions are the reference's nothing is run.
func (t *Judge) fought(ctx context.Context, texts map[string]string, out *report.Repair) (*oracle.Case, error) {
	if t.duel == nil {
		return nil, nil
	}
	p, err := t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return nil, err
	}
	if same, err := t.same(ctx, p); same || err != nil {
		return nil, err
	}
	var c *oracle.Case
	met := 0
	if t.relaxed {
		c, met, err = t.stands(ctx, p, &out.Evidence)
	} else {
		c, met, err = t.Fight(ctx, p)
	}
	if err != nil || c != nil && !t.Unlike(c) {
		return c, err
	}
	out.Evidence.Held += met
	out.Evidence.HeldMet += met
	out.Evidence.Text = out.Evidence.String()
	return c, nil
}

// Beside holds a repaired program against the reference natively, on whole runs: c refutes it,
// nil for none; met is on how many runs both do the same.
func (t *Judge) Beside(ctx context.Context, texts map[string]string) (c *oracle.Case, met int, err error) {
	var one report.Repair
	c, err = t.fought(ctx, texts, &one)
	return c, one.Evidence.HeldMet, err
}

// Unlike reports whether a run that refutes a repair is unlike the runs in hand, and the program
// as it is fails on it, too: the repair breaks nothing, and whether the programs are for such
// input nobody says. A reference does something on every input.
func (t *Judge) Unlike(c *oracle.Case) bool { return t.setAside[c] }

// unlike finds out whether a run is that, or one of which the program takes no number.
func (t *Judge) unlike(c *oracle.Case) error {
	s := *t.Given
	s.Cases = []*oracle.Case{c}
	run, err := oracle.NewRunner(&s)
	if err != nil {
		return err
	}
	did, err := run.Run(c, nil)
	if err != nil || did.Meets(c.Want) {
		return err
	}
	asked, err := t.Asks(&cases.Input{Args: c.Args, Stdin: c.Stdin})
	if err != nil || asked && !t.Refuses(c, did) {
		return err
	}
	if t.setAside == nil {
		t.setAside = map[*oracle.Case]bool{}
	}
	t.setAside[c] = true
	return nil
}

// late reports whether a program that takes long where its reference does not takes too long on a
// case: that says nothing.
func (t *Judge) late(p *lower.Program, c *oracle.Case) (bool, error) {
	if !t.Slow() {
		return false, nil
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: p, Cases: []*oracle.Case{c}})
	if err != nil {
		return false, err
	}
	r, err := run.Run(c, nil)
	return err == nil && r.Endless(), err
}

// likely orders runs on which two programs differ: those like the runs in hand come first, then
// short ones.
func (t *Judge) likely(differ []int, inputs []cases.Input) {
	like := make(map[int]bool, len(differ))
	for _, i := range differ {
		like[i] = t.Like == nil || t.Like.Has(&inputs[i])
	}
	sort.SliceStable(differ, func(a, b int) bool {
		if a, b := differ[a], differ[b]; like[a] != like[b] {
			return like[a]
		}
		return inputs[differ[a]].Size() < inputs[differ[b]].Size()
	})
}

// Fight runs a program beside the reference; met is on how many runs both do the same.
func (t *Judge) Fight(ctx context.Context, p *lower.Program) (refuting *oracle.Case, met int, err error) {
	defer timing.Begin(ctx, "judge: beside the reference").End("")
	d := t.duel
	d.begin()
	run, err := compiled(ctx, p, t.Job.Options)
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer run.Close()
	got, err := t.follow(ctx, run)
	if got == nil || err != nil {
		return nil, 0, err
	}
	inputs, want := d.runs()
	var differ []int
	for i := range got {
		if got[i] != want[i] {
			differ = append(differ, i)
		}
	}
	t.likely(differ, inputs)
	asked := 0
	var beyond *oracle.Case
	for _, i := range differ[:min(len(differ), mostUnread)] {
		if asked == mostDispute {
			break
		}
		in := inputs[i]
		x, steps, ok, err := oracle.Expect(t.Ref.Prog, in.String(), in.Args, in.Stdin, -1)
		if err != nil {
			return nil, 0, err
		}
		if !ok || !t.Readable(&x) { // it reads what was never stored, where input is missing: that says nothing
			continue
		}
		asked++
		s := t.SuiteOf([]*cases.Run{{Input: in, Test: x, Steps: steps}})
		s.Prog, s.Edited = p, nil
		c, err := RefutedBy(s, nil, nil)
		if c != nil && err == nil {
			if late, err := t.late(p, c); late || err != nil {
				if err != nil {
					return nil, 0, err
				}
				continue
			}
		}
		if c != nil && err == nil {
			if err := t.unlike(c); err != nil {
				return nil, 0, err
			}
			if t.Unlike(c) { // one that is like those in hand says more
				if beyond == nil {
					beyond = c
				}
				continue
			}
		}
		if c != nil { // where there is one there are others
			t.add(ctx, d, t.more(t.Job.Seed+int64(len(inputs)), []cases.Input{in}, d.speaks, aroundRuns))
		}
		if c != nil || err != nil {
			return c, 0, err
		}
	}
	if beyond != nil {
		t.add(ctx, d, t.more(t.Job.Seed+int64(len(inputs)), []cases.Input{{Args: beyond.Args, Stdin: beyond.Stdin}}, d.speaks, aroundRuns))
		return beyond, len(got) - len(differ), nil
	}
	if len(slices.Compact(slices.Clone(want))) == 1 { // where nothing is read all runs are one
		return nil, 0, nil
	}
	return nil, len(got) - len(differ), nil
}
