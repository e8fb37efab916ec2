package mine

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"gulo/internal/bench/gate"
	"gulo/internal/plural"
)

// This file prints the counts.

// smooth is added to the count of explained corrections, so that a rule that explains nothing has a finite cost.
const smooth = 0.5

// Cost returns the cost of an edit of the rule, in bits, by its counts.
func (r *Rule) Cost() float64 {
	return -math.Log2((float64(r.Explained) + smooth) / (float64(r.Candidates) + 2*smooth))
}

// Today returns the median cost of its edits as set by hand.
func (r *Rule) Today() float64 {
	n, lower := 0, -1
	for _, cost := range slices.Sorted(maps.Keys(r.costs)) {
		n += r.costs[cost]
		if lower < 0 && 2*n >= r.Candidates {
			lower = cost
		}
		if 2*n > r.Candidates {
			return float64(lower+cost) / 2
		}
	}
	return 0
}

// WriteTable writes the counts with the names of rules and shapes, and nothing of the programs.
func (m *Mined) WriteTable(w io.Writer) error {
	b := bufio.NewWriter(w) // keeps the first error
	fmt.Fprintf(b, "# corrections %d, places %d, explained %d\n", m.Read, m.All.All, m.All.Have)
	fmt.Fprint(b, "# rule\texplained\tbut for names and values\tprograms\tcandidates\tbits\tin use\n")
	for _, r := range m.Rules() {
		fmt.Fprintf(b, "%s\t%d\t%d\t%d\t%d\t%.2f\t%g\n", r.Name, r.Explained, r.Like, r.Programs, r.Candidates, r.Cost(), r.Today())
	}
	fmt.Fprint(b, "# shape\tno rule explains\tplaces\n")
	for _, k := range unexplained(m.Shapes) {
		fmt.Fprintf(b, "%s\t%d\t%d\n", k, m.Shapes[k].without(), m.Shapes[k].All)
	}
	return b.Flush()
}

// without returns how many lack the property.
func (s *Share) without() int { return s.All - s.Have }

// unexplained returns the shapes, sorted by how many of their places are not explained, the most first.
func unexplained(m map[string]*Share) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(m[b].without()-m[a].without(), m[b].All-m[a].All, strings.Compare(a, b))
	})
}

// mostShapes bounds the shapes that are printed.
const mostShapes = 40

// Print prints all tables.
func (m *Mined) Print(w io.Writer) {
	fmt.Fprintf(w, "%s read of %d drawn, %s\n", plural.N(m.Read, "correction"), m.Pairs, plural.N(m.All.All, "place"))
	if m.Done < m.Pairs {
		fmt.Fprintf(w, "%4d  not looked at yet\n", m.Pairs-m.Done)
	}
	for _, k := range slices.SortedFunc(maps.Keys(m.Left), func(a, b string) int {
		return cmp.Or(m.Left[b]-m.Left[a], strings.Compare(a, b))
	}) {
		fmt.Fprintf(w, "%4d  left out: %s\n", m.Left[k], k)
	}
	var parts []string
	for _, n := range slices.Sorted(maps.Keys(m.Places)) {
		parts = append(parts, fmt.Sprintf("%d: %d", n, m.Places[n]))
	}
	fmt.Fprintf(w, "corrections by places: %s\n\n", strings.Join(parts, ", "))
	line := func(what string, s Share) {
		low, high := gate.Wilson(s.Have, s.All)
		fmt.Fprintf(w, "%-58s %5d of %5d, %3.0f %% (%.0f to %.0f)\n", what, s.Have, s.All, 100*float64(s.Have)/float64(max(s.All, 1)), low, high)
	}
	line("places of which an edit is the correction", m.All)
	line("others, but for names and values", m.Like)
	line("corrections that are one edit", m.Whole)
	line("corrections of which every place is an edit", m.EachOne)
	for _, k := range slices.SortedFunc(maps.Keys(m.Needs), func(a, b string) int {
		return cmp.Or(m.Needs[b].All-m.Needs[a].All, strings.Compare(a, b))
	}) {
		line("places that need "+k+": explained", *m.Needs[k])
	}
	m.printRules(w)
	m.printShapes(w)
}

// printRules prints the rules that explain something.
func (m *Mined) printRules(w io.Writer) {
	fmt.Fprintf(w, "\n%-58s %9s %9s %8s %10s %6s %6s\n", "rule", "explained", "but names", "programs", "candidates", "bits", "in use")
	silent, candidates := 0, 0
	for _, r := range m.Rules() {
		if r.Explained+r.Like == 0 {
			silent, candidates = silent+1, candidates+r.Candidates
			continue
		}
		fmt.Fprintf(w, "%-58s %9d %9d %8d %10d %6.1f %6g\n", r.Name, r.Explained, r.Like, r.Programs, r.Candidates, r.Cost(), r.Today())
	}
	fmt.Fprintf(w, "%s that explain nothing list %s\n", plural.N(silent, "rule"), plural.N(candidates, "candidate"))
}

// printShapes prints the shapes of places that no rule explains.
func (m *Mined) printShapes(w io.Writer) {
	fmt.Fprintf(w, "\nplaces that no rule explains, by shape, of all places of that shape\n")
	all := slices.DeleteFunc(unexplained(m.Shapes), func(k string) bool { return m.Shapes[k].without() == 0 })
	for i, k := range all {
		if i == mostShapes {
			fmt.Fprintf(w, "%5d %s\n", len(all)-i, plural.Noun(len(all)-i, "more shape"))
			break
		}
		fmt.Fprintf(w, "%5d of %5d  %s\n", m.Shapes[k].without(), m.Shapes[k].All, k)
	}
}
