package app

import (
	"fmt"
	"os"
	"time"

	"gulo/internal/bench"

	"github.com/spf13/cobra"
)

func (s *streams) benchCommand() *cobra.Command {
	var o bench.Options
	c := &cobra.Command{
		Use:   "bench [TABLE...]",
		Short: "measure repair on a corpus of programs and print the tables",
		Long: "Injects faults into programs that work on lists and trees and repairs them.\n" +
			"Tables: repair (engines side by side, by class of faults and number of bugs),\n" +
			"trust (how many first-shown repairs are right, with and without generated inputs).",
		Example:   "  gulo bench repair --faults 44\n  gulo bench trust --seed 3",
		ValidArgs: []string{"repair", "trust"},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"repair", "trust"}
			}
			for _, a := range args {
				if a != "repair" && a != "trust" {
					return &exitError{exitUsage, fmt.Sprintf("no table %q; there are repair and trust", a)}
				}
			}
			for _, a := range args {
				var err error
				if a == "repair" {
					err = bench.Repair(c.Context(), s.out, o, s.progress())
				} else {
					err = bench.Trust(c.Context(), s.out, o)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().IntVar(&o.Faults, "faults", 44, "faults for each class")
	c.Flags().Int64Var(&o.Seed, "seed", 1, "of the random faults")
	c.Flags().DurationVar(&o.Limit, "limit", 10*time.Second, "for one repair")
	return c
}

// progress returns a progress bar on a terminal, nil elsewhere.
func (s *streams) progress() func(done, all int) {
	if !isTerminal(s.err) {
		return nil
	}
	return func(done, all int) {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%3d%%", min(100*done/max(all, 1), 100))
		if done >= all {
			fmt.Fprint(os.Stderr, "\r\x1b[K")
		}
	}
}
