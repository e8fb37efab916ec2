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

// This file is a job: one program in one mode. It carries all texts, so that a worker on another machine needs nothing
// more.

// Modes of asking, in the order of the tables.
const (
	ByTests     = "tests"     // gulo fix --tests
	ByReference = "reference" // gulo fix --reference --tests
	ByClass     = "class"     // gulo fix --tests --right
	ByMemory    = "memory"    // gulo fix --memory
	Locate      = "locate"    // gulo locate --tests
	Sessions    = "sessions"  // gulo debug, with a user who draws what right.c shows
)

// Modes lists the modes.
var Modes = []string{ByTests, ByReference, ByClass, ByMemory, Locate, Sessions}

// Job is what a worker gets.
type Job struct {
	Gate    bool          `json:"gate"`  // distinguishes it from a job of a campaign
	Build   string        `json:"build"` // of gulo
	Mode    string        `json:"mode"`
	Limit   time.Duration `json:"limit"`
	Inputs  int           `json:"inputs"` // number of inputs made from the tests
	Seed    int64         `json:"seed"`
	Program *Program      `json:"program"`
	Others  [][]byte      `json:"others,omitempty"` // right programs for the same exercise, for gulo to use
	Judges  [][]byte      `json:"judges,omitempty"` // right programs that decide which made inputs are valid
}

// Classes of a record, in the order of the tables.
const (
	Right   = "right"        // nothing refutes the first repair shown
	Leaking = "leaks"        // like right, but it loses memory when neither version does
	Overfit = "only given"   // it meets the tests that gulo got, but fails another test or a further input
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

// Record is the result of a job.
type Record struct {
	Program  string    `json:"program"`
	Mode     string    `json:"mode"`
	Kind     string    `json:"kind,omitempty"`
	Exercise string    `json:"exercise,omitempty"`
	Class    string    `json:"class"`
	Cause    string    `json:"cause,omitempty"`    // of the classes none and left out
	Why      string    `json:"why,omitempty"`      // details
	Blanks   bool      `json:"blanks,omitempty"`   // the wrong version differs only in white space on the tests
	Beside   string    `json:"beside,omitempty"`   // which reference was used: reference.c, another's right version, or the author's own
	Given    int       `json:"given"`              // number of tests that gulo got
	Tests    int       `json:"tests"`              // number of all tests
	Further  int       `json:"further,omitempty"`  // number of inputs made from the tests on which the repair was run
	Shown    string    `json:"shown,omitempty"`    // the edits
	Rank     float64   `json:"rank,omitempty"`     // rank of the author's correction; 0: not listed
	Listed   int       `json:"listed,omitempty"`   // places in the ranking
	Sessions []*Played `json:"sessions,omitempty"` // the sessions that the user played, in order
	Steps    int64     `json:"steps"`              // edits and runs tried; for sessions: commands typed before repairs
	Millis   float64   `json:"ms"`
	CPU      float64   `json:"cpu_ms"` // of sessions: only of the first repair
	Memory   int64     `json:"memory"` // greatest resident memory in KiB
	Exit     int       `json:"exit"`
}

// key identifies a record.
func (r *Record) key() string { return r.Mode + " " + r.Program }

// IsJob reports whether a job of a queue belongs to this package.
func IsJob(job []byte) bool {
	var j struct{ Gate bool }
	return json.Unmarshal(job, &j) == nil && j.Gate
}

// id names a job by a hash of everything that its result depends on.
func (j *Job) id() (string, []byte, error) {
	b, err := json.Marshal(j)
	return hash(string(b)), b, err
}

// Do does a job in this process.
func Do(ctx context.Context, job []byte, whole Whole) ([]byte, error) {
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
		r, err := j.measure(ctx, whole)
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

// Bounds of a job besides the search.
const (
	grace = 20 * time.Minute // for native runs, for making inputs and for the other searches of a session
	disk  = 512 << 20
)

// Handle returns the campaign.Handler of these jobs: each job is done in a process of its own with limits. If a job
// cannot be done, its record says so.
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
	// Memory limits address space, and programs with sanitizers reserve terabytes of it.
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
	_ = json.Unmarshal([]byte(r.Stdout), &out) // the process may have been ended while it printed
	switch {
	case out.Halt != "":
		return nil, &campaign.HaltError{Why: out.Halt}
	case r.Stopped != "" || r.Status != 0 || out.Record == nil:
		said, _, _ := strings.Cut(strings.TrimSpace(r.Stderr), "\n")
		return nil, fmt.Errorf("the job ended with status %d %s: %s", r.Status, r.Stopped, said)
	}
	return json.Marshal(out.Record)
}

// failed is the result of a job that could not be done; the caller knows the program's name.
func failed(_ string, err error) []byte {
	b, _ := json.Marshal(&Record{Class: Failed, Why: err.Error()})
	return b
}

// jobs makes the jobs for the drawn programs, program by program.
func (o *Options) jobs(all, drawn []*Program, build string) []*Job {
	var out []*Job
	for _, p := range drawn {
		for _, m := range o.Modes {
			j := &Job{Gate: true, Build: build, Mode: m, Limit: o.Limit, Inputs: o.Inputs, Seed: o.Seed, Program: p}
			right := others(all, p)
			j.Judges = right[:min(len(right), mostJudges)]
			switch {
			case m == ByClass, m == ByReference && len(p.Reference) == 0:
				j.Others = right[:min(len(right), mostRight)]
			}
			out = append(out, j)
		}
	}
	return out
}
