// Package report is the document with which gulo fix and gulo locate answer, whichever engine found the answer: the
// result, repairs with their evidence, suspicious places. docs/json.md describes its form; package app prints it as
// text or SARIF.
//
// Package trust words the evidence.
package report

import (
	"gulo/internal/draw"
	"gulo/internal/timing"
	"gulo/internal/trust"
)

// Results of gulo fix.
const (
	Repaired = "repaired"
	Right    = "right"         // it is known that nothing is wrong
	Alike    = "no difference" // the comparisons made found nothing wrong
	None     = "none"
	Unknown  = "unknown"
)

// TimeLimit is the cause of an answer that more time might change.
const TimeLimit = "time limit"

// Report is the answer to a job; its JSON form is the document of gulo fix.
type Report struct {
	Result  string `json:"result"`
	Cause   string `json:"cause,omitempty"`
	SoFar   bool   `json:"so_far,omitempty"` // the search was stopped, and Repairs holds its best candidate
	Entry   string `json:"entry,omitempty"`
	Failing int    `json:"failing"` // number of failing cases
	Cases   int    `json:"cases"`
	Example string `json:"example,omitempty"` // a failing case, and what goes wrong in it
	// Pictures show the memory of the failing case, if it is a call with a heap: when called, as it should be
	// afterwards, as it is.
	Pictures []Picture `json:"pictures,omitempty"`
	// Evidence says on what the answer that nothing differs is based.
	Evidence *Evidence `json:"evidence,omitempty"`
	Repairs  []Repair  `json:"repairs"`
	// Spans are the pieces of work, if --times asked for them.
	Spans  []timing.Span `json:"spans,omitempty"`
	Notes  []string      `json:"notes,omitempty"`
	Millis float64       `json:"ms"`
	Run    string        `json:"run,omitempty"`        // a whole run that differs natively although no case does
	Runs   int           `json:"whole_runs,omitempty"` // number of whole runs compared natively

	Texts []map[string]string `json:"-"` // for each repair, the repaired text of the files that it changes
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

// Evidence says on what a repair was checked.
type Evidence = trust.Facts

// Met reports whether the program meets all cases without a repair.
func (r *Report) Met() bool { return r.Result == Right || r.Result == Alike }

// Sources returns the repaired text of the files that repair n changes.
func (r *Report) Sources(n int) map[string]string { return r.Texts[n] }
