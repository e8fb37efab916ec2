package logic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/job"
	"gulo/internal/plural"
	"gulo/internal/source"
	"gulo/internal/symbolic"
)

// This file decides what is executed and what is compared.

func written(f *cfront.Func) bool {
	return f.Body != nil && f.Range.Valid() && !strings.HasPrefix(f.Range.File.Name, "@gulo/")
}

// calls reports whether a function mentions a library function by name.
func calls(f *cfront.Func, name string) bool {
	found := false
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.FuncRef); ok && r.Func.Name == name && r.Func.Body == nil {
				found = true
			}
			return true
		})
	})
	return found
}

func (t *task) findEntry(free bool) error {
	name := t.req.Entry
	if name == "" {
		name = t.file.Entry
	}
	if name != "" {
		if t.entry = t.tree.Func(name); t.entry == nil {
			return job.Usage("no function %s in %s", name, t.req.Files[0])
		}
	} else if err := t.guessEntry(); err != nil {
		return err
	}
	t.own, _ = reach(t.entry)
	if err := argued(t.entry); err != nil {
		return err
	}
	if t.ref != nil {
		if t.refEntry = t.ref.Tree.Func(t.entry.Name); t.refEntry == nil {
			return job.Usage("no function %s in %s", t.entry.Name, t.req.Reference[0])
		}
		if err := argued(t.refEntry); err != nil {
			return err
		}
		return sameSignature(t.refEntry, t.entry)
	}
	asserts := false
	for f := range t.own {
		asserts = asserts || calls(f, "assert")
	}
	if !asserts && !free {
		return job.Usage("%s: there is no assert in %s nor in what it calls; say what is right with assert, or give --reference", t.entry.Range.Position(), t.entry.Name)
	}
	return nil
}

// argued returns an error if main uses its arguments, which are not symbols.
func argued(f *cfront.Func) (err error) {
	if f.Name != "main" {
		return nil
	}
	cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.Ref); ok && r.Var.Storage == cfront.Param && err == nil {
				err = &symbolic.Unsupported{Pos: f.Range.Position(), What: fmt.Sprintf("main reads its arguments (%s), which are no symbols; give runs with --tests DIR or -- ARG...", r.Var.Name)}
			}
			return true
		})
	})
	return err
}

// guessEntry chooses the entry. It is main if main leads to input(). Otherwise it is the function other than main that
// leads to all assertions or, with a reference, to all differences.
//
// With assertions main is chosen also if it leads to functions that draw random numbers: then functions are called as
// the program calls them, and the other function becomes instead, to be tried if main cannot be followed. And main is
// chosen if no other function was found, and it reads the input that it asserts something about.
func (t *task) guessEntry() error {
	m := t.tree.Func("main")
	if m != nil && leads(m, func(f *cfront.Func) bool { return f.Body == nil && f.Name == "input" }) {
		t.entry = m
		return nil
	}
	err := t.guessFunction()
	named := func(names ...string) func(*cfront.Func) bool {
		return func(f *cfront.Func) bool { return f.Body == nil && slices.Contains(names, f.Name) }
	}
	if m == nil || t.ref != nil || argued(m) != nil || !leads(m, named("assert")) {
		return err
	}
	if !leads(m, (*cfront.Func).Draws) && (err == nil || !leads(m, named("scanf", "getchar", "getc", "fgetc"))) {
		return err
	}
	if err == nil {
		t.instead = t.entry.Name
	}
	t.entry = m
	return nil
}

// elsewhere returns the request with another entry, if the error says that this one cannot be followed. It returns nil
// if there is none.
func (t *task) elsewhere(ctx context.Context, err error) *job.Job {
	var un *symbolic.Unsupported
	var lim *symbolic.LimitError
	if t.instead == "" || !errors.As(err, &un) && !errors.As(err, &lim) {
		return nil
	}
	r := *t.req
	r.Entry, r.Limit = t.instead, budget.Until(ctx, t.until)
	return &r
}

// leads reports whether a function, or one that it calls, mentions a function for which is holds.
func leads(f *cfront.Func, is func(*cfront.Func) bool) (found bool) {
	for g := range cfront.Callees(f) {
		cfront.WalkStmt(g.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				r, ok := y.(*cfront.FuncRef)
				found = found || ok && is(r.Func)
				return !found
			})
		})
	}
	return found
}

func (t *task) guessFunction() error {
	matters := func(f *cfront.Func) bool { return calls(f, "assert") }
	what := "calls assert"
	if t.ref != nil {
		what = "differs from the reference's"
		matters = func(f *cfront.Func) bool {
			g := t.ref.Tree.Func(f.Name)
			return g == nil || source.Squeeze(f.Whole.Text()) != source.Squeeze(g.Whole.Text())
		}
	}
	var all, list []*cfront.Func
	for _, f := range t.tree.Funcs {
		if written(f) && f.Name != "main" && matters(f) {
			all = append(all, f)
		}
	}
	for _, f := range t.tree.Funcs {
		if !written(f) || f.Name == "main" || t.ref != nil && t.ref.Tree.Func(f.Name) == nil {
			continue
		}
		in, covers := cfront.Callees(f), len(all) > 0
		for _, g := range all {
			covers = covers && in[g]
		}
		if covers {
			list = append(list, f)
		}
	}
	// Choose the outermost: what is around the others belongs to the specification, too.
	sort.SliceStable(list, func(i, j int) bool { return len(cfront.Callees(list[i])) > len(cfront.Callees(list[j])) })
	if len(list) == 0 && len(all) > 1 {
		var names []string
		for _, f := range all {
			names = append(names, f.Name)
		}
		return job.Usage("several functions matter, and none but main leads to all of them: %s; name one with --entry", strings.Join(names, ", "))
	}
	if len(list) == 0 {
		m := t.tree.Func("main")
		if t.ref == nil && m != nil && calls(m, "assert") {
			return job.Usage("no function of %s but main calls assert; say what is right in a function, or with --reference, --tests or --contract, or name main with --entry", t.req.Files[0])
		}
		if t.ref == nil {
			what += "; say what is right with --reference, --tests or --contract, or name a function with --entry"
		} else {
			what += "; name one with --entry"
		}
		but := ""
		if m != nil && m.Body != nil && matters(m) {
			but = " but main"
		}
		return job.Usage("no function of %s%s %s", t.req.Files[0], but, what)
	}
	t.entry = list[0]
	return nil
}

func sameSignature(ref, f *cfront.Func) error {
	switch {
	case len(f.Params) != len(ref.Params):
		return job.Usage("%s: %s takes %s, in the reference %d", f.Range.Position(), f.Name, plural.N(len(f.Params), "argument"), len(ref.Params))
	case !alike(f.Type.Result, ref.Type.Result):
		return job.Usage("%s: %s returns %s, in the reference %s", f.Range.Position(), f.Name, f.Type.Result, ref.Type.Result)
	}
	for i := range f.Params {
		if !alike(f.Params[i].Type, ref.Params[i].Type) {
			return job.Usage("%s: argument %d of %s is %s, in the reference %s", f.Range.Position(), i+1, f.Name, f.Params[i].Type, ref.Params[i].Type)
		}
	}
	return nil
}

func alike(a, b *ctype.Type) bool {
	if a.Kind == ctype.Pointer && b.Kind == ctype.Pointer {
		return a.Elem.Kind == ctype.Struct && b.Elem.Kind == ctype.Struct || alike(a.Elem, b.Elem)
	}
	return ctype.Same(a, b)
}
