package judge

import (
	"context"

	"gulo/internal/oracle"
	"gulo/internal/report"
)

// This file runs repairs natively before they are shown.

// mostHeldCalls is about how many held-back calls are made natively.
const mostHeldCalls = 60

// Tried runs a repaired program, compiled with the sanitizers, on the cases and on some held-back ones. why says what
// refutes it, and is empty if nothing does. The evidence says what was run.
func (t *Judge) Tried(ctx context.Context, texts map[string]string, out *report.Repair) (why string, err error) {
	if t.Given.Entry == nil {
		ok, err := t.Natively(ctx, texts, out)
		if err == nil && !ok {
			why = "one of the runs"
		}
		return why, err
	}
	if t.native == nil {
		own := Side{Prog: t.Prog, Entry: t.Given.Entry, Files: t.Job.Files, Options: t.Job.Options}
		t.native = &Calls{Own: own, Control: own}
		if t.Ref != nil {
			t.native.Control = Side{Prog: t.Ref.Prog, Entry: t.Ref.Entry, Files: t.Job.Reference, Options: t.Job.Options}
		}
	}
	cases := append([]*oracle.Case(nil), t.Given.Cases...)
	if t.Held != nil {
		for i := 0; i < len(t.Held.Cases); i += max(1, len(t.Held.Cases)/mostHeldCalls) {
			cases = append(cases, t.Held.Cases[i])
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
