package campaign

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"slices"
	"sort"
	"strings"

	"gulo/internal/draw"
	"gulo/internal/plural"
	"gulo/internal/repair/runs"
	"gulo/internal/report"
)

// This file writes the class report as one page that loads nothing else.

//go:embed report.html
var page string

//go:embed feedback.html
var feedback string

//go:embed report.js
var script string

// HTML writes the summary as one page.
func (s *Summary) HTML() ([]byte, error) {
	of := map[string]string{} // number of the cluster, by submission
	for i, c := range s.Clusters {
		for _, n := range c.Names {
			of[n] = fmt.Sprint(i)
		}
	}
	t, err := template.New("report").Funcs(template.FuncMap{
		"categories": func() []Category { return Categories },
		"share":      func(n int) float64 { return 100 * float64(n) / float64(max(s.Total+s.Counts[Missing], 1)) },
		"class":      func(c Category) string { return strings.ReplaceAll(string(c), " ", "-") },
		"absent":     func(s *Summary) int { return s.Counts[Missing] },
		"means":      func(c Category) string { return meanings[c] },
		"cluster":    func(o *Outcome) string { return of[o.Name] },
		"title":      func(c Cluster) string { return short(c.title(), longTitle) },
		"often":      func(s *Summary) []numbered { return s.clusters(false) },
		"once":       func(s *Summary) []numbered { return s.clusters(true) },
		"first":      func(names []string) []string { return names[:min(len(names), mostNames)] },
		"more":       func(names []string) int { return max(0, len(names)-mostNames) },
		"failed":     (*Outcome).failed,
		"rows":       (*Outcome).rows,
		"of":         func(t Tested) string { return t.in() },
		"brief":      (*Outcome).brief,
		"visible":    visible,
		"facts":      (*Checked).String,
		"lines":      diffLines,
		"anchor":     anchor,
		"draw":       drawn,
		"heads":      func() template.HTML { return draw.Heads },
		"style":      func() template.CSS { return template.CSS(draw.Style) },
		"script":     func() template.JS { return template.JS(script) },
	}).Parse(page)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, s)
	return b.Bytes(), err
}

// Stages say what a student is told about a repair.
type Stages struct {
	Where bool // where to look
	Why   bool // why it is wrong there
	What  bool // what could stand there
}

// AllStages tells everything.
var AllStages = Stages{true, true, true}

// ParseStages reads names of stages, separated by commas.
func ParseStages(s string) (out Stages, err error) {
	for _, name := range strings.Split(s, ",") {
		switch strings.TrimSpace(name) {
		case "where":
			out.Where = true
		case "why":
			out.Why = true
		case "what":
			out.What = true
		default:
			return out, fmt.Errorf("%q is no stage of feedback; the stages are where, why, what", name)
		}
	}
	return out, nil
}

// stages are what a student is told: where to look, what is wrong there, and what could stand there.
type stages struct {
	Head  string
	Why   string   // what the program fails
	Where []string // where to look
	Wrong []string // what is wrong there
	Diff  string
	Test  *Tested // the failing test that is shown; nil: none is known
	*Outcome
}

// heads are the first sentences that students read.
var heads = map[Category]string{
	Right:      "The program does what it should, as far as it was tested.",
	Fixed:      "The program is not right yet.",
	Fits:       "The program meets the tests, and is not right yet.",
	Limited:    "The program is not right yet.",
	OutOfScope: "Whether the program is right could not be checked.",
	Vacuous:    "Too little of the program is written to be checked.",
	Empty:      "Nothing is written in the file.",
	NoCompile:  "The program does not compile.",
	NoEnd:      "The program does not come to an end.",
	Lacks:      "The program is not complete.",
	Missing:    "No program was handed in.",
	NotJudged:  "The program was not judged.",
}

// stages selects what a student is told from an outcome.
func (o *Outcome) stages(tell Stages) *stages {
	s := &stages{Outcome: o, Head: heads[o.Category]}
	if o.Category == Fits && o.Stray == nil { // the teacher has not decided what is right on the other inputs
		s.Head = "The program meets all tests."
		return s
	}
	if o.Category == Right || o.Category == Empty {
		return s
	}
	if o.Stray != nil {
		s.Head = heads[Fits]
	}
	if o.Part {
		s.Head = "The program is not right yet: one of its mistakes is told below, and something else is wrong, too."
	}
	for i := range o.Tests {
		if t := &o.Tests[i]; !t.Met && (t.Want != "" || t.Got != "") {
			s.Test = t
			break
		}
	}
	if s.Test == nil {
		s.Test = o.Stray
	}
	if s.Test == nil || s.Test != o.Stray && !strings.HasPrefix(o.Why, "on "+s.Test.Name) { // else the table of the test says it
		s.Why = sentence(o.own(cmp.Or(o.Seen, o.Why)))
	}
	if r := o.repair(); r != nil {
		s.repaired(r, tell)
	}
	return s
}

// repaired adds what to tell about a repair.
func (s *stages) repaired(r *report.Repair, tell Stages) {
	if tell.Where {
		s.Where = append(s.Where, r.Hints[:min(len(r.Hints), 1)]...)
	}
	edits := plainer(r)
	for _, e := range edits[:min(len(edits), mostEdits)] {
		at, wrong := fmt.Sprintf("look at line %d of %s", e.Line, s.own(e.File)), amiss(e)
		if tell.Where && !slices.Contains(s.Where, at) {
			s.Where = append(s.Where, at)
		}
		if tell.Why && !slices.Contains(s.Wrong, wrong) {
			s.Wrong = append(s.Wrong, wrong)
		}
	}
	if tell.What {
		s.Diff = s.own(r.Diff)
	}
}

// amiss says what is wrong at an edit without saying what should stand there.
func amiss(e report.Changed) string {
	switch {
	case strings.HasPrefix(e.What, takenOver):
		return "statements here do something else than those of a right solution"
	case runs.Named(e.What):
		return e.What
	case e.Before != "" && e.After != "":
		return "not right here: " + oneLine(e.Before)
	case e.Before != "":
		e.What = "delete"
	default:
		e.What = "insert"
	}
	return report.Hint(e)
}

// own removes the folder that the platform made from file names, so that they read as the student knows them.
func (o *Outcome) own(text string) string {
	if o.Within == "" {
		return text
	}
	return strings.ReplaceAll(text, o.Within+"/", "")
}

// Pictures returns pictures of the memory where the shown test fails, or else where a call goes wrong.
func (s *stages) Pictures() []report.Picture {
	switch {
	case s.Test != nil && s.Test.Picture != nil:
		return []report.Picture{*s.Test.Picture}
	case s.Category != Right && s.Report != nil:
		return s.Report.Pictures
	}
	return nil
}

// Own is own for the page, with the kinds of errors in words.
func (s *stages) Own(text string) string { return s.own(worded(text)) }

// OfFile names the file of a test's line if the submission has several.
func (s *stages) OfFile(t *Tested) string { return s.own(t.in()) }

// Which says which test is shown, and how many others fail.
func (s *stages) Which() string {
	if s.Test == s.Stray {
		return "The tests are met; this input is in none of them"
	}
	switch n := s.failed(); {
	case len(s.Tests) < min(s.Given, mostTested):
		return fmt.Sprintf("Test %s is not met; after test %s no other was run", s.Test.Name, s.Tests[len(s.Tests)-1].Name)
	case len(s.Tests) == 1:
		return fmt.Sprintf("Test %s is not met", s.Test.Name)
	case n == 1:
		return fmt.Sprintf("Test %s is not met; all others are", s.Test.Name)
	default:
		return fmt.Sprintf("Test %s; %d of %d are not met", s.Test.Name, n, len(s.Tests))
	}
}

// rows returns the tests of a submission, and the run made from them that it fails.
func (o *Outcome) rows() []Tested {
	if o.Stray == nil {
		return o.Tests
	}
	return append(slices.Clone(o.Tests), *o.Stray)
}

// FeedbackPage writes Feedback as a page that loads nothing else; the stages are opened one after the other.
func (o *Outcome) FeedbackPage(tell Stages) ([]byte, error) {
	t, err := template.New("feedback").Funcs(template.FuncMap{
		"visible": visible, "lines": diffLines, "sentence": sentence, "draw": drawn,
		"heads": func() template.HTML { return draw.Heads },
		"style": func() template.CSS { return template.CSS(draw.Style) },
	}).Parse(feedback)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, o.stages(tell))
	return b.Bytes(), err
}

// Bounds on what is shown at once.
const (
	mostNames = 6  // names of a cluster
	longTitle = 60 // characters
	longBrief = 110
	mostEdits = 5 // places that a student is told to look at
)

// numbered is a cluster with its number on the page.
type numbered struct {
	Cluster
	At int
}

// clusters returns the clusters of one submission (once), or those of several.
func (s *Summary) clusters(once bool) []numbered {
	var out []numbered
	for i, c := range s.Clusters {
		if (len(c.Names) == 1) == once {
			out = append(out, numbered{c, i})
		}
	}
	return out
}

func (c *Cluster) title() string {
	if c.Name != "" {
		return c.Name
	}
	return c.Example
}

// failed counts the tests that a submission fails.
func (o *Outcome) failed() int {
	n := 0
	for _, t := range o.Tests {
		if !t.Met {
			n++
		}
	}
	return n
}

// Line says in a line what the result of a submission is.
func (o *Outcome) Line() string {
	if text := o.brief(); text != "" {
		return string(o.Category) + ": " + text
	}
	return string(o.Category)
}

// Line says in a line what the result of a submission is while others are still being judged. Without a reference it
// does not call a submission right, because AskDivided may still find that others differ.
func (s *Submission) Line(o *Outcome) string {
	if o.Category == Right && len(s.Reference) == 0 && len(s.Tests) > 0 {
		return "fits your tests"
	}
	return o.Line()
}

// brief returns the text of the line: the mistake, or why there is no repair.
func (o *Outcome) brief() string {
	text := o.Why
	if r := o.repair(); r != nil && o.Category == Fixed {
		if text = named(r.Edits); text == "" {
			text = inWords(o.Report)
		}
	}
	if text, _, _ = strings.Cut(short(text, longBrief), "\n"); o.failed() == 0 {
		return text
	}
	tests := fmt.Sprintf("%d of %s %s", o.failed(), plural.N(len(o.Tests), "test"), plural.Verb(o.failed(), "fails", "fail"))
	if last := o.Tests[len(o.Tests)-1]; strings.HasPrefix(last.Ended, "stopped") && !strings.HasPrefix(last.Ended, "stopped by") {
		tests = fmt.Sprintf("test %s is %s, and no other was run after it", last.Name, last.Ended)
	}
	if text == "" {
		return tests
	}
	return tests + "; " + text
}

func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// whites makes white space visible; other invisible characters are written as in C.
var whites = map[rune]string{' ': "·", '\n': "↵\n", '\t': "⇥", '\r': `\r`, '\v': `\v`, '\f': `\f`, '\b': `\b`, '\a': `\a`, 0: `\0`, 0x1b: `\e`}

// visible returns a text with its white space made visible and the byte at an offset marked. If the text ends before
// the offset, its end is marked. A negative offset marks nothing.
func visible(s string, at int) template.HTML {
	var b strings.Builder
	marked := at < 0
	for i, r := range s {
		x, ok := whites[r]
		if !ok {
			x = html.EscapeString(string(r))
		}
		size := len(string(r))
		if r == '\ufffd' {
			size = 1
		}
		if !marked && i+size > at {
			marked = true
			shown, rest, _ := strings.Cut(x, "\n")
			if b.WriteString("<mark>" + shown + "</mark>"); strings.HasSuffix(x, "\n") {
				b.WriteString("\n" + rest)
			}
			continue
		}
		b.WriteString(x)
	}
	if !marked {
		b.WriteString(`<mark title="nothing more is printed">∎</mark>`)
	}
	return template.HTML(b.String())
}

// diffLine is a line of a diff with its class for the style sheet.
type diffLine struct{ Class, Text string }

func diffLines(diff string) []diffLine {
	var out []diffLine
	for _, l := range strings.Split(strings.TrimRight(diff, "\n"), "\n") {
		c := "same"
		switch {
		case strings.HasPrefix(l, "---"), strings.HasPrefix(l, "+++"), strings.HasPrefix(l, "@@"):
			c = "head"
		case strings.HasPrefix(l, "-"):
			c = "old"
		case strings.HasPrefix(l, "+"):
			c = "new"
		}
		out = append(out, diffLine{c, l})
	}
	return out
}

// drawn returns a picture as an HTML element; Markup escapes the program's text.
func drawn(p report.Picture) template.HTML { return template.HTML(p.Picture.Markup(p.Title)) }

// anchor returns the anchor of a submission on the page.
func anchor(name string) string { return fmt.Sprintf("s%x", sha256.Sum256([]byte(name)))[:17] }

// Took says how long submissions took; "" if there are none.
func (s *Summary) Took() string {
	var all []float64
	for _, o := range s.Outcomes {
		if o.Category != Missing {
			all = append(all, o.Seconds)
		}
	}
	if len(all) == 0 {
		return ""
	}
	sort.Float64s(all)
	return fmt.Sprintf("median time %.1f s per submission, slowest %.1f s (%s)", all[len(all)/2], all[len(all)-1],
		slices.MaxFunc(s.Outcomes, func(a, b *Outcome) int { return cmp.Compare(a.Seconds, b.Seconds) }).Name)
}
