package report

import (
	"fmt"
	"slices"

	"gulo/internal/locate/spectrum"
	"gulo/internal/lower"
	"gulo/internal/plural"
)

// This file is the document of gulo locate.

// Suspect is an entry in a ranking by any method.
type Suspect struct {
	File      string             `json:"file"`
	Line      int                `json:"line"`
	Column    int                `json:"column"`
	Statement string             `json:"statement"`
	Score     float64            `json:"score"`
	Ranks     map[string]float64 `json:"ranks,omitempty"` // by method, average over ties
	Gap       bool               `json:"gap,omitempty"`   // something may be missing before the line
	What      string             `json:"what,omitempty"`  // an edit of the line with which failing runs pass

	Stmt   *lower.Stmt `json:"-"` // nil if the entry is a line or an expression
	Reason string      `json:"-"` // in words; "" if the method gives none
}

// Ranking is the document of gulo locate.
type Ranking struct {
	Method    string    `json:"method"`
	Ranking   []Suspect `json:"ranking"`
	Diagnoses [][]Place `json:"diagnoses"`
	Failing   int       `json:"failing"`
	Cases     int       `json:"cases"`
	Notes     []string  `json:"notes,omitempty"`
	SoFar     bool      `json:"so_far,omitempty"` // the search was stopped before all methods had answered
}

// Place is a line.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Unlocked removes the entries that begin in one of the lines.
func Unlocked(list []Suspect, lines []int) []Suspect {
	return slices.DeleteFunc(list, func(s Suspect) bool { return slices.Contains(lines, s.Line) })
}

// SuspectOf returns the entry for a statement.
func SuspectOf(st *lower.Stmt, score float64) Suspect {
	p := st.Range.Position()
	return Suspect{Stmt: st, File: p.File, Line: p.Line, Column: p.Column, Statement: st.Range.Text(), Score: score}
}

// String writes the ranking as a table.
func (r *Ranking) String() string {
	if r.Failing == 0 {
		return fmt.Sprintf("nothing to locate: %s %s met\n", plural.All(r.Cases, "case"), plural.Verb(r.Cases, "is", "are"))
	}
	out := fmt.Sprintf("%d of %s %s; ranks by method, average over ties\n%-28s %-36s", r.Failing, plural.N(r.Cases, "case"), plural.Verb(r.Failing, "fails", "fail"), "place", "statement")
	for _, m := range spectrum.Methods {
		out += fmt.Sprintf(" %9s", m)
	}
	out += "\n"
	for _, s := range r.Ranking {
		text := s.Statement
		if len(text) > 36 {
			text = text[:33] + "..."
		}
		out += fmt.Sprintf("%-28s %-36s", fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column), text)
		for _, m := range spectrum.Methods {
			out += fmt.Sprintf(" %9.1f", s.Ranks[string(m)])
		}
		out += "\n"
	}
	return out
}
