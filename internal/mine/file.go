package mine

import (
	"fmt"

	"gulo/internal/bench/gate"
	"gulo/internal/campaign"
	"gulo/internal/process"
	"gulo/internal/repair/textedit"
)

// This file defines the records of corrections: a file of JSON lines that begins with a Header.

// Header describes the run that made a file of records.
type Header struct {
	Mine   int    `json:"mine"` // the version of the format
	Commit string `json:"commit"`
	Build  string `json:"build"`
	Seed   int64  `json:"seed"`
}

// Header returns the header that a file of records made by this executable with these options begins with.
func (o *Options) Header() (Header, error) {
	build, err := campaign.Self()
	return Header{1, process.Version(), build, o.Seed}, err
}

func (h Header) String() string {
	return fmt.Sprintf("commit %s, build %.12s, seed %d", h.Commit, h.Build, h.Seed)
}

// Known reports whether this version can read the format.
func (h Header) Known() bool { return h.Mine == 1 }

// Command returns the command that writes such files.
func (h Header) Command() string { return "gulo mine" }

// Instead says what to do if the file has records of another build or seed.
func (h Header) Instead(string) string { return "name another file" }

// Append opens a file for adding records, and returns those that it has.
func Append(path string, h Header) (*gate.Lines[Record], []Record, error) {
	return gate.AppendLines[Record](path, h)
}

// Record is the result for one correction.
type Record struct {
	Program string             `json:"program"`
	Left    string             `json:"left,omitempty"` // why it was left out; "": it was not
	Places  []Place            `json:"places,omitempty"`
	Whole   bool               `json:"whole,omitempty"` // one edit makes the whole correction
	Rules   map[string]*Counts `json:"rules,omitempty"` // rules that list an edit of the wrong program
}

// Place is a place that was corrected.
type Place struct {
	Shape string `json:"shape"`
	Needs string `json:"needs"`          // what kind of new words and numbers the correction needs
	Rule  string `json:"rule,omitempty"` // the rule of an edit that corrects it
	Like  string `json:"like,omitempty"` // if there is none: the rule of an edit that corrects it except for names and values
}

// Counts are the counts of a rule in one program.
type Counts struct {
	Explained int         `json:"explained,omitempty"` // edits that correct at least one place
	Costs     map[int]int `json:"costs"`               // number of edits that it lists, by their cost in gulo fix
}

// record returns the record of a pair.
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

// targets returns all targets, those of several places first: moving a statement is not a deletion and an insertion.
func (p *pair) targets() []*target {
	return append(p.others[:len(p.others):len(p.others)], p.singles...)
}

// found returns for each place the edit that corrects it, and the edit that does so except for names and values.
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
