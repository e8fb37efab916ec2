package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"gulo/internal/bench/gate"
	"gulo/internal/campaign"

	"github.com/spf13/cobra"
)

// This file measures gulo on programs that other people wrote.

// gateCommand is gulo bench gate.
func (s *streams) gateCommand() *cobra.Command {
	var o gate.Options
	var file, against string
	c := &cobra.Command{
		Use:   "gate DIR",
		Short: "measure on programs that others wrote",
		Long: `Draws programs from a corpus and asks gulo about each. gulo gets half of the
tests; its first repair is run on all tests and, beside the version that the
author corrected, on inputs made from the tests. docs/gate.md has the layout of
a corpus and what the words of the table mean.

Programs run with limits and without network. With --json every record is
written as it comes, and the same command continues after the last one.`,
		Example: `  gulo bench gate corpus/ --sample 100 --seed 1 --json now.json
  gulo bench gate corpus/ --json now.json --against old.json
  gulo bench gate corpus/ --mode reference,locate --jobs 2
  gulo bench gate corpus/ --nats nats://host:4222 --name gate --jobs 0`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &exitError{exitUsage, "name one folder of programs; try: gulo bench gate DIR"}
			}
			o.Dir = args[0]
			return s.gate(c.Context(), &o, file, against)
		},
	}
	c.Flags().StringSliceVar(&o.Modes, "mode", []string{gate.ByTests}, "`MODES`: what gulo is asked for: "+strings.Join(gate.Modes, ", "))
	c.Flags().IntVar(&o.Sample, "sample", 100, "programs to draw; 0 for all")
	c.Flags().Int64Var(&o.Seed, "seed", 1, "seed of the draw, of gulo, and of the inputs that are made")
	c.Flags().StringSliceVar(&o.Programs, "program", nil, "`NAMES`: draw from these only")
	c.Flags().DurationVar(&o.Limit, "limit", 20*time.Second, "counted work of one search (--work of gulo fix)")
	c.Flags().IntVar(&o.Inputs, "made", 300, "inputs to make from the tests of a program")
	c.Flags().StringVar(&file, "json", "", "`FILE`: write one line of JSON for each answer; an existing file is continued")
	c.Flags().StringVar(&against, "against", "", "`FILE`: compare with this earlier file of --json and print what changed")
	c.Flags().IntVarP(&o.Workers, "jobs", "j", runtime.GOMAXPROCS(0), "programs at a time in this process; 0 leaves all to gulo worker")
	c.Flags().StringVar(&o.URL, "nats", "", "`URL`: a NATS server whose workers help (gulo worker)")
	c.Flags().StringVar(&o.Name, "name", "gate", "name of the queue on that server")
	return c
}

func (s *streams) gate(ctx context.Context, o *gate.Options, file, against string) error {
	if info, err := os.Stat(o.Dir); err != nil || !info.IsDir() {
		return &exitError{exitUsage, fmt.Sprintf("%s is no folder of programs; docs/gate.md has the layout", o.Dir)}
	}
	if o.Workers < 1 && o.URL == "" {
		return &exitError{exitUsage, "with --jobs 0 nobody works: give --nats, and start gulo worker"}
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	o.Self, o.Progress = []string{own, "job"}, s.progress()
	h, err := o.Header()
	if err != nil {
		return err
	}
	var old []gate.Record
	if against != "" {
		if _, old, _, err = gate.Read(against); err != nil {
			return gateError(err)
		}
	}
	if file != "" {
		to, known, err := gate.Append(file, h)
		if err != nil {
			return gateError(err)
		}
		defer to.Close()
		o.Known, o.Found = known, to.Add
	}
	m, err := gate.Measure(ctx, o)
	if ctx.Err() != nil {
		again := "give --json FILE, so that another run can go on"
		if file != "" {
			again = "the same command goes on"
		}
		return errors.Join(&exitError{exitOutside, "interrupted; " + again}, ctx.Err())
	}
	if err != nil {
		return gateError(err)
	}
	fmt.Fprintln(s.out, h.String())
	gate.Print(s.out, m, old)
	return nil
}

// gateError gives errors of a measurement their exit codes.
func gateError(err error) error {
	var use gate.UsageError
	var halt *campaign.HaltError
	switch {
	case errors.As(err, &use) || os.IsNotExist(err):
		return &exitError{exitUsage, err.Error()}
	case errors.As(err, &halt):
		return &exitError{exitOutside, "the measurement stops: " + halt.Why}
	}
	return err
}
