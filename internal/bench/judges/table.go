package judges

import (
	"fmt"
	"io"
	"sort"

	"gulo/internal/plural"
)

// Print writes the tables: answers by method, by topic and by kind of variant, then every false answer. It returns the
// number of false answers.
func Print(w io.Writer, o *Options, pairs []Pair, as []Answer) (wrong int) {
	programs := map[string]bool{}
	for _, p := range pairs {
		programs[p.Program.Name] = true
	}
	fmt.Fprintf(w, "Judges: %s of %s, seed %d, limit of a fix %v, native search of a repair %v\n", plural.N(len(pairs), "pair"), plural.N(len(programs), "program"), o.Seed, o.Limit, o.Native)
	table(w, "method", as, func(a *Answer) string { return a.Method })
	table(w, "topic", as, func(a *Answer) string { return a.Topic })
	table(w, "changed", as, func(a *Answer) string { return a.Kind })
	for i := range as {
		a := &as[i]
		if a.Verdict != FalseRight && a.Verdict != FalseProof && a.Verdict != Bug {
			continue
		}
		wrong++
		fmt.Fprintf(w, "%s, method %s: %s, %s %s\n  said: %s\n  %s\n", a.Verdict, a.Method, a.Program, a.Kind, a.What, a.Said, or(a.Counter, a.Witness))
	}
	fmt.Fprintf(w, "false answers: %d\n", wrong)
	return wrong
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func table(w io.Writer, title string, as []Answer, of func(*Answer) string) {
	rows := map[string]map[string]int{}
	var names []string
	for i := range as {
		n := of(&as[i])
		if rows[n] == nil {
			rows[n] = map[string]int{}
			names = append(names, n)
		}
		rows[n][as[i].Verdict]++
		rows[n][""]++
	}
	if title != "method" {
		sort.Strings(names)
	}
	fmt.Fprintf(w, "\n%-12s %6s", title, "asked")
	for _, v := range Verdicts {
		fmt.Fprintf(w, " %*s", max(len(v), 6), v)
	}
	fmt.Fprintln(w)
	total := map[string]int{}
	line := func(n string, r map[string]int) {
		fmt.Fprintf(w, "%-12s %6d", n, r[""])
		for _, v := range Verdicts {
			fmt.Fprintf(w, " %*d", max(len(v), 6), r[v])
		}
		fmt.Fprintln(w)
	}
	for _, n := range names {
		line(n, rows[n])
		for k, v := range rows[n] {
			total[k] += v
		}
	}
	line("all", total)
}
