package pipeline

import (
	"context"
	"time"

	"gulo/internal/judge"
	"gulo/internal/logic"
	"gulo/internal/lower"
)

// This file offers what other engines find to logic, for a proof. What it refutes becomes a case
// (package judge).

// compare lets the judge of whole runs ask logic, where there is a reference.
func (p *pipe) compare() {
	t := p.runs.Judge()
	if t.Ref == nil || t.WrittenApart() {
		return
	}
	t.Compare = func(ctx context.Context, prog *lower.Program, until time.Time) (judge.Equality, error) {
		if p.comparer == nil {
			p.comparer = logic.NewComparer(p.j, t.Ref.Prog)
		}
		return p.comparer.Compare(ctx, prog, until)
	}
}
