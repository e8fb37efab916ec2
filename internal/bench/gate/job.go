package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gulo/internal/campaign"
	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// This file is a job: one program in one mode. It carries all texts, so that a worker on another machine needs
// nothing else.

// Modes of asking, in the order of the tables.
const (
	ByTests     = "tests"     // gulo fix --tests
	ByReference = "reference" // gulo fix --reference --tests
	ByClass     = "class"     // gulo fix --tests --right
	ByMemory    = "memory"    // gulo fix --memory
	Locate      = "locate"    // gulo locate --tests
	Sessions    = "sessions"  // gulo debug, with a user who draws what right.c shows
)

// Modes lists them.
var Modes = []string{ByTests, ByReference, ByClass, ByMemory, Locate, Sessions}

// Job is what a worker gets.
type Job struct {
	Gate    bool          `json:"gate"`  // tells it from a campaign's job
	Build   string        `json:"build"` // of gulo
	Mode    string        `json:"mode"`
	Limit   time.Duration `json:"limit"`
	Inputs  int           `json:"inputs"` // made from the tests
	Seed    int64         `json:"seed"`
	Program *Program      `json:"program"`
	Others  [][]byte      `json:"others,omitempty"` // right programs for the same exercise, for gulo
	Judges  [][]byte      `json:"judges,omitempty"` // others, which are asked about inputs that are made
}

// Classes of a record, in the order of the tables.
const (
	Right   = "right"        // nothing refutes the first repair shown
	Leaking = "leaks"        // nor that, but it loses memory where neither version does
	Overfit = "only given"   // it meets the tests that gulo was given, but not another one or a further input
	Wrong   = "wrong"        // it fails a given test or adds an error, or gulo says that nothing is wrong
	None    = "none"         // no repair is shown; Cause says why
	Ranked  = "ranked"       // an answer of gulo locate
	LeftOut = "left out"     // the program does not suit the mode
	Failed  = "not measured" // the job failed
)

// Causes of no repair.
const (
	notInSpace = "not in the space"
	timeLimit  = "time limit"
	unknown    = "unknown"
	refused    = "refused"
	outside    = "outside"
	crash      = "crash"
	late       = "ended from outside"
)

// Record is what became of a job.
type Record struct {
	Program  string    `json:"program"`
	Mode     string    `json:"mode"`
	Kind     string    `json:"kind,omitempty"`
	Exercise string    `json:"exercise,omitempty"`
	Class    string    `json:"class"`
	Cause    string    `json:"cause,omitempty"`    // of none and left out
	Why      string    `json:"why,omitempty"`      // in detail
	Blanks   bool      `json:"blanks,omitempty"`   // on the tests the wrong version differs in white space alone
	Beside   string    `json:"beside,omitempty"`   // what the reference was: reference.c, another's right version, its own
	Given    int       `json:"given"`              // tests
	Tests    int       `json:"tests"`              // in all
	Further  int       `json:"further,omitempty"`  // inputs made from the tests that the repair was run on
	Shown    string    `json:"shown,omitempty"`    // the edits
	Rank     float64   `json:"rank,omitempty"`     // of the place of the author's correction; 0: it is not listed
	Listed   int       `json:"listed,omitempty"`   // places in the ranking
	Sessions []*Played `json:"sessions,omitempty"` // what the user of sessions did, one after the other
	Steps    int64     `json:"steps"`              // edits and runs tried; of sessions: commands typed before repairs
	Millis   float64   `json:"ms"`
	CPU      float64   `json:"cpu_ms"` // of sessions: of the first repair
	Memory   int64     `json:"memory"` // greatest resident memory in KiB
	Exit     int       `json:"exit"`
}

// key tells records apart.
func (r *Record) key() string { return r.Mode + " " + r.Program }

// IsJob reports whether a queue's job is one of this package.
func IsJob(job []byte) bool {
	var j struct{ Gate bool }
	return json.Unmarshal(job, &j) == nil && j.Gate
}

// id names a job by all that its result depends on.
func (j *Job) id() (string, []byte, error) {
	b, err := json.Marshal(j)
	return hash(string(b)), b, err
}

// Do does a job in this process.
func Do(ctx context.Context, job []byte) ([]byte, error) {
	var j Job
	if err := json.Unmarshal(job, &j); err != nil {
		return nil, fmt.Errorf("the job cannot be read: %w", err)
	}
	build, err := campaign.Self()
	if err != nil {
		return nil, err
	}
	out := result{}
	if build != j.Build {
		out.Halt = "this machine has another build of gulo than the one that asks"
	} else {
		r, err := j.measure(ctx)
		var s *sandbox.StartError
		switch {
		case errors.As(err, &s):
			out.Halt = s.Error()
		case err != nil:
			return nil, err
		}
		out.Record = r
	}
	return json.Marshal(&out)
}

// result is what the process of a job prints.
type result struct {
	*Record
	Halt string `json:"halt,omitempty"` // why nothing can be measured on this machine
}

// Bounds of a job beside the search.
const (
	grace = 5 * time.Minute // native runs, and inputs that are made
	disk  = 512 << 20
)

// Handle is the campaign.Handler of jobs: each is done in a process of its own with limits. A job that could not be
// done has a record that says so.
func Handle(self []string) campaign.Handler {
	return func(ctx context.Context, id string, job []byte) ([]byte, error) {
		out, err := handle(ctx, self, job)
		var halt *campaign.HaltError
		if err != nil && ctx.Err() == nil && !errors.As(err, &halt) {
			return failed(id, err), nil
		}
		return out, err
	}
}

func handle(ctx context.Context, self []string, job []byte) ([]byte, error) {
	var j Job
	if err := json.Unmarshal(job, &j); err != nil {
		return nil, err
	}
	dir, err := process.TempDir("gulo-gate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	// Memory is of addresses, of which programs with sanitizers reserve terabytes.
	l := sandbox.Limits{Time: killAfter(j.Limit) + grace, Memory: 1 << 46, FileSize: 64 << 20, Disk: disk, Output: 8 << 20, Own: true, Weak: true}
	r, err := sandbox.Run(ctx, l, dir, string(job), self[0], self[1:]...)
	var no *sandbox.StartError
	if errors.As(err, &no) {
		return nil, &campaign.HaltError{Why: no.Error()}
	}
	if err != nil {
		return nil, err
	}
	var out result
	_ = json.Unmarshal([]byte(r.Stdout), &out) // it may have been ended in the middle
	switch {
	case out.Halt != "":
		return nil, &campaign.HaltError{Why: out.Halt}
	case r.Stopped != "" || r.Status != 0 || out.Record == nil:
		said, _, _ := strings.Cut(strings.TrimSpace(r.Stderr), "\n")
		return nil, fmt.Errorf("the job ended with status %d %s: %s", r.Status, r.Stopped, said)
	}
	return json.Marshal(out.Record)
}

// failed is the result of a job that could not be done; who asked knows its name.
func failed(_ string, err error) []byte {
	b, _ := json.Marshal(&Record{Class: Failed, Why: err.Error()})
	return b
}

// Jobs are the jobs of programs drawn from all, program by program.
func (o *Options) jobs(all, drawn []*Program, build string) []*Job {
	var out []*Job
	for _, p := range drawn {
		for _, m := range o.Modes {
			j := &Job{Gate: true, Build: build, Mode: m, Limit: o.Limit, Inputs: o.Inputs, Seed: o.Seed, Program: p}
			right := others(all, p)
			j.Judges = right[:min(len(right), mostJudges)]
			switch {
			case m == ByClass:
				j.Others = right[:min(len(right), mostRight)]
			case m == ByReference && len(p.Reference) == 0:
				j.Others = right[:min(len(right), 1)]
			}
			out = append(out, j)
		}
	}
	return out
}
