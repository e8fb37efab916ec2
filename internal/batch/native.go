package batch

import (
	"context"
	"time"

	"gulo/internal/judge"
	"gulo/internal/oracle"
	"gulo/internal/report"
)

// This file runs what was found natively before it is shown.

// mostHeldCalls bounds the held-back calls that are made natively.
const mostHeldCalls = 60

// tried runs a repaired program, compiled with the sanitizers, on the cases and on some of
// those held back; why says what refutes it, empty for nothing. The evidence says what
// was run.
func (t *task) tried(ctx context.Context, texts map[string]string, out *report.Repair) (why string, err error) {
	if t.given.Entry == nil {
		w := &Runs{t: t, until: time.Now()}
		ok, err := w.natively(ctx, texts, out)
		if err == nil && !ok {
			why = "one of the runs"
		}
		return why, err
	}
	if t.native == nil {
		own := judge.Side{Prog: t.prog, Entry: t.given.Entry, Files: t.req.Files, Options: t.req.Options}
		t.native = &judge.Calls{Own: own, Control: own}
		if t.ref != nil {
			t.native.Control = judge.Side{Prog: t.ref.Prog, Entry: t.ref.Entry, Files: t.req.Reference, Options: t.req.Options}
		}
	}
	cases := append([]*oracle.Case(nil), t.given.Cases...)
	if t.held != nil {
		for i := 0; i < len(t.held.Cases); i += max(1, len(t.held.Cases)/mostHeldCalls) {
			cases = append(cases, t.held.Cases[i])
		}
	}
	n, err := t.native.Try(ctx, texts, cases)
	if err != nil {
		return "", err
	}
	if n.Bad != nil {
		return "on " + n.Bad.Name + " it " + n.How, nil
	}
	ev := &out.Evidence
	ev.Guarded, ev.Missing = n.Met, n.Missing
	ev.Text = ev.String()
	return "", nil
}
