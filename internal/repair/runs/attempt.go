package runs

import (
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/report"
)

// This file tells empty programs from wrong ones: nothing is searched for them.

// What is said of programs that do nothing of what their runs are about. Package campaign counts
// such programs apart.
const (
	noAttempt   = "not an attempt at this: "
	unattempted = noAttempt + "the program reads nothing and prints nothing"
	fixedText   = noAttempt + "the program reads nothing, and what it prints is fixed text"
)

// Unattempted returns the answer for a program that neither reads nor prints anything while every
// run wants output, or reads nothing and prints fixed text alone while runs want different
// outputs; nil for others.
func (w *Search) Unattempted() (*report.Report, error) {
	wanted := map[string]bool{}
	for _, c := range w.t.Given.Cases {
		if wanted[c.Want.Output] = true; c.Want.Output == "" {
			return nil, nil
		}
	}
	uses, reads := usesNothing, false
	for _, fn := range w.t.Prog.Tree.Funcs {
		if fn.Body != nil {
			uses = max(uses, usesLibrary(fn))
		}
		reads = reads || fn.Name == "main" && len(fn.Params) > 0
	}
	why := unattempted
	switch {
	case uses == usesMore || uses == usesText && (reads || len(wanted) == 1):
		return nil, nil
	case uses == usesText:
		why = fixedText
	}
	rep, err := w.report()
	if err != nil {
		return nil, err
	}
	rep.Failing, rep.Result, rep.Cause = len(w.t.Given.Cases), report.None, why
	rep.Millis = w.millis()
	return rep, nil
}

// IsUnattempted reports whether a report says that a program is no attempt.
func IsUnattempted(rep *report.Report) bool {
	return rep != nil && strings.HasPrefix(rep.Cause, noAttempt)
}

// library says what a function uses of the library.
type library int

const (
	usesNothing library = iota
	usesText            // calls that print fixed text
	usesMore
)

// usesLibrary says what a function uses that has no body here, or that a macro or inline assembly
// may hide.
func usesLibrary(fn *cfront.Func) library {
	most := usesNothing
	printed := map[*cfront.FuncRef]bool{}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		switch st.(type) {
		case *cfront.ExprStmt, *cfront.Decl, *cfront.Block, *cfront.If, *cfront.While, *cfront.For, *cfront.Switch, *cfront.Case,
			*cfront.Label, *cfront.Return, *cfront.Jump, *cfront.Empty:
		default:
			most = usesMore
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Call:
				if f, ok := y.Fun.(*cfront.FuncRef); ok && f.Func.Body == nil && printsText(f.Func.Name, y.Args) {
					printed[f] = true
					most = max(most, usesText)
				}
			case *cfront.FuncRef:
				if y.Func.Body == nil && !printed[y] {
					most = usesMore
				}
			}
			return true
		})
	})
	return most
}

// printsText reports whether a call prints a text that stands in the program.
func printsText(name string, args []cfront.Expr) bool {
	if len(args) != 1 || name != "printf" && name != "puts" {
		return false
	}
	s, ok := cfront.Skip(args[0]).(*cfront.String)
	return ok && (name == "puts" || !strings.Contains(strings.ReplaceAll(s.Range().Text(), "%%", ""), "%"))
}
