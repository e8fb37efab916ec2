package session

import (
	"fmt"

	"gulo/internal/oracle"
)

// This file finds drawings that contradict each other, and names their checkpoints.

// contradiction finds two assertions at one point with nothing executed between,
// or two segments with the same start, the same statements and different ends:
// no program does both.
func (s *recorder) contradiction() (string, string, bool) {
	for i, a := range s.segs {
		if len(a.Items) == 0 && a.From != "" && !a.Holds() {
			return a.From, a.Label, true
		}
		for _, b := range s.segs[i+1:] {
			if len(a.Items) != len(b.Items) || a.At != b.At {
				continue
			}
			same := true
			for k := range a.Items {
				same = same && a.Items[k].Stmt == b.Items[k].Stmt && a.Items[k].Decision == b.Items[k].Decision
			}
			if !same {
				continue
			}
			start := map[uint64]string{}
			for _, o := range a.Start.All() {
				start[o.Addr] = string(o.Data)
			}
			for _, o := range b.Start.All() {
				if start[o.Addr] != string(o.Data) {
					same = false
				}
			}
			differ := false
			ends := map[uint64]uint64{}
			for _, c := range a.End {
				ends[c.Addr] = c.Word
			}
			for _, c := range b.End {
				if w, ok := ends[c.Addr]; ok && w != c.Word {
					differ = true
				}
			}
			if same && differ {
				return a.Label, b.Label, true
			}
		}
	}
	return "", "", false
}

// atOdds names two asserted calls that began alike and were drawn with different ends; "" if there are none, or if
// contradiction finds some.
func (s *recorder) atOdds() string {
	if _, _, ok := s.contradiction(); ok || s.drawnInUnion() {
		return ""
	}
	for i := range s.given {
		for k := range i {
			a, b := &s.given[k], &s.given[i]
			if a.fn != b.fn || !oracle.SameCall(s.prog, a.fn, a.start, b.start) {
				continue
			}
			suite := s.callsOf(a.fn, a.start)
			x, y := a.result, b.result
			if suite.NoResult = a.fn.Result != nil && (x == nil || y == nil); suite.NoResult {
				x, y = nil, nil
			}
			want, err := oracle.Left(a.start, a.end, a.fn, x, suite)
			if err != nil {
				continue
			}
			got, err := oracle.Left(b.start, b.end, b.fn, y, suite)
			if err != nil || got.State == want.State && got.Status == want.Status {
				continue
			}
			return fmt.Sprintf("%s and %s contradict each other: the calls of %s before them began alike as far as the pictures show, and you drew different ends", a.seg.Label, b.seg.Label, a.fn.Name)
		}
	}
	return ""
}
