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

// This file runs repaired programs and the reference on the same thousands of inputs, which no search has seen. The
// runs are native and cost microseconds each. Where the two differ, the machine decides, for both: a run in which the
// reference does something that C does not define says nothing.

// Bounds of a duel, a differential run of a repaired program and the reference.
const (
	duelRuns    = 5000
	aroundRuns  = 1500 // more, like a run on which a repair was wrong
	kindredRuns = 1500 // more, close to the given runs
	rareRuns    = 1500 // more, that reach statements of the reference that no other run reaches
	scriptRuns  = 2000 // more, made of commands
	beyondRuns  = 150  // more, with numbers that no test has
	likeRuns    = 1500 // more, like the given runs, for when there are only one or two tests
	plainRuns   = 1500 // more, that keep to the conventions of the given runs, if the reference was written independently
	apartLess   = 4    // divides duelRuns and kindredRuns in that case
	rareLimit   = 400 * time.Millisecond
	duelSteps   = 400_000
	lightSteps  = 5_000                  // steps that the reference may always take; it may also take lightShare times
	lightShare  = 5                      // what it takes in the given runs. Longer runs tell no more and cost more
	slowShare   = 10                     // a repaired program may take so many times the reference's steps
	duelTime    = 100 * time.Millisecond // for a run that no step limit ends
	duelLimit   = 10 * time.Second
	addRuns     = 2000 // runs of the reference made in one batch
	addTime     = 2 * time.Second
	mostUnread  = 400 // differing runs that the reference is run on again on the machine, at most
	mostDispute = 40  // differing runs that the machine decides on, at most
)

// duel holds the reference's runs.
type duel struct {
	inputs []cases.Input
	want   []uint64        // hash of the reference's outcome for each input
	speaks *cases.Language // words and structure of the programs' input
	ref    *native.Program // the reference
	self   *native.Program // the unrepaired program; nil unless the reference was written independently
	own    map[int]uint64  // what the unrepaired program does on some inputs, by index
	plain  int             // the first plain inputs keep to the conventions of the given runs
	steps  int64           // steps that the reference may take in a run
	once   sync.Once
	make   func()        // makes the runs, in the background
	asked  atomic.Bool   // runs are needed now; until then they are made at low priority
	ready  chan struct{} // closed when all runs are made
	cancel context.CancelFunc

	sync.Mutex               // guards inputs, want and grown
	grown      chan struct{} // closed and replaced whenever there are more runs
}

// Challenge prepares a duel with the reference. The runs are made at once, in the background, unless logic may find
// that a repair is the reference itself (same), which needs no runs. Then they are made when the first other repair
// asks.
func (t *Judge) Challenge(ctx context.Context) {
	if t.Ref == nil || t.duel != nil {
		return
	}
	t.duel = newDuel(ctx, t)
	if t.Compare == nil || t.WrittenApart() {
		t.duel.begin()
	}
}

// fewExpected bounds the candidates of which the first is probably the one that is shown.
const fewExpected = 3

// Expect announces the candidates that will be judged, the first one first. It starts to make the reference's runs and,
// if there are few candidates, to compile the first one. It makes no runs if the text of a candidate equals the
// reference's up to white space, since that one needs none (same).
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
			out.WriteString(source.Squeeze(text))
		}
		return out.String()
	}
	ref := written(t.Ref.Prog.Tree.Files, nil)
	if !slices.ContainsFunc(list, func(texts map[string]string) bool { return written(t.Prog.Tree.Files, texts) == ref }) {
		t.duel.begin()
	}
}

// Prepare starts making the reference's runs at low priority, if there is more than one processor.
func (t *Judge) Prepare() {
	if t.duel != nil && runtime.GOMAXPROCS(0) > 1 {
		t.duel.once.Do(t.duel.make)
	}
}

// Begin starts to compile a reference that was written independently, for Challenge. The caller calls forget.
func Begin(ctx context.Context, s *cases.Set) (forget func()) {
	if s.Ref == nil || !s.WrittenApart() {
		return func() {}
	}
	texts, conf := counted(s.Ref.Prog, s.Job.Options)
	drop := native.Begin(ctx, texts, conf)
	return func() { drop() }
}

// Close ends the background work and forgets programs that nobody asked for.
func (t *Judge) Close() {
	t.forget(nil)
	if t.duel != nil && !t.lent {
		t.duel.close()
	}
}

// begin starts making the runs, if that has not begun, and raises their priority.
func (d *duel) begin() {
	d.asked.Store(true)
	d.once.Do(d.make)
}

// wait starts making the runs and waits until all are made.
func (d *duel) wait() {
	d.begin()
	<-d.ready
}

// newDuel prepares the reference's runs. Function begin starts making them.
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
	if apart { // little can be said about inputs unlike the given ones
		if plain = cases.Plain(t.Job.Seed+5, t.InHand(), d.speaks, plainRuns); len(plain) >= plainRuns/apartLess {
			runs, kindred = duelRuns/apartLess, kindredRuns/apartLess
		}
	}
	d.make = func() {
		made, rare, beyond := make(chan []cases.Input, 1), make(chan []cases.Input, 1), make(chan []cases.Input, 1)
		process.Go(func() { made <- t.more(t.Job.Seed+7, grounds, d.speaks, runs) })
		process.Go(func() { rare <- t.rare(ctx, d.speaks) })
		process.Go(func() {
			list, _ := t.Beyond(beyondRuns) // there are none if the machine cannot run the reference
			beyond <- list
		})
		process.Go(func() {
			defer close(d.ready)
			// If the reference cannot be compiled there is no duel, and the evidence does not mention one.
			p, err := compiled(ctx, t.Ref.Prog, t.Job.Options)
			// Wait for all three, so that nothing is still being made when the duel is closed.
			more, seldom, others := <-made, <-rare, <-beyond
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

// rare makes inputs that reach statements of the reference that no run has reached so far, more inputs like those, and
// scripts of commands.
func (t *Judge) rare(ctx context.Context, speaks *cases.Language) []cases.Input {
	found, err := cases.Reach(ctx, t.Ref.Prog, t.InHand(), t.Explored, cases.Config{Seed: t.Job.Seed, Form: t.Form, Steps: budget.Of(rareLimit)})
	if err != nil {
		return nil // the time is up: rare makes no inputs
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

// more makes up to n inputs by changing and joining those of grounds. If all inputs of the program have a known form
// (t.Form), the new ones have it too.
func (t *Judge) more(seed int64, grounds []cases.Input, speaks *cases.Language, n int) []cases.Input {
	if t.Form == nil {
		return cases.More(seed, grounds, speaks, n)
	}
	return cases.MoreOf(t.Form, seed, grounds, speaks, n, formShare*n)
}

// formShare is how many inputs are tried for each one wanted, as most lack the form.
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

// light returns how many steps the reference may take in a made-up run.
func (t *Judge) light() int64 {
	n := int64(lightSteps)
	for _, r := range t.Explored {
		if t.Given != nil && slices.ContainsFunc(t.InHand(), func(in cases.Input) bool { return in.String() == r.Input.String() }) {
			n = max(n, lightShare*r.Steps)
		}
	}
	return min(n, duelSteps)
}

// patience returns how many steps a repaired program may take in a run.
func (d *duel) patience() int64 { return min(slowShare*d.steps, duelSteps) }

// nativeShare is how many native steps cost as much as one unit of the budget.
const nativeShare = 8

// add runs the reference on inputs and adds the runs to the duel, until a budget of addTime is spent. Runs that exceed
// the step limit are left out: they would cost as much for each repair, and tell no more than others.
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

// after returns the inputs of the reference's runs from the n-th on. It waits until there are some or all runs are
// made.
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

// follow runs a program on all inputs of the duel, while the reference's runs are still being made. It returns nil if
// time runs out.
func (t *Judge) follow(ctx context.Context, p *native.Program) (all []uint64, err error) {
	defer func(ctx context.Context) { budget.Spend(ctx, int64(len(all))*budget.Native) }(ctx)
	ctx = budget.Beside(ctx) // time depends on how the runs are split, so it is not counted here
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

// manyRuns is how many runs make another process worth starting.
const manyRuns = 1000

// sideBySide runs a program on inputs, split among as many processes as there are processors if there are many. It
// returns nil if time runs out.
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

// compiled builds a program that counts its steps.
func compiled(ctx context.Context, p *lower.Program, opt cfront.Options) (*native.Program, error) {
	texts, conf := counted(p, opt)
	return native.Build(ctx, texts, conf)
}

// counted returns the texts and the configuration from which compiled builds.
func counted(p *lower.Program, opt cfront.Options) (map[string]string, native.Config) {
	return schema.Counted(p.Tree), native.Config{Units: p.Tree.Units(), Options: opt}
}

// outcomes runs a program on inputs, each limited to so many steps. It returns nil if time runs out. With yield it runs
// at low priority.
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

// leadRuns is how many explored runs go before the others. The harness decides by the first runs whether one process
// may do many runs. Made-up runs are bad for that: most may read uninitialized memory, whose content depends on whether
// the process has done other runs before.
const leadRuns = 5

func (t *Judge) lead() (out []cases.Input) {
	for _, r := range t.Explored[:min(len(t.Explored), leadRuns)] {
		out = append(out, r.Input)
	}
	return out
}

// Holds runs a repaired program natively, with the sanitizers and beside the reference, in parallel. c is a case that
// refutes it; ok says that it does what it should. A part that the machine can load passes at once: it was already held
// against the cases, and that is all that is demanded of it.
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

// offer shows a repair that a search has found so far to whoever waits. A repair of a part is not shown, as it is one
// of another program.
func (t *Judge) offer(stage report.Stage, r *report.Repair, texts map[string]string) {
	if t.part {
		return
	}
	if stage == report.Meets {
		t.Job.Say("trying a repair that meets the specification on other inputs")
	}
	t.Job.Best.Offer(stage, *r, texts)
}

// holds is Holds without the offer.
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

// fought runs a repaired program beside the reference and returns a run that refutes it, or nil. If every function is
// the reference's, nothing is run.
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

// Beside runs a repaired program natively beside the reference, on whole runs. c is a run that refutes it, or nil; met
// counts the runs on which both do the same.
func (t *Judge) Beside(ctx context.Context, texts map[string]string) (c *oracle.Case, met int, err error) {
	var one report.Repair
	c, err = t.fought(ctx, texts, &one)
	return c, one.Evidence.HeldMet, err
}

// Unlike reports whether a run that refutes a repair was set aside: the unrepaired program fails it, too, and the run
// is unlike the given ones, or the program refuses it. Then the repair breaks nothing, and it is unknown whether the
// programs are meant for such input: a reference does something on every input.
func (t *Judge) Unlike(c *oracle.Case) bool { return t.setAside[c] }

// unlike decides that for a run, and sets it aside.
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

// late reports whether a program runs too long on a case although its reference does not, and is known to be slow. That
// says nothing about the repair.
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

// likely orders the runs on which two programs differ: those like the given runs come first, then short ones.
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

// Fight runs a repaired program beside the reference on the duel's inputs and returns a run that refutes it, or nil.
// met counts the runs on which both do the same, and is 0 if the program does not compile, time runs out or the input
// is not read.
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
		if !ok || !t.Readable(&x) { // it reads uninitialized memory where input is missing, which says nothing
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
			if t.Unlike(c) { // one like the given runs would say more
				if beyond == nil {
					beyond = c
				}
				continue
			}
		}
		if c != nil { // add more runs like it for later repairs
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
	if len(slices.Compact(slices.Clone(want))) == 1 { // all outcomes are equal: the programs do not read their input
		return nil, 0, nil
	}
	return nil, len(got) - len(differ), nil
}
