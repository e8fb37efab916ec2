package ensure

import (
	"gulo/internal/batch"
	"gulo/internal/locate/spectrum"
	"gulo/internal/lower"
)

// This file ranks by what failing and passing tests execute.

// spectra ranks statements by Ochiai's coefficient.
func (t *task) spectra() ([]batch.Suspect, error) {
	var runs []spectrum.Run
	for i, c := range t.tests {
		covered := map[int32]bool{}
		if _, err := t.run.Hold(c, nil, t.ct, func(s int32) { covered[s] = true }); err != nil {
			return nil, err
		}
		runs = append(runs, spectrum.Run{Covered: covered, Failed: i < t.bad})
	}
	in := map[string]bool{}
	for i := range runs {
		for s := range runs[i].Covered {
			in[t.prog.Stmts[s].Func.Name] = true
		}
	}
	var stmts []int32
	for _, st := range t.prog.Stmts {
		if st != nil && st.Stop && st.Kind != lower.End && st.Kind != lower.Entry && in[st.Func.Name] {
			stmts = append(stmts, st.ID)
		}
	}
	var out []batch.Suspect
	for _, s := range spectrum.Rank("ochiai", runs, stmts) {
		st := t.prog.Stmts[s.Stmt]
		p := st.Range.Position()
		out = append(out, batch.Suspect{File: p.File, Line: p.Line, Column: p.Column, Statement: st.Range.Text(), Score: s.Score, Ranks: map[string]float64{"ochiai": s.Rank}})
	}
	return out, nil
}
