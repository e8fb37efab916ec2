package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// This file asks a class itself what is right where there are tests alone: what most of the
// submissions do that meet them, on runs made from them.

// Question is submissions that are asked, and the tests.
type Question struct {
	Programs map[string][]byte // by a name for each
	Headers  map[string][]byte
	Tests    map[string][]byte
}

// Agreement is what most of those do that meet the tests.
type Agreement struct {
	Runs   map[string][]byte // files of a folder of whole runs
	Others int               // were asked
	Made   int               // runs
}

// Bounds.
const (
	mostAsked  = 60 // submissions that are looked at
	fewestAsk  = 3  // of which so many must meet the tests
	agreeLimit = 3 * time.Minute
)

// AskOthers asks the submissions of a class in a process with limits, self: nil where a
// reference says what is right, or too few of them meet the tests.
func AskOthers(ctx context.Context, self []string, jobs map[string]*Submission) (*Agreement, error) {
	q := &Question{Programs: map[string][]byte{}}
	for _, id := range slices.Sorted(maps.Keys(jobs)) {
		s := jobs[id]
		if len(s.Reference) > 0 || len(s.Tests) == 0 {
			return nil, nil
		}
		if q.Tests = s.Tests; len(s.More) > 0 || len(s.Flags) > 0 || len(q.Programs) == mostAsked {
			continue
		}
		q.Programs[id], q.Headers = s.Text, s.Headers
	}
	if len(q.Programs) < fewestAsk {
		return nil, nil
	}
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	dir, err := process.TempDir("gulo-agree")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	l := sandbox.Limits{Time: agreeLimit, Memory: 1 << 46, FileSize: 64 << 20, Disk: 512 << 20, Output: 8 << 20, Own: true}
	r, err := sandbox.Run(ctx, l, dir, string(text), self[0], self[1:]...)
	if errors.Is(err, sandbox.ErrNoIsolation) { // strangers' programs do not run then
		return nil, nil
	}
	if err != nil || r.Stopped != "" || r.Status != 0 {
		return nil, err
	}
	var a Agreement
	if err := json.Unmarshal([]byte(r.Stdout), &a); err != nil || a.Others < fewestAsk || a.Made == 0 {
		return nil, err
	}
	return &a, nil
}

// Answer asks in this process.
func (q *Question) Answer(ctx context.Context) (*Agreement, error) {
	dir, err := process.TempDir("gulo-asked")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	put := func(base string, files map[string][]byte) error {
		for name, text := range files {
			path := filepath.Join(dir, base, filepath.Clean("/"+name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	var files []string
	for _, name := range slices.Sorted(maps.Keys(q.Programs)) {
		own := filepath.Join("programs", name)
		if err := errors.Join(put(own, map[string][]byte{"main.c": q.Programs[name]}), put(own, q.Headers)); err != nil {
			return nil, err
		}
		files = append(files, filepath.Join(dir, own, "main.c"))
	}
	if err := put("tests", q.Tests); err != nil {
		return nil, err
	}
	said := filepath.Join(dir, "agreed")
	a, err := pipeline.Agree(ctx, files, cfront.Options{}, filepath.Join(dir, "tests"), 0, said)
	if err != nil {
		return nil, err
	}
	out := &Agreement{Others: a.Others, Made: a.Runs, Runs: map[string][]byte{}}
	list, err := os.ReadDir(said)
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if out.Runs[f.Name()], err = os.ReadFile(filepath.Join(said, f.Name())); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Give makes an agreement a part of jobs.
func (a *Agreement) Give(jobs map[string]*Submission) {
	for _, s := range jobs {
		s.Agreed, s.Others = a.Runs, a.Others
	}
}

// unlikeMost begins the note on a submission that meets the tests and differs from others.
const unlikeMost = unlike + "most"

// unlike begins every note on a submission that meets the tests and may be wrong elsewhere.
const unlike = "it meets the tests, and differs from "

// agreed is the folder of those runs; empty: there are none.
func (j *job) agreed() string {
	if len(j.sub.Agreed) == 0 {
		return ""
	}
	return filepath.Join(j.dir, "agreed")
}

// unlikeOthers notes where a submission that meets the tests differs from most others, on a run
// of the tests' form.
func (j *job) unlikeOthers(ctx context.Context) error {
	if j.agreed() == "" || j.ref != "" {
		return nil
	}
	p, err := lower.Load(ctx, j.files, j.options())
	if err != nil || p.IR.Main < 0 {
		return nil // nothing is said of it
	}
	tests, err := cases.LoadTests(j.agreed())
	if err != nil {
		return err
	}
	var seeds []cases.Input
	for _, t := range j.runs {
		seeds = append(seeds, cases.Input{Args: t.Args, Stdin: t.Stdin})
	}
	form := cases.FormOf(seeds)
	suite := oracle.Runs(p, tests, 0)
	run, err := oracle.NewRunner(suite)
	if err != nil {
		return err
	}
	for _, c := range suite.Cases {
		in := cases.Input{Args: c.Args, Stdin: c.Stdin}
		if !form.Has(&in) {
			continue
		}
		r, err := run.Run(c, nil)
		if err != nil {
			return err
		}
		if r.Unmodelled() == "" && !r.Meets(c.Want) {
			j.notes = append(j.notes, fmt.Sprintf(unlikeMost+" of %d submissions that do on %s: %s; no test says which is right", j.sub.Others, strings.TrimSpace(in.String()), r.Differs(c.Want)))
			return nil
		}
	}
	return nil
}
