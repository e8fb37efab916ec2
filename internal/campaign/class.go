package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/plural"
	"gulo/internal/report"
)

// This file is the class report: a folder of submissions becomes jobs, and their results become one JSON document and
// one page.

// Class is a folder of submissions with its specification.
type Class struct {
	Folder    string // of submissions
	Reference string // path; empty: FOLDER/reference.c
	Tests     string // folder of whole runs; may be empty
	Entry     string
	Roster    string        // a list of students; "": none
	Mistakes  string        // a file of mistakes to try first; "": none
	Inputs    string        // a folder of inputs of whole runs, for which the reference supplies the output; "": none
	Limit     time.Duration // for one submission; 0 means 20 s
	Space     string        // exact or judge: whether white space counts at the ends of lines and outputs; "": decided by the tests
}

// Summary is the document of a class report.
type Summary struct {
	Folder   string           `json:"folder"`
	Total    int              `json:"total"`
	Done     int              `json:"done"`
	Counts   map[Category]int `json:"counts"`
	FixedPct float64          `json:"fixed_percent"` // share of Fixed in all wrong and unchecked submissions that are more than begun
	Clusters []Cluster        `json:"clusters"`
	Outcomes []*Outcome       `json:"outcomes"`

	Divisions []Division `json:"divisions,omitempty"` // inputs on which submissions that meet the tests differ
}

// Add adds students without a submission to a summary. They do not count in FixedPct.
func (s *Summary) Add(list []Absent) {
	for _, a := range list {
		s.Outcomes = append(s.Outcomes, &Outcome{Name: a.Name, Category: Missing, Why: a.Why})
		s.Counts[Missing]++
	}
	sort.SliceStable(s.Outcomes, func(i, j int) bool { return s.Outcomes[i].Name < s.Outcomes[j].Name })
}

// Cluster is the submissions that have the same mistake.
type Cluster struct {
	Mistake string   `json:"mistake"`        // the mistake, without the names that students chose
	Name    string   `json:"name,omitempty"` // of the mistake, if it has one: "no newline at the end"
	Example string   `json:"example"`        // the mistake as the first of them wrote it
	Names   []string `json:"names"`
}

// Collect gathers the results so far.
func Collect(ctx context.Context, q *Queue, folder string, jobs map[string]*Submission) (*Summary, error) {
	s := &Summary{Folder: shown(folderName(folder)), Total: len(jobs), Counts: map[Category]int{}, Clusters: []Cluster{}, Outcomes: []*Outcome{}}
	var ids []string
	for id := range jobs {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return jobs[ids[i]].Name < jobs[ids[j]].Name })
	clusters := map[string]*Cluster{}
	for _, id := range ids {
		b, done, err := q.Result(ctx, id)
		if err != nil {
			return nil, err
		}
		if !done {
			continue
		}
		var o Outcome
		if err := json.Unmarshal(b, &o); err != nil {
			return nil, fmt.Errorf("the result of %s cannot be read: %w", jobs[id].Name, err)
		}
		o.Name, o.Repaired = jobs[id].Name, nil // a result in the queue has no name
		s.Done++
		s.Counts[o.Category]++
		s.Outcomes = append(s.Outcomes, &o)
		if o.Mistake != "" {
			c := clusters[o.Mistake]
			if c == nil {
				c = &Cluster{Mistake: o.Mistake, Name: named(o.Report.Repairs[0].Edits)}
				if !strings.HasPrefix(c.Name, takenOver) { // statements taken over differ for each program
					c.Example = inWords(o.Report)
				}
				clusters[o.Mistake] = c
			}
			c.Names = append(c.Names, o.Name)
		}
	}
	for _, c := range clusters {
		s.Clusters = append(s.Clusters, *c)
	}
	sort.Slice(s.Clusters, func(i, j int) bool {
		a, b := s.Clusters[i], s.Clusters[j]
		if len(a.Names) != len(b.Names) {
			return len(a.Names) > len(b.Names)
		}
		return a.Names[0] < b.Names[0]
	})
	if wrong := s.Counts[Fixed] + s.Counts[Fits] + s.Counts[Limited] + s.Counts[NoEnd] + s.Counts[OutOfScope]; wrong > 0 {
		s.FixedPct = 100 * float64(s.Counts[Fixed]) / float64(wrong)
	}
	return s, s.divide(ctx, q, jobs)
}

// Bounds on describing a repair in a line.
const (
	mostTold = 3 // edits
	longTold = 60
)

// inWords describes the first repair of a report in its author's terms.
func inWords(r *report.Report) string { return told(plainer(&r.Repairs[0]), false) }

// plainer returns the edits of a repair. If the only edit changes just a sign or a number, the whole line is shown.
func plainer(r *report.Repair) []report.Changed {
	out := slices.Clone(r.Edits)
	for i := range out {
		e := &out[i]
		if e.Before == "" || e.After == "" || wordy.MatchString(e.Before) || wordy.MatchString(e.After) {
			continue
		}
		_, hunks, _ := strings.Cut(r.Diff, "\n@@")
		if m := changedLine.FindAllStringSubmatch(hunks, -1); len(out) == 1 && len(m) == 1 {
			e.Before, e.After = strings.TrimSpace(m[0][1]), strings.TrimSpace(m[0][2])
		}
	}
	return out
}

var (
	wordy       = regexp.MustCompile(`[A-Za-z_]\w`) // contains a name
	changedLine = regexp.MustCompile(`(?m)^-(.*)\n\+(.*)$`)
)

// told describes edits in a line, with lines including their line numbers.
func told(es []report.Changed, lines bool) string {
	var parts []string
	for i, e := range es {
		if i == mostTold && len(es) > mostTold+1 {
			parts = append(parts, fmt.Sprintf("and %s", plural.N(len(es)-i, "more place")))
			break
		}
		at := ""
		if lines {
			at = fmt.Sprintf("line %d: ", e.Line)
		}
		before, after := oneLine(e.Before), oneLine(e.After)
		switch {
		case before == "":
			parts = append(parts, at+after+" is missing")
		case after == "":
			parts = append(parts, at+before+" should not be there")
		default:
			parts = append(parts, at+after+" should stand in place of "+before)
		}
	}
	return strings.Join(parts, "; ")
}

// oneLine returns the beginning of a text in one line.
func oneLine(s string) string {
	s = strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ";")
	if r := []rune(s); len(r) > longTold {
		return string(r[:longTold]) + "…"
	}
	return s
}

// String says in words what a program has met; "" if nothing.
func (c *Checked) String() string {
	if c == nil {
		return ""
	}
	var parts []string
	for _, f := range slices.Sorted(maps.Keys(c.Calls)) {
		parts = append(parts, fmt.Sprintf("%s of %s as the reference", plural.N(c.Calls[f], "call"), f))
	}
	if n := len(c.Same); n > 0 {
		parts = append(parts, fmt.Sprintf("%s written as in the reference", strings.Join(c.Same, ", ")))
	}
	if c.Sequences > 0 {
		parts = append(parts, fmt.Sprintf("%s of calls", plural.N(c.Sequences, "row")))
	}
	if c.Runs > 0 {
		parts = append(parts, plural.N(c.Runs, "whole run"))
	}
	if c.Made > 0 {
		parts = append(parts, fmt.Sprintf("%d more made from them as the reference", c.Made))
	}
	return strings.Join(parts, ", ")
}
