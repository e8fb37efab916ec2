package app

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelp: the help of every command has an example, fits helpWidth columns, and lists
// every flag and command once.
func TestHelp(t *testing.T) {
	s := &streams{}
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "completion" || c.Name() == "help" { // cobra's own
			return
		}
		path := c.CommandPath()
		_, text, errOut := gulo(t, "", append(strings.Fields(path)[1:], "--help")...)
		if !strings.Contains(text, "\nExamples:\n  gulo ") {
			t.Errorf("%s has no example:\n%s%s", path, text, errOut)
		}
		for _, line := range strings.Split(text, "\n") {
			if len(line) > helpWidth {
				t.Errorf("%s: %d columns: %s", path, len(line), line)
			}
		}
		lines := "\n" + text
		for _, g := range flagGroups[strings.TrimPrefix(path, "gulo ")] {
			for _, n := range g.names {
				if c.Flags().Lookup(n) == nil && n != "build" { // build is of some
					t.Errorf("%s: no flag %s, which stands under %q", path, n, g.title)
				}
				if got := strings.Count(lines, "--"+n+" "); c.Flags().Lookup(n) != nil && got < 1 {
					t.Errorf("%s: --%s is not listed", path, n)
				}
			}
		}
		if len(flagGroups[strings.TrimPrefix(path, "gulo ")]) > 0 && strings.Contains(text, "Other flags:") {
			t.Errorf("%s: a flag stands under no heading:\n%s", path, text)
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && strings.Count(lines, "\n  "+sub.Name()+" ") != 1 {
				t.Errorf("%s: %s is not listed once", path, sub.Name())
			}
			each(sub)
		}
	}
	each(s.root())
	if _, text, _ := gulo(t, "", "--help"); !strings.Contains(text, "Repair many programs:\n  campaign ") {
		t.Errorf("%s", text)
	}
}
