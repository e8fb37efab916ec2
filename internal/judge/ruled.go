package judge

import (
	"context"
	"regexp"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/check"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// This file holds repaired programs against the rules of memory that gulo check ships.

// ruledTime bounds the runs under rules of one candidate.
const ruledTime = 3 * time.Second

// ruledCost is how many times as long the machine takes under them.
const ruledCost = 10

// ruled returns a case on which a rule of memory fires in a repaired program; nil for none, or
// where the machine does not take it. All given cases are run, and as many of the others as
// there is time for.
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
				return nil, nil
			}
			rep, err := watch(c.Args, c.Stdin)
			if err != nil {
				return nil, err
			}
			left.Spend(budget.Run + ruledCost*rep.Steps)
			if len(rep.Findings) > 0 {
				return c, nil
			}
		}
	}
	return nil, nil
}

// gaveUp returns a given case of which the output is not known and in which a repaired program
// does less than the program did before the error: a statement that was executed, and is
// there still, is not, or statements are left out. A null pointer is
// mended by what names it.
func (t *Judge) gaveUp(repaired *lower.Program, texts map[string]string) (*oracle.Case, error) {
	for _, c := range t.Given.Cases {
		if !c.Want.Any || t.Job.ByContract() || t.Job.Assert {
			continue
		}
		_, f, err := done(t.Prog, c)
		if err != nil {
			return nil, err
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

// doesLess reports whether a repaired program has fewer statements, or a run of it does not execute one that is there
// still and that the program executes in it, up to its error.
func (t *Judge) doesLess(repaired *lower.Program, c *oracle.Case) (bool, error) {
	before, _, err := done(t.Prog, c)
	if err != nil {
		return false, err
	}
	after, _, err := done(repaired, c)
	if err != nil {
		return false, err
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
	if now < was { // what fails is left out, or what would come next
		return true, nil
	}
	for s := range before {
		if there[s] && !after[s] {
			return true, nil
		}
	}
	return false, nil
}

// frees reports whether a statement does nothing but free a block. One too many may be the mistake, and whether one is
// missing the rules of leaks say.
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

// done are the statements that a run executes, by function and text, and how it ended.
func done(p *lower.Program, c *oracle.Case) (map[string]bool, *machine.Fault, error) {
	run, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		return nil, nil, err
	}
	r, err := run.Cover(&oracle.Case{Args: c.Args, Stdin: c.Stdin}, nil)
	if err != nil {
		return nil, nil, err
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

// names reports whether what texts bring in names a pointer through which a statement reads
// or writes.
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
