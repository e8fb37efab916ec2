package report

import (
	"gulo/internal/locate/spectrum"
	"gulo/internal/lower"
)

// BySpectrum ranks the statements of some functions by the statements that runs execute. Each entry also has its ranks
// by all other methods.
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
