// Package app is gulo's command line: subcommands, flags, exit codes. It calls
// the packages below it and holds no logic of its own.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"gulo/internal/cfront"
	"gulo/internal/source"

	"github.com/spf13/cobra"
)

// Exit codes, the same for every command.
const (
	exitOK       = 0
	exitNegative = 1
	exitUsage    = 2
	exitOutside  = 3
	exitBug      = 70
)

// streams are the files a command talks to.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// exitError ends a command with a code; its message may be empty.
type exitError struct {
	code int
	msg  string
}

func (e *exitError) Error() string { return e.msg }

// gcPercent trades memory for time: searches make much short-lived garbage over
// a small heap.
const gcPercent = 400

// Main runs gulo and returns its exit code.
func Main(args []string, in io.Reader, out, errOut io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errOut, "gulo: this is a bug in gulo, please report it with the program and the commands that led here:\n%v\n%s", r, debug.Stack())
			code = exitBug
		}
	}()
	debug.SetGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	s := &streams{in, out, errOut}
	root := &cobra.Command{
		Use:           "gulo",
		Short:         "a debugger that repairs C programs",
		Long:          "gulo shows the heap of a C program as boxes and arrows while it runs, lets you\ncorrect the picture, finds the faulty statements and patches them.",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	root.AddCommand(s.debugCommand(), s.fixCommand(), s.locateCommand(), s.exploreCommand(), s.runCommand(), s.checkCommand(), s.ccCommand(), s.rulesCommand(), s.injectCommand(), s.benchCommand(), s.campaignCommand(), s.workerCommand(), s.jobCommand())
	err := root.ExecuteContext(ctx)
	return report(err, errOut)
}

// report prints an error and returns the exit code it stands for.
func report(err error, w io.Writer) int {
	if err == nil {
		return exitOK
	}
	var exit *exitError
	var tool *cfront.ToolError
	var diag *source.Error
	switch {
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
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		fmt.Fprintln(w, "gulo: "+err.Error())
		return exitOutside
	}
	fmt.Fprintf(w, "gulo: %v\n", err)
	return exitUsage
}

// sourceFlags are the compiler flags that every command on C files takes.
type sourceFlags struct {
	include, define []string
}

func (f *sourceFlags) register(c *cobra.Command) {
	c.Flags().StringArrayVarP(&f.include, "include", "I", nil, "directory to search for header files")
	c.Flags().StringArrayVarP(&f.define, "define", "D", nil, "macro to define, as NAME or NAME=VALUE")
}

func (f *sourceFlags) options() cfront.Options {
	var o cfront.Options
	for _, d := range f.include {
		o.Flags = append(o.Flags, "-I"+d)
	}
	for _, d := range f.define {
		o.Flags = append(o.Flags, "-D"+d)
	}
	return o
}

// split separates source files from the program's arguments.
func split(c *cobra.Command, args []string) (files, rest []string, err error) {
	files = args
	if n := c.ArgsLenAtDash(); n >= 0 {
		files, rest = args[:n], args[n:]
	}
	if len(files) == 0 {
		return nil, nil, &exitError{exitUsage, "no source file given; try: gulo " + c.Name() + " FILE.c"}
	}
	return files, rest, nil
}
