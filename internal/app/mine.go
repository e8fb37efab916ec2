package app

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"gulo/internal/mine"
	"gulo/internal/process"

	"github.com/spf13/cobra"
)

// mineCommand counts which rules explain the corrections that people made.
func (s *streams) mineCommand() *cobra.Command {
	var o mine.Options
	var file, table string
	c := &cobra.Command{
		Use:   "mine DIR",
		Short: "count which edit rules explain the corrections that people made",
		Long: `Reads pairs of a wrong program and the same author's corrected one, finds the
places that differ, and asks the edits that gulo fix would try which of them is
the correction. Prints for each edit rule how many corrections it explains, how
many edits it lists, and the cost in bits that these counts suggest, beside the
cost in use; then the places that no rule explains, by shape. docs/gate.md has
the layout of DIR.

With --json every record is written as it comes, and the same command continues
after the last one. ^C ends the count and prints what was counted until then.`,
		Example: `  gulo mine corpus/ --json mined.json --table mined.txt
  gulo mine corpus/ --sample 500`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &exitError{exitUsage, "name one folder of programs; try: gulo mine DIR"}
			}
			if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
				return &exitError{exitUsage, fmt.Sprintf("%s is no folder of programs; docs/gate.md has the layout", args[0])}
			}
			o.Dir, o.Progress = args[0], s.progress()
			return s.mine(c.Context(), &o, file, table)
		},
	}
	c.Flags().IntVar(&o.Sample, "sample", 0, "pairs to draw, by the hashes of their names; 0 for all")
	c.Flags().Int64Var(&o.Seed, "seed", 1, "seed of the draw")
	c.Flags().IntVarP(&o.Workers, "jobs", "j", runtime.GOMAXPROCS(0), "pairs at a time")
	c.Flags().StringVar(&file, "json", "", "`FILE`: write one line of JSON for each correction; an existing file is continued")
	c.Flags().StringVar(&table, "table", "", "`FILE`: write the counts of rules and shapes to it")
	return c
}

// mine counts, and prints what it has counted even if it is interrupted.
func (s *streams) mine(ctx context.Context, o *mine.Options, file, table string) error {
	h, err := o.Header()
	if err != nil {
		return err
	}
	if file != "" {
		to, known, err := mine.Append(file, h)
		if err != nil {
			return gateError(err)
		}
		defer to.Close()
		o.Known, o.Found = known, to.Add
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer process.OnInterrupt(stop)()
	m, err := mine.Run(ctx, o)
	interrupted := err != nil && ctx.Err() != nil
	if err != nil && !interrupted {
		return gateError(err)
	}
	m.Print(s.out)
	if interrupted {
		again := "give --json FILE, so that another run can go on"
		if file != "" {
			again = "the same command goes on"
		}
		return &exitError{process.Signal{Number: syscall.SIGINT}.Code(), "interrupted; " + again}
	}
	if table == "" {
		return nil
	}
	var b bytes.Buffer
	if err := m.WriteTable(&b); err != nil {
		return err
	}
	return saveFile(table, b.Bytes())
}
