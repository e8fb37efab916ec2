package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"gulo/internal/check"
	"gulo/internal/rules"
	"gulo/internal/source"

	"github.com/spf13/cobra"
)

func (s *streams) checkCommand() *cobra.Command {
	var src sourceFlags
	var req check.Request
	var format, output, engine string
	c := &cobra.Command{
		Use:   "check [--rules FILE] [--ts FUNC] FILE.c... [-- ARG...]",
		Short: "run a program under memory debuggers made from rules",
		Long: "Runs a C program under memory rules and stops just before the first error: the rule, the\n" +
			"place, and where the values involved came from; on the abstract machine, or natively with a\n" +
			"debugger generated from the rules (--engine native, needs clang-19). Without --rules\n" +
			"the shipped ones are used (gulo rules show memory). Standard input and output are the\n" +
			"program's own; the report goes to standard error, or to --output. Exit status: 0 no rule\n" +
			"fires, 1 one does.",
		Example: "  gulo check list.c\n  gulo check --ts handle_request server.c -- config.txt\n  gulo check --rules mine.rules --rules memory --format json --output report.json list.c",
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
			rep, err := check.Run(c.Context(), &req)
			if err != nil {
				return checkError(err)
			}
			return s.findings(rep, format, output)
		},
	}
	src.register(c)
	c.Flags().StringVar(&engine, "engine", "machine", "machine or native")
	c.Flags().StringArrayVar(&req.Rules, "rules", nil, "a rule file, or the name of a shipped one; may be given several times")
	c.Flags().StringVar(&req.Function, "ts", "", "a function whose blocks must be freed when it returns (leak_in_ts)")
	c.Flags().BoolVar(&req.Strict, "strict", false, "copying what was never written is reading it; natively also what is only stored again")
	c.Flags().Int64Var(&req.MaxSteps, "max-steps", 0, "stop after this many instructions (0: no limit)")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().StringVar(&output, "output", "", "write the report to a file")
	return c
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

// ccCommand passes its arguments on as they are.
func (s *streams) ccCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "cc ARG...",
		Short: "compile C with a memory debugger inside: CC=\"gulo cc\" make",
		Long: "A compiler wrapper: takes clang's arguments and builds programs that stop just before a\n" +
			"memory error and say where the values involved came from. GULO_RULES names other rules than\n" +
			"the shipped ones (files or names, separated by commas). Needs clang-19.",
		Example:            "  gulo cc -o list list.c\n  ./configure CC=\"gulo cc\" && make\n  GULO_RULES=mine.rules gulo cc -c list.c",
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "--help" {
				return c.Help()
			}
			names := []string{"memory"}
			if v := os.Getenv("GULO_RULES"); v != "" {
				names = strings.Split(v, ",")
			}
			files, err := check.Load(names)
			if err != nil {
				return checkError(err)
			}
			d, err := check.Build(c.Context(), files, map[string]string{"ts": os.Getenv("GULO_TS")}, os.Getenv("GULO_STRICT") != "")
			if err != nil {
				return checkError(err)
			}
			code, err := check.CC(c.Context(), d, args)
			if err != nil {
				return checkError(err)
			}
			if code != 0 {
				return &exitError{code: code}
			}
			return nil
		},
	}
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

func (s *streams) rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "rules",
		Short:   "the rule language's tools",
		Long:    "Lists, shows and checks files of memory rules; docs/rules.md describes the language.",
		Example: "  gulo rules list\n  gulo rules show memory\n  gulo rules check mine.rules\n  gulo rules format mine.rules",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		&cobra.Command{Use: "list", Short: "list the shipped rule files and their rules", Args: cobra.NoArgs, Example: "  gulo rules list", RunE: func(*cobra.Command, []string) error {
			for _, n := range rules.Library() {
				f, err := rules.Shipped(n)
				if err != nil {
					return err
				}
				var names []string
				for _, r := range f.Rules {
					if len(names) == 0 || names[len(names)-1] != r.Name {
						names = append(names, r.Name)
					}
				}
				fmt.Fprintf(s.out, "%-8s %s\n", n, strings.Join(names, " "))
			}
			return nil
		}},
		&cobra.Command{Use: "show NAME", Short: "print a shipped rule file", Args: cobra.ExactArgs(1), Example: "  gulo rules show figure2", RunE: func(_ *cobra.Command, args []string) error {
			f, err := rules.Shipped(args[0])
			if err != nil {
				return &exitError{exitUsage, err.Error()}
			}
			_, err = s.out.Write(f.Source.Text)
			return err
		}},
		&cobra.Command{Use: "check FILE...", Short: "check rule files", Args: cobra.MinimumNArgs(1), Example: "  gulo rules check mine.rules", RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				f, err := readRules(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(s.out, "%s: %d rules, %d predicates\n", name, len(f.Rules), len(f.Defines))
			}
			return nil
		}},
		&cobra.Command{Use: "format FILE", Short: "print a rule file in one form", Args: cobra.ExactArgs(1), Example: "  gulo rules format mine.rules", RunE: func(_ *cobra.Command, args []string) error {
			f, err := readRules(args[0])
			if err == nil {
				_, err = io.WriteString(s.out, rules.Print(f))
			}
			return err
		}},
	)
	return c
}

func readRules(name string) (*rules.File, error) {
	src, err := source.ReadFile(name)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, &exitError{exitUsage, fmt.Sprintf("%v; shipped files are shown by gulo rules show NAME", err)}
		}
		return nil, &exitError{exitUsage, err.Error()}
	}
	f, err := rules.Parse(src)
	if err != nil {
		return nil, err
	}
	return f, rules.Check(f)
}
