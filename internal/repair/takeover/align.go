package takeover

import (
	"slices"
	"time"

	"gulo/internal/budget"
)

// This file finds out which units and which variables of two functions correspond.

// step is a step of an alignment: a unit of the program and one of the reference; -1 for none.
type step struct{ own, ref int }

// Costs of steps.
const (
	costGap     = 1.0
	costEnd     = 0.3
	costOther   = 0.3 // of replacing a unit by a similar one, plus up to costGap
	costType    = 0.25
	leastAlike  = 0.3
	mostUnits   = 150
	mostMapping = 2 * time.Second // nominal time
	stepsPair   = 30              // budget for each two units that are compared
)

// alike returns the share of tokens that two lists have in common, from 0 to 1.
func alike(a, b []string) float64 {
	n := 0
	used := make([]bool, len(b))
	for _, x := range a {
		for k, y := range b {
			if x == y && !used[k] {
				used[k] = true
				n++
				break
			}
		}
	}
	return 2 * float64(n) / float64(len(a)+len(b)+1)
}

// other returns the cost of replacing a unit by a unit of the reference; negative if that is impossible.
func other(own *unit, ref *unit, toks []string) float64 {
	switch {
	case own.kind != ref.kind || own.key != ref.key || own.decl:
		return -1
	case slices.Equal(own.toks, toks):
		return 0
	case own.kind == closing && len(toks) == 0 && len(own.toks) == 0:
		return 0
	}
	x := alike(own.toks, toks)
	if own.kind == plain && x < leastAlike {
		return -1
	}
	return costOther + costGap*(1-x)
}

func gap(u *unit) float64 {
	switch {
	case u.initial || u.decl:
		return 0
	case u.kind == closing:
		return costEnd
	}
	return costGap
}

// aligned returns the cheapest alignment of own with the reference's units, whose names are translated, and its cost.
func aligned(own, ref []unit, names map[string]string) ([]step, float64) {
	toks := make([][]string, len(ref))
	for j := range ref {
		toks[j] = translated(ref[j].toks, names)
	}
	n, m := len(own), len(ref)
	cost := make([][]float64, n+1)
	for i := range cost {
		cost[i] = make([]float64, m+1)
		for j := range cost[i] {
			switch {
			case i == 0 && j == 0:
				continue
			case i == 0:
				cost[i][j] = cost[i][j-1] + gap(&ref[j-1])
				continue
			case j == 0:
				cost[i][j] = cost[i-1][j] + gap(&own[i-1])
				continue
			}
			best := min(cost[i-1][j]+gap(&own[i-1]), cost[i][j-1]+gap(&ref[j-1]))
			if c := other(&own[i-1], &ref[j-1], toks[j-1]); c >= 0 {
				best = min(best, cost[i-1][j-1]+c)
			}
			cost[i][j] = best
		}
	}
	var out []step
	for i, j := n, m; i > 0 || j > 0; {
		if i > 0 && j > 0 {
			if c := other(&own[i-1], &ref[j-1], toks[j-1]); c >= 0 && cost[i][j] == cost[i-1][j-1]+c {
				i, j = i-1, j-1
				out = append(out, step{i, j})
				continue
			}
		}
		if j > 0 && cost[i][j] == cost[i][j-1]+gap(&ref[j-1]) {
			j--
			out = append(out, step{-1, j})
			continue
		}
		i--
		out = append(out, step{i, -1})
	}
	slices.Reverse(out)
	return out, cost[n][m]
}

// translated returns tokens with other names for variables.
func translated(toks []string, names map[string]string) []string {
	out := slices.Clone(toks)
	for i, t := range toks {
		if n, ok := names[t]; ok && (i == 0 || toks[i-1] != "." && toks[i-1] != "->") {
			out[i] = n
		}
	}
	return out
}

// mapping returns names of the program's variables for the reference's, chosen so that the functions become most alike.
// fixed has the parameters, which correspond by position.
func mapping(own, ref *body, fixed map[string]string) map[string]string {
	left := budget.For(mostMapping)
	names := map[string]string{}
	for r, o := range fixed {
		names[r] = o
	}
	pointers := map[string]bool{} // by variable of the reference
	for _, l := range ref.locals {
		pointers[l.name] = l.points
	}
	inner := map[string]bool{} // by variable of the program
	for _, l := range own.locals {
		inner[l.name] = l.inner
	}
	types := map[string]string{}
	for _, l := range own.locals {
		types[l.name] = l.types
	}
	taken := func(o string) string {
		for r, x := range names {
			if x == o {
				return r
			}
		}
		return ""
	}
	for _, l := range ref.locals {
		if t, ok := types[l.name]; ok && t == l.types && taken(l.name) == "" && (l.inner || !inner[l.name]) {
			names[l.name] = l.name
		}
	}
	score := func() float64 {
		all := map[string]string{} // a variable without counterpart must not match any of the program's
		for _, l := range ref.locals {
			if all[l.name] = "?" + l.name; names[l.name] != "" {
				all[l.name] = names[l.name]
			}
		}
		left.Spend(stepsPair * int64(len(own.units)*len(ref.units)))
		_, c := aligned(own.units, ref.units, all)
		for _, l := range ref.locals {
			if o, ok := names[l.name]; ok && types[o] != l.types {
				c += costType
			}
		}
		return c
	}
	best := score()
	for better := true; better && !left.Over(); {
		better = false
		for _, l := range ref.locals {
			if _, ok := fixed[l.name]; ok {
				continue
			}
			for _, o := range own.locals {
				was, had := names[l.name]
				if had && was == o.name || l.points != o.points || o.inner && !l.inner {
					continue
				}
				from := taken(o.name)
				if _, ok := fixed[from]; ok || from != "" && had && (pointers[from] != l.points || inner[was]) {
					continue
				}
				delete(names, l.name)
				if from != "" {
					delete(names, from)
					if had {
						names[from] = was
					}
				}
				names[l.name] = o.name
				if c := score(); c < best-1e-9 {
					best, better = c, true
					continue
				}
				delete(names, l.name) // undo
				if from != "" {
					names[from] = o.name
				}
				if had {
					names[l.name] = was
				}
			}
		}
	}
	return names
}
