package runs

import (
	"gulo/internal/cfront"
	"gulo/internal/report"
)

// This file tells empty programs from wrong ones: nothing is searched for them.

// unattempted is what is said of a program that does nothing of what its runs are about.
// Package campaign counts such programs apart.
const unattempted = "not an attempt at this: the program reads nothing and prints nothing"

// Unattempted returns the answer for a program that neither reads nor prints anything while every
// run wants output; nil for others.
func (w *Search) Unattempted() (*report.Report, error) {
	for _, c := range w.t.Given.Cases {
		if c.Want.Output == "" {
			return nil, nil
		}
	}
	for _, fn := range w.t.Prog.Tree.Funcs {
		if fn.Body != nil && usesLibrary(fn) {
			return nil, nil
		}
	}
	rep, err := w.report()
	if err != nil {
		return nil, err
	}
	rep.Failing, rep.Result, rep.Cause = len(w.t.Given.Cases), report.None, unattempted
	rep.Millis = w.millis()
	return rep, nil
}

// IsUnattempted reports whether a report says that a program is no attempt.
func IsUnattempted(rep *report.Report) bool { return rep != nil && rep.Cause == unattempted }

// usesLibrary reports whether a function names another one that has no body here, or what
// a macro or inline assembly may hide.
func usesLibrary(fn *cfront.Func) bool {
	found := false
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		switch st.(type) {
		case *cfront.ExprStmt, *cfront.Decl, *cfront.Block, *cfront.If, *cfront.While, *cfront.For, *cfront.Switch, *cfront.Case,
			*cfront.Label, *cfront.Return, *cfront.Jump, *cfront.Empty:
		default:
			found = true
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if f, ok := y.(*cfront.FuncRef); ok && f.Func.Body == nil {
				found = true
			}
			return true
		})
	})
	return found
}
