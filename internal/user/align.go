package user

import (
	"cmp"
	"fmt"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
)

// This file finds what two programs have in common: statements that are written alike in functions of one name.

// alignment maps statements of the wrong program to those of the right one.
type alignment struct {
	same    map[*lower.Stmt]*lower.Stmt // written alike
	place   map[*lower.Stmt]*lower.Stmt // conditions between those that stand at the same place, whatever they say
	matched map[*lower.Stmt]bool        // statements of the right program that same has
}

// align aligns all functions that both programs have.
func align(wrong, right *lower.Program) *alignment {
	out := &alignment{map[*lower.Stmt]*lower.Stmt{}, map[*lower.Stmt]*lower.Stmt{}, map[*lower.Stmt]bool{}}
	theirs := stops(right)
	for f, own := range stops(wrong) {
		g := right.Tree.Func(f.Name)
		if g == nil {
			continue
		}
		i, k := 0, 0
		for _, p := range common(own, theirs[g]) {
			out.same[p[0]], out.matched[p[1]] = p[1], true
			x, y := i+slices.Index(own[i:], p[0]), k+slices.Index(theirs[g][k:], p[1])
			out.conditions(own[i:x+1], theirs[g][k:y+1])
			i, k = x+1, y+1
		}
	}
	return out
}

// conditions pairs the conditions of two parts of functions that have only their last statements in common.
func (a *alignment) conditions(own, theirs []*lower.Stmt) {
	of := func(list []*lower.Stmt) (out []*lower.Stmt) {
		for _, st := range list {
			if st.Kind == lower.Cond {
				out = append(out, st)
			}
		}
		return out
	}
	x, y := of(own), of(theirs)
	for i := 0; i < len(x) && len(x) == len(y); i++ {
		if x[i].Loop == y[i].Loop {
			a.place[x[i]] = y[i]
		}
	}
}

// stops lists where a debugger stops in each function, in the order of the text; its end is the last.
func stops(p *lower.Program) map[*cfront.Func][]*lower.Stmt {
	out := map[*cfront.Func][]*lower.Stmt{}
	for _, st := range p.Stmts {
		if st != nil && st.Stop && st.Range.Valid() {
			out[st.Func] = append(out[st.Func], st)
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b *lower.Stmt) int {
			if a.Kind == lower.End || b.Kind == lower.End {
				return cmp.Compare(b2i(a.Kind == lower.End), b2i(b.Kind == lower.End))
			}
			return cmp.Compare(a.Range.Start, b.Range.Start)
		})
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// common returns a longest common subsequence of statements.
func common(a, b []*lower.Stmt) (out [][2]*lower.Stmt) {
	text := func(list []*lower.Stmt) (out []string) {
		for _, st := range list {
			out = append(out, fmt.Sprintf("%d %v %s", st.Kind, st.Loop, session.Show(st)))
		}
		return out
	}
	x, y := text(a), text(b)
	// length[i][k] is that of the longest common subsequence of x[i:] and y[k:].
	length := make([][]int, len(x)+1)
	for i := range length {
		length[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for k := len(y) - 1; k >= 0; k-- {
			if length[i][k] = max(length[i+1][k], length[i][k+1]); x[i] == y[k] {
				length[i][k] = max(length[i][k], length[i+1][k+1]+1)
			}
		}
	}
	for i, k := 0, 0; i < len(x) && k < len(y); {
		switch {
		case x[i] == y[k] && length[i][k] == length[i+1][k+1]+1:
			out = append(out, [2]*lower.Stmt{a[i], b[k]})
			i, k = i+1, k+1
		case length[i+1][k] >= length[i][k+1]:
			i++
		default:
			k++
		}
	}
	return out
}

// around lists the loops and branches that a statement stands in, or is the condition of, innermost first.
func around(st *lower.Stmt) (out []cfront.Stmt) {
	cfront.WalkStmt(st.Func.Body, func(s cfront.Stmt) {
		switch s.(type) {
		case *cfront.If, *cfront.While, *cfront.For, *cfront.Switch:
			if within(st, s) {
				out = append(out, s)
			}
		}
	}, nil)
	slices.Reverse(out) // parents come first
	return out
}

func within(st *lower.Stmt, s cfront.Stmt) bool {
	r := s.Range()
	return st.Kind != lower.End && st.Range.File == r.File && r.Start <= st.Range.Start && st.Range.Start < r.End
}
