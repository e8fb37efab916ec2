package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"gulo/internal/plural"
	"gulo/internal/slice"
)

// Examined prints how many instructions lead from an error back to its cause (FILE:LINE): the steps of the reported
// chain, of the dynamic slice, and of the whole trace. This is the question of Table 3 of Wang, Neamtiu and Gupta (ISMM
// 2013).
func Examined(w io.Writer, dir, trace, report, cause string) error {
	file, number, ok := strings.Cut(cause, ":")
	line, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil {
		return fmt.Errorf("a cause is FILE:LINE, not %q", cause)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return err
	}
	var doc struct {
		Chains []struct {
			Links []struct {
				File string
				Line uint64
			}
		}
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if err := json.Unmarshal([]byte(first), &doc); err != nil {
		return fmt.Errorf("%s: %w", report, err)
	}
	chain := 0
	for _, c := range doc.Chains {
		for _, l := range c.Links {
			chain++
			if l.Line == line && strings.HasSuffix(l.File, file) {
				break
			}
		}
	}
	fns, err := slice.Load(dir)
	if err != nil {
		return err
	}
	n, err := slice.Examine(fns, trace, file, uint(line))
	if err != nil {
		return err
	}
	how := "before the cause is met"
	if !n.Found {
		how = "all of it; the cause is not in it"
	}
	fmt.Fprintf(w, "  to examine: chain %d, dynamic slice %d (%s), trace %d from the cause on, of %s\n", chain, n.Slice, how, n.Trace, plural.N(n.Total, "instruction"))
	return nil
}
