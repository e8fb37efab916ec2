package app

import (
	"os"

	"gulo/internal/batch"

	"github.com/spf13/cobra"
)

// holdRuns holds an answer that nothing is wrong against the whole runs in hand: what
// differs on one of them is the answer.
func (s *streams) holdRuns(c *cobra.Command, f *specFlags, args []string, rep *batch.Report) error {
	if !rep.Met() {
		return nil
	}
	files, rest, err := split(c, args)
	if err != nil {
		return err
	}
	w := &batch.Whole{Files: files, Options: f.src.options(), Args: rest}
	if f.reference != "" {
		w.Reference = []string{f.reference}
	}
	if w.Stdin, err = s.runInput(f); err != nil {
		return err
	}
	if info, err := os.Stat(f.tests); err == nil && info.IsDir() {
		if w.Tests, err = batch.LoadTests(f.tests); err != nil {
			return specError(err)
		}
	}
	d, n, err := w.Differs(c.Context())
	if err != nil {
		return err
	}
	if d == nil {
		rep.Runs = n
		return nil
	}
	rep.Result, rep.Run = batch.None, d.String()
	rep.Cause = "a whole run differs, and nothing that was compared shows why"
	return nil
}
