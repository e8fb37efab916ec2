// Package job describes what gulo is asked to do: a program, its specification, and what may
// change. Every engine takes the same job, so that an entry, a locked line, a limit and a
// seed mean the same everywhere. Package app's methods.go says which engine honours what.
//
// Contracts and rules have languages of their own (packages contract and rules).
package job

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/repair/mistakes"
	"gulo/internal/report"
	"gulo/internal/source"
)

// Job is a program, its specification, and what may change.
type Job struct {
	Files   []string
	Options cfront.Options
	Spec
	Entry    string   // the function to be called; "": gulo finds one
	Lock     []int    // lines that must not change
	Args     []string // arguments of the run in hand
	Stdin    string   // standard input of the run in hand
	Inputs   string   // name of the file of --inputs, for logic
	Limit    time.Duration
	Guard    time.Duration // limit by the wall clock, if Limit is the time of the search itself (package budget); 0: Limit is both
	Repairs  int           // number of repairs wanted; 0 means 1
	MaxEdits int           // edits in one repair, when cases are searched; 0 means 3
	Seed     int64
	Space    Space // how outputs of tests or a reference are compared

	Texts *Texts // programs that were read; nil: nothing is kept

	Unrun bool // an answer that nothing is wrong is not checked against the run in hand: the caller does it

	Engines []string // the only engines to ask; empty: all that accept the job
	Logic
	Dices    bool               // evidence: change first what failing tests execute and a passing test does not
	Errors   int                // evidence: number of errors that are corrected one after the other; 0 means 2
	Spaced   string             // why Space is SpaceJudge although nobody asked for it; the answer says so
	Mistakes []mistakes.Mistake // tried first, in addition to those that gulo knows
	Progress func(text string)
	Best     *report.SoFar // the best candidate so far; nil: nobody asks

	// Also reports whether a repair by whole runs, given as texts by file name, meets a condition outside Spec. It is
	// asked only about repairs that meet everything else. No engine looks at it; nil accepts all.
	Also func(texts map[string]string) bool
}

// Space says whether white space at the ends of lines and outputs counts.
type Space string

// Kinds of Space. Auto becomes one of the others once, by what the program prints on the tests.
const (
	SpaceExact Space = ""
	SpaceJudge Space = "judge"
	SpaceAuto  Space = "auto"
)

// Spec is the specification: all that is given in it must hold.
type Spec struct {
	Reference []string // files of a correct implementation
	Tests     string   // a folder of whole runs, or a file of calls
	Assert    bool     // the assertions in the program hold
	Contract  string   // a contract file
	Contracts bool     // contracts in comments
	Memory    bool     // no memory rule that gulo ships fires in whole runs, and correct runs print the same as before
	Agreed    string   // a folder of whole runs made from the tests, with the output on which most of Others agree
	Right     []string // other programs for the same task that count as right, one file each
	Others    int      // number of other programs that count as right
	Suggest   bool     // the others may be wrong where no test looks: they only choose among repairs with as many edits
}

// Logic are the options of the engines that work by logic.
type Logic struct {
	NoConditions bool // conditions are not repaired
	Parts        bool // every part of an expression is a component, not only right sides and conditions
	Size         int  // components in a diagnosis; 0 means 2
	Failing      int  // failing inputs used for the diagnosis; 0 means 8
	Eq7          bool // an input counts as passing unless it is known to fail
	Wrap         bool // signed overflow wraps around
	Unroll       int  // bound on loop iterations; 0 means 32
	Templates    []string
	TemplateFile string // a file of the user's own templates, one on each line
	Plain, Meek  bool   // switch off the heuristics of section III-G of the paper
	NoNear       bool   // do not search the neighbourhood
	NoEdits      bool   // do not search edits of statements
	Random       int    // native runs on random inputs; 0 means 2,000, negative none
}

// UsageError says that a job makes no sense, or that one engine cannot do it.
type UsageError struct {
	Message string
	Unknown bool // the job makes sense, but whether anything is wrong is unknown
}

func (e *UsageError) Error() string { return e.Message }

// Usage makes a UsageError.
func Usage(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// NoTests makes the UsageError for tests that cannot be read.
func NoTests(name string, err error) error {
	return Usage("%s", source.Refused("--tests", name, err, "a folder of whole runs, NAME.out with NAME.in and NAME.args, or, with --reference, a file of calls"))
}

// NotKnown makes the UsageError of a job about which nothing can be found out.
func NotKnown(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...), Unknown: true}
}

// ByContract reports whether a contract is given.
func (s *Spec) ByContract() bool { return s.Contract != "" || s.Contracts }

// ByRuns reports whether there is something that whole runs can be compared with.
func (s *Spec) ByRuns() bool { return len(s.Reference) > 0 || s.Folder() || s.Memory }

// Folder reports whether the tests are a folder of whole runs.
func (s *Spec) Folder() bool {
	info, err := os.Stat(s.Tests)
	return s.Tests != "" && err == nil && info.IsDir()
}

// Several reports whether there are several specifications that no single engine understands together.
func (s *Spec) Several() bool {
	n := 0
	for _, given := range []bool{s.ByRuns(), s.ByContract(), s.Assert} {
		if given {
			n++
		}
	}
	return n > 1
}

// Asks reports whether the job allows an engine.
func (j *Job) Asks(engine string) bool {
	return len(j.Engines) == 0 || slices.Contains(j.Engines, engine)
}

// Guarded returns how long the job may take by the wall clock.
func (j *Job) Guarded() time.Duration { return cmp.Or(j.Guard, j.Limit) }

// Alone reports whether exactly one engine was asked for by name.
func (j *Job) Alone() bool { return len(j.Engines) == 1 }

// MeetsAlso reports whether texts meet Also, if there is one.
func (j *Job) MeetsAlso(texts map[string]string) bool { return j.Also == nil || j.Also(texts) }

// Say reports progress to whoever waits.
func (j *Job) Say(format string, args ...any) {
	if j.Progress != nil {
		j.Progress(fmt.Sprintf(format, args...))
	}
}

// Check refuses a job that makes no sense.
func (j *Job) Check() error {
	s := &j.Spec
	if len(s.Reference) == 0 && s.Tests == "" && !s.Assert && !s.ByContract() && !s.Memory {
		return Usage("what is right? give --reference REF.c, --tests DIR, --assert, --contract FILE, --contracts or --memory")
	}
	if s.Contract != "" && s.Contracts {
		return Usage("--contract and --contracts are two contracts of one function; give one")
	}
	return s.CheckTests()
}

// CheckTests refuses tests that cannot be read, and calls of which nothing says what must come of them.
func (s *Spec) CheckTests() error {
	if s.Tests == "" {
		return nil
	}
	if _, err := os.Stat(s.Tests); err != nil {
		return NoTests(s.Tests, err)
	}
	if !s.Folder() && len(s.Reference) == 0 && !s.ByContract() {
		return Usage("%s is a file of calls: what must come of them is not known without --reference or a contract; a folder holds whole runs with their output", s.Tests)
	}
	return nil
}

// CheckLock refuses locked lines that no file of the program has.
func (j *Job) CheckLock() error {
	most := 0
	for _, name := range j.Files {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		most = max(most, strings.Count(strings.TrimSuffix(string(b), "\n"), "\n")+1)
	}
	for _, l := range j.Lock {
		if l < 1 || l > most {
			return Usage("--lock %d: there is no such line; the program's last is %d", l, most)
		}
	}
	return nil
}

// Locked reports whether a statement overlaps a locked line.
func (j *Job) Locked(s *lower.Stmt) bool {
	if s == nil || !s.Range.Valid() {
		return false
	}
	first := s.Range.Position().Line
	last := first + strings.Count(s.Range.Text(), "\n")
	for _, l := range j.Lock {
		if first <= l && l <= last {
			return true
		}
	}
	return false
}
