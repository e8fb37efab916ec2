package logic

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/template"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file repairs what no expression in place of a component can repair: missing or superfluous statements, wrong
// left sides, and pointers. Koenighofer and Bloem leave such faults to future work (section IV: case splitting is too
// expensive). Here package repair/natural proposes edits that meet the inputs collected so far, as concrete calls. Each
// edit is executed on symbols like any other repair. If an input refutes it, that input is collected, too: this is the
// loop of Fig. 3 with another generator.

// proofLimits are the time limits for the proof of one edit. All edits are tried with the first limit before any is
// tried with the second.
var proofLimits = []time.Duration{150 * time.Millisecond, 1500 * time.Millisecond}

// editRounds bounds how often inputs of refuted edits are learned.
const editRounds = 8

// errNoCases says that inputs cannot be converted to concrete calls.
var errNoCases = errors.New("the inputs cannot be made calls of the entry")

// edits looks for patches of up to most edits of statements.
func (d *diagnosed) edits(ctx context.Context, most int, until time.Time) (out []found, why string, err error) {
	d.req.Say("looking for %d missing or changed statements", most)
	suite, err := d.suite(append(append([]smt.Model(nil), d.f.failing...), d.f.passing...))
	if err != nil {
		return nil, "", nil // calls cannot be made
	}
	funcs := d.editable()
	sort.Slice(funcs, func(i, j int) bool { return funcs[i].Range.Start < funcs[j].Range.Start })
	refuted := map[string]bool{}
	var perhaps []found // patches that are neither proved nor refuted
	defer func() {
		if len(out) == 0 {
			out = perhaps
		}
	}()
	limit := d.ask.Limit
	defer func() { d.ask.Limit = limit }()
	for round := 0; round < editRounds && !budget.Over(ctx, until); round++ {
		res, err := natural.Solve(ctx, &natural.Problem{
			Prog: d.prog, Suite: suite, Funcs: funcs, MaxEdits: most, Limit: budget.Until(ctx, until), Want: 20, Numbers: true, Stay: d.ref == nil,
			Free: func(id int32) bool {
				s := d.prog.Stmts[id]
				return !d.req.Locked(s) && !asserts(s.X)
			},
		})
		if err != nil || len(res.Repairs) == 0 {
			if err == nil && res.Cause != "" {
				why = res.Cause
			}
			return out, why, err
		}
		learned := len(suite.Cases)
		todo := res.Repairs
		for _, limit := range proofLimits { // edits with quick proofs come first
			var later []natural.Repair
			d.ask.Limit = limit
			for _, r := range todo {
				key := patchKey(d, r.Patch)
				if refuted[key] {
					continue
				}
				good, known, counter, err := d.holds(ctx, r.Patch)
				if err != nil {
					return out, why, err
				}
				switch {
				case good && !known:
					later = append(later, r)
					continue
				case good:
					out = append(out, found{patch: r.Patch, Repair: template.Repair{Checked: true}})
				case counter != nil:
					d.f.failing = append(d.f.failing, counter)
					more, err := d.suite([]smt.Model{counter})
					if err != nil {
						return out, why, nil
					}
					suite.Cases = append(suite.Cases, more.Cases...)
				}
				refuted[key] = true
				if len(out) >= max(d.req.Repairs, 1) || budget.Over(ctx, until) {
					return out, why, nil
				}
			}
			todo = later
		}
		for _, r := range todo {
			refuted[patchKey(d, r.Patch)] = true
			perhaps = append(perhaps, found{patch: r.Patch})
		}
		if len(suite.Cases) == learned {
			return out, why, nil
		}
	}
	return out, "time", nil
}

// asserts reports whether an expression contains an assertion.
func asserts(x cfront.Expr) bool {
	found := false
	if x != nil {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.FuncRef); ok && r.Func.Name == "assert" {
				found = true
			}
			return !found
		})
	}
	return found
}

func patchKey(d *diagnosed, p *repair.Patch) string {
	s := ""
	for _, e := range p.Edits() {
		s += fmt.Sprintf("%d/%d %s;", e.Stmt, e.Gap, e.Describe(d.prog))
	}
	return s
}

// holds executes a patched program on symbols. good is true if no input fails; then known says whether that is proved.
// counter is an input on which the patched program fails, if one was found.
func (d *diagnosed) holds(ctx context.Context, p *repair.Patch) (good, known bool, counter smt.Model, err error) {
	w, err := d.write(ctx, p)
	if err != nil || w == nil {
		return false, false, nil, err
	}
	defer w.remove()
	proof, _, model, err := d.prove(ctx, d.f, w.prog)
	return err == nil && model == nil && proof != "", proof == "proved" || proof == "bounded", model, err
}

// suite converts inputs to concrete calls, with the results of the reference. Without a reference, passing inputs keep
// their results, and failing ones must only end without an error.
func (d *diagnosed) suite(ins []smt.Model) (*oracle.Suite, error) {
	if d.entry.Name == "main" || len(d.f.run.engine.Inputs) > 0 {
		return nil, errNoCases
	}
	lazy := &smt.Lazy{}
	var right, wrong []*oracle.State
	for _, in := range ins {
		s, err := d.call(in)
		if err != nil {
			return nil, err
		}
		if lazy.Use(in); d.ref == nil && lazy.Value(d.f.fail) == 1 {
			wrong = append(wrong, s)
			continue
		}
		right = append(right, s)
	}
	ref := &oracle.Reference{Prog: d.prog, Entry: d.entry}
	if d.ref != nil {
		ref = &oracle.Reference{Prog: d.ref, Entry: d.refEntry}
	}
	suite, _, err := ref.Suite(d.prog, right)
	if err != nil {
		return nil, err
	}
	steps := int64(usualSteps)
	for _, c := range suite.Cases {
		steps = max(steps, c.Want.Steps)
	}
	for _, s := range wrong {
		suite.Cases = append(suite.Cases, &oracle.Case{Name: s.Text, State: s, Want: &oracle.Run{Any: true, Steps: steps}})
	}
	return suite, nil
}

// usualSteps is how many steps a call may take if nothing else is known.
const usualSteps = 2000

// call converts an input to the state of a call.
func (t *task) call(in smt.Model) (*oracle.State, error) {
	s := &oracle.State{Globals: map[string][]oracle.Cell{}, Args: make([]oracle.Value, len(t.entry.Params)), Text: t.describeInput(in)}
	for _, i := range t.inputs.list {
		words := make([]int64, len(i.terms))
		for k, x := range i.terms {
			if x.Term.Op == smt.OpVar {
				words[k] = decimal(x, in)
			} else {
				words[k] = int64(x.Term.K)
			}
		}
		switch {
		case i.shape != nil:
			s.Args[i.param] = i.shape.call(s, words)
		case i.store != nil:
			if err := i.store.call(s, i, words, t.mattering); err != nil {
				return nil, err
			}
		case i.array:
			s.Args[i.param] = s.Array(i.typ, words)
		default:
			s.Args[i.param] = oracle.Value{Word: ctype.Wrap(i.typ, ctype.Word(words[0]))}
		}
	}
	return s, nil
}

// call sets a variable in the state of a call. A part that cannot be set is an error only if it matters.
func (s *storage) call(st *oracle.State, in *input, words []int64, matters map[string]bool) error {
	paths := map[int64]string{}
	offsets, names := oracle.Offsets(s.own.Type), oracle.Paths(s.own.Type)
	for i, off := range offsets {
		paths[off] = names[i]
	}
	for k, c := range s.cells {
		path, ok := paths[c.off]
		if !ok || s.own.Func != nil || strings.Contains(c.path, " byte ") {
			if matters[in.terms[k].Name] {
				return errNoCases
			}
			continue
		}
		st.Globals[s.own.Name] = append(st.Globals[s.own.Name], oracle.Cell{Path: path, Value: oracle.Value{Word: ctype.Wrap(c.typ, ctype.Word(words[k]))}})
	}
	return nil
}

func (t *task) describeInput(in smt.Model) string {
	var list []symbolic.Input
	for _, i := range t.inputs.symbols(nil) {
		if t.mattering[i.Name] {
			list = append(list, i)
		}
	}
	return describe(list, in)
}
