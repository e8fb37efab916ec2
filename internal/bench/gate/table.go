package gate

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gulo/internal/timing"
)

// This file prints the tables.

// asked says how gulo is used in each mode.
var asked = map[string]string{
	ByTests:     "gulo fix --tests DIR wrong.c, with half of the tests",
	ByReference: "gulo fix --reference FILE --tests DIR wrong.c, with half of the tests",
	ByClass:     "gulo fix --tests DIR --right FILES wrong.c, with half of the tests and other right programs",
	ByMemory:    "gulo fix --memory wrong.c, on a test with a memory error",
	Locate:      "gulo locate --tests DIR wrong.c, with half of the tests",
	Sessions:    "gulo debug wrong.c, with a user who draws what right.c shows at the same moment; steps are commands, and the time is that of repair",
}

// Wilson returns the 95 % confidence interval of a share, in percent.
func Wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 100
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(100*(mid-half), 0), min(100*(mid+half), 100)
}

// percentile returns the smallest value that at least the given share of a list does not exceed.
func percentile(list []float64, share float64) float64 {
	if len(list) == 0 {
		return 0
	}
	x := slices.Sorted(slices.Values(list))
	return x[max(int(math.Ceil(share*float64(len(x))))-1, 0)]
}

// Print prints the tables of a measurement, and compares them with old records of the same programs.
func Print(w io.Writer, m *Measured, old []Record) {
	fmt.Fprintf(w, "%s drawn of %d\n", count(m.Drawn, "program"), m.All)
	for _, mode := range Modes {
		if rows := of(m.Records, mode); len(rows) > 0 {
			table(w, mode, rows)
			compare(w, rows, of(old, mode))
		}
	}
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func of(list []Record, mode string) (out []Record) {
	for _, r := range list {
		if r.Mode == mode {
			out = append(out, r)
		}
	}
	return out
}

// groups returns the rows of a table: one for each kind, one for programs that differ only in white space, and one for
// all.
func groups(rows []Record) (names []string, by map[string][]Record) {
	by = map[string][]Record{}
	for _, r := range rows {
		if r.Kind != "" {
			by[r.Kind] = append(by[r.Kind], r)
		}
	}
	for k := range by {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, r := range rows {
		if r.Blanks {
			by[blanksAlone] = append(by[blanksAlone], r)
		}
	}
	if by[blanksAlone] != nil {
		names = append(names, blanksAlone)
	}
	by["all"] = rows
	return append(names, "all"), by
}

const blanksAlone = "white space alone"

func table(w io.Writer, mode string, rows []Record) {
	var asks []Record
	causes := map[string]int{}
	for _, r := range rows {
		switch r.Class {
		case LeftOut:
			causes["left out: "+r.Cause]++
		case Failed:
			causes["not measured: "+r.Why]++
		case None:
			causes["none: "+r.Cause]++
			asks = append(asks, r)
		default:
			asks = append(asks, r)
		}
	}
	fmt.Fprintf(w, "\n%s: %s\n", mode, asked[mode])
	names, by := groups(asks)
	if mode == Locate {
		fmt.Fprintf(w, "%-24s %8s %6s %10s %10s   %-22s %s\n", "", "programs", "first", "first five", "not listed", "first five, 95 %", "processor, median and 95 %")
	} else {
		fmt.Fprintf(w, "%-24s %8s %6s %6s %10s %6s %6s   %-22s %-22s %s\n", "", "programs", "right", "leaks", "only given", "wrong", "none", "right, 95 %", "steps, median and 95 %", "processor, median and 95 %")
	}
	for _, n := range names {
		if mode == Locate {
			rankRow(w, n, by[n])
		} else {
			row(w, n, by[n])
		}
	}
	for _, c := range sortedKeys(causes) {
		fmt.Fprintf(w, "%4d  %s\n", causes[c], c)
	}
	if mode == Sessions {
		met, more := 0, 0
		for _, r := range asks {
			if len(r.Sessions) > 0 && r.Sessions[0].Met {
				met++
			}
			if len(r.Sessions) > 1 {
				more++
			}
		}
		fmt.Fprintf(w, "the first repair meets the test that was played: %d; another session was played: %d\n", met, more)
	}
}

func sortedKeys(m map[string]int) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func share(k, n int) string {
	low, high := Wilson(k, n)
	return fmt.Sprintf("%.0f %% (%.0f to %.0f)", 100*float64(k)/float64(max(n, 1)), low, high)
}

func row(w io.Writer, name string, rows []Record) {
	n := map[string]int{}
	var steps, cpu []float64
	for _, r := range rows {
		n[r.Class]++
		steps, cpu = append(steps, float64(r.Steps)), append(cpu, r.CPU/1000)
	}
	fmt.Fprintf(w, "%-24s %8d %6d %6d %10d %6d %6d   %-22s %-22s %s\n", name, len(rows), n[Right], n[Leaking], n[Overfit], n[Wrong], n[None], share(n[Right], len(rows)),
		fmt.Sprintf("%.0f, %.0f", timing.Median(steps), percentile(steps, 0.95)), fmt.Sprintf("%.2f s, %.2f s", timing.Median(cpu), percentile(cpu, 0.95)))
}

// firstFive is how far down a ranking a reader is assumed to look.
const firstFive = 5

func rankRow(w io.Writer, name string, rows []Record) {
	first, five, missing := 0, 0, 0
	var cpu []float64
	for _, r := range rows {
		cpu = append(cpu, r.CPU/1000)
		switch {
		case r.Class != Ranked || r.Rank == 0:
			missing++
			continue
		case r.Rank <= 1:
			first++
		}
		if r.Rank <= firstFive {
			five++
		}
	}
	fmt.Fprintf(w, "%-24s %8d %6d %10d %10d   %-22s %s\n", name, len(rows), first, five, missing, share(five, len(rows)), fmt.Sprintf("%.2f s, %.2f s", timing.Median(cpu), percentile(cpu, 0.95)))
}

// compare prints what changed from old records of the same programs.
func compare(w io.Writer, rows, old []Record) {
	before := map[string]*Record{}
	for i := range old {
		before[old[i].Program] = &old[i]
	}
	n, now, then := 0, 0, 0
	var lines []string
	for i := range rows {
		r := &rows[i]
		o := before[r.Program]
		if o == nil {
			continue
		}
		if n++; good(r) {
			now++
		}
		if good(o) {
			then++
		}
		if a, b := verdict(o), verdict(r); a != b {
			lines = append(lines, fmt.Sprintf("  %s: %s, now %s", r.Program, a, strings.TrimSuffix(b+": "+r.Why, ": ")))
		}
	}
	if n == 0 {
		return
	}
	what := Right
	if rows[0].Mode == Locate {
		what = "in the first five"
	}
	fmt.Fprintf(w, "of %s that both have: %s %d before, %d now; %d changed\n", count(n, "program"), what, then, now, len(lines))
	for _, l := range lines {
		fmt.Fprintln(w, l)
	}
}

func good(r *Record) bool {
	return r.Class == Right || r.Class == Ranked && r.Rank > 0 && r.Rank <= firstFive
}

// verdict sums up a record in a word or two.
func verdict(r *Record) string {
	switch {
	case r.Class == Ranked && r.Rank == 0:
		return "not listed"
	case r.Class == Ranked:
		return fmt.Sprintf("rank %g", r.Rank)
	case r.Cause != "":
		return r.Class + " (" + r.Cause + ")"
	}
	return r.Class
}
