package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/report"
)

// This file judges an answer.

// sanitizedRuns bounds the further inputs that are run with sanitizers, which takes longer.
const sanitizedRuns = 40

// judge classifies an answer of gulo fix.
func (t *trial) judge(ctx context.Context, d *document) error {
	r := t.rec
	r.Why = d.Cause
	switch {
	case d.Result == report.Right || d.Result == report.Alike:
		r.Class, r.Why = Wrong, "gulo says that nothing is wrong"
	case d.Result == report.None:
		r.Cause = notInSpace
	case d.Result != report.Repaired && strings.Contains(d.Cause, report.TimeLimit):
		r.Cause = timeLimit
	case d.Result != report.Repaired:
		r.Cause = unknown
	case len(d.Repairs) == 0:
		return errors.New("gulo fix: repaired, and no repair is shown")
	default:
		r.Why = ""
		return t.repaired(ctx, d)
	}
	return nil
}

// repaired judges the first repair that is shown.
func (t *trial) repaired(ctx context.Context, d *document) error {
	var edits []string
	for _, e := range d.Repairs[0].Edits {
		edits = append(edits, strings.Join(strings.Fields(fmt.Sprintf("%d: %s => %s", e.Line, e.Before, e.After)), " "))
		if base := filepath.Base(e.File); e.File != "" && base != "wrong.c" {
			t.rec.Class, t.rec.Why = Wrong, "the repair changes "+base+", in which nothing is wrong"
		}
	}
	t.rec.Shown = strings.Join(edits, "; ")
	if t.rec.Class == Wrong {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(t.dir, "fixed.c"))
	if err != nil {
		return err
	}
	fixed, err := t.build(ctx, "fixed", text)
	var ce *native.CompileError
	if errors.As(err, &ce) {
		t.rec.Class, t.rec.Why = Wrong, "the repaired program does not compile: "+firstLine(ce.Text)
		return nil
	}
	if err != nil {
		return err
	}
	more, err := t.further(ctx)
	if err != nil {
		return err
	}
	t.rec.Class, t.rec.Further = Right, len(more)
	if err := t.refute(ctx, fixed, text, more); err != nil || t.rec.Class != Right {
		return err
	}
	if t.right != nil && t.Program.driven() {
		if err := t.called(ctx, text); err != nil || t.rec.Class == Overfit {
			return err
		}
	}
	return t.undefined(ctx, text, more)
}

// refute runs a repaired program on all tests and further inputs. A first pass runs the further inputs in one process,
// because a process for each takes long. An input that seems to refute the repair is run again in a process of its own.
func (t *trial) refute(ctx context.Context, fixed *native.Binary, text []byte, more []oracle.Test) error {
	quick, err := t.outcomes(ctx, "fixed", text, more, rightTime)
	if err != nil {
		return err
	}
	for i := range len(t.tests) + len(more) {
		class, x := Overfit, &oracle.Test{}
		if i < len(t.tests) {
			x = &t.tests[i]
		} else {
			k := i - len(t.tests)
			if x = &more[k]; k < len(quick) && quick[k].Ended() && t.same(quick[k].Stdout, x.Stdout) && (!t.statuses || quick[k].Status == x.Exit) {
				continue
			}
		}
		p, err := within(ctx, repairTime, fixed, x.Args, x.Stdin)
		if err != nil {
			return err
		}
		if i >= len(t.tests) && !t.statuses && p.Stopped == "" { // nobody defined the exit status for inputs that no test has
			p.Status = x.Exit
		}
		why := t.differs(p, x)
		if why == "" {
			continue
		}
		if i < t.given && t.Mode != ByMemory {
			class = Wrong
		}
		t.rec.Class, t.rec.Why = class, fmt.Sprintf("on %s, %s: %s", x.Name, inputOf(x), why)
		return nil
	}
	return nil
}

func inputOf(x *oracle.Test) string {
	in := cases.Input{Args: x.Args, Stdin: x.Stdin}
	if s := []rune(in.String()); len(s) > longInput {
		return string(s[:longInput]) + "…"
	}
	return in.String()
}

const longInput = 80

// undefined looks, with sanitizers, for an error of the repaired program that the right version does not have on the
// same input. An error that the wrong version has, too, does not count against the repair, unless gulo was asked about
// memory errors.
func (t *trial) undefined(ctx context.Context, text []byte, more []oracle.Test) error {
	fixed, err := t.build(ctx, "fixed", text, sanitized...)
	if err != nil {
		return noCompile(err)
	}
	var others []*native.Binary // built on first use
	for _, x := range append(t.tests[:len(t.tests):len(t.tests)], more[:min(len(more), sanitizedRuns)]...) {
		p, err := within(ctx, repairTime, fixed, x.Args, x.Stdin)
		if err != nil {
			return err
		}
		why := reported(p)
		if why == "" || why == leaks && t.rec.Class == Leaking {
			continue
		}
		if others == nil {
			if others, err = t.versions(ctx); err != nil {
				return noCompile(err)
			}
		}
		had := false
		for i, b := range others {
			p, err := within(ctx, repairTime, b, x.Args, x.Stdin)
			if err != nil {
				return err
			}
			r := reported(p)
			if i > 0 && why == leaks && r != "" { // it loses memory, too, or ends before that could be seen
				r = why
			}
			had = had || r == why && (i > 0 || t.Mode != ByMemory)
		}
		if had {
			continue
		}
		t.rec.Class, t.rec.Why = Leaking, fmt.Sprintf("on %s, %s: %s", x.Name, inputOf(&x), why)
		if why != leaks {
			t.rec.Class = Wrong
			return nil
		}
	}
	return nil
}

// versions builds the wrong and the right version with sanitizers.
func (t *trial) versions(ctx context.Context) ([]*native.Binary, error) {
	b, err := t.build(ctx, "wrong", t.Program.Wrong, sanitized...)
	if err != nil {
		return nil, err
	}
	out := []*native.Binary{b}
	if t.right != nil {
		if b, err = t.build(ctx, "right", t.Program.Right, sanitized...); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// noCompile ignores a compile error: gcc accepts the program only without sanitizers.
func noCompile(err error) error {
	var ce *native.CompileError
	if errors.As(err, &ce) {
		return nil
	}
	return err
}

// leaks is the report for a run that does not free all its memory.
const leaks = "memory is lost"

// reported returns the error that the sanitizers report for a run; "" if none.
func reported(p *native.Process) string {
	for line := range strings.Lines(p.Stderr) {
		if strings.Contains(line, "LeakSanitizer: detected memory leaks") {
			return leaks
		}
		if _, what, ok := strings.Cut(line, "runtime error: "); ok {
			return strings.TrimSpace(what)
		}
		if _, what, ok := strings.Cut(line, "ERROR: AddressSanitizer: "); ok {
			if words := strings.Fields(what); len(words) > 0 {
				return words[0]
			}
		}
	}
	return ""
}

// arithmetic are reports that do not concern memory, so that no memory rule of gulo covers them.
var arithmetic = []string{"signed integer overflow", "negation of ", "division by zero", "shift", "outside the range of representable values", "not a valid value for type"}

// ofMemory reports whether a sanitizer's report concerns memory.
func ofMemory(report string) bool {
	return report != "" && !slices.ContainsFunc(arithmetic, func(s string) bool { return strings.Contains(report, s) })
}

// ranked finds the rank of the author's correction. Lines of equal score have the average of their ranks.
func (t *trial) ranked(d *document) {
	r := t.rec
	r.Class, r.Cause, r.Why = Ranked, "", ""
	best := map[int]float64{}
	for _, s := range d.Ranking {
		if filepath.Base(s.File) != "wrong.c" && s.File != "" {
			continue
		}
		if old, ok := best[s.Line]; !ok || s.Score > old {
			best[s.Line] = s.Score
		}
	}
	r.Listed = len(best)
	for line := range changed(t.Program.Wrong, t.Program.Right) {
		score, ok := best[line]
		if !ok {
			continue
		}
		above, same := 0, 0
		for _, other := range best {
			if other > score {
				above++
			} else if other == score {
				same++
			}
		}
		if rank := float64(above) + float64(same+1)/2; r.Rank == 0 || rank < r.Rank {
			r.Rank = rank
		}
	}
}
