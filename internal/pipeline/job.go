package pipeline

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"gulo/internal/batch"
	"gulo/internal/cfront"
	"gulo/internal/ensure"
	"gulo/internal/formal"
	"gulo/internal/repair/mistakes"
	"gulo/internal/smt"
)

// Job is a program with all that is known of what is right, and of what may change.
type Job struct {
	Files   []string
	Options cfront.Options
	Spec    Spec
	Entry   string // the function to be called; empty: found out
	Lock    []int  // lines that stay as they are
	Args    []string
	Stdin   string        // of the run in hand, as Args
	Inputs  string        // a file that says what is known of inputs, for logic
	Limit   time.Duration // for all engines; 0 means 20 s
	Repairs int           // wanted; 0 means 1
	Seed    int64

	Engines  []string           // only these; empty: all that accept the job
	Logic    formal.Request     // what only logic honours: its limits, templates and heuristics
	Dices    bool               // evidence: change first what failing tests execute and a passing one does not
	Mistakes []mistakes.Mistake // that are tried first, besides those that gulo knows
	Progress func(text string)
}

// Spec is what is right: all of what is given.
type Spec struct {
	Reference []string // files of a right implementation
	Tests     string   // a folder of whole runs, or a file of calls
	Assert    bool     // assertions in the program
	Contract  string   // a contract file
	Contracts bool     // contracts in comments
}

// Engines are the names of what searches for repairs, in the order of help.
var Engines = []string{"heap", "runs", "template", "evidence"}

// UsageError is a job that makes no sense.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

func usage(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

func (s *Spec) contract() bool { return s.Contract != "" || s.Contracts }

// runs reports whether whole runs can be compared with something.
func (s *Spec) runs() bool { return len(s.Reference) > 0 || isFolder(s.Tests) }

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.IsDir()
}

func (j *Job) asks(engine string) bool {
	return len(j.Engines) == 0 || slices.Contains(j.Engines, engine)
}

// alone reports whether one engine was asked for by its name.
func (j *Job) alone() bool { return len(j.Engines) == 1 }

// cases is the job for engines that work from cases.
func (j *Job) cases() *batch.Request {
	return &batch.Request{
		Files: j.Files, Reference: j.Spec.Reference, Tests: j.Spec.Tests, Args: j.Args, Stdin: j.Stdin, Entry: j.Entry, Options: j.Options,
		Repairs: j.Repairs, Lock: j.Lock, Seed: j.Seed, Mistakes: j.Mistakes, Progress: j.Progress,
	}
}

// logic is the job for logic, which takes one of a reference, a contract and assertions;
// those it executes anyway.
func (j *Job) logic() *formal.Request {
	r := j.Logic
	r.Files, r.Options, r.Entry, r.Inputs, r.Lock = j.Files, j.Options, j.Entry, j.Inputs, j.Lock
	r.Repairs, r.Seed, r.Progress = j.Repairs, j.Seed, j.Progress
	switch {
	case len(j.Spec.Reference) > 0:
		r.Reference = j.Spec.Reference
	case j.Spec.contract():
		r.Contract, r.Contracts = j.Spec.Contract, j.Spec.Contracts
	}
	return &r
}

// evidence is the job for evidence of a contract.
func (j *Job) evidence() *ensure.Request {
	tests := j.Spec.Tests
	if isFolder(tests) {
		tests = "" // whole runs are no calls; they judge what is found
	}
	return &ensure.Request{
		Files: j.Files, Contract: j.Spec.Contract, Entry: j.Entry, Tests: tests, Options: j.Options,
		Repairs: j.Repairs, Dices: j.Dices, Lock: j.Lock, Seed: j.Seed, Progress: j.Progress,
	}
}

// wantsLogic reports whether logic is to be asked. Assertions and contracts always are its
// business; a reference is unless the program's data are linked.
func (j *Job) wantsLogic(ctx context.Context) (bool, error) {
	s := &j.Spec
	switch {
	case !j.asks("template"):
		return false, nil
	case j.alone():
		return true, nil
	case !smt.Available() && (s.runs() || s.contract()):
		return false, nil
	case s.Assert && len(s.Reference) == 0:
		return true, nil
	case len(s.Reference) == 0:
		return s.contract(), nil
	case s.Tests != "" && !isFolder(s.Tests):
		return false, nil
	}
	tree, err := cfront.Load(ctx, j.Files, j.Options)
	if err != nil {
		return false, err
	}
	return formal.Scalar(tree), nil
}

// check refuses what makes no sense.
func (j *Job) check() error {
	s := &j.Spec
	if len(s.Reference) == 0 && s.Tests == "" && !s.Assert && !s.contract() {
		return usage("what is right? give --reference REF.c, --tests DIR, --assert, --contract FILE or --contracts")
	}
	if s.Contract != "" && s.Contracts {
		return usage("--contract and --contracts are two contracts of one function; give one")
	}
	if s.Tests != "" && !isFolder(s.Tests) && len(s.Reference) == 0 && !s.contract() {
		if _, err := os.Stat(s.Tests); err != nil {
			return usage("cannot read the tests: %v", err)
		}
		return usage("%s is a file of calls: what must come of them is not known without --reference or a contract; a folder holds whole runs with their output", s.Tests)
	}
	return nil
}
