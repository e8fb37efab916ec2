package campaign

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"gulo/internal/batch"
)

// This file is the class report: a folder of submissions becomes jobs, and their
// results one JSON document and one page.

// Class says what a folder of submissions is to be held against.
type Class struct {
	Folder    string // of submissions, one .c file each
	Reference string // path; empty: FOLDER/reference.c
	Tests     string // folder of whole runs; may be empty
	Entry     string
	Limit     time.Duration // for one submission; 0 means 20 s
}

// Summary is the document of a class report.
type Summary struct {
	Folder   string           `json:"folder"`
	Total    int              `json:"total"`
	Done     int              `json:"done"`
	Counts   map[Category]int `json:"counts"`
	FixedPct float64          `json:"fixed_percent"` // of those that are wrong and not vacuous
	Clusters []Cluster        `json:"clusters"`
	Outcomes []*Outcome       `json:"outcomes"`
}

// Cluster is submissions with like mistakes.
type Cluster struct {
	Mistake string   `json:"mistake"` // apart from the names that students chose
	Example string   `json:"example"` // as the first of them wrote it
	Names   []string `json:"names"`
}

// Jobs reads the submissions of a class, by name.
func (c *Class) Jobs() (map[string]*Submission, error) {
	files, err := filepath.Glob(filepath.Join(c.Folder, "*.c"))
	if err != nil {
		return nil, err
	}
	ref := c.Reference
	if ref == "" && c.Tests == "" {
		ref = filepath.Join(c.Folder, "reference.c")
	}
	text := ""
	if ref != "" {
		b, err := os.ReadFile(ref)
		if err != nil {
			return nil, fmt.Errorf("cannot read the reference: %w", err)
		}
		text = string(b)
	}
	tests := map[string]string{}
	if c.Tests != "" {
		list, err := os.ReadDir(c.Tests)
		if err != nil {
			return nil, fmt.Errorf("cannot read the tests: %w", err)
		}
		for _, f := range list {
			b, err := os.ReadFile(filepath.Join(c.Tests, f.Name()))
			if err != nil {
				return nil, err
			}
			tests[f.Name()] = string(b)
		}
	}
	limit := c.Limit
	if limit == 0 {
		limit = 20 * time.Second
	}
	out := map[string]*Submission{}
	for _, f := range files {
		if same(f, ref) {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(f), ".c")
		out[id(name)] = &Submission{Name: name, File: filepath.Base(f), Text: string(b), Reference: text, Tests: tests, Entry: c.Entry, Limit: limit}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no submissions: there is no .c file in it but the reference", c.Folder)
	}
	return out, nil
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// id makes a name that queues accept.
func id(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
}

// Collect gathers what results there are.
func Collect(ctx context.Context, q *Queue, folder string, jobs map[string]*Submission) (*Summary, error) {
	s := &Summary{Folder: filepath.Base(folder), Total: len(jobs), Counts: map[Category]int{}, Clusters: []Cluster{}, Outcomes: []*Outcome{}}
	var ids []string
	for id := range jobs {
		ids = append(ids, id)
	}
	sort.Strings(ids)
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
			return nil, fmt.Errorf("the result of %s cannot be read: %w", id, err)
		}
		s.Done++
		s.Counts[o.Category]++
		s.Outcomes = append(s.Outcomes, &o)
		if o.Mistake != "" {
			c := clusters[o.Mistake]
			if c == nil {
				c = &Cluster{Mistake: o.Mistake, Example: inWords(o.Report)}
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
	if wrong := s.Counts[Fixed] + s.Counts[Limited] + s.Counts[OutOfScope]; wrong > 0 {
		s.FixedPct = 100 * float64(s.Counts[Fixed]) / float64(wrong)
	}
	return s, nil
}

// inWords describes the first repair of a report as its author would read it.
func inWords(r *batch.Report) string {
	var parts []string
	for _, e := range r.Repairs[0].Edits {
		before, after := strings.TrimSuffix(e.Before, ";"), strings.TrimSuffix(e.After, ";")
		switch {
		case before == "":
			parts = append(parts, "missing: "+after)
		case after == "":
			parts = append(parts, "too much: "+before)
		default:
			parts = append(parts, before+" instead of "+after)
		}
	}
	return strings.Join(parts, "; ")
}

//go:embed report.html
var page string

// HTML writes the summary as one page.
func (s *Summary) HTML() ([]byte, error) {
	t, err := template.New("report").Funcs(template.FuncMap{
		"categories": func() []Category { return Categories },
		"share":      func(n int) int { return 100 * n / max(s.Total, 1) },
		"class":      func(c Category) string { return strings.ReplaceAll(string(c), " ", "-") },
		"lines":      diffLines,
		"join":       func(v []string) string { return strings.Join(v, ", ") },
	}).Parse(page)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, s)
	return b.Bytes(), err
}

// diffLine is a line of a diff with what it is.
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
