package session

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelpWidth: the help of every command, and of all together, fits a terminal of 80 columns; in a narrower one it
// has the same words.
func TestHelpWidth(t *testing.T) {
	texts := func(width int) map[string]string {
		out := map[string]string{"help": helpText(nil, width)}
		for i := range table {
			out["help "+table[i].Name] = helpText(&table[i], width)
		}
		return out
	}
	wide := texts(helpWidth)
	for _, width := range []int{helpWidth, 60} {
		for name, text := range texts(width) {
			if strings.Join(strings.Fields(text), " ") != strings.Join(strings.Fields(wide[name]), " ") {
				t.Errorf("%s: other words in %d columns:\n%s", name, width, text)
			}
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width && !strings.Contains(line, "example: ") && (width == helpWidth || line != text[:len(line)]) {
					t.Errorf("%s: %d columns: %s", name, n, line)
				}
			}
		}
	}
}

// TestSynonyms: what everybody tries leads to the command.
func TestSynonyms(t *testing.T) {
	for name, want := range map[string]string{"exit": "quit", "?": "help", "run": "start", "q": "quit"} {
		if c, err := find(name); err != nil || c.Name != want {
			t.Errorf("%s: %v %v", name, c, err)
		}
		if !isCommand(name + " x") {
			t.Errorf("%s would go to a program that waits", name)
		}
	}
	for _, line := range []string{"e 1", "5", "nex", ""} {
		if isCommand(line) {
			t.Errorf("%q would not go to a program that waits", line)
		}
	}
}

// TestWrap: messages are broken between words, and a text without blanks is left alone.
func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"error: a message of some words\n":    "error: a message\n  of some words\n",
		"  insert if (a) b = c;\n":            "  insert if (a)\n    b = c;\n",
		"short\nonewordthatislongerthanall\n": "short\nonewordthatislongerthanall\n",
		"sixteen columns.\n":                  "sixteen columns.\n",
		"no end of a line here":               "no end of a line\n  here",
	} {
		if got := Wrap(text, 16); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
