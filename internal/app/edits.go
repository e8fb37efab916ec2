package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/mine"
	"gulo/internal/plural"
	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"

	"github.com/spf13/cobra"
)

// editsFlags are the flags of gulo edits.
type editsFlags struct {
	src      sourceFlags
	build    buildFlag
	lines    []int
	rule     string
	mistakes string
	rules    bool
	format   string
}

// editsCommand lists what gulo fix would try.
func (s *streams) editsCommand() *cobra.Command {
	var f editsFlags
	c := &cobra.Command{
		Use: `edits [flags] FILE.c...
  gulo edits --rules [flags] [FILE.c...]`,
		Short: "list the edits that gulo fix would try, and the edit rule of each",
		Long: fmt.Sprintf(`Lists the edits of a program's text that gulo fix would try, the cheapest of
each line first: the code as it is, the edited code, the cost of the edit, and
its edit rule. After the rule stands how many of its edits people really made,
out of all that it lists in their programs (docs/mined.md).

With --rules, gulo lists the edit rules: with FILE.c those that have an edit in
it, else all of them. docs/edits.md describes them.

gulo fix tries the cheapest %d. Edits that the outputs of tests, a reference
or the given run suggest are not listed here.`, textedit.MostEdits),
		Example: `  gulo edits list.c
  gulo edits --line 12 --line 15 list.c
  gulo edits --rule 'another comparison' list.c
  gulo edits --rules list.c`,
		RunE: func(c *cobra.Command, args []string) error { return s.edits(c, &f, args) },
	}
	f.src.register(c)
	f.build.register(c)
	c.Flags().IntSliceVar(&f.lines, "line", nil, "`N`: only edits of this line; may be repeated")
	c.Flags().StringVar(&f.rule, "rule", "", "`TEXT`: only edits of rules whose names contain this")
	c.Flags().StringVar(&f.mistakes, "mistakes", "", "`FILE`: patterns of mistakes besides the built-in ones; see docs/mistakes.md")
	c.Flags().BoolVar(&f.rules, "rules", false, "list the edit rules")
	c.Flags().StringVar(&f.format, "format", "text", "`FORMAT`: text or json")
	return c
}

// editJSON is one edit of gulo edits --format json.
type editJSON struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Edit string `json:"edit"`
	Cost int    `json:"cost"`
	Rule string `json:"rule"`
}

// ruleJSON is one rule of gulo edits --format json.
type ruleJSON struct {
	Rule      string  `json:"rule"`
	Edits     int     `json:"edits"`          // that the rule lists in this program
	Cost      int     `json:"cost,omitempty"` // of its cheapest edit
	Explained int     `json:"explained"`      // corrections that the rule explained when they were counted
	Listed    int     `json:"listed"`         // edits that the rule listed in the same programs
	Bits      float64 `json:"bits,omitempty"` // -log2 of Explained/Listed; 0: the rule was not counted
}

func (s *streams) edits(c *cobra.Command, f *editsFlags, args []string) error {
	if f.format != "text" && f.format != "json" {
		return &exitError{exitUsage, fmt.Sprintf("--format %s: there are text and json", f.format)}
	}
	known := mistakes.Builtin()
	if f.mistakes != "" {
		own, err := mistakes.ReadFile(f.mistakes)
		if err != nil {
			return &exitError{exitUsage, unread("--mistakes", f.mistakes, err, "a file of mistakes; docs/mistakes.md has its form")}
		}
		known = append(slices.Clip(known), own...)
	}
	var list []mine.Listed
	if !f.rules || len(args) > 0 || f.build.dir != "" {
		o, err := s.program(c, args, &f.src, &f.build)
		if err != nil {
			return err
		}
		tree, err := cfront.Load(c.Context(), o.files, o.opt)
		if err != nil {
			return err
		}
		for _, n := range f.lines {
			if n < 1 || !slices.ContainsFunc(tree.Files, func(x *source.File) bool { return n <= x.Lines() }) {
				return &exitError{exitUsage, fmt.Sprintf("--line %d: no file has that many lines", n)}
			}
		}
		list = slices.DeleteFunc(mine.Edits(tree, known), func(e mine.Listed) bool { return !f.wants(&e) })
	}
	rules := f.countedOf(list)
	if f.format == "json" {
		enc := json.NewEncoder(s.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(map[string]any{"edits": editList(list, f.rules), "rules": rules})
	}
	if f.rules {
		s.printRules(rules)
		return nil
	}
	s.printEdits(list, len(rules))
	return nil
}

// wants reports whether the flags ask for an edit.
func (f *editsFlags) wants(e *mine.Listed) bool {
	return (len(f.lines) == 0 || slices.Contains(f.lines, e.Line())) && strings.Contains(e.Rule, f.rule)
}

// countedOf returns the rules of the listed edits, or all counted rules if no edits were asked for, the likeliest
// first.
func (f *editsFlags) countedOf(list []mine.Listed) []*ruleJSON {
	by := map[string]*ruleJSON{}
	for _, e := range list {
		r := by[e.Rule]
		if r == nil {
			r = &ruleJSON{Rule: e.Rule, Cost: e.Cost}
			by[e.Rule] = r
		}
		r.Edits++
		r.Cost = min(r.Cost, e.Cost)
	}
	for name, x := range mine.Counted() {
		r := by[name]
		if r == nil && (list != nil || !strings.Contains(name, f.rule)) {
			continue
		}
		if r == nil {
			r = &ruleJSON{Rule: name}
			by[name] = r
		}
		r.Explained, r.Listed, r.Bits = x.Explained, x.Candidates, x.Cost()
	}
	last := func(r *ruleJSON) int { // rules that were not counted come last
		if r.Bits == 0 {
			return 1
		}
		return 0
	}
	return slices.SortedFunc(maps.Values(by), func(a, b *ruleJSON) int {
		return cmp.Or(last(a)-last(b), cmp.Compare(a.Bits, b.Bits), strings.Compare(a.Rule, b.Rule))
	})
}

func editList(list []mine.Listed, rules bool) []editJSON {
	out := []editJSON{}
	if rules {
		return out
	}
	for _, e := range list {
		out = append(out, editJSON{e.Changes[0].File.Name, e.Line(), shownEdit(&e), e.Cost, e.Rule})
	}
	return out
}

// shownEdit shows an edit in one line; an edit of two halves shows both.
func shownEdit(e *mine.Listed) string { return strings.ReplaceAll(e.Shown(), "\n", ", and ") }

// printEdits prints edits by line of the program, the cheapest of each line first.
func (s *streams) printEdits(list []mine.Listed, rules int) {
	slices.SortStableFunc(list, func(a, b mine.Listed) int {
		return cmp.Or(strings.Compare(a.Changes[0].File.Name, b.Changes[0].File.Name), a.Line()-b.Line(), a.Cost-b.Cost)
	})
	for _, e := range list {
		fmt.Fprintf(s.out, "%s\n    cost %d, %s%s\n", shownEdit(&e), e.Cost, e.Rule, support(mine.Counted()[e.Rule]))
	}
	fmt.Fprintf(s.out, "%s of %s\n", plural.N(len(list), "edit"), plural.N(rules, "rule"))
}

// support says how often edits of a rule were corrections.
func support(r *mine.Rule) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf(": %s of %s", plural.N(r.Explained, "correction"), plural.N(r.Candidates, "edit"))
}

// printRules prints a table of rules.
func (s *streams) printRules(rules []*ruleJSON) {
	fmt.Fprintf(s.out, "%6s %6s %10s %12s %6s  %s\n", "edits", "cost", "corrected", "of edits", "bits", "rule")
	for _, r := range rules {
		cost, bits := "-", "-"
		if r.Edits > 0 {
			cost = fmt.Sprint(r.Cost)
		}
		if r.Bits > 0 {
			bits = fmt.Sprintf("%.1f", r.Bits)
		}
		fmt.Fprintf(s.out, "%6d %6s %10d %12d %6s  %s\n", r.Edits, cost, r.Explained, r.Listed, bits, r.Rule)
	}
	fmt.Fprintln(s.out, plural.N(len(rules), "rule"))
}
