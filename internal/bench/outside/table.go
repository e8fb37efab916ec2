package outside

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"gulo/internal/plural"
	"gulo/internal/timing"
)

// This file prints the tables.

// Print prints a table for each mode and number of processors: a line for each program, then totals. If there are
// several numbers of processors, it compares them.
func Print(w io.Writer, answers []Answer) {
	for _, m := range Modes {
		var rows []Answer
		var counts []int
		for _, a := range answers {
			if a.Mode != m {
				continue
			}
			rows = append(rows, a)
			if !slices.Contains(counts, a.Processors) {
				counts = append(counts, a.Processors)
			}
		}
		for _, n := range counts {
			printMode(w, m, n, slices.DeleteFunc(slices.Clone(rows), func(a Answer) bool { return a.Processors != n }))
		}
		if len(counts) > 1 {
			compare(w, m, counts, rows)
		}
	}
}

// printMode prints the table of a mode for a number of processors.
func printMode(w io.Writer, m string, processors int, rows []Answer) {
	on := ""
	if processors > 0 {
		on = fmt.Sprintf("; processors: %d", processors)
	}
	fmt.Fprintf(w, "%s: %s%s\n\n", m, map[string]string{
		"reference":        "gulo fix --reference FILE faulty.c -- ARG..., one failing run",
		"tests":            "gulo fix --tests DIR faulty.c, eight runs",
		"locate":           "gulo locate --tests DIR faulty.c, eight runs",
		"locate-reference": "gulo locate --reference FILE faulty.c -- ARG..., one failing run",
		byContract:         "gulo fix --contract FILE faulty.c -- ARG..., one failing run",
		byAssertions:       "gulo fix --assert asserted.c -- ARG..., one failing run",
		referenceTests:     "gulo fix --reference FILE --tests DIR faulty.c, one failing run",
	}[m], on)
	for _, a := range rows {
		printRow(w, a)
	}
	fmt.Fprintln(w)
	if strings.HasPrefix(m, "locate") {
		rankTotals(w, rows)
	} else {
		totals(w, rows)
	}
	fmt.Fprintln(w)
}

func printRow(w io.Writer, a Answer) {
	faults := "single"
	if a.Double {
		faults = "double"
	}
	text := a.Shown
	if a.Why != "" {
		text = strings.TrimPrefix(text+"  ## "+a.Why, "  ## ")
	}
	if a.Class == Ranked {
		text = "not listed"
		if a.Rank > 0 {
			text = fmt.Sprintf("rank %.1f of %s, %.0f%%", a.Rank, plural.N(a.Lines, "line"), 100*a.Rank/float64(a.Lines))
		}
	}
	fmt.Fprintf(w, "%-18s %s  %-7s %6.2f s, %6.2f s CPU %5d MiB  %s\n", a.Program, faults, a.Class, a.Millis/1000, a.CPU/1000, a.Memory>>10, text)
}

func totals(w io.Writer, rows []Answer) {
	fmt.Fprintf(w, "%-8s %8s", "", "programs")
	for _, c := range classes {
		fmt.Fprintf(w, " %8s", c)
	}
	fmt.Fprintf(w, " %10s %10s %10s\n", "median", "of right", "CPU")
	for _, group := range []string{"single", "double", "all"} {
		var times, right, cpu []float64
		n := map[string]int{}
		for _, a := range rows {
			if group != "all" && a.Double != (group == "double") {
				continue
			}
			n[a.Class]++
			times = append(times, a.Millis/1000)
			if a.Class == Right {
				right = append(right, a.Millis/1000)
				cpu = append(cpu, a.CPU/1000)
			}
		}
		fmt.Fprintf(w, "%-8s %8d", group, len(times))
		for _, c := range classes {
			fmt.Fprintf(w, " %8d", n[c])
		}
		fmt.Fprintf(w, " %8.2f s %8.2f s %8.2f s\n", timing.Median(times), timing.Median(right), timing.Median(cpu))
	}
	resources(w, rows)
}

func rankTotals(w io.Writer, rows []Answer) {
	n := map[string]int{}
	var times []float64
	first, five, tenth, quarter := 0, 0, 0, 0
	for _, a := range rows {
		times = append(times, a.Millis/1000)
		if a.Class != Ranked {
			n[a.Class]++
			continue
		}
		if a.Rank == 0 {
			n["not listed"]++
			continue
		}
		for _, x := range []struct {
			to    *int
			bound float64
		}{{&first, 1}, {&five, 5}, {&tenth, 0.1 * float64(a.Lines)}, {&quarter, 0.25 * float64(a.Lines)}} {
			if a.Rank <= x.bound {
				*x.to++
			}
		}
	}
	fmt.Fprintf(w, "of %s a line of the fault is first in %d, among the first five in %d, within 10%% of the lines in %d, within 25%% in %d; median %.2f s\n",
		plural.N(len(rows), "program"), first, five, tenth, quarter, timing.Median(times))
	var keys []string
	for k := range n {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Fprintf(w, "%s: %d\n", k, n[k])
	}
	resources(w, rows)
}

func resources(w io.Writer, rows []Answer) {
	var memory int64
	var at string
	for _, a := range rows {
		if a.Memory > memory {
			memory, at = a.Memory, a.Program
		}
	}
	fmt.Fprintf(w, "greatest resident memory of one run: %d MiB (%s)\n", memory>>10, at)
}
