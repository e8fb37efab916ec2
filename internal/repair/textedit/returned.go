package textedit

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is about functions that call themselves, and about the end of a function. A step that is tried is
// taken back behind the call (a search by backtracking), and what is returned counts what the function was
// called with. And it knows where a function would come to its end without a result: what it returns then is
// whatever stands in a register, natively one thing, on the machine another, and right by chance in both.

const costTakenBack = CostInsert - 3

// takenBack lists what takes back the statements before a call of the function itself, behind it.
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

// isItself reports whether a function calls itself: what that returns is often one less than what
// is returned in turn, for what the function was called with counts, too.
func isItself(x *cfront.Call, fn *cfront.Func) bool {
	f, ok := x.Fun.(*cfront.FuncRef)
	return ok && f.Func == fn
}

// counted adds one to what a function returns that calls itself and forgets to count what it was
// called with: the height of a tree.
func (s *Space) counted(st *cfront.Return, fn *cfront.Func) {
	x := cfront.Skip(st.X)
	t := st.X.Range().Text()
	switch y := x.(type) {
	case *cfront.Cond:
		if !strings.HasPrefix(t, "(") || !strings.HasSuffix(t, ")") || !balanced(t[1:len(t)-1]) {
			t = "(" + t + ")"
		}
	case *cfront.Call: // of the larger of two
		if isItself(y, fn) {
			return
		}
	default:
		return
	}
	if st.X.Editable() && integer(x) && !s.ofTruth(x) && callsItself(fn.Body, fn) {
		s.replaced(st.X, fn, costStep, "one more", t+" + 1", t+" + 1") // rather than to one of what it is made of
	}
}

// callsItself reports whether a statement calls a function.
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

// flipped is the other one of 0 and 1, true and false.
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

// replaced is the text of an expression statement with another text for a part of it.
func replaced(st *cfront.ExprStmt, part cfront.Expr, text string) string {
	r, q := st.X.Range(), part.Range()
	return cut(r.File, r.Start, q.Start) + text + cut(r.File, q.End, r.End)
}

// last reports whether a statement returns a result and nothing stands behind it that could.
func (s *Space) last(st cfront.Stmt, fn *cfront.Func) bool {
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

// addTails adds the statements behind which the function ends.
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
