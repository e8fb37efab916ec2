// Package cases makes the cases that a program is judged by. From a job's specification, a
// reference or tests, it makes calls of a function in states of memory (Make) and whole runs
// (OfRuns). A Set holds the cases that an engine sees, those that are held back, and every
// small one.
//
// Whole runs are made from the given ones (Explore). A programmer who doubts a program
// varies what she ran it with: another value, another order, one more command. This package
// does the same, and the reference supplies the output; runs on which the reference fails
// are left out. Nobody has to describe the program's input, and every state is one that a
// run reaches.
//
// Inputs are arguments and standard input. Not supported: files that the program
// opens, the time, the network.
package cases

import (
	"context"
	"math/bits"
	"sort"
	"time"

	"gulo/internal/budget"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/timing"
)

// Run is one run of the implementation that is right, as a test for others.
type Run struct {
	Input
	Test    oracle.Test
	Steps   int64
	Heap    int // blocks that were not freed
	covered map[key]bool
}

// key is a statement and how often it was executed, in powers of two: an iteration more
// is another behaviour when iterations are few.
type key struct {
	stmt  int32
	times uint8
}

func keys(counts map[int32]int32) map[key]bool {
	out := map[key]bool{}
	for s, n := range counts {
		b := uint8(n)
		if n > 3 {
			b = uint8(2 + bits.Len32(uint32(n)))
		}
		out[key{s, b}] = true
	}
	return out
}

// Config bounds Explore.
type Config struct {
	Seed  int64
	Want  int       // runs; 0 means 200
	Tries int       // 0 means twenty times as many
	Steps int64     // of the machine; 0 means what takes two seconds
	Until time.Time // a guard; zero: none
	Form  *Form     // that runs which are made must have; nil: any
	Like  *Form     // that half of them must have; nil: none
}

// over reports whether so much work is enough.
func (c *Config) over(ctx context.Context, work int64) bool {
	return work >= c.Steps || !c.Until.IsZero() && budget.Over(ctx, c.Until)
}

// formTries is how many times as many inputs are varied where most do not have the form.
const formTries = 200

// Explored is what Explore found.
type Explored struct {
	Runs    []*Run // the seeds that end without an error first, then others, light ones first
	Tried   int
	LeftOut int // inputs that the implementation fails on or does not end with
	Endless int // of those, how many came to no end
}

// Explore varies inputs in front of a program that is right: the runs that end
// without an error state are returned with what they print. Inputs that reach
// statements not reached before are varied further, as a coverage-guided fuzzer does.
// The same seed gives the same runs unless the guard ends it.
func Explore(ctx context.Context, right *lower.Program, seeds []Input, c Config) (*Explored, error) {
	if c.Want == 0 {
		c.Want = 200
	}
	if c.Tries == 0 {
		c.Tries = 20 * c.Want
	}
	if c.Steps == 0 {
		c.Steps = budget.Of(2 * time.Second)
	}
	span := timing.Begin(ctx, "make up runs")
	e := &explorer{same: map[behaviour]int{}, like: c.Like, seeds: len(seeds), out: &Explored{}, right: right, seen: map[string]bool{}, met: map[key]bool{}, reached: map[int32]bool{}}
	for _, in := range seeds {
		if err := e.try(in); err != nil {
			return nil, err
		}
	}
	first := len(e.out.Runs)
	if len(e.grounds) == 0 { // a reference that fails on the runs in hand may do on others
		e.grounds = append([]Input(nil), seeds...)
	}
	m := NewMaker(c.Seed+1, seeds, LanguageOf(right.Tree))
	deaf := deafRuns
	if nothing(seeds) { // arguments or standard input: nobody says which
		deaf *= 4
		for _, in := range []Input{{Stdin: "tea 3\n"}, {Args: []string{"3"}}} {
			if err := e.try(in); err != nil {
				return nil, err
			}
		}
	}
	varied := 0
	for e.out.Tried < c.Tries && varied < formTries*c.Want && len(e.out.Runs) < c.Want && len(e.grounds) > 0 && !c.over(ctx, e.work) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		in := e.grounds[m.pick(len(e.grounds))]
		if m.rnd.Intn(4) == 0 { // long inputs reach states that short ones do not
			for k := 1 + m.rnd.Intn(6)*m.rnd.Intn(2); k > 0 && in.Size() < mostSize; k-- {
				in = m.Cross(in, e.grounds[m.rnd.Intn(len(e.grounds))])
			}
		}
		in = m.Vary(in)
		if varied++; !c.Form.Has(&in) || c.Like != nil && m.rnd.Intn(2) == 0 && !c.Like.Has(&in) {
			continue
		}
		if err := e.try(in); err != nil {
			return nil, err
		}
		if e.stale >= staleRuns && e.steps >= enoughSteps && len(e.out.Runs)+len(e.spare) >= c.Want/2 {
			break // what comes now takes long and is nothing new
		}
		if e.deaf >= deaf { // the program does not look at its input
			e.out.Runs = e.out.Runs[:max(first, 1)]
			break
		}
	}
	for i := 0; i < len(e.spare) && len(e.out.Runs) < c.Want/2 && e.deaf < deaf; i++ {
		e.out.Runs = append(e.out.Runs, e.spare[i])
	}
	span.End("%d of %d tried", len(e.out.Runs), e.out.Tried)
	made := e.out.Runs[first:]
	sort.SliceStable(made, func(i, j int) bool { return made[i].weight() < made[j].weight() })
	return e.out, nil
}

// mostSize bounds the bytes of an input that is put together.
const mostSize = 400

// deafRuns are enough runs that all do the same to believe that nothing else comes.
const deafRuns = 12

// Where so many runs in a row came to nothing that was not met before, and all took so many
// steps, half of what is wanted is enough: output that grows with the square of a number is
// made no more telling by greater numbers.
const (
	staleRuns   = 200
	enoughSteps = 6_000_000
)

// weight orders runs: short ones, that are easy to understand, come first. What runs
// long is asked last: searches run it thousands of times.
func (r *Run) weight() int { return r.Size() + int(r.Steps/50) }

// pick prefers what was found early: the runs in hand.
func (m *Maker) pick(n int) int {
	if m.rnd.Intn(2) == 0 {
		return m.rnd.Intn(n)
	}
	return m.rnd.Intn(min(n, 4))
}

// behaviour tells runs apart; of those that do the same, as usage errors do, a few are
// enough.
type behaviour struct {
	out    string
	status int
	steps  int64
	like   bool // the input has the form that half of them have
}

const mostAlike = 3

type explorer struct {
	same    map[behaviour]int
	like    *Form
	spare   []*Run // that do what others do
	seeds   int
	out     *Explored
	right   *lower.Program
	run     *oracle.Runner // nil: not begun
	grounds []Input        // to be varied
	seen    map[string]bool
	met     map[key]bool
	reached map[int32]bool
	first   []Input // that came to a statement first
	deaf    int     // runs in a row that did what the first did
	stale   int     // runs in a row that came to nothing new
	steps   int64   // of all runs
	work    int64   // of all that was tried, in steps
	slow    bool    // a run in hand takes long
	waited  int64   // steps of runs that take long
}

// Runs in hand that take long are waited for, and then others: steps in all, and the part of them
// for one that was made up.
const (
	mostWaited = 12_000_000
	longRuns   = 20
)

// count runs a case, and counts what that takes.
func (e *explorer) count(c *oracle.Case) (*oracle.Run, map[int32]int32, error) {
	run, counts, err := e.run.Count(c)
	if e.work += budget.Run; err == nil {
		e.work += run.Steps
	}
	return run, counts, err
}

// try runs an input.
func (e *explorer) try(in Input) error {
	e.out.Tried++
	k := in.key()
	if e.seen[k] {
		return nil
	}
	e.seen[k] = true
	if e.run == nil {
		var err error
		if e.run, err = oracle.NewRunner(&oracle.Suite{Prog: e.right}); err != nil {
			return err
		}
	}
	c := &oracle.Case{Args: in.Args, Stdin: in.Stdin}
	run, counts, err := e.count(c)
	if seed := e.out.Tried <= e.seeds; err == nil && run.Endless() && (seed || e.slow) && e.waited < mostWaited {
		if c.Own = mostWaited / longRuns; seed {
			c.Own = mostWaited
		}
		run, counts, err = e.count(c)
		e.slow = e.slow || err == nil && seed && !run.Endless()
		e.waited += c.Own / longRuns
		if err == nil {
			e.waited += run.Steps
		}
	}
	if err != nil {
		return err
	}
	e.stale++
	e.steps += run.Steps
	if run.Fault != nil {
		if e.out.LeftOut++; run.Endless() {
			e.out.Endless++
		}
		return nil
	}
	news, first, covered := false, false, keys(counts)
	for s := range covered {
		if !e.met[s] {
			e.met[s], news, e.stale = true, true, 0
			first = first || !e.reached[s.stmt]
			e.reached[s.stmt] = true
		}
	}
	if e.deaf >= 0 && len(e.out.Runs) > 0 {
		if x := e.out.Runs[0]; x.Test.Stdout == run.Output && x.Test.Exit == run.Status && x.Steps == run.Steps {
			e.deaf++
		} else {
			e.deaf = -1
		}
	}
	if news || len(e.grounds) < 8 {
		e.grounds = append(e.grounds, in)
	}
	t := oracle.Test{Name: in.String(), Args: in.Args, Stdin: in.Stdin, Stdout: run.Output, Exit: run.Status, Misread: run.Misread, Unread: run.Unread(in.Stdin)}
	x := &Run{Input: in, Test: t, Steps: run.Steps, Heap: run.Heap, covered: covered}
	b := behaviour{run.Output, run.Status, run.Steps, e.like != nil && e.like.Has(&in)}
	if first {
		e.first = append(e.first, in)
	}
	if e.same[b]++; e.same[b] > mostAlike && !news && e.out.Tried > e.seeds {
		e.spare = append(e.spare, x)
		return nil
	}
	e.out.Runs = append(e.out.Runs, x)
	return nil
}

// Chosen divides runs for a search: a few that it sees and the rest, which judges what
// it finds. fails says which runs the program under repair does not meet. must are
// kept in the part that is seen whatever else.
func Chosen(runs []*Run, fails []bool, n int, must func(*Run) bool) (given, held []int) {
	taken := make([]bool, len(runs))
	count := 0
	take := func(i int) { taken[i], count = true, count+1 }
	for i, r := range runs {
		if must(r) && count < n {
			take(i)
		}
	}
	for _, failing := range []bool{true, false} {
		met := map[key]bool{}
		quota := (n - count + 1) / 2
		if !failing {
			quota = n - count
		}
		// What covers most that is new, small ones first, then spread.
		for ; quota > 0; quota-- {
			best, most := -1, 0
			for i, r := range runs {
				if taken[i] || fails[i] != failing {
					continue
				}
				fresh := 0
				for s := range r.covered {
					if !met[s] {
						fresh++
					}
				}
				if best < 0 || fresh > most {
					best, most = i, fresh
				}
			}
			if best < 0 {
				break
			}
			if most == 0 {
				met = map[key]bool{}
			}
			for s := range runs[best].covered {
				met[s] = true
			}
			take(best)
		}
	}
	for i := range runs {
		if taken[i] {
			given = append(given, i)
		} else {
			held = append(held, i)
		}
	}
	return given, held
}
