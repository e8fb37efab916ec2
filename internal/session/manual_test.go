package session

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/manual.md")

// TestManual holds docs/manual.md to the command table.
func TestManual(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands of a debug session\n\nMade from the command table by `go test ./internal/session -update`; do not edit.\n\n")
	b.WriteString("ENTITY is a variable (`head`, `main.list` of an outer function), a field of a node (`n4->prev`, also\n`n4 -> prev` and `n4.prev`) or an element (`table[2]`). Nodes are named n1, n2, ... in order of\nallocation. VALUE is a node, `null`, an integer, another pointer variable, `&variable`, or `new` for\na fresh node. Commands may be shortened as long as they are unique, and several may stand on a line\nseparated by semicolons.\n\n")
	for _, c := range Commands() {
		name := strings.TrimSpace(c.Name + " " + c.Args)
		if c.Alias != "" {
			name += "` (short: `" + c.Alias
		}
		end := "`"
		if c.Alias != "" {
			end = "`)"
		}
		fmt.Fprintf(&b, "## `%s%s\n\n%s.\n\n    %s\n\n", name, end, strings.ToUpper(c.Help[:1])+c.Help[1:], c.Example)
	}
	const path = "../../docs/manual.md"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != b.String() {
		t.Errorf("docs/manual.md is not what the command table says; run go test ./internal/session -update (%v)", err)
	}
}

// TestCommandsHaveHelp: every command has help and an example that begins with
// its name.
func TestCommandsHaveHelp(t *testing.T) {
	for _, c := range Commands() {
		if c.Help == "" || !strings.HasPrefix(c.Example, c.Name) {
			t.Errorf("%s: help %q, example %q", c.Name, c.Help, c.Example)
		}
	}
}
