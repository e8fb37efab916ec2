package mine

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gulo/internal/bench/gate"
	"gulo/internal/plural"
	"gulo/internal/timing"
)

// This file prints what was counted.

// smooth is added to what a rule explains, so that one that explains nothing has a finite cost.
const smooth = 0.5

// Cost is what an edit of the rule costs by what was counted, in bits.
func (r *Rule) Cost() float64 {
	return -math.Log2((float64(r.Explained) + smooth) / (float64(r.Candidates) + 2*smooth))
}

// Today is what its edits cost by hand, at the median.
func (r *Rule) Today() float64 { return timing.Median(r.today) }

// WriteTable writes the counts of the rules, numbers and their names alone.
func (m *Mined) WriteTable(w io.Writer) error {
	_, err := fmt.Fprintf(w, "# corrections %d, places %d, explained %d\n# rule\texplained\tbut for names and values\tprograms\tcandidates\tbits\ttoday\n", m.Read, m.Places, m.Explain)
	for _, r := range m.Rules {
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.2f\t%g\n", r.Name, r.Explained, r.Like, r.Programs, r.Candidates, r.Cost(), r.Today())
		}
	}
	return err
}

// mostShapes bounds the shapes that are printed.
const mostShapes = 40

// Print prints all tables.
func (m *Mined) Print(w io.Writer) {
	fmt.Fprintf(w, "%s read of %d drawn, %s\n", plural.N(m.Read, "correction"), m.Pairs, plural.N(m.Places, "place"))
	for _, k := range byCount(m.Left) {
		fmt.Fprintf(w, "%4d  left out: %s\n", m.Left[k], k)
	}
	var parts []string
	for n := 1; n <= mostPlaces; n++ {
		if m.Counts[n] > 0 {
			parts = append(parts, fmt.Sprintf("%d: %d", n, m.Counts[n]))
		}
	}
	fmt.Fprintf(w, "corrections by places: %s\n\n", strings.Join(parts, ", "))
	line := func(what string, k, n int) {
		low, high := gate.Wilson(k, n)
		fmt.Fprintf(w, "%-58s %5d of %5d, %3.0f %% (%.0f to %.0f)\n", what, k, n, 100*float64(k)/float64(max(n, 1)), low, high)
	}
	line("places of which an edit is the correction", m.Explain, m.Places)
	line("others, but for names and values", m.Like, m.Places)
	line("corrections that are one edit", m.Whole, m.Read)
	line("corrections of which every place is an edit", m.EachOne, m.Read)
	for _, k := range byCount(m.Novel) {
		line("places that need "+k+": explained", m.NovelHit[k], m.Novel[k])
	}
	fmt.Fprintf(w, "\n%-58s %9s %9s %8s %10s %6s %6s\n", "rule", "explained", "but names", "programs", "candidates", "bits", "today")
	silent, candidates := 0, 0
	for _, r := range m.Rules {
		if r.Explained+r.Like == 0 {
			silent, candidates = silent+1, candidates+r.Candidates
			continue
		}
		fmt.Fprintf(w, "%-58s %9d %9d %8d %10d %6.1f %6g\n", r.Name, r.Explained, r.Like, r.Programs, r.Candidates, r.Cost(), r.Today())
	}
	fmt.Fprintf(w, "%s that explain nothing list %s\n", plural.N(silent, "rule"), plural.N(candidates, "candidate"))
	fmt.Fprintf(w, "\nplaces that no rule explains, by shape, of all places of that shape\n")
	for i, k := range byCount(m.Shapes) {
		if i == mostShapes {
			fmt.Fprintf(w, "%5d %s\n", len(m.Shapes)-i, plural.Noun(len(m.Shapes)-i, "more shape"))
			break
		}
		fmt.Fprintf(w, "%5d of %5d  %s\n", m.Shapes[k], m.AllShape[k], k)
	}
}

// byCount sorts keys, the most frequent first.
func byCount(m map[string]int) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b string) int {
		if m[a] != m[b] {
			return m[b] - m[a]
		}
		return strings.Compare(a, b)
	})
	return out
}
