package schema

import (
	"context"
	"regexp"

	"gulo/internal/native"
	"gulo/internal/timing"
)

// This file penalizes repairs that stop computing: a printed number depended on the input, and with the repair it is
// always the same. If a few tests happen to expect the same value (three times of day without seconds), s = 0 meets
// them all.

// Bounds on this check.
const (
	mostSteady = 24 // repairs that are checked, the likeliest
	fewNear    = 6  // inputs near the tests that are needed
	fewValues  = 3  // different values that a number must have had
)

// oddSteady is the penalty of a repair with which a number no longer changes.
const oddSteady = 40

var printedNumber = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)

// columns returns the first numbers in all outputs, the second ones, and so on, as far as all outputs have them.
func columns(outs []string) [][]string {
	var rows [][]string
	least := -1
	for _, o := range outs {
		r := printedNumber.FindAllString(o, -1)
		rows = append(rows, r)
		if least < 0 || len(r) < least {
			least = len(r)
		}
	}
	cols := make([][]string, max(least, 0))
	for i := range cols {
		for _, r := range rows {
			cols[i] = append(cols[i], r[i])
		}
	}
	return cols
}

func values(list []string) int {
	seen := map[string]bool{}
	for _, x := range list {
		seen[x] = true
	}
	return len(seen)
}

// settles reports whether a number that varies in the outputs before is constant in those after.
func settles(before, after []string) bool {
	b, a := columns(before), columns(after)
	if len(a) != len(b) { // another text is printed, which does not count against it
		return false
	}
	for i := range b {
		if values(b[i]) >= fewValues && values(a[i]) == 1 {
			return true
		}
	}
	return false
}

// steady penalizes repairs with which a printed number no longer depends on the input.
func (s *Search) steady(ctx context.Context, near []native.Test, list []waiting) error {
	list = list[:min(len(list), mostSteady)]
	var before []string
	for i := range near {
		before = append(before, near[i].Stdout)
	}
	changing := false
	for _, c := range columns(before) {
		changing = changing || values(c) >= fewValues
	}
	if len(near) < fewNear || len(list) < 2 || !changing {
		return nil
	}
	defer timing.Begin(ctx, "schema: steady").End("%d", len(list))
	ses := s.session(near)
	for i := range list {
		for n := range near {
			ses.Show(list[i].job.g, list[i].job.h, n)
		}
	}
	a, err := s.prog.Run(ctx, ses, s.left(ctx))
	if err != nil || len(a.Printed) < len(list)*len(near) {
		return err
	}
	for i := range list {
		var was, is []string
		for n, o := range a.Printed[i*len(near) : (i+1)*len(near)] {
			if o.Ended() {
				was, is = append(was, before[n]), append(is, o.Stdout)
			}
		}
		if len(is) >= fewNear && settles(was, is) {
			list[i].odd += oddSteady
		}
	}
	return nil
}
