package locate

import (
	"context"
	"fmt"
	"time"

	"gulo/internal/budget"
	"gulo/internal/job"
	"gulo/internal/locate/gradient"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/session"
	"gulo/internal/spec"
	"gulo/internal/target/sim"
)

// This file runs sessions that nobody types: a failing case is entered on the machine and stepped through to its end,
// and there the wanted picture is asserted.

// wanted is a failing case, with the places whose values at its end are to be corrected.
type wanted struct {
	c    *oracle.Case
	ends func(*oracle.Call) []oracle.Scalar
}

// perStep is the budget for one statement that is stepped over (package budget).
const perStep = 5_000

// mostSteps bounds the statements of a case that are stepped through.
const mostSteps = 400

// gradient ranks by the gradient over all cases that reach their end.
func (o *Combined) gradient(ctx context.Context, req *job.Job, suite *oracle.Suite, ends []wanted, none string) {
	req.Say("gradient")
	ctx, cancel := budget.WithDeadline(ctx, budget.After(ctx, o.left(ctx, 2)))
	defer cancel()
	var segs []*spec.Segment
	why := none
	for _, w := range ends {
		seg, err := segment(ctx, suite, w)
		if err != nil {
			why = err.Error()
			continue
		}
		segs = append(segs, seg)
	}
	if len(segs) == 0 {
		o.Left["gradient"] = why
		return
	}
	res := gradient.Locate(suite.Prog, segs, nil)
	if len(res.Suspects) > 0 {
		o.Lists["gradient"] = res.Suspects
	} else {
		o.Left["gradient"] = "it suspects no statement"
		if res.Missing {
			o.Left["gradient"] += ": one may be missing"
		}
	}
}

// segment steps through a case and asserts its end.
func segment(ctx context.Context, suite *oracle.Suite, w wanted) (*spec.Segment, error) {
	var call *oracle.Call
	tgt := sim.New(suite.Prog, sim.Config{Name: "program", MaxSteps: 200_000, Enter: func(m *machine.Machine) (err error) {
		call, err = suite.Enter(m, w.c)
		return err
	}})
	s := session.New(suite.Prog, tgt, session.Config{Name: "program", Limit: 5 * time.Second})
	defer s.Close()
	for _, command := range []string{"start", "spec"} {
		if _, _, err := s.Exec(ctx, command); err != nil {
			return nil, err
		}
	}
	depth := s.Depth()
	for range mostSteps {
		at := s.At()
		if at == 0 {
			return nil, fmt.Errorf("a failing case does not come to its end")
		}
		if suite.Prog.Stmts[at].Kind == lower.End && s.Depth() == depth {
			return asserted(s, w.ends(call))
		}
		if _, _, err := s.Exec(ctx, "step"); err != nil {
			return nil, err
		}
		budget.Spend(ctx, perStep)
	}
	return nil, fmt.Errorf("failing cases are longer than %d statements", mostSteps)
}

func asserted(s *session.Session, places []oracle.Scalar) (*spec.Segment, error) {
	var cells []spec.Cell
	for _, p := range places {
		if !p.Known {
			continue
		}
		key := "result"
		if !p.Result {
			key = fmt.Sprintf("%#x", uint64(p.Addr))
		}
		cells = append(cells, spec.Cell{Key: key, Addr: p.Addr, Type: p.Type, Word: p.Want, Text: fmt.Sprint(int64(p.Want))})
	}
	seg, ok := s.Asserting(cells)
	if !ok {
		return nil, fmt.Errorf("nothing was recorded")
	}
	return seg, nil
}
