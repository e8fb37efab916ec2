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

// This file is the job of a class report: one submission with all that it is held
// against, and what became of it.

// Category is what became of a submission, in a teacher's words: those of Wolverine2
// (section 7.2, Table 8; its limitations are Limited), and what its authors sorted out
// before. Every submission is in one.
type Category string

// The categories.
const (
	Right      Category = "right"                // every case was run, and met
	Fixed      Category = "fixed"                // wrong, and the repaired program meets every case
	Fits       Category = "fits your tests only" // it meets the tests, and the reference, or others that do, do something else on a run made from them; no repair was found
	Limited    Category = "needs you"            // wrong, and no repair was found
	OutOfScope Category = "not checked"          // it cannot be held against anything: C that is not supported, nothing to compare
	Vacuous    Category = "hardly begun"         // hardly attempted
	Empty      Category = "empty"                // a file in which nothing is written
	NoCompile  Category = "does not compile"     // gcc refuses it
	NoEnd      Category = "does not end"         // a whole run was stopped, and no repair was found
	Lacks      Category = "lacks the function"   // that was to be written
	Missing    Category = "nothing handed in"    // a folder without a C file, a name on the list of students alone
	NotJudged  Category = "not judged"           // the job failed; it is tried again by the next run
)

// Categories lists them in the order of reports.
var Categories = []Category{Right, Fixed, Fits, Limited, NoEnd, Lacks, NoCompile, OutOfScope, Vacuous, Empty, Missing, NotJudged}

// meanings say on the page what categories are.
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

// Submission is a job. It carries all texts, so that workers need nothing else; they are
// bytes, because not every submission is text.
type Submission struct {
	Name      string            `json:"name"`              // as reports show it; different for different files
	File      string            `json:"file"`              // where it stands in the job's folder
	Text      []byte            `json:"text"`              //
	More      map[string][]byte `json:"more,omitempty"`    // other .c files of the same program, by where they stand
	Flags     []string          `json:"flags,omitempty"`   // for gcc; folders of headers are in the job's
	Headers   map[string][]byte `json:"headers,omitempty"` // by where they stand
	Reference []byte            `json:"reference,omitempty"`
	RefHeads  map[string][]byte `json:"reference_headers,omitempty"`
	Tests     map[string][]byte `json:"tests,omitempty"` // files of a folder of whole runs
	Entry     string            `json:"entry,omitempty"`
	Inputs    map[string][]byte `json:"inputs,omitempty"`   // files of a folder of runs that the reference answers
	Space     string            `json:"space,omitempty"`    // exact or judge: whether white space counts at ends of lines and outputs; "": what the tests tell
	Mistakes  string            `json:"mistakes,omitempty"` // to try first, as in docs/mistakes.md
	Limit     time.Duration     `json:"limit"`
	Gulo      string            `json:"gulo"` // what judges it

	Agreed map[string][]byte `json:"agreed,omitempty"` // files of a folder of whole runs: what most others do
	Others int               `json:"others,omitempty"` // so many
	Right  map[string][]byte `json:"right,omitempty"`  // other submissions of one file that meet the tests, under any names
}

// program is what a submission is compiled of, in a job of its own.
func (s *Submission) program() *Submission {
	return &Submission{File: s.File, Text: s.Text, More: s.More, Flags: s.Flags, Headers: s.Headers}
}

// repaired is a program with changed texts.
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

// options are those that it is compiled with in a job's folder.
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

// found are the files beside the tests, which the program finds when it runs; nil where it asks for none.
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

// ID names a job by all that its result depends on, but for what others do: they may come later,
// and what has a result keeps it.
func (s *Submission) ID() string {
	own := *s
	own.Agreed, own.Others, own.Right = nil, 0, nil
	b, err := json.Marshal(&own)
	if err != nil {
		panic("campaign: " + err.Error()) // it holds strings and bytes only
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// Texts are files by where they stand in a job's folder.
type Texts map[string]string

// Outcome is the result of a job.
type Outcome struct {
	Name     string         `json:"name"`
	Category Category       `json:"category"`
	Why      string         `json:"why,omitempty"`
	Seen     string         `json:"seen,omitempty"`    // of that, what the program does, where more is said
	Checked  *Checked       `json:"checked,omitempty"` // of what is right or fixed
	Report   *report.Report `json:"report,omitempty"`
	Tests    []Tested       `json:"tests,omitempty"`    // as it was handed in
	Stray    *Tested        `json:"stray,omitempty"`    // a run made from the tests, all of which it meets, that it does not meet
	Within   string         `json:"within,omitempty"`   // the folder of its files in the class's; empty: the class's
	Given    int            `json:"given,omitempty"`    // tests
	Passed   int            `json:"passed"`             // of those, by the submission as it was handed in
	Leaks    *int           `json:"leaks,omitempty"`    // blocks of memory not freed at the end, in the test with most; nil: nobody knows
	Divided  bool           `json:"divided,omitempty"`  // others that meet the tests, too, differ from it on an input that no test has
	Repaired Texts          `json:"repaired,omitempty"` // the program with the repair; not in reports
	Part     bool           `json:"part,omitempty"`     // the repair mends one of several mistakes, and no repair of the others was found
	Native   string         `json:"native,omitempty"`   // what the submission itself did, run with limits
	Mistake  string         `json:"mistake,omitempty"`
	Notes    []string       `json:"notes,omitempty"`
	Spaced   string         `json:"spaced,omitempty"` // why white space at the ends of lines and outputs does not count
	Seconds  float64        `json:"seconds"`
	Alone    bool           `json:"alone,omitempty"` // nothing was run natively, because the system does not let us
	Halt     string         `json:"halt,omitempty"`  // why nothing can be judged where the job was done
}

// HaltError says that no submission can be judged on this machine. It is no submission's result.
type HaltError struct{ Why string }

func (e *HaltError) Error() string { return "the campaign stops: " + e.Why }

// Outside says that this is the system's fault.
func (e *HaltError) Outside() bool { return true }

// halts returns a *HaltError for an error that every other job would meet as well; nil for others.
func halts(err error) *HaltError {
	var s *sandbox.StartError
	if errors.As(err, &s) {
		return &HaltError{s.Error()}
	}
	return nil
}

// halted is why a job says that nothing can be judged where it was done; empty: it does not.
func halted(result string) string {
	var o Outcome
	_ = json.Unmarshal([]byte(result), &o) // it may have been ended in the middle
	return o.Halt
}

// Do judges a submission that was given as a job, in this process, and returns its result.
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

// Checked says what a program was held against, and met.
type Checked struct {
	Calls     map[string]int `json:"calls"`          // by function: calls in made-up states, against the reference
	Same      []string       `json:"same,omitempty"` // functions that are the reference's, word for word
	Sequences int            `json:"sequences"`      // calls in a row, natively
	Runs      int            `json:"runs"`           // whole runs, natively and on the machine
	Made      int            `json:"made"`           // whole runs made from those, against the reference

	rows map[string]int // by function
}

// firstLine returns the first line that says what is wrong.
func firstLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for _, l := range lines {
		if strings.Contains(l, "error:") && !strings.HasPrefix(l, "collect2:") || strings.Contains(l, "undefined reference") {
			return l
		}
	}
	return lines[0]
}

// Attempted compares how much there is of a function in two texts: the share of
// the reference's statements, counted by semicolons and conditions.
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

// blanks are those that C does without.
var blanks = regexp.MustCompile(`\s*([^\w\s])\s*`)

// keep are the words that mean the same in every submission.
var keep = map[string]bool{"NULL": true, "if": true, "while": true, "for": true, "return": true, "free": true, "malloc": true, "sizeof": true, "struct": true, "else": true, "int": true}

// Mistake describes a repair apart from the names that a student chose, so that
// like mistakes read alike.
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

// named is the name of a mistake where all edits have the name of one.
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

// Handle is the Handler of submissions: each is judged in a process of its own
// with limits.
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
		// Memory is of addresses, of which programs with sanitizers reserve terabytes; gulo
		// bounds what it uses itself, and programs have limits of their own.
		l := sandbox.Limits{
			Time: sub.Limit + grace, Memory: 1 << 46, FileSize: 64 << 20, Disk: 128 << 20, Output: 8 << 20, Own: true, Weak: true,
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

// grace is what compiling and whole runs may take beside the search.
const grace = 90 * time.Second

// FailedOutcome is the result of a job that could not be done.
func FailedOutcome(_ string, err error) []byte {
	b, _ := json.Marshal(&Outcome{Category: NotJudged, Why: "the job failed: " + err.Error()})
	return b
}

// Failed reports whether a result says that its job could not be done, or not as it should be.
func Failed(result []byte) bool {
	var o Outcome
	return json.Unmarshal(result, &o) != nil || o.Category == NotJudged || o.Alone
}
