package logic

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/locate/diagnosis"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/template"
	"gulo/internal/report"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// Answer is the result of a request, with what logic adds.
type Answer struct {
	report.Report
	Diagnoses [][]report.Place `json:"diagnoses"`
	Times     Times            `json:"times"`
	Tried     int              `json:"tried"`
	Queries   int              `json:"queries"`
	Proof     string           `json:"proof,omitempty"`  // for the first repair: proved, bounded or unknown
	Covers    *Covers          `json:"covers,omitempty"` // what the proof covers
	Calls     int              `json:"calls,omitempty"`  // for a program that is right: native calls, none of which fails
	Words     []string         `json:"why,omitempty"`    // why each diagnosis is one

	// Elsewhere reports that what cannot be compared on symbols can be compared by cases.
	Elsewhere bool `json:"-"`
}

// Times are the durations of the phases in milliseconds.
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
	f    *failure
	data *diagnosis.Data
	res  *diagnosis.Result
	size int   // size up to which the diagnoses are known
	left int64 // solver units left for executions in which only a diagnosis' components are unknown

	limit   string // limit that cut a way through the program; empty: all ways were followed
	evading int    // number of candidates that only evade the assertions
}

// diagnose finds failing inputs and the diagnoses for them, up to the given size. If the program does not fail, it sets
// the result in rep.
func (t *task) diagnose(ctx context.Context, rep *Answer, size int) (*diagnosed, error) {
	begin := time.Now()
	f, err := t.findFailure(ctx)
	if err != nil {
		return nil, err
	}
	rep.Times.Execution = since(begin)
	rep.Failing, rep.Cases, rep.Example = len(f.failing), len(f.failing)+len(f.passing), f.Example
	d := &diagnosed{task: t, f: f, res: &diagnosis.Result{}, left: smt.Units(t.req.Limit)}
	if f.Result != "wrong" {
		rep.Result, rep.Cause, rep.Covers = f.Result, f.Why, f.covers
		if f.Proved {
			rep.Proof = "proved"
		} else if f.Result == report.Alike {
			rep.Proof = "bounded"
		}
		rep.Elsewhere = f.elsewhere
		return d, nil
	}
	begin = time.Now()
	t.req.Say("diagnosing %s with %s", plural.N(len(t.components), "component"), plural.N(len(f.failing), "failing input"))
	all := map[cfront.Expr]int32{}
	for _, c := range t.components {
		all[c.X] = int32(c.ID + 1)
	}
	left := smt.Units(t.req.Limit / diagnosisShare)
	limited, free := t.bounded(ctx, &left)
	defer free()
	r, err := t.execute(limited, t.prog, t.entry, all, t.unroll())
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		d.guess(rep, smt.OutOfSteps)
		rep.Times.Diagnosis = since(begin)
		return d, nil
	}
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
	for _, id := range slices.Sorted(maps.Keys(r.suspects)) {
		data.Holes = append(data.Holes, diagnosis.Hole{Component: int(id) - 1, Symbol: r.suspects[id], Org: t.terms.False})
	}
	for i, h := range r.holes {
		data.Holes = append(data.Holes, diagnosis.Hole{Component: int(h.ID) - 1, Symbol: r.symbols[i]})
	}
	d.data = data
	if !r.complete && t.bound == 0 {
		d.limit = limitText(r.outs)
	}
	if err := d.diagnoseUpTo(ctx, rep, size); err != nil {
		return nil, err
	}
	rep.Times.Diagnosis = since(begin)
	return d, nil
}

const maxDiagnoses = 60

// diagnoseUpTo finds the diagnoses up to a size, unless they are known.
func (d *diagnosed) diagnoseUpTo(ctx context.Context, rep *Answer, size int) error {
	if size <= d.size {
		return nil
	}
	begin := time.Now()
	guard, cancel := d.guarded(ctx)
	defer cancel()
	res, err := diagnosis.Diagnose(guard, d.solver, d.data, d.f.failing, diagnosis.Options{Size: size, Max: maxDiagnoses, Work: smt.Units(d.req.Limit / diagnosisShare)})
	if err != nil && guard.Err() != nil && ctx.Err() == nil {
		if d.size == 0 {
			d.guess(rep, "time")
		} else {
			d.res.Unknown = "diagnoses of more components: time"
		}
		return nil
	}
	if err != nil {
		return err
	}
	d.res, d.size = res, size
	d.tell(rep)
	rep.Times.Diagnosis += since(begin)
	return nil
}

// tell puts the diagnoses into the report.
func (d *diagnosed) tell(rep *Answer) {
	rep.Diagnoses, rep.Words = [][]report.Place{}, nil
	for _, g := range d.res.Diagnoses {
		var places []report.Place
		for _, c := range g.Components {
			p := d.components[c].Position()
			places = append(places, report.Place{File: p.File, Line: p.Line})
		}
		rep.Diagnoses = append(rep.Diagnoses, places)
		rep.Words = append(rep.Words, d.words(d.res, g.Components))
	}
}

// words explains why a set of components is a diagnosis: with other values there every failing input would pass, and
// without it some conflict would remain.
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
			others = append(others, fmt.Sprintf("%s in %s", c, t.prog.Tree.At(c.Position())))
		}
	}
	if best == nil && res.Unknown != "" {
		return "whether another value here makes the failing inputs pass was not found out"
	}
	if best == nil { // it is in no known conflict
		return "another value here makes the failing inputs pass"
	}
	if len(others) == 0 {
		return "no other value anywhere else makes the failing inputs pass"
	}
	return "another value here makes the failing inputs pass; this and " + strings.Join(others, ", ") + " cannot all be correct"
}

// Fix locates and repairs the fault.
func Fix(ctx context.Context, req *job.Job) (*Answer, error) {
	begin := time.Now()
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	rep, err := t.fixed(ctx, begin)
	if again := t.elsewhere(ctx, err); again != nil {
		if other, no := Fix(ctx, again); no == nil {
			return other, nil
		}
	}
	return rep, err
}

func (t *task) fixed(ctx context.Context, begin time.Time) (*Answer, error) {
	defer t.close()
	ctx, cancel := budget.WithDeadline(ctx, t.until)
	defer cancel()
	rep := &Answer{Diagnoses: [][]report.Place{}}
	rep.Entry, rep.Repairs = t.called(), []report.Repair{}
	err := t.fix(ctx, rep)
	if err == nil && rep.Result == report.None && t.suspectAll() {
		entry, example := rep.Entry, rep.Example
		*rep = Answer{Diagnoses: [][]report.Place{}}
		rep.Entry, rep.Example, rep.Repairs = entry, example, []report.Repair{}
		err = t.fix(ctx, rep)
	}
	rep.Notes = t.notes
	rep.Queries = t.ask.Queries + t.fill.Queries + t.prune.Queries
	rep.Millis = since(begin)
	if err != nil && ctx.Err() != nil {
		rep.Result, rep.Cause, err = report.Unknown, "time", nil
	}
	return rep, err
}

func (t *task) fix(ctx context.Context, rep *Answer) error {
	d, err := t.diagnose(ctx, rep, 1)
	if err == nil && rep.Result != "" {
		t.hold(ctx, rep, d.f)
	}
	if err != nil || rep.Result != "" {
		return err
	}
	before := rep.Times.Diagnosis
	begin := time.Now()
	found, why, err := d.correctAll(ctx, rep)
	rep.Times.Repair = since(begin) - (rep.Times.Diagnosis - before)
	if err != nil {
		return err
	}
	if len(d.res.Diagnoses) == 0 && len(found) == 0 {
		rep.Result, rep.Cause = report.None, fmt.Sprintf("no other values of up to %s make all failing inputs pass", plural.N(t.req.Size, "expression"))
		switch {
		case d.res.Unknown != "":
			rep.Result, rep.Cause = report.Unknown, d.res.Unknown
		case d.limit != "":
			rep.Result, rep.Cause = report.Unknown, "no diagnosis within the limits: "+d.limit
		}
		return nil
	}
	begin = time.Now()
	defer func() { rep.Times.Check = since(begin) }()
	for _, r := range found {
		if len(rep.Repairs) >= max(t.req.Repairs, 1) {
			break
		}
		if err := t.report(ctx, rep, d.f, r); err != nil {
			return err
		}
	}
	if len(rep.Repairs) > 0 {
		rep.Result = report.Repaired
		if rep.Proof == "unknown" {
			rep.Result, rep.Cause = report.Unknown, "a repair meets all inputs tried, but whether it holds for all is not known"
		}
		return nil
	}
	rep.Result, rep.Cause = report.None, "none of the expressions that were tried corrects any of the diagnoses"
	if d.evading > 0 {
		rep.Cause = fmt.Sprintf("%s %s the assertions only since no failing input comes to them any more, or since nothing random is left; an assertion that says more helps", plural.N(d.evading, "expression"), plural.Verb(d.evading, "meets", "meet"))
	}
	if why != "" {
		rep.Result, rep.Cause = report.Unknown, why
	}
	return nil
}

// hold runs a program natively on many inputs, if no failing input was found on symbols. If a native run fails, that
// decides.
func (t *task) hold(ctx context.Context, rep *Answer, f *failure) {
	if rep.Result == report.Unknown && rep.Covers == nil {
		return
	}
	n, bad, err := t.native(ctx, f, t.req.Files, t.req.Options, false)
	switch {
	case err != nil:
		t.notes = append(t.notes, "not run natively: "+err.Error())
	case bad != "":
		rep.Result, rep.Proof, rep.Covers, rep.Elsewhere = report.None, "", nil, false
		rep.Example, rep.Cause = "natively "+bad, "compiled it differs from the reference where the formula does not"
		if t.ref == nil {
			rep.Cause = "compiled it fails where the formula does not"
		}
	case n > 0:
		rep.Calls = n
		if rep.Result == report.Unknown {
			rep.Cause += fmt.Sprintf("; %s %s not differ", plural.N(n, "native call"), plural.Verb(n, "does", "do"))
		}
	}
}

// found is a repair of a diagnosis, or a patch of statements.
type found struct {
	template.Repair
	components []*template.Component
	patch      *repair.Patch // edits of statements; nil: expressions replace components
}

// stage is a pass over the diagnoses. Small diagnoses and cheap means come first. All diagnoses are searched up to a
// cost before any is searched further.
type stage struct {
	size, least, most int    // range of costs of changed expressions; most 0: templates
	only              string // the only template to use, or own, halves or edits; empty: all templates
}

// Special kinds of stages.
const (
	own    = "own"    // templates of the user
	halves = "halves" // pairs of changes that each repair a part of the failing inputs
	edits  = "edits"  // edits of statements, as many as the stage's size
)

var stages = []stage{
	{1, 0, 0, own}, {1, 0, 5, ""}, {1, 0, 0, "constant"}, {1, 6, 99, ""}, {2, 0, 5, ""}, {2, 0, 0, edits}, {2, 0, 99, halves}, {1, 0, 0, ""},
	{2, 6, 7, ""}, {2, 0, 0, "constant"}, {3, 0, 8, ""},
}

// costsChoice is the cost of an expression that has another value if a condition holds. Such an expression is easily
// made to meet assertions, which say little. So with assertions edits of statements are tried before it.
const costsChoice = 10

// order returns the stages for the kind of specification.
func (d *diagnosed) order() []stage {
	if d.ref != nil {
		return stages
	}
	var out []stage
	for _, st := range stages {
		switch {
		case st.size == 1 && st.most == 99:
			st.most = costsChoice - 1
			out = append(out, st)
		case st.only == edits:
			out = append(out, st, stage{1, costsChoice, 99, ""})
		default:
			out = append(out, st)
		}
	}
	return out
}

// templateTime bounds the time for one diagnosis in later stages, so that others have their turn. A templateShare-th of
// the time left bounds it, too.
const (
	templateTime  = 3 * time.Second
	templateShare = 8
)

// Parts of the time left that a stage of edits, and a stage of pairs of changes, may take.
const (
	editShare = 2
	pairShare = 4
)

func (t *task) share(ctx context.Context, n int) time.Time { return budget.Part(ctx, t.until, n) }

// diagnosisShare is the part of the limit that the execution with all components unknown may take, in solver steps, and
// then the diagnosis again.
const diagnosisShare = 6

// guardShare is the part of the time left that each of these may take by the clock.
const guardShare = 2

func (t *task) guarded(ctx context.Context) (context.Context, context.CancelFunc) {
	return budget.WithDeadline(ctx, t.share(ctx, guardShare))
}

// bounded makes executions draw their feasibility questions from left. The context that it returns is cancelled when
// nothing is left.
func (t *task) bounded(ctx context.Context, left *int64) (_ context.Context, free func()) {
	limited, cancel := t.guarded(ctx)
	before, spent := t.prune.Left, t.spent
	t.prune.Left, t.spent = left, cancel
	return limited, func() {
		cancel()
		t.prune.Left, t.spent = before, spent
	}
}

// guess takes every component as a diagnosis, because the diagnoses could not be computed.
func (d *diagnosed) guess(rep *Answer, why string) {
	d.res = &diagnosis.Result{Unknown: "the diagnoses: " + why}
	for _, c := range d.components {
		d.res.Diagnoses = append(d.res.Diagnoses, diagnosis.Diagnosis{Components: []int{c.ID}})
	}
	d.size = d.req.Size
	d.tell(rep)
}

// correctAll looks for repairs of the diagnoses, stage by stage, until one is certain.
func (d *diagnosed) correctAll(ctx context.Context, rep *Answer) (out []found, why string, err error) {
	problems := map[string]*template.Problem{}
	for _, st := range d.order() {
		if d.req.NoNear && st.most > 0 {
			continue
		}
		if st.size > d.req.Size {
			continue
		}
		if st.only == own && len(d.templates) == 0 {
			continue
		}
		if st.only == edits {
			if d.req.NoEdits {
				continue
			}
			more, limit, err := d.edits(ctx, st.size, d.share(ctx, editShare))
			if err != nil {
				return out, why, err
			}
			if limit != "" {
				why = limit
			}
			if out = append(out, more...); certain(out) {
				break
			}
			continue
		}
		if err := d.diagnoseUpTo(ctx, rep, st.size); err != nil {
			return out, why, err
		}
		if st.only == halves {
			more, err := d.halves(ctx, rep, problems)
			if err != nil {
				return out, why, err
			}
			if out = append(out, more...); certain(out) {
				break
			}
			continue
		}
		sets := d.sets(st)
		until := d.until
		if st.size == 2 && st.most > 0 && !d.req.NoEdits {
			until = d.share(ctx, pairShare)
		}
		for i, set := range sets {
			if budget.Over(ctx, d.until) {
				return out, "time", nil
			}
			if budget.Over(ctx, until) {
				why = "time"
				break
			}
			p, known := problems[fmt.Sprint(set)]
			if !known {
				if p, err = d.problem(ctx, set); err != nil && err != errSlow {
					return out, why, err
				}
				err = nil
				problems[fmt.Sprint(set)] = p
			}
			if p == nil {
				why = "time"
				continue
			}
			d.req.Say("correcting diagnosis %d of %d", i+1, len(sets))
			res, err := template.Solve(ctx, p, d.ask, d.fill, d.options(ctx, st, len(sets)))
			if err != nil {
				return out, why, err
			}
			rep.Tried += res.Tried
			d.evading += res.Evading
			if res.Why != "" {
				why = res.Why
			}
			for _, r := range res.Repairs {
				out = append(out, found{Repair: r, components: p.Components})
			}
		}
		if certain(out) {
			break
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Checked != b.Checked {
			return a.Checked
		}
		if a.Changed != b.Changed {
			return a.Changed < b.Changed
		}
		return a.Cost < b.Cost
	})
	return out, why, err
}

// certain reports whether some repair is proved to hold. Others are kept in case none is found.
func certain(list []found) bool {
	for _, f := range list {
		if f.Checked {
			return true
		}
	}
	return false
}

// sets lists the sets of components that a stage tries: the diagnoses of its size and, for pairs, single diagnoses with
// another component. Minimal diagnoses are not enough: a single component may have values with which the failing inputs
// pass, although no expression has these values.
func (d *diagnosed) sets(st stage) (out [][]int) {
	var singles []int
	for _, g := range d.res.Diagnoses {
		if len(g.Components) == st.size {
			out = append(out, g.Components)
		}
		if len(g.Components) == 1 {
			singles = append(singles, g.Components[0])
		}
	}
	if st.size != 2 || st.most == 0 || st.least > 7 {
		return out
	}
	related := map[int]bool{}
	for _, c := range d.res.Conflicts {
		for _, m := range c {
			related[m] = true
		}
	}
	seen := map[[2]int]bool{}
	for _, near := range []bool{true, false} {
		for _, a := range singles {
			for b := range d.components {
				k := [2]int{min(a, b), max(a, b)}
				if a != b && related[b] == near && !seen[k] {
					seen[k] = true
					out = append(out, k[:])
				}
			}
		}
	}
	return out
}

// vacuous is how many repairs of a diagnosis are examined if only assertions say what is right: the first one may just
// avoid them.
const vacuous = 4

func (d *diagnosed) options(ctx context.Context, st stage, sets int) template.Options {
	opt := template.Options{
		Repairs: max(d.req.Repairs, 1), Until: d.until, Plain: d.req.Plain, Meek: d.req.Meek, Seed: d.req.Seed,
		NoNear: st.most == 0, NoTemplates: st.most > 0, MinCost: st.least, MaxCost: st.most,
	}
	if st.only == own {
		opt.Own = d.templates
	}
	if d.ref == nil {
		opt.Repairs = max(opt.Repairs, vacuous)
	}
	if (st.most == 0 || st.least > 0) && sets > 1 {
		most := max(budget.Until(ctx, d.until)/templateShare, templateTime/4)
		opt.Until = budget.Earlier(opt.Until, budget.After(ctx, min(most, templateTime)))
	}
	if len(d.req.Templates) > 0 {
		opt.Only = map[string]bool{}
		for _, n := range d.req.Templates {
			opt.Only[n] = st.only == "" || st.only == n
		}
	} else if st.only != "" {
		opt.Only = map[string]bool{st.only: true}
	}
	return opt
}

// problemShare is the part of the limit that the execution for one diagnosis may take, in solver steps, but at most
// half of what is left for all of them.
const problemShare = 12

var errSlow = errors.New("time")

// problem executes the program again with only a diagnosis' components unknown (section IV: this follows more of its
// paths).
func (d *diagnosed) problem(ctx context.Context, set []int) (*template.Problem, error) {
	holes := map[cfront.Expr]int32{}
	p := &template.Problem{Tree: d.tree}
	for k, c := range set {
		p.Components = append(p.Components, d.components[c])
		holes[d.components[c].X] = int32(-k - 1)
	}
	left := min(smt.Units(d.req.Limit/problemShare), d.left/2)
	defer func(before int64) { d.left -= before - left }(left)
	limited, free := d.bounded(ctx, &left)
	defer free()
	r, err := d.execute(limited, d.prog, d.entry, holes, d.unroll())
	if err != nil {
		if limited.Err() != nil && ctx.Err() == nil {
			err = errSlow
		}
		return nil, err
	}
	pass, fail, err := d.correct(ctx, r)
	if err != nil {
		return nil, err
	}
	if d.req.Eq7 || !r.complete && d.bound == 0 {
		// Reaching a loop's limit does not refute a candidate.
		pass = d.terms.Not(fail)
	}
	p.Engine, p.Pass, p.Assume, p.Evades = r.engine, pass, d.inputs.assume, d.evades(r)
	p.Inputs = d.relevant(pass, fail)
	for i, h := range r.holes {
		p.Holes = append(p.Holes, template.Hole{Component: int(h.ID) - 1, At: h, Symbol: r.symbols[i]})
	}
	p.Tests = append(append([]smt.Model(nil), d.f.failing...), d.f.passing...)
	if before := d.f.run.result(d.terms); d.ref == nil && before != nil {
		if p.Result = r.result(d.terms); p.Result != nil {
			p.Kept = map[int]uint64{}
			for i, in := range d.f.passing {
				p.Kept[len(d.f.failing)+i] = smt.Eval(before, in)
			}
		}
	}
	return p, nil
}

// relevant lists the inputs that occur in conditions, and those on which the program or the reference depends.
func (d *diagnosed) relevant(conds ...*smt.Term) (out []symbolic.Input) {
	in := map[string]bool{}
	for _, v := range smt.Vars(conds...) {
		in[v.Name] = true
	}
	for _, s := range d.f.all {
		if in[s.Name] || d.mattering[s.Name] {
			out = append(out, s)
		}
	}
	return out
}

// Locate finds the diagnoses, and ranks their components.
func Locate(ctx context.Context, req *job.Job) (*report.Ranking, *Answer, error) {
	t, err := prepare(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	out, rep, err := t.located(ctx, req)
	if again := t.elsewhere(ctx, err); again != nil {
		if out, rep, no := Locate(ctx, again); no == nil {
			return out, rep, nil
		}
	}
	return out, rep, err
}

func (t *task) located(ctx context.Context, req *job.Job) (*report.Ranking, *Answer, error) {
	defer t.close()
	ctx, cancel := budget.WithDeadline(ctx, t.until)
	defer cancel()
	rep := &Answer{Diagnoses: [][]report.Place{}}
	rep.Entry = t.called()
	d, err := t.diagnose(ctx, rep, req.Size)
	if err != nil {
		if ctx.Err() != nil {
			rep.Result, rep.Cause, err = report.Unknown, "time", nil
		}
		return nil, rep, err
	}
	out := &report.Ranking{Method: "diagnosis", Diagnoses: rep.Diagnoses, Failing: rep.Failing, Cases: rep.Cases, Notes: t.notes}
	seen := map[int]bool{}
	for _, g := range d.res.Diagnoses { // diagnoses of the same size are equally likely
		for _, c := range g.Components {
			if seen[c] {
				continue
			}
			seen[c] = true
			x := t.components[c]
			pos := x.Position()
			out.Ranking = append(out.Ranking, report.Suspect{File: pos.File, Line: pos.Line, Column: pos.Column, Statement: x.String(), Score: 1 / float64(len(g.Components))})
		}
	}
	if rep.Result == "" && !req.NoEdits && !hasSingle(d.res) {
		if err := d.locateEdits(ctx, rep, out); err != nil && ctx.Err() == nil {
			return nil, rep, err
		}
	}
	if d.res.Unknown != "" {
		out.Notes = append(out.Notes, d.res.Unknown)
	}
	return out, rep, nil
}

func hasSingle(r *diagnosis.Result) bool {
	for _, g := range r.Diagnoses {
		if len(g.Components) == 1 {
			return true
		}
	}
	return false
}

// locateEdits puts statements first whose change, or an insertion there, makes the inputs pass. It is used if no single
// expression explains the failures.
func (d *diagnosed) locateEdits(ctx context.Context, rep *Answer, out *report.Ranking) error {
	found, _, err := d.edits(ctx, 1, d.share(ctx, editShare))
	if err != nil || len(found) == 0 {
		return err
	}
	var places [][]report.Place
	var words []string
	var ranking []report.Suspect
	for _, f := range found {
		var set []report.Place
		for _, e := range f.patch.Edits() {
			x := report.EditOf(d.prog, e)
			set = append(set, report.Place{File: x.File, Line: x.Line})
			ranking = append(ranking, report.Suspect{File: x.File, Line: x.Line, Statement: strings.TrimSpace(x.Before + " (" + x.What + ")"), Score: 1})
		}
		places = append(places, set)
		words = append(words, "no other expression alone makes the failing inputs pass; a statement that is missing, or another one here, does")
	}
	rep.Diagnoses, rep.Words = append(places, rep.Diagnoses...), append(words, rep.Words...)
	out.Diagnoses, out.Ranking = rep.Diagnoses, append(ranking, out.Ranking...)
	return nil
}
