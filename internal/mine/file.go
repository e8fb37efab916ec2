package mine

import (
	"fmt"

	"gulo/internal/bench/gate"
	"gulo/internal/campaign"
	"gulo/internal/process"
	"gulo/internal/repair/textedit"
)

// This file says what is kept of a correction: a line of JSON each, behind a Header.

// Header says what made a file of records.
type Header struct {
	Mine   int    `json:"mine"` // the version of the format
	Commit string `json:"commit"`
	Build  string `json:"build"`
	Seed   int64  `json:"seed"`
}

// Header is that of this executable.
func (o *Options) Header() (Header, error) {
	build, err := campaign.Self()
	return Header{1, process.Version(), build, o.Seed}, err
}

func (h Header) String() string {
	return fmt.Sprintf("commit %s, build %.12s, seed %d", h.Commit, h.Build, h.Seed)
}

// Known reports whether the format is the one of this version.
func (h Header) Known() bool { return h.Mine == 1 }

// Command is what writes such files.
func (h Header) Command() string { return "gulo mine" }

// Instead says what to do with records of another build or seed.
func (h Header) Instead(string) string { return "name another file" }

// Append opens a file to add records to it, and returns those that it has.
func Append(path string, h Header) (*gate.Lines[Record], []Record, error) {
	return gate.AppendLines[Record](path, h)
}

// Record is what one correction came to.
type Record struct {
	Program string             `json:"program"`
	Left    string             `json:"left,omitempty"` // why it is left out; empty: it is not
	Places  []Place            `json:"places,omitempty"`
	Whole   bool               `json:"whole,omitempty"` // one edit is all of it
	Rules   map[string]*Counts `json:"rules,omitempty"` // that list an edit of the wrong program
}

// Place is a place that was corrected.
type Place struct {
	Shape string `json:"shape"`
	Needs string `json:"needs"`          // what kind of words and numbers the correction puts in
	Rule  string `json:"rule,omitempty"` // an edit of which corrects it
	Like  string `json:"like,omitempty"` // where none does: an edit of which corrects it but for names and values
}

// Counts is what was counted of a rule in a program.
type Counts struct {
	Explained int         `json:"explained,omitempty"` // edits of it that correct a place or several
	Costs     map[int]int `json:"costs"`               // edits that it lists, by their cost in use
}

// record says what a pair came to.
func (p *pair) record(program string) *Record {
	r := &Record{Program: program, Left: p.left}
	if p.left != "" {
		return r
	}
	r.Rules = map[string]*Counts{}
	for _, e := range p.edits {
		c := r.Rules[e.Rule]
		if c == nil {
			c = &Counts{Costs: map[int]int{}}
			r.Rules[e.Rule] = c
		}
		c.Costs[e.Cost]++
	}
	exact, like := p.found()
	credited := map[*textedit.Edit]bool{}
	for i := range p.places {
		x := Place{Shape: p.shapes[i], Needs: novelty(p.wrong, p.places[i].new)}
		switch e := exact[i]; {
		case e != nil:
			if x.Rule = e.Rule; !credited[e.Edit] { // one edit may correct several places
				credited[e.Edit] = true
				r.Rules[e.Rule].Explained++
			}
		case like[i] != nil:
			x.Like = like[i].Rule
		}
		r.Places = append(r.Places, x)
	}
	for _, t := range p.targets() {
		r.Whole = r.Whole || t.exact != nil && len(t.places) == len(p.places)
	}
	return r
}

// targets returns what was asked for, several places first: a statement that is moved is no deletion and an insertion.
func (p *pair) targets() []*target {
	return append(p.others[:len(p.others):len(p.others)], p.singles...)
}

// found returns for each place the edit that corrects it, and the one that does but for names and values.
func (p *pair) found() (exact, like []*Listed) {
	exact, like = make([]*Listed, len(p.places)), make([]*Listed, len(p.places))
	for _, t := range p.targets() {
		for _, i := range t.places {
			if exact[i] == nil {
				exact[i] = t.exact
			}
			if like[i] == nil {
				like[i] = t.like
			}
		}
	}
	return exact, like
}
