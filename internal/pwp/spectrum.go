package pwp

import (
	"gulo/internal/locate/spectrum"
	"gulo/internal/report"
)

// This file ranks statements by which failing and passing tests execute them.

// spectra ranks statements by Ochiai's coefficient.
func (t *task) spectra() ([]report.Suspect, error) {
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
	return report.BySpectrum(t.prog, runs, in, "ochiai"), nil
}
