package app

import (
	"os"
	"strings"

	"gulo/internal/check"

	"github.com/spf13/cobra"
)

// ccCommand passes its arguments to the compiler wrapper unchanged.
func (s *streams) ccCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "cc ARG...",
		Short: `compile C with a memory debugger inside: CC="gulo cc" make`,
		Long: `A compiler wrapper that takes clang's arguments. The programs it builds stop
just before a memory error and say where the pointers involved came from. It
needs clang-19 and make instrument.

GULO_RULES names other rules than the shipped ones: files or names, separated by
commas. Next: run the program, or gulo check ./PROGRAM -- ARG...`,
		Example: `  gulo cc -o list list.c
  ./configure CC="gulo cc" && make
  GULO_RULES=mine.rules gulo cc -c list.c`,
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
