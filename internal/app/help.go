package app

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gulo/internal/pipeline"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file prints help: examples before flags, flags in groups, nothing wider than
// helpWidth.

const helpWidth = 80

// commandGroups are the headings of gulo --help with their commands. Other commands are listed under "Other commands".
var commandGroups = []flagGroup{
	{"Step through a program", []string{"debug", "web", "dap"}},
	{"Find and repair a mistake without stepping", []string{"fix", "locate", "edits", "explore"}},
	{"Look for memory errors", []string{"run", "check", "cc", "rules", "why-opaque"}},
	{"Repair many programs", []string{"campaign", "worker"}},
	{"Measure", []string{"inject", "bench", "mine"}},
}

// flagGroup is a heading with its flags or commands. Flags that no group names are listed under "Other flags".
type flagGroup struct {
	title string
	names []string
}

// compiling are the flags that commands on C files share.
var compiling = flagGroup{"How the program is compiled", []string{"include", "define", "undefine", "cflag", "build"}}

// byLogic are the flags of diagnoses and templates.
var byLogic = flagGroup{"Programs of numbers, corrected by logic", append([]string{"inputs", "faults"}, byLogicOnly...)}

// flagGroups are the groups for each command that has many flags.
var flagGroups = map[string][]flagGroup{
	"campaign run": {
		{"What is right", []string{"reference", "tests", "space", "inputs", "entry"}},
		{"The reports", []string{"html", "csv", "feedback", "stages", "output", "roster"}},
		{"The work", []string{"limit", "mistakes", "workers", "nats", "name", "state"}},
	},
	"fix": {
		{"What is right", []string{"reference", "tests", "space", "assert", "contract", "contracts", "memory", "right"}},
		{"What is run, and what may change", []string{"stdin", "entry", "lock"}},
		{"The search", []string{"method", "limit", "work", "repairs", "seed", "mistakes"}},
		{"The answer", []string{"format", "output", "rewrite", "times"}},
		{"Evidence from contracts and traces", []string{"explain", "trace", "dices"}},
		byLogic, compiling,
	},
	"locate": {
		{"What is right", []string{"reference", "tests", "space", "assert", "contract", "contracts"}},
		{"What is run, and what may be wrong", []string{"stdin", "entry", "lock"}},
		{"The search", []string{"method", "limit", "work", "seed"}},
		{"The answer", []string{"format", "output"}},
		{"Evidence from contracts and traces", []string{"explain", "trace"}},
		byLogic, compiling,
	},
	"debug": {{"The session", []string{"engine", "script", "files", "views", "attach", "screen", "tty", "follow"}}, compiling},
	"web":   {{"The session", []string{"engine", "screen", "check", "explain", "listen"}}, compiling},
	"run": {
		{"The run", []string{"files", "exec", "name", "max-memory", "max-output", "max-steps"}},
		{"What stops the run", []string{"contract", "contracts", "entry", "wrap", "allow-uninitialized", "allow-overreads", "allow-races"}},
		{"The report", []string{"trace"}},
		compiling,
	},
	"check": {
		{"The rules", []string{"rules", "off", "ts", "strict"}},
		{"The run", []string{"engine", "max-steps"}},
		{"The report", []string{"format", "output", "svg", "events", "unknown"}},
		{"A session at the error", []string{"debug", "script"}},
		compiling,
	},
	"explore": {{"What is executed", []string{"entry", "inputs", "paths", "search", "limit", "seed", "unroll", "wrap"}}, {"The answer", []string{"format", "output"}}, compiling},
	"inject":  {{"The faults", []string{"mutations", "deletions", "kind", "number", "entry", "seed", "out"}}, compiling},
	"bench": {
		{"All tables", []string{"limit", "seed", "program", "output", "svg", "dir", "workers"}},
		{"repair, confined, batch, numbers", []string{"variants"}},
		{"engines, trust", []string{"faults"}},
		{"contracts, locate, separation", []string{"sample", "dices", "plain"}},
		{"judges", []string{"pairs", "method", "native"}},
		{"outside", []string{"mode", "processors"}},
		{"submissions", []string{"draw", "skip", "given", "with-reference", "with-others", "spaces", "keep"}},
		{"sizes, lines", []string{"nodes", "shape", "engine", "steps", "lines"}},
		{"overhead, examined", []string{"runs", "trace", "report", "cause"}},
	},
	"bench gate": {
		{"What is measured", []string{"mode", "sample", "seed", "program", "limit", "made"}},
		{"The records", []string{"json", "against"}},
		{"The work", []string{"jobs", "nats", "name"}},
	},
	"edits":      {{"What is listed", []string{"line", "rule", "rules", "mistakes"}}, {"The answer", []string{"format"}}, compiling},
	"why-opaque": {{"The answer", []string{"json"}}, compiling},
}

// usage prints how a command is called; it is part of the help.
func usage(c *cobra.Command) error {
	w := c.OutOrStderr()
	var b strings.Builder
	b.WriteString("Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	subcommands(&b, c)
	flagHelp(&b, c)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nNext: %s COMMAND --help\n", c.CommandPath())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// subcommands lists the subcommands of a command; those of gulo itself are grouped.
func subcommands(b *strings.Builder, c *cobra.Command) {
	groups := []flagGroup{{"Commands", nil}}
	if !c.HasParent() {
		groups = append(commandGroups[:len(commandGroups):len(commandGroups)], flagGroup{"Other commands", nil})
	}
	var named []string
	for _, g := range groups {
		if g.names == nil {
			for _, sub := range c.Commands() {
				if (sub.IsAvailableCommand() || sub.Name() == "help") && !slices.Contains(named, sub.Name()) {
					g.names = append(g.names, sub.Name())
				}
			}
		}
		named = append(named, g.names...)
		for i, n := range g.names {
			if i == 0 {
				fmt.Fprintf(b, "\n%s:\n", g.title)
			}
			if sub, _, err := c.Find([]string{n}); err == nil {
				fmt.Fprintf(b, "  %-11s %s\n", n, sub.Short)
			}
		}
	}
}

// flagHelp lists the flags of a command, by group.
func flagHelp(b *strings.Builder, c *cobra.Command) {
	var done []string
	for _, g := range flagGroups[strings.TrimPrefix(c.CommandPath(), "gulo ")] {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, n := range g.names {
			if f := c.Flags().Lookup(n); f != nil {
				set.AddFlag(shown(f))
				done = append(done, n)
			}
		}
		if set.HasAvailableFlags() {
			fmt.Fprintf(b, "\n%s:\n%s", g.title, set.FlagUsagesWrapped(helpWidth))
		}
	}
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(done, f.Name) && (f.Name != "help" || len(done) == 0) {
			set.AddFlag(shown(f))
		}
	})
	if set.HasAvailableFlags() {
		title := "Flags"
		if len(done) > 0 {
			title = "Other flags"
		}
		fmt.Fprintf(b, "\n%s:\n%s", title, set.FlagUsagesWrapped(helpWidth))
	}
}

// engineHelp lists the engines of gulo fix.
func engineHelp() string {
	var b strings.Builder
	for _, e := range pipeline.Engines {
		fmt.Fprintf(&b, "  %-9s %s\n", e.Name, strings.ReplaceAll(e.Does, "\n", "\n            "))
	}
	return b.String()
}

// named shows a flag's value type under the name with which its description begins.
type named struct {
	pflag.Value
	name string
}

func (n named) Type() string { return n.name }

// nothing is the value of a flag whose default is not shown.
type nothing struct{}

func (*nothing) String() string   { return "" }
func (*nothing) Set(string) error { return nil }
func (*nothing) Type() string     { return "" }

// shown returns a flag as the help shows it: a usage "`FILE`: what it holds" names its value FILE.
func shown(f *pflag.Flag) *pflag.Flag {
	name, text := pflag.UnquoteUsage(f)
	text, ok := strings.CutPrefix(text, name+": ")
	if !ok {
		return f
	}
	g := *f
	g.Value, g.Usage = named{f.Value, name}, text
	if g.DefValue == "[]" { // an empty list is not shown as a default
		g.DefValue = ""
		g.Value = named{new(nothing), name}
	}
	return &g
}
