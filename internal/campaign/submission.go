package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/pipeline"
	"gulo/internal/process"
	"gulo/internal/repair/runs"
	"gulo/internal/report"
	"gulo/internal/sandbox"
	"gulo/internal/workdir"
)

// This file is the job of a class report: one submission with its specification, and the result.

// Category is the result for a submission in a teacher's words: the categories of Wolverine2 (section 7.2, Table 8; its
// limitations are Limited), and those that its authors sorted out before. Every submission is in one.
type Category string

// The categories.
const (
	Right      Category = "right"                // it meets every case as handed in
	Fixed      Category = "fixed"                // wrong, and the repaired program meets every case
	Fits       Category = "fits your tests only" // it meets the tests, but differs from the reference, or from other submissions that meet them, on a run made from them; no repair was found
	Limited    Category = "needs you"            // wrong, and no repair was found
	OutOfScope Category = "not checked"          // it cannot be checked: unsupported C, or nothing to compare with
	Vacuous    Category = "hardly begun"         // hardly attempted
	Empty      Category = "empty"                // a file in which nothing is written
	NoCompile  Category = "does not compile"     // gcc rejects it
	NoEnd      Category = "does not end"         // a whole run did not end, and no repair was found
	Lacks      Category = "lacks the function"   // a function that was to be written is missing
	Missing    Category = "nothing handed in"    // a folder without a C file, or only a name on the list of students
	NotJudged  Category = "not judged"           // the job failed; the next run tries it again
)

// Categories lists them in the order of reports.
var Categories = []Category{Right, Fixed, Fits, Limited, NoEnd, Lacks, NoCompile, OutOfScope, Vacuous, Empty, Missing, NotJudged}

// meanings explain the categories on the page.
var meanings = map[Category]string{
	Right:      "every case was run, and met",
	Fixed:      "wrong; the repaired program meets every case",
	Fits:       "it meets your tests; elsewhere it differs from the reference, or from others that meet them",
	Limited:    "wrong, and no repair was found",
	OutOfScope: "right or wrong, gulo cannot tell",
	Vacuous:    "too little is written to be judged",
	Empty:      "nothing is written in the file",
	NoCompile:  "gcc refuses it",
	NoEnd:      "it runs on and on, and no repair was found",
	Lacks:      "what was to be written, or a main, is not there",
	Missing:    "no C file is there under this name",
	NotJudged:  "the job failed; the next run tries it again",
}

// Submission is a job. It carries all texts, so that workers need nothing else. They are bytes, because not every
// submission is text.
type Submission struct {
	Name      string            `json:"name"` // as reports show it; different for different files
	File      string            `json:"file"` // path in the job's folder
	Text      []byte            `json:"text"`
	More      map[string][]byte `json:"more,omitempty"`    // other .c files of the same program, by path
	Flags     []string          `json:"flags,omitempty"`   // for gcc; header folders are relative to the job's
	Headers   map[string][]byte `json:"headers,omitempty"` // by path
	Reference []byte            `json:"reference,omitempty"`
	RefHeads  map[string][]byte `json:"reference_headers,omitempty"`
	Tests     map[string][]byte `json:"tests,omitempty"` // files of a folder of whole runs
	Entry     string            `json:"entry,omitempty"`
	Inputs    map[string][]byte `json:"inputs,omitempty"`   // files of a folder of inputs for which the reference supplies the output
	Space     string            `json:"space,omitempty"`    // exact or judge: whether white space counts at ends of lines and outputs; "": decided by the tests
	Mistakes  string            `json:"mistakes,omitempty"` // to be tried first, as in docs/mistakes.md
	Limit     time.Duration     `json:"limit"`
	Gulo      string            `json:"gulo"` // the build that judges it

	Agreed map[string][]byte `json:"agreed,omitempty"` // files of a folder of whole runs, with what most other submissions do
	Others int               `json:"others,omitempty"` // number of those submissions
	Right  map[string][]byte `json:"right,omitempty"`  // other submissions of one file that meet the tests, under any names
}

// program returns the parts of a submission that are compiled.
func (s *Submission) program() *Submission {
	return &Submission{File: s.File, Text: s.Text, More: s.More, Flags: s.Flags, Headers: s.Headers}
}

// repaired returns the program of a submission with changed texts.
func (s *Submission) repaired(texts Texts) *Submission {
	out := s.program()
	out.More = maps.Clone(s.More)
	for name, text := range texts {
		if name == s.File {
			out.Text = []byte(text)
		} else {
			out.More[name] = []byte(text)
		}
	}
	return out
}

// options returns the options to compile it with in a job's folder.
func (s *Submission) options(dir string) cfront.Options {
	var o cfront.Options
	for _, f := range s.Flags {
		if of, ok := strings.CutPrefix(f, "-I"); ok {
			f = "-I" + filepath.Join(dir, of)
		}
		o.Flags = append(o.Flags, f)
	}
	return o
}

// found returns the files that the program finds when it runs, which stand next to the tests; nil if it opens none.
func (s *Submission) found(tests map[string][]byte) *workdir.Files {
	asks := workdir.Opens(s.Text)
	for _, more := range []map[string][]byte{s.More, s.Headers} {
		for _, text := range more {
			asks = asks || workdir.Opens(text)
		}
	}
	if !asks {
		return nil
	}
	files := maps.Clone(tests)
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return pipeline.IsTest(name) })
	return workdir.Of(files)
}

// ID names a job by a hash of everything that its result depends on, except what other submissions do: that may come
// later, and a job with a result is not done again.
func (s *Submission) ID() string {
	own := *s
	own.Agreed, own.Others, own.Right = nil, 0, nil
	b, err := json.Marshal(&own)
	if err != nil {
		panic("campaign: " + err.Error()) // it holds only strings and bytes
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// Texts are files by path in a job's folder.
type Texts map[string]string

// Outcome is the result of a job.
type Outcome struct {
	Name     string         `json:"name"`
	Category Category       `json:"category"`
	Why      string         `json:"why,omitempty"`
	Seen     string         `json:"seen,omitempty"`    // what the program does, if Why says more than that
	Checked  *Checked       `json:"checked,omitempty"` // what a right or fixed program met
	Report   *report.Report `json:"report,omitempty"`
	Tests    []Tested       `json:"tests,omitempty"`    // of the program as handed in
	Stray    *Tested        `json:"stray,omitempty"`    // a run made from the tests that it fails although it meets all tests
	Within   string         `json:"within,omitempty"`   // the folder of its files in the class's folder; "": that folder itself
	Given    int            `json:"given,omitempty"`    // number of the teacher's tests
	Passed   int            `json:"passed"`             // number of these that the program passes as handed in
	Leaks    *int           `json:"leaks,omitempty"`    // blocks not freed at the end, in the test with the most; nil: unknown
	Divided  bool           `json:"divided,omitempty"`  // other programs that meet the tests differ from it on an input that no test has
	Repaired Texts          `json:"repaired,omitempty"` // the texts of the repaired program; not in reports
	Part     bool           `json:"part,omitempty"`     // the repair corrects one of several mistakes, and no repair of the others was found
	Native   string         `json:"native,omitempty"`   // result of running the submission itself, with limits
	Mistake  string         `json:"mistake,omitempty"`
	Notes    []string       `json:"notes,omitempty"`
	Spaced   string         `json:"spaced,omitempty"` // why white space at the ends of lines and outputs does not count
	Seconds  float64        `json:"seconds"`
	Alone    bool           `json:"alone,omitempty"` // nothing ran natively, because the system does not allow it
	Halt     string         `json:"halt,omitempty"`  // why nothing can be judged on the machine that did the job
}

// HaltError says that no submission can be judged on this machine. It is not a result of one submission.
type HaltError struct{ Why string }

func (e *HaltError) Error() string { return "the campaign stops: " + e.Why }

// Outside marks the error as one of the system.
func (e *HaltError) Outside() bool { return true }

// halts returns a *HaltError for an error that every other job would have as well; nil for other errors.
func halts(err error) *HaltError {
	var s *sandbox.StartError
	if errors.As(err, &s) {
		return &HaltError{s.Error()}
	}
	return nil
}

// halted returns why no submission can be judged on the machine that did a job, as the job's result says. It returns ""
// if the result does not say so or cannot be read.
func halted(result string) string {
	var o Outcome
	_ = json.Unmarshal([]byte(result), &o) // the process may have been ended while it printed
	return o.Halt
}

// Do judges the submission of a job in this process and returns the result.
func Do(ctx context.Context, job []byte) ([]byte, error) {
	var sub Submission
	if err := json.Unmarshal(job, &sub); err != nil {
		return nil, fmt.Errorf("the job cannot be read: %w", err)
	}
	out, err := Judge(ctx, &sub)
	if h := halts(err); h != nil {
		out, err = &Outcome{Category: NotJudged, Halt: h.Why}, nil
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// Checked says what a program was checked against and met.
type Checked struct {
	Calls     map[string]int `json:"calls"`          // calls in generated states that agree with the reference, by function
	Same      []string       `json:"same,omitempty"` // functions with the same text as the reference's
	Sequences int            `json:"sequences"`      // sequences of calls, natively
	Runs      int            `json:"runs"`           // whole runs, natively and on the machine
	Made      int            `json:"made"`           // whole runs made from those that agree with the reference

	rows map[string]int // sequences by function
}

// firstLine returns the first line with an error.
func firstLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for _, l := range lines {
		if strings.Contains(l, "error:") && !strings.HasPrefix(l, "collect2:") || strings.Contains(l, "undefined reference") {
			return l
		}
	}
	return lines[0]
}

// Attempted returns how much of a function is written: its share of the reference's statements, counted by semicolons
// and braces.
func Attempted(text, reference, fn string) float64 {
	a, b := weight(text, fn), weight(reference, fn)
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

var comment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)

func weight(text, fn string) int {
	text = comment.ReplaceAllString(text, "")
	at := regexp.MustCompile(`\b` + regexp.QuoteMeta(fn) + `\s*\([^;{)]*\)\s*\{`).FindStringIndex(text)
	if fn == "" || at == nil {
		return 0
	}
	depth, n := 1, 0
	for i := at[1]; i < len(text) && depth > 0; i++ {
		switch text[i] {
		case '{':
			depth++
			n++
		case '}':
			depth--
		case ';':
			n++
		}
	}
	return n
}

var word = regexp.MustCompile(`(?:->|\.)?[A-Za-z_]\w*`)

// blanks matches signs with the white space around them, which C does not need.
var blanks = regexp.MustCompile(`\s*([^\w\s])\s*`)

// keep are the words that mean the same in every submission.
var keep = map[string]bool{"NULL": true, "if": true, "while": true, "for": true, "return": true, "free": true, "malloc": true, "sizeof": true, "struct": true, "else": true, "int": true}

// Mistake describes a repair without the names that a student chose, so that equal mistakes read alike.
func Mistake(r *report.Report) string {
	if m := named(r.Repairs[0].Edits); m != "" {
		return m
	}
	names := map[string]string{}
	plain := func(s string) string {
		s = blanks.ReplaceAllString(strings.TrimSuffix(strings.TrimSpace(s), ";"), "$1")
		return word.ReplaceAllStringFunc(s, func(w string) string {
			if w[0] == '-' || w[0] == '.' || keep[w] || w == r.Entry {
				return w
			}
			if names[w] == "" {
				names[w] = string(rune('a' + len(names)%26))
			}
			return names[w]
		})
	}
	var parts []string
	for _, e := range plainer(&r.Repairs[0]) {
		switch {
		case e.Before == "":
			parts = append(parts, "missing: "+plain(e.After))
		case e.After == "":
			parts = append(parts, "extra: "+plain(e.Before))
		default:
			parts = append(parts, plain(e.Before)+"  instead of  "+plain(e.After))
		}
	}
	sort.Strings(parts)
	return strings.Join(parts, "; ")
}

// named returns the name of a mistake if all edits belong to named mistakes; else "".
func named(es []report.Changed) string {
	var parts []string
	for _, e := range es {
		if !runs.Named(e.What) {
			return ""
		}
		if !slices.Contains(parts, e.What) {
			parts = append(parts, e.What)
		}
	}
	sort.Strings(parts)
	return strings.Join(parts, "; ")
}

// Handle is the Handler of submissions: each is judged in a process of its own with limits.
func Handle(self []string) Handler {
	return func(ctx context.Context, id string, job []byte) ([]byte, error) {
		var sub Submission
		if err := json.Unmarshal(job, &sub); err != nil {
			return nil, err
		}
		dir, err := process.TempDir("gulo-worker")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		if err := os.Chmod(dir, 0o755); err != nil {
			return nil, err
		}
		// Memory limits address space, and programs with sanitizers reserve terabytes of it. gulo bounds its own
		// memory, and programs have limits of their own.
		l := sandbox.Limits{
			Time: guard*sub.Limit + grace, Memory: 1 << 46, FileSize: 64 << 20, Disk: 128 << 20, Output: 8 << 20, Own: true, Weak: true,
		}
		r, err := sandbox.Run(ctx, l, dir, string(job), self[0], self[1:]...)
		switch {
		case halts(err) != nil:
			return nil, halts(err)
		case err != nil:
			return nil, err
		case halted(r.Stdout) != "":
			return nil, &HaltError{halted(r.Stdout)}
		case r.Stopped == "time":
			return json.Marshal(&Outcome{Category: Limited, Why: "the time was up"})
		case r.Stopped != "" || r.Status != 0:
			return nil, fmt.Errorf("the job ended with status %d %s: %s", r.Status, r.Stopped, firstLine(r.Stderr))
		}
		return []byte(r.Stdout), nil
	}
}

// guard is how much longer than its counted time a submission may take by the clock.
const guard = 6

// grace is the time by the clock for compiling and whole runs, in addition to the search.
const grace = 90 * time.Second

// FailedOutcome is the result of a job that could not be done.
func FailedOutcome(_ string, err error) []byte {
	b, _ := json.Marshal(&Outcome{Category: NotJudged, Why: "the job failed: " + err.Error()})
	return b
}

// Failed reports whether a result says that its job could not be done, or not completely.
func Failed(result []byte) bool {
	var o Outcome
	return json.Unmarshal(result, &o) != nil || o.Category == NotJudged || o.Alone
}
