// Package spectrum localizes faults by which statements failing and passing runs execute.
//
// The formulas are the published ones: Tarantula (Jones, Harrold and Stasko, ICSE 2002), Ochiai and Jaccard (Abreu,
// Zoeteweij and van Gemund, PRDC 2006), DStar with exponent 2 (Wong, Debroy, Gao and Li, IEEE Transactions on
// Reliability 2014). Barinel (Abreu, Zoeteweij and van Gemund, ASE 2009) is restricted to candidates with a single
// fault, for which the most likely health is known in closed form. Random gives all statements the same score.
package spectrum

import (
	"math"
	"sort"
)

// Run is one execution.
type Run struct {
	Covered map[int32]bool
	Failed  bool
}

// Method is a formula.
type Method string

// The methods.
const (
	Tarantula Method = "tarantula"
	Ochiai    Method = "ochiai"
	DStar     Method = "dstar"
	Jaccard   Method = "jaccard"
	Barinel   Method = "barinel"
	Random    Method = "random"
)

// Methods lists the methods.
var Methods = []Method{Tarantula, Ochiai, DStar, Jaccard, Barinel, Random}

// counts says how many failing (f) and passing (p) runs execute (e) or do not execute (n) a statement.
type counts struct{ ef, ep, nf, np float64 }

func (m Method) score(c counts) float64 {
	ratio := func(a, b float64) float64 {
		if b == 0 {
			return 0
		}
		return a / b
	}
	switch m {
	case Tarantula:
		f, p := ratio(c.ef, c.ef+c.nf), ratio(c.ep, c.ep+c.np)
		return ratio(f, f+p)
	case Ochiai:
		return ratio(c.ef, math.Sqrt((c.ef+c.nf)*(c.ef+c.ep)))
	case DStar:
		if c.ep+c.nf == 0 {
			return math.Inf(1)
		}
		return c.ef * c.ef / (c.ep + c.nf)
	case Jaccard:
		return ratio(c.ef, c.ef+c.nf+c.ep)
	case Barinel:
		if c.nf > 0 || c.ef == 0 {
			return 0 // it does not explain every failure
		}
		g := c.ep / (c.ef + c.ep) // how often the fault goes unnoticed
		s := c.ef * math.Log(1-g)
		if c.ep > 0 {
			s += c.ep * math.Log(g)
		}
		return math.Exp(s)
	}
	return 0
}

// Ranked is a statement, by number, with its score.
type Ranked struct {
	Stmt  int32
	Score float64
	Rank  float64 // average rank over statements of equal score
}

// Rank orders statements, most suspicious first.
func Rank(m Method, runs []Run, stmts []int32) []Ranked {
	out := make([]Ranked, 0, len(stmts))
	for _, id := range stmts {
		var c counts
		for i := range runs {
			switch r := &runs[i]; {
			case r.Covered[id] && r.Failed:
				c.ef++
			case r.Covered[id]:
				c.ep++
			case r.Failed:
				c.nf++
			default:
				c.np++
			}
		}
		out = append(out, Ranked{Stmt: id, Score: m.score(c)})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && out[j].Score == out[i].Score {
			j++
		}
		for k := i; k < j; k++ {
			out[k].Rank = float64(i+1+j) / 2
		}
		i = j
	}
	return out
}
