package locate

import (
	"fmt"
	"sort"

	"gulo/internal/report"
)

// Rule says in words how Combine ranks.
const Rule = "the mean of 1/rank over the methods (0 for one that does not name the line); edits count three times"

// editsCount is the weight of the rank by edits: an edit that corrects failing runs says more than which lines they
// execute. It was chosen on single faults of three corpora and verified on programs that people wrote
// (docs/benchmarks.md).
const editsCount = 3

// weight returns how many times a method's ranks count in the combined ranking.
func weight(method string) float64 {
	if method == "edits" {
		return editsCount
	}
	return 1
}

// Line is a line of the program with the results of the methods.
type Line struct {
	File      string             `json:"file"`
	Line      int                `json:"line"`
	Statement string             `json:"statement"`
	Ranks     map[string]float64 `json:"ranks"`          // by method; lines of equal score have their average rank
	Score     float64            `json:"score"`          // combined
	Agree     int                `json:"agree"`          // number of methods that rank it among the first three
	Gap       bool               `json:"gap,omitempty"`  // something may be missing before the line
	What      string             `json:"what,omitempty"` // an edit of the line with which a failing run passes
}

// ByLine ranks lines. Of several statements on a line the best counts. Lines with equal scores get the average of their
// ranks.
func ByLine(list []report.Suspect) []Line {
	var out []Line
	index := map[string]int{}
	var scores []float64
	for _, x := range list {
		k := fmt.Sprintf("%s:%d", x.File, x.Line)
		if _, ok := index[k]; ok {
			continue
		}
		index[k] = len(out)
		out = append(out, Line{File: x.File, Line: x.Line, Statement: x.Statement, Gap: x.Gap, What: x.What})
		scores = append(scores, x.Score)
	}
	for i := 0; i < len(out); {
		j := i
		for j < len(out) && scores[j] == scores[i] {
			j++
		}
		for k := i; k < j; k++ {
			out[k].Score = float64(i+1+j) / 2
		}
		i = j
	}
	return out
}

// Combine ranks lines by the weighted mean of the methods' reciprocal ranks.
func Combine(lists map[string][]report.Suspect) []Line {
	all := 0.0
	for m := range lists {
		all += weight(m)
	}
	byLine := map[string]*Line{}
	var keys []string
	for _, m := range Names {
		for _, x := range ByLine(lists[m]) {
			k := fmt.Sprintf("%s:%d", x.File, x.Line)
			l := byLine[k]
			if l == nil {
				l = &Line{File: x.File, Line: x.Line, Statement: x.Statement, Ranks: map[string]float64{}}
				byLine[k] = l
				keys = append(keys, k)
			}
			if x.What != "" {
				l.Gap, l.What = x.Gap, x.What
			}
			l.Ranks[m] = x.Score
			l.Score += weight(m) / x.Score / all
			if x.Score <= 3 {
				l.Agree++
			}
		}
	}
	out := make([]Line, 0, len(keys))
	for _, k := range keys {
		out = append(out, *byLine[k])
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}
