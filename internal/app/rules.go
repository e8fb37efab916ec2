package app

import (
	"fmt"
	"io"
	"os"
	"strings"

	"gulo/internal/check"
	"gulo/internal/plural"
	"gulo/internal/rules"
	"gulo/internal/source"

	"github.com/spf13/cobra"
)

func (s *streams) rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "rules",
		Short:   "list, show and check the rules that define memory errors",
		Long:    "Lists, shows and checks rule files, which define what a memory error is, and\ngenerates debuggers from them. docs/rules.md describes their language.",
		Example: "  gulo rules list\n  gulo rules gen --table figure2\n  gulo rules show memory\n  gulo rules check mine.rules\n  gulo rules format mine.rules",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		&cobra.Command{Use: "list", Short: "list the shipped rule files and their rules", Long: "Lists the rule files that come with gulo, and the rules in each.", Args: cobra.NoArgs, Example: "  gulo rules list", RunE: func(*cobra.Command, []string) error {
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
		&cobra.Command{Use: "show NAME", Short: "print a shipped rule file", Long: "Prints a rule file that comes with gulo; gulo rules list names them.", Args: cobra.ExactArgs(1), Example: "  gulo rules show figure2", RunE: func(_ *cobra.Command, args []string) error {
			f, err := rules.Shipped(args[0])
			if err != nil {
				return &exitError{exitUsage, err.Error()}
			}
			_, err = s.out.Write(f.Source.Text)
			return err
		}},
		&cobra.Command{Use: "check FILE...", Short: "check rule files", Long: "Reads rule files, reports the first mistake in them, and counts their rules.", Args: cobra.MinimumNArgs(1), Example: "  gulo rules check mine.rules", RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				f, err := readRules(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(s.out, "%s: %s, %s\n", name, plural.N(len(f.Rules), "rule"), plural.N(len(f.Defines), "predicate"))
			}
			return nil
		}},
		&cobra.Command{Use: "format FILE", Short: "print a rule file in its standard format", Long: "Prints a rule file in its standard format, without changing the file.", Args: cobra.ExactArgs(1), Example: "  gulo rules format mine.rules", RunE: func(_ *cobra.Command, args []string) error {
			f, err := readRules(args[0])
			if err == nil {
				_, err = io.WriteString(s.out, rules.Print(f))
			}
			return err
		}},
		s.rulesGenCommand(),
	)
	return c
}

func (s *streams) rulesGenCommand() *cobra.Command {
	var table, conf bool
	c := &cobra.Command{
		Use: "gen FILE|NAME...", Short: "print the native debugger generated from rules", Args: cobra.MinimumNArgs(1),
		Long: `Prints the C that is generated from rules: the detectors. --config prints what
is inserted into programs to call them; --table counts the lines of each rule
and of the C made from it.`,
		Example: "  gulo rules gen figure2 > detectors.c\n  gulo rules gen --table figure2 figure6",
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := check.Load(args)
			if err != nil {
				return checkError(err)
			}
			names := map[string]string{"ts": "ts"}
			if table {
				text, err := check.LineTable(files, names)
				if err != nil {
					return &exitError{exitUsage, err.Error()}
				}
				_, err = io.WriteString(s.out, text)
				return err
			}
			out, err := check.Generate(files, names)
			if err != nil {
				return &exitError{exitUsage, err.Error()}
			}
			text := out.Detectors
			if conf {
				text = string(out.Config.JSON()) + "\n"
			}
			_, err = io.WriteString(s.out, text)
			return err
		},
	}
	c.Flags().BoolVar(&table, "table", false, "count lines of rules and of C")
	c.Flags().BoolVar(&conf, "config", false, "print what is inserted into programs")
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
