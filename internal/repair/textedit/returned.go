package textedit

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is about recursive functions and about the end of a function. In a search by backtracking, a step must be
// undone after the recursive call. What a recursive function returns must often count the node that it was called
// with. A function that ends without a result returns whatever a register holds: one value natively, another on our
// machine, and either may be right by chance.

const costTakenBack = CostInsert - 3

// takenBack lists statements after a recursive call that undo the statements before it.
func takenBack(p place, add func(cost int, what, text string)) {
	if p.block == nil || p.index < 1 || p.index >= len(p.block.List) || !callsItself(p.block.List[p.index], p.fn) {
		return
	}
	for _, st := range p.block.List[:p.index] {
		x, ok := st.(*cfront.ExprStmt)
		if !ok || !standsAsWritten(x) {
			continue
		}
		switch e := x.X.(type) {
		case *cfront.Call:
			if n := len(e.Args); n > 0 && within(e.Args[n-1], e) {
				if t, ok := flipped(e.Args[n-1]); ok {
					add(costTakenBack, "insert", replaced(x, e.Args[n-1], t)+";")
				}
			}
		case *cfront.Assign:
			if t, ok := flipped(e.R); ok && !e.HasOp && within(e.R, e) {
				add(costTakenBack, "insert", replaced(x, e.R, t)+";")
			}
			if op := strings.TrimSpace(cut(x.Range().File, e.L.Range().End, e.R.Range().Start)); e.HasOp && (op == "+=" || op == "-=" || op == "^=") {
				if o := opposites[op]; o != "" && op != "^=" {
					op = o
				}
				add(costTakenBack, "insert", e.L.Range().Text()+" "+op+" "+e.R.Range().Text()+";")
			}
		case *cfront.IncDec:
			op := "--"
			if e.Dec {
				op = "++"
			}
			if within(e.X, e) {
				add(costTakenBack, "insert", e.X.Range().Text()+op+";")
			}
		}
	}
}

// counted adds one to the result of a recursive function that does not count the node that it was called with, as in
// the height of a tree.
func (s *Space) counted(st *cfront.Return, fn *cfront.Func) {
	x := cfront.Skip(st.X)
	t := st.X.Range().Text()
	switch y := x.(type) {
	case *cfront.Cond:
		if !strings.HasPrefix(t, "(") || !strings.HasSuffix(t, ")") || !balanced(t[1:len(t)-1]) {
			t = "(" + t + ")"
		}
	case *cfront.Call: // such as the larger of two
		if isItself(y, fn) {
			return
		}
	default:
		return
	}
	if st.X.Editable() && integer(x) && !s.ofTruth(x) && callsItself(fn.Body, fn) {
		s.replaced(st.X, fn, costStep, "one more", t+" + 1", t+" + 1") // one more of the whole, not of one operand
	}
}

// callsItself reports whether a statement contains a call of fn.
func callsItself(st cfront.Stmt, fn *cfront.Func) bool {
	found := false
	cfront.WalkStmt(st, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			c, ok := y.(*cfront.Call)
			found = found || ok && isItself(c, fn)
			return !found
		})
	})
	return found
}

// flipped returns 1 for 0, true for false, and the reverse.
func flipped(x cfront.Expr) (string, bool) {
	if !x.Editable() {
		return "", false
	}
	switch x.Range().Text() {
	case "1", "true":
		return map[string]string{"1": "0", "true": "false"}[x.Range().Text()], true
	case "0":
		return "1", x.Type() != nil && x.Type().IsInteger()
	case "false":
		return "true", true
	}
	return "", false
}

// replaced returns the text of an expression statement with one part replaced.
func replaced(st *cfront.ExprStmt, part cfront.Expr, text string) string {
	r, q := st.X.Range(), part.Range()
	return cut(r.File, r.Start, q.Start) + text + cut(r.File, q.End, r.End)
}

// last reports whether a statement returns a result at an end of its function, so that without it there would be none.
func (s *facts) last(st cfront.Stmt, fn *cfront.Func) bool {
	r, ok := st.(*cfront.Return)
	if !ok || r.X == nil || fn.Body == nil || fn.Type.Result.Kind == ctype.Void || fn.Name == "main" {
		return false
	}
	tails, ok := s.tails[fn]
	if !ok {
		tails = map[cfront.Stmt]bool{}
		addTails(fn.Body, tails)
		if s.tails == nil {
			s.tails = map[*cfront.Func]map[cfront.Stmt]bool{}
		}
		s.tails[fn] = tails
	}
	return tails[st]
}

// addTails adds the statements after which the function ends.
func addTails(st cfront.Stmt, to map[cfront.Stmt]bool) {
	switch st := st.(type) {
	case nil:
	case *cfront.Block:
		if n := len(st.List); n > 0 {
			addTails(st.List[n-1], to)
		}
	case *cfront.If:
		addTails(st.Then, to)
		if st.Else != nil {
			addTails(st.Else, to)
		}
	case *cfront.Label:
		addTails(st.Body, to)
	default:
		to[st] = true
	}
}
