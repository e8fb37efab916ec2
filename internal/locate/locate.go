// Package locate runs all localization methods on one specification, side by side, and says where they agree: the
// gradient (Verma and Roy 2021), diagnosis by logic (Koenighofer and Bloem 2011), evidence (He and Gupta 2004), spectra
// (Ochiai and others), and the effects of edits.
//
// A reference gives all of them what they need: cases whose right result is known. That result is a postcondition for
// evidence and a corrected picture for the gradient. A contract is a postcondition for evidence; if it leaves only one
// value for a place, that value is the correction for the gradient.
package locate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/locate/effects"
	"gulo/internal/locate/evidence"
	"gulo/internal/locate/spectrum"
	"gulo/internal/logic"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/pwp"
	"gulo/internal/report"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// Method is a way to rank lines.
type Method struct{ Name, Does, Needs string }

// Methods are all methods, in the order of tables.
var Methods = []Method{
	{"gradient", "what the corrected end of a call depends on", "it needs calls whose end is known: --reference or --contract"},
	{"diagnosis", "sets of expressions with which all failing inputs could pass", "it needs --assert, --reference or a contract"},
	{"evidence", "what error traces make true and would have to make false", "it needs calls whose end is known: --reference or --contract"},
	{"spectrum", "which failing and passing runs execute a line", "it needs cases: --reference, --tests or --contract"},
	{"edits", "what edits of a line do to failing runs", "it needs whole runs, or calls whose end is known: --tests DIR, --reference or --contract"},
}

// Names lists the methods.
var Names = names()

func names() (out []string) {
	for _, m := range Methods {
		out = append(out, m.Name)
	}
	return out
}

// Combined is the result of all methods.
type Combined struct {
	Method  string            `json:"method"` // "all"
	Ranking []Line            `json:"ranking"`
	Left    map[string]string `json:"left_out"` // methods without a ranking, and why
	Rule    string            `json:"rule"`
	Notes   []string          `json:"notes,omitempty"`  // what no method has examined
	SoFar   bool              `json:"so_far,omitempty"` // the search was stopped before all methods had answered
	Failing int               `json:"failing"`
	Cases   int               `json:"cases"`

	Diagnoses [][]report.Place `json:"diagnoses"` // sets of places that together may be at fault, by logic

	Logic *logic.Answer               `json:"-"` // has the diagnoses in words; nil if there are none
	Lists map[string][]report.Suspect `json:"-"`
	until time.Time
	told  func(*Combined)          // called with results so far; may be nil
	few   []report.Suspect         // ranking by a spectrum of too few runs
	set   *cases.Set               // calls with a reference; may be nil
	calls *pwp.Calls               // calls with a contract; may be nil
	Took  map[string]time.Duration `json:"-"` // time by method, also for methods without a ranking
}

// mostCases bounds the failing cases that gradient and evidence look at.
const mostCases = 6

// Locate runs all methods that the specification allows.
func Locate(ctx context.Context, req *job.Job) (*Combined, error) { return locate(ctx, req, nil) }

func locate(ctx context.Context, req *job.Job, told func(*Combined)) (*Combined, error) {
	req = req.Keeping()
	if req.Limit == 0 {
		req.Limit = 20 * time.Second
	}
	ctx = budget.Begin(ctx, req.Guarded())
	out := &Combined{told: told, until: budget.After(ctx, req.Limit), Method: "all", Rule: Rule, Left: map[string]string{}, Lists: map[string][]report.Suspect{}, Took: map[string]time.Duration{}, Diagnoses: [][]report.Place{}}
	if !req.ByContract() && !examples(req) && !req.Assert {
		return nil, job.Usage("what is right? give --reference, --contract, --contracts, --tests or --assert")
	}
	if err := req.CheckTests(); err != nil {
		return nil, err
	}
	one := *req
	s := &search{Combined: out, req: &one}
	for _, l := range localizers {
		if !wants(req, l.Methods()...) || l.Accepts(s) != nil {
			continue
		}
		if err := l.Locate(ctx, s); err != nil {
			return nil, err
		}
		s.tell(s.req)
	}
	out.fewRuns()
	if s.why != nil && len(out.Lists) == 0 && out.Cases == 0 && !req.ByContract() {
		return nil, s.why
	}
	out.sort(req)
	return out, ctx.Err()
}

// Localizer is one way to localize by a specification: the methods that work on the same cases. The search has the job,
// and the results of the localizers before.
type Localizer interface {
	// Methods returns the methods, of those in the table Methods, that it may answer for.
	Methods() []string
	// Accepts returns nil, or why the methods cannot be used. If no localizer accepts, the report says what the method
	// needs, from the table.
	Accepts(s *search) error
	// Locate adds rankings to the report, or why there are none (Combined.Left).
	Locate(ctx context.Context, s *search) error
}

// localizers are used in this order. A later one does not replace a ranking.
var localizers = []Localizer{byContract{}, byRuns{}, byCalls{}, byEdits{}, byLogic{}}

// search is a job in progress.
type search struct {
	*Combined
	req *job.Job // the entry becomes the contract's once it is known
	why error    // what is missing for runs or for calls
}

// examples reports whether there are cases whose right result is known.
func examples(req *job.Job) bool {
	return len(req.Reference) > 0 || req.Tests != "" && (!req.ByContract() || req.Folder())
}

// byContract makes calls under a contract.
type byContract struct{}

// Methods includes edits, since byEdits tries them on the calls that are made here.
func (byContract) Methods() []string { return []string{"evidence", "spectrum", "gradient", "edits"} }

func (byContract) Accepts(s *search) error {
	if !s.req.ByContract() {
		return errors.New("no contract is given")
	}
	return nil
}

func (byContract) Locate(ctx context.Context, s *search) (err error) {
	s.req.Entry, err = s.byContract(ctx, s.req)
	return err
}

// byRuns compares whole runs.
type byRuns struct{}

func (byRuns) Methods() []string { return []string{"edits", "spectrum"} }

func (byRuns) Accepts(s *search) error {
	if !examples(s.req) || s.req.Tests != "" && !s.req.Folder() {
		return errors.New("there are no whole runs to compare")
	}
	return nil
}

func (byRuns) Locate(ctx context.Context, s *search) (err error) {
	s.why, err = s.byRuns(ctx, s.req)
	return err
}

// byCalls compares calls of a function in states of memory.
type byCalls struct{}

// Methods includes edits, since byEdits tries them on the calls that are made here.
func (byCalls) Methods() []string { return []string{"gradient", "evidence", "spectrum", "edits"} }

func (byCalls) Accepts(s *search) error {
	if len(s.req.Reference) == 0 && (s.why == nil || !examples(s.req)) {
		return errors.New("no reference is given whose calls could be compared")
	}
	return nil
}

func (l byCalls) Locate(ctx context.Context, s *search) error {
	err := s.byCalls(ctx, s.req)
	var none *job.UsageError
	if !errors.As(err, &none) {
		return err
	}
	for _, m := range l.Methods() {
		s.leave(m, none.Error())
	}
	s.why = none
	return nil
}

// byLogic computes diagnoses.
type byLogic struct{}

func (byLogic) Methods() []string { return []string{"diagnosis"} }

func (byLogic) Accepts(*search) error { return nil } // logic itself says what it cannot follow

func (byLogic) Locate(ctx context.Context, s *search) error { return s.byLogic(ctx, s.req) }

// fewRuns uses the spectrum of too few runs if there is no better one.
func (o *Combined) fewRuns() {
	if o.Lists["spectrum"] == nil && len(o.few) > 0 {
		o.Lists["spectrum"] = o.few
	}
}

// left returns so many quarters of the time left.
func (o *Combined) left(ctx context.Context, quarters int) time.Duration {
	return max(budget.Until(ctx, o.until)*time.Duration(quarters)/4, 50*time.Millisecond)
}

// begin starts the clock for methods. The function that it returns adds the time to theirs.
func (o *Combined) begin(methods ...string) (done func()) {
	begin := time.Now()
	return func() {
		for _, m := range methods {
			o.Took[m] += time.Since(begin)
		}
	}
}

// sort removes what is locked or not asked for, and makes the combined ranking.
func (o *Combined) sort(req *job.Job) {
	for _, m := range Methods {
		if o.Lists[m.Name] == nil && o.Left[m.Name] == "" {
			o.Left[m.Name] = m.Needs
		}
		if o.Lists[m.Name] != nil {
			delete(o.Left, m.Name)
		}
	}
	for m, list := range o.Lists {
		if list = report.Unlocked(list, req.Lock); !wants(req, m) {
			list = nil
		}
		if o.Lists[m] = list; len(list) == 0 {
			delete(o.Lists, m)
			o.leave(m, "it suspects nothing that is not locked")
		}
	}
	o.Ranking = Combine(o.Lists)
}

// wants reports whether one of some methods is asked for.
func wants(r *job.Job, methods ...string) bool { return slices.ContainsFunc(methods, r.Asks) }

// note adds notes, without duplicates.
func (o *Combined) note(list []string) {
	for _, n := range list {
		if !slices.Contains(o.Notes, n) {
			o.Notes = append(o.Notes, n)
		}
	}
}

// leave says why a method has no ranking, unless it has one or a reason was given.
func (o *Combined) leave(m, why string) {
	if o.Left[m] == "" && o.Lists[m] == nil {
		o.Left[m] = why
	}
}

// byContract applies evidence and spectrum to calls with a contract, and the gradient if the contract leaves only one
// value for a place. It returns the contract's function.
func (o *Combined) byContract(ctx context.Context, req *job.Job) (entry string, err error) {
	req.Say("evidence")
	done := o.begin("evidence", "spectrum")
	q := *req
	if q.Folder() {
		q.Tests = "" // whole runs are not calls
	}
	q.Limit = o.left(ctx, 2)
	rank, rep, err := pwp.Locate(ctx, &q, true)
	if err != nil {
		return "", err
	}
	done()
	o.Failing, o.Cases = rank.Failing, rank.Cases
	if rep.Result != "" {
		o.Left["evidence"], o.Left["spectrum"], o.Left["gradient"] = rep.Cause, rep.Cause, rep.Cause
		return rep.Entry, nil
	}
	o.Lists["evidence"], o.Lists["spectrum"], o.calls = rank.Ranking, rep.Spectrum, rep.Calls
	o.tell(req)
	defer o.begin("gradient")()
	var ends []wanted
	for _, t := range rep.Traces {
		if list := t.Wanted(); t.Verdict.Fault == nil && len(list) > 0 {
			ends = append(ends, wanted{t.Case, func(*oracle.Call) []oracle.Scalar { return list }})
		}
	}
	o.gradient(ctx, req, rep.Suite, ends, "the contract leaves no single value for what is wrong")
	return rep.Entry, nil
}

// byRuns applies the methods that work on whole runs: the given ones and those made from them.
func (o *Combined) byRuns(ctx context.Context, req *job.Job) (why, err error) {
	req.Say("runs")
	done := o.begin("spectrum")
	q := *req
	q.Limit = o.left(ctx, 3)
	set, err := cases.OfRuns(ctx, &q, nil)
	if req.Space = q.Space; err == nil && set.Spaced != "" {
		o.note([]string{set.Spaced})
	}
	var none *job.UsageError
	if errors.As(err, &none) {
		o.leave("edits", none.Error())
		return none, nil
	}
	if err != nil {
		return nil, err
	}
	o.note(set.LeftOut())
	rank, err := covers(set, set.Spectral(), spectrum.Ochiai)
	if err != nil {
		return nil, err
	}
	if rank.Failing == 0 {
		for _, m := range []string{"spectrum", "edits"} {
			o.leave(m, fmt.Sprintf("%s %s met", plural.All(rank.Cases, "run"), plural.Verb(rank.Cases, "is", "are")))
		}
		o.Cases = max(o.Cases, rank.Cases)
		return nil, nil
	}
	if o.Lists["spectrum"] == nil {
		done()
		o.Failing, o.Cases = rank.Failing, rank.Cases
		if o.few = rank.Ranking; len(req.Reference) == 0 || set.Telling() {
			o.Lists["spectrum"] = rank.Ranking
		}
	}
	if !wants(req, "edits") {
		return nil, nil
	}
	o.tell(req)
	req.Say("edits")
	done = o.begin("edits")
	list, none2, err := effects.Rank(ctx, set, o.left(ctx, 2))
	if err != nil {
		return nil, err
	}
	done()
	if o.Lists["edits"] = list; len(list) == 0 {
		delete(o.Lists, "edits")
		o.leave("edits", none2)
	}
	return nil, nil
}

// byCalls applies the methods that work on calls.
func (o *Combined) byCalls(ctx context.Context, req *job.Job) error {
	req.Say("cases")
	done := o.begin("spectrum")
	set, err := cases.Make(ctx, req)
	if err != nil {
		return err
	}
	o.note(set.LeftOut())
	rank, err := covers(set, set.Given, spectrum.Ochiai)
	if err != nil {
		return err
	}
	if o.Lists["spectrum"] == nil && rank.Failing > 0 {
		o.Failing, o.Cases = rank.Failing, rank.Cases
		o.Lists["spectrum"] = rank.Ranking
		done()
	}
	if rank.Failing == 0 {
		for _, m := range []string{"gradient", "evidence", "spectrum"} {
			o.leave(m, fmt.Sprintf("%s %s met", plural.All(rank.Cases, "case"), plural.Verb(rank.Cases, "is", "are")))
		}
		o.Cases = max(o.Cases, rank.Cases)
		return nil
	}
	if set.Given.Entry == nil {
		o.leave("gradient", "whole runs say what is printed, not what memory should hold")
		o.leave("evidence", "it needs a contract, or calls of a function")
		return nil
	}
	o.set = set
	o.tell(req)
	bad, err := failing(set.Given)
	if err != nil {
		return err
	}
	if o.Lists["evidence"] == nil {
		req.Say("evidence")
		done = o.begin("evidence")
		if err := o.evidence(set, bad); err != nil {
			return err
		}
		done()
	}
	if o.Lists["gradient"] == nil {
		o.tell(req)
		done = o.begin("gradient")
		var ends []wanted
		for _, c := range bad {
			ends = append(ends, wanted{c, func(call *oracle.Call) []oracle.Scalar { return call.Places(c) }})
		}
		o.gradient(ctx, req, set.Given, ends, "no failing case comes to its end")
		done()
	}
	return nil
}

// failing returns the cases that a suite's program fails, short ones first and at most mostCases.
func failing(s *oracle.Suite) ([]*oracle.Case, error) {
	run, err := oracle.NewRunner(s)
	if err != nil {
		return nil, err
	}
	steps := map[*oracle.Case]int64{}
	var out []*oracle.Case
	for _, c := range s.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		if !r.Meets(c.Want) {
			out = append(out, c)
			steps[c] = r.Steps
		}
	}
	slices.SortStableFunc(out, func(a, b *oracle.Case) int { return int(steps[a] - steps[b]) })
	return out[:min(len(out), mostCases)], nil
}

func (o *Combined) evidence(set *cases.Set, bad []*oracle.Case) error {
	run, err := oracle.NewRunner(set.Given)
	if err != nil {
		return err
	}
	var traces []*evidence.Trace
	for _, c := range bad {
		t, err := evidence.RecordWanted(run, c)
		if err != nil {
			o.Left["evidence"] = err.Error()
			continue
		}
		traces = append(traces, t)
	}
	in := map[*cfront.Func]bool{}
	for _, f := range set.Scope {
		in[f] = true
	}
	if list := pwp.Ranked(traces, in); len(list) > 0 {
		o.Lists["evidence"] = list
	}
	return nil
}

// byLogic computes diagnoses by the contract or, if that cannot be followed, by the reference or assertions.
func (o *Combined) byLogic(ctx context.Context, req *job.Job) error {
	var tries []job.Spec
	if req.ByContract() {
		tries = append(tries, job.Spec{Contract: req.Contract, Contracts: req.Contracts})
	}
	if len(req.Reference) > 0 || req.Assert {
		tries = append(tries, job.Spec{Reference: req.Reference})
	}
	defer o.begin("diagnosis")()
	for _, by := range tries {
		if o.Lists["diagnosis"] != nil {
			break
		}
		req.Say("diagnosis")
		r := *req
		r.Spec, r.Limit = by, o.left(ctx, 4)
		if err := o.diagnose(ctx, &r); err != nil {
			return err
		}
	}
	return nil
}

func (o *Combined) diagnose(ctx context.Context, r *job.Job) error {
	limited, cancel := budget.WithDeadline(ctx, budget.After(ctx, r.Limit+r.Limit/20))
	defer cancel()
	rank, rep, err := logic.Locate(limited, r)
	var un *symbolic.Unsupported
	var use *job.UsageError
	switch {
	case errors.As(err, &un), errors.As(err, &use) && len(o.Took) > 0, errors.Is(err, smt.ErrMissing) && len(o.Lists) > 0:
		o.Left["diagnosis"] = err.Error()
	case err != nil && ctx.Err() == nil && (limited.Err() != nil || errors.Is(err, context.DeadlineExceeded)):
		o.Left["diagnosis"] = "its time was up"
	case err != nil:
		return err
	case rank == nil || len(rank.Ranking) == 0:
		o.Left["diagnosis"] = "it found none"
		if rep != nil && rep.Result != "" {
			o.Left["diagnosis"] = strings.TrimSpace(rep.Result + ": " + strings.TrimSpace(rep.Cause+" "+rep.Proof))
		}
	default:
		o.Logic = rep
		o.Lists["diagnosis"], o.Diagnoses = rank.Ranking, append(o.Diagnoses, rank.Diagnoses...)
		o.Failing, o.Cases = max(o.Failing, rank.Failing), max(o.Cases, rank.Cases)
	}
	return nil
}
