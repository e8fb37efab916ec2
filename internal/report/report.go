// Package report is the document that gulo fix and gulo locate answer with, whichever engine
// found the answer: what was found, repairs with their evidence, places under suspicion. Its
// types have the form of docs/json.md; what prints them as text or SARIF is in package app.
//
// What an answer rests on is worded by package trust.
package report

import (
	"gulo/internal/draw"
	"gulo/internal/timing"
	"gulo/internal/trust"
)

// Results of a fix.
const (
	Repaired = "repaired"
	Right    = "right"         // nothing is wrong: it is known
	Alike    = "no difference" // nothing wrong was found in what was looked at
	None     = "none"
	Unknown  = "unknown"
)

// TimeLimit is the cause of an answer that more time may change.
const TimeLimit = "time limit"

// Report is what became of a request; its JSON form is the document of gulo fix.
type Report struct {
	Result  string `json:"result"`
	Cause   string `json:"cause,omitempty"`
	SoFar   bool   `json:"so_far,omitempty"` // the search was stopped, and Repairs has the best that it had in hand
	Entry   string `json:"entry,omitempty"`
	Failing int    `json:"failing"` // of the cases
	Cases   int    `json:"cases"`
	Example string `json:"example,omitempty"` // a failing case and what goes wrong
	// Pictures are the memory of the failing case where it is a call with a heap: what it is
	// called with, what it should leave, what it leaves.
	Pictures []Picture `json:"pictures,omitempty"`
	// Evidence is what the answer that nothing differs rests on.
	Evidence *Evidence `json:"evidence,omitempty"`
	Repairs  []Repair  `json:"repairs"`
	// Spans are the pieces of work, where they were asked for (--times).
	Spans  []timing.Span `json:"spans,omitempty"`
	Notes  []string      `json:"notes,omitempty"`
	Millis float64       `json:"ms"`
	Run    string        `json:"run,omitempty"`        // a whole run that differs natively where no case does
	Runs   int           `json:"whole_runs,omitempty"` // whole runs that were compared natively

	Texts []map[string]string `json:"-"` // the repaired sources, of each repair those that it changes
}

// Picture is the memory at a moment of a call.
type Picture struct {
	Title   string        `json:"title"`
	Picture *draw.Picture `json:"picture"`
}

// Repair is one repair with its evidence.
type Repair struct {
	Diff     string    `json:"diff"`
	Edits    []Changed `json:"edits"`
	Hints    []string  `json:"hints"`
	Evidence Evidence  `json:"evidence"`

	Changes []Change `json:"-"`
}

// Changed is one changed place.
type Changed struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Before string `json:"before"`
	After  string `json:"after"`
	What   string `json:"what"`
}

// Evidence says what a repair was checked on.
type Evidence = trust.Facts

// Met reports whether the program was found to meet all cases as it is.
func (r *Report) Met() bool { return r.Result == Right || r.Result == Alike }

// Sources returns the repaired text of the files that repair n changes.
func (r *Report) Sources(n int) map[string]string { return r.Texts[n] }
