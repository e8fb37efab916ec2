package submissions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"gulo/internal/native"
	"gulo/internal/process"
)

// This file runs gulo on submissions and judges its answers.

// Classes of answers, in the order of the tables.
const (
	Right   = "right"   // the first repair meets all tests and made-up inputs
	Fits    = "fits"    // it meets all tests, but fails a made-up input
	Wrong   = "wrong"   // it fails a held-back test
	None    = "none"    // gulo says that there is no repair, or finds none
	Time    = "time"    // the limit was reached
	Refused = "refused" // exit status 2 or 3 without an answer
	Crash   = "crash"
)

var classes = []string{Right, Fits, Wrong, None, Time, Refused, Crash}

// Options say what is measured.
type Options struct {
	Dir       string
	Names     []string // assignments; nil: all
	Sample    int      // submissions to draw in all; 0: all
	Skip      int      // of the submissions drawn, so that samples do not overlap
	Given     float64  // share of the tests that gulo gets; 0: a half
	Reference bool     // gulo also gets the reference
	Others    bool     // gulo also gets other submissions, and uses those that meet the given tests
	Spaces    bool     // only submissions that differ from the tests in white space alone
	Limit     time.Duration
	Made      int // inputs made up for each assignment; 0: fourteen
	Seed      int64
	Workers   int
	Gulo      []string // the command
	Keep      string   // a folder for repaired programs; "": none
	Known     []Answer // from an earlier run; these submissions are not asked about again
	Progress  func(done, all int)
	Found     func(a *Answer) // called with each answer as it comes; may be nil
}

// Settings describes what must be equal in two runs for answers of one to be used in the other.
func (o *Options) Settings() string {
	s := fmt.Sprintf("given %g, limit %v, %d made up, seed %d", o.Given, o.Limit, o.Made, o.Seed)
	if o.Reference {
		s += ", with reference"
	}
	if o.Others {
		s += ", with others"
	}
	return s
}

// Answer is gulo's answer for a submission.
type Answer struct {
	Submission string   `json:"submission"`
	Assignment string   `json:"assignment"`
	Class      string   `json:"class"`
	Spaces     bool     `json:"spaces,omitempty"`     // on the tests its outputs differ only in white space
	Everywhere bool     `json:"everywhere,omitempty"` // also on the made-up inputs
	Why        string   `json:"why,omitempty"`
	Shown      string   `json:"shown,omitempty"`
	Kinds      []string `json:"kinds,omitempty"` // of the edits
	Trust      string   `json:"trust,omitempty"`
	Millis     float64  `json:"ms"`
	CPUMillis  float64  `json:"cpu_ms"` // of gulo and its children: the same on a busy machine
	Exit       int      `json:"exit"`
	Settings   string   `json:"settings,omitempty"` // see Options.Settings
	place      int      // number in the order of drawing
}

// fixed is the part of gulo fix --format json that is read.
type fixed struct {
	Result, Cause string
	Repairs       []struct {
		Edits []struct {
			Line                int
			Before, After, What string
		}
		Evidence struct{ Text string }
	}
}

// Measured is the result of a measurement.
type Measured struct {
	Answers []Answer // in the order of drawing
	Skipped int      // submissions that meet the given tests or do not compile
	Made    map[string]int
}

// run is a measurement under way.
type run struct {
	*Options
	dir   string
	pool  []drawn // what is left to draw from
	known map[string]*Answer
	first map[*Assignment]*sync.Once
	mu    sync.Mutex // guards the fields below
	made  map[*Assignment][]native.Test
	out   *Measured
	drawn int
	skip  int
}

// Defaults sets options that are 0.
func (o *Options) Defaults() {
	if o.Given == 0 {
		o.Given = 0.5
	}
	if o.Made == 0 {
		o.Made = 14
	}
}

// Measure draws submissions that fail a given test, and runs gulo on them. A submission is drawn when a worker is free,
// so that the first answer comes at once.
func Measure(ctx context.Context, o *Options) (*Measured, error) {
	o.Defaults()
	all, err := Open(o.Dir, o.Given)
	if err != nil {
		return nil, err
	}
	dir, err := process.TempDir("gulo-submissions-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := &run{Options: o, dir: dir, skip: o.Skip, known: map[string]*Answer{}, first: map[*Assignment]*sync.Once{}, made: map[*Assignment][]native.Test{}, out: &Measured{Made: map[string]int{}}}
	for i := range o.Known {
		r.known[o.Known[i].Submission] = &o.Known[i]
	}
	for _, a := range all {
		if len(r.Names) > 0 && !slices.Contains(r.Names, a.Name) {
			continue
		}
		r.first[a] = &sync.Once{}
		if err := a.write(filepath.Join(dir, "tests", a.Name)); err != nil {
			return nil, err
		}
		for _, s := range a.Submissions {
			r.pool = append(r.pool, drawn{a: a, path: s, rel: r.relative(s)})
		}
	}
	slices.SortStableFunc(r.pool, func(a, b drawn) int { return strings.Compare(hash(a.rel), hash(b.rel)) })
	workers := max(o.Workers, 1)
	err = process.Parallel(ctx, workers, workers, func(ctx context.Context, _ int) error { return r.work(ctx) })
	slices.SortFunc(r.out.Answers, func(a, b Answer) int { return a.place - b.place })
	for a, made := range r.made {
		r.out.Made[a.Name] = len(made)
	}
	return r.out, err
}

// relative returns a path as it is printed and hashed: relative to the folder.
func (r *run) relative(path string) string {
	rel, err := filepath.Rel(r.Dir, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// drawn is a submission to be measured.
type drawn struct {
	a         *Assignment
	path, rel string
	spaces    bool
	place     int
}

// work measures submissions until none is left.
func (r *run) work(ctx context.Context) error {
	for ctx.Err() == nil {
		d, err := r.draw(ctx)
		if d == nil || err != nil {
			return err
		}
		a := r.known[d.rel]
		if a == nil {
			if a, err = r.ask(ctx, *d); err != nil {
				return fmt.Errorf("%s: %w", d.path, err)
			}
			if a.Settings = r.Settings(); d.spaces {
				if a.Everywhere, err = r.everywhere(ctx, d); err != nil {
					return fmt.Errorf("%s: %w", d.path, err)
				}
			}
			r.mu.Lock()
			if r.Found != nil {
				r.Found(a)
			}
			r.mu.Unlock()
		}
		r.mu.Lock()
		a.place = d.place
		r.out.Answers = append(r.out.Answers, *a)
		if r.Progress != nil && r.Sample > 0 {
			r.Progress(len(r.out.Answers), r.Sample)
		}
		r.mu.Unlock()
	}
	return ctx.Err()
}

// inputs returns the inputs, besides the tests, on which an assignment's repairs are checked.
func (r *run) inputs(ctx context.Context, a *Assignment) ([]native.Test, error) {
	var err error
	r.first[a].Do(func() {
		var made []native.Test
		if made, err = r.invent(ctx, a); err == nil {
			r.mu.Lock()
			r.made[a] = made
			r.mu.Unlock()
		}
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.made[a], err
}

// draw takes the next submission, in the order of the hashes of their paths, that fails a given test; nil if there is
// none.
func (r *run) draw(ctx context.Context) (*drawn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.pool) > 0 && (r.Sample == 0 || r.drawn < r.Sample) {
		d := r.pool[0]
		r.pool = r.pool[1:]
		if k := r.known[d.rel]; k != nil {
			d.spaces = k.Spaces
		} else {
			fails, spaces, err := r.fails(ctx, d)
			if err != nil {
				return nil, err
			}
			if d.spaces = spaces; !fails {
				r.out.Skipped++
				continue
			}
		}
		switch {
		case r.Spaces && !d.spaces:
		case r.skip > 0:
			r.skip--
		default:
			d.place = r.drawn
			r.drawn++
			return &d, nil
		}
	}
	return nil, nil
}

// fails reports whether a submission fails a given test, and whether all its outputs differ in white space alone.
func (r *run) fails(ctx context.Context, d drawn) (fails, spaces bool, err error) {
	text, err := os.ReadFile(d.path)
	if err != nil {
		return false, false, err
	}
	tests := append(tests(d.a.Given), tests(d.a.Held)...)
	outs, err := outcomes(ctx, string(text), filepath.Dir(d.path), tests, false)
	if err != nil || outs == nil {
		return false, false, err
	}
	spaces = true
	for i, o := range outs {
		if meets(&o, &tests[i]) {
			continue
		}
		fails = fails || i < len(d.a.Given)
		spaces = spaces && apart(&o, &tests[i])
	}
	return fails, spaces && fails, nil
}

// apart reports whether an outcome differs at most in white space.
func apart(o *native.Outcome, t *native.Test) bool {
	return o.Ended() && strings.Join(strings.Fields(o.Stdout), "") == strings.Join(strings.Fields(t.Stdout), "")
}

// everywhere reports whether a submission differs from the reference only in white space, also on the made-up inputs.
// Otherwise it has a second mistake, which no test shows.
func (r *run) everywhere(ctx context.Context, d *drawn) (bool, error) {
	made, err := r.inputs(ctx, d.a)
	if err != nil {
		return false, fmt.Errorf("%s: %w", d.a.Name, err)
	}
	text, err := os.ReadFile(d.path)
	if err != nil {
		return false, err
	}
	outs, err := outcomes(ctx, string(text), filepath.Dir(d.path), made, false)
	if err != nil || len(outs) != len(made) {
		return false, err
	}
	for i := range outs {
		if !apart(&outs[i], &made[i]) {
			return false, nil
		}
	}
	return true, nil
}

// grace is the time beyond twice its limit after which gulo is killed.
const grace = 30 * time.Second

// ask runs gulo fix as a user would.
func (r *run) ask(ctx context.Context, d drawn) (*Answer, error) {
	a := &Answer{Submission: d.rel, Assignment: d.a.Name, Spaces: d.spaces}
	fixedFile := filepath.Join(r.dir, fmt.Sprintf("fixed%d.c", d.place))
	if r.Keep != "" {
		fixedFile = filepath.Join(r.Keep, strings.ReplaceAll(d.rel, "/", "_"))
	}
	args := append(slices.Clone(r.Gulo[1:]), "fix", "--format", "json", "--limit", r.Limit.String(), "--rewrite", fixedFile, "--tests", filepath.Join(r.dir, "tests", d.a.Name))
	if r.Reference && d.a.Reference != "" {
		args = append(args, "--reference", d.a.Reference)
	}
	if others := d.a.others(d.path); r.Others && len(others) > 0 {
		args = append(args, "--right", strings.Join(others, ","))
	}
	u, err := process.Measure(ctx, 2*r.Limit+grace, nil, r.Gulo[0], append(args, d.path)...)
	if err != nil {
		return nil, err
	}
	a.Millis, a.CPUMillis, a.Exit = u.Millis, u.CPU, u.Exit
	said, _, _ := strings.Cut(strings.TrimSpace(string(u.Errs)), "\n")
	switch {
	case u.Late:
		a.Class, a.Why = Time, "had to be ended"
	case a.Exit == 70 || a.Exit < 0 || strings.HasPrefix(said, "panic: ") || strings.HasPrefix(said, "fatal error: "):
		a.Class, a.Why = Crash, said
	case len(u.Out) == 0:
		a.Class, a.Why = Refused, said
	default:
		return a, r.judge(ctx, a, d, u.Out, fixedFile)
	}
	return a, nil
}

// judge classifies an answer.
func (r *run) judge(ctx context.Context, a *Answer, d drawn, doc []byte, file string) error {
	var f fixed
	if err := json.Unmarshal(doc, &f); err != nil {
		return fmt.Errorf("gulo fix: %w", err)
	}
	if f.Result != "repaired" {
		a.Class, a.Why = None, f.Cause
		if strings.Contains(f.Cause, "time") {
			a.Class = Time
		}
		if f.Result == "right" {
			a.Class, a.Why = Wrong, "it says that there is nothing to repair"
		}
		return nil
	}
	if len(f.Repairs) == 0 {
		return errors.New("gulo fix: repaired, and no repair is shown")
	}
	var edits []string
	for _, e := range f.Repairs[0].Edits {
		a.Kinds = append(a.Kinds, e.What)
		edits = append(edits, strings.Join(strings.Fields(fmt.Sprintf("%d: %s => %s", e.Line, e.Before, e.After)), " "))
	}
	a.Shown, a.Trust = strings.Join(edits, "; "), f.Repairs[0].Evidence.Text
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	tests := append(tests(d.a.Given), tests(d.a.Held)...)
	known := len(tests)
	made, err := r.inputs(ctx, d.a)
	if err != nil {
		return fmt.Errorf("%s: %w", d.a.Name, err)
	}
	tests = append(tests, made...)
	outs, err := outcomes(ctx, string(text), filepath.Dir(d.path), tests, false)
	if err != nil {
		return err
	}
	a.Class = Right
	if outs == nil {
		a.Class, a.Why = Wrong, "the repaired program does not compile"
	}
	for i, o := range outs {
		if i < known && !meets(&o, &tests[i]) || i >= known && !d.a.agrees(&o, &tests[i]) {
			a.Class = Wrong
			if i >= known {
				a.Class = Fits
			}
			a.Why = fmt.Sprintf("%q: prints %q, %q is right", clip(tests[i].Stdin), clip(o.Stdout), clip(tests[i].Stdout))
			break
		}
	}
	return nil
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
