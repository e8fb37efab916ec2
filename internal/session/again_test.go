package session_test

import (
	"testing"

	"gulo/internal/session"
)

// TestAgain: an empty line repeats a command that steps, and no command that starts anew, draws or searches.
func TestAgain(t *testing.T) {
	for line, want := range map[string]string{
		"next": "next", "n": "n", "next 3": "next 3", "s; s": "s; s", "continue # on": "continue", "until 30": "until 30", "fin": "fin",
		"start": "", "start -v": "", "undo": "", "repair": "", "spec": "", "change p null": "", "next; spec": "", "nonsense": "", "": "",
	} {
		if got := session.Again(line); got != want {
			t.Errorf("an empty line after %q means %q, not %q", line, got, want)
		}
	}
}
