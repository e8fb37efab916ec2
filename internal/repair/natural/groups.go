package natural

import (
	"cmp"
	"math"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/repair"
)

// This file chooses the functions whose edits are listed. A large program has too many edits to list them all at once,
// so its functions are taken in groups, the likeliest first.

// mostPlaces is the number of statements whose edits are listed at once, whether a run executes them or not.
const mostPlaces = 600

// Bounds of groups, in statements, as in repair/schema.
const (
	firstPlaces = 150
	morePlaces  = 4 // the next group is this many times as large
)

// mostCovered is the number of failing cases, and of passing ones, whose coverage is measured.
const mostCovered = 4

// inGroups searches for single edits in one group of functions after the other, and then for several edits in the
// likeliest functions, as many as can be listed at once.
func (s *search) inGroups(res *Result) error {
	all, size, err := s.ranked()
	if err != nil {
		return err
	}
	if size == nil {
		s.lookAt(all)
		return s.bestFirst(res)
	}
	s.sample = s.sampled()
	for rest, room := all, firstPlaces; len(rest) > 0; room *= morePlaces {
		n := within(rest, size, room)
		s.lookAt(rest[:n])
		rest = rest[n:]
		root := &node{patch: repair.NewPatch()}
		if err := s.look(s.workers[0], root, 0); err != nil {
			return err
		}
		if _, done, err := s.mend(root, false, res); done || err != nil || s.over() {
			return err
		}
	}
	s.lookAt(all[:within(all, size, mostPlaces)])
	return s.bestFirst(res)
}

// within returns how many of the first functions fit into room statements; at least one, if there is any.
func within(funcs []*cfront.Func, size map[*cfront.Func]int, room int) int {
	n, statements := 0, 0
	for n < len(funcs) && (n == 0 || statements+size[funcs[n]] <= room) {
		statements += size[funcs[n]]
		n++
	}
	return n
}

// lookAt restricts the search to edits of these functions.
func (s *search) lookAt(funcs []*cfront.Func) {
	s.in, s.places, s.rich = map[*cfront.Func]bool{}, nil, nil
	for _, f := range funcs {
		s.in[f] = true
	}
}

// listed returns the places of the current functions with their edits; rich ones have guards for insertions and calls
// of helpers.
func (s *search) listed(rich bool) []*place {
	list := &s.places
	if rich {
		list = &s.rich
	}
	if *list == nil {
		*list = s.placesOf(s.in, rich)
	}
	return *list
}

// ranked returns the functions that may change and their numbers of statements; size is nil if all of them fit at once.
// In a larger program only functions that failing cases execute are edited, since an edit elsewhere mends none of them
// by itself. They are sorted by Ochiai's coefficient (Abreu, Zoeteweij and van Gemund, "On the Accuracy of
// Spectrum-based Fault Localization"), the likeliest first, and then by size, the smallest first.
func (s *search) ranked() (list []*cfront.Func, size map[*cfront.Func]int, err error) {
	size = map[*cfront.Func]int{}
	for _, f := range s.p.Funcs {
		size[f] = 0
	}
	total := 0
	for _, st := range s.p.Prog.Stmts {
		if st == nil || !st.Stop {
			continue
		}
		if _, ok := size[st.Func]; ok {
			size[st.Func]++
			total++
		}
	}
	if total <= mostPlaces {
		return s.p.Funcs, nil, nil
	}
	score, err := s.suspicious()
	if err != nil {
		return nil, nil, err
	}
	list = slices.DeleteFunc(slices.Clone(s.p.Funcs), func(f *cfront.Func) bool { return score[f] == 0 })
	slices.SortStableFunc(list, func(f, g *cfront.Func) int { return cmp.Or(cmp.Compare(score[g], score[f]), size[f]-size[g]) })
	return list, size, nil
}

// suspicious returns, for each function, the highest coefficient of its statements.
func (s *search) suspicious() (map[*cfront.Func]float64, error) {
	run := s.workers[0].run
	failed, passed := map[int32]float64{}, map[int32]float64{}
	bad := s.cases[:min(s.failing, mostCovered)]
	good := s.cases[s.failing:min(len(s.cases), s.failing+mostCovered)]
	for i, c := range slices.Concat(bad, good) {
		if _, err := run.Cover(c, nil); err != nil {
			return nil, err
		}
		in := failed
		if i >= len(bad) {
			in = passed
		}
		for id := range run.Covered {
			in[id]++
		}
	}
	score := map[*cfront.Func]float64{}
	for id, n := range failed {
		if st := s.p.Prog.Stmts[id]; st != nil {
			score[st.Func] = max(score[st.Func], n/math.Sqrt(float64(len(bad))*(n+passed[id])))
		}
	}
	return score, nil
}
