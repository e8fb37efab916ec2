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

// Job is a program with all that is known of what is right, and of what may change.
type Job struct {
	Files   []string
	Options cfront.Options
	Spec
	Entry    string   // the function to be called; empty: found out
	Lock     []int    // lines that stay as they are
	Args     []string // of the run in hand
	Stdin    string   // of the same run
	Inputs   string   // a file that says what is known of inputs, for logic
	Limit    time.Duration
	Guard    time.Duration // by the time of day, where Limit is the time of the search itself (package budget); 0: Limit is both
	Repairs  int           // wanted; 0 means 1
	MaxEdits int           // of one repair, where cases are searched; 0 means 3
	Seed     int64
	Space    Space // of outputs that tests or a reference tell

	Texts *Texts // what was read; nil: nothing is kept

	Unrun bool // that nothing is wrong is not held against the run in hand: the caller does it

	Engines []string // only these; empty: all that accept the job
	Logic
	Dices    bool               // evidence: change first what failing tests execute and a passing one does not
	Errors   int                // evidence: corrected one after the other; 0 means 2
	Spaced   string             // why Space is SpaceJudge where nobody asked for it; said in the answer
	Mistakes []mistakes.Mistake // that are tried first, besides those that gulo knows
	Progress func(text string)
	Best     *report.SoFar // what is found on the way; nil: nobody asks

	// Also reports whether a repair of whole runs, as the texts that it makes by file name, meets what is right besides Spec,
	// which no engine looks at. It is asked of what meets all else. nil: nothing is.
	Also func(texts map[string]string) bool
}

// Space says whether white space counts at the ends of lines and of outputs.
type Space string

// Kinds of Space. Auto is decided once, by what the program prints on the tests.
const (
	SpaceExact Space = ""
	SpaceJudge Space = "judge"
	SpaceAuto  Space = "auto"
)

// Spec is what is right: all of what is given.
type Spec struct {
	Reference []string // files of a right implementation
	Tests     string   // a folder of whole runs, or a file of calls
	Assert    bool     // assertions in the program
	Contract  string   // a contract file
	Contracts bool     // contracts in comments
	Memory    bool     // no shipped rule of memory fires in whole runs, and what others print stays
	Agreed    string   // a folder of whole runs made from the tests, with what most of Others do on them
	Right     []string // files of other programs for the same task, each a program, that are held to be right
	Others    int      // other programs that are held to be right
	Suggest   bool     // those may be wrong where no test looks: they choose among repairs with as many edits, and demand nothing
}

// Logic is what only the engines that work by logic honour.
type Logic struct {
	NoConditions bool // conditions are no components
	Parts        bool // every expression is one
	Size         int  // members of a diagnosis; 0 means 2
	Failing      int  // inputs for the diagnosis; 0 means 8
	Eq7          bool // what may pass is all but what is known to fail
	Wrap         bool // signed overflow wraps
	Unroll       int  // 0 means 32
	Templates    []string
	TemplateFile string // the user's own, one a line
	Plain, Meek  bool   // without the heuristics of section III-G of the paper
	NoNear       bool   // without the neighbourhood
	NoEdits      bool   // without edits of statements
	Random       int    // native runs on random inputs; 0 means 2,000, negative none
}

// UsageError is a job that makes no sense, or none for the engine that says so.
type UsageError struct {
	Message string
	Unknown bool // the job makes sense, but whether anything is wrong is not known
}

func (e *UsageError) Error() string { return e.Message }

// Usage makes a UsageError.
func Usage(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// NoTests makes the UsageError of tests that cannot be read.
func NoTests(name string, err error) error {
	return Usage("%s", source.Refused("--tests", name, err, "a folder of whole runs, NAME.out with NAME.in and NAME.args, or, with --reference, a file of calls"))
}

// NotKnown makes the UsageError of a job about which nothing can be said.
func NotKnown(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...), Unknown: true}
}

// ByContract reports whether a contract is given.
func (s *Spec) ByContract() bool { return s.Contract != "" || s.Contracts }

// ByRuns reports whether whole runs can be compared with something.
func (s *Spec) ByRuns() bool { return len(s.Reference) > 0 || s.Folder() || s.Memory }

// Folder reports whether the tests are a folder of whole runs.
func (s *Spec) Folder() bool {
	info, err := os.Stat(s.Tests)
	return s.Tests != "" && err == nil && info.IsDir()
}

// Several reports whether what is right is said in more than one way that no single engine
// looks at.
func (s *Spec) Several() bool {
	n := 0
	for _, given := range []bool{s.ByRuns(), s.ByContract(), s.Assert} {
		if given {
			n++
		}
	}
	return n > 1
}

// Asks reports whether an engine may be asked.
func (j *Job) Asks(engine string) bool {
	return len(j.Engines) == 0 || slices.Contains(j.Engines, engine)
}

// Guarded is how long a job may take by the time of day.
func (j *Job) Guarded() time.Duration { return cmp.Or(j.Guard, j.Limit) }

// Alone reports whether one engine was asked for by its name.
func (j *Job) Alone() bool { return len(j.Engines) == 1 }

// MeetsAlso asks Also.
func (j *Job) MeetsAlso(texts map[string]string) bool { return j.Also == nil || j.Also(texts) }

// Say tells whoever waits what is being done.
func (j *Job) Say(format string, args ...any) {
	if j.Progress != nil {
		j.Progress(fmt.Sprintf(format, args...))
	}
}

// Check refuses what makes no sense.
func (j *Job) Check() error {
	s := &j.Spec
	if len(s.Reference) == 0 && s.Tests == "" && !s.Assert && !s.ByContract() && !s.Memory {
		return Usage("what is right? give --reference REF.c, --tests DIR, --assert, --contract FILE, --contracts or --memory")
	}
	if s.Contract != "" && s.Contracts {
		return Usage("--contract and --contracts are two contracts of one function; give one")
	}
	if _, err := os.Stat(s.Tests); err != nil && s.Tests != "" {
		return NoTests(s.Tests, err)
	}
	if s.Tests != "" && !s.Folder() && len(s.Reference) == 0 && !s.ByContract() {
		return Usage("%s is a file of calls: what must come of them is not known without --reference or a contract; a folder holds whole runs with their output", s.Tests)
	}
	return nil
}

// CheckLock refuses locked lines that no file has.
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

// Locked reports whether a statement has a part in one of the locked lines.
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
