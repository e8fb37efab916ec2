package session

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelpWidth: help of every command, and of all together, fits a terminal of 80 columns.
func TestHelpWidth(t *testing.T) {
	texts := map[string]string{"help": helpText(nil)}
	for i := range table {
		texts["help "+table[i].Name] = helpText(&table[i])
	}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > helpWidth {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}
