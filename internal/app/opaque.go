package app

import (
	"encoding/json"
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/plural"

	"github.com/spf13/cobra"
)

// opaqueJSON is one entry of gulo why-opaque --json.
type opaqueJSON struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Func   string `json:"function"`
	Whole  bool   `json:"whole"` // a whole function or declaration
	Text   string `json:"text"`  // the first line of the opaque part
	Reason string `json:"reason"`
	At     struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	} `json:"at"` // where the unsupported construct stands
}

func (s *streams) opaqueCommand() *cobra.Command {
	var src sourceFlags
	var build buildFlag
	var asJSON bool
	c := &cobra.Command{
		Use: `why-opaque [flags] FILE.c...
  gulo why-opaque [flags] -p BUILD_DIR [PROGRAM]`,
		Short: "list what gulo cannot model in a program, and why",
		Long: `Lists the statements, functions and declarations that gcc compiles but gulo has
no model of. Under gdb they run natively and are stepped over as a whole; on the
abstract machine the program stops where it reaches one. They are never edited,
and no answer covers them. docs/c.md says what is supported.

Calls of functions outside the program that the machine has no model of are
listed behind them. Under gdb they are stepped over like any other call.

Exit status: 0 nothing is opaque; 1 something is.`,
		Example: `  gulo why-opaque list.c
  gulo why-opaque -std=gnu99 -DHAVE_CONFIG_H -I. --json src/*.c
  gulo why-opaque -p build server`,
		RunE: func(c *cobra.Command, args []string) error {
			o, err := s.origin(c, args, &src, &build)
			if err != nil {
				return err
			}
			p, err := lower.LoadNative(c.Context(), o.files, o.opt)
			if err != nil {
				return err
			}
			notes, calls := p.Tree.Opaque, machine.UnmodelledCalls(p)
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetIndent("", "  ")
				if err := enc.Encode(map[string]any{"opaque": opaqueList(notes), "calls": callList(calls), "functions": written(p)}); err != nil {
					return err
				}
			} else {
				s.printOpaque(notes, calls, written(p))
			}
			if len(notes)+len(calls) > 0 {
				return &exitError{code: exitNegative}
			}
			return nil
		},
	}
	src.register(c)
	build.register(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// written counts the functions of a program, without those that gulo adds.
func written(p *lower.Program) int {
	n := 0
	for _, f := range p.Tree.Funcs {
		if f.Range.File == nil || !strings.HasPrefix(f.Range.File.Name, "@gulo/") {
			n++
		}
	}
	return n
}

// callJSON is a call of a function that the machine has no model of.
type callJSON struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Func   string `json:"function"`
	Called string `json:"called"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

func callList(calls []machine.Unmodelled) []callJSON {
	out := []callJSON{}
	for _, c := range calls {
		p := c.Stmt.Range.Position()
		out = append(out, callJSON{File: p.File, Line: p.Line, Column: p.Column, Func: c.Func, Called: c.Called, Text: firstLine(c.Stmt.Range.Text()), Reason: c.Reason})
	}
	return out
}

func opaqueList(notes []cfront.Note) []opaqueJSON {
	out := []opaqueJSON{}
	for _, n := range notes {
		p := n.Range.Position()
		j := opaqueJSON{File: p.File, Line: p.Line, Column: p.Column, Func: n.Func, Whole: n.Whole, Text: firstLine(n.Range.Text()), Reason: n.Reason}
		j.At.File, j.At.Line, j.At.Column = n.At.File, n.At.Line, n.At.Column
		out = append(out, j)
	}
	return out
}

func firstLine(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if more {
		line += " ..."
	}
	return line
}

func (s *streams) printOpaque(notes []cfront.Note, calls []machine.Unmodelled, funcs int) {
	for _, n := range notes {
		what := "statement"
		switch {
		case n.Whole && n.Func != "" && strings.HasPrefix(n.Range.Text(), "{"):
			what = "function " + n.Func
		case n.Whole:
			what = "declaration"
		}
		fmt.Fprintf(s.out, "%s: opaque %s: %s\n", n.Range.Position(), what, n.Reason)
		if n.At.Line != 0 && n.At != n.Range.Position() {
			fmt.Fprintf(s.out, "  because of %s\n", n.At)
		}
		fmt.Fprintf(s.out, "  %s\n", firstLine(n.Range.Text()))
	}
	for _, c := range calls {
		fmt.Fprintf(s.out, "%s: call of %s: %s\n  %s\n", c.Stmt.Range.Position(), c.Called, c.Reason, firstLine(c.Stmt.Range.Text()))
	}
	fmt.Fprintf(s.out, "%d opaque in %s", len(notes), plural.N(funcs, "function"))
	if len(calls) > 0 {
		fmt.Fprintf(s.out, ", %s that the machine has no model of", plural.N(len(calls), "call"))
	}
	fmt.Fprintln(s.out)
}
