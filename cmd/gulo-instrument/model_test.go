//go:build llvm19

package main

import (
	"regexp"
	"testing"
)

// TestModels holds that every use in the table is one that calls.go knows, and speaks
// of arguments that a function can have.
func TestModels(t *testing.T) {
	use := regexp.MustCompile(`^(-|s[1-9]?|[rw][1-9](\*[1-9])?|r8:|[dfhml]|e1|o[1-9][0-9]*)$`)
	for name, m := range models {
		for _, u := range m.args {
			if !use.MatchString(u) {
				t.Errorf("%s: %q", name, u)
			}
		}
		if m.returns > 6 || m.format > 6 || m.scan && m.format == 0 || m.copies > 2 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	for name := range allocating {
		if _, ok := models[name]; ok && models[name].returns != 0 {
			t.Errorf("%s returns what it is given and what is to be freed", name)
		}
	}
}
