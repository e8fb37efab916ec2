package cases

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/check"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/plural"
)

// This file makes cases from the memory rules that gulo check ships. No rule may fire on any run, and the output on
// runs on which none fires must stay. On a run on which one fires, the right output is unknown. It is taken from a run
// in which such errors do no harm, if that output starts with what was printed before the
// error. Otherwise any output that starts so is accepted.

// Bounds of the made-up runs.
const (
	cleanRuns    = 120
	relatedRuns  = 160
	nearestRuns  = 80
	memoryFailed = 8  // failing ones among the given cases
	memoryPassed = 6  // passing ones among the given cases
	memoryHeld   = 90 // held-back ones
	watchedRuns  = 120
)

// ofMemory are the errors that memory rules are about.
var ofMemory = map[machine.FaultKind]bool{
	machine.UnmatchedFree: true, machine.DoubleFree: true, machine.DanglingDeref: true, machine.NullDeref: true, machine.HeapOverflow: true,
	machine.Uninitialized: true, machine.StackOverflow: true, machine.GlobalOverflow: true, machine.Overlap: true, machine.WildDeref: true,
	machine.MissingReturn: true, machine.ArrayBounds: true,
}

// OfMemory reports whether a memory rule is about an error.
func OfMemory(k machine.FaultKind) bool { return ofMemory[k] }

// violation is a rule that fires, and where: at a statement or, for a leak, where the blocks were allocated.
type violation struct {
	rule  machine.FaultKind
	place string
}

func (v violation) String() string { return fmt.Sprintf("%s at %s", v.rule, v.place) }

// Lost is the rule about leaks.
const Lost machine.FaultKind = "definite_leak"

// leaked returns the violation of leaked blocks.
func leaked(list []check.Finding) violation {
	var at []string
	for _, f := range list {
		at = append(at, fmt.Sprintf("%s:%d", f.File, f.Line))
	}
	slices.Sort(at)
	return violation{Lost, strings.Join(slices.Compact(at), ", ")}
}

// remembered is a run of the unrepaired program.
type remembered struct {
	Input
	run    *oracle.Run
	lost   int // blocks leaked at its end
	bad    violation
	inHand bool
	near   bool         // its input differs from a given one in one place
	fresh  bool         // it ends where a heap block is read that was never written
	test   *oracle.Test // says what it should print; nil if no test does
}

// sound returns how much of the output of a run that ends in an error is held to be right: what was printed before the
// error or, if a freed block is used, before it was freed. From then on the program follows a pointer that should be
// gone.
func (x *remembered) sound() int {
	if x.run.Fault.Freed {
		return min(len(x.run.Output), int(x.run.Fault.Printed))
	}
	return len(x.run.Output)
}

// printsWrong reports whether a test contradicts what the run prints, up to its error if it has one.
func (x *remembered) printsWrong() bool {
	switch {
	case x.test == nil || x.test.Any:
		return false
	case x.run.Fault != nil:
		return !strings.HasPrefix(x.test.Stdout, x.test.Compared(x.run.Output))
	}
	return x.test.Compared(x.run.Output) != x.test.Stdout || x.run.Status != x.test.Exit
}

// fromMemory makes cases from the memory rules.
func (t *Set) fromMemory(ctx context.Context, until time.Time) error {
	if err := t.memoryScope(); err != nil {
		return err
	}
	var seeds []Input
	if len(t.Job.Args) > 0 || t.Job.Stdin != "" || !t.Job.Folder() {
		seeds = append(seeds, Input{Args: t.Job.Args, Stdin: t.Job.Stdin})
	}
	if t.Job.Folder() {
		tests, err := t.load(t.Job.Tests)
		if err != nil {
			return err
		}
		t.Tests = tests
		for _, x := range tests {
			seeds = append(seeds, Input{Args: x.Args, Stdin: x.Stdin})
		}
	}
	t.seeds = seeds
	list, err := t.remember(ctx, seeds, until)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, func(x remembered) bool { return x.bad.rule != "" }) {
		if err := t.behindScopes(list); err != nil {
			return err
		}
	}
	list = t.concerned(list)
	if err := t.memoryCases(ctx, list); err != nil {
		return err
	}
	t.By = "the program itself" + t.partMade() + ": no memory rule fires"
	return nil
}

// partMade says how many of the given cases were not made up. It is empty if none was made up.
func (t *Set) partMade() string {
	if len(t.Given.Cases) <= t.inHand {
		return ""
	}
	return fmt.Sprintf(" (%d given, the rest made up)", t.inHand)
}

// memoryScope sets the functions that may change: all, or those that the entry calls.
func (t *Set) memoryScope() error {
	t.Scope = Written(t.Prog)
	if name := t.Job.Entry; name != "" {
		if t.Entry = t.Prog.Tree.Func(name); t.Entry == nil {
			return job.Usage("no function %s in %s", name, t.Job.Files[0])
		}
		t.Scope = nil
		for f := range cfront.Callees(t.Entry) {
			t.Scope = append(t.Scope, f)
		}
	}
	sortFuncs(t.Scope)
	return nil
}

// watchedCost is how many times longer the machine takes with memory rules.
const watchedCost = 10

// remember runs the program on the given runs and on others made from them.
func (t *Set) remember(ctx context.Context, seeds []Input, until time.Time) ([]remembered, error) {
	ex, err := Explore(ctx, t.Prog, seeds, Config{Seed: t.Job.Seed, Want: cleanRuns, Steps: t.part(12), Until: until})
	if err != nil {
		return nil, err
	}
	inputs := append(slices.Clone(seeds), Input{})
	inputs = append(inputs, Nearest(seeds, nearestRuns)...)
	beside := len(inputs) - 1
	near := map[string]bool{}
	for _, in := range inputs[len(seeds)+1:] {
		near[in.key()] = true
	}
	for _, r := range ex.Runs {
		inputs = append(inputs, r.Input)
	}
	inputs = append(inputs, Kindred(t.Job.Seed+1, seeds, LanguageOf(t.Prog.Tree).Words, relatedRuns)...)
	if main := t.Prog.Tree.Func("main"); len(seeds) > 0 && main != nil && !asks(main) { // main reads nothing, so all runs are alike
		inputs = seeds
	}
	watch, err := check.Watched(t.Prog, t.Job.Files[0])
	if err != nil {
		return nil, err
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: t.Prog})
	if err != nil {
		return nil, err
	}
	var list []remembered
	seen := map[string]bool{}
	watched, work := 0, int64(0)
	var other []string // given runs that say nothing about memory
	for i := 0; i < len(inputs); i++ {
		in := inputs[i]
		if k := in.key(); seen[k] || i >= len(seeds) && (work >= t.part(12) || budget.Over(ctx, until)) {
			continue
		} else {
			seen[k] = true
		}
		c := &oracle.Case{Args: in.Args, Stdin: in.Stdin}
		r, err := run.Run(c, nil)
		if err == nil && r.Endless() && i < len(seeds) {
			r, err = run.Patient(c, nil, mostSteps)
		}
		if err != nil {
			return nil, err
		}
		work += budget.Run + r.Steps
		x := remembered{Input: in, run: r, inHand: i < len(seeds), near: near[in.key()]}
		if n := i - (len(seeds) - len(t.Tests)); x.inHand && n >= 0 {
			x.test = &t.Tests[n]
		}
		switch {
		case r.Unmodelled() != "":
			if x.inHand {
				return nil, job.Usage("%s: whether a memory rule fires is not known, since gulo has no model of what the program comes to", r.Unmodelled())
			}
			continue
		case r.Fault != nil && ofMemory[r.Fault.Kind]:
			x.bad = violation{r.Fault.Kind, fmt.Sprintf("%s:%d", r.Fault.Pos.File, r.Fault.Pos.Line)}
			id, _ := ctype.SplitPointer(r.Fault.Pointer)
			b := run.M.Block(id)
			x.fresh = r.Fault.Kind == machine.Uninitialized && b != nil && b.Kind == machine.Heap
		case r.Fault != nil: // another error, or no end: not what was asked about
			if x.inHand {
				other = append(other, fmt.Sprintf("on %s, %s", in.String(), r.Differs(&oracle.Run{})))
			}
			continue
		case r.Heap > 0:
			if watched++; watched > watchedRuns {
				continue
			}
			rep, err := watch(in.Args, in.Stdin)
			if err != nil {
				return nil, err
			}
			work += budget.Run + watchedCost*rep.Steps
			for _, f := range rep.Findings {
				x.lost += int(max(f.Blocks, 1))
			}
			if x.lost > 0 {
				x.bad = leaked(rep.Findings)
			}
		}
		list = append(list, x)
		if i >= beside && beside >= 0 { // the given runs end in errors, and so do most that are like them
			if c := largestClean(list); c != nil {
				inputs = slices.Insert(inputs, i+1, Nearest([]Input{c.Input}, nearestRuns)...)
			}
			beside = -1
		}
	}
	if len(other) > 0 && !slices.ContainsFunc(list, func(x remembered) bool { return x.inHand }) {
		return nil, job.Usage("%s; no memory rule is about that: say what is right with --tests or --reference", other[0])
	}
	for _, o := range other {
		t.Notes = append(t.Notes, "left out, since no memory rule is about it: "+o)
	}
	return list, nil
}

// largestClean returns the largest run on which no rule fires; nil if there is none, or one is in hand.
func largestClean(list []remembered) *remembered {
	var out *remembered
	for i := range list {
		switch x := &list[i]; {
		case x.bad.rule != "":
		case x.inHand:
			return nil
		case out == nil || x.Size() > out.Size():
			out = x
		}
	}
	return out
}

// behindScopes returns an error if a given run uses a variable after the end of its block. gulo check reports that, but
// repairs for it are not supported (job.Lowered).
func (t *Set) behindScopes(list []remembered) error {
	p, err := lower.Lower(t.Prog.Tree, lower.Options{Memory: true, Scopes: true, Bounds: true})
	if err != nil {
		return err
	}
	watch, err := check.Watched(p, t.Job.Files[0])
	if err != nil {
		return err
	}
	for _, x := range list {
		if !x.inHand {
			continue
		}
		rep, err := watch(x.Args, x.Stdin)
		if err != nil {
			return err
		}
		for _, f := range rep.Findings {
			if f.Blocks == 0 {
				return job.Usage("on %s, %s at %s:%d: %s; no repair of that is known: let the variable live as long as it is used, or say what is right with --tests or --reference", x.Input.String(), f.Rule, f.File, f.Line, f.Message)
			}
		}
	}
	return nil
}

// concerned leaves out made-up runs on which a rule fires without saying anything about the question: it fires
// elsewhere than on the given runs, or scanf fails on the input although it does not on the given ones. Nobody says
// whether these are valid inputs; a note mentions them. If no rule fires on the given runs, the smallest of the others
// becomes the question.
func (t *Set) concerned(list []remembered) []remembered {
	about, read := map[violation]bool{}, map[string]bool{}
	for _, x := range list {
		if x.inHand && x.bad.rule != "" {
			about[x.bad] = true
		}
		for _, f := range x.run.Misread {
			read[f] = read[f] || x.inHand
		}
	}
	misread := func(x remembered) bool {
		return !x.inHand && slices.ContainsFunc(x.run.Misread, func(f string) bool { return !read[f] })
	}
	if len(about) == 0 {
		about = t.smallest(list, misread)
	}
	n, example, loses := 0, "", false
	list = slices.DeleteFunc(list, func(x remembered) bool {
		other := x.bad.rule != "" && !x.inHand && (!about[x.bad] || misread(x))
		if other {
			loses = loses || x.bad.rule == Lost
			if n++; example == "" {
				example = fmt.Sprintf("%s on %s", x.bad, x.Input.String())
			}
		}
		return other
	})
	t.loses = loses
	if n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("a memory rule also fires on %s, elsewhere or because the input ends too early, which is left out: %s", plural.N(n, "made-up run"), example))
	}
	return list
}

// smallest returns how a rule fires on the smallest made-up run, preferably one that is read like the given runs.
func (t *Set) smallest(list []remembered, misread func(remembered) bool) map[violation]bool {
	var first *remembered
	for i := range list {
		x := &list[i]
		if x.bad.rule == "" {
			continue
		}
		if first == nil || misread(*first) && !misread(*x) || misread(*first) == misread(*x) && x.Size() < first.Size() {
			first = x
		}
	}
	if first == nil {
		return nil
	}
	t.Notes = append(t.Notes, fmt.Sprintf("no memory rule fires on the given run; on a made-up one it does: %s on %s", first.bad, first.Input.String()))
	return map[violation]bool{first.bad: true}
}

// memoryCases divides runs into cases that a search sees and cases that are held back.
func (t *Set) memoryCases(ctx context.Context, list []remembered) error {
	keeps, clean := 0, false // most blocks that a clean run leaves; whether one frees a block
	steps := int64(20_000)
	for _, x := range list {
		if x.bad.rule == "" {
			clean = clean || x.run.Freed > 0
			keeps, steps = max(keeps, x.run.Heap), max(steps, x.run.Steps)
		}
	}
	guessed, zeroed, endless, err := t.forgiven(list)
	if err != nil {
		return err
	}
	list = t.ending(list, endless)
	says := t.confirmed(list, guessed)
	slices.SortStableFunc(list, func(a, b remembered) int {
		if a.inHand != b.inHand {
			return map[bool]int{true: -1, false: 1}[a.inHand]
		}
		return cmp.Compare(a.Size(), b.Size())
	})
	list = various(list)
	t.Given, t.Held = &oracle.Suite{Prog: t.Prog, Edited: t.Scope}, &oracle.Suite{Prog: t.Prog, Edited: t.Scope}
	failed, passed, unknown := 0, 0, 0
	var near, far []*oracle.Case // those that are held back
	wrong := slices.ContainsFunc(list, func(x remembered) bool { return x.printsWrong() })
	for _, x := range list {
		want := &oracle.Run{Output: x.run.Output, Status: x.run.Status, Frees: true, Heap: x.run.Heap - x.lost, Steps: max(x.run.Steps, 1_000)}
		var would *oracle.Run
		if x.run.Fault != nil {
			want.Heap, want.Frees, want.Steps, want.Guessed = 0, clean && keeps == 0 && (x.inHand || !t.loses), steps, true
			o := guessed[x.key()]
			if o == nil && x.inHand && x.fresh { // such a block is mostly zero, and so whoever wrote the program saw it run
				if o = zeroed[x.key()]; o != nil && x.test == nil && !t.Job.ByContract() && !t.Job.Assert && !wrong {
					t.Notes = append(t.Notes, fmt.Sprintf("what the program should print on %s is what it prints with zeros where a heap block was never written; with other bytes it does something else", x.Input.String()))
				}
			}
			switch {
			case o != nil && says[x.run.Fault.Kind] && o.Output != x.run.Output: // else it says nothing of what comes behind the error
				want.Output, want.Status = o.Output, o.Status
			case o != nil && x.run.Fault.Kind == machine.DanglingDeref:
				would = o
				fallthrough
			default:
				want.Any, want.Begins = true, x.run.Output[:x.sound()]
				unknown++
			}
		}
		if t.Job.ByContract() || t.Job.Assert || wrong { // something else says what is right, and the present output may be wrong
			want.Any, want.Begins = true, ""
		}
		if x.test != nil {
			would = nil
			want.Any, want.Output, want.Status = false, x.test.Stdout, x.test.Exit
		}
		c := &oracle.Case{Name: x.Input.String(), Args: x.Args, Stdin: x.Stdin, Want: want}
		c.Judge(t.Job.Space == job.SpaceJudge)
		if x.run.Fault != nil && !x.inHand && t.loses {
			if t.Loses == nil {
				t.Loses = map[*oracle.Case]bool{}
			}
			t.Loses[c] = true
		}
		if would != nil {
			if t.Would == nil {
				t.Would = map[*oracle.Case]string{}
			}
			t.Would[c] = would.Output
		}
		n, most := &passed, memoryPassed
		if x.bad.rule != "" {
			n, most = &failed, memoryFailed
			t.Failing++
		}
		switch {
		case x.inHand:
			t.inHand++
			c.Own = x.run.Steps // a long run may take as many steps as it takes now
			t.Given.Cases = append(t.Given.Cases, c)
		case *n < most:
			*n++
			t.Given.Cases = append(t.Given.Cases, c)
		case x.near:
			near = append(near, c)
		default:
			far = append(far, c)
		}
	}
	t.Held.Cases = append(near, far...)
	t.Held.Cases = t.Held.Cases[:min(len(t.Held.Cases), memoryHeld)]
	if unknown > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("what %s should print on which a rule fires is not known: any output that begins with what was printed before, or before the block was freed that it is about, will do", plural.N(unknown, "run")))
	}
	return nil
}

// various puts the runs that print something that no run before them prints in front of the others, but for those in
// hand, which come first: many made-up inputs are refused in the same way.
func various(list []remembered) []remembered {
	var first, more []remembered
	seen := map[string]bool{}
	for _, x := range list {
		if k := fmt.Sprintf("%v %d %s", x.bad.rule != "", x.run.Status, x.run.Output); x.inHand || !seen[k] {
			seen[k] = true
			first = append(first, x)
			continue
		}
		more = append(more, x)
	}
	return append(first, more...)
}

// harmless are the errors behind which a program that goes on prints what is right, if no test says otherwise. The right
// one may print something else where freed memory was used, as that may hold what should no longer be there (Set.Would),
// and where an array of the program was too small: a limit may be what is meant.
var harmless = map[machine.FaultKind]bool{machine.UnmatchedFree: true, machine.DoubleFree: true, machine.HeapOverflow: true, machine.Uninitialized: true}

// confirmed returns the errors behind which a program that goes on prints what is right: those of the given failing runs of
// which tests want just that, and the harmless ones where no test wants anything else.
func (t *Set) confirmed(list []remembered, guessed map[string]*oracle.Run) map[machine.FaultKind]bool {
	says := maps.Clone(harmless)
	other := map[machine.FaultKind]bool{}
	for _, x := range list {
		o := guessed[x.key()]
		if x.test == nil || x.test.Any || x.run.Fault == nil || o == nil {
			continue
		}
		if k := x.run.Fault.Kind; x.test.Compared(o.Output) == x.test.Stdout && o.Status == x.test.Exit {
			says[k] = true
		} else {
			other[k] = true
		}
	}
	maps.DeleteFunc(says, func(k machine.FaultKind, _ bool) bool { return other[k] })
	return says
}

// ending leaves out made-up runs that come to no end where errors do no harm, if those given do: a right program may take as
// long there, longer than repairs are run for.
func (t *Set) ending(list []remembered, endless map[string]bool) []remembered {
	if slices.ContainsFunc(list, func(x remembered) bool { return x.inHand && endless[x.key()] }) {
		return list
	}
	n, example := 0, ""
	list = slices.DeleteFunc(list, func(x remembered) bool {
		if endless[x.key()] {
			if n++; example == "" {
				example = x.Input.String()
			}
		}
		return endless[x.key()]
	})
	if n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s on which a memory rule fires %s left out, since a right program may take very long there, too: %s", plural.N(n, "made-up run"), plural.Verb(n, "is", "are"), example))
	}
	return list
}

// forgiven runs the program so that errors of memory do no harm (package machine, forgiving.go), on the inputs whose run
// ends in one. It returns, by input, the runs that end by themselves, print what was printed before the error, and do not
// depend on the content of uninitialized memory; those with zeros there, also if they do; and which come to no
// end within the usual steps.
func (t *Set) forgiven(list []remembered) (out, zeroed map[string]*oracle.Run, endless map[string]bool, err error) {
	out, zeroed, endless = map[string]*oracle.Run{}, map[string]*oracle.Run{}, map[string]bool{}
	for i, fill := range []byte{0, 0xA5} {
		run, err := oracle.NewRunner(&oracle.Suite{Prog: t.Prog, Forgiving: true, Fill: fill})
		if err != nil {
			return nil, nil, nil, err
		}
		for _, x := range list {
			if x.run.Fault == nil || i > 0 && (out[x.key()] == nil || x.run.Fault.Kind == machine.Uninitialized && x.run.Fault.Size == 1) {
				continue // a text mostly ends where one byte was never written
			}
			r, err := run.Run(&oracle.Case{Args: x.Args, Stdin: x.Stdin}, nil)
			if err != nil {
				return nil, nil, nil, err
			}
			endless[x.key()] = endless[x.key()] || r.Endless()
			switch was := out[x.key()]; {
			case r.Fault != nil || !strings.HasPrefix(r.Output, x.run.Output) || was != nil && (r.Output != was.Output || r.Status != was.Status):
				delete(out, x.key())
			case was == nil:
				out[x.key()], zeroed[x.key()] = r, r
			}
		}
	}
	return out, zeroed, endless, nil
}

// Limits of native runs.
const (
	nativeTime  = time.Second // for one run
	nativeLimit = 10 * time.Second
)
