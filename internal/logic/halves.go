package logic

import (
	"context"
	"fmt"

	"gulo/internal/budget"
	"gulo/internal/repair/template"
	"gulo/internal/smt"
)

// This file combines changes at two places, each of which repairs a part of the failing inputs.

// halvesCost bounds the cost of changes at one place that are combined.
const halvesCost = 9

// halves finds pairs of changes at two places. Each repairs some failing inputs and breaks no passing one; together
// they repair all.
func (d *diagnosed) halves(ctx context.Context, rep *Answer, problems map[string]*template.Problem) (out []found, err error) {
	type half struct {
		component int
		list      []template.Candidate
		mends     [][]bool
	}
	var parts []half
	for _, c := range d.components {
		if budget.Over(ctx, d.until) {
			return nil, nil
		}
		d.req.Say("looking for half a repair in line %d", c.Position().Line)
		p, known := problems[fmt.Sprint([]int{c.ID})]
		if !known {
			if p, err = d.problem(ctx, []int{c.ID}); err != nil && err != errSlow {
				return nil, err
			}
			err = nil
			problems[fmt.Sprint([]int{c.ID})] = p
		}
		if p == nil || len(p.Holes) == 0 {
			continue
		}
		p.Tests = append(append([]smt.Model(nil), d.f.failing...), d.f.passing...)
		if list, mends := template.Promising(ctx, p, halvesCost, budget.After(ctx, templateTime/2)); len(list) > 0 {
			parts = append(parts, half{c.ID, list, mends})
		}
	}
	for i, a := range parts {
		for _, b := range parts[i+1:] {
			if !d.together(a.mends, b.mends) {
				continue
			}
			p, err := d.problem(ctx, []int{a.component, b.component})
			if err == errSlow {
				continue
			}
			if err != nil {
				return out, err
			}
			opt := d.options(ctx, stage{size: 2, most: 99}, 1)
			opt.Lists, opt.MaxCost = [][]template.Candidate{a.list, b.list}, 0
			res, err := template.Solve(ctx, p, d.ask, d.fill, opt)
			if err != nil {
				return out, err
			}
			rep.Tried += res.Tried
			d.evading += res.Evading
			for _, r := range res.Repairs {
				out = append(out, found{Repair: r, components: p.Components})
			}
			if len(out) > 0 || budget.Over(ctx, d.until) {
				return out, nil
			}
		}
	}
	return out, nil
}

// together reports whether some change in a and some change in b together repair all failing inputs.
func (d *diagnosed) together(a, b [][]bool) bool {
	for _, x := range a {
		for _, y := range b {
			all := true
			for i := range d.f.failing {
				all = all && (x[i] || y[i])
			}
			if all {
				return true
			}
		}
	}
	return false
}
