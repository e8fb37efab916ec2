package judge

import (
	"maps"
	"sync"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// This file says what a run had done when it ended in an error: in which of the calls that had not returned then.

// doing is what a run executed, by the calls that were active at its end, main's first: how often each statement in the
// call itself and in those that it made and that have returned.
type doing struct {
	fault *machine.Fault
	calls []active
}

type active struct {
	fn  string
	did map[int32]int32
}

// runsDone keeps what runs of the program did.
type runsDone struct {
	sync.Mutex
	of map[*oracle.Case]*doing
}

// doing runs a case on the program as it is.
func (t *Judge) doing(c *oracle.Case) (*doing, error) {
	t.done.Lock()
	defer t.done.Unlock()
	if d := t.done.of[c]; d != nil {
		return d, nil
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: t.Prog})
	if err != nil {
		return nil, err
	}
	one := &oracle.Case{Args: c.Args, Stdin: c.Stdin}
	if err := run.Begin(one, nil); err != nil {
		return nil, err
	}
	defer run.End()
	d := &doing{}
	back := func(to int) {
		for len(d.calls) > to {
			k := len(d.calls) - 1
			if k > 0 {
				for s, n := range d.calls[k].did {
					d.calls[k-1].did[s] += n
				}
			}
			d.calls = d.calls[:k]
		}
	}
	d.fault = run.RunUntil(one, func(s int32, library bool) bool {
		if library || uint(s) >= uint(len(t.Prog.Stmts)) || t.Prog.Stmts[s] == nil || t.Prog.Stmts[s].Func == nil {
			return false
		}
		depth, st := run.M.Depth(), t.Prog.Stmts[s]
		if len(d.calls) == depth && (st.Kind == lower.Entry || d.calls[depth-1].fn != st.Func.Name) && depth > 1 {
			back(depth - 1) // another call of the same statement
		}
		back(depth)
		for len(d.calls) < depth {
			d.calls = append(d.calls, active{fn: st.Func.Name, did: map[int32]int32{}})
		}
		d.calls[depth-1].did[s]++
		return false
	})
	if d.fault == nil {
		back(1) // all have returned, but main, which is left to the end
	}
	if t.done.of == nil {
		t.done.of = map[*oracle.Case]*doing{}
	}
	t.done.of[c] = d
	return d, nil
}

// all are the statements, by function and text, that a run executed.
func (d *doing) all(p *lower.Program) map[string]bool {
	out := map[string]bool{}
	for _, a := range d.calls {
		for s := range a.did {
			if p.Stmts[s].Range.Valid() {
				out[named(p, s)] = true
			}
		}
	}
	return out
}

// returned counts the effects that a run had of a function which was not active when the run failed.
func (d *doing) returned(p *lower.Program, fn string) (n int64, ok bool) {
	if d.fault == nil || fn == "main" {
		return 0, false
	}
	for _, a := range d.calls {
		if a.fn == fn {
			return 0, false
		}
		n += effects(p, fn, a.did)
	}
	return n, true
}

// effects counts the statements that were executed of a function and that others can see: those that store to what is no
// local variable, and calls of the library; not those that free.
func effects(p *lower.Program, fn string, done map[int32]int32) (n int64) {
	for id, k := range done {
		if uint(id) >= uint(len(p.Stmts)) || p.Stmts[id] == nil || p.Stmts[id].Func == nil || p.Stmts[id].Func.Name != fn {
			continue
		}
		seen := false
		for _, x := range p.Stmts[id].Exprs() {
			cfront.Walk(x, func(e cfront.Expr) bool {
				if c, ok := e.(*cfront.Call); ok {
					f, ok := cfront.Skip(c.Fun).(*cfront.FuncRef)
					seen = seen || ok && f.Func.Body == nil && f.Func.Name != "free" && !looksOnly[f.Func.Name]
				}
				if to := cfront.Stored(e); to != nil {
					r, ok := to.(*cfront.Ref)
					seen = seen || !ok || r.Var.Storage >= cfront.Global
				}
				return !seen
			})
		}
		if seen {
			n += int64(k)
		}
	}
	return n
}

// looksOnly are functions of the library that change nothing.
var looksOnly = map[string]bool{
	"strlen": true, "strcmp": true, "strncmp": true, "strchr": true, "strrchr": true, "strstr": true, "memcmp": true, "atoi": true, "abs": true,
	"isdigit": true, "isalpha": true, "isspace": true, "isalnum": true, "toupper": true, "tolower": true,
}

// changedFunctions are those whose text is another one in another program.
func changedFunctions(was, now *cfront.Program) map[string]bool {
	text := func(p *cfront.Program) map[string]string {
		out := map[string]string{}
		for _, f := range p.Funcs {
			if f.Body != nil && f.Body.Range().Valid() {
				out[f.Name] = f.Body.Range().Text()
			}
		}
		return out
	}
	a, b := text(was), text(now)
	out := map[string]bool{}
	for _, n := range []map[string]string{a, b} {
		for fn := range maps.Keys(n) {
			if a[fn] != b[fn] {
				out[fn] = true
			}
		}
	}
	return out
}
