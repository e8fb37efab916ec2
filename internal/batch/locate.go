package batch

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/locate/spectrum"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file ranks suspicious statements without repairing them.

// Suspect is a ranked statement.
type Suspect struct {
	File      string             `json:"file"`
	Line      int                `json:"line"`
	Column    int                `json:"column"`
	Statement string             `json:"statement"`
	Score     float64            `json:"score"`
	Ranks     map[string]float64 `json:"ranks,omitempty"` // by method, average over ties
	Gap       bool               `json:"gap,omitempty"`   // something may be missing before the line
	What      string             `json:"what,omitempty"`  // an edit of the line with which failing runs are met
}

// Ranking is the document of gulo locate.
type Ranking struct {
	Method    string    `json:"method"`
	Ranking   []Suspect `json:"ranking"`
	Diagnoses [][]Place `json:"diagnoses"`
	Failing   int       `json:"failing"`
	Cases     int       `json:"cases"`
	Notes     []string  `json:"notes,omitempty"`
}

// Place is a line.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Specified is a program with the cases that a request makes of it.
type Specified struct {
	Prog  *lower.Program
	Suite *oracle.Suite
	Scope []*cfront.Func // that may be at fault
	Lock  []int          // lines that are not
	Notes []string
}

// Specify loads what a request is about and makes its cases.
func Specify(ctx context.Context, req *Request) (*Specified, error) {
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	return &Specified{Prog: t.prog, Suite: t.given, Scope: t.scope, Lock: req.Lock, Notes: t.notes}, nil
}

// Locate ranks the statements of the functions that may change by one method;
// all the others stand beside it.
func Locate(ctx context.Context, req *Request, m spectrum.Method) (*Ranking, error) {
	s, err := Specify(ctx, req)
	if err != nil {
		return nil, err
	}
	return s.Locate(m)
}

// Locate ranks by what failing and passing cases execute.
func (t *Specified) Locate(m spectrum.Method) (*Ranking, error) {
	run, err := oracle.NewRunner(t.Suite)
	if err != nil {
		return nil, err
	}
	out := &Ranking{Method: "spectrum:" + string(m), Cases: len(t.Suite.Cases), Notes: t.Notes, Diagnoses: [][]Place{}}
	var runs []spectrum.Run
	for _, c := range t.Suite.Cases {
		r, err := run.Cover(c, nil)
		if err != nil {
			return nil, err
		}
		bad := !r.Meets(c.Want)
		if bad {
			out.Failing++
		}
		runs = append(runs, spectrum.Run{Covered: run.Covered, Failed: bad})
	}
	if out.Failing > 0 {
		in := map[string]bool{}
		for _, f := range t.Scope {
			in[f.Name] = true
		}
		out.Ranking = Unlocked(BySpectrum(t.Prog, runs, in, m), t.Lock)
	}
	return out, nil
}

// BySpectrum ranks the statements of some functions.
func BySpectrum(p *lower.Program, runs []spectrum.Run, in map[string]bool, m spectrum.Method) []Suspect {
	var stmts []int32
	for _, st := range p.Stmts {
		if st != nil && st.Stop && st.Kind != lower.End && in[st.Func.Name] {
			stmts = append(stmts, st.ID)
		}
	}
	ranks := map[int32]map[string]float64{}
	for _, o := range spectrum.Methods {
		for _, s := range spectrum.Rank(o, runs, stmts) {
			if ranks[s.Stmt] == nil {
				ranks[s.Stmt] = map[string]float64{}
			}
			ranks[s.Stmt][string(o)] = s.Rank
		}
	}
	var out []Suspect
	for _, s := range spectrum.Rank(m, runs, stmts) {
		out = append(out, SuspectOf(p.Stmts[s.Stmt], s.Score))
		out[len(out)-1].Ranks = ranks[s.Stmt]
	}
	return out
}

// Unlocked leaves out what begins in one of the lines.
func Unlocked(list []Suspect, lines []int) []Suspect {
	return slices.DeleteFunc(list, func(s Suspect) bool { return slices.Contains(lines, s.Line) })
}

// SuspectOf is a statement as a ranking shows it.
func SuspectOf(st *lower.Stmt, score float64) Suspect {
	p := st.Range.Position()
	return Suspect{File: p.File, Line: p.Line, Column: p.Column, Statement: st.Range.Text(), Score: score}
}

// Methods names what Locate can rank by.
func Methods() []string {
	var out []string
	for _, m := range spectrum.Methods {
		out = append(out, string(m))
	}
	sort.Strings(out)
	return out
}

// String writes the ranking as a table.
func (r *Ranking) String() string {
	if r.Failing == 0 {
		return fmt.Sprintf("nothing to locate: all %d cases are met\n", r.Cases)
	}
	out := fmt.Sprintf("%d of %d cases fail; ranks by method, average over ties\n%-28s %-36s", r.Failing, r.Cases, "place", "statement")
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
