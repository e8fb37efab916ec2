package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"gulo/internal/check"
	"gulo/internal/rules/gen"
	"gulo/internal/source"

	"github.com/spf13/cobra"
)

func (s *streams) checkCommand() *cobra.Command {
	var src sourceFlags
	var build buildFlag
	var req check.Request
	var format, output, engine, svg, debug, script string
	c := &cobra.Command{
		Use: `check [flags] FILE.c... [-- ARG...]
  gulo check [flags] PROGRAM [-- ARG...]
  gulo check [flags] -p BUILD_DIR [PROGRAM] [-- ARG...]
  gulo check [flags] -- make ...`,
		Short: "stop before the first memory error and show where it came from",
		Long: `Runs a C program under memory rules and stops just before the first error. The
report names the rule and the place, and shows where each pointer involved came
from. Standard input and output are the program's own; the report goes to
standard error, or to --output.

The program is compiled with a debugger generated from the rules, which needs
clang-19 and make instrument; a PROGRAM must have been built by gulo cc. With
--engine machine it runs on gulo's abstract machine, and clang is not needed.
The rules are data: gulo rules show memory prints them, docs/rules.md describes
their language.

Exit status: 0 no rule fires; 1 a rule fires; 2 bad input; 3 a limit was reached
or a tool is missing. Next: --debug opens a session just before the error, and
gulo fix --memory FILE.c -- ARG... looks for a repair.`,
		Example: `  gulo check --engine machine examples/shallow_copy.c
  gulo check list.c
  gulo check --debug list.c
  gulo check --ts handle_request server.c -- config.txt
  gulo check --rules mine.rules --rules memory --format json list.c
  gulo check --format sarif --output gulo.sarif -p . server
  gulo check ./server -- config.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" && format != "sarif" {
				return &exitError{exitUsage, fmt.Sprintf("--format is text, json or sarif, not %q", format)}
			}
			if engine != "machine" && engine != "native" {
				return &exitError{exitUsage, fmt.Sprintf("--engine is machine or native, not %q", engine)}
			}
			req.Native = engine == "native"
			built, err := s.toCheck(c, args, &src, &build, &req)
			if err != nil {
				return err
			}
			req.Stdin, req.Stdout, req.Stderr = s.in, s.out, s.err
			if req.Native { // the program's output goes straight to ours, not through a pipe
				req.Stdout, req.Stderr = own(s.out), own(s.err)
			}
			if debug != "" {
				return checkError(s.checkDebug(c.Context(), &req, debug, script))
			}
			run := check.Run
			if built {
				run = check.Binary
			}
			rep, err := run(c.Context(), &req)
			if errors.Is(err, gen.ErrWholeTrace) && !c.Flags().Changed("engine") {
				fmt.Fprintln(s.err, "gulo: these rules need the whole trace, so the program runs on the abstract machine")
				req.Native, req.Stdout, req.Stderr = false, s.out, s.err
				rep, err = run(c.Context(), &req)
			}
			if check.Rejected(err) && !c.Flags().Changed("engine") && req.Events == "" && check.Loads(c.Context(), &req) {
				said, _, _ := strings.Cut(err.Error(), "\n")
				fmt.Fprintf(s.err, "gulo: clang does not compile the program (%s), so it runs on the abstract machine\n", said)
				req.Native, req.Stdout, req.Stderr = false, s.out, s.err
				rep, err = run(c.Context(), &req)
			}
			if err != nil {
				if check.Lacks(err) {
					err = fmt.Errorf("%w, or use --engine machine", err)
				}
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
	build.register(c)
	c.Flags().StringVar(&engine, "engine", "native", "what runs the program: native, or machine (gulo's interpreter)")
	c.Flags().StringArrayVar(&req.Rules, "rules", nil, "`FILE`: a rule file, or the name of one that comes with gulo; may be repeated")
	c.Flags().StringVar(&req.Function, "ts", "", "`FUNCTION`: every block that this function allocates must be freed when it returns (rule leak_in_ts)")
	c.Flags().BoolVar(&req.Strict, "strict", false, "copying uninitialized memory is an error too; natively, so is storing it")
	c.Flags().StringSliceVar(&req.Off, "off", nil, "`RULES`: names of rules to switch off")
	c.Flags().Int64Var(&req.MaxSteps, "max-steps", 0, "on the machine: stop after this many instructions (0: no limit)")
	c.Flags().StringVar(&req.Events, "events", "", "`FILE`: natively: write every step of every value to this file, with its time")
	c.Flags().BoolVar(&req.Unknown, "unknown", false, "natively: list the called functions that gulo knows nothing about")
	c.Flags().StringVar(&svg, "svg", "", "`FILE`: write a picture of where the values came from, as SVG")
	c.Flags().StringVar(&debug, "debug", "", "`ENGINE`: open a session just before the error, under machine or gdb")
	c.Flags().Lookup("debug").NoOptDefVal = "machine"
	c.Flags().StringVar(&script, "script", "", "`FILE`: with --debug, read commands from it and print a transcript")
	c.Flags().StringVar(&format, "format", "text", "text, json or sarif")
	c.Flags().StringVar(&output, "output", "", "`FILE`: write the report to it")
	return c
}

// toCheck fills in which program the command line asks to check. built reports whether it is a program built by gulo
// cc.
func (s *streams) toCheck(c *cobra.Command, args []string, src *sourceFlags, build *buildFlag, req *check.Request) (built bool, err error) {
	req.Dir = "."
	if build.dir == "" && c.ArgsLenAtDash() != 0 {
		files, rest, err := split(c, args)
		if err != nil {
			return false, err
		}
		req.Files, req.Args, req.Options = files, rest, src.options()
		return len(files) == 1 && check.IsBinary(files[0]), readable(files)
	}
	from, err := s.program(c, args, src, build)
	if err != nil {
		return false, err
	}
	req.Files, req.Args, req.Options = from.files, from.args, from.opt
	return false, nil
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

// checkError gives errors of check their exit codes.
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

func (s *streams) findings(rep *check.Result, format, output string) error {
	write := func(w io.Writer) error {
		if format == "text" {
			rep.Text(w)
			return nil
		}
		if format == "sarif" {
			return printFindings(w, rep)
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

// readable returns why one of the named files cannot be read. This is reported before tools that are missing.
func readable(files []string) error {
	for _, f := range files {
		info, err := os.Stat(f)
		if err == nil && info.IsDir() {
			err = syscall.EISDIR
		}
		if err != nil {
			return source.Unreadable(f, err)
		}
	}
	return nil
}
