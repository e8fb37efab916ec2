package locate

import (
	"context"
	"sort"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/locate/spectrum"
	"gulo/internal/oracle"
	"gulo/internal/report"
)

// This file ranks statements by spectra.

// Spectrum ranks the statements of the functions that may change, by one formula.
func Spectrum(ctx context.Context, req *job.Job, m spectrum.Method) (*report.Ranking, error) {
	s, err := cases.Make(ctx, req)
	if err != nil {
		return nil, err
	}
	return covers(s, s.Given, m)
}

// covers ranks statements by which failing and passing cases of a suite execute them.
func covers(t *cases.Set, suite *oracle.Suite, m spectrum.Method) (*report.Ranking, error) {
	run, err := oracle.NewRunner(suite)
	if err != nil {
		return nil, err
	}
	out := &report.Ranking{Method: "spectrum:" + string(m), Cases: len(suite.Cases), Notes: t.Notes, Diagnoses: [][]report.Place{}}
	var runs []spectrum.Run
	for _, c := range suite.Cases {
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
		out.Ranking = report.Unlocked(report.BySpectrum(t.Prog, runs, in, m), t.Job.Lock)
	}
	return out, nil
}

// Spectra returns the names of the formulas for Spectrum.
func Spectra() []string {
	var out []string
	for _, m := range spectrum.Methods {
		out = append(out, string(m))
	}
	sort.Strings(out)
	return out
}
