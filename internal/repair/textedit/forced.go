package textedit

import (
	"strings"

	"gulo/internal/cfront"
)

// This file lists places where an outcome may be forced: a condition yields another value, or a statement is skipped,
// in some or all of its executions. If that makes a failing test pass, a suitable condition at the place would do so,
// too. Conditions are made up (compared.go) only at such places. The forced outcome is the angelic value of Mechtaev,
// Yi and Roychoudhury ("Angelix: scalable multiline program patch synthesis via symbolic analysis", ICSE 2016); we try
// outcomes as Long and Rinard do ("Staged program repair with condition synthesis", ESEC/FSE 2015).

// ForcedWays is the number of ways in which the outcome at a place is forced.
const ForcedWays = 18

// longestForced is the longest text of a statement that may be put under a condition.
const longestForced = 300 // bytes

// Forced lists up to most places of functions, each with one edit for each of the ForcedWays.
func Forced(funcs []*cfront.Func, most int) []*Site {
	var out []*Site
	add := func(st *Site) {
		if len(out) == most {
			return
		}
		st.Forced = true
		for range ForcedWays {
			st.Edits = append(st.Edits, &Edit{Site: st, Func: st.Func})
		}
		out = append(out, st)
	}
	for _, fn := range funcs {
		if fn.Body == nil || InMacro(fn.Body) {
			continue
		}
		condition := func(x cfront.Expr) {
			if x != nil && x.Editable() {
				r := x.Range()
				add(&Site{Kind: Value, File: r.File, Start: r.Start, End: r.End, Func: fn})
			}
		}
		headers := map[cfront.Stmt]bool{}
		cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
			if st, ok := st.(*cfront.For); ok {
				headers[st.Init] = true
			}
			if st == nil || headers[st] || !st.Range().Valid() || !standsAsWritten(st) {
				return
			}
			switch st := st.(type) {
			case *cfront.If:
				condition(st.Cond)
			case *cfront.While:
				condition(st.Cond)
			case *cfront.For:
				condition(st.Cond)
			case *cfront.ExprStmt:
				r := st.Range()
				if end := WholeEnd(r.File, r.End); end > r.Start && end-r.Start <= longestForced && strings.HasSuffix(string(r.File.Text[:end]), ";") {
					add(&Site{Kind: Statement, File: r.File, Start: r.Start, End: end, Func: fn})
				}
			}
		}, nil)
	}
	return out
}

// mends reports whether a forced outcome at a place makes a failing test pass.
func (s *facts) mends(k Kind, c cfront.Node) bool {
	r := c.Range()
	return s.forced[siteKey{r.File, r.Start, 0, k}]
}
