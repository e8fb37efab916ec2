package campaign

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/report"
)

// This file writes what a teacher hands on: a table for the gradebook, and for each student a text that says where the
// mistake is, why it is one, and what could stand there.

// takenOver begins the name of a repair with statements from the reference or from other programs of the class.
const takenOver = "taken over from "

// CSV writes a line for each submission: its name and category, the mistake by name or in words, the line of the first
// edit, why it is not right, the seconds it took, tests passed and given, blocks of memory not freed, and the diff.
func (s *Summary) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"submission", "category", "mistake", "line", "why", "seconds", "tests passed", "tests given", "leaks", "diff"}}
	for _, o := range s.Outcomes {
		line, mistake, passed, given, leaks, diff := "", "", "", "", "", ""
		if o.Given > 0 {
			passed, given = fmt.Sprint(o.Passed), fmt.Sprint(o.Given)
		}
		if o.Leaks != nil {
			leaks = fmt.Sprint(*o.Leaks)
		}
		if r := o.repair(); r != nil && len(r.Edits) > 0 {
			diff = r.Diff
			line = fmt.Sprint(r.Edits[0].Line)
			if mistake = named(r.Edits); mistake == "" && o.Mistake != "" {
				mistake = told(plainer(r), true)
			}
		}
		rows = append(rows, []string{cell(o.Name), string(o.Category), cell(mistake), line, cell(o.Why), fmt.Sprintf("%.1f", o.Seconds), passed, given, leaks, cell(diff)})
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// cell keeps spreadsheets from reading a student's text as a formula.
func cell(s string) string {
	if s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0 {
		return "'" + s
	}
	return s
}

// repair returns the first repair, of all mistakes or of a part. It returns nil if there is none or it was refuted.
func (o *Outcome) repair() *report.Repair {
	if o.Report == nil || len(o.Report.Repairs) == 0 || o.Category != Fixed && !o.Part {
		return nil
	}
	return &o.Report.Repairs[0]
}

// Feedback writes the text for a student in Markdown: first where to look, then what is wrong there, and last what
// could stand there.
func (o *Outcome) Feedback(tell Stages) string {
	var b strings.Builder
	s := o.stages(tell)
	fmt.Fprintf(&b, "# %s\n\n%s\n", o.Name, s.Head)
	if s.Why != "" {
		fmt.Fprintf(&b, "\n%s\n", s.Why)
	}
	switch {
	case s.Test != nil:
		s.test(&b)
	case s.Why == "" && o.Category != Right && o.Report != nil && o.Report.Example != "":
		fmt.Fprintf(&b, "\nIt goes wrong %s.\n", s.Own(o.Report.Example))
	}
	if len(s.Where) > 0 {
		b.WriteString("\n## Where\n\n")
	}
	for _, h := range s.Where {
		fmt.Fprintf(&b, "- %s\n", sentence(h))
	}
	if len(s.Wrong) > 0 {
		b.WriteString("\n## Why\n\n")
	}
	for _, w := range s.Wrong {
		fmt.Fprintf(&b, "- %s\n", sentence(w))
	}
	if s.Diff == "" {
		return b.String()
	}
	fence := "```"
	for strings.Contains(s.Diff, fence) {
		fence += "`"
	}
	fmt.Fprintf(&b, "\n## What\n\n%sdiff\n%s\n%s\n", fence, strings.TrimRight(s.Diff, "\n"), fence)
	return b.String()
}

// test shows the first test that fails, with white space made visible.
func (s *stages) test(b *strings.Builder) {
	t := s.Test
	fmt.Fprintf(b, "\n%s (in outputs · is a blank, ↵ the end of a line and ⇥ a tab):\n", s.Which())
	if len(t.Args) > 0 {
		fmt.Fprintf(b, "\nArguments:\n\n    %s\n", strings.TrimSpace((&cases.Input{Args: t.Args}).String()))
	}
	for _, part := range [][2]string{{"Input", t.Stdin}, {"Should print", t.Want}, {"Prints", t.Got}} {
		if part[0] == "Input" && t.Stdin == "" && len(t.Args) > 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s:\n\n", part[0])
		for _, l := range strings.SplitAfter(strings.TrimSuffix(seen(part[1]), "\n"), "\n") {
			b.WriteString("    " + l)
		}
		b.WriteString("\n")
	}
	if how := t.Fails(); how != "" {
		fmt.Fprintf(b, "\nThere the program %s.\n", s.own(how))
	}
	if t.Error == nil && t.Line > 0 {
		fmt.Fprintf(b, "\nThe first difference is printed by line %d%s.\n", t.Line, s.own(t.in()))
	}
}

// seen returns a text with its white space made visible.
func seen(s string) string {
	var b strings.Builder
	for _, r := range s {
		if x, ok := whites[r]; ok {
			b.WriteString(x)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// opens matches the words with which gulo's sentences begin. Other words may be names in the program or words of C.
var opens = regexp.MustCompile(`^(a|an|as|at|each|in|it|look|no|not|nothing|on|one|statements|the|this|where|with)\b[^(]`)

// sentence makes a text a sentence. A name at its beginning keeps its case.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	if opens.MatchString(s + " ") {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}
