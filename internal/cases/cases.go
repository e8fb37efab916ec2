// Package cases makes the cases that a program is judged by. From a job's specification, which is a reference or tests,
// it makes calls of a function in states of memory (Make) and whole runs (OfRuns). A Set holds the cases that an engine
// sees, those that are held back, and all small ones.
//
// Whole runs are made from the given ones (Explore). A programmer who doubts a program varies the input that she ran it
// with: another value, another order, one more command. This package does the same, and the reference supplies the
// output. Runs on which the reference fails are left out. Nobody has to describe the program's input, and every state
// is one that a run reaches.
//
// An input is arguments and standard input. Not supported: files that the program opens, the time, the network.
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

// Run is one run of the implementation that is right, as a test for other programs.
type Run struct {
	Input
	Test    oracle.Test
	Steps   int64
	Heap    int // blocks that were not freed
	covered map[key]bool
	doubted bool // a test that the reference meets natively alone
}

// key is a statement with how often it was executed. Counts up to 3 are exact, larger ones are grouped by powers of
// two: one more iteration is another behaviour only if iterations are few.
type key struct {
	stmt  int32
	times uint8
}

// keys converts execution counts to keys.
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
	Want  int       // runs wanted; 0 means 200
	Tries int       // inputs tried, at most; 0 means twenty times Want
	Steps int64     // steps of the machine, at most; 0 means about two seconds' worth
	Until time.Time // deadline, as a guard; zero: none
	Form  *Form     // form that made runs must have; nil: any
	Like  *Form     // form that half of the made runs must have; nil: any
}

// over reports whether the work exceeds the limit of steps, or the deadline has passed.
func (c *Config) over(ctx context.Context, work int64) bool {
	return work >= c.Steps || !c.Until.IsZero() && budget.Over(ctx, c.Until)
}

// formTries is how many inputs are varied for each one wanted, as most may lack the form.
const formTries = 200

// Explored is what Explore found.
type Explored struct {
	Runs    []*Run // first the seeds that end without an error, then the made runs, light ones first
	Tried   int
	LeftOut int // inputs on which the implementation fails or does not end
	Endless int // how many of LeftOut do not end
}

// Explore varies inputs of a program that is right, and returns the runs that end without an error, with their output.
// Inputs that reach new statements are varied further, as in a coverage-guided fuzzer. The same seed gives the same
// runs, unless the guard ends it.
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
	if len(e.grounds) == 0 { // a reference that fails on the given runs may succeed on others
		e.grounds = append([]Input(nil), seeds...)
	}
	m := NewMaker(c.Seed+1, seeds, LanguageOf(right.Tree))
	deaf := deafRuns
	if nothing(seeds) { // neither arguments nor standard input are known to matter, so both are tried
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
			break // further runs would take long and show nothing new
		}
		if e.deaf >= deaf { // the program seems to ignore its input
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

// mostSize bounds the bytes of a made input, where inputs are joined.
const mostSize = 400

// deafRuns is how many runs must all do the same before the program is taken to ignore its input.
const deafRuns = 12

// If so many runs in a row showed nothing new, and all runs took so many steps, half of the wanted runs is enough.
// Greater numbers do not make output more telling that grows with their square.
const (
	staleRuns   = 200
	enoughSteps = 6_000_000
)

// weight orders runs. Short runs come first, as they are easy to understand. Runs of many steps come last, as searches
// run them thousands of times.
func (r *Run) weight() int { return r.Size() + int(r.Steps/50) }

// pick returns an index below n. It prefers the first ones, which are the given runs.
func (m *Maker) pick(n int) int {
	if m.rnd.Intn(2) == 0 {
		return m.rnd.Intn(n)
	}
	return m.rnd.Intn(min(n, 4))
}

// behaviour is what distinguishes runs. Of runs with the same behaviour, such as usage errors, a few are enough.
type behaviour struct {
	out    string
	status int
	steps  int64
	like   bool // the input has the form Config.Like
}

// mostAlike bounds the made runs with the same behaviour that are kept.
const mostAlike = 3

// explorer is the state of Explore.
type explorer struct {
	same    map[behaviour]int
	like    *Form
	spare   []*Run // runs that do what others do
	seeds   int
	out     *Explored
	right   *lower.Program
	run     *oracle.Runner // nil until it is needed
	grounds []Input        // inputs to vary
	seen    map[string]bool
	met     map[key]bool
	reached map[int32]bool
	first   []Input // inputs that reached a statement first
	deaf    int     // runs after the first one, if all did what it did; -1: one did not
	stale   int     // runs in a row that showed nothing new
	steps   int64   // of all runs
	work    int64   // of everything tried, in steps
	slow    bool    // a given run takes long
	waited  int64   // steps spent on long runs
}

// Given runs that take long get a higher limit, and then made runs do, too: mostWaited bounds the steps of all, and one
// made run may take the longRuns-th part.
const (
	mostWaited = 12_000_000
	longRuns   = 20
)

// count runs a case with coverage counts, and adds its cost to the work.
func (e *explorer) count(c *oracle.Case) (*oracle.Run, map[int32]int32, error) {
	run, counts, err := e.run.Count(c)
	if e.work += budget.Run; err == nil {
		e.work += run.Steps
	}
	return run, counts, err
}

// try runs an input that was not tried before, and keeps the run if it ends without an error.
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

// Chosen divides runs for a search into a few that it sees and the rest, which judges what it finds. fails says which
// runs the program under repair fails. Runs for which must holds are seen first, up to n.
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
		// Take what covers most that is new, earlier runs first. When nothing is new, start over.
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
