package judge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/source"
)

// This file checks repairs by changing the data in main: the elements of arrays, and the strings and numbers that are
// passed to calls. It is chance that these data stand there, in that order. If the same memory error occurs with other
// data, the repair only keeps the given data away from it.

// Bounds of the variations tried.
const (
	mostData    = 4 // groups of literals
	mostNumbers = 4 // variations for one group of numbers
	mostFailed  = 2 // failing runs
)

// literals is a group of literals in main that may be permuted or, if they are numbers, replaced.
type literals struct {
	what   string
	at     []source.Range
	number bool // numbers passed to calls
}

// Recurs says how the program's error occurs again in spite of a repair: in a failing run, or with other data in main,
// in the same function. It is empty if none of the attempts shows the error.
func (t *Judge) Recurs(ctx context.Context, texts map[string]string) (string, error) {
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
	// again runs the failing runs in program q, and returns the first error that is the same as before the repair.
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
			if errs[i].kind == cases.Lost && r.Fault == nil && q != p && run.Stray() > 0 {
				return &machine.Fault{Kind: cases.Lost}, nil
			}
		}
		return nil, nil
	}
	// A repair that leaves another error is no progress if that is the same error at a later time, or if the failing
	// function fails before it gets as far as before.
	f, err := again(p, func(x *memoryFault, f *machine.Fault, done map[int32]int32) bool {
		return f.Kind == x.kind && statement(p, f.Stmt) == x.at || cases.OfMemory(f.Kind) && times(p, x, done) < times(t.Prog, x, x.done)
	})
	if f != nil || err != nil {
		return fmt.Sprintf("%s still ends in an error", errs[0].in), err
	}
	if less, err := t.freesLess(p, failing); less || err != nil {
		return "memory that is no longer freed is leaked", err
	}
	for _, g := range dataOf(p.Tree, errs[0].in) {
		for _, other := range g.others() {
			changed, ok := varied(p.Tree, texts, g, other.texts)
			if !ok {
				continue
			}
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			q, err := Load(ctx, t.Job, changed)
			if err != nil {
				return "", err
			}
			if q == nil {
				continue
			}
			if f, err := again(q, func(x *memoryFault, f *machine.Fault, _ map[int32]int32) bool { return f.Kind == x.kind }); f != nil || err != nil {
				return fmt.Sprintf("with %s %s %s", g.what, other.how, errs[0].again()), err
			}
		}
	}
	return "", nil
}

// dataOf lists the data in main: the elements of arrays, the strings passed as one argument of a function of the
// program, and the numbers passed to functions that lead to a call of function in.
func dataOf(tree *cfront.Program, in string) (out []literals) {
	main := tree.Func("main")
	if main == nil || main.Body == nil {
		return nil
	}
	cfront.WalkStmt(main.Body, func(s cfront.Stmt) {
		d, ok := s.(*cfront.Decl)
		if !ok || d.Var.Type.Kind != ctype.Array || len(d.Init) < 2 {
			return
		}
		g := literals{what: "the elements of " + d.Var.Name}
		for _, in := range d.Init {
			if in.Type.Size*int64(len(d.Init)) != d.Var.Type.Size || !literal(in.X) {
				return
			}
			g.at = append(g.at, in.X.Range())
		}
		out = append(out, g)
	}, nil)
	calls, comes := map[string]*literals{}, comesTo(tree, in)
	var names []string
	add := func(key string, a cfront.Expr, number bool) {
		if calls[key] == nil {
			names, calls[key] = append(names, key), &literals{what: key, number: number}
		}
		calls[key].at = append(calls[key].at, a.Range())
	}
	cfront.WalkStmt(main.Body, nil, func(x cfront.Expr) {
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
				switch key := fmt.Sprintf("argument %d of %s", k+1, f.Func.Name); {
				case quotedText(a):
					add(key, a, false)
				case comes[f.Func] && a.Type().IsInteger() && literal(a):
					add(key, a, true)
				}
			}
			return true
		})
	})
	for _, key := range names {
		if g := calls[key]; g.number || len(g.at) > 1 {
			out = append(out, *g)
		}
	}
	return out[:min(len(out), mostData)]
}

// comesTo returns the functions that call the named one, directly or through others, and that function itself. main
// does not count.
func comesTo(tree *cfront.Program, name string) map[*cfront.Func]bool {
	out := map[*cfront.Func]bool{}
	if f := tree.Func(name); f != nil && name != "main" {
		out[f] = true
	}
	for again := true; again; {
		again = false
		for _, f := range tree.Funcs {
			if f.Body == nil || out[f] {
				continue
			}
			cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
				cfront.Walk(x, func(e cfront.Expr) bool {
					if r, ok := e.(*cfront.FuncRef); ok && out[r.Func] && !out[f] {
						out[f], again = true, true
					}
					return true
				})
			})
		}
	}
	return out
}

// literal reports whether an expression is a constant or string literal that can be edited in one place.
func literal(x cfront.Expr) bool {
	c, ok := cfront.Skip(x).(*cfront.Const)
	return ok && c.Editable() || quotedText(x)
}

// quotedText reports whether an expression is a string literal that can be edited in one place.
func quotedText(x cfront.Expr) bool {
	s, ok := cfront.Skip(x).(*cfront.String)
	return ok && s.Editable()
}

// variant is a list of other texts for the literals of a group.
type variant struct {
	how   string
	texts []string
}

// others returns variants of a group: the same literals rotated by one, and reversed. A number is replaced by zero, by
// one less, or by what other calls pass there.
func (g *literals) others() (out []variant) {
	n := len(g.at)
	now := make([]string, n)
	for i, r := range g.at {
		now[i] = r.Text()
	}
	if g.number {
		for i, text := range now {
			v, err := strconv.ParseInt(text, 0, 32)
			if err != nil {
				continue
			}
			for _, w := range append([]string{"0", fmt.Sprint(max(v-1, 0))}, now...) {
				if x := slices.Clone(now); w != text && len(out) < mostNumbers {
					x[i] = w
					out = append(out, variant{fmt.Sprintf("%s and not %s", w, text), x})
				}
			}
		}
		return out
	}
	next, back := slices.Concat(now[1:], now[:1]), slices.Clone(now)
	slices.Reverse(back)
	return []variant{{"in another order", next}, {"in another order", back}}
}

// varied writes other texts in place of a group's literals. ok is false if nothing changes, or if the repair already
// changes that file.
func varied(tree *cfront.Program, texts map[string]string, g literals, other []string) (map[string]string, bool) {
	file := g.at[0].File
	now, ok := texts[file.Name]
	if !ok {
		now = string(file.Text)
	}
	if now != string(file.Text) {
		return nil, false // the positions are those of the unchanged text
	}
	order := make([]int, len(g.at))
	for i := range order {
		order[i] = i
		if g.at[i].File != file {
			return nil, false
		}
	}
	slices.SortFunc(order, func(a, b int) int { return g.at[b].Start - g.at[a].Start })
	was := now
	for _, i := range order {
		now = now[:g.at[i].Start] + other[i] + now[g.at[i].End:]
	}
	out := maps.Clone(texts)
	if out == nil {
		out = map[string]string{}
	}
	out[file.Name] = now
	return out, now != was
}

// memoryFault is the memory error in which a run of the program ends.
type memoryFault struct {
	kind machine.FaultKind
	in   string          // function; empty for a leak
	at   string          // text of the statement
	done map[int32]int32 // how often each statement was executed
}

// again says, in words, that the error occurs again.
func (x *memoryFault) again() string {
	if x.kind == cases.Lost {
		return "memory leaks as before"
	}
	return fmt.Sprintf("%s occurs in %s again", x.kind, x.in)
}

// freesLess reports whether a repaired program has fewer calls of free than before and leaks memory in a failing run.
func (t *Judge) freesLess(p *lower.Program, failing []*oracle.Case) (bool, error) {
	count := func(p *lower.Program) (n int) {
		for _, s := range p.Stmts {
			if s != nil && frees(s) {
				n++
			}
		}
		return n
	}
	if count(p) >= count(t.Prog) {
		return false, nil
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		return false, err
	}
	for _, c := range failing {
		r, err := run.Run(&oracle.Case{Args: c.Args, Stdin: c.Stdin}, nil)
		if err != nil {
			return false, err
		}
		if r.Fault == nil && run.Stray() > 0 {
			return true, nil
		}
	}
	return false, nil
}

// failingRuns returns given cases, at most so many, in which the unrepaired program leaks, or ends with a memory error
// in one of its own functions.
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
		if r.Fault == nil && run.Stray() > 0 {
			out, errs = append(out, c), append(errs, memoryFault{kind: cases.Lost, done: done})
		}
		if r.Fault != nil && cases.OfMemory(r.Fault.Kind) && t.Prog.Tree.Func(r.Fault.Func) != nil {
			out, errs = append(out, c), append(errs, memoryFault{r.Fault.Kind, r.Fault.Func, statement(t.Prog, r.Fault.Stmt), done})
		}
	}
	return out, errs, nil
}

// statement returns the text of a statement; empty if there is no such statement.
func statement(p *lower.Program, id int32) string {
	if uint(id) >= uint(len(p.Stmts)) || p.Stmts[id] == nil {
		return ""
	}
	return p.Stmts[id].Range.Text()
}

// times returns how often a program executed the statement of an error.
func times(p *lower.Program, x *memoryFault, done map[int32]int32) (n int64) {
	for id, k := range done {
		if s := statement(p, id); s == x.at && p.Stmts[id].Func != nil && p.Stmts[id].Func.Name == x.in {
			n += int64(k)
		}
	}
	return n
}

// executed returns how many statements of a function were executed, with repetitions.
func executed(p *lower.Program, fn string, done map[int32]int32) (n int64) {
	for id, k := range done {
		if uint(id) < uint(len(p.Stmts)) && p.Stmts[id] != nil && p.Stmts[id].Func != nil && p.Stmts[id].Func.Name == fn {
			n += int64(k)
		}
	}
	return n
}
