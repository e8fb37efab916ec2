package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"

	"gulo/internal/batch"
	"gulo/internal/cfront"
	"gulo/internal/sandbox"
	"gulo/internal/source"
)

// This file is the job of a class report: one submission, repaired and put into
// one of the categories of Wolverine2 (section 7.2, Table 8).

// Category is what became of a submission.
type Category string

// The categories; Right is ours.
const (
	Right      Category = "right"
	Fixed      Category = "fixed"
	Limited    Category = "limited"      // the fault is of our kind, and no repair was found
	OutOfScope Category = "out of scope" // it does not compile, or is not about the heap
	Vacuous    Category = "vacuous"      // hardly attempted
)

// Categories lists them in the order of reports.
var Categories = []Category{Right, Fixed, Limited, OutOfScope, Vacuous}

// Submission is a job. It carries its texts, so that workers need nothing else.
type Submission struct {
	Name      string            `json:"name"`
	File      string            `json:"file"`
	Text      string            `json:"text"`
	Reference string            `json:"reference"`
	Tests     map[string]string `json:"tests,omitempty"` // files of a folder of whole runs
	Entry     string            `json:"entry,omitempty"`
	Limit     time.Duration     `json:"limit"`
}

// Outcome is the result of a job.
type Outcome struct {
	Name     string        `json:"name"`
	Category Category      `json:"category"`
	Why      string        `json:"why,omitempty"`
	Report   *batch.Report `json:"report,omitempty"`
	Native   string        `json:"native,omitempty"` // what the submission itself did, run with limits
	Mistake  string        `json:"mistake,omitempty"`
	Seconds  float64       `json:"seconds"`
}

// Judge does a job in this process, in a directory of its own.
func Judge(ctx context.Context, sub *Submission) (*Outcome, error) {
	begin := time.Now()
	dir, err := os.MkdirTemp("", "gulo-job")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := &Outcome{Name: sub.Name}
	req := &batch.Request{Entry: sub.Entry, Limit: sub.Limit, Repairs: 1}
	write := func(name, text string) (string, error) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		return path, os.WriteFile(path, []byte(text), 0o644)
	}
	file, err := write(filepath.Base(sub.File), sub.Text)
	if err != nil {
		return nil, err
	}
	req.Files = []string{file}
	if sub.Reference != "" {
		ref, err := write("reference/reference.c", sub.Reference)
		if err != nil {
			return nil, err
		}
		req.Reference = []string{ref}
	}
	for name, text := range sub.Tests {
		if _, err := write(filepath.Join("tests", filepath.Base(name)), text); err != nil {
			return nil, err
		}
		req.Tests = filepath.Join(dir, "tests")
	}
	out.Report, err = batch.Fix(ctx, req)
	if out.Report != nil {
		clean(out.Report, dir+"/")
	}
	if err := out.classify(sub, err); err != nil {
		return nil, err
	}
	out.Why = strings.ReplaceAll(out.Why, dir+"/", "")
	out.Native = native(ctx, dir, file)
	out.Seconds = time.Since(begin).Seconds()
	return out, nil
}

// clean takes the job's directory out of a report.
func clean(r *batch.Report, dir string) {
	strip := func(s *string) { *s = strings.ReplaceAll(*s, dir, "") }
	strip(&r.Example)
	strip(&r.Cause)
	for i := range r.Repairs {
		p := &r.Repairs[i]
		strip(&p.Diff)
		for k := range p.Edits {
			strip(&p.Edits[k].File)
		}
		for k := range p.Hints {
			strip(&p.Hints[k])
		}
	}
}

// classify puts a submission into its category.
func (o *Outcome) classify(sub *Submission, err error) error {
	var diag *source.Error
	var use *batch.UsageError
	var tool *cfront.ToolError
	switch {
	case errors.As(err, &tool):
		return err // the world's fault, not the submission's
	case errors.As(err, &diag):
		o.Category, o.Why = OutOfScope, "it does not compile, or uses C that is not supported: "+firstLine(diag.Error())
		return nil
	case errors.As(err, &use) && strings.Contains(use.Message, "no function of"):
		o.Category = Right
		return nil
	case err != nil:
		o.Category, o.Why = OutOfScope, firstLine(err.Error())
		return nil
	}
	r := o.Report
	switch r.Result {
	case batch.Right:
		o.Category = Right
	case batch.Repaired:
		o.Category = Fixed
		o.Mistake = Mistake(r)
	default:
		o.Category, o.Why = Limited, r.Cause
		if Attempted(sub.Text, sub.Reference, r.Entry) < 0.34 {
			o.Category, o.Why = Vacuous, fmt.Sprintf("%s is hardly written", r.Entry)
		}
	}
	return nil
}

// firstLine returns the first line that says what is wrong.
func firstLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for _, l := range lines {
		if strings.Contains(l, "error:") {
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

// keep are the words that mean the same in every submission.
var keep = map[string]bool{"NULL": true, "if": true, "while": true, "for": true, "return": true, "free": true, "malloc": true, "sizeof": true, "struct": true, "else": true, "int": true}

// Mistake describes a repair apart from the names that a student chose, so that
// like mistakes read alike.
func Mistake(r *batch.Report) string {
	names := map[string]string{}
	plain := func(s string) string {
		return word.ReplaceAllStringFunc(strings.TrimSuffix(s, ";"), func(w string) string {
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
	for _, e := range r.Repairs[0].Edits {
		switch {
		case e.Before == "":
			parts = append(parts, "missing: "+plain(e.After))
		case e.After == "":
			parts = append(parts, "too much: "+plain(e.Before))
		default:
			parts = append(parts, plain(e.Before)+"  instead of  "+plain(e.After))
		}
	}
	sort.Strings(parts)
	return strings.Join(parts, "; ")
}

// native compiles the submission and runs it as it is, with limits and without
// network: what a student would see.
func native(ctx context.Context, dir, file string) string {
	box := filepath.Join(dir, "run")
	if err := os.Mkdir(box, 0o755); err != nil {
		return ""
	}
	for d := dir; d != "/" && d != "."; d = filepath.Dir(d) {
		if info, err := os.Stat(d); err == nil && info.Mode().Perm()&0o011 != 0o011 {
			_ = os.Chmod(d, info.Mode().Perm()|0o011)
		}
	}
	bin := filepath.Join(box, "program")
	if err := batch.Compile(ctx, bin, file); err != nil {
		return ""
	}
	r, err := sandbox.Run(ctx, sandbox.Limits{Time: 3 * time.Second}, box, "", bin)
	switch {
	case errors.Is(err, sandbox.ErrNoIsolation):
		return "not run: " + err.Error()
	case err != nil:
		return "not run: " + err.Error()
	case r.Stopped == "time":
		return "stopped after 3 s"
	case r.Stopped == "output":
		return "stopped: it prints without end"
	case r.Stopped != "":
		return "stopped by " + strings.TrimPrefix(r.Stopped, "signal: ")
	}
	return fmt.Sprintf("exits with %d", r.Status)
}

// Handle is the Handler of submissions: each is judged in a process of its own
// with limits.
func Handle(self []string) Handler {
	return func(ctx context.Context, id string, job []byte) ([]byte, error) {
		var sub Submission
		if err := json.Unmarshal(job, &sub); err != nil {
			return nil, err
		}
		dir, err := os.MkdirTemp("", "gulo-worker")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		if err := os.Chmod(dir, 0o755); err != nil {
			return nil, err
		}
		l := sandbox.Limits{
			Time: sub.Limit + 30*time.Second, Memory: 16 << 30, FileSize: 64 << 20, Disk: 128 << 20, Output: 8 << 20, Own: true, Weak: true,
		}
		r, err := sandbox.Run(ctx, l, dir, string(job), self[0], self[1:]...)
		switch {
		case err != nil:
			return nil, err
		case r.Stopped == "time":
			return json.Marshal(&Outcome{Name: sub.Name, Category: Limited, Why: "the time was up"})
		case r.Stopped != "" || r.Status != 0:
			return nil, fmt.Errorf("the job ended with status %d %s: %s", r.Status, r.Stopped, firstLine(r.Stderr))
		}
		return []byte(r.Stdout), nil
	}
}

// FailedOutcome is the result of a job that could not be done.
func FailedOutcome(id string, err error) []byte {
	b, _ := json.Marshal(&Outcome{Name: id, Category: Limited, Why: "the job failed: " + err.Error()})
	return b
}
