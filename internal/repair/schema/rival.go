package schema

import (
	"context"

	"gulo/internal/native"
)

// This file says where another repair is as likely as the one that is shown: tests alone do
// not tell which of them is meant, but an input on which they differ does.

// Rival is a repair that meets all tests as well as the one found, and an input on which the
// two do not do the same.
type Rival struct {
	Repair
	Input       native.Test    // Stdout and Exit are of no meaning
	Found, Does native.Outcome // of the repair found, and of this one
}

// Bounds.
const (
	mostRivals = 6           // that are compared
	rivalScore = 3 * perCost // more than the repair found
)

// rival looks for the likeliest of other repairs that differs from the one found on an input
// like those of the tests; nil when none does.
func (s *Search) rival(ctx context.Context, found *waiting, list []waiting) (*Rival, error) {
	near, err := s.neighbours(ctx)
	if err != nil || len(near) == 0 {
		return nil, err
	}
	show := func(w *waiting) ([]native.Outcome, error) {
		ses := s.session(near)
		for i := range near {
			ses.Show(w.job.g, w.job.h, i)
		}
		a, err := s.prog.Run(ctx, ses, s.left())
		if err != nil {
			return nil, err
		}
		return a.Printed, nil
	}
	own, err := show(found)
	if err != nil {
		return nil, err
	}
	for i := 0; i < min(len(list), mostRivals); i++ {
		w := &list[i]
		if w.score() > found.score()+rivalScore {
			break
		}
		other, err := show(w)
		if err != nil {
			return nil, err
		}
		best := -1
		for k := range min(len(own), len(other)) {
			a, b := &own[k], &other[k]
			if a.Ended() && b.Ended() && (a.Stdout != b.Stdout || a.Status != b.Status) && (best < 0 || size(&near[k]) < size(&near[best])) {
				best = k
			}
		}
		if best >= 0 {
			return &Rival{w.Repair, near[best], own[best], other[best]}, nil
		}
	}
	return nil, nil
}

func size(t *native.Test) int {
	n := len(t.Stdin)
	for _, a := range t.Args {
		n += len(a) + 1
	}
	return n
}
