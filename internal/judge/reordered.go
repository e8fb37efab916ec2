package judge

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/source"
)

// This file looks for a memory error with a repair where a program has its data in main: in the elements of arrays, and in
// the texts that calls are given. That the data stand in the order in which they do is chance. A repair with which the same
// error occurs when they stand in another order keeps what is written away from it, and mends nothing.

// Bounds of the orders that are tried.
const (
	mostOrders = 8
	mostFailed = 2 // of the failing runs
)

// literals are places of main whose texts may change places.
type literals struct {
	what string
	at   []source.Range
}

// Reordered says with which data in another order a run of a repaired program ends with the error that the program has,
// in the same function; empty: with none, or nothing of the kind is there.
func (t *Judge) Reordered(ctx context.Context, texts map[string]string) (string, error) {
	if !t.Job.Memory || t.Given == nil || t.Entry != nil {
		return "", nil
	}
	failing, errs, err := t.failingRuns(mostFailed)
	if len(failing) == 0 || err != nil {
		return "", err
	}
	p, err := t.Reloaded(ctx, texts)
	if p == nil || err != nil {
		return "", err
	}
	// again is the error of a run of a program that is the same as that of the run before the repair.
	again := func(q *lower.Program, same func(x *memoryFault, f *machine.Fault, done map[int32]int32) bool) (*machine.Fault, error) {
		run, err := oracle.NewRunner(&oracle.Suite{Prog: q})
		if err != nil {
			return nil, err
		}
		for i, c := range failing {
			r, done, err := run.Count(&oracle.Case{Args: c.Args, Stdin: c.Stdin})
			if err != nil {
				return nil, err
			}
			if f := r.Fault; f != nil && f.Func == errs[i].in && same(&errs[i], f, done) {
				return f, nil
			}
		}
		return nil, nil
	}
	// What leaves another error is no step where it is the same one, later, or where the call that failed does so before it
	// comes as far.
	f, err := again(p, func(x *memoryFault, f *machine.Fault, done map[int32]int32) bool {
		return f.Kind == x.kind && statement(p, f.Stmt) == x.at || cases.OfMemory(f.Kind) && times(p, x, done) < times(t.Prog, x, x.done)
	})
	if f != nil || err != nil {
		return fmt.Sprintf("%s still ends in an error", errs[0].in), err
	}
	n := 0
	for _, g := range dataOf(p.Tree) {
		for _, order := range orders(len(g.at)) {
			other, ok := reordered(p.Tree, texts, g, order)
			if !ok {
				continue
			}
			if n++; n > mostOrders || ctx.Err() != nil {
				return "", ctx.Err()
			}
			q, err := Load(ctx, t.Job, other)
			if err != nil {
				return "", err
			}
			if q == nil {
				continue
			}
			if f, err := again(q, func(x *memoryFault, f *machine.Fault, _ map[int32]int32) bool { return f.Kind == x.kind }); f != nil || err != nil {
				return fmt.Sprintf("with %s in another order %s occurs in %s again", g.what, errs[0].kind, errs[0].in), err
			}
		}
	}
	return "", nil
}

// dataOf lists what stands in main as data: the elements of arrays, and the texts that the calls of a function of the
// program are given at one place.
func dataOf(tree *cfront.Program) (out []literals) {
	main := tree.Func("main")
	if main == nil || main.Body == nil {
		return nil
	}
	add := func(what string, at []source.Range) {
		if len(at) > 1 {
			out = append(out, literals{what, at})
		}
	}
	calls, names := map[string][]source.Range{}, []string{}
	cfront.WalkStmt(main.Body, func(s cfront.Stmt) {
		d, ok := s.(*cfront.Decl)
		if !ok || d.Var.Type.Kind != ctype.Array {
			return
		}
		var at []source.Range
		for _, in := range d.Init {
			if in.Type.Size*int64(len(d.Init)) == d.Var.Type.Size && literal(in.X) {
				at = append(at, in.X.Range())
			}
		}
		if len(at) == len(d.Init) {
			add("the elements of "+d.Var.Name, at)
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(e cfront.Expr) bool {
			c, ok := e.(*cfront.Call)
			if !ok {
				return true
			}
			f, ok := c.Fun.(*cfront.FuncRef)
			if !ok || f.Func.Body == nil {
				return true
			}
			for k, a := range c.Args {
				if quotedText(a) {
					key := fmt.Sprintf("the texts that %s is given", f.Func.Name)
					if k > 0 {
						key = fmt.Sprintf("%s as argument %d", key, k+1)
					}
					if calls[key] == nil {
						names = append(names, key)
					}
					calls[key] = append(calls[key], a.Range())
				}
			}
			return true
		})
	})
	for _, key := range names {
		add(key, calls[key])
	}
	return out
}

// literal reports whether an expression is a constant that is written in one place.
func literal(x cfront.Expr) bool {
	x = plain(x)
	_, ok := x.(*cfront.Const)
	return ok && x.Editable() || quotedText(x)
}

// quotedText reports whether an expression is a text in quotes.
func quotedText(x cfront.Expr) bool {
	x = plain(x)
	if d, ok := x.(*cfront.Decay); ok {
		x = d.X
	}
	_, ok := x.(*cfront.String)
	return ok && x.Editable()
}

// plain leaves out conversions that nobody wrote.
func plain(x cfront.Expr) cfront.Expr {
	for {
		c, ok := x.(*cfront.Cast)
		if !ok || !c.Implicit {
			return x
		}
		x = c.X
	}
}

// orders are other orders of n things: begun at the second, and backwards.
func orders(n int) (out [][]int) {
	next, back := make([]int, n), make([]int, n)
	for i := range n {
		next[i], back[i] = (i+1)%n, n-1-i
	}
	out = append(out, next)
	if !slices.Equal(next, back) {
		out = append(out, back)
	}
	return out
}

// reordered writes the literals of a group in another order; ok is false where that is the same text.
func reordered(tree *cfront.Program, texts map[string]string, g literals, order []int) (map[string]string, bool) {
	at := slices.Clone(g.at)
	slices.SortFunc(at, func(a, b source.Range) int { return a.Start - b.Start })
	file := at[0].File
	for _, r := range at {
		if r.File != file {
			return nil, false
		}
	}
	was, ok := texts[file.Name]
	if !ok {
		was = string(file.Text)
	}
	if was != string(file.Text) {
		return nil, false // places are those of another text
	}
	now := was
	for i := len(at) - 1; i >= 0; i-- {
		now = now[:at[i].Start] + at[order[i]].Text() + now[at[i].End:]
	}
	out := maps.Clone(texts)
	if out == nil {
		out = map[string]string{}
	}
	out[file.Name] = now
	return out, now != was
}

// memoryFault is how a run of the program ends.
type memoryFault struct {
	kind machine.FaultKind
	in   string
	at   string          // the statement
	done map[int32]int32 // how often its statements were executed
}

// failingRuns lists given cases, at most so many, in which the program as it is ends with an error of memory in a function of its own.
func (t *Judge) failingRuns(most int) (out []*oracle.Case, errs []memoryFault, err error) {
	run, err := oracle.NewRunner(&oracle.Suite{Prog: t.Prog})
	if err != nil {
		return nil, nil, err
	}
	for n, c := range t.Given.Cases {
		if n == mostHidden || len(out) == most {
			break
		}
		r, done, err := run.Count(&oracle.Case{Args: c.Args, Stdin: c.Stdin})
		if err != nil {
			return nil, nil, err
		}
		if r.Fault != nil && cases.OfMemory(r.Fault.Kind) && t.Prog.Tree.Func(r.Fault.Func) != nil {
			out, errs = append(out, c), append(errs, memoryFault{r.Fault.Kind, r.Fault.Func, statement(t.Prog, r.Fault.Stmt), done})
		}
	}
	return out, errs, nil
}

// statement is the text of one.
func statement(p *lower.Program, id int32) string {
	if uint(id) >= uint(len(p.Stmts)) || p.Stmts[id] == nil {
		return ""
	}
	return p.Stmts[id].Range.Text()
}

// times is how often a program executed the statement of an error.
func times(p *lower.Program, x *memoryFault, done map[int32]int32) (n int64) {
	for id, k := range done {
		if s := statement(p, id); s == x.at && p.Stmts[id].Func != nil && p.Stmts[id].Func.Name == x.in {
			n += int64(k)
		}
	}
	return n
}

// executed counts the statements that were executed of a function.
func executed(p *lower.Program, fn string, done map[int32]int32) (n int64) {
	for id, k := range done {
		if uint(id) < uint(len(p.Stmts)) && p.Stmts[id] != nil && p.Stmts[id].Func != nil && p.Stmts[id].Func.Name == fn {
			n += int64(k)
		}
	}
	return n
}
