package cases

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/machine"
	"gulo/internal/oracle"
)

// unmatched sets aside the given cases whose input scanf does not match, although it matches that of others with the
// same format, and in which the program then reads what was never written: an input that was cut short, with dots at
// its end. Whatever is repaired, such a run reads that memory. It does so only if the program fails another case.
func (t *Set) unmatched() error {
	run, err := oracle.NewRunner(t.Given)
	if err != nil {
		return err
	}
	runs := make([]*oracle.Run, len(t.Given.Cases))
	times := map[string]int{} // cases that do not match a format
	for i, c := range t.Given.Cases {
		if runs[i], err = run.Run(c, nil); err != nil {
			return err
		}
		for _, f := range runs[i].Misread {
			times[f]++
		}
	}
	var rest, out []*oracle.Case
	fails := false
	for i, c := range t.Given.Cases {
		r := runs[i]
		other := slices.ContainsFunc(r.Misread, func(f string) bool {
			return !strings.HasSuffix(f, machine.AtEnd) && times[f] < len(runs)
		})
		if other && r.Fault != nil && r.Fault.Kind == machine.Uninitialized {
			out = append(out, c)
			continue
		}
		rest = append(rest, c)
		fails = fails || !r.Meets(c.Want)
	}
	if len(out) == 0 || !fails {
		return nil
	}
	t.Given.Cases, t.Aside = rest, append(t.Aside, out...)
	t.Notes = append(t.Notes, fmt.Sprintf("only run natively, since scanf finds something else there than it asks for, and what it should have stored is read: %s", namesOf(out)))
	return nil
}
