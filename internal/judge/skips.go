package judge

import (
	"slices"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// This file compares two repairs of a memory error that differ in a value that they invent, such as the initial value
// of an uninitialized variable. Any value ends that error. A value with which the faulty function just returns keeps
// the runs away from the function's purpose, and says nothing about what is wrong there.

// Parting is where runs of two repaired programs diverge in the function in which a memory error occurs.
type Parting struct {
	At    *lower.Stmt // the condition of the given program where they diverge; nil: they execute the same statements
	Skips bool        // the first executes less than half as much as the second, and besides only leaves or prints
	// Before the error's statement, the first executes something that the unrepaired program does not, and the second
	// does not.
	Turns bool
}

// Parting compares what the failing runs execute with a repair and with a rival, in the function of the first run's
// error. ok is false if no run fails, or if one of the repairs does not end that error.
func (t *Judge) Parting(repaired, rival *lower.Program) (out Parting, ok bool, err error) {
	if !t.Job.Memory || t.Given == nil || t.Entry != nil || repaired == nil || rival == nil {
		return out, false, nil
	}
	failing, at, err := t.failingAlike()
	if at == nil || err != nil {
		return out, false, err
	}
	fn, names := at.Func.Name, places(t.Prog) // statements that only an edit has are not compared
	there := map[place]*lower.Stmt{}
	for id, k := range names {
		there[k] = t.Prog.Stmts[id]
	}
	a, ended, err := t.ways(repaired, fn, failing, at)
	if !ended || err != nil {
		return out, false, err
	}
	b, ended, err := t.ways(rival, fn, failing, at)
	if !ended || err != nil {
		return out, false, err
	}
	lost, left := 0, true
	for k := range b.may {
		if there[k] != nil && !a.does[k] {
			lost++
		}
	}
	own := map[place]bool{}
	for k := range a.does {
		if s := there[k]; s != nil {
			own[k] = true
			left = left && (b.may[k] || leaves(s))
		}
	}
	was, _, err := t.ways(t.Prog, fn, failing, nil)
	if err != nil {
		return out, false, err
	}
	turns := func(w *ways) bool {
		for k := range w.before {
			if there[k] != nil && !was.may[k] {
				return true
			}
		}
		return false
	}
	return Parting{At: t.partedAt(names, a, b, at), Skips: left && lost > len(own), Turns: turns(a) && !turns(b)}, true, nil
}

// place identifies a statement in several versions of a program: its function, its text, and how many statements with
// that text come before it in the function.
type place struct {
	fn, text string
	n        int
}

// places returns the places of a program's statements, by ID. Entries and ends of functions have none.
func places(p *lower.Program) map[int32]place {
	var list []*lower.Stmt
	for _, s := range p.Stmts {
		if s != nil && s.Range.Valid() && s.Kind != lower.End && s.Kind != lower.Entry {
			list = append(list, s)
		}
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].Range.Start < list[k].Range.Start })
	seen, out := map[place]int{}, map[int32]place{}
	for _, s := range list {
		k := place{s.Func.Name, s.Range.Text(), 0}
		k.n = seen[k]
		seen[place{k.fn, k.text, 0}]++
		out[s.ID] = k
	}
	return out
}

// failingAlike returns given runs, at most mostHidden, that end in a memory error at the same statement as the first
// one.
func (t *Judge) failingAlike() (list []*oracle.Case, at *lower.Stmt, err error) {
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range t.Given.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, nil, err
		}
		if r.Fault == nil || !memoryFaults[r.Fault.Kind] || at != nil && r.Fault.Stmt != at.ID {
			continue
		}
		if at == nil {
			at = t.Prog.Stmts[r.Fault.Stmt]
		}
		if list = append(list, c); at == nil || len(list) == mostHidden {
			break
		}
	}
	return list, at, nil
}

// ways are the statements that some runs execute.
type ways struct {
	does   map[place]bool // executed in the function of the error
	may    map[place]bool // executed anywhere, or reachable from where a run ended in another error
	before map[place]bool // executed before the error's statement
}

// ways executes runs. ended is false if a run still ends in an error at statement at, or does not end. If at is nil,
// errors are ignored.
func (t *Judge) ways(p *lower.Program, fn string, runs []*oracle.Case, at *lower.Stmt) (w *ways, ended bool, err error) {
	run, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		return nil, false, err
	}
	names := places(p)
	w = &ways{map[place]bool{}, map[place]bool{}, map[place]bool{}}
	var open []int32 // statements of fn in which a run ended in another error, maybe in a function called there
	for _, c := range runs {
		last, come := int32(0), false
		r, err := run.Trace(&oracle.Case{Args: c.Args, Stdin: c.Stdin}, func(_, id int32) {
			k, ok := names[id]
			if !ok {
				return
			}
			if come = come || at != nil && k.fn == fn && k.text == at.Range.Text(); !come {
				w.before[k] = true
			}
			if w.may[k] = true; k.fn == fn {
				w.does[k], last = true, id
			}
		})
		if err != nil {
			return nil, false, err
		}
		switch f := r.Fault; {
		case f == nil || at == nil:
		case f.Kind == machine.LimitFault || names[f.Stmt].text == at.Range.Text() && f.Func == fn:
			return nil, false, nil
		case last != 0:
			open = append(open, last)
		}
	}
	seen := map[int32]bool{}
	for len(open) > 0 {
		s := p.Stmts[open[0]]
		if open = open[1:]; s == nil || seen[s.ID] {
			continue
		}
		seen[s.ID] = true
		if k, ok := names[s.ID]; ok {
			w.may[k] = true
		}
		for _, e := range p.Edges(s) {
			open = append(open, e.Next)
		}
	}
	return w, true, nil
}

// partedAt returns a condition that runs of both repairs execute and after which they go to different statements: the
// statement of the error if it is one, else the first in the text. nil: there is none.
func (t *Judge) partedAt(names map[int32]place, a, b *ways, of *lower.Stmt) (at *lower.Stmt) {
	for id, k := range names {
		s := t.Prog.Stmts[id]
		if s.Kind != lower.Cond || !a.does[k] || !b.does[k] {
			continue
		}
		parts := slices.ContainsFunc(t.Prog.Edges(s), func(e lower.Edge) bool {
			next, ok := names[e.Next]
			return ok && a.does[next] != b.does[next]
		})
		if parts && s == of {
			return s
		}
		if parts && (at == nil || s.Range.Start < at.Range.Start) {
			at = s
		}
	}
	return at
}

// leaves reports whether a statement only leaves its function or loop, or prints.
func leaves(s *lower.Stmt) bool {
	if s.Kind == lower.Return || s.Kind == lower.Jump {
		return true
	}
	x, ok := s.Node.(*cfront.ExprStmt)
	if !ok {
		return false
	}
	c, ok := cfront.Skip(x.X).(*cfront.Call)
	if !ok {
		return false
	}
	f, ok := c.Fun.(*cfront.FuncRef)
	return ok && slices.Contains(printing, f.Func.Name)
}

// printing are library functions that print or exit.
var printing = []string{"printf", "puts", "putchar", "putc", "fputc", "fputs", "fprintf", "perror", "exit"}
