//go:build llvm19

package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestModels holds that every use in the table is one that calls.go knows, and speaks
// of arguments that a function can have.
func TestModels(t *testing.T) {
	use := regexp.MustCompile(`^(-|[sS][1-9]?|[rwg][1-9](\*[1-9]|x[1-9]|w)?|[WV][1-9](\*[1-9])?/[risSzZtTfFbw]\??|r[0-9]+:|[dfhmMlLkuN]|n[1-9]?|[cCPI][1-9]|Q[1-9]|H|[Y][1-9]/a|E[1-9]/e|G[1-9]/G|X[1-9]/m|[AObFDjJia][1-9]|p[0-9]+\+[1-9][0-9]*(,[0-9]+\+[1-9][0-9]*)*|v|t|T|y|K[1-9]:[1-9][0-9]*|e1|z|[oq][1-9][0-9]*)$`)
	for name, m := range models {
		for _, u := range m.args {
			if !use.MatchString(u) {
				t.Errorf("%s: %q", name, u)
			}
		}
		if m.returns > 6 || m.format > 6 || (m.list || m.text) && m.format == 0 || m.copies > 0 && m.compare > 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	for name := range scans {
		if _, ok := models[name]; !ok {
			t.Errorf("%s scans, but has no model", name)
		}
	}
	for name, r := range replacements {
		if sig, ok := runtime[r.name]; !ok || len(strings.Fields(r.args)) != len(sig)-1 {
			t.Errorf("%s: %+v does not fit %q", name, r, sig)
		}
	}
	for name := range allocating {
		if _, ok := models[name]; ok && models[name].returns != 0 && name != "getcwd" {
			t.Errorf("%s returns what it is given and what is to be freed", name)
		}
	}
}
