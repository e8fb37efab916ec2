package bench

import (
	"context"
	"fmt"
	"io"
	"sort"
	"time"

	"gulo/internal/plural"
)

// This file compares repair among the suspicious statements, repair of one
// section and repair anywhere: Wolverine2, Figure 18 and Table 7.

// Confined plays the same sessions in three configurations and prints the speed-ups. A section is the loop body that
// holds the first fault, or the statements around it between two assertions: the user knows where the fault is, but not
// what it is.
func Confined(ctx context.Context, w io.Writer, o SweepOptions) error {
	var runs [3][]Session
	names := [...]string{"localized", "section", "unconfined"}
	for k := range runs {
		q := o
		q.Mode = names[k]
		var err error
		if runs[k], err = Sweep(ctx, q); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "Localized, section-wise and unconfined repair of the same %s, seed %d, limit %v; what is not found counts as the limit\n", plural.N(len(runs[0]), "faulty program"), o.Seed, o.Limit)
	fmt.Fprintf(w, "speed-up of localized over the others: mean (largest), paper's mean (largest) behind\n")
	paper := map[string][2]string{
		"small <1,0>": {"14", "39 (151)"}, "small <1,1>": {"4", "12 (33)"}, "small <2,0>": {"10", "31 (134)"}, "small <2,1>": {"8", "22 (64)"},
		"large <1,0>": {"50", "190 (779)"}, "large <1,1>": {"20", "80 (215)"}, "large <2,0>": {"54", "170 (530)"}, "large <2,1>": {"28", "86 (257)"},
	}
	fmt.Fprintf(w, "%-14s %10s %10s %10s   %22s %22s\n", "class", names[0], names[1], names[2], "over section", "over unconfined")
	limit := float64(o.Limit) / float64(time.Millisecond)
	for _, g := range []struct {
		name  string
		first byte
	}{{"small", 'B'}, {"large", 'L'}} {
		for _, c := range o.Classes {
			var med [3][]float64
			var up [3][]float64
			for i := range runs[0] {
				if runs[0][i].ID[0] != g.first || runs[0][i].Class != c.String() {
					continue
				}
				base := took(&runs[0][i], limit)
				for k := range runs {
					t := took(&runs[k][i], limit)
					med[k] = append(med[k], t)
					up[k] = append(up[k], t/base)
				}
			}
			if len(med[0]) == 0 {
				continue
			}
			for k := range med {
				sort.Float64s(med[k])
			}
			key := g.name + " " + c.String()
			fmt.Fprintf(w, "%-14s %8.1fms %8.1fms %8.1fms   %22s %22s\n", key, quantile(med[0], 0.5), quantile(med[1], 0.5), quantile(med[2], 0.5),
				speed(up[1])+"  ["+paper[key][0]+"]", speed(up[2])+"  ["+paper[key][1]+"]")
		}
	}
	for k := range runs {
		n := 0
		for i := range runs[k] {
			if runs[k][i].Found {
				n++
			}
		}
		fmt.Fprintf(w, "%s: %d of %d found\n", names[k], n, len(runs[k]))
	}
	return nil
}

func took(s *Session, limit float64) float64 {
	if !s.Found {
		return limit
	}
	return max(s.Took, 0.01)
}

func speed(v []float64) string {
	sum, top := 0.0, 0.0
	for _, x := range v {
		sum += x
		top = max(top, x)
	}
	return fmt.Sprintf("%.1f (%.0f)", sum/float64(max(len(v), 1)), top)
}
