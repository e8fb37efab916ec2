package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// This file finds out what is right when a class has only tests: what most of the submissions that meet them do, on
// runs made from the tests.

// Question is the submissions that are compared, and the tests.
type Question struct {
	Programs map[string]*Submission // by ID; only the parts that are compiled
	Tests    map[string][]byte
	Space    string // how white space counts, as in a Submission
	Divide   bool   // look for inputs on which the programs differ, see Split; else for what most of them do, see Answer
}

// Agreement is what most of the programs that meet the tests do.
type Agreement struct {
	Runs   map[string][]byte // files of a folder of whole runs
	Others int               // number of programs that were compared
	Made   int               // number of runs
	Right  map[string][]byte // texts of those programs that meet the tests and have a single file
}

// Bounds of a comparison.
const (
	mostAsked  = 60 // submissions in a question
	fewestAsk  = 3  // submissions that must meet the tests at least
	agreeLimit = 3 * time.Minute
)

// AskOthers compares the submissions of a class in a process with limits, the command self. It returns nil if there is
// a reference, or if too few submissions meet the tests.
func AskOthers(ctx context.Context, self []string, jobs map[string]*Submission) (*Agreement, error) {
	q := &Question{Programs: map[string]*Submission{}}
	for _, id := range slices.Sorted(maps.Keys(jobs)) {
		s := jobs[id]
		if len(s.Reference) > 0 || len(s.Tests) == 0 {
			return nil, nil
		}
		if q.Tests, q.Space = s.Tests, s.Space; len(q.Programs) < mostAsked {
			q.Programs[id] = s.program()
		}
	}
	if len(q.Programs) < fewestAsk {
		return nil, nil
	}
	out, err := q.apart(ctx, self)
	if out == "" || err != nil {
		return nil, err
	}
	var a Agreement
	if err := json.Unmarshal([]byte(out), &a); err != nil || a.Others < fewestAsk || a.Made == 0 {
		return nil, err
	}
	return &a, nil
}

// apart answers the question in a process of its own. It returns "" if there is no answer.
func (q *Question) apart(ctx context.Context, self []string) (string, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return "", err
	}
	dir, err := process.TempDir("gulo-agree")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	l := sandbox.Limits{Time: agreeLimit, Memory: 1 << 46, FileSize: 64 << 20, Disk: 512 << 20, Output: 8 << 20, Own: true}
	r, err := sandbox.Run(ctx, l, dir, string(text), self[0], self[1:]...)
	if errors.Is(err, sandbox.ErrNoIsolation) { // without isolation, programs of strangers do not run
		return "", nil
	}
	if err != nil || r.Stopped != "" || r.Status != 0 {
		return "", err
	}
	return r.Stdout, nil
}

// write writes the programs and the tests to a folder, which the caller removes.
func (q *Question) write() (dir string, list []pipeline.Asked, err error) {
	if dir, err = process.TempDir("gulo-asked"); err != nil {
		return "", nil, err
	}
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
	for _, name := range slices.Sorted(maps.Keys(q.Programs)) {
		s, own := q.Programs[name], filepath.Join("programs", name)
		err = errors.Join(err, put(own, s.Headers), put(own, map[string][]byte{s.File: s.Text}), put(own, s.More))
		one := pipeline.Asked{Name: name, Options: s.options(filepath.Join(dir, own))}
		one.Options.Work = s.found(q.Tests)
		for _, file := range append([]string{s.File}, slices.Sorted(maps.Keys(s.More))...) {
			one.Files = append(one.Files, filepath.Join(dir, own, filepath.Clean("/"+file)))
		}
		list = append(list, one)
	}
	if err = errors.Join(err, put("tests", q.Tests)); err != nil {
		os.RemoveAll(dir)
	}
	return dir, list, err
}

// Answer compares the programs in this process.
func (q *Question) Answer(ctx context.Context) (*Agreement, error) {
	dir, asked, err := q.write()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	said := filepath.Join(dir, "agreed")
	tests := filepath.Join(dir, "tests")
	space, err := q.space(tests)
	if err != nil {
		return nil, err
	}
	a, err := pipeline.Agree(ctx, asked, space, tests, 0, said)
	if err != nil {
		return nil, err
	}
	out := &Agreement{Others: a.Others, Made: a.Runs, Runs: map[string][]byte{}, Right: map[string][]byte{}}
	for _, x := range a.Met {
		if s := q.Programs[x.Name]; len(s.More) == 0 {
			out.Right[x.Name+".c"] = s.Text
		}
	}
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

// Give adds an agreement to jobs.
func (a *Agreement) Give(jobs map[string]*Submission) {
	for _, s := range jobs {
		s.Agreed, s.Others, s.Right = a.Runs, a.Others, a.Right
	}
}

// agreed returns the folder of the runs on which most submissions agree; "" if there are none.
func (j *job) agreed() string {
	if len(j.sub.Agreed) == 0 {
		return ""
	}
	return filepath.Join(j.dir, "agreed")
}

// rightOnes is the folder of a job that holds other right submissions.
const rightOnes = "others/"

// right lists the files of other submissions that meet the tests.
func (j *job) right() (out []string) {
	for _, name := range slices.Sorted(maps.Keys(j.sub.Right)) {
		out = append(out, filepath.Join(j.dir, rightOnes, filepath.Clean("/"+name)))
	}
	return out
}
