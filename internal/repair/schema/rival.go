package schema

import (
	"context"
	"runtime"

	"gulo/internal/native"
	"gulo/internal/process"
	"gulo/internal/repair/textedit"
)

// This file finds another repair that is as likely as the one shown. The tests do not say which of the two is right,
// but an input on which they differ may.

// Rival is a repair that meets all tests as well as the one found, with an input on which the two differ.
type Rival struct {
	Repair
	Input       native.Test    // its Stdout and Exit mean nothing
	Found, Does native.Outcome // outcomes of the repair found and of this one
}

// Bounds on rivals.
const (
	mostRivals = 6                    // that are compared
	rivalScore = 3 * textedit.PerCost // by which its score may exceed that of the repair found
)

// rival returns the likeliest other repair that differs from the one found on an input near the tests; nil if there is
// none.
func (s *Search) rival(ctx context.Context, found *waiting, list []waiting) (*Rival, error) {
	near, err := s.neighbours(ctx)
	if err != nil || len(near) == 0 {
		return nil, err
	}
	all := []waiting{*found}
	for i := 0; i < min(len(list), mostRivals) && list[i].score() <= found.score()+rivalScore; i++ {
		all = append(all, list[i])
	}
	if len(all) == 1 {
		return nil, nil
	}
	var did [][]native.Outcome // by repair
	n := max(2, runtime.GOMAXPROCS(0))
	for len(did) < len(all) {
		some := all[len(did):min(len(did)+n, len(all))]
		now := make([][]native.Outcome, len(some))
		err := process.Parallel(ctx, len(some), len(some), func(ctx context.Context, i int) (err error) {
			now[i], err = s.show(ctx, some[i].job, near)
			return err
		})
		if err != nil {
			return nil, err
		}
		did = append(did, now...)
		for i := range some {
			k := differ(near, did[0], now[i])
			if k < 0 {
				continue
			}
			ok, err := s.says(ctx, found.Texts, near[k], &did[0][k])
			if ok && err == nil {
				ok, err = s.says(ctx, some[i].Texts, near[k], &now[i][k])
			}
			if err != nil {
				return nil, err
			}
			if ok {
				return &Rival{some[i].Repair, near[k], did[0][k], now[i][k]}, nil
			}
		}
	}
	return nil, nil
}

// differ returns the index of the smallest test on which two repairs both end and differ; -1 if there is none.
func differ(tests []native.Test, one, other []native.Outcome) int {
	best := -1
	for k := range min(len(one), len(other)) {
		a, b := &one[k], &other[k]
		if a.Ended() && b.Ended() && (a.Stdout != b.Stdout || a.Status != b.Status) && (best < 0 || size(&tests[k]) < size(&tests[best])) {
			best = k
		}
	}
	return best
}

// show runs edits on tests.
func (s *Search) show(ctx context.Context, j job, tests []native.Test) ([]native.Outcome, error) {
	ses := s.session(tests)
	for i := range tests {
		ses.Show(j.g, j.h, i)
	}
	a, err := s.prog.Run(ctx, ses, s.left(ctx))
	if err != nil {
		return nil, err
	}
	return a.Printed, nil
}
