package submissions

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"gulo/internal/timing"
)

// This file prints the tables.

// Line prints a line for one submission.
func Line(w io.Writer, a *Answer) {
	mark := ""
	if a.Spaces {
		mark = " (white space in the tests)"
	}
	if a.Everywhere {
		mark = " (white space)"
	}
	text := a.Shown
	if a.Why != "" {
		text = strings.TrimPrefix(text+"  ## "+a.Why, "  ## ")
	}
	fmt.Fprintf(w, "%-8s %6.2f s %6.2f cpu  %s%s  %s\n", a.Class, a.Millis/1000, a.CPUMillis/1000, a.Submission, mark, text)
}

// Groups of submissions whose outputs differ in white space alone: on the tests; on all inputs that judge answers.
const (
	inTests    = "spaces, tests"
	everywhere = "spaces, all inputs"
)

// Print prints the totals.
func Print(w io.Writer, m *Measured) {
	fmt.Fprintln(w)
	groups := map[string][]Answer{"all": m.Answers}
	names := []string{}
	for _, a := range m.Answers {
		if groups[a.Assignment] == nil {
			names = append(names, a.Assignment)
		}
		groups[a.Assignment] = append(groups[a.Assignment], a)
		if a.Spaces {
			groups[inTests] = append(groups[inTests], a)
		}
		if a.Everywhere {
			groups[everywhere] = append(groups[everywhere], a)
		}
	}
	sort.Strings(names)
	fmt.Fprintf(w, "%-20s %6s", "", "all")
	for _, c := range classes {
		fmt.Fprintf(w, " %8s", c)
	}
	fmt.Fprintf(w, " %9s %9s %9s %7s\n", "median", "of right", "processor", "inputs")
	for _, n := range append(names, inTests, everywhere, "all") {
		if g := groups[n]; len(g) > 0 {
			row(w, n, g, m.Made[n])
		}
	}
	fmt.Fprintf(w, "\nleft out: %d that meet the tests given, or do not compile\n", m.Skipped)
	printKinds(w, m.Answers)
}

func row(w io.Writer, name string, g []Answer, made int) {
	n := map[string]int{}
	var times, right, cpu []float64
	for _, a := range g {
		n[a.Class]++
		times, cpu = append(times, a.Millis/1000), append(cpu, a.CPUMillis/1000)
		if a.Class == Right {
			right = append(right, a.Millis/1000)
		}
	}
	fmt.Fprintf(w, "%-20s %6d", name, len(g))
	for _, c := range classes {
		fmt.Fprintf(w, " %8d", n[c])
	}
	fmt.Fprintf(w, " %7.2f s %7.2f s %7.2f s", timing.Median(times), timing.Median(right), timing.Median(cpu))
	if made > 0 {
		fmt.Fprintf(w, " %7d", made)
	}
	fmt.Fprintln(w)
}

// printKinds prints which kinds of edits the right repairs consist of.
func printKinds(w io.Writer, as []Answer) {
	n := map[string]int{}
	for _, a := range as {
		for _, k := range a.Kinds {
			if a.Class == Right {
				n[k]++
			}
		}
	}
	var names []string
	for k := range n {
		names = append(names, k)
	}
	sort.Slice(names, func(i, j int) bool {
		if n[names[i]] != n[names[j]] {
			return n[names[i]] > n[names[j]]
		}
		return names[i] < names[j]
	})
	var parts []string
	for _, k := range names {
		parts = append(parts, fmt.Sprintf("%s %d", k, n[k]))
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "edits of the right repairs: %s\n", strings.Join(parts, ", "))
	}
}
