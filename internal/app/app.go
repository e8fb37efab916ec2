// Package app is gulo's command line: subcommands, flags, exit codes. It calls
// the packages below it and holds no logic of its own.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/process"
	"gulo/internal/sandbox"
	"gulo/internal/smt"
	"gulo/internal/source"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes, the same for every command.
const (
	exitOK       = 0
	exitNegative = 1
	exitUsage    = 2
	exitOutside  = 3
	exitBug      = process.BugCode
)

// exitError ends a command with an exit code; its message may be empty.
type exitError struct {
	code int
	msg  string
}

func (e *exitError) Error() string { return e.msg }

// Process runs gulo as the process that it is in and returns its exit code.
func Process() int {
	return process.Main(func() int {
		if err := process.LimitMemory(); err != nil {
			fmt.Fprintln(os.Stderr, "gulo: "+err.Error())
			return exitUsage
		}
		return Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}

// Main runs gulo and returns its exit code. It ends early if process.Context does, or if its output cannot be written.
func Main(args []string, in io.Reader, out, errOut io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			process.Report(errOut, r)
			code = exitBug
		}
	}()
	debug.SetGCPercent(process.MostGarbage) // process.LimitMemory lowers it when the heap is large
	ctx, cancel := context.WithCancelCause(process.Context())
	defer cancel(nil)
	s := &streams{in: in, out: &output{w: out, name: "standard output", end: cancel}, err: &output{w: errOut, name: "standard error", end: cancel}}
	return s.run(ctx, s.root(), args)
}

// Commands returns the table of commands, for the manual pages and completions. The commands cannot be run.
func Commands() *cobra.Command {
	return (&streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}).root()
}

// root returns the table of commands.
func (s *streams) root() *cobra.Command {
	var ask *bool
	root := &cobra.Command{
		Use:   "gulo",
		Short: "a debugger that repairs C programs",
		Long: `gulo draws the heap of a C program as boxes and arrows while it runs. Where the
picture is wrong, you correct it; gulo finds the faulty statements and patches
them. It also repairs without a session: from a correct version, tests,
assertions, a contract, or the rules of memory.`,
		Example: `  gulo debug examples/reverse.c                  # step, look, correct, repair
  gulo fix --reference right.c wrong.c -- 3 1 2  # repair without stepping
  gulo fix --memory prog.c -- ARG...             # repair a memory error
  gulo run prog.c                                # stop at a memory error`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			if *ask {
				return s.version(c.Context())
			}
			return c.Help()
		},
	}
	ask = root.Flags().Bool("version", false, "say which gulo this is, and which tools it finds")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetUsageFunc(usage)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		var bad *pflag.InvalidValueError
		if errors.As(err, &bad) && bad.GetFlag().Value.Type() == "duration" {
			err = fmt.Errorf("--%s %s: write a time with its unit, such as 20s or 2m", bad.GetFlag().Name, bad.GetValue())
		}
		return &exitError{exitUsage, fmt.Sprintf("%v; see: %s --help", err, c.CommandPath())}
	})
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return inRange(c) }
	root.AddCommand(s.debugCommand(), s.webCommand(), s.dapCommand(), s.fixCommand(), s.locateCommand(), s.exploreCommand(), s.runCommand(), s.checkCommand(), s.opaqueCommand(), s.ccCommand(), s.rulesCommand(), s.injectCommand(), s.benchCommand(), s.mineCommand(), s.editsCommand(), s.campaignCommand(), s.workerCommand(), s.jobCommand(), s.agreeCommand(), s.versionCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() { // cobra's own texts begin with a capital
		switch c.Name() {
		case "help":
			c.Short = "describe a command"
		case "completion":
			c.Short = "print a script that completes commands in a shell"
		}
	}
	return root
}

// inRange refuses durations and numbers that make no sense.
func inRange(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "duration":
			if d, e := c.Flags().GetDuration(f.Name); e == nil && d <= 0 {
				err = &exitError{exitUsage, fmt.Sprintf("--%s %s: write a time that is longer than nothing, such as 20s or 2m; see: %s --help", f.Name, f.Value, c.CommandPath())}
			}
		case "int", "int64":
			if f.Name != "seed" && f.Name != "random" && strings.HasPrefix(f.Value.String(), "-") {
				err = &exitError{exitUsage, fmt.Sprintf("--%s %s: a number below 0 makes no sense here; see: %s --help", f.Name, f.Value, c.CommandPath())}
			}
		}
	})
	return err
}

// notCommand refuses a C file given in place of a command, and an unknown command.
func notCommand(root *cobra.Command, args []string) error {
	if len(args) > 0 && strings.HasSuffix(args[0], ".c") {
		return &exitError{exitUsage, fmt.Sprintf("%s is no command; to step through it: gulo debug %s; other commands: gulo --help", args[0], args[0])}
	}
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return nil // cobra adds that command when it is called
	}
	if len(args) > 0 && args[0] == "help" {
		args = args[1:]
	}
	c, rest, _ := root.Find(args)
	at := slices.IndexFunc(rest, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if !c.HasAvailableSubCommands() || at < 0 || c != root && c.Runnable() && strings.Contains(c.Use, " ") { // bench takes names of tables
		return nil
	}
	text := fmt.Sprintf("there is no command %s %s", c.CommandPath(), rest[at])
	if c.SuggestionsMinimumDistance = 2; len(c.SuggestionsFor(rest[at])) > 0 {
		text += "; did you mean " + strings.Join(c.SuggestionsFor(rest[at]), " or ") + "?"
	}
	return &exitError{exitUsage, text + "; commands: " + c.CommandPath() + " --help"}
}

// leftError says what remains of a command that was ended from outside.
type leftError struct{ what string }

func (e *leftError) Error() string { return e.what }

// run executes a command and returns its exit code. If the command was ended from outside, the code says by what.
func (s *streams) run(ctx context.Context, root *cobra.Command, args []string) int {
	root.SetArgs(gccFlags(args))
	err := notCommand(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	s.line.show("")
	if code, text, yes := s.ended(ctx); yes {
		process.HoldIfEnding() // a signal has printed its own message
		var left *leftError
		if text != "" && errors.As(err, &left) {
			text += "; " + left.what
		}
		if text != "" {
			fmt.Fprintln(s.err, "gulo: "+text)
		}
		return code
	}
	var said strings.Builder
	code := exitCode(err, &said)
	if diag := (*source.Error)(nil); s.guessed != "" && (errors.Is(err, errNoMain) || errors.As(err, &diag)) {
		fmt.Fprintln(&said, "gulo: "+s.guessed)
	}
	fmt.Fprint(s.err, prose(said.String(), widthOf(s.err)))
	if broken := sandbox.Broken(); broken != nil && (code == exitOK || code == exitNegative) {
		fmt.Fprintf(s.err, "gulo: %v; do not rely on what was said without this run\n", broken)
		code = exitOutside
	}
	if lacks := sandbox.Missing(); lacks != "" {
		fmt.Fprintln(s.err, "gulo: "+lacks)
	}
	return code
}

// exitCode prints an error and returns its exit code.
func exitCode(err error, w io.Writer) int {
	if err == nil {
		return exitOK
	}
	var exit *exitError
	var tool *cfront.ToolError
	var diag *source.Error
	var temp *process.TempError
	var late *lateError
	switch {
	case errors.As(err, &late):
		fmt.Fprintln(w, "gulo: "+late.Error())
		return exitOutside
	case errors.As(err, &temp):
		fmt.Fprintln(w, "gulo: "+temp.Error())
		return exitOutside
	case errors.As(err, &exit):
		if exit.msg != "" {
			fmt.Fprintln(w, "gulo: "+exit.msg)
		}
		return exit.code
	case errors.As(err, &diag):
		fmt.Fprintln(w, diag)
		return exitUsage
	case errors.As(err, &tool):
		fmt.Fprintln(w, "gulo: "+tool.Error())
		return exitOutside
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission), errors.Is(err, smt.ErrStopped), process.Outside(err):
		fmt.Fprintln(w, "gulo: "+err.Error())
		return exitOutside
	}
	fmt.Fprintf(w, "gulo: %v\n", err)
	return exitUsage
}

// split separates source files from the program's arguments.
func split(c *cobra.Command, args []string) (files, rest []string, err error) {
	files = args
	if n := c.ArgsLenAtDash(); n >= 0 {
		files, rest = args[:n], args[n:]
	}
	if len(files) == 0 {
		return nil, nil, &exitError{exitUsage, "no source file given" + swallowed(c) + "; see: " + c.CommandPath() + " --help"}
	}
	for i, f := range files {
		if i > 0 && filepath.Ext(f) == "" && !exists(f) {
			return nil, nil, &exitError{exitUsage, fmt.Sprintf("there is no file %s; arguments of the program go after --, as in: %s%s %s -- %s", f, c.CommandPath(), map[bool]string{true: " ..."}[c.Flags().NFlag() > 0], strings.Join(files[:i], " "), strings.Join(files[i:], " "))}
		}
	}
	return files, rest, nil
}

// swallowed says which flag took a source file as its value, or returns "".
func swallowed(c *cobra.Command) (text string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if value := f.Value.String(); filepath.Ext(value) == ".c" && f.Value.Type() == "string" {
			what, _ := pflag.UnquoteUsage(f)
			text = fmt.Sprintf(": %s was taken for the %s of --%s; write: %s --%s %s %s", value, what, f.Name, c.CommandPath(), f.Name, what, value)
		}
	})
	return text
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
