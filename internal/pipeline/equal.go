package pipeline

import (
	"context"
	"time"

	"gulo/internal/judge"
	"gulo/internal/logic"
	"gulo/internal/lower"
)

// This file lets logic prove or refute repairs that other engines find. An input that refutes one becomes a case
// (package judge).

// compare lets the judge of whole runs ask logic, if there is a reference that can be compared.
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
