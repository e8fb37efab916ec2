package campaign

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/machine"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/pipeline"
	"gulo/internal/report"
)

// This file is the table of tests of a submission as handed in: what each prints and should print, where the two
// differ, and which line printed that.

// Tested is a test of a submission as it was handed in.
type Tested struct {
	Name string `json:"name"`
	Met  bool   `json:"met"`

	// Only for tests that are not met:
	Args  []string `json:"args,omitempty"`
	Stdin string   `json:"stdin,omitempty"`
	Want  string   `json:"want,omitempty"`
	Got   string   `json:"got,omitempty"`
	At    int      `json:"at"`              // offset of the first byte in which Got differs from Want
	Line  int      `json:"line,omitempty"`  // the line that printed that byte or the output before it; 0: unknown
	File  string   `json:"file,omitempty"`  // the file of that line, if the submission has several
	Ended string   `json:"ended,omitempty"` // "exits with 1", if that is wrong
	Error *Fault   `json:"error,omitempty"` // nil: no error is known

	Picture *report.Picture `json:"picture,omitempty"` // of the memory where the error happens; nil: there is nothing to show
}

// Bounds on what is kept of tests.
const (
	mostTested  = 40   // tests
	mostFailing = 6    // failing tests whose texts are kept
	longTested  = 1200 // bytes of a text
	tallTested  = 24   // lines of a text
)

// tested records the result of a test.
func (j *job) tested(t *oracle.Test, r *native.Process) {
	x := testedOf(t, r, j.failing < mostFailing)
	switch {
	case !x.Met:
		j.failing++
	case t.Name != exampleName:
		j.out.Passed++
	}
	if len(j.out.Tests) < mostTested {
		j.out.Tests = append(j.out.Tests, x)
	}
}

// given counts the tests that a teacher gave.
func (j *job) given() int {
	n := 0
	for _, t := range j.runs {
		if t.Name != exampleName {
			n++
		}
	}
	return n
}

var directive = regexp.MustCompile(`(?m)^[ \t]*#.*$`)

// kind matches the name of a kind of error, as rules name it, followed by its line.
var kind = regexp.MustCompile(`\b(?:abort|signal|unreachable|deadlock|[a-z]+(?:_[a-z]+)+) at line (\d+): `)

// worded replaces the kind of an error in a message by a sentence; the words after it say more.
func worded(s string) string { return kind.ReplaceAllString(s, "it goes wrong at line $1: ") }

// blank reports whether a C text holds nothing but comments.
func blank(text string) bool { return strings.TrimSpace(comment.ReplaceAllString(text, "")) == "" }

// testedOf returns a test with what a program does on it. With texts, the outputs are kept if they differ.
func testedOf(t *oracle.Test, r *native.Process, texts bool) Tested {
	x := Tested{Name: t.Name, Met: prints(r, t).Differs(t.Stdout, t.Exit) == ""}
	if x.Met {
		return x
	}
	if texts {
		got := prints(r, t).Stdout
		x.At = parts(t.Stdout, got)
		x.Args, x.Stdin, x.Want, x.Got = t.Args, clip(t.Stdin, 0), clip(t.Stdout, x.At), clip(got, x.At)
	}
	if r.Stopped != "" || r.Status != t.Exit {
		x.Ended = r.String()
	}
	return x
}

// clip returns the beginning of a text, up to the line of byte at if that is not too far.
func clip(s string, at int) string {
	end, lines := 0, 0
	for end < min(len(s), longTested) && (lines < tallTested || end <= at || s[end-1] != '\n') {
		if end++; s[end-1] == '\n' {
			lines++
		}
	}
	if end < len(s) {
		return s[:end] + "…"
	}
	return s
}

// parts returns the offset of the first byte in which two texts differ.
func parts(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// printers finds the lines at which failing tests go wrong.
func (j *job) printers(ctx context.Context) {
	var list []oracle.Test
	var at []*Tested
	for i := range j.out.Tests {
		x := &j.out.Tests[i]
		for _, t := range j.runs {
			if t.Name == x.Name && !x.Met && (x.Got != "" || x.Want != "" || x.Ended != "") {
				list, at = append(list, t), append(at, x)
			}
		}
	}
	j.lines(ctx, list, at)
}

// lines finds, on the machine, the lines that print wrong output or end a run in an error. Programs that cannot run
// there get none.
func (j *job) lines(ctx context.Context, list []oracle.Test, at []*Tested) {
	if len(list) == 0 {
		return
	}
	p, err := j.read.Load(ctx, j.files, j.options())
	if err != nil || p.IR.Main < 0 {
		return
	}
	suite := oracle.Runs(p, list, 0)
	run, err := oracle.NewRunner(suite)
	if err != nil {
		return
	}
	drawn := false // only the first failing test is drawn
	for k, c := range suite.Cases {
		x := at[k]
		if s, err := run.Printer(c, x.At); err == nil && s != nil && j.texts[s.Range.File.Name] != "" {
			x.Line, x.File = s.Range.Position().Line, j.one(s.Range.File.Name)
		}
		r, err := run.Run(c, nil)
		if err != nil || r.Fault == nil || r.Fault.Kind == machine.LimitFault || r.Unmodelled() != "" || j.texts[r.Fault.Pos.File] == "" {
			continue
		}
		x.Error = &Fault{What: strings.ReplaceAll(r.Fault.Message, j.dir+"/", ""), Line: r.Fault.Pos.Line, File: j.one(r.Fault.Pos.File), Func: r.Fault.Func}
		if !drawn {
			drawn = true
			if x.Picture, err = pipeline.Crash(ctx, p, fmt.Sprintf("memory where it %s, at line %d", x.how(), x.Error.Line), &list[k]); err != nil {
				x.Picture = nil // the words say what goes wrong
			}
		}
	}
}

// crash returns, if the first failing test ends in an error, how it ends; else native.
func (j *job) crash(native string) string {
	for i := range j.out.Tests {
		if t := &j.out.Tests[i]; !t.Met {
			if t.Error != nil && native != "" {
				return fmt.Sprintf("on %s it %s", t.Name, t.Fails())
			}
			break
		}
	}
	return native
}

// one returns the name of a file for a submission of several files; "" if there is only one.
func (j *job) one(file string) string {
	if len(j.files) < 2 {
		return ""
	}
	return strings.TrimPrefix(file, j.dir+"/")
}

// Fault is an error that a run ends in, such as the use of a null pointer.
type Fault struct {
	What string `json:"what"`
	Line int    `json:"line"`
	File string `json:"file,omitempty"` // if the submission has several files
	Func string `json:"func"`
}

// how says whether a run with an error crashes natively, or continues with undefined behaviour.
func (t *Tested) how() string {
	if strings.HasPrefix(t.Ended, "stopped by") {
		return "crashes"
	}
	return "goes wrong"
}

// Fails says how a run fails: by an error at a line, if known, or how it ends; "" if only its output differs.
func (t *Tested) Fails() string {
	switch f := t.Error; {
	case f != nil && f.File != "":
		return fmt.Sprintf("%s at line %d of %s: %s", t.how(), f.Line, f.File, f.What)
	case f != nil:
		return fmt.Sprintf("%s at line %d: %s", t.how(), f.Line, f.What)
	case strings.HasPrefix(t.Ended, "stopped by"):
		return fmt.Sprintf("crashes (%s)", strings.TrimPrefix(t.Ended, "stopped by "))
	case strings.HasPrefix(t.Ended, "stopped"):
		return "does not come to an end: it was " + t.Ended
	case t.Ended != "":
		return t.Ended
	}
	return ""
}

// in names the file of the line if the submission has several.
func (t *Tested) in() string {
	if t.File == "" {
		return ""
	}
	return " of " + t.File
}
