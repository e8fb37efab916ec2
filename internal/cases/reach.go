package cases

import (
	"context"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// Reach continues where Explore stopped, for the statements of a program that no run has reached. It returns inputs
// that reach such statements. Inputs that reach known statements more often lead on. It gives up when nothing new was
// reached for long, or when the steps of the configuration are spent.
func Reach(ctx context.Context, right *lower.Program, seeds []Input, runs []*Run, c Config) ([]Input, error) {
	e := &explorer{same: map[behaviour]int{}, out: &Explored{}, right: right, seen: map[string]bool{}, met: map[key]bool{}, reached: map[int32]bool{}, deaf: -1}
	for _, r := range runs {
		e.seen[r.Input.key()] = true
		news := false
		for k := range r.covered {
			news = news || !e.met[k]
			e.met[k], e.reached[k.stmt] = true, true
		}
		if news {
			e.grounds = append(e.grounds, r.Input)
		}
	}
	m := NewMaker(c.Seed+5, seeds, LanguageOf(right.Tree))
	missing := e.missing()
	for idle := 0; idle < idleTries && len(missing) > 0 && len(e.grounds) > 0 && !c.over(ctx, e.work); idle++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		in := e.grounds[len(e.grounds)-1-m.pick(len(e.grounds))] // prefers what was found last
		if m.rnd.Intn(4) == 0 && in.Size() < mostSize {
			in = m.Cross(in, e.grounds[m.rnd.Intn(len(e.grounds))])
		}
		if in = m.Vary(in); !c.Form.Has(&in) {
			continue
		}
		n := len(e.first)
		if err := e.try(in); err != nil {
			return nil, err
		}
		if len(e.first) > n {
			idle, missing = 0, e.missing()
		}
	}
	return e.first, nil
}

// idleTries is how many tries may reach nothing new before Reach gives up.
const idleTries = 4000

// missing lists the statements that no run has reached, in functions that main calls.
func (e *explorer) missing() (out []int32) {
	main := e.right.Tree.Func("main")
	if main == nil {
		return nil
	}
	calls := cfront.Callees(main)
	for id, s := range e.right.Stmts {
		if s != nil && !e.reached[int32(id)] && calls[s.Func] && s.Range.Valid() && !strings.HasPrefix(s.Range.File.Name, "@") {
			out = append(out, int32(id))
		}
	}
	return out
}
