package app

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/pipeline"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file knows which method honours which option. An option that the method cannot honour is refused by name:
// ignoring it would change what the answer means. docs/methods.md is this table.

// columns are the methods of each command, split by specification if that matters.
var columns = map[string][]string{
	"fix":    append(pipeline.Names(), "evidence of cases"),
	"locate": {"spectrum", "spectrum of a contract", "diagnosis", "evidence", "evidence of cases", "gradient", "edits", "all"},
}

// everywhere are options that every method honours.
var everywhere = []string{"build", "define", "entry", "cflag", "format", "include", "limit", "lock", "method", "output", "seed", "undefine", "help"}

// byLogicOnly are options that only methods by logic honour.
var byLogicOnly = []string{"avoid-failures", "every-expression", "failing", "no-conditions", "no-heuristics", "random", "template-file", "templates", "unroll", "wrap"}

// honoured returns the columns of a command's table that honour an option.
func honoured(command, option string) []string {
	all := columns[command]
	fix := command == "fix"
	pick := func(forFix, forLocate string) []string {
		text := forLocate
		if fix {
			text = forFix
		}
		var out []string
		for _, m := range strings.Split(text, ", ") {
			if slices.Contains(all, m) {
				out = append(out, m)
			}
		}
		return out
	}
	switch option {
	case "reference":
		return pick("heap, runs, template, evidence, evidence of cases", "spectrum, diagnosis, evidence of cases, gradient, edits, all")
	case "assert":
		return pick("runs, template, evidence, evidence of cases", "diagnosis, all")
	case "contract", "contracts":
		return pick("runs, template, evidence", "spectrum of a contract, diagnosis, evidence, gradient, edits, all")
	case "tests":
		return pick("heap, runs, evidence, evidence of cases", "spectrum, spectrum of a contract, evidence, evidence of cases, gradient, edits, all")
	case "space":
		return pick("runs, evidence of cases", "spectrum, evidence of cases, gradient, edits, all")
	case "stdin":
		return pick("heap, runs, evidence, evidence of cases", "spectrum, evidence of cases, gradient, edits, all")
	case "inputs", "faults":
		return pick("template", "diagnosis, all")
	case "explain", "trace":
		return pick("evidence, evidence of cases", "evidence")
	case "dices":
		return pick("evidence, evidence of cases", "")
	case "mistakes", "memory", "right":
		return pick("runs", "")
	case "work":
		if fix {
			return all
		}
		return pick("", "all")
	case "repairs", "rewrite", "times":
		if fix {
			return all
		}
		return nil
	}
	if slices.Contains(byLogicOnly, option) {
		return pick("template", "diagnosis")
	}
	if slices.Contains(everywhere, option) {
		return all
	}
	return nil
}

// specifying are the options that give the specification. If a method of fix honours one of them, the others are
// honoured, too: repairs are checked against them.
var specifying = []string{"reference", "tests", "assert", "contract", "contracts", "stdin"}

// ignored lists the options given that a method does not honour.
func ignored(c *cobra.Command, command, method string) (out []string) {
	judged := false
	c.Flags().Visit(func(f *pflag.Flag) {
		judged = judged || command == "fix" && f.Name != "stdin" && slices.Contains(specifying, f.Name) && slices.Contains(honoured(command, f.Name), method)
	})
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(honoured(command, f.Name), method) && !(judged && slices.Contains(specifying, f.Name)) {
			out = append(out, f.Name)
		}
	})
	return out
}

// accepting lists the engines of fix that honour all options given, apart from those that give the specification.
func accepting(c *cobra.Command, k *contractFlags, reference bool) (out []string) {
	for _, m := range fixMethods {
		column := m
		if m == "evidence" && reference && !k.given() {
			column = "evidence of cases"
		}
		list := slices.DeleteFunc(ignored(c, "fix", column), func(o string) bool { return o == "memory" || o == "right" || slices.Contains(specifying, o) })
		if len(list) == 0 {
			out = append(out, m)
		}
	}
	return out
}

// refuse returns an error that names an option which a method does not honour, and the methods that do.
func refuse(c *cobra.Command, command, method string) error {
	list := ignored(c, command, method)
	if len(list) == 0 {
		return nil
	}
	text := fmt.Sprintf("--%s does not work with --method %s", list[0], method)
	if with := honoured(command, list[0]); len(with) > 0 {
		text += "; it works with --method " + strings.Join(with, ", ")
	}
	return &exitError{exitUsage, text}
}

// choose returns the method to use: first or, if no method was asked for, another one that honours all options.
func choose(c *cobra.Command, command, first string) (string, error) {
	err := refuse(c, command, first)
	if err == nil || c.Flags().Changed("method") {
		return first, err
	}
	for _, m := range columns[command] {
		if len(ignored(c, command, m)) == 0 {
			return m, nil
		}
	}
	return first, err
}

// fixMethods are the values of fix --method.
var fixMethods = pipeline.Names()

// fixEngine returns the column for a method of fix.
func fixEngine(method string, f *specFlags, k *contractFlags) string {
	if method == "evidence" && f.reference != "" && !k.given() {
		return "evidence of cases"
	}
	return method
}

// locateEngine returns the column for a method of locate.
func locateEngine(method string, k *contractFlags) string {
	switch method {
	case "all", "gradient", "diagnosis", "edits":
		return method
	case "evidence":
		if !k.given() {
			return "evidence of cases"
		}
		return method
	case "spectrum":
		if k.given() {
			return "spectrum of a contract"
		}
	}
	return "spectrum"
}

// elsewhere reports whether an option turns the method into that of another column.
func elsewhere(command, column, option string) bool {
	return (command == "locate" && column == "spectrum" || column == "evidence of cases") && (option == "contract" || option == "contracts")
}

// methodsTable returns the table of a command as in docs/methods.md.
func methodsTable(c *cobra.Command) string {
	list := columns[c.Name()]
	var b strings.Builder
	fmt.Fprintf(&b, "| `gulo %s` | %s |\n|---|%s\n", c.Name(), strings.Join(list, " | "), strings.Repeat("---|", len(list)))
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		fmt.Fprintf(&b, "| `--%s` |", f.Name)
		with := honoured(c.Name(), f.Name)
		for _, m := range list {
			switch {
			case slices.Contains(with, m):
				b.WriteString(" yes |")
			case elsewhere(c.Name(), m, f.Name):
				b.WriteString(" |")
			default:
				b.WriteString(" refused |")
			}
		}
		b.WriteString("\n")
	})
	return b.String()
}
