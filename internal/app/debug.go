package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/shell"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
	"gulo/internal/target/sim"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func (s *streams) debugCommand() *cobra.Command {
	var src sourceFlags
	var engine, script string
	c := &cobra.Command{
		Use:   "debug FILE.c... [-- ARG...]",
		Short: "step through a program, correct its heap, get the patch",
		Long: "Runs a C program under gdb (or on the abstract machine) and shows its heap as boxes and\n" +
			"arrows after every command. Correct the picture with change and the control flow with\n" +
			"enter, leave and flip; assert states with spec; repair finds the smallest patch that\n" +
			"meets every assertion and goes on with the patched program.",
		Example: "  gulo debug list.c\n  gulo debug --engine machine main.c list.c -- arg\n  gulo debug --script session.gulo examples/reverse.c",
		RunE: func(c *cobra.Command, args []string) error {
			files, rest, err := split(c, args)
			if err != nil {
				return err
			}
			if engine != "gdb" && engine != "machine" {
				return &exitError{exitUsage, fmt.Sprintf("--engine is gdb or machine, not %q", engine)}
			}
			return s.debug(c.Context(), engine, script, files, rest, src.options())
		},
	}
	src.register(c)
	c.Flags().StringVar(&engine, "engine", "gdb", "what runs the program: gdb or machine")
	c.Flags().StringVar(&script, "script", "", "read commands from a file and print a transcript (- for standard input)")
	return c
}

func (s *streams) debug(ctx context.Context, engine, script string, files, args []string, opt cfront.Options) error {
	var in io.Reader
	if script != "" && script != "-" {
		f, err := os.Open(script)
		if err != nil {
			return &exitError{exitUsage, fmt.Sprintf("cannot read the script: %v", err)}
		}
		defer f.Close()
		in = f
	}
	tree, err := cfront.Load(ctx, files, opt)
	if err != nil {
		return err
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		return err
	}
	if p.IR.Main < 0 {
		return &exitError{exitUsage, "the program has no function main"}
	}
	var tgt target.Target
	if engine == "gdb" {
		if tgt, err = gdb.New(ctx, p, gdb.Config{Files: files, Args: args, Opt: opt}); err != nil {
			return err
		}
	} else {
		tgt = sim.New(p, sim.Config{Name: files[0], Args: args})
	}
	width, color := 100, false
	tty := isTerminal(s.in) && isTerminal(s.out)
	if isTerminal(s.out) {
		color = os.Getenv("NO_COLOR") == ""
		if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 20 {
			width = w
		}
	}
	cfg := session.Config{Width: width, Color: color, Name: files[0]}
	if tty {
		cfg.Progress = func(text string) {
			fmt.Fprint(s.out, "\r\x1b[K")
			if text != "" {
				fmt.Fprint(s.out, text+" ...")
			}
		}
	}
	ses := session.New(p, tgt, cfg)
	defer ses.Close()
	ints := make(chan os.Signal, 1)
	signal.Notify(ints, os.Interrupt)
	defer signal.Stop(ints)
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case <-ints:
				ses.Interrupt()
			case <-ctx.Done():
				ses.Interrupt()
				return
			case <-done:
				return
			}
		}
	}()
	if in == nil && tty {
		fmt.Fprintf(s.out, "gulo: %s under %s; help lists the commands, start begins\n", files[0], engine)
		return shell.Interactive(ctx, ses, s.out, historyFile())
	}
	if in == nil {
		in = s.in
	}
	failed, negative, err := shell.Script(ctx, ses, in, s.out)
	switch {
	case err != nil:
	case failed > 0:
		err = &exitError{exitUsage, fmt.Sprintf("%d of the script's commands could not be done", failed)}
	case negative > 0:
		err = &exitError{exitNegative, "no repair was found"}
	}
	return err
}

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func historyFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gulo", "history")
}
