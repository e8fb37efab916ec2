package runs

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/oracle"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
)

// This file compares a repair of a memory error with others that differ in a value which no run in hand determines:
// every initial value of a variable that is read uninitialized ends the error. A repair with which the runs merely
// leave the function is not shown (judge.Parting). If the runs of two repairs take different ways, the answer says so.
// An edit that changes the path of runs before the error is not shown first.

// mostInvented bounds the repairs with which one is compared.
const mostInvented = 4

// constant matches a value that the text of an edit makes up.
var constant = regexp.MustCompile(`\b(?:[0-9]+|true|false|NULL)\b`)

// invented returns a few repairs that have another value in place of one that a repair makes up.
func (w *Search) invented(edits []*textedit.Edit, texts map[string]string) (out []schema.Repair, err error) {
	add := func(some []*textedit.Edit) {
		r := schema.Repair{Edits: some}
		var ok bool
		if r.Texts, ok = textedit.Apply(some...); ok && len(out) < mostInvented && !maps.Equal(r.Texts, texts) {
			out = append(out, r)
		}
	}
	initial, err := w.initialValues()
	if len(initial) == 0 || err != nil { // for other errors, what else a value could be says little
		return nil, err
	}
	begins := false // the repair itself sets an initial value
	for i, e := range edits {
		if len(e.Changes) != 1 || e.Site == nil {
			continue
		}
		for _, x := range e.Site.Edits {
			if x == e || len(x.Changes) != 1 || !sameButConstant(&e.Changes[0], &x.Changes[0]) {
				continue
			}
			begins = begins || slices.ContainsFunc(initial, func(y *textedit.Edit) bool { return y.Changes[0] == x.Changes[0] })
			some := slices.Clone(edits)
			some[i] = x
			add(some)
		}
	}
	if !begins {
		for _, e := range initial {
			add([]*textedit.Edit{e})
		}
	}
	return out, nil
}

// sameButConstant reports whether two changes differ only in a constant.
func sameButConstant(a, b *textedit.Change) bool {
	x, y := constant.ReplaceAllString(a.Text, "#"), constant.ReplaceAllString(b.Text, "#")
	return a.File == b.File && a.Start == b.Start && a.End == b.End && x == y && strings.Contains(x, "#")
}

// initialValues returns edits that initialize the variable which the first failing run reads uninitialized; none if it
// fails otherwise. A value is left out if it is the only one that the function stores in the variable.
func (w *Search) initialValues() (out []*textedit.Edit, err error) {
	t := w.t
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return nil, err
	}
	for _, c := range t.Given.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, err
		}
		if r.Fault == nil {
			continue
		}
		m := unsetName.FindStringSubmatch(r.Fault.Message)
		fn := t.Prog.Tree.Func(r.Fault.Func)
		if m == nil || fn == nil {
			return nil, nil
		}
		for _, e := range textedit.Unset(textedit.Config{Tree: t.Prog.Tree}, []*cfront.Func{fn}) {
			if lastWord(e) == m[1]+m[2] && !storesOnly(fn, lastWord(e), constant.FindString(e.Changes[0].Text)) {
				out = append(out, e)
			}
		}
		return out, nil
	}
	return nil, nil
}

// storesOnly reports whether a function stores only the given constant in a variable, at least once.
func storesOnly(fn *cfront.Func, name, value string) bool {
	some, others := false, false
	look := func(x cfront.Expr) bool {
		of := func(x cfront.Expr) bool {
			r, ok := cfront.Skip(x).(*cfront.Ref)
			return ok && r.Var.Name == name
		}
		switch x := x.(type) {
		case *cfront.Assign:
			if of(x.L) {
				c, ok := cfront.Skip(x.R).(*cfront.Const)
				same := ok && !x.HasOp && c.Range().Text() == value
				some, others = some || same, others || !same
			}
		case *cfront.IncDec:
			others = others || of(x.X)
		case *cfront.Addr:
			others = others || of(x.X)
		}
		return true
	}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) { cfront.Walk(x, look) })
	return some && !others
}
