package batch

import (
	"context"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/locate/spectrum"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/report"
)

// This file ranks suspicious statements without repairing them.

// Specified is a program with the cases that a request makes of it.
type Specified struct {
	Prog  *lower.Program
	Suite *oracle.Suite
	Scope []*cfront.Func // that may be at fault
	Lock  []int          // lines that are not
	Notes []string
}

// Specify loads what a request is about and makes its cases.
func Specify(ctx context.Context, req *job.Job) (*Specified, error) {
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	return &Specified{Prog: t.prog, Suite: t.given, Scope: t.scope, Lock: req.Lock, Notes: t.notes}, nil
}

// Locate ranks the statements of the functions that may change by one method;
// all the others stand beside it.
func Locate(ctx context.Context, req *job.Job, m spectrum.Method) (*report.Ranking, error) {
	s, err := Specify(ctx, req)
	if err != nil {
		return nil, err
	}
	return s.Locate(m)
}

// Locate ranks by what failing and passing cases execute.
func (t *Specified) Locate(m spectrum.Method) (*report.Ranking, error) {
	run, err := oracle.NewRunner(t.Suite)
	if err != nil {
		return nil, err
	}
	out := &report.Ranking{Method: "spectrum:" + string(m), Cases: len(t.Suite.Cases), Notes: t.Notes, Diagnoses: [][]report.Place{}}
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
		out.Ranking = report.Unlocked(BySpectrum(t.Prog, runs, in, m), t.Lock)
	}
	return out, nil
}

// BySpectrum ranks the statements of some functions.
func BySpectrum(p *lower.Program, runs []spectrum.Run, in map[string]bool, m spectrum.Method) []report.Suspect {
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
	var out []report.Suspect
	for _, s := range spectrum.Rank(m, runs, stmts) {
		out = append(out, report.SuspectOf(p.Stmts[s.Stmt], s.Score))
		out[len(out)-1].Ranks = ranks[s.Stmt]
	}
	return out
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
