package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"gulo/internal/draw"
	"gulo/internal/report"
	"gulo/internal/session"
)

// This file shows documents of fix, locate, check and campaign (docs/json.md): places in
// the source, chains, repairs side by side. Nothing runs; the page only reads.

// Page is a document as the page shows it.
type Page struct {
	Title string      `json:"title"`
	Facts [][2]string `json:"facts"`
	Marks []Marked    `json:"marks"` // places in the source, the first one first
	Heads string      `json:"heads"` // the arrow heads of all pictures, as SVG
	// Pictures are the memory of the failing case.
	Pictures []ReportPicture `json:"pictures"`
	Repairs  []ReportDiff    `json:"repairs"` // best first
	Parts    []Page          `json:"parts"`   // of a campaign
	Files    []File          `json:"files"`   // the sources that it names, as far as they can be read
}

// Marked is a place that the document names.
type Marked struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Label string   `json:"label"` // a rank, or the rule that fired
	Text  string   `json:"text"`
	Note  string   `json:"note,omitempty"` // what else is to be said: the ranks of the methods
	Chain []Marked `json:"chain"`          // where it comes from, nearest first
}

// ReportPicture is the memory at a moment, as SVG.
type ReportPicture struct {
	Title string `json:"title"`
	SVG   string `json:"svg"`
}

// ReportDiff is a repair.
type ReportDiff struct {
	Title    string            `json:"title"`
	Rows     []session.DiffRow `json:"rows"`
	Evidence string            `json:"evidence"`
	Hints    []string          `json:"hints"`
}

// document has what is read from the documents of all these commands.
type document struct {
	Result, Cause, Entry, Example, Method, Rule string
	Failing, Cases                              int

	Pictures []report.Picture
	Repairs  []struct {
		Diff  string
		Edits []struct {
			File, Before, After, What string
			Line                      int
		}
		Hints    []string
		Evidence struct{ Text string }
	}
	Ranking []struct {
		File, Statement string
		Line            int
		Score           float64
		Ranks           map[string]float64
	}
	LeftOut  map[string]string `json:"left_out"`
	Findings []struct {
		Rule, File, Message, Text string
		Line                      int
		Chain                     []struct {
			File, Text, What string
			Line             int
		}
	}
	Folder      string
	Total, Done int
	Counts      map[string]int
	Outcomes    []struct {
		Name, Category, Why, Mistake string
		Report                       *document
	}
}

// maxReport bounds a document, and maxSource a source that it names.
const (
	maxReport = 64 << 20
	maxSource = 1 << 20
)

// ReadReport reads a document that gulo fix, locate, check or campaign has written with
// --format json. Sources are looked for from the present folder and from the document's.
func ReadReport(file string) (*Page, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxReport+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxReport {
		return nil, fmt.Errorf("%s: more than %d MB, which is no report", file, maxReport>>20)
	}
	var keys map[string]json.RawMessage
	var d document
	err = json.Unmarshal(text, &keys)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", position(file, text, err), err)
	}
	known := false
	for _, k := range []string{"result", "ranking", "findings", "outcomes", "repairs"} {
		known = known || keys[k] != nil
	}
	if !known {
		return nil, fmt.Errorf("%s:1:1: this is no document of gulo fix, locate, check or campaign: it has none of result, ranking, findings, outcomes", file)
	}
	r := d.report(filepath.Base(file))
	r.sources([]string{"", filepath.Dir(file), d.Folder})
	return r, nil
}

// position says where a document is not understood.
func position(file string, text []byte, err error) string {
	off := int64(0)
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		off = syntax.Offset
	case errors.As(err, &typ):
		off = typ.Offset
	}
	before := text[:min(max(off-1, 0), int64(len(text)))]
	return fmt.Sprintf("%s:%d:%d", file, bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n'))
}

func (d *document) report(title string) *Page {
	r := &Page{Title: title, Facts: [][2]string{}, Marks: []Marked{}, Heads: draw.Heads, Pictures: []ReportPicture{}, Repairs: []ReportDiff{}, Parts: []Page{}, Files: []File{}}
	fact := func(name, text string) {
		if text != "" && text != "0" {
			r.Facts = append(r.Facts, [2]string{name, text})
		}
	}
	fact("result", d.Result)
	fact("cause", d.Cause)
	fact("method", d.Method)
	fact("ranked by", d.Rule)
	fact("function", d.Entry)
	fact("for example", d.Example)
	fact("inputs that fail", fmt.Sprint(d.Failing))
	fact("inputs", fmt.Sprint(d.Cases))
	fact("folder", d.Folder)
	fact("done", fmt.Sprint(d.Done))
	for _, k := range sorted(d.Counts) {
		fact(k, fmt.Sprint(d.Counts[k]))
	}
	for _, k := range sorted(d.LeftOut) {
		fact("not asked: "+k, d.LeftOut[k])
	}
	for _, p := range d.Pictures {
		if p.Picture != nil {
			r.Pictures = append(r.Pictures, ReportPicture{p.Title, p.Picture.Markup(p.Title)})
		}
	}
	for i, x := range d.Ranking {
		var ranks []string
		for _, m := range sorted(x.Ranks) {
			ranks = append(ranks, fmt.Sprintf("%s: %g", m, x.Ranks[m]))
		}
		r.Marks = append(r.Marks, Marked{File: x.File, Line: x.Line, Label: fmt.Sprint(i + 1), Text: x.Statement, Note: strings.Join(ranks, ", "), Chain: []Marked{}})
	}
	for _, x := range d.Findings {
		m := Marked{File: x.File, Line: x.Line, Label: strings.ReplaceAll(x.Rule, "_", " "), Text: x.Message, Chain: []Marked{}}
		for _, c := range x.Chain {
			m.Chain = append(m.Chain, Marked{File: c.File, Line: c.Line, Label: c.What, Text: c.Text, Chain: []Marked{}})
		}
		r.Marks = append(r.Marks, m)
	}
	for i, x := range d.Repairs {
		out := ReportDiff{Title: fmt.Sprintf("Repair %d", i+1), Rows: session.Rows(x.Diff), Evidence: x.Evidence.Text, Hints: append([]string{}, x.Hints...)}
		r.Repairs = append(r.Repairs, out)
		for _, e := range x.Edits {
			if i == 0 { // the best one's places stand over the source
				r.Marks = append(r.Marks, Marked{File: e.File, Line: e.Line, Label: e.What, Text: change(e.Before, e.After), Chain: []Marked{}})
			}
		}
	}
	for _, x := range d.Outcomes {
		part := &Page{Facts: [][2]string{}, Marks: []Marked{}, Pictures: []ReportPicture{}, Repairs: []ReportDiff{}, Parts: []Page{}, Files: []File{}}
		if x.Report != nil {
			part = x.Report.report("")
		}
		part.Title = x.Name + ": " + x.Category
		for _, f := range [][2]string{{"mistake", x.Mistake}, {"why", x.Why}} {
			if f[1] != "" {
				part.Facts = append([][2]string{f}, part.Facts...)
			}
		}
		r.Parts = append(r.Parts, *part)
	}
	return r
}

// change describes an edit within a line.
func change(before, after string) string {
	switch {
	case before == "":
		return after
	case after == "":
		return before
	}
	return before + " => " + after
}

func sorted[T any](m map[string]T) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// sources reads the C files that are named, from the first of some folders that has them.
func (r *Page) sources(folders []string) {
	seen := map[string]bool{}
	var add func(list []Marked)
	add = func(list []Marked) {
		for _, m := range list {
			if name := m.File; !seen[name] {
				seen[name] = true
				if lines, ok := readSource(name, folders); ok {
					r.Files = append(r.Files, File{Name: name, Lines: lines, Stops: []session.Statement{}})
				}
			}
			add(m.Chain)
		}
	}
	add(r.Marks)
}

func readSource(name string, folders []string) ([]string, bool) {
	if ext := filepath.Ext(name); ext != ".c" && ext != ".h" {
		return nil, false
	}
	for _, d := range folders {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(d, name)
		}
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() || st.Size() > maxSource {
			continue
		}
		if text, err := os.ReadFile(path); err == nil {
			return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), true
		}
	}
	return nil, false
}

// Shown serves a report to browsers of this machine, with the same rules as a session.
type Shown struct {
	report *Page
	gate   gate
}

// Show returns a handler for a report.
func Show(r *Page) *Shown { return &Shown{report: r, gate: newGate()} }

// Invite returns a new token for the address; it is good for one visitor.
func (s *Shown) Invite() string { return s.gate.invite() }

// HTTP returns the server with limits for what strangers send.
func (s *Shown) HTTP() *http.Server {
	return &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10}
}

// shownFiles are the files of a report's page by path.
var shownFiles = map[string]asset{
	"/": {"assets/report.html", "text/html; charset=utf-8"}, "/report.js": {"assets/report.js", "text/javascript; charset=utf-8"},
	"/style.css": files["/style.css"], "/icon.svg": files["/icon.svg"],
}

// ServeHTTP answers a request.
func (s *Shown) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !s.gate.admits(w, r):
	case sendFile(w, r, shownFiles):
	case r.Method == http.MethodGet && r.URL.Path == "/api/report":
		answer(w, s.report)
	default:
		fail(w, http.StatusNotFound, "there is nothing here")
	}
}
