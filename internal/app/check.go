package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"gulo/internal/check"
	"gulo/internal/rules/gen"

	"github.com/spf13/cobra"
)

func (s *streams) checkCommand() *cobra.Command {
	var src sourceFlags
	var req check.Request
	var format, output, engine, svg, debug, script string
	c := &cobra.Command{
		Use:   "check [--rules FILE] [--ts FUNC] FILE.c... | PROGRAM [-- ARG...]",
		Short: "run a program under memory debuggers made from rules",
		Long: "Runs a C program under memory rules and stops just before the first error: the rule, the\n" +
			"place, and where the values involved came from. The program is built with a debugger that is\n" +
			"generated from the rules (needs clang-19), is one that gulo cc built, or runs on the abstract\n" +
			"machine (--engine machine), which also knows rules that look through the whole trace. Without\n" +
			"--rules the shipped ones are used (gulo rules show memory). Standard input and output are the\n" +
			"program's own; the report goes to standard error, or to --output. With --debug a session is\n" +
			"opened at the error. Exit status: 0 no rule fires, 1 one does.",
		Example: "  gulo check list.c\n  gulo check --debug list.c\n  gulo check --ts handle_request server.c -- config.txt\n  gulo check --rules mine.rules --rules memory --format json --output report.json list.c\n  gulo check ./server -- config.txt",
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return &exitError{exitUsage, fmt.Sprintf("--format is text or json, not %q", format)}
			}
			if engine != "machine" && engine != "native" {
				return &exitError{exitUsage, fmt.Sprintf("--engine is machine or native, not %q", engine)}
			}
			req.Native = engine == "native"
			files, rest, err := split(c, args)
			if err != nil {
				return err
			}
			req.Files, req.Args, req.Options = files, rest, src.options()
			req.Stdin, req.Stdout, req.Stderr = s.in, s.out, s.err
			if req.Native { // its own, not pipes to us
				req.Stdout, req.Stderr = own(s.out), own(s.err)
			}
			if debug != "" {
				return checkError(s.checkDebug(c.Context(), &req, debug, script))
			}
			run := check.Run
			if len(files) == 1 && check.IsBinary(files[0]) {
				run = check.Binary
			}
			rep, err := run(c.Context(), &req)
			if errors.Is(err, gen.ErrWholeTrace) && !c.Flags().Changed("engine") {
				fmt.Fprintln(s.err, "gulo: the rules look through the whole trace; the program runs on the abstract machine")
				req.Native, req.Stdout, req.Stderr = false, s.out, s.err
				rep, err = run(c.Context(), &req)
			}
			if err != nil {
				return checkError(err)
			}
			if svg != "" {
				if err := saveFile(svg, []byte(rep.SVG())); err != nil {
					return err
				}
			}
			return s.findings(rep, format, output)
		},
	}
	src.register(c)
	c.Flags().StringVar(&engine, "engine", "native", "native or machine")
	c.Flags().StringArrayVar(&req.Rules, "rules", nil, "a rule file, or the name of a shipped one; may be given several times")
	c.Flags().StringVar(&req.Function, "ts", "", "a function whose blocks must be freed when it returns (leak_in_ts)")
	c.Flags().BoolVar(&req.Strict, "strict", false, "copying what was never written is reading it; natively also what is only stored again")
	c.Flags().StringSliceVar(&req.Off, "off", nil, "rules that are not asked")
	c.Flags().Int64Var(&req.MaxSteps, "max-steps", 0, "on the machine: stop after this many instructions (0: no limit)")
	c.Flags().StringVar(&req.Events, "events", "", "natively: keep every step of every value in a file, with its time")
	c.Flags().BoolVar(&req.Unknown, "unknown", false, "natively: list the functions called of which nothing is known")
	c.Flags().StringVar(&svg, "svg", "", "draw where the values came from into a file")
	c.Flags().StringVar(&debug, "debug", "", "open a session just before the error, under machine or gdb")
	c.Flags().Lookup("debug").NoOptDefVal = "machine"
	c.Flags().StringVar(&script, "script", "", "with --debug: read commands from a file and print a transcript")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().StringVar(&output, "output", "", "write the report to a file")
	return c
}

// checkDebug opens a session at the moment of the first error.
func (s *streams) checkDebug(ctx context.Context, req *check.Request, engine, script string) error {
	if engine != "machine" && engine != "gdb" {
		return &exitError{exitUsage, fmt.Sprintf("--debug is machine or gdb, not %q", engine)}
	}
	commands, err := openScript(script)
	if err != nil {
		return err
	}
	p, err := loadProgram(ctx, "machine", req.Files, req.Options)
	if err != nil {
		return err
	}
	var input []byte
	if commands != nil && !isTerminal(s.in) {
		if input, err = io.ReadAll(s.in); err != nil {
			return &exitError{exitOutside, err.Error()}
		}
	}
	try := *req
	try.Stdin, try.Stdout, try.Stderr = bytes.NewReader(input), io.Discard, io.Discard
	rep, at, err := check.FirstError(ctx, &try, p)
	if err != nil {
		return err
	}
	if at == nil {
		fmt.Fprintln(s.err, "no rule fires; there is nothing to look at")
		return s.findings(rep, "text", "")
	}
	rep.Text(s.err)
	w, err := check.Watcher(req, p)
	if err != nil {
		return err
	}
	return s.session(ctx, p, sessionOptions{engine: engine, script: commands, files: req.Files, args: req.Args, opt: req.Options, input: input, watch: w, at: at})
}

// checkError gives errors their exit codes.
func checkError(err error) error {
	var use *check.UsageError
	var tool *check.ToolError
	switch {
	case errors.As(err, &use):
		return &exitError{exitUsage, err.Error()}
	case errors.As(err, &tool):
		return &exitError{exitOutside, err.Error()}
	}
	return err
}

func (s *streams) findings(rep *check.Report, format, output string) error {
	write := func(w io.Writer) error {
		if format == "text" {
			rep.Text(w)
			return nil
		}
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(rep)
	}
	var err error
	if output == "" {
		err = write(s.err)
	} else {
		err = s.answer(output, write)
	}
	switch {
	case err != nil:
		return err
	case len(rep.Findings) > 0 || rep.Missed:
		return &exitError{code: exitNegative}
	}
	return nil
}
