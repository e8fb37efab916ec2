package judge

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cases"
	"gulo/internal/cfront"
	"gulo/internal/check"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// This file checks repaired programs by the memory rules that gulo check ships.

// ruledTime bounds the runs of one candidate under rules.
const ruledTime = 3 * time.Second

// ruledCost is how many times longer the machine takes with rules.
const ruledCost = 10

// ruled returns a case in which a memory rule fires in a repaired program, or in which the repair gives up (see
// gaveUp). It returns nil if there is none, or if the machine cannot load the program. All given cases are run, and as
// many of the held-back ones as time allows, and inputs that ask more of the program (see breaks).
func (t *Judge) ruled(ctx context.Context, texts map[string]string) (*oracle.Case, error) {
	p, err := t.Reloaded(ctx, texts)
	if err != nil || p == nil {
		return nil, err
	}
	watch, err := check.Watched(p, t.Job.Files[0])
	if err != nil {
		return nil, err
	}
	if c, err := t.gaveUp(p, texts); c != nil || err != nil {
		return c, err
	}
	left := budget.For(ruledTime)
	for _, s := range []*oracle.Suite{t.Given, t.Held} {
		if s == nil {
			continue
		}
		for _, c := range s.Cases {
			if s == t.Held && left.Over() {
				return t.breaks(ctx, p)
			}
			rep, err := watch(c.Args, c.Stdin)
			if err != nil {
				return nil, err
			}
			left.Spend(budget.Run + ruledCost*rep.Steps)
			if slices.ContainsFunc(rep.Findings, func(f check.Finding) bool { return !t.Loses[c] || machine.FaultKind(f.Rule) != cases.Lost }) {
				return c, nil
			}
		}
	}
	return t.breaks(ctx, p)
}

// gaveUp returns a given case in which a repaired program does less than the unrepaired one did before its error (see
// doesLess), and whose output is unknown or shows nothing of the error, since all that the run does wrong is to lose memory.
// A repair of a null dereference must also mention the pointer, or the case is returned.
func (t *Judge) gaveUp(repaired *lower.Program, texts map[string]string) (*oracle.Case, error) {
	if c, err := t.outOfUse(repaired); c != nil || err != nil {
		return c, err
	}
	told, err := t.told()
	if err != nil {
		return nil, err
	}
	for _, c := range t.Given.Cases {
		if t.Job.ByContract() || t.Job.Assert {
			continue
		}
		_, f, err := done(t.Prog, c)
		if err != nil {
			return nil, err
		}
		if f != nil && len(t.Tests) == 0 { // the output is a guess at best
			if t.withoutAccess(repaired, f) {
				return c, nil
			}
			if still, err := t.stillLoads(repaired, c, f); still || err != nil {
				return c, err
			}
		}
		if !c.Want.Any {
			if skips, err := t.skipsAny(repaired, c); skips || err != nil {
				return c, err
			}
			continue
		}
		if f != nil && told[f.Stmt] && t.MadeUp(c) {
			continue
		}
		if f != nil && f.Kind == machine.NullDeref && t.Prog.Stmts[f.Stmt] != nil && !t.names(texts, t.Prog.Stmts[f.Stmt].Range.Text()) {
			return c, nil
		}
		if less, err := t.doesLess(repaired, c); less || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// withoutAccess reports whether a repaired program has, in place of the statement that accessed what is outside a block or was
// never written, none or one that accesses no memory, and is otherwise the same. What it has instead, a number or another
// variable, is then made up. A condition may be another one.
func (t *Judge) withoutAccess(repaired *lower.Program, f *machine.Fault) bool {
	s := t.Prog.Stmts[f.Stmt]
	if s == nil || s.Kind == lower.Cond || !accesses(s) {
		return false
	}
	switch f.Kind {
	case machine.HeapOverflow, machine.StackOverflow, machine.GlobalOverflow, machine.ArrayBounds, machine.Uninitialized:
	default:
		return false
	}
	was, now := standing(t.Prog), standing(repaired)
	i := slices.Index(was, s)
	if i < 0 || len(now) > len(was) {
		return false
	}
	same := func(a, b []*lower.Stmt) bool {
		return slices.EqualFunc(a, b, func(x, y *lower.Stmt) bool { return x.Func.Name == y.Func.Name && x.Range.Text() == y.Range.Text() })
	}
	if len(now) == len(was)-1 {
		return same(was[:i], now[:i]) && same(was[i+1:], now[i:])
	}
	return len(now) == len(was) && was[i].Range.Text() != now[i].Range.Text() && !accesses(now[i])
}

// standing returns the statements of a program that stand in its source.
func standing(p *lower.Program) []*lower.Stmt {
	return slices.DeleteFunc(slices.Clone(p.Stmts), func(s *lower.Stmt) bool { return s == nil || !s.Range.Valid() })
}

// accesses reports whether a statement accesses memory by a pointer or an index, or passes a pointer on.
func accesses(s *lower.Stmt) (found bool) {
	cfront.WalkStmt(s.Node, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Deref, *cfront.Index:
				found = true
			case *cfront.Member:
				found = found || y.Arrow
			case *cfront.Call:
				found = found || slices.ContainsFunc(y.Args, func(a cfront.Expr) bool { return a.Type() != nil && a.Type().Kind == ctype.Pointer })
			}
			return !found
		})
	})
	return found
}

// stillLoads reports whether a statement that only the repaired program has loads, in a run of c, what was never written, as
// the unrepaired one does there. If the value is not used then, no rule fires, and the error is there as before.
func (t *Judge) stillLoads(repaired *lower.Program, c *oracle.Case, f *machine.Fault) (bool, error) {
	if f.Kind != machine.Uninitialized {
		return false, nil
	}
	had := texts(t.Prog)
	run, err := oracle.NewRunner(&oracle.Suite{Prog: repaired})
	if err != nil {
		return false, err
	}
	plain, still := &oracle.Case{Args: c.Args, Stdin: c.Stdin}, false
	if err := run.Begin(plain, nil); err != nil {
		return false, err
	}
	defer run.End()
	run.M.OnUnset = func(id int32) {
		s := repaired.Stmts[id]
		still = still || s != nil && s.Range.Valid() && !had[s.Func.Name+": "+s.Range.Text()]
	}
	run.RunUntil(plain, nil)
	return still, nil
}

// texts returns the statements of a program, by function and text.
func texts(p *lower.Program) map[string]bool {
	had := map[string]bool{}
	for _, s := range p.Stmts {
		if s != nil && s.Range.Valid() {
			had[s.Func.Name+": "+s.Range.Text()] = true
		}
	}
	return had
}

// told returns the statements at which runs of tests with known outputs end in an error: with these nobody has to guess from
// what was executed before what a right program does there. Without tests an output is only guessed.
func (t *Judge) told() (map[int32]bool, error) {
	at := map[int32]bool{}
	if len(t.Tests) == 0 {
		return at, nil
	}
	for _, c := range t.Given.Cases {
		if c.Want.Any || t.MadeUp(c) {
			continue
		}
		_, f, err := done(t.Prog, c)
		if err != nil {
			return nil, err
		}
		if f != nil {
			at[f.Stmt] = true
		}
	}
	return at, nil
}

// outOfUse returns the first given case whose output is unknown if a statement that some given case executes without an
// error is executed by none in a repaired program that still has it: a condition that always holds, in front of what
// fails, ends every error. Where all given cases have known outputs, these decide.
func (t *Judge) outOfUse(repaired *lower.Program) (*oracle.Case, error) {
	i := slices.IndexFunc(t.Given.Cases, func(c *oracle.Case) bool { return c.Want.Any })
	if i < 0 || t.Job.ByContract() || t.Job.Assert {
		return nil, nil
	}
	if t.used == nil {
		used, err := t.use(t.Prog)
		if err != nil {
			return nil, err
		}
		t.used = used
	}
	now, err := t.use(repaired)
	if err != nil {
		return nil, err
	}
	for _, s := range repaired.Stmts {
		if s == nil || !s.Range.Valid() {
			continue
		}
		if name := s.Func.Name + ": " + s.Range.Text(); t.used[name] && !now[name] {
			return t.Given.Cases[i], nil
		}
	}
	return nil, nil
}

// use returns the statements that given cases execute, by function and text, but for those at which they end in an error.
func (t *Judge) use(p *lower.Program) (map[string]bool, error) {
	all := map[string]bool{}
	for _, c := range t.Given.Cases {
		list, f, err := done(p, c)
		if err != nil {
			return nil, err
		}
		if f != nil && p.Stmts[f.Stmt] != nil {
			delete(list, p.Stmts[f.Stmt].Func.Name+": "+p.Stmts[f.Stmt].Range.Text())
		}
		maps.Copy(all, list)
	}
	return all, nil
}

// doesLess reports whether a repaired program has fewer statements, or whether its run of c skips a statement that it
// still has and that the unrepaired program executes before its error. The statement at which it ends by a null pointer,
// or by one to a freed block, counts in the runs in hand alone, and not where the function does something new instead.
func (t *Judge) doesLess(repaired *lower.Program, c *oracle.Case) (bool, error) {
	before, f, err := done(t.Prog, c)
	if err != nil {
		return false, err
	}
	if f != nil && (f.Kind == machine.NullDeref || f.Kind == machine.DanglingDeref) && t.MadeUp(c) && t.Prog.Stmts[f.Stmt] != nil { // nothing may be there in the whole run
		s := t.Prog.Stmts[f.Stmt]
		delete(before, s.Func.Name+": "+s.Range.Text())
	}
	if f != nil && t.Prog.Stmts[f.Stmt] != nil && onlyAsks(t.Prog, repaired) { // the function has a way out, and took it too late
		maps.DeleteFunc(before, func(s string, _ bool) bool { return strings.HasPrefix(s, t.Prog.Stmts[f.Stmt].Func.Name+": ") })
	}
	after, _, err := done(repaired, c)
	if err != nil {
		return false, err
	}
	if f != nil && f.Kind == machine.NullDeref && t.Prog.Stmts[f.Stmt] != nil && doesNew(t.Prog, repaired, t.Prog.Stmts[f.Stmt].Func.Name, after) {
		s := t.Prog.Stmts[f.Stmt]
		delete(before, s.Func.Name+": "+s.Range.Text())
	}
	there, now, was := map[string]bool{}, 0, 0
	for _, s := range repaired.Stmts {
		if s != nil && s.Range.Valid() {
			there[s.Func.Name+": "+s.Range.Text()] = true
			if !frees(s) {
				now++
			}
		}
	}
	for _, s := range t.Prog.Stmts {
		if s != nil && s.Range.Valid() && !frees(s) {
			was++
		}
	}
	if now < was { // the failing statement was deleted, or one after it
		return true, nil
	}
	for s := range before {
		if there[s] && !after[s] {
			return true, nil
		}
	}
	return false, nil
}

// skipsAny reports whether a run of c only loses memory, and skips, with a repair, a statement that it executes without it
// and that the repaired program still has. All that such a run does is right, but for what it does not do: a block that is
// never allocated is not lost either.
func (t *Judge) skipsAny(repaired *lower.Program, c *oracle.Case) (bool, error) {
	run, err := oracle.NewRunner(&oracle.Suite{Prog: t.Prog})
	if err != nil {
		return false, err
	}
	if r, err := run.Run(&oracle.Case{Args: c.Args, Stdin: c.Stdin}, nil); err != nil || r.Fault != nil || run.Stray() == 0 {
		return false, err
	}
	before, _, err := done(t.Prog, c)
	if err != nil {
		return false, err
	}
	after, _, err := done(repaired, c)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(repaired.Stmts, func(s *lower.Stmt) bool {
		if s == nil || !s.Range.Valid() {
			return false
		}
		name := s.Func.Name + ": " + s.Range.Text()
		return before[name] && !after[name]
	}), nil
}

// doesNew reports whether a repaired program executes a statement of a function with an effect of its own that the
// unrepaired one does not have, as in an else that was put in. after are the statements that it executes.
func doesNew(own, repaired *lower.Program, name string, after map[string]bool) bool {
	had := texts(own)
	return slices.ContainsFunc(repaired.Stmts, func(s *lower.Stmt) bool {
		if s == nil || !s.Range.Valid() || s.Func.Name != name {
			return false
		}
		x, ok := s.Node.(*cfront.ExprStmt)
		if !ok {
			return false
		}
		a, ok := x.X.(*cfront.Assign)
		key := name + ": " + s.Range.Text()
		return ok && !isConstant(a.R) && after[key] && !had[key]
	})
}

// isConstant reports whether a value is written as a constant.
func isConstant(x cfront.Expr) bool {
	_, ok := cfront.Skip(x).(*cfront.Const)
	return ok || cfront.IsNull(x)
}

// WayOut reports whether a statement is the condition of an if by which a function returns, or a loop or switch is left.
func WayOut(s *lower.Stmt) bool {
	x, ok := s.Node.(*cfront.If)
	if !ok || s.Kind != lower.Cond {
		return false
	}
	st := x.Then
	for b, ok := st.(*cfront.Block); ok && len(b.List) > 0; b, ok = st.(*cfront.Block) {
		st = b.List[len(b.List)-1]
	}
	switch st.(type) {
	case *cfront.Return, *cfront.Jump:
		return true
	}
	return false
}

// onlyAsks reports whether a repaired program has the statements of the unrepaired one, but for other conditions of ways
// out.
func onlyAsks(own, repaired *lower.Program) bool {
	a, b := standing(own), standing(repaired)
	if len(a) != len(b) {
		return false
	}
	changed := false
	for i, s := range a {
		if s.Range.Text() == b[i].Range.Text() {
			continue
		}
		if b[i].Kind != lower.Cond || !WayOut(s) {
			return false
		}
		changed = true
	}
	return changed
}

// frees reports whether a statement is just a call of free. Those do not count: a superfluous one may be the mistake,
// and the leak rules find a missing one.
func frees(s *lower.Stmt) bool {
	x, ok := s.Node.(*cfront.ExprStmt)
	if !ok {
		return false
	}
	c, ok := x.X.(*cfront.Call)
	if !ok {
		return false
	}
	f, ok := c.Fun.(*cfront.FuncRef)
	return ok && f.Func.Name == "free" && f.Func.Body == nil
}

// done returns the statements that a run executes, by function and text, and the error in which it ends. Where it uses a
// freed block, what it executes from then on, when the block was freed, does not count: it follows a pointer that should
// be gone.
func done(p *lower.Program, c *oracle.Case) (map[string]bool, *machine.Fault, error) {
	run, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		return nil, nil, err
	}
	r, err := run.Cover(&oracle.Case{Args: c.Args, Stdin: c.Stdin}, nil)
	if err != nil {
		return nil, nil, err
	}
	if r.Fault != nil && r.Fault.Freed {
		if err := run.CoverUntil(&oracle.Case{Args: c.Args, Stdin: c.Stdin}, r.Fault.Sound); err != nil {
			return nil, nil, err
		}
		run.Covered[r.Fault.Stmt] = true
	}
	out := map[string]bool{}
	for id := range run.Covered {
		if s := p.Stmts[id]; s != nil && s.Range.Valid() {
			out[s.Func.Name+": "+s.Range.Text()] = true
		}
	}
	return out, r.Fault, nil
}

var (
	pointed = regexp.MustCompile(`([A-Za-z_]\w*)(?:->|\[)|\*([A-Za-z_]\w*)`)
	anyName = regexp.MustCompile(`[A-Za-z_]\w*`)
)

// names reports whether the text that a repair changes or adds mentions a pointer through which a statement reads or
// writes. It is true if the statement uses none.
func (t *Judge) names(texts map[string]string, statement string) bool {
	pointers := map[string]bool{}
	for _, m := range pointed.FindAllStringSubmatch(statement, -1) {
		pointers[m[1]+m[2]] = true
	}
	for _, f := range t.Prog.Tree.Files {
		now, ok := texts[f.Name]
		if !ok {
			continue
		}
		was := string(f.Text)
		for was != "" && now != "" && was[0] == now[0] {
			was, now = was[1:], now[1:]
		}
		for was != "" && now != "" && strings.HasSuffix(was, now[len(now)-1:]) {
			was, now = was[:len(was)-1], now[:len(now)-1]
		}
		for _, n := range anyName.FindAllString(now, -1) {
			if pointers[n] {
				return true
			}
		}
	}
	return len(pointers) == 0
}
