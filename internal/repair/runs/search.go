package runs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/output"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
)

// This file is what all parts of a search ask of it: what it reports, how long it took, what it notes.

// lent says which line of the program gets a statement or a condition of another program; "" if none does. If whole
// functions are taken over, judgeTaken notes how much.
func lent(edits []*textedit.Edit) string {
	for _, e := range edits {
		if e.From != "" {
			return fmt.Sprintf("%s%s: line %d", takenOver, e.From, e.Line())
		}
	}
	return ""
}

// cleaned removes the placeholders of deleted statements from a repair's texts.
func cleaned(r *schema.Repair) *schema.Repair {
	c := *r
	c.Texts = map[string]string{}
	for name, text := range r.Texts {
		c.Texts[name] = output.Clean(text)
	}
	return &c
}

// report begins the report.
func (w *Search) report() (*report.Report, error) {
	rep := &report.Report{Cases: len(w.t.Given.Cases), Notes: w.t.Notes, Repairs: []report.Repair{}}
	if w.t.Entry != nil {
		rep.Entry = w.t.Entry.Name
	}
	var err error
	rep.Example, rep.Failing, err = w.t.Example()
	w.failing = rep.Failing
	w.t.Job.Best.About(rep)
	return rep, err
}

func (w *Search) millis() float64 { return float64(time.Since(w.clock).Microseconds()) / 1000 }

// note adds a note about the repair that is about to be shown.
func (w *Search) note(rep *report.Report, note string) {
	if note != "" && len(rep.Repairs) == 0 && !slices.Contains(w.t.Notes, note) {
		w.t.Notes = append(w.t.Notes, note)
		rep.Notes = w.t.Notes
	}
}

// avoids says how a repair only changes main so that a memory error is not reached; "" if it does not.
func (w *Search) avoids(ctx context.Context, p *lower.Program, texts map[string]string, e report.Changed) (string, error) {
	name, err := w.t.Avoids(p, e)
	if name != "" || err != nil {
		return fmt.Sprintf("it changes only what main asks for: %s is done less than without it before the error", name), err
	}
	return w.t.Recurs(ctx, texts)
}

// known returns the mistakes that gulo knows and those of the job.
func known(r *job.Job) []mistakes.Mistake { return append(mistakes.Builtin(), r.Mistakes...) }
