package session

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/space"
	"gulo/internal/repair/trace"
	"gulo/internal/testgen"
	"gulo/internal/trust"
)

// This file makes repairs trustworthy: before one is shown the candidates run
// on generated inputs of the shapes found in the session; those that end in an
// error state or break what must be kept come last, and where two of equal size
// behave differently the user is shown an input on which they do.

// verifyLimit bounds the time that all candidates together may run.
const verifyLimit = 15 * time.Second

// judgement says how the candidates were tried.
type judgement struct {
	judge   *oracle.Trials
	why     string // why they were not tried; "" if they were
	outside int    // the first input that is left out; -1 for none
	differs int    // a candidate that is as good as the first but behaves differently; 0 for none
	on      int    // the input on which it does
}

// newTrials returns trials on generated inputs of the function that example chooses; without them, the text says why.
// The state at entry of that function is the example for the inputs. If the first repair changes what happens before,
// the recorded state came from the fault, and the repaired program's call is the example instead.
func (s *searcher) newTrials(ctx context.Context, first *choice) (*oracle.Trials, string) {
	if len(s.entries) == 0 {
		return nil, "no function was seen from its beginning"
	}
	im := s.example()
	fn := im.Frames[0].Func
	if first.other && first.text == nil {
		edits, err := natural.Overlays(s.prog, first.patch)
		if err != nil {
			return nil, err.Error()
		}
		begin := s.begins()
		begin.Spend = s.spend
		better, err := oracle.Entered(ctx, s.prog, fn, begin, edits...)
		if err == nil && better != nil {
			im = better
		}
	}
	plan := testgen.Infer(im, fn)
	if len(plan.Shapes()) == 0 {
		return nil, plan.Why
	}
	plan.Met = true
	j := &oracle.Trials{Prog: s.prog, Plan: plan, Stop: func() bool { return ctx.Err() != nil }, Spend: s.spend}
	for name, on := range s.keep {
		if f := s.prog.Tree.Func(name); on && f != nil {
			j.Keep = append(j.Keep, f)
		}
	}
	sort.Slice(j.Keep, func(a, b int) bool { return j.Keep[a].Name < j.Keep[b].Name })
	return j, ""
}

// example returns the state at entry of a function that something is asserted of; if none was recorded, that of the
// first function entered. A function in which the program only halted says nothing about a repair.
func (s *searcher) example() *heap.Image {
	asserted := map[*cfront.Func]bool{}
	for i := range s.given {
		asserted[s.given[i].fn] = true
	}
	for _, seg := range s.segs {
		if len(seg.Start.Frames) > 0 {
			asserted[seg.Start.Frames[0].Func] = true
		}
	}
	for _, im := range s.entries {
		if asserted[im.Frames[0].Func] {
			return im
		}
	}
	return s.entries[0]
}

// verify tries the repairs found on generated inputs and orders them. limit is the time that the user allows; 0 for the
// usual time.
func (s *searcher) verify(ctx context.Context, limit time.Duration) *judgement {
	if len(trace.Deferred(s.prog, s.segments())) > 0 {
		return &judgement{why: "a loop has not been left yet"}
	}
	j, why := s.newTrials(ctx, &s.found[0])
	if j == nil {
		return &judgement{why: why}
	}
	out := &judgement{judge: j, outside: -1}
	written := j.Run(repair.NewPatch())
	s.asWritten, s.inputs = nil, nil
	if written.Unknown != "" {
		return &judgement{why: written.Unknown}
	}
	s.asWritten, s.inputs = written, j.Inputs()
	all := []*oracle.Tally{written}
	most := verifyLimit
	if limit > 0 {
		most = min(most, limit)
	}
	end := budget.After(ctx, most)
	for i := range s.found {
		s.found[i].verdict = nil
		if ctx.Err() != nil || budget.Over(ctx, end) {
			break
		}
		if s.found[i].text != nil {
			continue
		}
		v := j.Run(s.found[i].patch)
		if v.Unknown != "" {
			return &judgement{why: v.Unknown}
		}
		s.found[i].verdict = v
		all = append(all, v)
		shape, asked := s.keep["shape"]
		switch {
		case asked && shape:
			v.Unkept += v.Broken
		case asked:
			v.Broken = 0
		}
	}
	all = append(all, s.harden(ctx, j, end)...)
	out.outside = oracle.LeaveOut(all)
	s.sortTried()
	s.found = s.found[:min(len(s.found), maxFound)]
	first := s.found[0].verdict
	for i := 1; i < len(s.found) && first != nil; i++ {
		v := s.found[i].verdict
		if v == nil || first.Better(v) {
			break
		}
		if k := oracle.Differ(first, v); k >= 0 {
			out.differs, out.on = i, k
			break
		}
	}
	return out
}

// sortTried orders the repairs found by their verdicts. Text edits were not tried and keep their places.
func (s *searcher) sortTried() {
	var at []int
	var list []choice
	for i, c := range s.found {
		if c.text == nil {
			at, list = append(at, i), append(list, c)
		}
	}
	sort.SliceStable(list, func(a, b int) bool {
		v, w := list[a].verdict, list[b].verdict
		if v == nil || w == nil {
			return v != nil && w == nil
		}
		return v.Better(w)
	})
	for k, i := range at {
		s.found[i] = list[k]
	}
}

// harden adds variants of repairs that fail on some input: with a null check around an inserted or changed statement,
// if that fails on fewer inputs. It returns their verdicts.
func (s *searcher) harden(ctx context.Context, j *oracle.Trials, end time.Time) []*oracle.Tally {
	var out []*oracle.Tally
	n := len(s.found)
	for i := 0; i < n && !budget.Over(ctx, end); i++ {
		c := s.found[i]
		if c.verdict == nil || c.verdict.Errors == 0 {
			continue
		}
		for _, e := range c.patch.Edits() {
			if e.Stmt != 0 && s.prog.Stmts[e.Stmt].Kind != lower.Expr || s.patch.Stmts[e.Stmt] == e {
				continue
			}
			for _, h := range space.Hardened(e) {
				if budget.Over(ctx, end) {
					return out
				}
				p := c.patch.Merge(repair.NewPatch(h))
				if s.misses(s.segments(), p) >= 0 {
					continue
				}
				v := j.Run(p)
				if v.Unknown == "" && v.Errors < c.verdict.Errors {
					s.found = append(s.found, choice{patch: p, distance: c.distance + 3, verdict: v})
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// tally says in words how the runs ended; shapes names the kinds of inputs. written is what the program as written did,
// nil if not known.
func tally(v, written *oracle.Tally, shapes string) string {
	g := generatedOf(v, written, shapes)
	return g.String()
}

// generatedOf counts how the runs ended.
func generatedOf(v, written *oracle.Tally, shapes string) trust.Generated {
	g := trust.Generated{Inputs: len(v.Outcomes) - v.Outside, Errors: v.Errors, Unkept: v.Unkept, Usual: v.Usual, Shapes: shapes, Differ: -1}
	for i, o := range v.Outcomes {
		if o.Error == "" && o.Shape != "" {
			g.Broken++
		}
		if n := lost(&o, written, i); n > 0 {
			g.Losing++
			g.Most = max(g.Most, n)
		}
	}
	if written != nil {
		g.Differ, g.Mended, g.Spoilt = oracle.Differing(v, written)
	}
	return g
}

// changed describes the shortest input on which the result differs from that of the program as written, with both
// results.
func changed(v, written *oracle.Tally, inputs []string) (example string) {
	if written == nil {
		return ""
	}
	for i := range min(len(v.Outcomes), len(written.Outcomes), len(inputs)) {
		now, before := &v.Outcomes[i], &written.Outcomes[i]
		if now.Error != "" || before.Error != "" || now.Text == "" || before.Text == "" || now.Text == before.Text {
			continue
		}
		was, is := apart(before.Text, now.Text)
		if text := fmt.Sprintf("%s: %s; before: %s", inputs[i], is, was); example == "" || len(text) < len(example) {
			example = text
		}
	}
	return example
}

// apart removes from two results the parts in which they agree.
func apart(a, b string) (string, string) {
	x, y := strings.Split(a, "; "), strings.Split(b, "; ")
	if len(x) != len(y) {
		return a, b
	}
	var p, q []string
	for i := range x {
		if x[i] != y[i] {
			p, q = append(p, x[i]), append(q, y[i])
		}
	}
	return strings.Join(p, "; "), strings.Join(q, "; ")
}

// lost returns how many more nodes a run loses than the program as written does on the same input.
func lost(o *oracle.Outcome, written *oracle.Tally, i int) int {
	if written == nil || i >= len(written.Outcomes) {
		return o.Lost
	}
	return o.Lost - written.Outcomes[i].Lost
}

// evidence says what the patch in force was tried on.
func (s *searcher) evidence(j *judgement) {
	switch {
	case j == nil:
		return
	case j.judge == nil:
		s.printf("not tried on made-up inputs: %s\n", j.why)
		return
	}
	v := s.found[0].verdict
	if v == nil {
		if s.found[0].text == nil {
			s.printf("not tried on made-up inputs: there was no time left\n")
		}
		return
	}
	var kinds []string
	for _, sh := range j.judge.Plan.Shapes() {
		kinds = append(kinds, sh.Kind.String()+"s")
	}
	inputs := j.judge.Inputs()
	if v.Outside == len(v.Outcomes) && v.Outside > 0 {
		s.printf("not tried on made-up inputs: the program as written and every repair fail on all %d, for example %s: %s\n", v.Outside, inputs[j.outside], v.Outcomes[j.outside].Error)
		return
	}
	g := generatedOf(v, s.asWritten, strings.Join(kinds, " and "))
	s.printf("Tried on %s.\n", g.String())
	if text := changed(v, s.asWritten, inputs); g.Differ > 0 && text != "" {
		s.printf("  on %s\n", text)
	}
	if v.Outside > 0 {
		s.printf("  left out: %s on which the program as written and every repair fail, for example %s: %s\n", plural.N(v.Outside, "input"), inputs[j.outside], v.Outcomes[j.outside].Error)
	}
	for i, o := range v.Outcomes {
		switch {
		case o.Error != "" && v.Errors == 0:
			continue
		case o.Error != "":
			s.printf("  on %s: %s\n", inputs[i], o.Error)
		case o.Kept != "":
			s.printf("  on %s: %s does not hold; the result is %s\n", inputs[i], o.Kept, o.Text)
		case v.Errors+v.Unkept == 0 && (o.Shape != "" || lost(&o, s.asWritten, i) > v.Usual):
			what := o.Shape
			if what == "" {
				what = fmt.Sprintf("%s lost", plural.N(o.Lost, "node"))
			}
			s.printf("  on %s: %s; the result is %s\n", inputs[i], what, o.Text)
		default:
			continue
		}
		break
	}
	if j.differs > 0 {
		s.askWhich(j, inputs)
	}
}

// askWhich shows an input on which two repairs that are equally good differ.
func (s *searcher) askWhich(j *judgement, inputs []string) {
	n := j.differs + 1
	s.printf("repairs 1 and %d behave differently, for example on %s:\n", n, inputs[j.on])
	var texts []string
	for _, i := range []int{0, j.differs} {
		o := s.found[i].verdict.Outcomes[j.on]
		text := o.Text
		if text == "" {
			text = "what patches draws"
		}
		if o.Error != "" {
			text = o.Error
		}
		if o.Lost > 0 {
			text += fmt.Sprintf(" (%s lost)", plural.N(o.Lost, "node"))
		}
		texts = append(texts, text)
	}
	if texts[0] == texts[1] { // the texts leave out links to parents, for example
		s.printf("  both give %s and differ in memory that this line does not show; patches draws it\n", texts[0])
	} else {
		s.printf("  1. gives %s\n  %d. gives %s\n", texts[0], n, texts[1])
	}
	s.printf("which is right? choose 1 or choose %d\n", n)
}

// keepCmd says what must hold after the function under repair.
func (s *searcher) keepCmd(ctx context.Context, args string) error {
	name, off := strings.CutPrefix(args, "-")
	if name == "" {
		var on []string
		for k, yes := range s.keep {
			if yes {
				on = append(on, k)
			}
		}
		sort.Strings(on)
		if len(on) == 0 {
			on = []string{"nothing"}
		}
		s.printf("kept: %s\n", strings.Join(on, ", "))
		return nil
	}
	if name == "shape" {
		s.keep[name] = !off
		s.printf("%s\n", map[bool]string{false: "a repair must keep the shape of lists and trees and lose no node", true: "the shape of lists and trees is not looked at"}[off])
		return nil
	}
	f := s.prog.Tree.Func(name)
	if f == nil {
		return errorf("no function %s; keep wants a predicate of the program, or shape", name)
	}
	if off {
		delete(s.keep, name)
		s.printf("%s is not required any more\n", name)
		return nil
	}
	if !s.predicate(f) {
		return errorf("%s cannot be used: a predicate returns an integer and takes no argument, or one pointer of a type that the function under repair takes or returns", name)
	}
	s.keep[name] = true
	s.printf("%s must hold after every run of a repair\n", name)
	return nil
}

func (s *searcher) predicate(f *cfront.Func) bool {
	for _, im := range s.entries {
		if oracle.Fits(f, im.Frames[0].Func) {
			return true
		}
	}
	return len(s.entries) == 0 && f.Type.Result != nil && f.Type.Result.IsInteger() && len(f.Params) <= 1
}
