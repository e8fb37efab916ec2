package app

import (
	"encoding/json"
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"

	"github.com/spf13/cobra"
)

// opaqueJSON is one entry of gulo why-opaque --json.
type opaqueJSON struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Func   string `json:"function"`
	Whole  bool   `json:"whole"` // the whole function, or a declaration
	Text   string `json:"text"`  // the first line of what is opaque
	Reason string `json:"reason"`
	At     struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	} `json:"at"` // of what is not supported
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
			notes := p.Tree.Opaque
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetIndent("", "  ")
				if err := enc.Encode(map[string]any{"opaque": opaqueList(notes), "functions": len(p.Tree.Funcs)}); err != nil {
					return err
				}
			} else {
				s.printOpaque(notes, len(p.Tree.Funcs))
			}
			if len(notes) > 0 {
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

func (s *streams) printOpaque(notes []cfront.Note, funcs int) {
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
	fmt.Fprintf(s.out, "%d opaque in %d functions\n", len(notes), funcs)
}
