package formal

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"gulo/internal/batch"
	"gulo/internal/cfront"
	"gulo/internal/locate/diagnosis"
	"gulo/internal/repair/template"
	"gulo/internal/smt"
)

// Results of a request, as package batch has them.
const (
	Repaired = batch.Repaired
	Right    = batch.Right
	None     = batch.None
	Unknown  = batch.Unknown
)

// Report is what became of a request.
type Report struct {
	batch.Report
	Diagnoses [][]batch.Place `json:"diagnoses"`
	Times     Times           `json:"times"`
	Steps     []template.Step `json:"-"`
	Tried     int             `json:"tried"`
	Queries   int             `json:"queries"`
	Proof     string          `json:"proof,omitempty"` // of the first repair: proved, bounded or unknown
	Words     []string        `json:"why,omitempty"`   // why each diagnosis is one
	Paths     int             `json:"-"`

	sources map[string]string
}

// Source returns the repaired text of the files that the first repair changes.
func (r *Report) Source() map[string]string { return r.sources }

// Times are milliseconds.
type Times struct {
	Execution float64 `json:"execution_ms"`
	Diagnosis float64 `json:"diagnosis_ms"`
	Repair    float64 `json:"repair_ms"`
	Check     float64 `json:"check_ms"`
}

func since(t time.Time) float64 { return float64(time.Since(t).Microseconds()) / 1000 }

// diagnosed is a program with its diagnoses.
type diagnosed struct {
	*task
	f   *failure
	res *diagnosis.Result
}

// diagnose finds failing inputs and the diagnoses for them.
func (t *task) diagnose(ctx context.Context, rep *Report) (*diagnosed, error) {
	begin := time.Now()
	f, err := t.findFailure(ctx)
	if err != nil {
		return nil, err
	}
	rep.Times.Execution = since(begin)
	rep.Failing, rep.Cases, rep.Example = len(f.failing), len(f.failing)+len(f.passing), f.Example
	d := &diagnosed{t, f, &diagnosis.Result{}}
	if f.Result != "wrong" {
		rep.Result, rep.Cause = f.Result, f.Why
		if f.Proved {
			rep.Proof = "proved"
		}
		return d, nil
	}
	begin = time.Now()
	t.req.progress("diagnosing %d components with %d failing inputs", len(t.components), len(f.failing))
	all := map[cfront.Expr]int32{}
	for _, c := range t.components {
		all[c.X] = int32(c.ID + 1)
	}
	r, err := t.execute(ctx, t.prog, t.entry, all, t.unroll())
	if err != nil {
		return nil, err
	}
	pass, fail, err := t.correct(ctx, r)
	if err != nil {
		return nil, err
	}
	if t.req.Eq7 {
		pass = t.terms.Not(fail)
	}
	data := &diagnosis.Data{Terms: t.terms, Components: len(t.components), Pass: pass}
	for i, h := range r.holes {
		data.Holes = append(data.Holes, diagnosis.Hole{
			Component: int(h.ID) - 1, Symbol: r.symbols[i], Org: t.terms.Extract(h.Org, 0, r.symbols[i].Width),
		})
	}
	d.res, err = diagnosis.Diagnose(ctx, t.ask, data, f.failing, diagnosis.Options{Size: t.req.Size, Max: 40})
	if err != nil {
		return nil, err
	}
	rep.Times.Diagnosis = since(begin)
	for _, g := range d.res.Diagnoses {
		var places []batch.Place
		for _, c := range g.Components {
			p := t.components[c].Position()
			places = append(places, batch.Place{File: p.File, Line: p.Line})
		}
		rep.Diagnoses = append(rep.Diagnoses, places)
		rep.Words = append(rep.Words, t.words(d.res, g.Components))
	}
	return d, nil
}

// words says why a diagnosis is one: with other values there every failing input
// would pass, and without it some conflict stays.
func (t *task) words(res *diagnosis.Result, set []int) string {
	in := map[int]bool{}
	for _, c := range set {
		in[c] = true
	}
	best := []int(nil)
	for _, c := range res.Conflicts {
		for _, m := range c {
			if in[m] && (best == nil || len(c) < len(best)) {
				best = c
			}
		}
	}
	var others []string
	for _, m := range best {
		if !in[m] && len(others) < 4 {
			c := t.components[m]
			others = append(others, fmt.Sprintf("%s in line %d", c, c.Position().Line))
		}
	}
	if len(others) == 0 {
		return "no other value anywhere else makes the failing inputs pass"
	}
	return "with other values here the failing inputs pass; this and " + strings.Join(others, ", ") + " cannot all be right"
}

// Fix localizes and corrects.
func Fix(ctx context.Context, req *Request) (*Report, error) {
	begin := time.Now()
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	defer t.close()
	ctx, cancel := context.WithDeadline(ctx, t.until)
	defer cancel()
	rep := &Report{Diagnoses: [][]batch.Place{}}
	rep.Entry, rep.Repairs = t.entry.Name, []batch.Repair{}
	err = t.fix(ctx, rep)
	rep.Notes = t.notes
	rep.Queries = t.ask.Queries + t.fill.Queries + t.prune.Queries
	rep.Millis = since(begin)
	if err != nil && ctx.Err() != nil {
		rep.Result, rep.Cause, err = Unknown, "time", nil
	}
	return rep, err
}

func (t *task) fix(ctx context.Context, rep *Report) error {
	d, err := t.diagnose(ctx, rep)
	if err != nil || rep.Result != "" {
		return err
	}
	if len(d.res.Diagnoses) == 0 {
		rep.Result, rep.Cause = None, fmt.Sprintf("no %d components can be corrected so that the failing inputs pass", max(t.req.Size, 2))
		if d.res.Unknown != "" {
			rep.Result, rep.Cause = Unknown, d.res.Unknown
		}
		return nil
	}
	begin := time.Now()
	found, why, err := d.correctAll(ctx, rep)
	rep.Times.Repair = since(begin)
	if err != nil {
		return err
	}
	begin = time.Now()
	defer func() { rep.Times.Check = since(begin) }()
	for _, r := range found {
		if len(rep.Repairs) >= max(t.req.Repairs, 1) {
			break
		}
		ok, err := t.report(ctx, rep, d.f, r)
		if err != nil {
			return err
		}
		_ = ok
	}
	if len(rep.Repairs) > 0 {
		rep.Result = Repaired
		if rep.Proof == "unknown" {
			rep.Result, rep.Cause = Unknown, "a repair meets all inputs tried, but whether it holds for all is not known"
		}
		return nil
	}
	rep.Result, rep.Cause = None, "no expression of the templates corrects any of the diagnoses"
	if why != "" {
		rep.Result, rep.Cause = Unknown, why
	}
	return nil
}

// found is a repair of a diagnosis.
type found struct {
	template.Repair
	components []*template.Component
	diagnosis  int
}

// stage is a pass over the diagnoses: small ones and cheap means come first.
type stage struct {
	size int
	near bool
}

// correctAll looks for repairs of the diagnoses until there are enough.
func (d *diagnosed) correctAll(ctx context.Context, rep *Report) (out []found, why string, err error) {
	problems := map[int]*template.Problem{}
	stages := []stage{{1, true}, {1, false}, {2, true}, {2, false}, {3, true}}
	want := max(d.req.Repairs, 1)
	for _, st := range stages {
		if d.req.NoNear && st.near {
			continue
		}
		for i, g := range d.res.Diagnoses {
			if len(g.Components) != st.size {
				continue
			}
			if time.Now().After(d.until) {
				return out, "time", nil
			}
			p := problems[i]
			if p == nil {
				if p, err = d.problem(ctx, g.Components); err != nil {
					return out, why, err
				}
				problems[i] = p
			}
			opt := template.Options{Repairs: want, Until: d.until, Plain: d.req.Plain, Meek: d.req.Meek, NoNear: !st.near, Seed: d.req.Seed}
			if len(d.req.Templates) > 0 {
				opt.Only = map[string]bool{}
				for _, n := range d.req.Templates {
					opt.Only[n] = true
				}
			}
			if st.near {
				opt.NoTemplates = true
			}
			d.req.progress("correcting diagnosis %d of %d", i+1, len(d.res.Diagnoses))
			res, err := template.Solve(ctx, p, d.ask, d.fill, opt)
			if err != nil {
				return out, why, err
			}
			rep.Tried += res.Tried
			rep.Steps = append(rep.Steps, res.Steps...)
			if res.Why != "" {
				why = res.Why
			}
			for _, r := range res.Repairs {
				out = append(out, found{r, p.Components, i})
			}
		}
		if len(out) > 0 {
			break
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Checked != b.Checked {
			return a.Checked
		}
		return a.Cost < b.Cost
	})
	return out, why, nil
}

// problem executes the program once more with only a diagnosis' components unknown
// (section IV: more of its paths are followed so).
func (d *diagnosed) problem(ctx context.Context, set []int) (*template.Problem, error) {
	holes := map[cfront.Expr]int32{}
	p := &template.Problem{Tree: d.tree}
	for k, c := range set {
		p.Components = append(p.Components, d.components[c])
		holes[d.components[c].X] = int32(-k - 1)
	}
	r, err := d.execute(ctx, d.prog, d.entry, holes, d.unroll())
	if err != nil {
		return nil, err
	}
	pass, fail, err := d.correct(ctx, r)
	if err != nil {
		return nil, err
	}
	if d.req.Eq7 || !r.complete {
		// A loop's limit is no failure of what is to be found.
		pass = d.terms.Not(fail)
	}
	p.Engine, p.Pass, p.Assume = r.engine, pass, d.inputs.assume
	p.Inputs = d.f.inputs
	for i, h := range r.holes {
		p.Holes = append(p.Holes, template.Hole{Component: int(h.ID) - 1, At: h, Symbol: r.symbols[i]})
	}
	p.Tests = append(append([]smt.Model(nil), d.f.failing...), d.f.passing...)
	return p, nil
}

// Locate finds the diagnoses.
func Locate(ctx context.Context, req *Request) (*batch.Ranking, *Report, error) {
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	defer t.close()
	ctx, cancel := context.WithDeadline(ctx, t.until)
	defer cancel()
	rep := &Report{Diagnoses: [][]batch.Place{}}
	rep.Entry = t.entry.Name
	d, err := t.diagnose(ctx, rep)
	if err != nil {
		if ctx.Err() != nil {
			rep.Result, rep.Cause, err = Unknown, "time", nil
		}
		return nil, rep, err
	}
	out := &batch.Ranking{Method: "diagnosis", Diagnoses: rep.Diagnoses, Failing: rep.Failing, Cases: rep.Cases, Notes: t.notes}
	seen := map[int]bool{}
	for i, g := range d.res.Diagnoses {
		for _, c := range g.Components {
			if seen[c] {
				continue
			}
			seen[c] = true
			x := t.components[c]
			pos := x.Position()
			out.Ranking = append(out.Ranking, batch.Suspect{File: pos.File, Line: pos.Line, Column: pos.Column, Statement: x.String(), Score: 1 / float64(len(g.Components)) / float64(i+1)})
		}
	}
	if d.res.Unknown != "" {
		out.Notes = append(out.Notes, d.res.Unknown)
	}
	return out, rep, nil
}
